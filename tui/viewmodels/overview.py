"""A session as a whole: its rail of segments, its boundaries, its context curve, its top line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ccbrowse.core.chain import Branch
from ccbrowse.core.findings import Finding, Severity
from ccbrowse.core.index import NO_TIME, SessionIndex
from ccbrowse.core.numbers import Number, Source, exact
from ccbrowse.core.records import Kind, blocks, command_of
from ccbrowse.core.segments import CompactionKind, Segment
from ccbrowse.core.session import Session
from ccbrowse.core.text import SafeText, display_text, one_line
from ccbrowse.core.windows import Window, WindowSource
from ccbrowse.tui.viewmodels import figures
from ccbrowse.tui.viewmodels.entries import plain_text
from ccbrowse.tui.viewtypes import (
    NOTHING,
    BoundaryRow,
    FillSegment,
    FillView,
    Line,
    Piece,
    RailView,
    SegmentView,
    Tone,
    line,
)

CURVE_POINTS = 48
"""Values of a segment's curve on the rail: more than its cells, so that it may grow wider."""

FILL_POINTS = 400
"""Values of a segment in the context curve: more than a screen has columns."""

_FEWEST_POINTS = 120
_LOOK_FOR_COMMAND = 8
_KINDS = {
    CompactionKind.FULL: "",
    CompactionKind.PARTIAL_FROM: " from here",
    CompactionKind.PARTIAL_UP_TO: " up to here",
}


def boundary_rows(session: Session) -> dict[int, BoundaryRow]:
    """The boundaries of the main line by row, without keys and marks."""
    found: dict[int, BoundaryRow] = {}
    segments = session.segments
    for number, segment in enumerate(segments):
        boundary = segment.boundary
        if boundary is not None:
            row = _boundary(session, segment, len(found) + 1, number == 0)
            found[boundary.row] = row
    return found


def _boundary(session: Session, segment: Segment, number: int, first: bool) -> BoundaryRow:
    assert segment.boundary is not None
    facts = segment.boundary.facts
    return BoundaryRow(
        key="",
        title=SafeText(f"compact {number}"),
        trigger=trigger_words(segment),
        before=_if_known(exact(facts.pre_tokens, Source.BOUNDARY)),
        after=_if_known(exact(facts.post_tokens, Source.BOUNDARY)),
        reduction=figures.reduction(facts.pre_tokens, facts.post_tokens),
        duration=NOTHING if facts.duration_ms is None else figures.span(facts.duration_ms),
        notes=_boundary_notes(session, segment, first),
    )


def _if_known(number: Number) -> SafeText:
    return NOTHING if number.value is None else figures.tokens(number)


def trigger_words(segment: Segment) -> SafeText:
    """What set a compaction off: ``auto``, ``manual``, ``manual from here``."""
    if segment.boundary is None:
        return NOTHING
    trigger = one_line(segment.boundary.facts.trigger or "unknown", 20)
    kind = SafeText(_KINDS[segment.boundary.kind])
    return SafeText(f"{trigger}{kind}")


def _boundary_notes(session: Session, segment: Segment, first: bool) -> tuple[Line, ...]:
    notes: list[Line] = []
    assert segment.boundary is not None
    if first:
        notes.append(line(SafeText("the file starts here: what came before is not in it")))
    if words := instructions(session, segment):
        notes.append(line(SafeText(f"“{words}”")))
    context = segment.context.open
    if context.value is not None:
        weight = (figures.tokens(context), Tone.STRONG)
        rest = SafeText(" (system prompt and tools in it)")
        notes.append(line(SafeText("the next request weighed "), weight, rest))
    kept = len(segment.boundary.preserved)
    parts: list[Piece] = []
    if segment.summary is None:
        parts.append(Piece(SafeText("no summary"), Tone.WARN))
    if kept:
        parts.append(Piece(SafeText(f"kept {figures.counted(kept, 'message')}"), Tone.GOOD))
    else:
        parts.append(Piece(SafeText("kept nothing")))
    if summarized := segment.boundary.facts.messages_summarized:
        parts.append(Piece(SafeText(f"{figures.counted(summarized, 'message')} summarised")))
    notes.append(_dotted(parts))
    return tuple(notes)


