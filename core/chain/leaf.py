"""Where the main line ends: the newest record, as links say, that a conversation leads to."""

from __future__ import annotations

from array import array
from struct import pack

from ccbrowse.core.chain.links import GOES_ON, Links
from ccbrowse.core.chain.order import IN_CHAIN
from ccbrowse.core.index import MISSING, ROOT, SessionIndex


def find_leaf(links: Links, path: array[int], first: int) -> int | None:
    """The row that the main line ends at; None where there is nothing to stand on it.

    `path` is the line so far; rows from `first` on are not looked at yet.
    That is the newest record of the main lane. What has no message above it (a record of another type
    with a root of its own) ends no conversation and is passed by, unless there is nothing else; and
    a record that was written after those that hang on it yields to the newest of them.
    """
    index = links.index
    newest = row = links.newest(len(index))
    dead = set[int]()
    while row is not None:
        if not _leads_to_none(index, row, dead):
            return _newest_above(links, row, first) if row >= first else path[-1]
        row = links.newest(row)
    return newest


def _leads_to_none(index: SessionIndex, row: int, dead: set[int]) -> bool:
    """Whether a record's links end at a root and pass no message; `dead` are those known to do so."""
    kind, parents = index.kind, index.parent
    passed = set[int]()
    while not IN_CHAIN[kind[row]] and row not in passed:
        passed.add(row)
        row = parents[row]
        if row == ROOT or row in dead:
            dead |= passed
            return True
        if row < 0:
            return False
    return False


def _newest_above(links: Links, row: int, first: int) -> int:
    """The newest end of what hangs on a new record and was written before it; itself where nothing was."""
    parents, uuid = links.index.parent, links.index.uuids[row]
    if not _holds(parents[first:], row) and not links.is_logical_parent(uuid):
        return row
    logical = links.logical_rows()
    if _in_circle(links, row, logical):
        return row
    children: dict[int, list[int]] = {}
    for child, parent in enumerate(parents):
        above = logical.get(child, parent)
        if above >= 0 and links.is_link(child):
            children.setdefault(above, []).append(child)
    order, seen = [row], {row}
    for each in order:
        fresh = [child for child in children.get(each, ()) if child not in seen]
        seen.update(fresh)
        order += fresh
        children[each] = fresh
    newest = dict(zip(order, order, strict=True))
    for each in reversed(order):
        newest[each] = max([each, *(newest[child] for child in children[each])])
    while children[row]:
        row = max(children[row], key=newest.__getitem__)
    return row


def _holds(column: array[int], number: int) -> bool:
    """Whether a column holds a number; by its bytes first, which is many times faster."""
    return pack("i", number) in column.tobytes() and number in column


def _in_circle(links: Links, row: int, logical: dict[int, int]) -> bool:
    """Whether the way up from a record, over gaps in the order of the file, leads back to it."""
    index = links.index
    seen = set[int]()
    at: int | None = row
    while at is not None and at not in seen:
        seen.add(at)
        above = logical.get(at, index.parent[at])
        if above == MISSING or (above == ROOT and index.kind[at] in GOES_ON):
            at = links.newest(at)
        else:
            at = above if above >= 0 else None
    return at == row
