"""The top line and the bottom line: where we are and whether it lives; which keys work here."""

from __future__ import annotations

from enum import Enum

from textual import events
from textual.message import Message

from ccbrowse.core.text import SafeText, cell_width, clip, display_text
from ccbrowse.tui.paint import PaintedWidget, blank, cut_line, width_of
from ccbrowse.tui.signs import UNICODE, Signs
from ccbrowse.tui.viewtypes import Follow, FooterView, HeaderView, KeyHint, Line, Piece, Tone


class Part(Enum):
    """What the top line is made of."""

    CRUMB = "crumb"
    STATE = "state"
    FACT = "fact"


_GAP = 4
_TITLE, _SHORTEST = 24, 8
_BAR = "{ height: 1; background: $surface; padding: 0 1; }"


class StatusLine(PaintedWidget):
    """Draws a `HeaderView` in one line; what matters least gives way first."""

    DEFAULT_CSS = f"StatusLine {_BAR}"

    class Chosen(Message):
        """Something on the line was clicked."""

        def __init__(self, sender: StatusLine, part: Part, number: int, words: SafeText) -> None:
            super().__init__()
            self.sender = sender
            """The line."""
            self.part = part
            """What it is."""
            self.number = number
            """Which of the view's crumbs or facts, from 0."""
            self.words = words
            """The piece that was clicked."""

        @property
        def control(self) -> StatusLine:
            """The line, for the selectors of ``@on``."""
            return self.sender

    def __init__(
        self, *, signs: Signs = UNICODE, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(signs=signs, id=id, classes=classes)
        self._view = HeaderView(())
        self._places: list[tuple[int, int, Part, int, SafeText]] = []

    def show(self, view: HeaderView) -> None:
        """Show this."""
        if view != self._view:
            self._view = view
            self.redraw()

    def draw(self, width: int, height: int) -> list[Line]:
        """Lay out crumbs, state and as many facts as fit beside a title that can be read."""
        others = self._others(width)
        if others and width_of(self._crumbs(_SHORTEST)) + _total(others) > width:
            others[0] = others[0][:1]
        spare = width - _total(others)
        crumbs = self._crumbs(_SHORTEST, spare)
        gap = _GAP + min(4, max(0, spare - width_of(crumbs)) // max(1, len(others)))
        self._places = []
        line: Line = ()
        for number, piece in enumerate(crumbs):  # every second one stands between two
            line = self._placed(line, (piece,), Part.CRUMB, number // 2)
        first = int(bool(self._state()))
        for number, part in enumerate(others):
            line = (*line, Piece(blank(gap)))
            kind = Part.STATE if number < first else Part.FACT
            line = self._placed(line, part, kind, max(0, number - first))
        return [cut_line(line, width)]

    def _placed(self, line: Line, added: Line, part: Part, number: int) -> Line:
        """Put pieces behind a line, and remember where each stands."""
        at = width_of(line)
        for piece in added:
            begin, at = at, at + cell_width(piece.text)
            self._places.append((begin, at, part, number, piece.text))
        return (*line, *added)

    def on_click(self, event: events.Click) -> None:
        """Say what was clicked."""
        offset = event.get_content_offset(self)
        for begin, end, part, number, words in self._places:
            if offset is not None and begin <= offset.x < end:
                self.post_message(self.Chosen(self, part, number, words))

    def _others(self, width: int) -> list[Line]:
        """State and facts, as briefly as the room asks for; the last facts go where that is not enough."""
        state = self._state()
        facts = list(self._view.facts)
        while True:
            for title, cut in _WAYS:
                short = state if cut is _whole else _without_ends(state)
                parts = [*([short] if state else []), *map(cut, facts)]
                if width_of(self._crumbs(title)) + _total(parts) <= width or not (facts or state):
                    return parts
            if not facts:
                return parts
            facts.pop()

    def _crumbs(self, shortest: int, room: int = 0) -> Line:
        """Join the crumbs; the longest is cut, down to `shortest` cells, if they need more than `room`."""
        between = Piece(SafeText(f" {self.signs.crumb} "), Tone.MUTED)
        crumbs = list(self._view.crumbs)
        excess = width_of(tuple(crumbs)) + 3 * (len(crumbs) - 1) - room
        if excess > 0 and crumbs:
            longest = max(range(len(crumbs)), key=lambda n: cell_width(crumbs[n].text))
            piece = crumbs[longest]
            left = max(shortest, cell_width(piece.text) - excess)
            crumbs[longest] = Piece(clip(piece.text, left), piece.tone)
        return tuple(
            p for n, crumb in enumerate(crumbs) for p in ((between, crumb) if n else (crumb,))
        )

    def _state(self) -> Line:
        signs, view = self.signs, self._view
        match view.follow:
            case Follow.STILL:
                return ()
            case Follow.FOLLOWING:
                live = Piece(SafeText(f"{signs.live} LIVE"), Tone.GOOD)
                return live, Piece(SafeText(" following"), Tone.MUTED)
            case Follow.PAUSED:
                paused = Piece(SafeText(f"{signs.paused} paused"), Tone.WARN)
                if not view.unread:
                    return (paused,)
                return paused, Piece(SafeText(f" · {view.unread:,} new {signs.down}"), Tone.STRONG)
            case Follow.GONE:
                return (Piece(SafeText(f"{signs.failed} file removed"), Tone.BAD),)


def _total(parts: list[Line]) -> int:
    """Count the cells of parts with a gap before each."""
    return sum(width_of(part) + _GAP for part in parts)


def _whole(part: Line) -> Line:
    return part


def _without_ends(part: Line) -> Line:
    """A part without the muted words at its ends: they explain it."""
    first, last = 0, len(part)
    while first < last and part[first].tone is Tone.MUTED:
        first += 1
    while first < last and part[last - 1].tone is Tone.MUTED:
        last -= 1
    return part[first:last] if first < last else part


def _explained_less(part: Line) -> Line:
    """The same of a part with something strong in it; others need all of their words."""
    return _without_ends(part) if _strong(part) else part


def _up_to_strong(part: Line) -> Line:
    """A part up to what is strong in it, without the muted words before that."""
    strong = _strong(part)
    return _without_ends(part[: strong[-1] + 1]) if strong else part


def _essence(part: Line) -> Line:
    """What of a part is strong, and what stands between; all of it where nothing is."""
    strong = _strong(part)
    return part[strong[0] : strong[-1] + 1] if strong else part


def _strong(part: Line) -> list[int]:
    return [number for number, piece in enumerate(part) if piece.tone is Tone.STRONG]


_WAYS = (
    (_TITLE, _whole),
    (_TITLE, _explained_less),
    (_TITLE, _up_to_strong),
    (16, _up_to_strong),
    (12, _essence),
)
"""Cells that the title keeps at least, and how the rest is cut, in the order in which they are tried."""


class KeyBar(PaintedWidget):
    """Draws a `FooterView`: the keys that fit; a click on one posts `Chosen`."""

    DEFAULT_CSS = f"KeyBar {_BAR}"

    class Chosen(Message):
        """A key's hint was clicked."""

        def __init__(self, sender: KeyBar, command: str) -> None:
            super().__init__()
            self.sender = sender
            """The key bar."""
            self.command = command
            """The hint's `KeyHint.command`."""

        @property
        def control(self) -> KeyBar:
            """The key bar, for the selectors of ``@on``."""
            return self.sender

    def __init__(
        self, *, signs: Signs = UNICODE, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(signs=signs, id=id, classes=classes)
        self._view = FooterView(())
        self._places: list[tuple[int, int, str]] = []

    def show(self, view: FooterView) -> None:
        """Show these keys."""
        self._view = view
        self.redraw()

    def draw(self, width: int, height: int) -> list[Line]:
        """Lay out the hints that fit, the last one always among them."""
        last = self._view.last
        kept = 0 if last is None else _width(last)
        hints: list[KeyHint] = []
        used = 0
        for hint in self._view.hints:
            if used + _width(hint) + kept > width + 2:
                break
            hints.append(hint)
            used += _width(hint)
        line: Line = ()
        self._places = []
        for hint in [*hints, *([last] if last is not None else [])]:
            begin = width_of(line)
            line = (
                *line,
                Piece(hint.keys, Tone.PERSON),
                Piece(SafeText(f" {display_text(hint.name)}  ")),
            )
            if hint.other:
                second = begin + cell_width(hint.keys.partition(" ")[0]) + 1
                self._places.append((second, begin + cell_width(hint.keys), hint.other))
            self._places.append((begin, width_of(line) - 2, hint.command))
        return [cut_line(line, width) if width_of(line) > width + 2 else line]

    def on_click(self, event: events.Click) -> None:
        """Say which hint was clicked."""
        offset = event.get_content_offset(self)
        for begin, end, command in self._places:
            if offset is not None and begin <= offset.x < end and command:
                self.post_message(self.Chosen(self, command))
                return


def _width(hint: KeyHint) -> int:
    """Cells of a hint with the gap behind it."""
    return cell_width(hint.keys) + cell_width(hint.name) + 3
