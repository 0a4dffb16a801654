"""Which items a timeline shows, in which order: made without reading bodies, and followed."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

from ccbrowse.core.chain import Chain
from ccbrowse.core.index import (
    CALL,
    EMPTY,
    IMAGE,
    INTERRUPT,
    NO_TIME,
    NONE,
    REPLAY,
    SILENT,
    TEXT,
    THINKING,
    TYPED,
    SessionIndex,
)
from ccbrowse.core.records import CHAIN_KINDS, Kind
from ccbrowse.core.segments import Segment
from ccbrowse.tui.viewmodels.figures import local
from ccbrowse.tui.viewmodels.items import (
    DAY,
    FINDING,
    FIRST_CALL,
    FORK,
    MESSAGES,
    NOTHING_SAID,
    THOUGHT,
    WORDS,
    About,
    Choice,
    Items,
    Step,
)
from ccbrowse.tui.viewmodels.tools import AGENT_TOOLS

_MOST_CALLS = 255 - FIRST_CALL


class Readable(Protocol):
    """What an outline needs of a session."""

    @property
    def index(self) -> SessionIndex:
        """Facts over its records."""
        ...

    @property
    def chain(self) -> Chain:
        """Its main line."""
        ...

    @property
    def segments(self) -> Sequence[Segment]:
        """The segments of the line."""
        ...

    def raw(self, row: int) -> bytes:
        """The bytes of a row's line."""
        ...


@dataclass(slots=True)
class _Block:
    """The items of one segment, and how far they go: what is new is put behind them."""

    rows: Sequence[int]
    """The segment's rows, the very list that the chain has."""
    items: Items
    lead: int
    """Items before the segment's own first row: a new day, records of the client."""
    midnight: int
    """The end of the day that the items end in, or NO_TIME."""
    end: int
    """The row up to which records beside the line were taken."""
    path: array[int]
    """The segment's part of the chain's path, all kinds of records."""


class Builder:
    """Makes the items of a session; `update` after it has grown costs what has changed.

    `between` is called between two segments: a worker lets others have their turn there.
    """

    def __init__(
        self,
        choice: Choice = MESSAGES,
        about: About = NOTHING_SAID,
        between: Callable[[], None] | None = None,
    ) -> None:
        self.choice = choice
        self.about = about
        self.between = between
        self._index: SessionIndex | None = None
        self._blocks: list[_Block] = []

    def choose(self, choice: Choice, about: About) -> None:
        """Show something else from the next update on."""
        if (choice, about) != (self.choice, self.about):
            self.choice, self.about = choice, about
            self._blocks.clear()
            self._index = None

    def update(self, session: Readable) -> Step:
        """Follow the session."""
        anew = session.index is not self._index
        if anew:
            self._blocks.clear()
            self._index = session.index
        kept = self._kept(session.segments)
        if not anew and kept == len(self._blocks) - 1 and kept < len(session.segments):
            added = self._grow(session, kept)
            if added is not None:
                return Step(
                    _joined([added, *self._make_from(session, kept + 1)]), False, self._starts()
                )
        old = _joined(block.items for block in self._blocks[kept:])
        del self._blocks[kept:]
        new = _joined(self._make_from(session, kept))
        same = len(old)
        if not anew and new.rows[:same] == old.rows and new.parts[:same] == old.parts:
            return Step(Items(new.rows[same:], new.parts[same:]), False, self._starts())
        return Step(_joined(block.items for block in self._blocks), True, self._starts())

    def _kept(self, segments: Sequence[Segment]) -> int:
        """How many blocks stand as they are; the last one may always grow."""
        same = 0
        most = min(len(self._blocks), len(segments)) - 1
        while same < most and self._blocks[same].rows is segments[same].rows:
            same += 1
        return same

    def _grow(self, session: Readable, number: int) -> Items | None:
        """The new items of the last block; None where its old rows are not as they were."""
        block, rows = self._blocks[number], session.segments[number].rows
        known = len(block.rows)
        if block.rows is not rows and rows[:known] != block.rows:
            return None
        stretch = session.chain.stretches[number]
        path = session.chain.path[stretch.start : stretch.stop]
        if path[: len(block.path)] != block.path:
            return None
        maker = _Maker(session, self.choice, self.about, number, block.midnight)
        new = maker.make(rows[known:], path[len(block.path) :], block.end)
        block.items.rows.extend(new.rows)
        block.items.parts.extend(new.parts)
        block.rows, block.midnight, block.end, block.path = rows, maker.midnight, maker.end, path
        return new

    def _make_from(self, session: Readable, first: int) -> list[Items]:
        """Make the blocks from one on; their items."""
        made: list[Items] = []
        for number in range(first, len(session.segments)):
            rows = session.segments[number].rows
            stretch = session.chain.stretches[number]
            path = session.chain.path[stretch.start : stretch.stop]
            before = self._blocks[number - 1] if number else None
            midnight, begin = (before.midnight, before.end) if before else (NO_TIME, 0)
            maker = _Maker(session, self.choice, self.about, number, midnight)
            items = maker.make(rows, path, begin)
            lead = _lead(items, rows[0] if rows else NONE)
            self._blocks.append(_Block(rows, items, lead, maker.midnight, maker.end, path))
            made.append(items)
            if self.between is not None:
                self.between()
        return made

    def _starts(self) -> tuple[int, ...]:
        """The number of the item that opens each segment: its boundary, its first prompt."""
        starts: list[int] = []
        at = 0
        for block in self._blocks:
            starts.append(at + block.lead)
            at += len(block.items)
        return tuple(starts)


