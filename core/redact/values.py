"""How a value looks: drawn at random, chosen as a password, a stand-in, or just words of code."""

from __future__ import annotations

import re
from enum import IntEnum
from functools import lru_cache
from itertools import pairwise
from string import ascii_letters, ascii_lowercase, digits

from ccbrowse.core.redact.vocabulary import COMMON_PAIRS, DUMMY_WORDS

LONGEST_JUDGED = 96
"""Only the head of a longer value is looked at, so that a judgement costs the same for each."""


class Grade(IntEnum):
    """How much a value looks like a secret, by itself."""

    NONE = 0
    """a stand-in, an expression, a version, a number: certainly no secret"""
    WORD = 1
    """words: a secret only where nothing but a password can stand"""
    PASSWORD = 2
    """short, or half words, with digits or signs between: as people choose passwords"""
    TOKEN = 3
    """drawn by a machine: long, mixed; also hashes and uuids"""
    STRONG = 4
    """a TOKEN that is neither a hash nor a uuid nor a number"""


def _class(char: str) -> str:
    return "a" if char in ascii_lowercase else "0" if char in digits else "A"


# Natural logarithms of how much more often a pair of neighbours turns up in strings drawn at
# random than in names and words of programs; measured once over 160,000 names in the sources of
# Python packages against random strings of the usual alphabets. "+": the letters are a common pair.
_PAIR_WEIGHTS = {
    "00": 2.2, "0A": 3.5, "0a": 4.0, "A0": 3.4, "a0": 3.6, "aA": 1.4,
    "AA+": 0.1, "AA-": 2.2, "Aa+": -0.2, "Aa-": 3.1, "aa+": -2.5, "aa-": 0.2,
}  # fmt: skip


def _weights() -> dict[str, float]:
    table: dict[str, float] = {}
    for first in ascii_letters + digits:
        for second in ascii_letters + digits:
            key = _class(first) + _class(second)
            if key in {"aa", "Aa", "AA"}:
                key += "+" if (first + second).lower() in COMMON_PAIRS else "-"
            table[first + second] = _PAIR_WEIGHTS[key]
    return table


_WEIGHT = _weights()


def randomness(value: str) -> float:
    """The evidence, as a log-likelihood, that letters and digits were drawn and not written.

    Below zero: words. From 6 on: 1 name of a program in 40 and 98 of 100 random tokens of 16.
    """
    weigh = _WEIGHT.get
    return sum(weigh(a + b, 0.0) for a, b in pairwise(value[:LONGEST_JUDGED]))


_UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_HEX = re.compile(r"(?:0x)?(?:[0-9a-f]{16,}|[0-9A-F]{16,})")
_DIGIT = re.compile(r"[0-9]")
_LETTER = re.compile(r"[^\W\d_]")
_SIGN = re.compile(r"[^\w.\-/: ]")
_JOINED = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[_.\-/: ][A-Za-z0-9]+)+")

_STAND_IN = re.compile(
    r"""
      [$#]\{ | \$\(\s?[A-Za-z] | \{\{ | <% | %\(\w+\) | `            # filled in by a shell or a template
    | ^\$[A-Za-z_]\w*$ | ^\$\d$ | ^%\w+%$ | ^%[sdv]$ | ^:\w+$ | ^@\w+@$
    | \{[A-Za-z_]\w*\} | \(\?[:P<=!] | \\[sdwbSDW] | \[\^ | \(\.[*+] | \.[*+][?)$]   # a pattern
    | ^<.*>?$ | ^\{.*\}?$ | ^\[.*\]?$ | ^\(.*
    | \[redacted | redacted\] | \*{3} | •{2} | \.{3} | … | ^[xX*._#?\-]+$
    | (?i:x{5,} | your?[-_ ]|[-_]here\b | example | placeholder | changeme | change[-_]me
        | replace[-_]?(?:me|with|this) | insert[-_] | dummy | redacted | not[-_]?(?:a[-_])?real)
    """,
    re.VERBOSE,
)
_ELSEWHERE = re.compile(
    r"""
      (?: sha\d{1,3} | md5 | h1 | crc32 ) [:\-] (?=\S)    # a hash
    | (?: urn | arn | op | ssm | sm | ref\+\w+ | vault | env | file | secretsmanager | keyvault | data
        | blob | mailto | s3 | gs | git | npm | workspace | jdbc ) : (?=\S)     # where it is kept
    | [a-z][a-z0-9+.\-]{1,20}:// | ENC\[ | !\w | \$ANSIBLE_VAULT | projects/ | @Microsoft
    | (?:msg|toolu|srvtoolu|req|call|run|thread|asst|evt|cus|chatcmpl|resp|file|batch)[_-](?=\w)
    """,
    re.VERBOSE,
)
_COUNTED = re.compile(
    r"""
      [\^~<>=v]{0,3} \d+ (?:[.\-_:,/x] \w{1,8})* %?     # versions, dates, times, addresses
    | [+\-]? \d [\d_.,]* (?:[eE][+\-]?\d+|ms|px|em|rem|s|k|K|[KMG]i?B)?
    | (?i:true|false|none|null|nil|undefined|nan|yes|no|on|off)
    | \#(?:[0-9a-fA-F]{3,4}){1,2}
    """,
    re.VERBOSE,
)
_PATH = re.compile(r"(?:\.{0,2}|~|[A-Za-z]:)[/\\][\w.\-@]+(?:[/\\][\w.\-@ ]*)*")
_MEMBER = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]*)+")
_BASE64 = re.compile(r"[A-Za-z0-9+/]+")
_CONSTANT = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_CODE = re.compile(
    r"-{1,2}[A-Za-z][\w\-]*=?|@[A-Za-z_][\w.]*|[A-Za-z_]\w*=\w*|\w+(?:\|\w+)+\|?|#[a-z]+"
)
_OPERATED = re.compile(r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+[?!:=+|&<>]")
_CALL = re.compile(r"[A-Za-z_$!&*][\w$.:!?<>]*[(\[{]")

_LONG_DUMMY = re.compile(
    "|".join(sorted((w for w in DUMMY_WORDS if len(w) > 3), key=len, reverse=True))
)
_LETTERS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_a-zA-Z]+")


