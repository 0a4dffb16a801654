"""Abandoned arms: what hangs beside the main line, and why.

Records beside the line are taken in *clusters*: the fragments of one message with the results of
their calls, or a record alone. A cluster continues the one that its first record hangs on (a boundary:
the one that it names), through records of other types; a cluster that none continues ends an arm.
"""

from bisect import bisect_left
from collections.abc import Container, Iterable
from enum import StrEnum

from msgspec import Struct, field

from ccbrowse.core.chain.order import in_chain
from ccbrowse.core.index import NONE, SessionIndex
from ccbrowse.core.records import Kind


class BranchKind(StrEnum):
    """Why an arm was abandoned."""

    EDITED_PROMPT = "edited_prompt"
    """A prompt withdrawn, or sent again in other words, before any reply."""
    REWIND = "rewind"
    """It holds replies, or a compaction."""
    LEFTOVER = "leftover"
    """The rows of a local command beside the line."""


class Branch(Struct, frozen=True):
    """An arm: its newest record, the main-line record it left (None for a root of its own), its size."""

    leaf: int
    fork: int | None
    messages: int
    kind: BranchKind


class _Arm(Struct):
    """The arm down to a cluster, summed up from its top: messages, and what kinds it holds."""

    rows: list[int] = field(default_factory=list)
    above: int | None = None
    fork: int | None = None
    messages: int = 0
    replied: bool = False
    prompted: bool = False
    summed: bool = False
    checked: bool = False


def find_branches(
    index: SessionIndex, off: Iterable[int], on_line: bytearray
) -> tuple[Branch, ...]:
    """The arms that `off`, the chain records beside the line in file order, make up; linear."""
    rows = list(off)
    members = set(rows)
    arms: dict[int, _Arm] = {}
    for row in rows:
        arms.setdefault(_cluster(index, row, members), _Arm()).rows.append(row)
    climb = _Climb(index, members, on_line)
    for arm in arms.values():
        end = climb.end(arm.rows[0])
        if end in members:
            arm.above = _cluster(index, end, members)
        elif end != NONE:
            arm.fork = end
    for number in arms:
        _cut_circle(number, arms)
    for number in arms:
        _sum_up(index, number, arms)
    continued = {arm.above for arm in arms.values()}
    ends = (arm for number, arm in arms.items() if number not in continued)
    found = (Branch(arm.rows[-1], arm.fork, arm.messages, _kind(arm)) for arm in ends)
    return tuple(sorted(found, key=lambda branch: branch.leaf))


def branch_rows(index: SessionIndex, leaf: int, members: Container[int]) -> list[int]:
    """The records of an arm in file order; `members` are all rows beside the line."""
    rows: set[int] = set()
    passed: set[int] = set()
    row = leaf
    while row >= 0 and row not in rows and row not in passed:
        passed.add(row)
        if row in members:
            top = _cluster(index, row, members)
            cluster = _cluster_rows(index, top, members)
            if not rows.isdisjoint(cluster):
                break
            rows.update(cluster)
            row = min(cluster)
        elif in_chain(index, row) and not index.is_sidechain(row):
            break
        row = _above(index, row)
    return sorted(rows)


def _above(index: SessionIndex, row: int) -> int:
    """The record that one hangs on, of a boundary the one that it names; below 0 where there is none."""
    if index.kind[row] != Kind.BOUNDARY:
        return index.parent[row]
    at = bisect_left(index.boundaries, row, key=lambda boundary: boundary.row)
    named = index.boundaries[at : at + 1]
    uuid = named[0].logical_parent if named and named[0].row == row else None
    above = index.row_of(uuid) if uuid else None
    return NONE if above is None else above


def _cluster(index: SessionIndex, row: int, members: Container[int]) -> int:
    """The number of a record's cluster: its first row beside the line."""
    call = index.peer[row]
    if index.kind[row] == Kind.RESULT and call != NONE and call in members:
        row = call
    return next((r for r in index.fragments_of(row) if r in members), row)


def _cluster_rows(index: SessionIndex, top: int, members: Container[int]) -> list[int]:
    fragments = [row for row in index.fragments_of(top) if row in members] or [top]
    results = (row for call in fragments for row in index.results_of(call) if row in members)
    return [*fragments, *results]


class _Climb:
    """The way up from records beside the line; each link is followed once."""

    def __init__(self, index: SessionIndex, members: set[int], on_line: bytearray) -> None:
        self.index = index
        self.members = members
        self.on_line = on_line
        self._known: dict[int, int] = {}

    def end(self, row: int) -> int:
        """The next record above that is beside the line or on it; NONE where the arm starts."""
        parents, known = self.index.parent, self._known
        passed: list[int] = []
        seen = {row}
        up = _above(self.index, row)
        while up >= 0 and up not in self.members and not self.on_line[up] and up not in seen:
            if up in known:
                up = known[up]
                break
            seen.add(up)
            passed.append(up)
            up = parents[up]
        if up < 0 or up in seen:
            up = NONE
        known.update(dict.fromkeys(passed, up))
        return up


def _cut_circle(number: int, arms: dict[int, _Arm]) -> None:
    """Cut a circle of clusters above its first one, so that the circle has an end like any arm."""
    way: list[int] = []
    on_way: set[int] = set()
    step: int | None = number
    while step is not None and not arms[step].checked:
        if step in on_way:
            arms[min(way[way.index(step) :], key=lambda member: arms[member].rows[0])].above = None
            break
        on_way.add(step)
        way.append(step)
        step = arms[step].above
    for passed in way:
        arms[passed].checked = True


def _sum_up(index: SessionIndex, number: int, arms: dict[int, _Arm]) -> None:
    """Length, content and fork of the arm down to a cluster, from the cluster above it."""
    todo: list[_Arm] = []
    step: int | None = number
    while step is not None and not arms[step].summed:
        todo.append(arms[step])
        step = arms[step].above
    above = arms[step] if step is not None else _Arm()
    for arm in reversed(todo):
        kinds = [index.kind[row] for row in arm.rows]
        arm.messages = above.messages + len(kinds) - kinds.count(Kind.BOUNDARY)
        arm.replied = above.replied or Kind.ASSISTANT in kinds or Kind.BOUNDARY in kinds
        arm.prompted = above.prompted or Kind.PROMPT in kinds
        arm.fork = arm.fork if arm.above is None else above.fork
        arm.summed = True
        above = arm


def _kind(arm: _Arm) -> BranchKind:
    if arm.replied:
        return BranchKind.REWIND
    return BranchKind.EDITED_PROMPT if arm.prompted else BranchKind.LEFTOVER
