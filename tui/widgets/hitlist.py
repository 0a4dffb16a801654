"""The list of what a search found: sessions, the places in them, and the hits."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events

from ccbrowse.core.text import SafeText
from ccbrowse.tui.signs import UNICODE, Signs
from ccbrowse.tui.viewmodels.hits import HitRows
from ccbrowse.tui.viewtypes import NOTHING, Line, Piece, Tone
from ccbrowse.tui.virtual import VirtualList


class HitList(VirtualList):
    """Draws `HitRows`; words of its own where there are none. A click on a row opens it."""

    def __init__(
        self, *, signs: Signs = UNICODE, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(signs=signs, id=id, classes=classes)
        self.rows = HitRows()
        self._words: Sequence[Line] = ()
        self._cursor_was = ""

    def show(self, rows: HitRows, words: Sequence[Line] = ()) -> None:
        """Show these rows, from the first hit; the words where there are none."""
        self.rows, self._words = rows, words
        self.set_reactive(VirtualList.cursor, min(2, len(rows) - 1))
        self.take_rows(lambda: self.settle(0, 0))
        self.notify_moved()

    def grown(self, words: Sequence[Line] = ()) -> None:
        """Take what the rows gained; the cursor stays on its hit."""
        row, line = self.position()
        none_before = self.cursor < 0
        key = self._cursor_was
        self._words = words
        found = self.rows.index(key) if key else None
        cursor = min(2, len(self.rows) - 1) if none_before else self.cursor
        self.set_reactive(VirtualList.cursor, cursor if found is None else found)
        self.take_rows(lambda: self.settle(row, line))
        if none_before and len(self.rows):
            self.notify_moved()
        self._cursor_was = self.cursor_key

    def watch_cursor(self, old: int, new: int) -> None:
        """Remember the key: rows before it may come while it rests."""
        super().watch_cursor(old, new)
        self._cursor_was = self.cursor_key

    @property
    def available(self) -> int:
        """How many rows there are, or lines of words."""
        return len(self.rows) or len(self._words)

    def bar_of(self, row: int) -> tuple[SafeText, Tone] | None:
        """Words take no cursor."""
        return super().bar_of(row) if len(self.rows) else None

    def key_at(self, row: int) -> str:
        """Give the key of a row."""
        return self.rows.key(row) if row < len(self.rows) else ""

    def index_of(self, key: str) -> int | None:
        """Find the row of a key."""
        return self.rows.index(key)

    def lines_of(self, row: int, width: int) -> list[Line]:
        """Lay out a row."""
        if row < len(self.rows):
            return [self.rows.line(row, width)]
        return [(Piece(NOTHING), *self._words[row])]

    def on_click(self, event: events.Click) -> None:
        """Open the hit that was clicked; other rows take the cursor."""
        offset = event.get_content_offset(self)
        line = self.top_line + offset.y if offset is not None else -1
        if 0 <= line < self.heights.total and len(self.rows):
            event.stop()
            event.prevent_default()
            self.move_to(self.heights.at(line)[0])
            if self.rows.is_hit(self.cursor) and event.chain == 1:
                self.action_open()

    def step(self, step: int) -> bool:
        """Go to the next hit (-1: the one before); False where there is none that way."""
        row = self.cursor + step
        while 0 <= row < len(self.rows):
            if self.rows.is_hit(row):
                self.move_to(row)
                return True
            row += step
        return False

    def step_session(self, step: int) -> None:
        """Go to the first hit of the next session; back: of this one, then of the one before."""
        own = self.rows.session_before(self.cursor)
        if step < 0:
            start = own if self.cursor > own + 2 else self.rows.session_before(own - 1)
            if start >= 0:
                self.move_to(start + 2)
            return
        row = self.cursor + 1
        while row < len(self.rows) and not self.rows.is_session(row):
            row += 1
        if row < len(self.rows):
            self.move_to(row + 2)
