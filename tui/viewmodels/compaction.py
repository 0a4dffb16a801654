"""A compaction in figures: its top line, its facts, and the table of what was sent before and after."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ccbrowse.core.compaction import CallBasis, Compaction, Side
from ccbrowse.core.compaction.report import TWO_AFTERS
from ccbrowse.core.numbers import UNKNOWN, Number, Source, exact
from ccbrowse.core.segments import Boundary, Segment
from ccbrowse.core.text import SafeText, display_text, one_line
from ccbrowse.tui.viewmodels import figures
from ccbrowse.tui.viewmodels.boundaries import trigger_words
from ccbrowse.tui.viewtypes import (
    NOTHING,
    DetailView,
    FactsBlock,
    Line,
    Piece,
    Tone,
    line,
)

VIEWS = (SafeText("Loss"), SafeText("Payload"), SafeText("Capture"))
"""The views of a compaction, in the order of their keys."""

TO = (SafeText(" → "), Tone.MUTED)

_BASES = {
    CallBasis.COST_STATE: SafeText("from the client's own totals"),
    CallBasis.SIDE_FILE: SafeText("from the file of the summarising call"),
    CallBasis.ESTIMATE: SafeText("it stands in no record"),
    CallBasis.UNKNOWN: SafeText("it stands in no record"),
}
_UNKNOWN_WORDS = {
    "system_prompt": SafeText("system prompt"),
    "tools": SafeText("tools"),
    "cache_control": SafeText("cache marks"),
    "context_reminder": SafeText("reminder with date and memory files"),
    "reminders": SafeText("reminders"),
    "attachment_wording": SafeText("words around attachments"),
    "notification_frame": SafeText("words around notifications"),
    "effort_marks": SafeText("effort marks"),
    "micro_compacted": SafeText("which results were emptied"),
    "images": SafeText("which images were left out"),
    "instruction": SafeText("instruction to summarise"),
    "history": SafeText("what came before"),
    "request_log": SafeText("damaged request log"),
}


def boundary_figures(boundary: Boundary) -> tuple[Number, Number]:
    """What the boundary says of the context before and after."""
    facts = boundary.facts
    return exact(facts.pre_tokens, Source.BOUNDARY), exact(facts.post_tokens, Source.BOUNDARY)


def headlines(boundary: Boundary, found: Compaction | None) -> list[Line]:
    """``98,214= → 22,040= boundary`` and ``→ 57,902= request``, as far as it is known."""
    before, after = boundary_figures(boundary)
    parts = line((figures.tokens(before), Tone.STRONG), TO, (figures.tokens(after), Tone.STRONG))
    lines = [(*parts, Piece(SafeText(" boundary"), Tone.MUTED))]
    if found is not None and found.after is not None:
        weight = (figures.tokens(found.after.api_input), Tone.STRONG)
        arrow = (SafeText("→ "), Tone.STRONG)
        lines.append(line(arrow, weight, (SafeText(" request"), Tone.MUTED)))
    return lines


def tabs(chosen: int, brief: bool = False) -> Line:
    """The names of the views with their keys, the chosen one in brackets; `brief` names that alone."""
    parts: list[Piece] = []
    for number, name in enumerate(VIEWS):
        here = number == chosen
        parts.append(Piece(SafeText("  " if parts else ""), Tone.MUTED))
        if brief and not here:
            parts.append(Piece(SafeText(f"{number + 1}"), Tone.MUTED))
            continue
        parts.append(Piece(SafeText(f"{number + 1} "), Tone.MUTED))
        words = SafeText(f"[{name}]") if here else name
        parts.append(Piece(words, Tone.TOOL if here else Tone.MUTED))
    return tuple(parts)


def view_named(words: str) -> int | None:
    """The view of a piece of `tabs`: its key, or its name; None for what stands between."""
    told = words.strip().strip("[]")
    known = (*(str(number) for number, _ in enumerate(VIEWS, 1)), *VIEWS)
    return known.index(told) % len(VIEWS) if told in known else None


def share(less: float | None) -> SafeText:
    """A reduction as it is read: ``−78 %``, ``+4 %`` where it grew, ``–`` where it is not known."""
    if less is None:
        return display_text(figures.NO_NUMBER)
    percent = 100 * less
    text = f"{abs(percent):.0f}" if abs(percent) >= 0.95 else f"{abs(percent):.1f}"
    return SafeText(f"−{text} %" if less >= 0 else f"+{text} %")


def spread(number: Number) -> SafeText:
    """How far an estimate may be off: ``±4 %``; nothing for what is exact or unknown."""
    if number.value is None or not number.error:
        return NOTHING
    return SafeText(f"±{round(100 * number.error)} %")


def unknown_words(words: Sequence[str]) -> SafeText:
    """What no record tells of a request, in words."""
    named: list[SafeText] = [_UNKNOWN_WORDS.get(word) or display_text(word) for word in words]
    return SafeText(", ".join(named))


# The facts beside the table of losses


def facts_view(opened: Segment, number: int, found: Compaction | None) -> DetailView:
    """The compaction itself: what set it off, what it kept and put back, what it cost."""
    boundary = opened.boundary
    assert boundary is not None
    facts = boundary.facts
    parts: list[SafeText] = [trigger_words(opened), figures.stamp(boundary.time)]
    if facts.duration_ms is not None:
        parts.append(figures.span(facts.duration_ms))
    known: list[tuple[SafeText, Line]] = [
        (SafeText("set off"), line(SafeText(" · ".join(part for part in parts if part))))
    ]
    if found is None:
        known.append((NOTHING, line((SafeText("reading …"), Tone.MUTED))))
    else:
        known += [*_left(found), *_costs(found)]
    return DetailView(
        f"facts:{number}", _facts_title(found, number), blocks=(FactsBlock(tuple(known)),)
    )


def _facts_title(found: Compaction | None, number: int) -> Line:
    words: SafeText = SafeText(f"compaction {number:,}")
    if found is None:
        return line((words, Tone.STRONG))
    closes = f"closes segment {found.closes:,}" if found.closes else "the file starts here"
    rest = SafeText(f" · {SafeText(closes)}, opens {found.opens:,}")
    return line((words, Tone.STRONG), (rest, Tone.MUTED))


def _left(found: Compaction) -> Iterator[tuple[SafeText, Line]]:
    """What stands after the boundary beside the summary, and what was asked for."""
    if found.instructions:
        words = one_line(found.instructions, 400)
        yield SafeText("asked for"), line((SafeText(f"“{words}”"), Tone.PERSON))
    kept = len(found.carried_over)
    words = figures.counted(kept, "message") if kept else SafeText("nothing")
    yield SafeText("kept"), line((words, Tone.GOOD if kept else Tone.MUTED))
    parts: list[Piece] = []
    for each in found.put_back:
        rest = (
            SafeText("its name alone") if each.is_reference else figures.short_tokens(each.tokens)
        )
        parts += [Piece(SafeText(" · "), Tone.MUTED)] if parts else []
        parts.append(Piece(one_line(each.label, 200), Tone.TOOL))
        parts.append(Piece(SafeText(f" {rest}"), Tone.MUTED))
    yield SafeText("put back"), tuple(parts) or line((SafeText("nothing"), Tone.MUTED))
    if found.micro_compacted:
        certain = sum(each.certain for each in found.micro_compacted)
        maybe = len(found.micro_compacted) - certain
        said = [figures.counted(certain, "result")] if certain else []
        said += [SafeText(f"{figures.counted(maybe, 'result')} maybe")] if maybe else []
        yield SafeText("emptied"), line(SafeText(", ".join(said)))


def _costs(found: Compaction) -> Iterator[tuple[SafeText, Line]]:
    call = found.call
    yield (
        SafeText("the call"),
        line(
            (figures.tokens(call.tokens), Tone.STRONG),
            (SafeText(f" {spread(call.tokens)}".rstrip()), Tone.MUTED),
            (SafeText(f" {_BASES[call.basis]}"), Tone.MUTED),
        ),
    )
    if found.summary is not None:
        tokens = figures.tokens(found.summary.tokens)
        rest = SafeText(f" {spread(found.summary.tokens)}".rstrip())
        yield SafeText("summary"), line((tokens, Tone.STRONG), (rest, Tone.MUTED))
    else:
        yield SafeText("summary"), line((SafeText("none in the file"), Tone.WARN))
    file = found.file
    before = SafeText(f"{figures.counted(file.lines, 'line')}, {figures.byte_size(file.bytes)}")
    added = SafeText(f"+{figures.counted(file.added_lines, 'line')}")
    size = SafeText(f"{added}, {figures.byte_size(file.added_bytes)}")
    yield SafeText("file"), line(before, (SafeText("  "), Tone.MUTED), (size, Tone.STRONG))


# The table of the two requests


def figures_table(found: Compaction, bar: int = 0) -> tuple[Line, ...]:
    """Messages, tokens, bytes before and after, and by how much each fell; what each figure counts.

    `bar` cells behind show which share of the figure before is left.
    """
    before, after, less = found.before, found.after, found.reduction
    told_before, told_after = map(figures.tokens, boundary_figures(found.boundary))
    error = spread(before.message_tokens) if before else NOTHING
    rows = [
        _row("messages", _count(before, "messages"), _count(after, "messages"), less.messages),
        _row(
            "tokens",
            figures.tokens(before.message_tokens if before else UNKNOWN),
            figures.tokens(after.message_tokens if after else UNKNOWN),
            less.message_tokens,
            SafeText(f"the messages alone {error}"),
        ),
        _row("bytes", _count(before, "bytes"), _count(after, "bytes"), less.bytes, _JSON),
        _row(
            "by the API",
            figures.tokens(before.api_input if before else UNKNOWN),
            figures.tokens(after.api_input if after else UNKNOWN),
            less.api_input,
            _API,
        ),
        _row("boundary", told_before, told_after, less.boundary_tokens, _BOUNDARY),
    ]
    shares = (less.messages, less.message_tokens, less.bytes, less.api_input, less.boundary_tokens)
    bars = [_bar(share, bar) for share in shares]
    return (_row_head(), *((*row, *bar) for row, bar in zip(rows, bars, strict=True)))


def _bar(less: float | None, cells: int) -> Line:
    """What is left of a figure, and what was dropped."""
    if less is None or cells <= 0:
        return ()
    left = min(cells, max(1, round(cells * (1 - less))))
    kept: SafeText = SafeText("▆" * left)
    dropped: SafeText = SafeText("▁" * (cells - left))
    return line(SafeText("  "), (kept, Tone.TOOL), (dropped, Tone.MUTED))


_JSON = SafeText("of their JSON")
_API = SafeText("with system prompt and tools")
_BOUNDARY = SafeText("after: summary, kept, put back")
_COLUMNS = (11, 12, 12, 8)
_ABOUT = 30

TABLE_CELLS = sum(_COLUMNS) + 2 + _ABOUT + 2
"""Cells of a row without its bar."""


def _row_head() -> Line:
    name, before, after, less = _COLUMNS
    words = f"{'':<{name}}{'before':>{before}}{'after':>{after}}{'less':>{less}}"
    return line((SafeText(words), Tone.MUTED))


def _row(
    name: str,
    before: SafeText,
    after: SafeText,
    less: float | None,
    about: SafeText = NOTHING,
) -> Line:
    head = _fixed(display_text(name), -_COLUMNS[0])
    return line(
        head,
        (_fixed(before, _COLUMNS[1]), Tone.STRONG),
        (_fixed(after, _COLUMNS[2]), Tone.STRONG),
        (_fixed(share(less), _COLUMNS[3]), Tone.GOOD if less and less > 0 else Tone.MUTED),
        (SafeText(f"  {about:<{_ABOUT}}"), Tone.MUTED),
    )


def _fixed(words: SafeText, cells: int) -> SafeText:
    """Figures in a column: to the right, or to the left where `cells` is below 0."""
    return SafeText(f"{words:>{cells}}" if cells > 0 else f"{words:<{-cells}}")


def _count(side: Side | None, name: str) -> SafeText:
    if side is None:
        return display_text(figures.NO_NUMBER)
    sign = "=" if side.source == "logged" else "≈"
    return SafeText(f"{side.messages if name == 'messages' else side.bytes:,}{sign}")


def notes_of(found: Compaction) -> tuple[Line, ...]:
    """Why there are two figures after, and what no record tells of the requests."""
    notes = [line((display_text(TWO_AFTERS), Tone.MUTED))]
    unknown = [*(found.before.unknown if found.before else ())]
    unknown += [
        word for word in (found.after.unknown if found.after else ()) if word not in unknown
    ]
    if unknown:
        head = (SafeText("in no record: "), Tone.WARN)
        notes.append(line(head, (unknown_words(unknown), Tone.MUTED)))
    return tuple(notes)
