"""What a search over all sessions found, as rows: sessions, places in them, hits; grows while it runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ccbrowse.core.search import Field, Hit
from ccbrowse.core.text import SafeText, cell_width, clip, display_text, fit, one_line
from ccbrowse.tui.viewmodels import figures
from ccbrowse.tui.viewtypes import Line, Piece, Tone

About = Callable[[Path], SafeText]
"""What to say of a session's file beside its title: project and age."""

_LABELS = {
    Field.USER: ("you", Tone.PERSON),
    Field.ASSISTANT: ("claude", Tone.PLAIN),
    Field.THINKING: ("thinking", Tone.MUTED),
    Field.TOOL: ("tool", Tone.TOOL),
    Field.RESULT: ("result", Tone.MUTED),
    Field.SUMMARY: ("summary", Tone.PERSON),
    Field.TITLE: ("title", Tone.STRONG),
    Field.FILE: ("file", Tone.TOOL),
}
_LABEL, _HIT_INDENT = 9, 6
_TITLE = 200

Order = tuple[int, int]
"""Where a place stands among those of a session: title, segments by number, the arms, subagents."""


@dataclass(slots=True)
class Place:
    """A part of a session that holds hits."""

    name: SafeText
    hits: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Group:
    """A session that holds hits."""

    file: Path
    title: SafeText
    first: int
    places: dict[Order, Place] = field(default_factory=dict)
    agents: dict[str, int] = field(default_factory=dict)
    hits: int = 0


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of the list: of a session alone, of a place in it, or of a hit."""

    group: int
    place: Order | None = None
    hit: int | None = None


class HitRows:
    """The rows of a search; hits of one session come one after the other."""

    def __init__(self, about: About | None = None) -> None:
        self.hits: list[Hit] = []
        self.groups: list[Group] = []
        self._about = about or (lambda file: SafeText(""))
        self._rows: list[_Row] = []
        self._places: dict[str, int] = {}
        self._order: list[int] = []

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self._rows)

    def add(self, hits: Sequence[Hit]) -> None:
        """Take in more hits. Only rows of the last session may move."""
        first = max(0, len(self.groups) - 1)
        for hit in hits:
            if not self.groups or self.groups[-1].file != hit.session_file:
                title = one_line(hit.title, _TITLE) or SafeText("(no title)")
                self.groups.append(Group(hit.session_file, title, len(self._order)))
            group = self.groups[-1]
            order, name = self._place_of(group, hit)
            place = group.places.setdefault(order, Place(name))
            place.hits.append(len(self.hits))
            group.hits += 1
            self.hits.append(hit)
        self._lay_out(first)

    def _place_of(self, group: Group, hit: Hit) -> tuple[Order, SafeText]:
        if hit.agent_id:
            number = group.agents.setdefault(hit.agent_id, len(group.agents))
            return (3, number), SafeText(f"subagent {one_line(hit.agent_id, 40)}")
        if hit.field is Field.TITLE and hit.segment is None:
            return (0, 0), SafeText("title")
        if hit.segment is not None:
            return (1, hit.segment), SafeText(f"segment {hit.segment}")
        return (2, 0), SafeText("off the main line")

    def _lay_out(self, first: int) -> None:
        """Make the rows of the groups from one on anew."""
        start = self._places.get(f"s{first}", len(self._rows))
        del self._rows[start:]
        if first < len(self.groups):
            del self._order[self.groups[first].first :]
        for number in range(first, len(self.groups)):
            self._add_group(number)
        for row in range(start, len(self._rows)):
            self._places[self.key(row)] = row

    def _add_group(self, number: int) -> None:
        group = self.groups[number]
        group.first = len(self._order)
        self._rows.append(_Row(number))
        for order in sorted(group.places):
            self._rows.append(_Row(number, order))
            for hit in group.places[order].hits:
                self._rows.append(_Row(number, order, hit))
                self._order.append(hit)

    # Asking

    def key(self, row: int) -> str:
        """The key of a row: the same while more is found."""
        found = self._rows[row]
        if found.hit is not None:
            return f"h{found.hit}"
        place = "" if found.place is None else f"/{found.place[0]}.{found.place[1]}"
        return f"s{found.group}{place}"

    def index(self, key: str) -> int | None:
        """The row of a key."""
        return self._places.get(key)

    def hit(self, row: int) -> Hit | None:
        """The hit of a row; of a session or a place its first one."""
        while 0 <= row < len(self._rows):
            number = self._rows[row].hit
            if number is not None:
                return self.hits[number]
            row += 1
        return None

    def is_hit(self, row: int) -> bool:
        """Whether a row is a hit."""
        return 0 <= row < len(self._rows) and self._rows[row].hit is not None

    def is_session(self, row: int) -> bool:
        """Whether a row is a session's own."""
        return 0 <= row < len(self._rows) and self._rows[row].place is None

    def session_before(self, row: int) -> int:
        """The session's own row at or before a row; -1 where there is none."""
        while row >= 0 and not self.is_session(row):
            row -= 1
        return row

    def position(self, row: int) -> int:
        """Which hit a row is, or follows, from 1 in the order of the rows; 0 before the first one."""
        found = self._rows[row] if 0 <= row < len(self._rows) else None
        if found is None:
            return 0
        group = self.groups[found.group]
        if found.hit is None:
            return group.first
        before = 0
        for order in sorted(group.places):
            place = group.places[order]
            if order == found.place:
                return group.first + before + place.hits.index(found.hit) + 1
            before += len(place.hits)
        return group.first

    # Showing

    def line(self, row: int, width: int) -> Line:
        """A row in at most `width` cells, two blanks for the cursor before it."""
        found = self._rows[row]
        group = self.groups[found.group]
        if found.hit is not None:
            return hit_line(self.hits[found.hit], width)
        if found.place is not None:
            place = group.places[found.place]
            count = figures.short(len(place.hits))
            return (
                Piece(SafeText("    ")),
                Piece(place.name, Tone.MUTED),
                Piece(SafeText(f"  {count}"), Tone.MUTED),
            )
        return self._session_line(group, width)

    def _session_line(self, group: Group, width: int) -> Line:
        count = SafeText(f"  {figures.counted(group.hits, 'hit')}")
        about = self._about(group.file)
        tail = SafeText(f"  {about}") if about else SafeText("")
        room = width - 2 - cell_width(count)
        if cell_width(tail) > room - 20:
            tail = SafeText("")
        title = clip(group.title, max(8, room - cell_width(tail)))
        return (
            Piece(SafeText("  ")),
            Piece(title, Tone.STRONG),
            Piece(tail, Tone.MUTED),
            Piece(count, Tone.PERSON),
        )