def _dotted(parts: Sequence[Piece]) -> Line:
    """Pieces with a dot between."""
    joined: list[Piece] = []
    for part in parts:
        joined += [Piece(SafeText(" · ")), part] if joined else [part]
    return tuple(joined)


def instructions(session: Session, segment: Segment) -> SafeText:
    """What the person asked a manual compaction for: the words behind ``/compact``."""
    index = session.index
    commands = [r for r in segment.rows[:_LOOK_FOR_COMMAND] if index.kind[r] == Kind.COMMAND]
    for row in commands:
        command = command_of(plain_text(blocks(session.record(row))))
        if command is not None and command[0].lstrip("/") == "compact" and command[1]:
            return one_line(command[1], 200)
    return NOTHING


def rail(session: Session, findings: Sequence[Finding], agents: Mapping[int, int]) -> RailView:
    """The rail of a session. `agents` counts subagents by segment number."""
    segments = session.segments
    views: list[SegmentView] = []
    troubled = _by_segment(session, findings)
    largest = 0
    for number, segment in enumerate(segments):
        following = segments[number + 1] if number + 1 < len(segments) else None
        curve = _weights(session.index, segment, CURVE_POINTS)
        largest = max(largest, *curve, 0)
        views.append(
            SegmentView(
                segment.number,
                curve,
                _size(session, segment, following),
                _segment_notes(session, segment, following, agents.get(segment.number, 0)),
                _said_of(troubled.get(segment.number, [])),
                is_open=following is None,
            )
        )
    window = session.window.value
    return RailView(tuple(views), window or largest, _rail_footer(session))


def _size(session: Session, segment: Segment, following: Segment | None) -> Line:
    close = segment.context.close
    if following is None:
        now = session.context_now
        return line((_tenths(now), Tone.STRONG), (SafeText(" now"), Tone.MUTED))
    facts = following.boundary.facts if following.boundary else None
    after = exact(facts.post_tokens if facts else None, Source.BOUNDARY)
    if after.value is None:
        return line((_tenths(close), Tone.STRONG))
    return line((_tenths(close), Tone.STRONG), (SafeText(" → "), Tone.MUTED), _tenths(after))


def _tenths(number: Number) -> SafeText:
    return display_text(figures.NO_NUMBER) if number.value is None else figures.tenths(number.value)


def _segment_notes(
    session: Session, segment: Segment, following: Segment | None, agents: int
) -> tuple[Line, ...]:
    parts = [trigger_words(following)] if following is not None else []
    parts.append(figures.counted(segment.prompts, "turn"))
    if segment.started != NO_TIME and segment.ended > segment.started:
        parts.append(figures.short_span(segment.ended - segment.started))
    first: list[SafeText] = [part for part in parts if part]
    notes = [line(SafeText(" · ".join(first)))]
    if agents:
        notes.append(line(figures.counted(agents, "subagent")))
    if following is not None and (words := instructions(session, following)):
        notes.append(line(SafeText(f"“{words}”")))
    return tuple(notes)


def _rail_footer(session: Session) -> tuple[Line, ...]:
    branches = session.chain.branches
    if not branches:
        return ()
    messages = figures.counted(sum(branch.messages for branch in branches), "message")
    count = figures.counted(len(branches), "branch", "branches")
    return (line((SafeText("├ "), Tone.PERSON), count, (SafeText(f" · {messages}"), Tone.MUTED)),)


def _by_segment(session: Session, findings: Sequence[Finding]) -> dict[int, list[Finding]]:
    """Findings above notes by the segment in which their line stands."""
    starts = [segment.first_line for segment in session.segments]
    found: dict[int, list[Finding]] = {}
    for finding in findings:
        if finding.severity is Severity.NOTE or not starts:
            continue
        number = max(1, sum(start <= (finding.line or 1) for start in starts))
        found.setdefault(number, []).append(finding)
    return found


def _said_of(findings: Sequence[Finding]) -> SafeText:
    if not findings:
        return NOTHING
    if len(findings) == 1:
        return one_line(findings[0].message, 120)
    return SafeText(f"{len(findings)} findings, i lists them")


