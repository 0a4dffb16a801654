"""Which lines of the file belong to a part.

The records on the part's line do, and those that hang on one of them, such as the client's notes of
a turn. Lines without links (bookkeeping, unknown types, damage) do if they lie between the part's
first and last line, unless the record before them belongs to another segment that goes on after them.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from ccbrowse.core.chain import Chain
from ccbrowse.core.export.parts import Part, Scope
from ccbrowse.core.index import REPLAY, SessionIndex
from ccbrowse.core.records import CHAIN_KINDS, LINK_KINDS

_OPEN = 0
_ELSEWHERE = -1
_LOOSE = -2
_MINE = 1

_LINKED = bytes(kind in LINK_KINDS for kind in range(256))
_NAMED = bytes(kind in CHAIN_KINDS for kind in range(256))


def source_rows(part: Part) -> Sequence[int]:
    """The rows whose lines a part has, one for each line, in file order. Not for a whole session."""
    rows, offset, offsets = array("i"), -1, part.session.index.offset
    for row in taken_rows(part):
        if offsets[row] != offset:
            offset = offsets[row]
            rows.append(row)
    return rows


def taken_rows(part: Part) -> Sequence[int]:
    """The rows that belong to a part, in file order; of a whole session those that go with its line."""
    index, chain = part.session.index, part.session.chain
    owners = _owners(part, chain)
    _follow_parents(index, owners)
    mine = [row for row in range(len(index)) if owners[row] == _MINE]
    if not mine:
        return ()
    rows, last_of = array("i"), _last_rows(owners)
    owner, span = _ELSEWHERE, range(mine[0], mine[-1] + 1)
    if part.is_whole:
        owner, span = _MINE, range(len(index))
    for row in span:
        taken = owners[row]
        if taken == _LOOSE:
            # A stranger's line goes with the stranger, as long as that one goes on.
            taken = _MINE if owner == _MINE or last_of.get(owner, -1) < row else _ELSEWHERE
        elif taken != _ELSEWHERE:
            owner = taken
        if taken == _MINE:
            rows.append(row)
    return rows


def _owners(part: Part, chain: Chain) -> array[int]:
    """Per row whose it is: the part's own, a number of another part of the line, or not settled yet."""
    owners = array("i", bytes(4 * len(chain.index)))
    for number, stretch in enumerate(chain.stretches, _MINE + 1):
        for row in (*chain.path[stretch.start : stretch.stop], *stretch.rows):
            owners[row] = number
    mine: list[Sequence[int]] = [part.rows]
    if part.scope is Scope.SESSION:
        mine.append(chain.path)
    elif part.scope is Scope.SEGMENT:
        stretch = chain.stretches[part.segments[0].number - 1]
        mine.append(chain.path[stretch.start : stretch.stop])
    elif part.scope is Scope.RANGE:
        _reopen_between(part, chain, owners)
    for rows in mine:
        for row in rows:
            owners[row] = _MINE
    return owners


def _reopen_between(part: Part, chain: Chain, owners: array[int]) -> None:
    """In a range's segments what is not read (progress) goes with the record that it hangs on."""
    for found in part.segments:
        stretch = chain.stretches[found.number - 1]
        for row in chain.path[stretch.start : stretch.stop]:
            if not _NAMED[chain.index.kind[row]]:
                owners[row] = _OPEN


def _follow_parents(index: SessionIndex, owners: array[int]) -> None:
    """Settle every open row: off the line, loose, or with the record that it hangs on."""
    for row in range(len(index)):
        if owners[row] == _OPEN:
            owners[row] = _settled(index, row)
    for row in range(len(index)):
        passed = []
        up = row
        while owners[up] == _OPEN:
            owners[up] = _LOOSE  # where the way ends, or comes back
            passed.append(up)
            parent = index.parent[up]
            if parent < 0:
                break
            up = parent
        for below in passed:
            owners[below] = owners[up]


def _settled(index: SessionIndex, row: int) -> int:
    kind = index.kind[row]
    if index.flags[row] & REPLAY or index.is_sidechain(row) or _NAMED[kind]:
        return _ELSEWHERE
    return _OPEN if _LINKED[kind] else _LOOSE


def _last_rows(owners: array[int]) -> dict[int, int]:
    """The last row of each owner."""
    return {owner: row for row, owner in enumerate(owners)}
