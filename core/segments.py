"""The main line to segments: what stands between two boundaries, and what each boundary says."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ccbrowse.core.chain import Chain, ResolvedBy, Stretch
from ccbrowse.core.index import CALL, NO_TIME, TYPED, SessionIndex
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


@dataclass(frozen=True, slots=True)
class Boundary:
    """A compaction boundary on the main line; tokens and milliseconds as the client counted them."""

    row: int
    uuid: str
    time: int
    kind: CompactionKind
    facts: CompactFacts
    logical_parent: str | None
    resolved_by: ResolvedBy
    preserved: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Context:
    """What requests of a segment weighed, in tokens: the first real one, the largest, at the close."""

    open: Number
    peak: Number
    close: Number


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of the main line between two boundaries; the boundary and its summary open it.

    `rows` are chain rows in reading order; `carried_over` the rows, of earlier segments, that the
    boundary kept. Lines count from 1, bytes from 0; `last_byte` is the end of the last line, its LF
    left out. Times are milliseconds, or NO_TIME. `prompts` counts what a person sent.
    """

    number: int
    rows: Sequence[int]
    boundary: Boundary | None
    summary: int | None
    carried_over: tuple[int, ...]
    first_line: int
    last_line: int
    first_byte: int
    last_byte: int
    started: int
    ended: int
    prompts: int
    messages: int
    tool_calls: int
    requests: tuple[int, ...]
    usage: Usage
    context: Context


class Segments:
    """The segments of a chain. `update(first)` makes those from stretch `first` on anew."""

    def __init__(self, chain: Chain) -> None:
        self.chain = chain
        self.all: list[Segment] = []
        self.update(0)

    def update(self, first: int) -> None:
        """Follow the chain after it has changed from a stretch on."""
        stretches = self.chain.stretches
        first = max(
            0, min(first, len(self.all)) - 1
        )  # the close of the one before may have changed
        del self.all[first:]
        for number in range(first, len(stretches)):
            following = stretches[number + 1] if number + 1 < len(stretches) else None
            self.all.append(self._segment(number, stretches[number], following))

    def _segment(self, number: int, stretch: Stretch, following: Stretch | None) -> Segment:
        index, rows = self.chain.index, stretch.rows
        boundary = self._boundary(stretch.boundary) if stretch.boundary is not None else None
        requests = requests_of(index, rows)
        spans = rows or self.chain.path[stretch.start : stretch.stop]
        times = [index.time[row] for row in spans if index.time[row] != NO_TIME]
        first, last = min(spans), max(spans)
        return Segment(
            number=number + 1,
            rows=rows,
            boundary=boundary,
            summary=self._summary(stretch),
            carried_over=self._carried_over(stretch),
            first_line=index.line[first],
            last_line=index.line[last],
            first_byte=index.offset[first],
            last_byte=index.offset[last] + index.length[last],
            started=min(times, default=NO_TIME),
            ended=max(times, default=NO_TIME),
            prompts=count_prompts(index, self.chain.path[stretch.start : stretch.stop], rows),
            messages=len(rows) - (stretch.boundary is not None),
            tool_calls=count_calls(index, rows),
            requests=tuple(requests),
            usage=sum_requests(index.requests, requests),
            context=self._context(requests, following),
        )

    def _summary(self, stretch: Stretch) -> int | None:
        return next((r for r in stretch.rows if self.chain.index.kind[r] == Kind.SUMMARY), None)

    def _boundary(self, row: int) -> Boundary:
        index, links = self.chain.index, self.chain.links
        found = links.boundary(row)
        kept = found.facts.kept or tuple(
            uuid for kept_row in links.kept_rows(row) if (uuid := index.uuids[kept_row])
        )
        return Boundary(
            row=row,
            uuid=index.uuids[row] or "",
            time=index.time[row],
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
        named = self.chain.links.boundary(stretch.boundary).facts.kept
        rows = self.chain.index.rows
        literal = {rows[uuid] for uuid in named if uuid in rows} if named else set(kept)
        return tuple(row for row in kept if row in literal and self.chain.on_line[row])

    def _context(self, requests: list[int], following: Stretch | None) -> Context:
        table = self.chain.index.requests
        weights = [weight for number in requests if (weight := table.context(number))]
        close = UNKNOWN
        if following is not None and following.boundary is not None:
            facts = self.chain.links.boundary(following.boundary).facts
            close = exact(facts.pre_tokens, Source.BOUNDARY)
        if close is UNKNOWN and weights:
            close = Number(weights[-1], Source.USAGE)
        if not weights:
            return Context(UNKNOWN, UNKNOWN, close)
        return Context(Number(weights[0], Source.USAGE), Number(max(weights), Source.USAGE), close)


def count_prompts(index: SessionIndex, path: Iterable[int], rows: Iterable[int]) -> int:
    """What a person sent: prompts, words beside a result, and prompts queued while the client worked."""
    kind, flags = index.kind, index.flags
    sent = [kind[row] for row in rows if kind[row] == Kind.PROMPT or flags[row] & TYPED]
    return len(sent) + [kind[row] for row in path].count(Kind.QUEUED_PROMPT)


def count_calls(index: SessionIndex, rows: Iterable[int]) -> int:
    """The tool calls in rows."""
    flags, more = index.flags, index.more_calls
    calling = [row for row in rows if flags[row] & CALL]
    if not more:
        return len(calling)
    return sum(len(more[row]) if row in more else 1 for row in calling)


def context_now(segments: Sequence[Segment]) -> Number:
    """What the session weighs now: its last request, or what a newer boundary says is left."""
    if not segments:
        return UNKNOWN
    last = segments[-1]
    if last.context.peak is not UNKNOWN:
        return last.context.close
    return exact(last.boundary.facts.post_tokens, Source.BOUNDARY) if last.boundary else UNKNOWN
