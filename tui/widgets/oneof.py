"""One of a few: options on a line, the chosen one marked by a sign and not by colour alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.reactive import reactive

from ccbrowse.core.text import SafeText, cell_width
from ccbrowse.tui.paint import PaintedWidget
from ccbrowse.tui.signs import UNICODE, Signs
from ccbrowse.tui.viewtypes import Line, Piece, Tone


class OneOf(PaintedWidget, can_focus=True):
    """Draws ``(●) Markdown  ( ) JSONL``; left and right, space, or a click choose."""

    DEFAULT_CSS = "OneOf { height: 1; width: 1fr; &:disabled { opacity: 40%; } }"
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
        self._places: list[tuple[int, int]] = []

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

    def draw(self, width: int, height: int) -> list[Line]:
        """Lay the options out; remember where each stands."""
        line: list[Piece] = []
        self._places = []
        at = 0
        for number, option in enumerate(self._options):
            chosen = number == self.chosen
            sign = SafeText(f"({SafeText(self.signs.reply) if chosen else ' '}) ")
            tone = Tone.MUTED
            if chosen:
                tone = Tone.MARK if self.has_focus else Tone.STRONG
            line += [Piece(sign, Tone.PERSON if chosen else Tone.MUTED), Piece(option, tone)]
            line.append(Piece(SafeText("   ")))
            begin, at = at, at + cell_width(sign) + cell_width(option) + 3
            self._places.append((begin, at))
        return [tuple(line)]

    def on_click(self, event: events.Click) -> None:
        """Choose what was clicked."""
        offset = event.get_content_offset(self)
        for number, (begin, end) in enumerate(self._places):
            if offset is not None and begin <= offset.x < end:
                self.chosen = number
