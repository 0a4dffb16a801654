"""Where the records of a session stand, as bytes: so that a hit in a session that the cache knows is
placed without reading all of that session.

A `Places` tells row, line, uuid and segment of a record by the offset of its line. What is not so simple
(records that were written again, several on a line, inline subagents) it leaves to the session itself.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from typing import Any, NamedTuple

from msgspec import DecodeError, Struct, msgpack

from ccbrowse.core.chain.line import OFF
from ccbrowse.core.index import REPLAY, SIDECHAIN, TEXT, SessionIndex
from ccbrowse.core.index.saving import LAYOUT
from ccbrowse.core.records import Kind
from ccbrowse.core.session import Session
from ccbrowse.core.titles import NAMING, TitleSource, possible_titles

_BY_SOURCE = {
    TitleSource.CUSTOM: "custom-title",
    TitleSource.AI: "ai-title",
    TitleSource.SUMMARY: "summary",
}
_LONGEST = 1 << 16
"""Bytes of a side record above which it names nothing."""

_NAMED, _NAMELESS, _ODD = 0, 1, 2
_STRANGE = REPLAY | SIDECHAIN
_MOST_SEGMENTS = 65_535


class Place(NamedTuple):
    """Where a record stands: its row, its line, its uuid, the segment of the main line it is in."""

    row: int
    line: int
    uuid: str | None
    segment: int | None


class NotSimple(Exception):
    """The session itself must say where this record stands."""


class Places(Struct, array_like=True):
    """What is known of a session's records. `title_row` is that of the record that names the session.

    `copies`: whether records of it may be another file's, by what the session says itself; files that
    begin alike are found by `forks.first_ids`.
    """

    layout: str
    empty: bool
    title: str
    source: str
    title_row: int | None
    copies: bool
    offsets: memoryview
    marks: memoryview
    segments: memoryview
    line_starts: list[int]
    line_ahead: list[int]

    def find(self, offset: int, record: Mapping[str, Any]) -> Place | None:
        """The place of a record found at an offset; None where the index does not hold it.

        Raises NotSimple.
        """
        offsets = self.offsets.cast("Q")
        row = bisect_left(offsets, offset)
        if row == len(offsets) or offsets[row] != offset:
            return None
        return self.at(row, record)

    def at(self, row: int, record: Mapping[str, Any]) -> Place:
        """The place of the record at a row. Raises NotSimple."""
        mark, uuid = self.marks[row], record.get("uuid")
        if mark == _ODD or (mark == _NAMED and not (isinstance(uuid, str) and uuid.isascii())):
            raise NotSimple
        ahead = self.line_ahead[bisect_right(self.line_starts, row) - 1]
        segment = self.segments.cast("H")[row] or None
        return Place(row, row + ahead, uuid if mark == _NAMED else None, segment)

    def offset(self, row: int) -> int:
        """Where the line of a row starts."""
        return self.offsets.cast("Q")[row]


_encode = msgpack.Encoder().encode
_decode = msgpack.Decoder(Places).decode


def pack_places(session: Session) -> bytes | None:
    """The places of a session's records; None where they cannot be told."""
    index, chain = session.index, session.chain
    if len(chain.stretches) > _MOST_SEGMENTS:
        return None
    title = session.title
    first = next(iter(session.segments), None)
    starts, ahead = index.line.runs
    places = Places(
        layout=LAYOUT,
        empty=session.is_empty,
        title=title.text,
        source=title.source.value,
        title_row=title_row(session),
        copies=index.facts.forked_from is not None
        or session.continues_from is not None
        or (first is not None and first.boundary is not None),
        offsets=memoryview(index.offset.tobytes()),
        marks=memoryview(_marks(index)),
        segments=memoryview(_segments(session)),
        line_starts=starts,
        line_ahead=ahead,
    )
    try:
        return _encode(places)
    except (UnicodeEncodeError, OverflowError):
        return None


def unpack_places(data: bytes) -> Places | None:
    """Places from bytes; None where these are none, or another machine's."""
    try:
        places = _decode(data)
    except (DecodeError, RecursionError):
        return None
    count = len(places.marks)
    whole = len(places.offsets) == 8 * count and len(places.segments) == 2 * count
    return places if whole and places.layout == LAYOUT else None


def _marks(index: SessionIndex) -> bytes:
    """Per row: whether it has a uuid, and whether its place is simple."""
    marks = bytearray([uuid is None for uuid in index.uuids])
    odd = {*index.latest, *(row for row, flags in enumerate(index.flags) if flags & _STRANGE)}
    if len(index.line.runs[0]) > 1:
        offset = index.offset
        shared = [row for row in range(1, len(offset)) if offset[row] == offset[row - 1]]
        odd.update(shared, (row - 1 for row in shared))
    for row in odd:
        marks[row] = _ODD
    return bytes(marks)


def _segments(session: Session) -> bytes:
    """Per row: the number of its segment on the main line, or 0."""
    chain = session.chain
    found, path = array("H", bytes(2 * len(session.index))), chain.path
    for number, stretch in enumerate(chain.stretches, 1):
        for row in path[stretch.start : stretch.stop]:
            found[row] = number
    place = chain.place
    for stretch in chain.stretches:
        for row in stretch.rows:
            if place[row] == OFF:
                found[row] = session.segment_of(row) or 0
    return found.tobytes()


def title_row(session: Session) -> int | None:
    """The row of the record that gives the session its title; None where a file beside it does."""
    index, title = session.index, session.title
    if title.source is TitleSource.PROMPT:
        return _first(index, Kind.PROMPT if index.facts.first_prompt else Kind.COMMAND)
    naming = _BY_SOURCE.get(title.source)
    assert naming is None or naming in NAMING
    for row in range(len(index) - 1, -1, -1):
        if naming and index.kind[row] == Kind.SIDE and index.length[row] <= _LONGEST:
            record = session.record(row)
            if record.get("type") == naming and title.text in possible_titles(record):
                return row
    return None


def _first(index: SessionIndex, kind: Kind) -> int | None:
    row = index.kind.find(kind)
    while row >= 0 and (index.is_sidechain(row) or not index.flags[row] & TEXT):
        row = index.kind.find(kind, row + 1)
    return row if row >= 0 else None