def _weights(index: SessionIndex, segment: Segment, most: int) -> tuple[int, ...]:
    """What a segment's requests weighed, at most so many values, peaks kept."""
    weights = [index.requests.context(number) for number in segment.requests]
    count = len(weights)
    if count <= most:
        return tuple(weights)
    edges = [count * i // most for i in range(most + 1)]
    return tuple(max(weights[a:b]) for a, b in pairwise(edges))


def fill(session: Session) -> FillView:
    """The context curve of a session."""
    segments = session.segments
    parts: list[FillSegment] = []
    total = sum(len(segment.requests) for segment in segments)
    times = -(-_FEWEST_POINTS // total) if total else 1
    for number, segment in enumerate(segments):
        is_open = number + 1 == len(segments)
        word = SafeText("now") if is_open else trigger_words(segments[number + 1])
        weights = _weights(session.index, segment, FILL_POINTS)
        values = tuple(weight for weight in weights for _ in range(times))
        parts.append(
            FillSegment(segment.number, values, SafeText(f"{segment.number} {word}"), is_open)
        )
    peak = max((max(part.values, default=0) for part in parts), default=0)
    window = session.window.value
    return FillView(tuple(parts), window, _axis(window, peak))


def _axis(window: int | None, peak: int) -> tuple[tuple[int, SafeText], ...]:
    top = window or peak
    if not top:
        return ()
    return tuple((value, figures.short(value)) for value in (top, top // 2, top // 4) if value)


def context_facts(context: Number, window: Window) -> Line:
    """``context 151,004= of 200k``, and where the window's size comes from."""
    weight = (figures.tokens(context), Tone.STRONG)
    if context.value is None:
        return line(SafeText("context "), weight, (SafeText(" not known"), Tone.MUTED))
    if window.value is None:
        return line(SafeText("context "), weight, (SafeText(" of a window not known"), Tone.MUTED))
    share = round(100 * context.value / window.value)
    room = SafeText(f" of {figures.window_size(window.value)} · {share} %")
    return line(SafeText("context "), weight, room, (_WINDOWS[window.source], Tone.MUTED))


_WINDOWS = {
    WindowSource.SETTING: SafeText(" (as set)"),
    WindowSource.SEEN: SafeText(" (as used)"),
    WindowSource.TABLE: SafeText(" (by model)"),
    WindowSource.UNKNOWN: NOTHING,
}


def title_words(session: Session) -> SafeText:
    """A session's title on one line; a word of ours where it has none."""
    return one_line(session.title.text, 200) or SafeText("(no title)")


def models(session: Session) -> SafeText:
    """The model that replied last."""
    return display_text(session.models[-1]) if session.models else NOTHING


@dataclass(frozen=True, slots=True)
class Overview:
    """A session as a whole, as it stood when it was looked at."""

    session_id: str
    title: SafeText
    project: SafeText
    rail: RailView
    fill: FillView
    context: Line
    """For the top line: what the session weighs, of which window."""
    segments: int
    caption: SafeText
    """``212 turns · 5,391 lines``"""
    branches: tuple[Branch, ...]
    updated: int
    """Time of the newest record in milliseconds, or NO_TIME."""
    resume: tuple[str, str | None] | None
    """The id to resume, and the folder to do it in (raw); None for a subagent."""


def overview_of(
    session: Session, findings: Sequence[Finding], agents: Mapping[int, int]
) -> Overview:
    """Sum a session up. `agents` counts subagents by segment number."""
    turns, lines = figures.counted(session.prompts, "turn"), figures.counted(session.lines, "line")
    return Overview(
        session_id=session.session_id,
        title=title_words(session),
        project=one_line(session.project, 60),
        rail=rail(session, findings, agents),
        fill=fill(session),
        context=context_facts(session.context_now, session.window),
        segments=len(session.segments),
        caption=SafeText(f"{turns} · {lines}"),
        branches=session.chain.branches,
        updated=session.index.facts.updated,
        resume=_resume(session),
    )


def _resume(session: Session) -> tuple[str, str | None] | None:
    if session.agent_id is not None:
        return None
    return session.session_id, session.cwd
