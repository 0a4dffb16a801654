"""The main line to segments: what stands between two boundaries, and what each boundary says."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import cached_property

from msgspec import Struct

from ccbrowse.core.chain import Chain, ResolvedBy, Stretch
from ccbrowse.core.index import CALL, NO_TIME, SessionIndex
from ccbrowse.core.numbers import UNKNOWN, Number, Source, exact
from ccbrowse.core.records import CompactFacts, Kind
from ccbrowse.core.usage import Usage, requests_of, sum_requests


class CompactionKind(StrEnum):
    """What a compaction summarised."""

    FULL = "full"
    PARTIAL_FROM = "partial_from"
    """From a chosen message on: what stood before it was kept."""
    PARTIAL_UP_TO = "partial_up_to"
    """Up to a chosen message: what stands after it was kept."""


class Boundary(Struct, frozen=True):
    """A compaction boundary on the main line; tokens and milliseconds as the client counted them."""

    row: int
    uuid: str
    time: int
    kind: CompactionKind
    facts: CompactFacts
    logical_parent: str | None
    resolved_by: ResolvedBy
    preserved: tuple[str, ...]


class Context(Struct, frozen=True):
    """What requests of a segment weighed, in tokens: the first real one, the largest, at the close."""

    open: Number
    peak: Number
    close: Number


class Segment(Struct, frozen=True, dict=True):
    """A part of the main line between two boundaries; the boundary and its summary open it.

    `rows` are chain rows in reading order, `path` the linked records of all types; `carried_over` the
    rows, of earlier segments, that the boundary kept. What else there is to say is worked out when it
    is asked for, and kept: a list of sessions asks for little of it.
    """

    index: SessionIndex
    number: int
    rows: Sequence[int]
    path: Sequence[int]
    boundary: Boundary | None
    carried_over: tuple[int, ...]
    next_boundary: CompactFacts | None

    @property
    def messages(self) -> int:
        """User and assistant records, the summary included."""
        return len(self.rows) - (self.boundary is not None)

    @cached_property
    def summary(self) -> int | None:
        """The row of the summary."""
        at = self._kinds.find(Kind.SUMMARY)
        return None if at < 0 else self.rows[at]

    @cached_property
    def prompts(self) -> int:
        """What a person sent: prompts, words beside a result, prompts queued while the client worked."""
        index = self.index
        sent = self._kinds.count(Kind.PROMPT) + len(index.typed.intersection(self.rows))
        if Kind.QUEUED_PROMPT not in index.kind:
            return sent
        return sent + _each(index.kind, self.path).count(Kind.QUEUED_PROMPT)

    @cached_property
    def tool_calls(self) -> int:
        """The calls of tools."""
        index = self.index
        calling = [row for row in self.rows if index.flags[row] & CALL]
        return len(calling) + sum(len(index.more_calls.get(row, "x")) - 1 for row in calling)

    @cached_property
    def requests(self) -> tuple[int, ...]:
        """The requests of its replies, each once, in their order."""
        return tuple(requests_of(self.index, self.rows))

    @cached_property
    def usage(self) -> Usage:
        """The sum over its requests."""
        return sum_requests(self.index.requests, self.requests)

    @cached_property
    def weights(self) -> list[int]:
        """What each of its requests weighed, in tokens, oldest first."""
        table = self.index.requests
        fresh, created, read = table.fresh, table.created, table.read
        return [fresh[number] + created[number] + read[number] for number in self.requests]

    @cached_property
    def context(self) -> Context:
        """What its requests weighed."""
        weights = [weight for weight in self.weights if weight]
        close = UNKNOWN
        if self.next_boundary is not None:
            close = exact(self.next_boundary.pre_tokens, Source.BOUNDARY)
        if close is UNKNOWN and weights:
            close = Number(weights[-1], Source.USAGE)
        if not weights:
            return Context(UNKNOWN, UNKNOWN, close)
        return Context(Number(weights[0], Source.USAGE), Number(max(weights), Source.USAGE), close)

    @property
    def first_line(self) -> int:
        """The number of its first line in the file, from 1."""
        return self.index.line[self._first]

    @property
    def last_line(self) -> int:
        """The number of its last line."""
        return self.index.line[self._last]

    @property
    def first_byte(self) -> int:
        """Where its first line starts in the file, from 0."""
        return self.index.offset[self._first]

    @property
    def last_byte(self) -> int:
        """Where its last line ends, its LF left out."""
        return self.index.offset[self._last] + self.index.length[self._last]

    @property
    def started(self) -> int:
        """The time of its oldest record in milliseconds, or NO_TIME."""
        return self._times[0]

    @property
    def ended(self) -> int:
        """The time of its newest record in milliseconds, or NO_TIME."""
        return self._times[1]

    @cached_property
    def _kinds(self) -> bytes:
        return _each(self.index.kind, self.rows)

    @cached_property
    def _first(self) -> int:
        return min(self.rows or self.path)

    @cached_property
    def _last(self) -> int:
        return max(self.rows or self.path)

    @cached_property
    def _times(self) -> tuple[int, int]:
        time = self.index.time
        known = [time[row] for row in self.rows or self.path if time[row] != NO_TIME]
        return min(known, default=NO_TIME), max(known, default=NO_TIME)


def _each(kinds: bytearray, rows: Iterable[int]) -> bytes:
    return bytes(map(kinds.__getitem__, rows))


class Segments:
    """The segments of a chain. `update(first)` makes those from stretch `first` on anew."""

    def __init__(self, chain: Chain) -> None:
        self.chain = chain
        self.all: list[Segment] = []
        self.update(0)

    def update(self, first: int) -> None:
        """Follow the chain after it has changed from a stretch on."""
        stretches = self.chain.stretches
        # The close of the one before may have changed.
        first = max(0, min(first, len(self.all)) - 1)
        del self.all[first:]
        for number in range(first, len(stretches)):
            following = stretches[number + 1] if number + 1 < len(stretches) else None
            self.all.append(self._segment(number, stretches[number], following))

    def _segment(self, number: int, stretch: Stretch, following: Stretch | None) -> Segment:
        after = following.boundary if following is not None else None
        return Segment(
            index=self.chain.index,
            number=number + 1,
            rows=stretch.rows,
            path=self.chain.path[stretch.start : stretch.stop],
            boundary=self._boundary(stretch.boundary) if stretch.boundary is not None else None,
            carried_over=self._carried_over(stretch),
            next_boundary=self.chain.links.boundary(after).facts if after is not None else None,
        )

    def _boundary(self, row: int) -> Boundary:
        index, links = self.chain.index, self.chain.links
        found = links.boundary(row)
        kept = found.facts.kept or tuple(
            uuid for kept_row in links.kept_rows(row) if (uuid := index.uuids[kept_row])
        )
        return Boundary(
            row=row,
            uuid=index.uuids[row] or "",
            time=index.time_of(row),
            kind=self._kind(row, found.facts),
            facts=found.facts,
            logical_parent=found.logical_parent,
            resolved_by=links.resolved.get(row, ResolvedBy.NONE),
            preserved=kept,
        )

    def _kind(self, row: int, facts: CompactFacts) -> CompactionKind:
        """Full, unless the summary names a direction, or what was kept is sent before the summary."""
        index = self.chain.index
        summary = self.chain.links.summary_of(row)
        direction = index.directions.get(summary) if summary is not None else None
        if direction is not None:
            return (
                CompactionKind.PARTIAL_UP_TO if "up" in direction else CompactionKind.PARTIAL_FROM
            )
        if facts.kept and facts.anchor == index.uuids[row]:
            return CompactionKind.PARTIAL_FROM
        return CompactionKind.FULL

    def _carried_over(self, stretch: Stretch) -> tuple[int, ...]:
        if stretch.boundary is None:
            return ()
        kept = self.chain.links.kept_rows(stretch.boundary)
        named = frozenset(self.chain.links.boundary(stretch.boundary).facts.kept)
        uuids, on_line = self.chain.index.uuids, self.chain.on_line
        return tuple(row for row in kept if on_line[row] and (not named or uuids[row] in named))


def context_now(segments: Sequence[Segment]) -> Number:
    """What the session weighs now: its last request, or what a newer boundary says is left."""
    if not segments:
        return UNKNOWN
    last = segments[-1]
    if last.context.peak is not UNKNOWN:
        return last.context.close
    return exact(last.boundary.facts.post_tokens, Source.BOUNDARY) if last.boundary else UNKNOWN
