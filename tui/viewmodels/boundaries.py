"""The compactions of a session as rows: their numbers, and what is said beneath."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from ccbrowse.core.numbers import Number, Source, exact
from ccbrowse.core.records import Kind, blocks, command_of
from ccbrowse.core.segments import CompactionKind, Segment
from ccbrowse.core.session import Session
from ccbrowse.core.text import SafeText, one_line
from ccbrowse.tui.viewmodels import figures
from ccbrowse.tui.viewmodels.words import plain_text
from ccbrowse.tui.viewtypes import NOTHING, BoundaryRow, Line, Piece, Tone, line

_LOOK_FOR_COMMAND = 8
_KINDS = {
    CompactionKind.FULL: "",
    CompactionKind.PARTIAL_FROM: " from here",
    CompactionKind.PARTIAL_UP_TO: " up to here",
}


def boundary_rows(
    session: Session, known: Mapping[int, BoundaryRow] = MappingProxyType({})
) -> dict[int, BoundaryRow]:
    """The boundaries of the main line by row, without keys and marks.

    Those `known` are taken as they are, but the newest ones: requests and words may follow them.
    """
    found: dict[int, BoundaryRow] = {}
    segments = session.segments
    for number, segment in enumerate(segments):
        boundary = segment.boundary
        if boundary is None:
            continue
        made = known.get(boundary.row) if number < len(segments) - 2 else None
        if made is None:
            made = _boundary(session, segment, len(found) + 1, number == 0)
        found[boundary.row] = made
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
    kept = len(segment.carried_over)
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
