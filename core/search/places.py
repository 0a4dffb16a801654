"""Where in a session a found record stands: its row, line, segment, and whose it is."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from typing import Any

from ccbrowse.core.errors import BadLine
from ccbrowse.core.index import MISSING, REPLAY, SessionIndex
from ccbrowse.core.records import decode, decode_odd


def records_on(line: bytes) -> list[dict[str, Any]]:
    """The records on a line: one, or those found whole in a damaged line, each once."""
    try:
        return [decode(line)]
    except BadLine:
        found = decode_odd(line)[0]
    last = {str(record.get("uuid") or number): record for number, record in enumerate(found)}
    return list(last.values())


def row_at(index: SessionIndex, offset: int, record: Mapping[str, Any]) -> int | None:
    """The row of a record found on the line at an offset; None where the index does not hold it.

    Of a record that was written again only the last content counts, and it has the first one's row:
    what stands on the other lines is no row's content any more.
    """
    row = _row_on_line(index, offset, record.get("uuid"))
    if row is None:
        return None
    first = index.peer[row] if index.flags[row] & REPLAY else row
    return first if index.content_row(first) == row else None


def _row_on_line(index: SessionIndex, offset: int, uuid: object) -> int | None:
    rows = list(_rows_at(index, offset))
    if len(rows) == 1 and index.uuids[rows[0]] in (None, uuid):
        return rows[0]
    return next((row for row in reversed(rows) if index.uuids[row] == uuid), None)


def _rows_at(index: SessionIndex, offset: int) -> Iterator[int]:
    row = bisect_left(index.offset, offset)
    while row < len(index) and index.offset[row] == offset:
        yield row
        row += 1


def inline_agents(index: SessionIndex) -> dict[int, str]:
    """By row: the id of the subagent that was written into a main file, which is its first record's uuid."""
    roots: dict[int, int] = {}
    for row in range(len(index)):
        if index.is_sidechain(row):
            parent = index.parent[row]
            roots[row] = roots.get(parent, row) if parent > MISSING else row
    return {row: index.uuids[root] or "" for row, root in roots.items()}
