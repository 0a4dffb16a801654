"""What tools put before each line: numbers, names of files, the signs of a diff or a quote."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

_NUMBERED = re.compile(
    r"^(?P<file>[\w./@+\-]{1,200}[:\-](?=\d))?[ ]{0,8}(?P<number>\d{1,7})(?P<sign>→|\t|[:|\-])",
    re.MULTILINE,
)
_OPENED = re.compile(r"[\"'](?P<margin>[ ]{0,8}(?P<number>\d{1,7})(?P<sign>→|\t|[:|\-]))")
_MARKED = re.compile(r"^(?P<sign>\+(?!\+\+ )|> ?)", re.MULTILINE)
_HUNK = re.compile(r"^@@ -\d[^\n]{0,200}\n", re.MULTILINE)
_IN_HUNK = re.compile(r"[ +\-]")


def margins(text: str) -> list[tuple[int, int]]:
    """Where margins stand, from left to right: begin and end of each.

    Only where two lines at least, one below the other, have one; numbers must go up.
    """
    if "\n" not in text:
        return []
    found = dict(_runs(text, _NUMBERED)) | dict(_runs(text, _MARKED))
    if "@@ -" in text:
        found |= dict(_hunks(text))
    return sorted(found.items())


def _runs(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    every = list(pattern.finditer(text))
    if pattern is _NUMBERED and every and (first := _opening(text, every[0])):
        yield first
        yield every[0].span()
    for one, other in pairwise(every):
        if _follows(text, one, other):
            yield one.span()
            yield other.span()


def _opening(text: str, second: re.Match[str]) -> tuple[int, int] | None:
    """The margin of the line above, where that begins amid a line: in a string that opens there."""
    end = second.start() - 1
    start = max(text.rfind("\n", 0, max(end, 0)) + 1, end - 2000)
    for match in _OPENED.finditer(text, start, max(end, start)):
        if int(match["number"]) == int(second["number"]) - 1 and match["sign"] == second["sign"]:
            return match.span("margin")
    return None


def _follows(text: str, one: re.Match[str], other: re.Match[str]) -> bool:
    """Whether a margin stands right below another and goes on with it."""
    if text.find("\n", one.end()) + 1 != other.start():
        return False
    names = one.groupdict()
    if "number" not in names:
        return one["sign"][0] == other["sign"][0]
    return one["file"] == other["file"] and int(one["number"]) < int(other["number"])


def _hunks(text: str) -> Iterator[tuple[int, int]]:
    """The first sign of each line of a hunk of a diff."""
    for head in _HUNK.finditer(text):
        at = head.end()
        while at and _IN_HUNK.match(text, at):
            yield at, at + 1
            at = text.find("\n", at) + 1