def is_hash_or_id(value: str) -> bool:
    """Hexadecimal from 16 digits on, or a uuid: as often harmless as not."""
    return bool(_HEX.fullmatch(value) or _UUID.fullmatch(value))


def is_uuid(value: str) -> bool:
    """A uuid with its hyphens."""
    return bool(_UUID.fullmatch(value))


def is_monotone(value: str) -> bool:
    """Few signs, or mostly a sign and its successor: `xxxx`, `12345678`, `abcdefgh`, `a1b2c3d4`."""
    head = value[:LONGEST_JUDGED]
    if len(set(head)) <= max(3, min(6, len(head) // 6)):
        return True
    return any(_climbs(head[step:], head) for step in (1, 2))


def _climbs(later: str, earlier: str) -> bool:
    steps = sum(0 <= ord(b) - ord(a) <= 1 for a, b in zip(earlier, later, strict=False))
    return steps * 5 > len(later) * 3


def in_base64(text: str, start: int) -> bool:
    """Behind the `+` or `/` of a long run of base64, where a likeness is chance."""
    if text[start - 1 : start] not in {"+", "/"}:
        return False
    before = text[max(0, start - 32) : start]
    return len(before) == 32 and bool(_BASE64.fullmatch(before)) and randomness(before) > 14


def is_stand_in(value: str) -> bool:
    """What documents and templates write where a secret belongs."""
    return bool(_STAND_IN.search(value[:512]))


def has_dummy_words(value: str) -> bool:
    """One of its words, or a part of four letters and more, is one that examples and forms use."""
    return any(
        word.lower() in DUMMY_WORDS or _LONG_DUMMY.search(word.lower())
        for word in _LETTERS.findall(value[:LONGEST_JUDGED])
    )


def is_dummy(value: str) -> bool:
    """Made of words that examples and tests use, with at most four digits between."""
    if len(value) > 64 or len(_DIGIT.findall(value)) > 4 or _SIGN.search(value.rstrip("!")):
        return False
    rest = 0
    for word in _LETTERS.findall(value):
        if word.lower() in DUMMY_WORDS:
            continue
        parts = _LONG_DUMMY.sub(" ", word.lower()).split()
        rest += sum(len(part) for part in parts if part not in DUMMY_WORDS)
    return rest <= 2


def is_counted(value: str) -> bool:
    """A number, a version, a time, a colour, a constant; capitals and small letters at random are none."""
    if _COUNTED.fullmatch(value) is None:
        return False
    return value in {value.lower(), value.upper()} or randomness(value) < 7


def is_expression(value: str) -> bool:
    """A call, an index, a dotted name: code that fetches a secret and holds none."""
    if _CALL.match(value):
        return True
    if _CONSTANT.fullmatch(value):
        return randomness(value.lower()) < 4
    member = _MEMBER.fullmatch(value) or _OPERATED.match(value) or _CODE.fullmatch(value)
    return bool(member) and randomness(value) < 4


def is_path(value: str) -> bool:
    """A path of words; a base64 string may begin with a slash too, so chance is weighed."""
    return bool(_PATH.fullmatch(value)) and randomness(value) < max(4.0, len(value) * 0.4)


def _drawn(value: str) -> bool:
    """Long and mixed as machines make it."""
    length, weight = len(value), randomness(value)
    if _DIGIT.search(value) and _LETTER.search(value):
        return weight >= min(9.0, length * 0.4)
    mixed = value != value.lower() and value != value.upper()
    lettered = value.isupper() and value.isalpha() and length >= 24 and weight >= length * 0.7
    return (mixed and length >= 20 and weight >= 10) or lettered  # in base32 digits are few


@lru_cache(maxsize=4096)
def grade(value: str) -> Grade:
    """The Grade of a value that stands alone, without its quotes."""
    if len(value) < 4 or is_stand_in(value) or _ELSEWHERE.match(value) or is_monotone(value):
        return Grade.NONE
    if is_counted(value) or is_dummy(value) or is_expression(value) or is_path(value):
        return Grade.NONE
    if is_hash_or_id(value):
        return Grade.TOKEN
    if len(value) >= 16 and " " not in value and _drawn(value):
        return Grade.STRONG if len(value) >= 20 else Grade.TOKEN
    signs = bool(_SIGN.search(value))
    wordy = bool(_JOINED.fullmatch(value)) and randomness(value) < 4
    if not signs and (wordy or not _DIGIT.search(value)):
        mixed = len(value) >= 12 and value not in {value.lower(), value.upper()}
        return Grade.PASSWORD if mixed and randomness(value) >= 8 else Grade.WORD
    if not _LETTER.search(value):
        return Grade.NONE
    return Grade.PASSWORD
