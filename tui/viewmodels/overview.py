"""A session as a whole: its rail of segments, its context curve, its top line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ccbrowse.core.chain import Branch, BranchKind
from ccbrowse.core.findings import Finding, Severity
from ccbrowse.core.index import NO_TIME, SessionIndex
from ccbrowse.core.numbers import Number, Source, exact
from ccbrowse.core.segments import Segment
from ccbrowse.core.session import Session
from ccbrowse.core.text import SafeText, display_text, one_line
from ccbrowse.core.windows import Window, WindowSource
from ccbrowse.tui.viewmodels import figures
from ccbrowse.tui.viewmodels.boundaries import instructions, trigger_words
from ccbrowse.tui.viewrails import FillSegment, FillView, RailView, SegmentView
from ccbrowse.tui.viewtypes import NOTHING, Line, Tone, line

CURVE_POINTS = 48
"""Values of a segment's curve on the rail: more than its cells, so that it may grow wider."""

FILL_POINTS = 400
"""Values of a segment in the context curve: more than a screen has columns."""

_FEWEST_POINTS = 120


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


@dataclass(frozen=True, slots=True)
class _Sum:
    """What was made of one segment; `rows` is the very list that it was made of."""

    rows: Sequence[int]
    closed: bool
    weights: tuple[int, ...]
    size: Line
    notes: tuple[Line, ...]
    label: SafeText


class Sums:
    """Makes overviews of one session; segments that stand as they are cost nothing again."""

    def __init__(self) -> None:
        self._made: list[_Sum] = []

    def overview(
        self,
        session: Session,
        findings: Sequence[Finding],
        agents: Mapping[int, int],
        feet: tuple[Line, ...] = (),
    ) -> Overview:
        """Sum the session up. `agents` counts subagents by segment number, `feet` stand under the rail."""
        segments = list(session.segments)
        self._made = [self._sum(session, segments, number) for number in range(len(segments))]
        window = session.window
        turns = figures.counted(session.prompts, "turn")
        lines = figures.counted(session.lines, "line")
        return Overview(
            session_id=session.session_id,
            title=title_words(session),
            project=one_line(session.project, 60),
            rail=self._rail(session, segments, findings, agents, window, feet),
            fill=self._fill(segments, window),
            context=context_facts(session.context_now, window),
            segments=len(segments),
            caption=SafeText(f"{turns} · {lines}"),
            branches=session.chain.branches,
            updated=session.index.facts.updated,
            resume=_resume(session),
        )

    def _sum(self, session: Session, segments: Sequence[Segment], number: int) -> _Sum:
        segment = segments[number]
        following = segments[number + 1] if number + 1 < len(segments) else None
        known = self._made[number] if number < len(self._made) else None
        steady = number + 2 < len(segments)  # words of a manual compaction may follow the last one
        if steady and known is not None and known.rows is segment.rows and known.closed:
            return known
        word = trigger_words(following) if following is not None else SafeText("now")
        return _Sum(
            segment.rows,
            following is not None,
            _weights(session.index, segment, FILL_POINTS),
            _size(session, segment, following),
            _segment_notes(session, segment, following),
            SafeText(f"{segment.number} {word}"),
        )

    def _rail(
        self,
        session: Session,
        segments: Sequence[Segment],
        findings: Sequence[Finding],
        agents: Mapping[int, int],
        window: Window,
        feet: tuple[Line, ...],
    ) -> RailView:
        troubled = _by_segment(segments, findings)
        views: list[SegmentView] = []
        for segment, made in zip(segments, self._made, strict=True):
            notes = made.notes
            if count := agents.get(segment.number, 0):
                notes = (*notes, line(figures.counted(count, "subagent")))
            views.append(
                SegmentView(
                    segment.number,
                    _fewer(made.weights, CURVE_POINTS),
                    made.size,
                    notes,
                    _said_of(troubled.get(segment.number, [])),
                    is_open=not made.closed,
                )
            )
        largest = max((max(made.weights, default=0) for made in self._made), default=0)
        footer = (*_rail_footer(session), *feet)
        return RailView(tuple(views), window.value or largest, footer)

    def _fill(self, segments: Sequence[Segment], window: Window) -> FillView:
        total = sum(len(made.weights) for made in self._made)
        times = -(-_FEWEST_POINTS // total) if total else 1
        parts = [
            FillSegment(
                segment.number,
                tuple(weight for weight in made.weights for _ in range(times)),
                made.label,
                is_open=not made.closed,
            )
            for segment, made in zip(segments, self._made, strict=True)
        ]
        peak = max((max(made.weights, default=0) for made in self._made), default=0)
        return FillView(tuple(parts), window.value, _axis(window.value, peak))


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
    session: Session, segment: Segment, following: Segment | None
) -> tuple[Line, ...]:
    parts = [trigger_words(following)] if following is not None else []
    parts.append(figures.counted(segment.prompts, "turn"))
    if segment.started != NO_TIME and segment.ended > segment.started:
        parts.append(figures.short_span(segment.ended - segment.started))
    first: list[SafeText] = [part for part in parts if part]
    notes = [line(SafeText(" · ".join(first)))]
    if following is not None and (words := instructions(session, following)):
        notes.append(line(SafeText(f"“{words}”")))
    return tuple(notes)


def _rail_footer(session: Session) -> tuple[Line, ...]:
    """The arms that rewinds left; edited prompts say it themselves."""
    branches = [arm for arm in session.chain.branches if arm.kind is BranchKind.REWIND]
    if not branches:
        return ()
    messages = figures.counted(sum(branch.messages for branch in branches), "message")
    count = figures.counted(len(branches), "branch", "branches")
    return (line((SafeText("├ "), Tone.PERSON), count, (SafeText(f" · {messages}"), Tone.MUTED)),)


def _by_segment(
    segments: Sequence[Segment], findings: Sequence[Finding]
) -> dict[int, list[Finding]]:
    """Findings above notes by the segment in which their line stands."""
    starts = [segment.first_line for segment in segments]
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
    return _fewer([index.requests.context(number) for number in segment.requests], most)


def _fewer(weights: Sequence[int], most: int) -> tuple[int, ...]:
    """At most so many values, peaks kept."""
    count = len(weights)
    if count <= most:
        return tuple(weights)
    edges = [count * i // most for i in range(most + 1)]
    return tuple(max(weights[a:b]) for a, b in pairwise(edges))


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


def _resume(session: Session) -> tuple[str, str | None] | None:
    if session.agent_id is not None:
        return None
    return session.session_id, session.cwd
