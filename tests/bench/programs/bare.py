"""A bare Textual app with the panes of the sessions screen, and rows that are at hand."""

from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import DataTable, Footer, OptionList, Static

ROWS = 48


class Bare(App[None]):
    """Top line, rail, table, preview, bottom line."""

    CSS = "#rail { width: 20; } #table { height: 1fr; } #preview { height: 4; }"
    BINDINGS: ClassVar[list[BindingType]] = [("q", "quit", "Quit"), ("o", "open", "Open")]

    def compose(self) -> ComposeResult:
        """The panes."""
        yield Static("bare")
        with Horizontal():
            yield OptionList(*[f"project {number}" for number in range(10)], id="rail")
            with Vertical():
                yield DataTable[str](id="table", cursor_type="row")
        yield Static("preview", id="preview")
        yield Footer()

    def on_mount(self) -> None:
        """The rows."""
        table = self.query_one(DataTable)
        table.add_columns("title", "age", "turns", "context", "fill")
        for number in range(ROWS):
            name = "first bare row" if not number else f"bare row {number}"
            table.add_row(name, "2m", "212", "151k", "▁▃▆█▂▅█")


if __name__ == "__main__":
    Bare().run()
