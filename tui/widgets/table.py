"""The table of sessions: any number of rows, drawn by lines, with the columns' names above."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ccbrowse.tui.paint import PaintedWidget
from ccbrowse.tui.signs import UNICODE, Signs
from ccbrowse.tui.viewmodels.listing import (
    Columns,
    ListingView,
    Wanted,
    columns_for,
    head,
    row_line,
)
from ccbrowse.tui.viewtypes import Line
from ccbrowse.tui.virtual import VirtualList


class TableHead(PaintedWidget):
    """The names of the columns, above a `SessionTable`; one line."""

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
        columns = columns_for(max(1, width - 2), bool(self._wanted.project))
        return [head(columns, self._wanted)]


def _no_view(key: str) -> ListingView:
    """What a table without rows is never asked."""
    raise KeyError(key)


class SessionTable(VirtualList):
    """Draws sessions, one a line; the keys of `Moved` and `Opened` are the paths of their files."""

    DEFAULT_CSS = "SessionTable { border: none; &:focus { border: none; } }"

    def __init__(self, *, signs: Signs = UNICODE, id: str | None = None) -> None:
        super().__init__(signs=signs, id=id)
        self._keys: list[str] = []
        self._view_of: Callable[[str], ListingView] = _no_view
        self._rows: dict[str, int] = {}
        self._one_project = False

    def show(
        self, keys: Sequence[str], view_of: Callable[[str], ListingView], one_project: bool
    ) -> None:
        """Show the sessions of these keys; `view_of` makes those that are seen.

        The cursor stays on its session, or on its row if that is gone.
        """
        row, line = self.position()
        key = self.cursor_key
        cursor = self.cursor
        if self.is_at_rest:
            row, line, key = 0, 0, ""
        anchor = self.key_at(row) if row < self.count else ""
        self._keys, self._view_of = list(keys), view_of
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
