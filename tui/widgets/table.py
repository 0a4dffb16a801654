"""The table of sessions: any number of rows, drawn by lines, with the columns' names above."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from textual import events
from textual.message import Message
from textual.strip import Strip

from ccbrowse.core.text import SafeText
from ccbrowse.tui.paint import PaintedWidget, paint
from ccbrowse.tui.signs import UNICODE, Signs
from ccbrowse.tui.viewmodels.listing import (
    Columns,
    ListingView,
    Order,
    Wanted,
    columns_for,
    head,
    order_at,
    row_line,
)
from ccbrowse.tui.viewtypes import Line, Piece, Tone
from ccbrowse.tui.virtual import VirtualList


class TableHead(PaintedWidget):
    """The names of the columns, above a `SessionTable`; one line. A click on one sorts by it."""

    class Chosen(Message):
        """A column's name was clicked."""

        def __init__(self, order: Order) -> None:
            super().__init__()
            self.order = order
            """What the column is sorted by."""

    DEFAULT_CSS = "TableHead { height: 1; background: $background; }"

    def __init__(self, *, signs: Signs = UNICODE, id: str | None = None) -> None:
        super().__init__(signs=signs, id=id)
        self._wanted = Wanted()

    def show(self, wanted: Wanted) -> None:
        """Show how the table is sorted."""
        self._wanted = wanted
        self.redraw()

    def draw(self, width: int, height: int) -> list[Line]:
        """Lay the names out over the columns of a table of the same width."""
        columns = columns_for(max(1, width - 2), self._wanted.one_project)
        return [head(columns, self._wanted)]

    def on_click(self, event: events.Click) -> None:
        """Say which column was clicked."""
        event.stop()
        columns = columns_for(max(1, self.size.width - 2), self._wanted.one_project)
        order = order_at(event.x, columns)
        if order is not None:
            self.post_message(self.Chosen(order))


def _no_view(key: str) -> ListingView:
    """What a table without rows is never asked."""
    raise KeyError(key)


class SessionTable(VirtualList):
    """Draws sessions, one a line; the keys of `Moved` and `Opened` are the paths of their files."""

    DEFAULT_CSS = """
    SessionTable { border: none; &:focus, &.-plain, &.-plain:focus { border: none; } }
    """

    def __init__(self, *, signs: Signs = UNICODE, id: str | None = None) -> None:
        super().__init__(signs=signs, id=id)
        self._keys: list[str] = []
        self._view_of: Callable[[str], ListingView] = _no_view
        self._rows: dict[str, int] = {}
        self._one_project = False
        self._headings: Mapping[int, SafeText] = {}
        self._instead: list[Line] = []

    def say_instead(self, lines: Sequence[Line]) -> None:
        """Say this where there is no session to show."""
        if self._instead != list(lines):
            self._instead = list(lines)
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw a line; without sessions, what is said instead."""
        if self.count or not 1 <= y <= len(self._instead):
            return super().render_line(y)
        gap = Piece(SafeText("  "))
        return paint(self, (gap, *self._instead[y - 1]), self.line_width, self.signs)

    def show(
        self,
        keys: Sequence[str],
        view_of: Callable[[str], ListingView],
        one_project: bool,
        headings: Mapping[int, SafeText] | None = None,
    ) -> None:
        """Show the sessions of these keys; `view_of` makes those that are seen.

        `headings` stand above the sessions of these numbers: they are no rows, the cursor passes.
        The cursor stays on its session, or on its row if that is gone.
        """
        row, line = self.position()
        key = self.cursor_key
        cursor = self.cursor
        if self.is_at_rest:
            row, line, key = 0, 0, ""
        anchor = self.key_at(row) if row < self.count else ""
        self._keys, self._view_of = list(keys), view_of
        self._headings = headings or {}
        self._rows = {key: number for number, key in enumerate(self._keys)}
        self._one_project = one_project
        found = self._rows.get(key, min(max(0, cursor), len(keys) - 1))
        top = self._rows.get(anchor, row)
        self.set_reactive(VirtualList.cursor, found if key else min(0, len(keys) - 1))
        self.take_rows(lambda: self.settle(top, line))
        self.notify_moved()

    @property
    def is_at_rest(self) -> bool:
        """Whether nobody has moved yet: then the first row stays under the cursor."""
        return self.cursor <= 0 and self.top_line == 0

    @property
    def available(self) -> int:
        """How many sessions are shown."""
        return len(self._keys)

    def key_at(self, row: int) -> str:
        """Give the key of a session."""
        return self._keys[row]

    def index_of(self, key: str) -> int | None:
        """Find a session."""
        return self._rows.get(key)

    def lines_of(self, row: int, width: int) -> list[Line]:
        """Lay out a session."""
        columns: Columns = columns_for(width, self._one_project)
        return [row_line(self._view_of(self._keys[row]), columns)]

    def look_of(self, row: int) -> tuple[object, ...]:
        """A row looks by its heading too."""
        return (*super().look_of(row), self._headings.get(row))

    def draw_row(self, row: int) -> list[Strip]:
        """Draw a session, and its group's heading above the first one."""
        strips = super().draw_row(row)
        heading = self._headings.get(row)
        if heading is None:
            return strips
        gap = Piece(SafeText("  "))
        words = (gap, Piece(heading, Tone.TOOL))
        lines: list[Line] = [words] if not row else [(), words]
        return [*(paint(self, each, self.line_width, self.signs) for each in lines), *strips]
