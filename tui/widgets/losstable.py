"""The table of a compaction's losses: kinds down, buckets across, one cell chosen."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.reactive import reactive

from ccbrowse.core.text import SafeText, cell_width, clip
from ccbrowse.tui.paint import blank, cut_line
from ccbrowse.tui.signs import UNICODE, Signs
from ccbrowse.tui.viewmodels.compaction_loss import EMPTY, LossCell, LossRow, LossTable
from ccbrowse.tui.viewmodels.figures import short
from ccbrowse.tui.viewtypes import Line, Piece, Tone
from ccbrowse.tui.virtual import VirtualList

_GUTTER, _NAME, _TOKENS, _ITEMS = 2, 14, 6, 5
_COLUMN = _TOKENS + _ITEMS + 1
_BAR_FROM, _BAR_MOST = 10, 40
_HEIGHTS = "█▆▄▁"
"""What is kept fills the bar's cells to the top, what was not found hardly at all."""


class LossGrid(VirtualList):
    """Draws a `LossTable`; `Chosen` tells of the cell under the cursor."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("l,right", "column(1)", "Right", id="pane.right", show=False),
        Binding("h,left", "column(-1)", "Left", id="pane.left", show=False),
    ]

    column: reactive[int] = reactive(4, init=False)
    """The chosen column: 0 for all that stood before, then the buckets."""

    class Chosen(Message):
        """Another cell was chosen."""

        def __init__(self, sender: LossGrid) -> None:
            super().__init__()
            self.sender = sender
            """The table; `row_chosen` and `column` tell the cell."""

        @property
        def control(self) -> LossGrid:
            """The table, for the selectors of ``@on``."""
            return self.sender

    def __init__(
        self, *, signs: Signs = UNICODE, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(signs=signs, id=id, classes=classes)
        self._table = EMPTY

    def show(self, table: LossTable) -> None:
        """Show this table; the cursor stays on its kind, else it goes to the sums."""
        key = self.cursor_key
        self._table = table
        found = self.index_of(key) if key else None
        self.set_reactive(VirtualList.cursor, found or len(table.rows) or -1)
        self.take_rows(lambda: self.settle(0, 0))

    @property
    def row_chosen(self) -> LossRow | None:
        """The row under the cursor."""
        return (
            self._table.rows[self.cursor - 1] if 0 < self.cursor <= len(self._table.rows) else None
        )

    def choose(self, key: str, column: int) -> None:
        """Choose a cell without a message: a kind or ``all``, and a column."""
        row = self.index_of(key)
        if row is not None:
            self.set_reactive(VirtualList.cursor, row)
        self.set_reactive(LossGrid.column, column)
        self.refresh()

    # Rows

    @property
    def available(self) -> int:
        """The names of the columns, and the rows."""
        return 1 + len(self._table.rows)

    def key_at(self, row: int) -> str:
        """Give the kind of a row; of the sums ``all``."""
        if not row:
            return ""
        kind = self._table.rows[row - 1].kind
        return "all" if kind is None else kind.value

    def index_of(self, key: str) -> int | None:
        """Find the row of a kind."""
        rows = range(1, self.available)
        return next((row for row in rows if self.key_at(row) == key), None)

    def move_to(self, row: int, *, middle: bool = False) -> None:
        """Move among the rows; the names of the columns take no cursor."""
        if self._table.rows:
            super().move_to(max(1, row), middle=middle)

    def look_of(self, row: int) -> tuple[object, ...]:
        """A row looks by the chosen cell."""
        return *super().look_of(row), row == self.cursor, self.column

    def watch_column(self) -> None:
        """Draw anew, and say so."""
        self.refresh()
        self.post_message(self.Chosen(self))

    def notify_moved(self) -> None:
        """Another row is another cell."""
        if self.is_mounted:
            self.post_message(self.Chosen(self))

    def action_column(self, step: int) -> None:
        """Choose the column beside."""
        self.column = min(max(0, self.column + step), len(self._table.names) - 1)

    def cycle(self, step: int) -> None:
        """Choose the next column, or the one before, and around."""
        self.column = (self.column + step) % len(self._table.names)

    def on_click(self, event: events.Click) -> None:
        """Choose the column that was clicked; the list does the row."""
        offset = event.get_content_offset(self)
        if offset is not None and offset.x >= _GUTTER + _NAME:
            column = (offset.x - _GUTTER - _NAME) // _COLUMN
            if column < len(self._table.names):
                self.column = column

    # Drawing

    def lines_of(self, row: int, width: int) -> list[Line]:
        """Lay out a row."""
        if not row:
            return [cut_line(self._head(), width)]
        found = self._table.rows[row - 1]
        last = found.kind is None
        gutter = Piece(blank(_GUTTER))
        name = clip(found.name, _NAME)
        pieces = [
            gutter,
            Piece(
                SafeText(f"{name}{blank(_NAME - cell_width(name))}"),
                Tone.STRONG if last else Tone.PLAIN,
            ),
        ]
        for column, cell in enumerate(found.cells):
            chosen = column == self.column and row == self.cursor
            pieces += self._cell(cell, chosen)
        room = width - _GUTTER - _NAME - _COLUMN * len(found.cells) - 2
        if room >= _BAR_FROM:
            pieces += [Piece(blank(2)), *self._bar(found, min(room, _BAR_MOST))]
        return [cut_line(tuple(pieces), width)]

    def _head(self) -> Line:
        pieces = [Piece(blank(_GUTTER + _NAME))]
        for column, name in enumerate(self._table.names):
            words = clip(name, _COLUMN - 1)
            pieces.append(Piece(blank(_COLUMN - 1 - cell_width(words))))
            pieces.append(Piece(words, Tone.STRONG if column == self.column else Tone.MUTED))
            pieces.append(Piece(blank(1)))
        return tuple(pieces)

    def _cell(self, cell: LossCell, chosen: bool) -> list[Piece]:
        items = SafeText(f"{short(cell.items)}×") if cell.items else SafeText("")
        tokens = cell.tokens
        tone = Tone.MARK if chosen else cell.tone
        lead = blank(_TOKENS - cell_width(tokens))
        room = blank(_ITEMS - cell_width(items))
        return [
            Piece(lead),
            Piece(tokens, tone),
            Piece(room),
            Piece(items, Tone.MARK if chosen else Tone.MUTED),
            Piece(blank(1)),
        ]

    def _bar(self, found: LossRow, cells: int) -> list[Piece]:
        """The shares of the buckets, side by side: by tokens, or by items where those weigh nothing."""
        by_weight = found.cells[0].weight > 0
        parts = [cell.weight if by_weight else cell.items for cell in found.cells[1:]]
        total = sum(parts)
        if not total:
            return []
        pieces: list[Piece] = []
        done = used = 0
        for number, (part, cell) in enumerate(zip(parts, found.cells[1:], strict=True)):
            done += part
            end = round(cells * done / total)
            signs: SafeText = SafeText(_HEIGHTS[number])
            pieces.append(Piece(SafeText(signs * (end - used)), cell.tone))
            used = end
        return pieces
