"""How a row of the timeline is laid out: from an entry, a boundary or a divider to lines.

Pure: the same row, width and signs give the same lines. The columns are mark, cursor, time, sign,
label, words; they shrink with the width. The cursor's column is left blank here.
"""

from __future__ import annotations

from dataclasses import dataclass

from ccbrowse.core.text import SafeText, cell_width, clip
from ccbrowse.tui.paint import blank, cut_line, slice_line, toned, width_of, wrap, wrap_line
from ccbrowse.tui.signs import Signs
from ccbrowse.tui.viewtypes import (
    NOTHING,
    BoundaryRow,
    Divider,
    Entry,
    ForkRow,
    Line,
    Outcome,
    Piece,
    Role,
    Row,
    Tone,
)

GUTTER = 2
"""Cells before every row: the reader's mark, then the cursor."""

_WIDE, _MIDDLE = 56, 40
_NO_TIME = 48


@dataclass(frozen=True, slots=True)
class _Look:
    """How a role is drawn: the name of its sign in `Signs`, tones of sign, label and words."""

    sign: str
    tone: Tone
    label: Tone
    words: Tone = Tone.PLAIN


_LOOKS = {
    Role.PERSON: _Look("person", Tone.PERSON, Tone.PERSON, Tone.STRONG),
    Role.QUEUED: _Look("person", Tone.MUTED, Tone.PERSON, Tone.STRONG),
    Role.REPLY: _Look("reply", Tone.MUTED, Tone.PLAIN),
    Role.THINKING: _Look("thinking", Tone.MUTED, Tone.MUTED, Tone.MUTED),
    Role.TOOL: _Look("tool", Tone.TOOL, Tone.TOOL),
    Role.RESULT: _Look("tool", Tone.MUTED, Tone.MUTED),
    Role.SUBAGENT: _Look("subagent", Tone.PERSON, Tone.PERSON),
    Role.SUMMARY: _Look("summary", Tone.PERSON, Tone.PERSON),
    Role.BRANCH: _Look("branch", Tone.PERSON, Tone.PERSON, Tone.MUTED),
    Role.COMMAND: _Look("command", Tone.MUTED, Tone.MUTED),
    Role.NOTE: _Look("note", Tone.MUTED, Tone.MUTED, Tone.MUTED),
    Role.FINDING: _Look("finding", Tone.WARN, Tone.WARN),
    Role.ERROR: _Look("failed", Tone.BAD, Tone.BAD),
}
_OUTCOMES = {
    Outcome.OK: ("ok", Tone.GOOD),
    Outcome.FAILED: ("failed", Tone.BAD),
    Outcome.RUNNING: ("running", Tone.TOOL),
}


def lay_out(row: Row, width: int, signs: Signs) -> list[Line]:
    """Lay a row out in lines of at most `width` cells, the gutter included; at least one."""
    if isinstance(row, Entry):
        lines = _entry(row, width, signs)
    elif isinstance(row, BoundaryRow):
        lines = _boundary(row, width, signs)
    elif isinstance(row, ForkRow):
        lines = _fork(row, width, signs)
    else:
        lines = [_divider(row, width, signs)]
    mark: SafeText = NOTHING if isinstance(row, Divider) else clip(row.mark, 1)
    first = Piece(SafeText(f"{mark}{blank(GUTTER - cell_width(mark))}"), Tone.PERSON)
    other = Piece(blank(GUTTER))
    return [(other if index else first, *line) for index, line in enumerate(lines)]


def _entry(entry: Entry, width: int, signs: Signs) -> list[Line]:
    head = _head(entry, width, signs)
    indent = width_of(head)
    room = max(1, width - GUTTER - indent)
    body = _words(entry, _LOOKS[entry.role].words, room, _facts(entry, room, signs))
    margin = (Piece(blank(indent)),)
    lines = [(*(margin if index else head), *line) for index, line in enumerate(body)]
    return [_muted(line) for line in lines] if entry.dim else lines


def _head(entry: Entry, width: int, signs: Signs) -> Line:
    """Time, sign and label, each with its blank."""
    look = _LOOKS[entry.role]
    sign, tone, label_tone = look.sign, look.tone, look.label
    if entry.outcome in _OUTCOMES:
        sign, tone = _OUTCOMES[entry.outcome]
        label_tone = tone
    room = 10 if width >= _WIDE else 8
    label = clip(entry.label, room)
    gap = blank(room - cell_width(label) if width >= _MIDDLE else 0)
    time = clip(entry.time, 5)
    since = SafeText(f"{time}{blank(6 - cell_width(time))}") if width >= _NO_TIME else NOTHING
    return (
        Piece(since, Tone.MUTED),
        Piece(SafeText(f"{signs.named(sign)} "), tone),
        Piece(SafeText(f"{label}{gap} "), label_tone),
    )


def _facts(entry: Entry, room: int, signs: Signs) -> Line:
    """What stands behind the words; left out, not cut, where it would take half of the room."""
    opens = (Piece(SafeText(f"  {signs.opens}"), Tone.TOOL),) if entry.opens else ()
    facts = (Piece(blank(2)), *toned(entry.facts, Tone.MUTED), *opens)
    return facts if entry.facts and width_of(facts) <= room // 2 else opens


