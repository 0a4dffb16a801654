"""Private keys in their armour: PEM, OpenSSH, PGP, PuTTY; whole, cut off, quoted, in a diff."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ccbrowse.core.redact.found import Found, Rank
from ccbrowse.core.redact.page import Page
from ccbrowse.core.redact.values import is_monotone, is_stand_in, randomness

_LONGEST = 24_000
"""Signs between the marks; an RSA key of 16,384 bits in JSON is half of it."""

_BEGIN = re.compile(r"-{4,5} ?BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_END = re.compile(r"-{4,5} ?END (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_BODY = re.compile(r"[A-Za-z0-9+/]{24,}+")
# A line of a body, with what tools put before it: signs of a diff, numbers of lines, escapes.
_LINE = re.compile(
    r"(?:[\s+\->|:→,\"'\\]|\\[nr]|\d{1,6}(?=[\t→:|])){0,48}[A-Za-z0-9+/]{16,}+={0,2}"
)
# A key in a list of its lines ends before the list does; what ends behind it is another one's.
_LIST_END = re.compile(r"[\"'][ \t\r\n]{0,8}[\]}]")
_PUTTY = re.compile(r"Private-Lines: \d{1,3}\s")
_PUTTY_END = re.compile(r"Private-(?:MAC|Hash): [0-9a-f]{40,64}")


def _has_key(text: str, start: int, end: int) -> bool:
    body = _BODY.search(text, start, end)
    if body is None:
        return False
    sample = body.group()
    return not is_monotone(sample) and not is_stand_in(sample) and randomness(sample) > 6


def _cut_off(text: str, start: int) -> int:
    """Where the lines of a body end whose closing mark is missing."""
    at, limit = start, min(len(text), start + _LONGEST)
    while match := _LINE.match(text, at, limit):
        at = match.end()
    return at


def _armoured(text: str) -> Iterator[Found]:
    begins = list(_BEGIN.finditer(text))
    for number, begin in enumerate(begins):
        limit = min(len(text), begin.end() + _LONGEST)
        if number + 1 < len(begins):
            limit = min(limit, begins[number + 1].start())
        if list_end := _LIST_END.search(text, begin.end(), limit):
            limit = list_end.start()
        end = _END.search(text, begin.end(), limit)
        stop = end.end() if end else _cut_off(text, begin.end())
        if _has_key(text, begin.end(), stop):
            yield _block(text, begin.start(), stop)


def _block(text: str, start: int, end: int) -> Found:
    body = "".join(_BODY.findall(text, start, end))
    return Found(start, end, Rank.BLOCK, "private-key", body)


def scan_blocks(page: Page) -> Iterator[Found]:
    """Private keys; a mention of the marks alone, as in code that looks for them, is none."""
    text = page.text
    if "PRIVATE KEY" in text:
        yield from _armoured(text)
    if "Private-Lines" in text:
        for begin in _PUTTY.finditer(text):
            end = _PUTTY_END.search(text, begin.end(), begin.end() + _LONGEST)
            stop = end.end() if end else _cut_off(text, begin.end())
            if _has_key(text, begin.end(), stop):
                yield _block(text, begin.start(), stop)
