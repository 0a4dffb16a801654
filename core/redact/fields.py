"""Values of names: `DB_PASSWORD=…`, `"apiKey": "…"`, `--token …`, `password: …` and their kin."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ccbrowse.core.redact.found import Found, Rank
from ccbrowse.core.redact.literals import bare, ends_line, is_quote, quoted
from ccbrowse.core.redact.names import NOTHING, Claim, Meaning, meaning
from ccbrowse.core.redact.page import Page
from ccbrowse.core.redact.prose import beside
from ccbrowse.core.redact.values import (
    Grade,
    grade,
    has_dummy_words,
    in_base64,
    is_hash_or_id,
    randomness,
)

_MARKS = (
    "pass", "pwd", "pw", "secret", "token", "key", "jwt", "bearer", "cred", "auth", "cookie", "sid",
    "session", "salt", "seed", "pat", "mnemonic", "connection", "kennwort", "contrase", "senha",
    "wachtwoord", "psk", "api_hash", "app_hash", "mot", "heslo", "adgangskode", "salasana", "parola",
)  # fmt: skip
_MARKS_BEYOND_ASCII = (
    "hasło", "lösenord", "jelszó", "şifre", "пароль", "密", "口令", "パスワード", "비밀번호",
)  # fmt: skip
# The part of a name that makes it worth a look. What follows a short one must not be a letter.
_HINT = re.compile(
    r"""
    passw(?:or[dt]s?|d) | passphrase | passcode | secrets? | mnemonic | bearer | kennwort
    | (?: pass | p(?:ass)?wd | pw | token | key | jwt | cred(?:ential)?s? | auth | cookie
        | s(?:ession_?)?id | session | salt | psk | ap[ip]_hash | seed(?:[ _]phrase)? | pat
        | connection[ _]?string ) (?![a-z])
    | contrase[nñ]a | senha(?![a-z]) | wachtwoord | mot[ _-]?de[ _-]?passe | hasło | heslo(?![a-z])
    | lösenord | adgangskode | salasana | jelszó | parola(?![a-z]) | şifre
    | пароль | 密[码碼] | 口令 | パスワード | 비밀번호
    """,
    re.VERBOSE,
)
_BACKWARDS = re.compile(r"[\w.$\-]{0,64}")
_TAIL = re.compile(r"(?:[_\-]?[A-Za-z0-9_]{1,32})?")
_WORDS_BACKWARDS = re.compile(r"(?:[ \-]{1,3}[a-zA-Z0-9]{1,16}(?![a-zA-Z0-9])){1,3}")

_CLOSE = r"""[\"'`\])}*_]{0,4}"""
_TYPE = (
    r"""(?:[ \t]{1,4}[A-Za-z][\w.\[\]]{0,24}(?=[ \t]{1,4}:?=[ \t])"""
    r"""|[ \t]{0,4}\??:[ \t]{0,4}[A-Za-z&][\w.\[\]<>|&'?, ]{0,40}?(?=[ \t]{1,4}=[ \t]))?"""
)
_SIGN = r"""[ \t\u00a0\u202f]*(?:=>|:=|\?\?=|\|\|=|[!=]?={1,2}|:|：|→|->|\+=)[ \t]*(?:[*_]{1,3}[ \t]+)?"""
_PREFIX = r"""(?:[rRbBfFuU@$LN]{1,2}(?=["'`]))?(?:(?:Bearer|Basic|Token|ApiKey)[ ])?"""
_FOLDED = r"""(?:[>|][+\-]?[ \t]{0,4}\r?\n[+\-]?[ \t]{1,40})?"""
_ASSIGN = re.compile(_CLOSE + _TYPE + _SIGN + _FOLDED + _PREFIX)
_XML = re.compile(
    r"""["']?>[ \t]*([^<>\s]{6,512})<|</key>\s{0,40}[+\-]?\s{0,40}<string>([^<>\s]{6,512})<"""
)
_VALUE_OF = re.compile(
    r"""["'`]?(?:,\s{0,40}|\s{1,40})["']?(?:value|default)["']?[ \t]*[:=][ \t]*"""
    r"""|["']?[ \t]{1,4}-(?:-(?:value|body|data|content|plaintext)[ \t=]{1,4}|[bv][ \t=]{0,4})"""
)
_BLOCK = re.compile(r"""["']?\s?\{""")
_DEFAULT = re.compile(r"\b(?:value|default)[ \t]*=[ \t]*")
_PAIR = re.compile(r"""["'`]\]?[ \t]*,[ \t]*[rbfu]?(?=["'`])""")
_CALLED = re.compile(r"""\([ \t]*[rbfu]?(?=["'`])""")
_QUOTED_NEXT = re.compile(r"""[ \t]{1,4}(?=["'])""")
_SPACE = re.compile(r"[ \t]{1,4}")
_LOOKED_UP = re.compile(r"""[\w$.\[\]]{0,60}\(["'][\w.\-]{1,64}["'][ \t]*,[ \t]*(?=["'`])""")
_WRAPPED = re.compile(r"""(?:new[ ])?[\w$.:!<>]{1,40}\([ \t]{0,4}[rbfu]?(?=["'`])""")
_ECHOED = re.compile(r"\$\((?:echo|printf)[ \t]{1,4}")
_OTHERWISE = re.compile(r"""(?:\|\||\?\?|\bor\b|\?:)[ \t]*(?=["'`])""")
_SHELL_DEFAULT = re.compile(r"\$\{(?:\w{1,64}:?[\-=]|(?=[\"'`]))")
_PLAIN = re.compile(r"[\w+/=.~\-]+")
_PHRASE = re.compile(r"(?:[a-z]{3,8} ){11,23}[a-z]{3,8}(?![a-z])")
_LOGIN = re.compile(r"\b(?:machine|login|user(?:name)?)[ \t:=]")
_SETTER = re.compile(
    r"(?:\b(?:ENV|ARG|setenv|setx|set|put|add|store|config|write)[ \t]+|:)\Z", re.IGNORECASE
)


def _accepts(said: Meaning, value: str, *, quoted: bool, literal: bool, shouted: bool) -> bool:
    """Whether a value with that name is a secret.

    `literal`: the place takes text as it is, so that bare words are values and no variables;
    `shouted`: the name is in capitals, as in an environment.
    """
    looks = grade(value)
    if looks is Grade.NONE:
        return False
    if said.claim is Claim.WEAK:
        alike = is_hash_or_id(value) and not (shouted and looks >= Grade.TOKEN)
        mixed = value != value.lower() and value != value.upper()
        sure = mixed or shouted or looks > Grade.TOKEN
        return looks >= Grade.TOKEN and not alike and sure and bool(_PLAIN.fullmatch(value))
    if looks >= Grade.TOKEN:
        return True
    if said.claim is Claim.SECRET:
        return looks is Grade.PASSWORD and len(value) >= 8 and (quoted or literal)
    if looks is Grade.PASSWORD:
        if quoted or (literal and not said.plain):
            return len(value) >= 6
        if said.plain and literal and len(value) >= 8 and randomness(value) > 4:
            return True
        return len(value) >= 6 and not value.replace("_", "").replace(".", "").isalnum()
    if said.kind == "seed-phrase":
        return len(value.split()) >= 12
    sure = quoted or (literal and shouted)
    return sure and not said.plain and len(value) >= 8 and not has_dummy_words(value)


class _Field:
    """One name in a text and the ways that its value may follow."""

    def __init__(self, text: str, start: int, end: int, said: Meaning) -> None:
        self.text, self.start, self.end, self.said = text, start, end, said
        name = text[start:end].lstrip("-$")
        self.shouted = name == name.upper() and len(name) > 2
        self.flag = text[start : start + 1] == "-" and len(name) > 1

    def found(self, start: int, value: str) -> Found:
        return Found(start, start + len(value), Rank.NAMED, self.said.kind, value)

    def quoted(self, at: int, least: Grade = Grade.WORD) -> Found | None:
        """The string literal that begins at `at`, if it is a secret."""
        start, value = quoted(self.text, at) or (at, "")
        if grade(value) < least or not self._one_word(value):
            return None
        accepted = _accepts(self.said, value, quoted=True, literal=True, shouted=self.shouted)
        return self.found(start, value) if accepted else None

    def _one_word(self, value: str) -> bool:
        if " " not in value:
            return True
        words = value.split()
        phrase = self.said.claim is Claim.PASSWORD
        return phrase and len(words) >= 4 and all(w.isalpha() and w.islower() for w in words)

    def bare(self, at: int, *, literal: bool) -> Found | None:
        """The unquoted value that begins at `at`, if it is a secret."""
        value = bare(self.text, at)
        if len(value) < 4 or value.endswith("("):
            return None
        accepted = _accepts(self.said, value, quoted=False, literal=literal, shouted=self.shouted)
        return self.found(at, value) if accepted else None

    def at(self, at: int, *, literal: bool) -> Found | None:
        """The value at `at`, quoted or not."""
        if not is_quote(self.text, at):
            return self.bare(at, literal=literal)
        if quoted(self.text, at):
            return self.quoted(at)
        return self.bare(at + 1, literal=literal)  # cut off before its closing quote

    def assigned(self) -> Found | None:
        """After `=`, `:` and the like."""
        match = _ASSIGN.match(self.text, self.end)
        if match is None:
            return None
        at = match.end()
        if self.said.kind == "seed-phrase" and (phrase := _PHRASE.match(self.text, at)):
            return self.found(at, phrase.group())
        sign = match.group()
        tight = ("=" in sign and " " not in sign) or self.flag
        opened = self.text[self.start - 1 : self.start]
        alone = (":" in sign or "：" in sign) and ends_line(self.text, at, opened)
        found = self.at(at, literal=tight or alone or (self.shouted and ends_line(self.text, at)))
        return found or self._fallback(at)

    def _fallback(self, at: int) -> Found | None:
        """The default beside a looked-up value: `getenv("TOKEN", "…")`, `env.TOKEN || "…"`."""
        text = self.text
        if match := _SHELL_DEFAULT.match(text, at):
            return self.at(match.end(), literal=True)
        if match := _ECHOED.match(text, at):
            return self.at(match.end(), literal=True)
        if match := _WRAPPED.match(text, at):
            found = self.quoted(match.end(), Grade.PASSWORD)
            if found and (grade(found.value) >= Grade.TOKEN or randomness(found.value) >= 6):
                return found
        if match := _LOOKED_UP.match(text, at):
            return self.quoted(match.end(), Grade.PASSWORD)
        match = _OTHERWISE.search(text, at, at + 100)
        if match and not any(sign in text[at : match.start()] for sign in "\n;,"):
            return self.quoted(match.end(), Grade.PASSWORD)
        return None

    def elsewhere(self) -> Found | None:
        """In XML, in a field `value`, as the second of a pair, as an argument, after a blank."""
        text, end = self.text, self.end
        if match := _XML.match(text, end):
            group = 1 if match[1] else 2
            value = match[group]
            accepted = _accepts(self.said, value, quoted=True, literal=True, shouted=self.shouted)
            return self.found(match.start(group), value) if accepted else None
        if match := _VALUE_OF.match(text, end):
            return self.at(match.end(), literal=True)
        if _BLOCK.match(text, end):
            match = _DEFAULT.search(text, end, end + 240)
            return self.at(match.end(), literal=True) if match else None
        if match := _PAIR.match(text, end) or _CALLED.match(text, end):
            least = Grade.PASSWORD if self.said.claim is Claim.PASSWORD else Grade.TOKEN
            return self.quoted(match.end(), least)
        if self.said.claim is Claim.PASSWORD and (match := _QUOTED_NEXT.match(text, end)):
            return self.quoted(match.end(), Grade.PASSWORD)
        if match := _SPACE.match(text, end):
            before = text[max(0, self.start - 200) : self.start]
            if self.flag or _SETTER.search(before) or _LOGIN.search(before):
                sure = self.flag or self.shouted or self.said.claim > Claim.SECRET
                return self.at(match.end(), literal=sure)
        return None


def _expanded(text: str, start: int, end: int) -> tuple[int, int]:
    """The whole identifier around a hint."""
    left = _BACKWARDS.match(text[max(0, start - 64) : start][::-1])
    tail = _TAIL.match(text, end)
    return start - (left.end() if left else 0), tail.end() if tail else end


def _meaning(text: str, start: int, end: int) -> Meaning:
    """What a name claims, read together with up to three words before it in a sentence."""
    name = text[start:end].lstrip("-$")
    mixed = name not in {name.lower(), name.upper()}
    if in_base64(text, start) or (mixed and len(name) > 20 and randomness(name) > 12):
        return NOTHING
    if not name.isalpha():
        return meaning(name)
    before = _WORDS_BACKWARDS.match(text[max(0, start - 56) : start][::-1])
    if before is None:
        return meaning(name)
    phrase = "_".join(before.group()[::-1].replace("-", " ").split())
    return meaning(f"{phrase}_{name}")


def _hints(page: Page) -> list[tuple[int, int]]:
    """Where the words of the trade stand, from left to right."""
    marks = _MARKS if page.low.isascii() else _MARKS + _MARKS_BEYOND_ASCII
    matches = (_HINT.match(page.low, at) for at in page.places(*marks))
    return sorted(match.span() for match in matches if match)


def scan_fields(page: Page) -> Iterator[Found]:
    """Secrets that follow their names, in whatever language the file is written."""
    text = page.text
    done = 0
    for hint_start, hint_end in _hints(page):
        if hint_start < done:
            continue
        start, end = _expanded(text, hint_start, hint_end)
        done = end
        said = _meaning(text, start, end)
        if said is NOTHING:
            continue
        field = _Field(text, start, end, said)
        found = field.assigned() or field.elsewhere()
        if found:
            done = found.end
            yield found
        else:
            yield from beside(text, start, end, said)
