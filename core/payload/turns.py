"""A path to what is sent of it: each reply whole with the results of its calls, repeats left out.

The path passes one fragment after the other, and of parallel calls one result alone. What is sent
is the reply with all its fragments, then all results, where the path first meets it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ccbrowse.core.index import CALL, NONE, SessionIndex
from ccbrowse.core.payload.canonical import as_blocks, canonical_json
from ccbrowse.core.payload.relink import Path
from ccbrowse.core.records import Kind
from ccbrowse.core.session import Session

NEVER = 1 << 62
"""The row of something that does not come."""

_SPLICE_REACH = 50
"""Rows between a command and the reply that a resuming client put after it."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Rows that are sent together: a reply with its results, or one record.

    `first` and `last` bound the places on the path that it depends on; `waits` is the first row that
    would belong to it too but stood behind the limit; `parallel`: it holds rows beside the path.
    """

    rows: tuple[int, ...]
    first: int
    last: int
    waits: int = NEVER
    parallel: bool = False


def content_of(session: Session, row: int) -> list[Any]:
    """The content blocks of a user or assistant record."""
    message = session.record(row).get("message")
    return as_blocks(message.get("content") if isinstance(message, dict) else message)


def calls_answered(blocks: Iterable[Any]) -> set[str]:
    """The calls that results among some blocks answer."""
    named = (block.get("tool_use_id") for block in blocks if isinstance(block, dict))
    return {call for call in named if isinstance(call, str)}


class Turns:
    """The units of a path, kept up to date with it; `included` are the rows of all of them."""

    def __init__(self, session: Session, path: Path) -> None:
        self.session = session
        self.index: SessionIndex = session.index
        self.path = path
        self.units: list[Unit] = []
        self.included: set[int] = set()
        self._fragile: list[int] = []
        self._limit = 0
        self._bare_before = -1
        self._done = 0

    def update(self, stay: int, limit: int, bare_before: int, process: int) -> int:
        """Follow the path, of which the first `stay` rows are as they were; how many units are, too.

        `limit` is the row of the reply: later rows do not exist yet. Replies before row
        `bare_before` are sent as the bare path has them. `process` is the newest start of a process
        before the limit, or -1.
        """
        keep = self._unchanged(stay, limit, bare_before)
        start = self.units[keep].first if keep < len(self.units) else self._done
        self._cut(keep)
        self._limit, self._bare_before = limit, bare_before
        rows = self.path.rows
        for place in range(start, len(rows)):
            if rows[place] not in self.included:
                self._add(self._unit(rows[place], place))
            if 0 <= process < rows[place] and self.index.kind[rows[place]] == Kind.ERROR:
                for beside in self._passed_by(place):
                    self._add(Unit((beside,), place, place))
        self._done = len(rows)
        return keep

    def _unchanged(self, stay: int, limit: int, bare_before: int) -> int:
        """How many units stand as they are: on the part that stays, complete, and bare as before."""
        if limit < self._limit or bare_before < self._bare_before:
            return 0
        keep = len(self.units)
        while keep and self.units[keep - 1].last >= stay:
            keep -= 1
        for number in self._fragile:
            unit = self.units[number]
            turned_bare = unit.parallel and unit.rows[0] < bare_before
            if unit.waits < limit or turned_bare:
                return min(keep, number)
        return keep

    def _cut(self, keep: int) -> None:
        for unit in self.units[keep:]:
            self.included.difference_update(unit.rows)
        del self.units[keep:]
        while self._fragile and self._fragile[-1] >= keep:
            self._fragile.pop()

    def _add(self, unit: Unit) -> None:
        if unit.waits != NEVER or unit.parallel:
            self._fragile.append(len(self.units))
        self.units.append(unit)
        self.included.update(unit.rows)

    def _unit(self, row: int, place: int) -> Unit:
        if self.index.kind[row] == Kind.ASSISTANT and self.index.message[row] != NONE:
            if row >= self._bare_before:
                return self._reply(row, place)
            answers = (self.path.place.get(r, place) for r in self.index.results_of(row))
            return Unit((row,), place, max(answers, default=place))
        return Unit((row,), place, place)

    def _reply(self, row: int, place: int) -> Unit:
        """A reply with all its fragments, and one result for each of its calls."""
        there, late = self._split(self.index.fragments_of(row))
        fragments = self._without_copies(there)
        calls = [r for r in fragments if self.index.flags[r] & CALL]
        results, later = self._split(r for call in calls for r in self.index.results_of(call))
        if len(results) > sum(len(self.index.more_calls.get(call, (call,))) for call in calls):
            results = self._one_each(results)
        # Where a file's order is broken a reply on the path may stand behind the limit: it stays itself.
        rows = [r for r in (*fragments, *sorted(results)) if r not in self.included] or [row]
        places = [known for r in rows if (known := self.path.place.get(r)) is not None]
        waits = min((*late, *later), default=NEVER)
        return Unit(tuple(rows), place, max(places, default=place), waits, len(places) < len(rows))

    def _split(self, rows: Iterable[int]) -> tuple[list[int], list[int]]:
        """Rows before the limit, and those behind it."""
        before, behind = list[int](), list[int]()
        for row in rows:
            (before if row < self._limit else behind).append(row)
        return before, behind

    def _without_copies(self, fragments: list[int]) -> list[int]:
        """Fragments on the path, and those beside it that hold anything else than these.

        A client that fell back from a broken stream wrote the same reply again as other records.
        """
        beside = [row for row in fragments if row not in self.path.place]
        if not beside:
            return fragments
        known = {key for row in fragments if row in self.path.place for key in self._keys(row)}
        copies = set[int]()
        for row in beside:
            keys = set(self._keys(row))
            if keys <= known:
                copies.add(row)
            known |= keys
        return [row for row in fragments if row not in copies]

    def _keys(self, row: int) -> Iterator[object]:
        for block in content_of(self.session, row):
            call = block.get("id") if isinstance(block, dict) else None
            yield call if isinstance(call, str) else canonical_json(block)

    def _one_each(self, results: list[int]) -> list[int]:
        """One result for each call, those on the path first."""
        answered: set[str] = set()
        kept: list[int] = []
        for row in sorted(results, key=lambda r: (r not in self.path.place, r)):
            calls = calls_answered(content_of(self.session, row))
            if not calls <= answered:
                kept.append(row)
            answered |= calls
        return kept

    def _passed_by(self, place: int) -> Iterator[int]:
        """Output of a command that the client's own reply, written on resume, passes by.

        The reply hangs on the command, not on its output, but goes between the two; for this process
        alone, as the next one follows the links.
        """
        if not place or self.session.record(self.path.rows[place]).get("isApiErrorMessage"):
            return
        above, reply = self.path.rows[place - 1], self.path.rows[place]
        for row in range(above + 1, min(reply, above + _SPLICE_REACH)):
            output = self.index.kind[row] == Kind.SYSTEM and self.index.parent[row] == above
            if output and row not in self.path.place and row not in self.included:
                yield row