def hit_line(hit: Hit, width: int) -> Line:
    """A hit on one line: what it stands in, and the match with what stands around it."""
    name, tone = _LABELS[hit.field]
    label = SafeText(f"{name:<{_LABEL}} ")
    room = max(10, width - _HIT_INDENT - _LABEL - 1)
    return (
        Piece(SafeText(" " * _HIT_INDENT)),
        Piece(label, tone),
        *_around(hit, room),
    )


def _around(hit: Hit, room: int) -> Line:
    """The match with as much around it as there is room for; the match itself is always seen."""
    snippet = hit.snippet
    before, match = display_text(snippet.before), display_text(snippet.match)
    after = display_text(snippet.after)
    match = clip(match, room)
    left = room - cell_width(match)
    lead = min(cell_width(before), max(left // 3, left - cell_width(after)))
    before = _tail(before, lead)
    left -= cell_width(before)
    return (Piece(before), Piece(match, Tone.MARK), Piece(clip(after, left)))


def _tail(text: SafeText, cells: int) -> SafeText:
    """The end of a text, a cut marked before it."""
    if cell_width(text) <= cells:
        return text
    if cells < 2:
        return SafeText("")
    start = 0
    while cell_width(text[start:]) > cells - 1:
        start += max(1, (cell_width(text[start:]) - cells + 1) // 2)
    return SafeText(f"…{text[start:]}")


def preview(hit: Hit | None, width: int, rows: int) -> list[Line]:
    """A hit in full: where it stands, and all that is known around the match, wrapped."""
    if hit is None:
        return []
    where: list[SafeText] = []
    if hit.agent_id:
        where.append(SafeText(f"subagent {one_line(hit.agent_id, 40)}"))
    elif hit.segment is not None:
        where.append(SafeText(f"segment {hit.segment}"))
    elif not hit.on_main_line:
        where.append(SafeText("off the main line"))
    if hit.line is not None:
        where.append(SafeText(f"line {hit.line:,}"))
    if hit.uuid:
        where.append(one_line(hit.uuid, 40))
    name, tone = _LABELS[hit.field]
    head: Line = (
        Piece(SafeText(f"{name}  "), tone),
        Piece(SafeText(" · ".join(where)), Tone.MUTED),
    )
    return [head, *_wrapped(hit, width, rows - 1)]


def _wrapped(hit: Hit, width: int, rows: int) -> list[Line]:
    snippet = hit.snippet
    parts = ((snippet.before, Tone.PLAIN), (snippet.match, Tone.MARK), (snippet.after, Tone.PLAIN))
    lines: list[list[Piece]] = [[]]
    used = 0
    for raw, tone in parts:
        text = display_text(raw)
        while text and len(lines) <= rows:
            end = max(1, fit(text, max(1, width - used)))
            if used and fit(text, max(1, width - used)) == 0:
                end = 0
            if end:
                lines[-1].append(Piece(SafeText(text[:end]), tone))
                used += cell_width(text[:end])
            text = SafeText(text[end:])
            if text:
                lines.append([])
                used = 0
    return [tuple(each) for each in lines[:rows]]
