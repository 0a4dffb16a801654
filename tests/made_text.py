"""Draws random strings from a seed, and fills forms with them: `«A36»` is 36 letters and digits."""

from __future__ import annotations

import base64
import json
import random
import re
from collections.abc import Callable
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits
from urllib.parse import quote

_WORDS = """
    account anchor apple border bridge bucket button cache carbon chart cloud column copper cursor
    delta desert dialog driver editor engine export factor filter folder forest gadget garden
    header helper hollow import island jacket kernel ladder layout legend letter marble margin
    matrix meadow memory mirror module motion needle number object orange output packet palette
    parser pebble pepper pillow planet plugin pocket poetry prompt public quartz rabbit random
    record region report ribbon rocket router sample scalar schema screen script search second
    shadow signal silver socket source stable stream string summer switch system table tablet
    target temple thread ticket timber toggle tunnel update upload valley vector velvet vendor
    version violet viewer walnut widget window winter worker yellow
"""
WORDS = tuple(_WORDS.split())
ALPHABETS = {
    "A": ascii_letters + digits,
    "U": ascii_letters + digits + "-_",
    "S": ascii_letters + digits + "+/",
    "H": "0123456789abcdef",
    "L": ascii_letters,
    "l": ascii_lowercase,
    "C": ascii_uppercase,
    "K": ascii_uppercase + digits,
    "k": ascii_lowercase + digits,
    "D": digits,
    "N": "123456789",
    "T": ascii_uppercase + "234567",
    "Q": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
    "@": ascii_lowercase + digits + "!@$%^&*(-_=+)",
}
SIGNS = "!#%^*+-_=?@."


class Draw:
    """Random strings from one seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def pick(self, *options: str) -> str:
        return self.random.choice(options)

    def of(self, alphabet: str, length: int) -> str:
        """Signs of an alphabet by its letter; the last one as a reader would copy it."""
        signs = ALPHABETS[alphabet]
        last = signs if alphabet not in "US@" else ALPHABETS["A"]
        body = [self.random.choice(signs) for _ in range(length - 1)]
        return "".join(body) + self.random.choice(last)

    def words(self, count: int, glue: str = " ") -> str:
        return glue.join(self.random.choice(WORDS) for _ in range(count))

    def b64(self, size: int) -> str:
        return base64.b64encode(self.random.randbytes(size)).decode()

    def uuid(self) -> str:
        return "-".join(self.of("H", n) for n in (8, 4, 4, 4, 12))

    def fill(self, form: str) -> str:
        """A form with its blanks drawn: `«A36»` from an alphabet, `«b32»` base64 of 32 bytes,
        `«uuid»`, `«w»` a word, `«w3»` three, `«w2-»` two with a hyphen, and the makers below."""
        return re.sub("«([^»]+)»", lambda match: self._blank(match[1]), form)

    def _blank(self, blank: str) -> str:
        if blank in MAKERS:
            return MAKERS[blank](self)
        if blank[0] == "w":
            count = re.match(r"\d+", blank[1:])
            glue = blank[1 + len(count[0]) :] if count else ""
            return self.words(int(count[0]) if count else 1, glue or " ")
        if blank[0] == "b":
            return self.b64(int(blank[1:]))
        return self.of(blank[0], int(blank[1:]))


def _password(d: Draw) -> str:
    """As a person or a manager makes them: three kinds of signs and more."""
    signs = list(d.of("l", 3) + d.of("C", 2) + d.of("D", 2) + d.of("A", d.random.randint(1, 5)))
    signs += [d.pick(*SIGNS) for _ in range(d.random.randint(1, 3))]
    d.random.shuffle(signs)
    return d.of("L", 1) + "".join(signs) + d.of("A", 2)


def _plain_password(d: Draw) -> str:
    """Without signs that a URL would have to encode."""
    return d.of("L", 2) + d.of("A", d.random.randint(6, 14)) + d.of("D", 2)


def _jwt(d: Draw) -> str:
    head = {"alg": d.pick("HS256", "RS256", "ES256"), "typ": "JWT"}
    body = {"sub": d.of("H", 12), "iat": d.random.randint(10**9, 2 * 10**9)}
    parts = [base64.urlsafe_b64encode(json.dumps(part).encode()).decode() for part in (head, body)]
    return ".".join([*(part.rstrip("=") for part in parts), d.of("U", 43)])


def _armour(label: str, body: list[str]) -> str:
    return "\n".join([f"-----BEGIN {label}-----", *body, f"-----END {label}-----"])


def _pem(d: Draw) -> str:
    label = d.pick("RSA ", "EC ", "OPENSSH ", "", "ENCRYPTED ", "DSA ") + "PRIVATE KEY"
    data = d.b64(d.random.choice((48, 144, 600)))
    return _armour(label, [data[i : i + 64] for i in range(0, len(data), 64)])


def _pgp(d: Draw) -> str:
    data = d.b64(420)
    lines = [data[i : i + 64] for i in range(0, len(data), 64)]
    body = ["Version: GnuPG v2", "", *lines, "=" + d.of("A", 4)]
    return _armour("PGP PRIVATE KEY BLOCK", body)


MAKERS: dict[str, Callable[[Draw], str]] = {
    "uuid": Draw.uuid,
    "password": _password,
    "plain": _plain_password,
    "jwt": _jwt,
    "pem": _pem,
    "pgp": _pgp,
    "login": lambda d: base64.b64encode(f"ops:{_password(d)}".encode()).decode(),
    "sas": lambda d: quote(d.b64(32), safe=""),
    "host": lambda d: d.pick("db.internal", "10.0.3.7", "cache-2.svc.cluster.local", "mq.prod.lan"),
}
