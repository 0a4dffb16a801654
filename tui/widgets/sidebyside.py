"""Two texts side by side, each wrapped in its half, lines that answer one another on one height."""

from __future__ import annotations

from itertools import zip_longest
from typing import ClassVar

from textual.binding import BindingType
from textual.strip import Strip

from ccbrowse.core.text import SafeText, display_text
from ccbrowse.tui.measured import MOVES, MeasuredScroll
from ccbrowse.tui.paint import blank, paint, width_of, wrap_line
from ccbrowse.tui.signs import UNICODE, Signs
from ccbrowse.tui.viewmodels.comparing import ComparedView, Sameness
from ccbrowse.tui.viewtypes import Line, Piece, Tone

_TONES = {
    Sameness.SAME: Tone.MUTED,
    Sameness.OTHER: Tone.PERSON,
    Sameness.LEFT_ONLY: Tone.BAD,
    Sameness.RIGHT_ONLY: Tone.GOOD,
}


class SideBySide(MeasuredScroll):
    """Draws a `ComparedView`; a sign between two lines says how they differ."""

    BINDINGS: ClassVar[list[BindingType]] = MOVES

    def __init__(self, *, signs: Signs = UNICODE, id: str | None = None) -> None:
        super().__init__(signs=signs, id=id)
        self._view: ComparedView | None = None

    def show(self, view: ComparedView) -> None:
        """Show two texts from their beginnings."""
        self._view = view
        self.take_rows(lambda: self.settle(0, 0))

    @property
    def available(self) -> int:
        """How many pairs of lines there are."""
        return len(self._view.pairs) if self._view else 0

    def draw_row(self, row: int) -> list[Strip]:
        """Draw a pair of lines, as high as the higher one."""
        assert self._view is not None
        pair = self._view.pairs[row]
        half = max(1, (self.line_width - 5) // 2)
        sign = Piece(SafeText(f" {display_text(pair.sameness.value)} "), _TONES[pair.sameness])
        lines: list[Line] = []
        for left, right in zip_longest(wrap_line(pair.left, half), wrap_line(pair.right, half)):
            gap = Piece(blank(half - width_of(left or ())))
            lines.append((Piece(SafeText(" ")), *(left or ()), gap, sign, *(right or ())))
        return [paint(self, line, self.line_width, self.signs) for line in lines]

    def next_difference(self, step: int) -> bool:
        """Scroll to the next pair that differs, beyond those that stand together; False: there is none."""
        view, visible = self._view, self.visible_rows
        if view is None or not visible:
            return False
        place = visible[0]
        was_same = False
        while 0 <= (place := place + step) < len(view.pairs):
            same = view.pairs[place].sameness is Sameness.SAME
            if was_same and not same:
                self.settle(place, min(2, self.view_height - 1))
                return True
            was_same = was_same or same
        return False
