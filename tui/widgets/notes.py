"""A few lines, wrapped at words: what is said of the item under the cursor."""

from __future__ import annotations

from collections.abc import Sequence

from textual.geometry import Size

from ccbrowse.tui.paint import PANE_RULES, PaintedWidget, wrap_line
from ccbrowse.tui.signs import UNICODE, Signs
from ccbrowse.tui.viewtypes import Line


class Notes(PaintedWidget):
    """Draws lines in a frame, each wrapped where it is too long."""

    DEFAULT_CSS = f"Notes {{ height: 5; padding: 0 1; {PANE_RULES} }}"

    def __init__(
        self, *, signs: Signs = UNICODE, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(signs=signs, id=id, classes=classes)
        self._lines: list[Line] = []

    def show(self, lines: Sequence[Line]) -> None:
        """Show these."""
        self._lines = list(lines)
        self.redraw()
        self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as they take."""
        return len(self._wrapped(width))

    def draw(self, width: int, height: int) -> list[Line]:
        """Wrap the lines; what is below the edge is left out."""
        return self._wrapped(width)[:height]

    def _wrapped(self, width: int) -> list[Line]:
        return [part for line in self._lines for part in wrap_line(line, max(1, width))]
