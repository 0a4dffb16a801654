"""An index as bytes and back: what a file's next reader needs of it, so that only new lines are parsed.

No text of a message is in it: the facts of boundaries are read again from their lines, and those of the
file are given by whoever saves it, cut to what a title needs.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from msgspec import Struct

from ccbrowse.core.errors import BadLine
from ccbrowse.core.index.facts import FileFacts
from ccbrowse.core.index.growing import IndexedFile
from ccbrowse.core.index.numbers import LineNumbers
from ccbrowse.core.index.requests import RequestTable
from ccbrowse.core.index.table import IndexedBoundary, SessionIndex, Trouble
from ccbrowse.core.lines import Growth, Position, Stamp, compare, read_at
from ccbrowse.core.records.boundaries import compact_facts
from ccbrowse.core.records.heads import Head, lenient_head, undecoded
from ccbrowse.core.records.repair import decode

LAYOUT = f"{sys.byteorder} {array('I').itemsize} {array('i').itemsize}"
"""How this machine lays out an array."""

_COLUMNS = ("offset", "length", "flags", "parent", "message", "request", "peer", "tool")
_COUNTERS = ("fresh", "created", "read", "output", "model", "row")
_PLAIN = (
    "waiting", "adopted", "latest", "typed", "directions", "fragments", "tools", "tool_names",
    "agent_tools", "calls", "unanswered", "early_results", "more_calls", "more_results", "sidechains",
    "sidechain_agents", "agent_calls", "origin_rows", "troubles", "bad_lines", "lines", "size",
    "incomplete_tail",
)  # fmt: skip

Buffer = memoryview


class SavedRequests(Struct, array_like=True):
    """A request table."""

    messages: list[str]
    ids: list[str | None]
    counters: list[Buffer]
    trusted: Buffer
    sidechain: Buffer
    strange: list[int]


class SavedIndex(Struct, array_like=True):
    """An index, and how far its file was read."""

    stamp: tuple[int, int, int, int]
    offset: int
    guard: int
    taken_tail: tuple[int, int] | None
    sidechain_lane: bool
    columns: list[Buffer]
    time: Buffer
    kind: Buffer
    line_count: int
    line_starts: list[int]
    line_ahead: list[int]
    uuids: list[str | None]
    boundary_rows: list[int]
    messages: list[str]
    requests: SavedRequests
    facts: FileFacts
    waiting: dict[str, list[int]]
    adopted: list[int]
    latest: dict[int, int]
    typed: set[int]
    directions: dict[int, str]
    fragments: list[int | list[int]]
    tools: dict[str, int]
    tool_names: list[str]
    agent_tools: set[int]
    calls: dict[str, int]
    unanswered: dict[str, int]
    early_results: dict[str, list[int]]
    more_calls: dict[int, list[str]]
    more_results: dict[int, list[int]]
    sidechains: list[int]
    sidechain_agents: dict[int, str]
    agent_calls: dict[str, str]
    origin_rows: dict[str, int]
    troubles: list[Trouble]
    bad_lines: list[int]
    lines: int
    size: int
    incomplete_tail: bool


def save_index(file: IndexedFile, facts: FileFacts) -> SavedIndex | None:
    """What is to be kept of a file's index, and these facts of the file; None where it cannot be kept."""
    index, position = file.index, file._position
    if position is None or _boundaries(index, file.path) != index.boundaries:
        return None
    stamp = position.stamp
    return SavedIndex(
        stamp=(stamp.device, stamp.inode, stamp.size, stamp.mtime_ns),
        offset=position.offset,
        guard=position.guard,
        taken_tail=file._taken_tail,
        sidechain_lane=index.sidechain_lane,
        columns=[_bytes(getattr(index, name)) for name in _COLUMNS],
        time=_bytes(index.time),
        kind=_bytes(index.kind),
        line_count=index.line._count,
        line_starts=index.line._starts,
        line_ahead=index.line._ahead,
        uuids=index.uuids,
        boundary_rows=[boundary.row for boundary in index.boundaries],
        messages=list(index.messages),
        requests=_save_requests(index.requests),
        facts=facts,
        **{name: getattr(index, name) for name in _PLAIN},
    )


