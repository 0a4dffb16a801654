"""Abandoned arms: what hangs beside the main line, and why."""

from collections.abc import Container, Iterable
from dataclasses import dataclass
from enum import StrEnum

from ccbrowse.core.chain.order import in_chain
from ccbrowse.core.index import NONE, SessionIndex
from ccbrowse.core.records import Kind

_HAS_REPLY = 1
_HAS_PROMPT = 2


class BranchKind(StrEnum):
    """Why an arm was abandoned."""

    EDITED_PROMPT = "edited_prompt"
    """A prompt withdrawn, or sent again in other words, before any reply."""
    REWIND = "rewind"
    """It holds replies, or a compaction."""
    LEFTOVER = "leftover"
    """The rows of a local command beside the line."""


@dataclass(frozen=True, slots=True)
class Branch:
    """An arm: its newest record, the main-line record it left (None for a root of its own), its size."""

    leaf: int
    fork: int | None
    messages: int
    kind: BranchKind


def find_branches(
    index: SessionIndex, off: Iterable[int], on_line: bytearray
) -> tuple[Branch, ...]:
    """The arms that `off`, the chain records beside the line in file order, make up; linear.

    Each record continues the nearest one above it that is beside the line too, through records of
    other types; a record that none continues is a leaf.
    """
    rows = list(off)
    climb = _Climb(index, set(rows), on_line)
    ends = {row: climb.end(row) for row in rows}
    above = {row: end if end in climb.members else None for row, end in ends.items()}
    size: dict[int, int] = {}
    holds: dict[int, int] = {}
    fork: dict[int, int | None] = {}
    for row in rows:
        _sum_up(index, row, above, size, holds)
        _find_fork(row, above, ends, fork)
    continued = set(above.values())
    return tuple(
        Branch(row, fork[row], size[row], _kind(holds[row])) for row in rows if row not in continued
    )


def branch_rows(index: SessionIndex, leaf: int, members: Container[int]) -> list[int]:
    """The records of an arm from its fork to its leaf; `members` are all rows beside the line."""
    rows, row, seen = list[int](), leaf, set[int]()
    while row >= 0 and row not in seen:
        seen.add(row)
        if row in members:
            rows.append(row)
        elif in_chain(index, row):
            break
        row = index.parent[row]
    return rows[::-1]


class _Climb:
    """The way up from records beside the line; each link is followed once."""

    def __init__(self, index: SessionIndex, members: set[int], on_line: bytearray) -> None:
        self.index = index
        self.members = members
        self.on_line = on_line
        self._known: dict[int, int] = {}

    def end(self, row: int) -> int | None:
        """The next record above that is beside the line or on it; None where the arm starts."""
        parents, known, passed = self.index.parent, self._known, list[int]()
        seen = {row}
        up = parents[row]
        while up >= 0 and up not in self.members and not self.on_line[up] and up not in seen:
            if up in known:
                up = known[up]
                break
            seen.add(up)
            passed.append(up)
            up = parents[up]
        if up in seen:
            up = NONE
        for step in passed:
            known[step] = up
        return up if up >= 0 else None


def _sum_up(
    index: SessionIndex,
    row: int,
    above: dict[int, int | None],
    size: dict[int, int],
    holds: dict[int, int],
) -> None:
    """Length and content of the arm down to a row, from those of the rows above it."""
    todo: list[int] = []
    seen: set[int] = set()
    step: int | None = row
    while step is not None and step not in size and step not in seen:
        seen.add(step)
        todo.append(step)
        step = above[step]
    before = size.get(step, 0) if step is not None else 0
    held = holds.get(step, 0) if step is not None else 0
    for each in reversed(todo):
        kind = index.kind[each]
        before += kind != Kind.BOUNDARY
        held |= _HAS_REPLY * (kind in (Kind.ASSISTANT, Kind.BOUNDARY))
        held |= _HAS_PROMPT * (kind == Kind.PROMPT)
        size[each], holds[each] = before, held


def _find_fork(
    row: int, above: dict[int, int | None], ends: dict[int, int | None], fork: dict[int, int | None]
) -> None:
    """The main-line record that the arm of a row has left."""
    passed: list[int] = []
    step: int | None = row
    while step is not None and step not in fork:
        fork[step] = None
        passed.append(step)
        step = above[step]
    left = ends[passed[-1]] if step is None and passed else fork[step] if step is not None else None
    for each in passed:
        fork[each] = left


def _kind(held: int) -> BranchKind:
    if held & _HAS_REPLY:
        return BranchKind.REWIND
    return BranchKind.EDITED_PROMPT if held & _HAS_PROMPT else BranchKind.LEFTOVER