def _words(entry: Entry, tone: Tone, room: int, facts: Line) -> list[Line]:
    """Wrap or cut the words, and put the facts behind the last line."""
    used = width_of(facts)
    if entry.lines <= 1 or ("\n" not in entry.text and cell_width(entry.text) + used <= room):
        return [(Piece(clip(entry.text.replace("\n", " "), room - used), tone), *facts)]
    lines = _wrapped(entry.text, room, entry.lines)
    if cell_width(lines[-1]) + used > room and len(lines) < entry.lines:
        lines.append(NOTHING)
        facts = facts[1:]
    elif cell_width(lines[-1]) + used > room:
        lines[-1] = clip(SafeText(f"{lines[-1]}…"), room - used)
    return [
        (Piece(words, tone), *(facts if number == len(lines) else ()))
        for number, words in enumerate(lines, 1)
    ]


def _wrapped(text: SafeText, room: int, limit: int) -> list[SafeText]:
    """Wrap the first lines of a text, blank ones left out; a cut ends in ``…``."""
    lines: list[SafeText] = []
    for logical in text.split("\n"):
        for start, end in wrap(logical, room):
            if len(lines) == limit:
                lines[-1] = SafeText(f"{clip(lines[-1], room - 1, mark='')}…")
                return lines
            if words := SafeText(logical[start:end]).strip():
                lines.append(SafeText(words))
    return lines or [NOTHING]


def _muted(line: Line) -> Line:
    return tuple(Piece(piece.text, Tone.MUTED) for piece in line)


def _boundary(row: BoundaryRow, width: int, signs: Signs) -> list[Line]:
    room = max(1, width - GUTTER)
    lines = [_rule(row, room, signs)]
    side = Piece(SafeText(f"{signs.side} "), Tone.PERSON)
    for note in row.notes:
        lines += [(side, *toned(part, Tone.MUTED)) for part in wrap_line(note, max(1, room - 2))]
    if row.notes:
        lines.append((Piece(SafeText(f"{signs.foot}{signs.rule}"), Tone.PERSON),))
    return lines


def _rule(row: BoundaryRow, room: int, signs: Signs) -> Line:
    """``━━ compact 3 ━ manual ━ 98,214= → 22,040= ━ −78 % ━ 41 s ━━━``, less where it is narrow."""
    parts = {
        "title": (Piece(row.title, Tone.PERSON),),
        "trigger": (Piece(row.trigger, Tone.PERSON),),
        "sizes": _sizes(row, signs),
        "reduction": (Piece(row.reduction, Tone.PERSON),),
        "duration": (Piece(row.duration, Tone.PERSON),),
    }
    begin = Piece(SafeText(f"{signs.boundary * 2} "), Tone.PERSON)
    dash = Piece(SafeText(f" {signs.boundary} "), Tone.PERSON)
    rule: Line = ()
    for left_out in (None, "duration", "trigger", "reduction", "sizes"):
        parts.pop(left_out or "", None)
        shown = [part for part in parts.values() if width_of(part)]
        rule = tuple(p for n, part in enumerate(shown) for p in (dash if n else begin, *part))
        if width_of(rule) + 3 <= room:
            break
    rule = cut_line(rule, room)
    rest = signs.boundary * (room - width_of(rule) - 1)
    return (*rule, Piece(SafeText(f" {rest}"), Tone.PERSON)) if rest else rule


def _sizes(row: BoundaryRow, signs: Signs) -> Line:
    if not (row.before and row.after):
        return (Piece(row.before or row.after, Tone.STRONG),)
    arrow = Piece(SafeText(f" {signs.arrow} "), Tone.MUTED)
    return Piece(row.before, Tone.STRONG), arrow, Piece(row.after, Tone.STRONG)


def _fork(row: ForkRow, width: int, signs: Signs) -> list[Line]:
    """The lane of the line with a lane that leaves it; an arm on each, and the words behind the fork."""
    label_room = (10 if width >= _WIDE else 8) - 2
    opens = (Piece(SafeText(f"  {signs.opens} b"), Tone.TOOL),)
    lines = [
        _lane(
            row.time, SafeText("├─╮ "), NOTHING, (Piece(row.title, Tone.PERSON), *opens), width, 0
        )
    ]
    for number, arm in enumerate(row.arms, 1):
        turn = SafeText("│ ├ " if number < len(row.arms) else "│ ╰ ")
        facts = (Piece(blank(2)), *toned(arm.facts, Tone.MUTED)) if arm.facts else ()
        room = max(8, width - GUTTER - 10 - label_room - 1 - width_of(facts))
        words = (Piece(clip(arm.words, room), Tone.MUTED), *facts)
        lines.append(_lane(NOTHING, turn, arm.label, words, width, label_room))
    if row.goes_on:
        words = (Piece(row.goes_on, Tone.PLAIN),)
        lines.append(
            _lane(NOTHING, SafeText("│   "), SafeText("goes on"), words, width, label_room)
        )
    return lines


def _lane(
    time: SafeText, lane: SafeText, label: SafeText, words: Line, width: int, label_room: int
) -> Line:
    since = f"{clip(time, 5):<6}" if width >= _NO_TIME else ""
    head = (
        Piece(SafeText(since), Tone.MUTED),
        Piece(lane, Tone.PERSON),
        Piece(
            SafeText(f"{clip(label, label_room):<{label_room}} " if label_room else ""), Tone.MUTED
        ),
    )
    return cut_line((*head, *words), max(1, width - GUTTER))


def _divider(row: Divider, width: int, signs: Signs) -> Line:
    room = max(1, width - GUTTER)
    words = clip(row.text, max(1, room - 4))
    rest = signs.rule * max(0, room - cell_width(words) - 4)
    return slice_line((Piece(SafeText(f"{signs.rule * 2} {words} {rest}"), row.tone),), 0, room)