def _save_requests(table: RequestTable) -> SavedRequests:
    return SavedRequests(
        messages=[key[0] for key in table.keys],
        ids=[key[1] for key in table.keys],
        counters=[_bytes(getattr(table, name)) for name in _COUNTERS],
        trusted=_bytes(table.trusted),
        sidechain=_bytes(table.sidechain),
        strange=table.strange,
    )


def restore_index(saved: SavedIndex, path: Path) -> IndexedFile | None:
    """The index as it was kept, ready to take in what the file has gained; None where that is another one.

    A file that was written without getting longer is another one, too. Raises OSError.
    """
    position = Position(Stamp(*saved.stamp), saved.offset, saved.guard)
    growth, now = compare(path, position)
    if growth in (Growth.RESET, Growth.REMOVED) or now is None:
        return None
    if growth is Growth.GROWN and now.size <= position.stamp.size:
        return None
    file = IndexedFile(path, sidechain_lane=saved.sidechain_lane)
    index = file.index
    index.time.frombytes(saved.time)
    index.kind += saved.kind
    for name, data in zip(_COLUMNS, saved.columns, strict=True):
        getattr(index, name).frombytes(data)
    count = len(index.kind)
    columns: Iterable[Any] = [getattr(index, name) for name in _COLUMNS]
    if {len(column) for column in (*columns, index.time, saved.uuids)} != {count}:
        return None
    _restore_lines(index.line, saved)
    index.take_uuids(saved.uuids)
    index.messages = dict(zip(saved.messages, range(len(saved.messages)), strict=True))
    _restore_requests(index.requests, saved.requests)
    index.facts = saved.facts
    for name in _PLAIN:
        setattr(index, name, getattr(saved, name))
    index.boundaries = _boundaries_at(index, path, saved.boundary_rows)
    file._position = position
    file._taken_tail = saved.taken_tail
    return file if len(index.boundaries) == len(saved.boundary_rows) else None


def _restore_lines(line: LineNumbers, saved: SavedIndex) -> None:
    line._count, line._starts, line._ahead = saved.line_count, saved.line_starts, saved.line_ahead


def _restore_requests(table: RequestTable, saved: SavedRequests) -> None:
    table.keys = list(zip(saved.messages, saved.ids, strict=True))
    for name, data in zip(_COUNTERS, saved.counters, strict=True):
        getattr(table, name).frombytes(data)
    table.trusted += saved.trusted
    table.sidechain += saved.sidechain
    table.strange = saved.strange


def _bytes(column: array[int] | bytearray) -> Buffer:
    # A copy: as long as someone looks into an array it cannot grow.
    return memoryview(bytes(column))


def _boundaries(index: SessionIndex, path: Path) -> list[IndexedBoundary]:
    try:
        return _boundaries_at(index, path, [boundary.row for boundary in index.boundaries])
    except OSError:
        return []


def _boundaries_at(index: SessionIndex, path: Path, rows: list[int]) -> list[IndexedBoundary]:
    """The boundaries at some rows, read from their lines; those that are none are left out."""
    found: list[IndexedBoundary] = []
    if not rows:
        return found
    with path.open("rb") as file:
        for row in rows:
            line = read_at(file, index.offset[row], index.length[row])
            try:
                head = lenient_head(decode(line))
                facts = compact_facts(undecoded(head.compactMetadata)) if head else None
            except BadLine:
                continue
            if head and facts and head.subtype == "compact_boundary" and _is_at(index, row, head):
                found.append(IndexedBoundary(row, head.logicalParentUuid, facts))
    return found


def _is_at(index: SessionIndex, row: int, head: Head) -> bool:
    """Whether this is the record at a row still."""
    return (head.uuid or None) == index.uuids[row]
