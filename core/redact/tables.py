"""Passwords in columns: the cells of a table under a telling heading, and the values of an INSERT."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ccbrowse.core.redact.found import Found, Rank
from ccbrowse.core.redact.names import Claim, Meaning, meaning
from ccbrowse.core.redact.page import Page
from ccbrowse.core.redact.values import Grade, grade

_HEADINGS = ("pass", "pwd", "secret", "token", "key", "senha", "contrase", "kennwort")
_MOST_ROWS, _MOST_CELLS, _LONGEST_LINE = 200, 40, 2000
_CELL = re.compile(r"""[ \t"'`*_]{0,8}(?P<text>[^"'`*]{0,256}?)[ \t"'`*_]{0,8}""")
_HEADING = re.compile(r"[^\W\d][\w .()/\-]{0,40}")
_NO_HEADING = re.compile(r"[{}=<>\[\]$#]")
_LEAD = re.compile(r"[ ]?[\"']?(?:[ ]{0,8}\d{1,7}[→\t]|[+\-> \t]{0,12})[\"']?(?=[|\w\"'])")
_STRING_END = re.compile(r"[\"'](?=[,}\]])")
_RULE = re.compile(r"[+\- |:=]{3,}\r?")
_INSERT = re.compile(
    r"insert[ ]+(?:or[ ]\w+[ ]+|ignore[ ]+)?into[ ]+[\w.\"`\[\]]{1,80}\s{0,4}"
    r"\((?P<names>[^()]{1,600})\)\s{0,8}values\s{0,8}\(",
    re.IGNORECASE,
)
_LITERAL = re.compile(
    r"\s{0,16}(?:[eNn]?'(?P<a>(?:[^'\\\n]|''|\\.){0,512})'|[^,'()\n]{0,128})\s{0,8}"
)
_NEXT_ROW = re.compile(r"\)\s{0,16},\s{0,16}\(")


def scan_tables(page: Page) -> Iterator[Found]:
    """What stands under a heading or in the place of a column that says what it is."""
    for at in page.places("insert "):
        if match := _INSERT.match(page.text, at):
            yield from _inserted(page.text, match)
    yield from _columns(page)


def _inserted(text: str, statement: re.Match[str]) -> Iterator[Found]:
    said = [meaning(name.strip(' "`[]\n\t')) for name in statement["names"].split(",")]
    if not any(_counts(each) for each in said):
        return
    at = statement.end()
    for _ in range(_MOST_ROWS):
        for each in said:
            match = _LITERAL.match(text, at)
            if match is None:
                return
            if match["a"] and _counts(each) and _is_secret(each, match["a"]):
                yield Found(*match.span("a"), Rank.NAMED, each.kind, match["a"])
            at = match.end()
            if text[at : at + 1] != ",":
                break
            at += 1
        following = _NEXT_ROW.match(text, at)
        if following is None:
            return
        at = following.end()


def _columns(page: Page) -> Iterator[Found]:
    """Tables whose heading line has a cell that says what stands below it."""
    text, done = page.text, -1
    if "\n" not in text:
        return
    for place in sorted(page.places(*_HEADINGS)):
        if place < done:
            continue
        start, end = _line(text, place)
        done = end
        if end - start > _LONGEST_LINE or end == len(text):
            continue
        opened = max(text.rfind(sign, start, place) for sign in ('":', "':"))
        start = _edge(text, opened + 2 if opened > 0 else start)
        if _NO_HEADING.search(text, start, end):
            continue
        for sign in "|\t,;":
            if sign in text[start:end] and (said := _headed(text, start, end, sign)):
                yield from _below(text, end + 1, sign, said, in_string=opened > 0)
                break


def _line(text: str, at: int) -> tuple[int, int]:
    end = text.find("\n", at)
    return text.rfind("\n", 0, at) + 1, len(text) if end < 0 else end


def _edge(text: str, start: int) -> int:
    """Where a line begins behind the signs of a diff, a quote, an indentation, a string."""
    match = _LEAD.match(text, start)
    return match.end() if match else start


def _headed(text: str, start: int, end: int, sign: str) -> list[Meaning]:
    """What each cell of a heading says; nothing where the line is no heading or says nothing."""
    names = [name for name, _ in _cells(text, start, end, sign)]
    inner = [name for name in names if name]
    if len(inner) < 2 or len(names) > _MOST_CELLS or len(inner) < len(names) - 2:
        return []
    if not all(_HEADING.fullmatch(name) for name in inner):
        return []
    said = [meaning("_".join(name.split()[-3:])) for name in names]
    return said if any(_counts(each) for each in said) else []


def _below(
    text: str, at: int, sign: str, said: list[Meaning], *, in_string: bool
) -> Iterator[Found]:
    for _ in range(_MOST_ROWS):
        end = _line(text, at)[1]
        start, at = _edge(text, at), end + 1
        if in_string and (closed := _STRING_END.search(text, start, end)):
            end, at = closed.start(), len(text)
        if start >= len(text) or end - start > _LONGEST_LINE:
            return
        if _RULE.fullmatch(text, start, end):
            continue
        cells = list(_cells(text, start, end, sign))
        if len(cells) != len(said):
            return
        for each, (value, place) in zip(said, cells, strict=True):
            if _counts(each) and _is_secret(each, value):
                yield Found(place, place + len(value), Rank.NAMED, each.kind, value)


def _cells(text: str, start: int, end: int, sign: str) -> Iterator[tuple[str, int]]:
    """The cells of a line without their quotes and blanks, and where each begins."""
    at = start
    for piece in text[start:end].rstrip("\r").split(sign):
        match = _CELL.fullmatch(piece)
        yield (match["text"], at + match.start("text")) if match else ("", at)
        at += len(piece) + 1


def _counts(said: Meaning) -> bool:
    return said.claim >= Claim.SECRET


def _is_secret(said: Meaning, value: str) -> bool:
    """A password as people choose them under its name; what machines draw under the others."""
    looks = grade(value)
    if not value or any(c.isspace() for c in value):
        return False
    if said.claim is Claim.PASSWORD:
        return looks >= Grade.PASSWORD and len(value) >= 6
    return looks >= Grade.TOKEN
