"""The lines of a file that may hold what is looked for: one pass over its bytes, nothing decoded.

The file is read into one buffer, whole lines at a time; a longer line widens it. Rows of
logged requests repeat the conversation and are left out by their first bytes.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from io import FileIO
from pathlib import Path
from typing import NamedTuple, Protocol

from ccbrowse.core.search.spelling import ANY_ESCAPED, LETTERS_ESCAPED, Spelling

BUFFER = 1 << 18
"""Bytes read at once: little enough that they are still at hand when they are looked through."""

HEAD = 1 << 15
"""Bytes at the start of a file that tell whether its writer escapes plain characters."""

_REQUEST = b'{"type":"api-request'
_RARE, _SAMPLE = 1000, 1 << 14
"""Occurrences of a byte that are looked at one by one, and the bytes that tell which is rare."""

_REST_OF_KEY = re.compile(rb'[\w-]{0,64}+":')


class Candidate(NamedTuple):
    """A line that may hold it: where it starts in the file, and its bytes without the LF."""

    offset: int
    line: bytes


class _Reader(Protocol):
    def readinto(self, buffer: memoryview, /) -> int | None: ...
    def seek(self, offset: int, /) -> int: ...


def candidates(
    path: Path | str,
    spelling: Spelling | None,
    cancelled: Callable[[], bool],
    parts: Sequence[tuple[int, int]] | None = None,
) -> Iterator[Candidate]:
    """The lines that may hold words of this spelling, in file order; all lines where it is None.

    `parts` are the bytes to look through, from starts of lines to ends of lines; None: all of them.
    Ends early once `cancelled` says so. Raises OSError.
    """
    with FileIO(path) as file:
        if parts is not None and spelling is not None:
            head = bytearray(file.read(HEAD))
            spelling = _for_writer(spelling, head, head.rfind(b"\n") + 1 or len(head))
        for offset, data, end in _lines_in(file, parts):
            if cancelled():
                return
            if parts is None and not offset and spelling is not None:
                spelling = _for_writer(spelling, data, min(end, HEAD))
            spans = _every(data, end) if spelling is None else _found(data, end, spelling)
            for start, stop in spans:
                if not data.startswith(_REQUEST, start, stop):
                    yield Candidate(offset + start, bytes(data[start:stop]))


def _for_writer(spelling: Spelling, data: bytearray, end: int) -> Spelling | None:
    """The spelling as the writer of this file would have it; None where any letter may be escaped."""
    if LETTERS_ESCAPED.search(data, 0, end):
        return None
    if spelling.rare is not None and not ANY_ESCAPED.search(data, 0, end):
        return replace(spelling, rare=None)
    return spelling


def _lines_in(
    file: _Reader, parts: Sequence[tuple[int, int]] | None
) -> Iterator[tuple[int, bytearray, int]]:
    if parts is None:
        yield from _whole_lines(file)
        return
    for start, stop in parts:
        file.seek(start)
        yield from _whole_lines(file, start, stop)


def _whole_lines(
    file: _Reader, start: int = 0, stop: int | None = None
) -> Iterator[tuple[int, bytearray, int]]:
    """Offset, buffer and the end of the whole lines in it; the last one may lack its LF."""
    size = BUFFER if stop is None else min(BUFFER, stop - start)
    buffer, offset, kept = bytearray(size), start, 0
    while True:
        if kept == len(buffer):
            buffer = buffer + bytes(max(kept, 1))
        room = len(buffer) if stop is None else min(len(buffer), stop - offset)
        with memoryview(buffer) as view:
            count = file.readinto(view[kept:room]) or 0 if kept < room else 0
        filled = kept + count
        end = buffer.rfind(b"\n", kept, filled) + 1
        if not count:
            if kept:
                yield offset, buffer, kept
            return
        if not end:
            kept = filled
            continue
        yield offset, buffer, end
        kept = filled - end
        rest = buffer[end:filled]
        if kept < BUFFER < len(buffer):
            buffer = bytearray(BUFFER)
        buffer[:kept] = rest
        offset += end


def _every(data: bytearray, end: int) -> Iterator[tuple[int, int]]:
    start = 0
    while start < end:
        stop = data.find(b"\n", start, end)
        stop = end if stop < 0 else stop
        if stop > start:
            yield start, stop
        start = stop + 1


def _found(data: bytearray, end: int, spelling: Spelling) -> list[tuple[int, int]]:
    """Where the lines stand that hold one of the spellings, or a NUL byte (decoders drop those)."""
    found: set[tuple[int, int]] = set()
    text = data
    if spelling.lowered:
        text = (data if 2 * end > len(data) else data[:end]).lower()
    for form in spelling.forms:
        if form.isascii() or not _holding_rare(data, text, form, end, found):
            _holding(data, text, form, end, found)
    _holding(data, data, b"\x00", end, found)
    for pattern in (spelling.others, spelling.rare):
        start = 0
        while pattern and (match := pattern.search(text, start, end)) is not None:
            span = _line_at(data, match.start(), end)
            found.add(span)
            start = span[1]
    return sorted(found)


def _holding(
    data: bytearray, text: bytearray, form: bytes, end: int, found: set[tuple[int, int]]
) -> None:
    """Add the lines in which `text` holds a byte string, in other places than keys of objects."""
    size, whole = len(form), form[-1:] not in b'"\\'
    at = text.find(form, 0, end)
    while at >= 0:
        # An unescaped quote ends the string that this stands in; a colon behind it makes that a key.
        if whole and (key := _REST_OF_KEY.match(text, at + size, end)):
            at = text.find(form, key.end(), end)
            continue
        span = _line_at(data, at, end)
        found.add(span)
        at = text.find(form, span[1], end)


def _holding_rare(
    data: bytearray, text: bytearray, form: bytes, end: int, found: set[tuple[int, int]]
) -> bool:
    """Add the same lines by a rare byte of a letter above ASCII; false where that is not so rare.

    A single byte is looked for much faster than several, and most texts lack these.
    """
    if not all(text.find(byte, 0, end) >= 0 for byte in form):
        return True
    counts = [text.count(byte, 0, min(end, _SAMPLE)) for byte in form]
    place, left = counts.index(min(counts)), _RARE
    at = text.find(form[place], 0, end)
    while at >= 0 and left:
        left -= 1
        if text.startswith(form, max(0, at - place)):
            found.add(_line_at(data, at, end))
        at = text.find(form[place], at + 1, end)
    return at < 0


def _line_at(data: bytearray, at: int, end: int) -> tuple[int, int]:
    stop = data.find(b"\n", at, end)
    return data.rfind(b"\n", 0, at) + 1, (end if stop < 0 else stop)
