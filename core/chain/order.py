"""Reading order: the records of a stretch of the path, with what belongs to them but hangs beside it.

Fragments of one message stand together, in file order, at the place of the first; the results of
their calls follow, in file order. Some of these hang beside the path (parallel calls), and a reply
whose only rival is a system record is passed by it.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import groupby

from ccbrowse.core.index import CALL, NONE, REPLAY, SessionIndex
from ccbrowse.core.records import CHAIN_KINDS, REPLY_KINDS, Kind

IN_CHAIN = bytes(kind in CHAIN_KINDS for kind in range(256))
"""Per kind whether a chain names it; also a table for `translate`."""

_IS_REPLY = bytes(kind in REPLY_KINDS for kind in range(256))
_YIELDS = bytes(kind in (Kind.SYSTEM, Kind.PROGRESS) for kind in range(256))


def in_chain(index: SessionIndex, row: int) -> bool:
    """Whether a record is one that a chain names."""
    return bool(IN_CHAIN[index.kind[row]])


def plain_order(index: SessionIndex, path: Sequence[int], nothing_beside: bool) -> list[int] | None:
    """The chain rows of a stretch as they stand, where that is the reading order; None where not.

    So it is where nothing hangs beside the path and no message's fragments are parted.
    """
    if not nothing_beside:
        return None
    kind, message = index.kind, index.message
    rows = [row for row in path if IN_CHAIN[kind[row]]]
    runs = [number for number, _ in groupby([message[row] for row in rows]) if number != NONE]
    return rows if len(runs) == len(set(runs)) else None


def order_stretch(
    index: SessionIndex,
    path: Sequence[int],
    place: array[int],
    on_line: bytearray,
    passed_by: dict[int, list[int]],
) -> list[int]:
    """The chain rows of a stretch of the path between two boundaries, each once.

    `on_line` marks the rows that stretches before it name already; `place` tells of each row whether
    it is on the path at all; `passed_by` gives per row of the path the replies that hang on it beside
    the path.
    """
    stretch = set(path)
    out: list[int] = []
    placed: set[int] = set()

    def put(rows: Iterable[int]) -> None:
        for row in rows:
            if row not in placed:
                placed.add(row)
                out.append(row)

    def belongs(row: int) -> bool:
        if (
            on_line[row]
            or index.flags[row] & REPLAY
            or index.is_side(row)
            or not in_chain(index, row)
        ):
            return False
        return row in stretch or place[row] < 0

    def put_reply(row: int) -> None:
        fragments = [r for r in index.fragments_of(row) if belongs(r)] or [row]
        put(fragments)
        called = (r for r in fragments if index.flags[r] & CALL)
        put(sorted(r for call in called for r in index.results_of(call) if belongs(r)))

    for row in path:
        if _IS_REPLY[index.kind[row]]:
            if row not in placed:
                put_reply(row)
        elif in_chain(index, row):
            put((row,))
        for reply in passed_by.get(row, ()):
            put_reply(reply)
    return out


def replies_passed_by(
    index: SessionIndex, beside: Iterable[int], place: array[int], path: Sequence[int]
) -> dict[int, list[int]]:
    """Replies beside the path whose only rival on it is a system record, by the row that they hang on."""
    found: dict[int, list[int]] = {}
    for row in beside:
        parent = index.parent[row]
        if not _IS_REPLY[index.kind[row]] or parent < 0 or place[parent] < 0:
            continue
        following = place[parent] + 1
        if following < len(path) and _YIELDS[index.kind[path[following]]]:
            found.setdefault(parent, []).append(row)
    return {parent: sorted(rows) for parent, rows in found.items()}
