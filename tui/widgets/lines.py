"""A few lines in a frame: the preview beneath a list."""

from __future__ import annotations

from collections.abc import Sequence

from ccbrowse.tui.paint import PANE_RULES, PaintedWidget, cut_line
from ccbrowse.tui.signs import UNICODE, Signs
from ccbrowse.tui.viewtypes import Line


class Lines(PaintedWidget):
    """Draws lines as they are given; too long ones are cut."""

    DEFAULT_CSS = f"Lines {{ height: 5; padding: 0 1; {PANE_RULES} }}"

    def __init__(
        self, *, signs: Signs = UNICODE, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(signs=signs, id=id, classes=classes)
        self._lines: list[Line] = []

    def show(self, lines: Sequence[Line]) -> None:
        """Show these."""
        self._lines = list(lines)
        self.redraw()

    def draw(self, width: int, height: int) -> list[Line]:
        """Cut the lines at the edge."""
        return [cut_line(line, width) for line in self._lines[:height]]
