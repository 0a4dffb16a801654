"""The loss view: a table to choose from, the list of what was chosen, the summary beside it."""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content

from ccbrowse.core.compaction import Compaction, Item, Loss
from ccbrowse.core.segments import Segment
from ccbrowse.core.text import SafeText
from ccbrowse.tui.reader.compaction import Desk
from ccbrowse.tui.screens.compaction_work import CompactionWork
from ccbrowse.tui.viewmodels import compaction as views
from ccbrowse.tui.viewmodels import compaction_loss as losses
from ccbrowse.tui.viewmodels import figures
from ccbrowse.tui.viewtypes import Entry
from ccbrowse.tui.virtual import VirtualList
from ccbrowse.tui.widgets.detail import Detail
from ccbrowse.tui.widgets.entrylist import EntryList
from ccbrowse.tui.widgets.losstable import LossGrid
from ccbrowse.tui.widgets.notes import Notes
from ccbrowse.tui.widgets.summary import SummaryPane

_NO_SEGMENT = SafeText("the file starts at this boundary: what it closed is not in it")
_NONE = SafeText("nothing")
_READING = SafeText("reading the segment …")


@dataclass(frozen=True, slots=True)
class Spot:
    """Where the reader was in the losses of a compaction: a cell of the table, an item."""

    row: str
    column: int
    item: str


class LossView(CompactionWork):
    """Keeps which compaction is shown, and shows its losses."""

    def __init__(self, desk: Desk, number: int, spots: dict[int, Spot]) -> None:
        super().__init__()
        self.desk = desk
        self.number = number
        self._spots = spots
        self._awaited: Spot | None = spots.get(number)
        self.found: Compaction | None = None
        """What is known of the compaction so far."""

    @property
    def loss(self) -> Loss | None:
        """The losses, once they are known."""
        return self.found.loss if self.found is not None else None

    @property
    def grid(self) -> LossGrid:
        """The table."""
        return self.query_one("#grid", LossGrid)

    @property
    def items(self) -> EntryList:
        """The list."""
        return self.query_one("#items", EntryList)

    @property
    def item_at_cursor(self) -> Item | None:
        """The item under the list's cursor."""
        key, loss = self.items.cursor_key, self.loss
        return loss.items[int(key)] if key and loss is not None else None

    # What is shown

    def show_facts(self, opened: Segment) -> None:
        """Show the compaction's own facts."""
        self.query_one("#facts", Detail).show(views.facts_view(opened, self.number, self.found))

    def show_loss(self) -> None:
        """Show table, list and summary, as far as they are known."""
        found, loss = self.found, self.loss
        summary = self.query_one(SummaryPane)
        text = found.summary.text if found is not None and found.summary is not None else ""
        summary.show(losses.summary_lines(text, loss))
        title = SafeText("summary")
        if found is not None and found.summary is not None:
            title = SafeText(f"summary · {figures.short_tokens(found.summary.tokens)}")
        summary.border_title = Content(self.host.signs.text(title))
        self.grid.show(losses.loss_table(loss) if loss is not None else losses.EMPTY)
        spot = self._awaited if loss is not None else None
        if spot is not None:
            self.grid.choose(spot.row, spot.column)
        self._list_items()
        if spot is not None:
            self._awaited = None
            self.items.go_to(spot.item, middle=True)

    def remember(self) -> None:
        """Note where the reader is, for coming back."""
        if self.loss is not None:
            grid = self.grid
            self._spots[self.number] = Spot(grid.cursor_key, grid.column, self.items.cursor_key)
        self._awaited = None

    def recall(self) -> None:
        """Come back to where the reader was, once the losses are known."""
        self._awaited = self._spots.get(self.number)

    def _list_items(self) -> None:
        """List the items of the chosen cell."""
        loss, found, grid = self.loss, self.found, self.grid
        if loss is None:
            nothing = _NO_SEGMENT if found is not None and found.closes is None else _READING
            self.items.clear(nothing)
            return
        row = grid.row_chosen
        kind = row.kind if row is not None else None
        bucket = losses.BUCKETS[grid.column - 1] if grid.column else None
        numbers = losses.chosen_items(loss, kind, bucket)
        index, cwd = self.desk.given.index, self.desk.given.cwd or ""

        def make(key: str) -> Entry:
            item = loss.items[int(key)]
            return losses.item_entry(int(key), item, index, cwd, bucket is None)

        self.items.show([str(number) for number in numbers], make, _NONE)
        title = losses.list_title(loss, kind, bucket, len(numbers))
        self.items.border_title = Content(self.host.signs.text(title))
        self._show_evidence()

    def _show_evidence(self) -> None:
        """Mark in the summary what shows the item under the cursor, or say that nothing does."""
        item = self.item_at_cursor
        self.query_one(SummaryPane).choose(item.sentence if item is not None else None)
        cwd = self.desk.given.cwd or ""
        said = losses.verdict(item, cwd) if item is not None else ()
        self.query_one("#verdict", Notes).show(said)

    def show_progress(self, share: float) -> None:
        """Say how far the search for losses is."""
        if self.loss is None:
            words = SafeText(f"looking for each item in the summary … {round(100 * share)} %")
            self.items.clear(words)

    # Keys

    def action_part(self, step: int) -> None:
        """List another bucket."""
        self.grid.cycle(step)

    def on_loss_grid_chosen(self, event: LossGrid.Chosen) -> None:
        """List what was chosen."""
        event.stop()
        self._list_items()

    def on_virtual_list_moved(self, event: VirtualList.Moved) -> None:
        """Show what shows the item under the cursor."""
        event.stop()
        if event.sender is self.items:
            self._show_evidence()
