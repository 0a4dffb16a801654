"""A list of any length with a cursor: the ground of timeline, rail and lists of sessions.

Rows are known by number and by a stable key; the cursor stays with its key when rows are
replaced. Only rows in view are laid out.
"""

from __future__ import annotations

import re
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip

from ccbrowse.core.text import SafeText
from ccbrowse.tui.measured import MOVES, MeasuredScroll
from ccbrowse.tui.paint import paint
from ccbrowse.tui.signs import UNICODE, Signs
from ccbrowse.tui.viewtypes import Line, Piece, Tone


class VirtualList(MeasuredScroll):
    """Rows with a cursor. Subclasses give `available`, `key_at`, `index_of` and `lines_of`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *MOVES,
        Binding("enter", "open", "Open", id="item.open", show=False),
    ]

    CURSOR_COLUMN: ClassVar[int] = 1
    """The cell of the cursor's bar, left blank by the first piece of each line; empty lines have none."""

    cursor: reactive[int] = reactive(-1, repaint=False)
    """The row under the cursor, -1 where there are no rows."""

    class _About(Message):
        """Something about one row of a list."""

        def __init__(self, sender: VirtualList, key: str) -> None:
            super().__init__()
            self.sender = sender
            """The list it happened in."""
            self.key = key
            """The row's key; empty where there is no row."""

        @property
        def control(self) -> VirtualList:
            """The list it happened in, for the selectors of ``@on``."""
            return self.sender

    class Moved(_About):
        """The cursor came to another row."""

        def can_replace(self, message: Message) -> bool:
            """Only the last of several moves is worth an answer."""
            return isinstance(message, VirtualList.Moved) and message.sender is self.sender

    class Opened(_About):
        """A row was chosen, by enter or a double click."""

    def __init__(
        self, *, signs: Signs = UNICODE, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(signs=signs, id=id, classes=classes)
        self._found: re.Pattern[str] | None = None

    # What subclasses give, beside `available`

    def key_at(self, row: int) -> str:
        """Give the stable key of a row."""
        raise NotImplementedError

    def index_of(self, key: str) -> int | None:
        """Find the row of a key."""
        raise NotImplementedError

    def lines_of(self, row: int, width: int) -> list[Line]:
        """Lay out one row; at least one line. How many must not depend on cursor or focus."""
        raise NotImplementedError

    def ground_of(self, row: int) -> str:
        """Give the component class beneath a row."""
        return "row--plain"

    def bar_of(self, row: int) -> tuple[SafeText, Tone] | None:
        """Give the sign in the cursor's column and its tone; None: blank."""
        if row != self.cursor:
            return None
        return SafeText(self.signs.cursor), Tone.TOOL if self.has_focus else Tone.MUTED

    # What screens use

    @property
    def cursor_key(self) -> str:
        """The key under the cursor; empty where there are no rows."""
        return self.key_at(self.cursor) if 0 <= self.cursor < self.count else ""

    def go_to(self, key: str, *, middle: bool = False) -> bool:
        """Put the cursor on a key's row and bring it into view; False where it is not shown."""
        row = self.index_of(key)
        if row is None:
            return False
        self.move_to(row, middle=middle)
        return True

    def move_to(self, row: int, *, middle: bool = False) -> None:
        """Put the cursor on a row and bring it into view, in the middle if it was not in view."""
        if self.count:
            self.cursor = min(max(0, row), self.count - 1)
            self.show_row(self.cursor, middle=middle)

    def highlight(self, found: re.Pattern[str] | None) -> None:
        """Mark what a pattern matches in the lines drawn; None: nothing."""
        self._found = found
        self.refresh()

    # Moves

    def action_move(self, rows: int) -> None:
        """Move the cursor by rows; from the edge of the view where it is out of view."""
        visible = self.visible_rows
        if self.cursor in visible or not visible:
            self.move_to(self.cursor + rows)
        else:
            self.move_to(visible[0] if rows > 0 else visible[-1])

    def action_page(self, pages: float) -> None:
        """Move the cursor by screens, and the view with it."""
        if not self.count:
            return
        lines = round(self.view_height * pages)
        target, _ = self.heights.at(self.heights.top(max(0, self.cursor)) + lines)
        if target == self.cursor:
            target += 1 if pages > 0 else -1
        row, line = self.position()
        self.settle(row, line - lines)
        self.move_to(target)

    def action_top(self) -> None:
        """Move to the first row."""
        self.move_to(0)

    def action_bottom(self) -> None:
        """Move to the last row."""
        self.move_to(self.count - 1)

    def action_open(self) -> None:
        """Open the row under the cursor."""
        if self.cursor_key:
            self.post_message(self.Opened(self, self.cursor_key))

    def on_click(self, event: events.Click) -> None:
        """Move the cursor to the row; a double click opens it."""
        offset = event.get_content_offset(self)
        line = self.top_line + offset.y if offset is not None else -1
        if not 0 <= line < self.heights.total:
            return
        event.stop()
        self.move_to(self.heights.at(line)[0])
        if event.chain == 2:
            self.action_open()

    # Drawing

    @property
    def kept_row(self) -> int:
        """The cursor's row keeps its place."""
        return self.cursor

    def look_of(self, row: int) -> tuple[object, ...]:
        """A row looks by its ground, its bar (cursor and focus are in it), and what is searched."""
        return self.ground_of(row), self.bar_of(row), self._found

    def draw_row(self, row: int) -> list[Strip]:
        """Draw a row with its ground, the cursor's bar and what is searched."""
        ground = self.ground_of(row)
        width = self.line_width
        lines = self.lines_of(row, max(1, width - 1))  # a cell between words and scrollbar
        if bar := self.bar_of(row):
            lines = [line and _with_sign(line, self.CURSOR_COLUMN, *bar) for line in lines]
        return [paint(self, line, width, self.signs, ground, self._found) for line in lines]

    def watch_cursor(self, old: int, new: int) -> None:
        """Draw both rows anew and say that the cursor moved."""
        for row in (old, new):
            if 0 <= row < len(self.heights):
                self.refresh_lines(self.heights.top(row), self.heights[row])
        self.notify_moved()

    def notify_moved(self) -> None:
        """Post `Moved` for the row under the cursor."""
        if self.is_mounted:
            self.post_message(self.Moved(self, self.cursor_key))

    def on_focus(self) -> None:
        """Show the cursor's bar in the colour of focus."""
        self.refresh()

    def on_blur(self) -> None:
        """Show the cursor's bar muted."""
        self.refresh()


def _with_sign(line: Line, column: int, sign: SafeText, tone: Tone) -> Line:
    """Replace the blank at a cell of the line's first piece by a sign."""
    first, *rest = line
    return (
        Piece(SafeText(first.text[:column]), first.tone),
        Piece(sign, tone),
        Piece(SafeText(first.text[column + 1 :]), first.tone),
        *rest,
    )
