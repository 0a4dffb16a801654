"""Private keys in their armour: PEM, OpenSSH, PGP, PuTTY; whole, cut off, quoted, in a diff."""

from __future__ import annotations

import re
from bisect import bisect_left
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
_AROUND = re.compile(r"(?:[\s+\->|:→,\"'\\]|\d{1,6}(?=[\t→:|])){0,48}")
_WHOLE_LINE = re.compile(
    rf"{_AROUND.pattern}(?P<body>[A-Za-z0-9+/]{{4,100}}={{0,2}})[\s+\->|,\"'\\]{{0,48}}"
)
_OPENED_LINE = re.compile(
    r"[\"'][ ]{0,8}(?:\d{1,7}[→\t:])?(?P<body>[A-Za-z0-9+/]{16,100})[\s\\]{0,4}\Z"
)
_SHORTEST_LINE = 48
_MOST_LINES = 400
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


def _cut_on(text: str, first: int, mark: int) -> int:
    """Where the lines of a body begin whose opening mark is missing; `mark`, the closing one's place,
    where there are none.

    All lines but the last of a body are of one length; the first may be cut where the text begins.
    """
    at = text.rfind("\n", first, mark) + 1
    if at == 0 or _AROUND.fullmatch(text, at, mark) is None:
        return mark
    start, width = mark, 0
    for number in range(_MOST_LINES):
        line_start = text.rfind("\n", first, at - 1) + 1 or first
        match = _WHOLE_LINE.fullmatch(text, line_start, at) if at > first else None
        if match is None:
            opened = (
                _OPENED_LINE.search(text, max(line_start, at - 160), at) if number > 1 else None
            )
            return opened.start("body") if opened and len(opened["body"]) <= width else start
        length = len(match["body"])
        if number and length != (width or length) and not (length < width and line_start == 0):
            break
        if number and length < _SHORTEST_LINE and line_start:
            break
        width = length if number else 0
        start, at = match.start("body"), line_start
    return start


def _armoured(text: str) -> Iterator[Found]:
    begins = list(_BEGIN.finditer(text))
    done = [0]
    for number, begin in enumerate(begins):
        limit = min(len(text), begin.end() + _LONGEST)
        if number + 1 < len(begins):
            limit = min(limit, begins[number + 1].start())
        if list_end := _LIST_END.search(text, begin.end(), limit):
            limit = list_end.start()
        end = _END.search(text, begin.end(), limit)
        stop = end.end() if end else _cut_off(text, begin.end())
        done.append(stop)
        if _has_key(text, begin.end(), stop):
            yield _block(text, begin.start(), stop)
    for end in _END.finditer(text):
        before = done[bisect_left(done, end.end()) - 1]
        if end.end() not in done and _has_key(
            text,
            start := _cut_on(text, max(before, end.start() - _LONGEST), end.start()),
            end.start(),
        ):
            yield _block(text, start, end.end())


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
