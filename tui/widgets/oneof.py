"""One of a few: options on a line or two, the chosen one marked by a sign and not by colour alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive

from ccbrowse.core.text import SafeText, cell_width
from ccbrowse.tui.paint import PaintedWidget
from ccbrowse.tui.signs import UNICODE, Signs
from ccbrowse.tui.viewtypes import Line, Piece, Tone

_SIGN = 4
"""Cells of an option's mark."""

_GAP = 3


class OneOf(PaintedWidget, can_focus=True):
    """Draws ``(●) Markdown  ( ) JSONL``; left and right, space, or a click choose."""

    DEFAULT_CSS = "OneOf { height: auto; width: 1fr; &:disabled { opacity: 40%; } }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,l,space", "step(1)", "Next", show=False),
        Binding("left,h", "step(-1)", "Before", show=False),
    ]

    chosen: reactive[int] = reactive(0, init=False)
    """The number of the option that is chosen, from 0."""

    class Changed(Message):
        """Another option was chosen."""

        def __init__(self, sender: OneOf, chosen: int) -> None:
            super().__init__()
            self.sender = sender
            """The widget."""
            self.chosen = chosen
            """The number of the option."""

        @property
        def control(self) -> OneOf:
            """The widget, for the selectors of ``@on``."""
            return self.sender

    def __init__(
        self, options: Sequence[SafeText], *, signs: Signs = UNICODE, id: str | None = None
    ) -> None:
        super().__init__(signs=signs, id=id)
        self._options = list(options)
        self._places: list[tuple[int, int, int]] = []

    def action_step(self, step: int) -> None:
        """Choose the next option, or the one before."""
        self.chosen = (self.chosen + step) % len(self._options)

    def watch_chosen(self, chosen: int) -> None:
        """Draw anew, and say so."""
        self.redraw()
        self.post_message(self.Changed(self, chosen))

    def on_focus(self) -> None:
        """The chosen option is underlined while the widget has the focus."""
        self.redraw()

    def on_blur(self) -> None:
        """Not any more."""
        self.redraw()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as the options need."""
        return len(self._laid_out(width))

    def _laid_out(self, width: int) -> list[list[int]]:
        """The numbers of the options on each line."""
        lines: list[list[int]] = [[]]
        at = 0
        for number, option in enumerate(self._options):
            wide = _SIGN + cell_width(option)
            if lines[-1] and at + wide > width:
                lines.append([])
                at = 0
            lines[-1].append(number)
            at += wide + _GAP
        return lines

    def draw(self, width: int, height: int) -> list[Line]:
        """Lay the options out; remember where each stands."""
        self._places = []
        return [self._line(y, numbers) for y, numbers in enumerate(self._laid_out(width))]

    def _line(self, y: int, numbers: Sequence[int]) -> Line:
        line: list[Piece] = []
        at = 0
        for number in numbers:
            option, chosen = self._options[number], number == self.chosen
            sign = SafeText(f"({SafeText(self.signs.reply) if chosen else ' '}) ")
            tone = Tone.MUTED
            if chosen:
                tone = Tone.MARK if self.has_focus else Tone.STRONG
            line += [Piece(sign, Tone.PERSON if chosen else Tone.MUTED), Piece(option, tone)]
            line.append(Piece(SafeText(" " * _GAP)))
            begin, at = at, at + cell_width(sign) + cell_width(option) + _GAP
            self._places.append((y, begin, at))
        return tuple(line)

    def on_click(self, event: events.Click) -> None:
        """Choose what was clicked."""
        offset = event.get_content_offset(self)
        for number, (y, begin, end) in enumerate(self._places):
            if offset is not None and y == offset.y and begin <= offset.x < end:
                self.chosen = number
