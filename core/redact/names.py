"""What a name says of its value: a password, a secret, perhaps a key, or nothing of the kind."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from ccbrowse.core.redact.vocabulary import (
    GLUED_ENDS,
    KEY_MAKERS,
    KEY_SPOILERS,
    PASSWORD_WORDS,
    QUALIFIERS,
    SECRET_WORDS,
    TOKEN_SPOILERS,
    VENDORS,
    WEAK_WORDS,
)


class Claim(IntEnum):
    """How strongly a name says that its value is a secret."""

    NONE = 0
    WEAK = 1
    """`key`, `auth`, `sid`: only with a value that was drawn at random"""
    SECRET = 2
    """`api_key`, `token`, `clientSecret`"""
    PASSWORD = 3
    """`password`, `DB_PASS`: short and plain values count too"""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a name claims, and the kind of secret that its value would be."""

    claim: Claim
    kind: str
    plain: bool = False
    """`pass`, `pw`, `pat` alone: words of other meanings too, so a bare value must look the part"""


NOTHING = Meaning(Claim.NONE, "")
_WORDS = re.compile(r"[A-Z]+(?![a-zà-ɏ])|[A-Z]?[a-zà-ɏ]+|\d+|[^\W\d_a-zA-Zà-ɏ]+")


def _tail(words: list[str]) -> list[str]:
    """The words without the qualifiers and numbers that stand behind the one that counts."""
    kept = list(words)
    while len(kept) > 1 and (kept[-1] in QUALIFIERS or kept[-1].isdigit() or kept[-1] == "v"):
        kept.pop()
    return kept


def _vendor(words: list[str]) -> str:
    for first, second in zip(words, [*words[1:], ""], strict=True):
        kind = VENDORS.get(first + second) or VENDORS.get(first)
        if kind:
            return kind
    return ""


def _claim(words: list[str]) -> tuple[Claim, str]:
    last, before = words[-1], words[-2] if len(words) > 1 else ""
    if (
        last in PASSWORD_WORDS
        or last.endswith(("password", "passwd"))
        or (before, last) == ("de", "passe")
    ):
        return Claim.PASSWORD, "password"
    if last == "token" or last.endswith("token"):
        spoilt = before in TOKEN_SPOILERS or any(last == f"{w}token" for w in TOKEN_SPOILERS)
        return (Claim.NONE, "") if spoilt else (Claim.SECRET, "token")
    if last == "key":
        if before in KEY_SPOILERS:
            return Claim.NONE, ""
        made = before in KEY_MAKERS or before.endswith(("api", "secret", "access"))
        return (Claim.SECRET, _key_kind(before)) if made else (Claim.WEAK, "key")
    if last in SECRET_WORDS or last.endswith(GLUED_ENDS):
        return Claim.SECRET, "api-key" if last.endswith("key") else "secret"
    if last == "string" and before == "connection":
        return Claim.SECRET, "connection-string"
    if last == "mnemonic" or (last == "phrase" and before == "seed"):
        return Claim.PASSWORD, "seed-phrase"
    if last == "hash" and before in {"api", "app"}:
        return Claim.SECRET, "secret"
    if last in {"id", "identifier"} and before == "session":
        return Claim.NONE, ""  # the client's own session ids are no secrets
    return (Claim.WEAK, "secret") if last in WEAK_WORDS else (Claim.NONE, "")


def _key_kind(before: str) -> str:
    if before in {"secret", "private", "encryption", "signing", "master"}:
        return f"{before}-key"
    return "api-key"


@lru_cache(maxsize=8192)
def meaning(name: str) -> Meaning:
    """What an identifier or a phrase of up to four words claims; only its last part decides."""
    last_part = name.rstrip(".").rpartition(".")[2] or name
    words = [word.lower() for word in _WORDS.findall(last_part)]
    if not words:
        return NOTHING
    words = _tail(words)
    claim, kind = _claim(words)
    if claim is Claim.NONE:
        return NOTHING
    vendor = _vendor([word.lower() for word in _WORDS.findall(name)])
    if vendor and claim is Claim.WEAK and words[-1] == "key":
        claim = Claim.SECRET
    if vendor and claim is Claim.SECRET:
        kind = vendor
    elif words[-3:] == ["secret", "access", "key"]:
        kind = "aws-secret-key"
    plain = len(words) == 1 and words[0] in {"pass", "pw", "pat", "pwd", "cred", "creds"}
    return Meaning(claim, kind, plain)