def _lead(items: Items, row: int) -> int:
    """How many items stand before the words of a row; none where they are not shown."""
    for number, each in enumerate(items.rows):
        if each == row and items.parts[number] not in (DAY, FINDING, FORK):
            return number
    return 0


def items_of(index: SessionIndex, rows: Iterable[int], choice: Choice) -> Items:
    """The items of some rows, as they come: a branch's."""
    items = Items()
    for row in rows:
        for part in _parts(index, row, choice):
            items.add(row, part)
    return items


def _joined(parts: Iterable[Items]) -> Items:
    joined = Items()
    for items in parts:
        joined.rows.extend(items.rows)
        joined.parts.extend(items.parts)
    return joined


class _Maker:
    """Makes items of one segment: of all its rows, or of those that came since."""

    def __init__(
        self, session: Readable, choice: Choice, about: About, number: int, midnight: int
    ) -> None:
        self.session = session
        self.choice = choice
        self.about = about
        self.number = number
        self.midnight = midnight
        """The end of the day of the last item, or NO_TIME."""
        self.end = 0
        """The row up to which records beside the line were taken."""

    def make(self, rows: Sequence[int], path: Sequence[int], begin: int) -> Items:
        """The items of `rows`, with those beside the line put in: of the path, and from a row on."""
        index, items, about = self.session.index, Items(), self.about
        for row, shown in self._in_order(rows, path, begin):
            time = index.time[row]
            parts = list(_parts(index, row, self.choice)) if shown else []
            if parts and time != NO_TIME and (self.midnight == NO_TIME or time >= self.midnight):
                items.add(row, DAY)
                self.midnight = _end_of_day(time)
            if row in about.findings:
                items.add(row, FINDING)
            if row == about.first:
                items.add(row, FORK)
            for part in parts:
                items.add(row, part)
            if row in about.forks and row != about.first:
                items.add(row, FORK)
        return items

    def _in_order(
        self, rows: Sequence[int], path: Sequence[int], begin: int
    ) -> Iterator[tuple[int, bool]]:
        """Rows with those beside the line put in by file order; whether the row itself is shown."""
        beside = self._beside(path, begin)
        for row in rows:
            beside.pop(row, None)
        extra = sorted(beside)
        at = 0
        for row in rows:
            while at < len(extra) and extra[at] < row:
                yield extra[at], beside[extra[at]]
                at += 1
            yield row, True
        for row in extra[at:]:
            yield row, beside[row]

    def _beside(self, path: Sequence[int], begin: int) -> dict[int, bool]:
        """The rows from `begin` on that no chain names; whether they are shown or only said of."""
        session, number = self.session, self.number
        index, chain, segments = session.index, session.chain, session.segments
        shown = {row for row in path if _stands_out(session, row)}
        last = number + 1 == len(segments)
        end = len(index) if last else max(segments[number].rows, default=begin - 1) + 1
        self.end = end = max(begin, end)
        if self.choice.everything:
            shown.update(row for row in range(begin, end) if _is_beside(index, row))
        told = self.about.findings | self.about.forks
        found = {row: row in shown for row in told if begin <= row < end and not chain.on_line[row]}
        found.update(dict.fromkeys(shown, True))
        return found


def _stands_out(session: Readable, row: int) -> bool:
    """Whether a record of the path that no chain names is shown in any case."""
    kind = session.index.kind[row]
    if kind == Kind.SYSTEM:
        return b"local_command" in session.raw(row)[:4_096]
    return kind in (Kind.QUEUED_PROMPT, Kind.MICRO_BOUNDARY)


def _is_beside(index: SessionIndex, row: int) -> bool:
    if index.kind[row] in CHAIN_KINDS or index.flags[row] & REPLAY:
        return False
    return not index.is_sidechain(row)


def _parts(index: SessionIndex, row: int, choice: Choice) -> Iterator[int]:
    """The parts of a record that are shown."""
    kind, flags = index.kind[row], index.flags[row]
    if kind == Kind.ASSISTANT:
        yield from _reply_parts(index, row, flags, choice)
    elif kind == Kind.RESULT:
        if index.peer[row] == NONE or flags & (TYPED | INTERRUPT):
            yield WORDS
    elif kind == Kind.META:
        if flags & INTERRUPT or choice.everything:
            yield WORDS
    elif kind in _ALWAYS or choice.everything:
        yield WORDS
    elif kind == Kind.SYSTEM:
        yield WORDS  # only those that stand out come here


_ALWAYS = frozenset(
    {
        *(Kind.PROMPT, Kind.COMMAND, Kind.SUMMARY, Kind.ERROR, Kind.BOUNDARY),
        *(Kind.MICRO_BOUNDARY, Kind.QUEUED_PROMPT),
    }
)


def _reply_parts(index: SessionIndex, row: int, flags: int, choice: Choice) -> Iterator[int]:
    if flags & THINKING and choice.thinking and (choice.everything or not flags & SILENT):
        yield THOUGHT
    if flags & (TEXT | IMAGE) or (flags & EMPTY and choice.everything):
        yield WORDS
    if flags & CALL:
        ids = index.more_calls.get(row, ("",))[:_MOST_CALLS]
        if choice.tools or index.tool_name(row) in AGENT_TOOLS:
            yield from range(FIRST_CALL, FIRST_CALL + len(ids))
        elif row in index.more_calls:
            agents = set(index.agent_calls.values())
            yield from (FIRST_CALL + number for number, call in enumerate(ids) if call in agents)


def _end_of_day(time: int) -> int:
    """When the local day of a time ends."""
    moment = local(time)
    if moment is None:
        return time + 1
    begin = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    return max(time + 1, round((begin + timedelta(days=1)).timestamp() * 1000))
