"""A list to choose from: lines with keys, for projects, branches, findings and the like."""

from __future__ import annotations

from collections.abc import Sequence

from ccbrowse.core.text import SafeText
from ccbrowse.tui.paint import blank, wrap_line
from ccbrowse.tui.signs import UNICODE, Signs
from ccbrowse.tui.viewmodels.choice import ListItem
from ccbrowse.tui.viewtypes import Line, Piece
from ccbrowse.tui.virtual import VirtualList

_GUTTER = 2


class Choices(VirtualList):
    """Draws choices below one another. `Moved` and `Opened` carry their keys."""

    def __init__(
        self,
        choices: Sequence[ListItem] = (),
        *,
        wraps: bool = False,
        signs: Signs = UNICODE,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(signs=signs, id=id, classes=classes)
        self._choices = list(choices)
        self._wraps = wraps
        self.take_rows(lambda: None)
        self.set_reactive(VirtualList.cursor, min(0, len(self._choices) - 1))

    def show(self, choices: Sequence[ListItem]) -> None:
        """Show these; the cursor stays on its key, else it goes to the first one."""
        if list(choices) == self._choices:
            return
        row, line = self.position()
        key = self.cursor_key
        self._choices = list(choices)
        found = self.index_of(key) if key else None
        self.set_reactive(VirtualList.cursor, min(found or 0, len(self._choices) - 1))
        self.take_rows(lambda: self.settle(row, line))
        if found is None:
            self.notify_moved()

    @property
    def available(self) -> int:
        """How many choices there are."""
        return len(self._choices)

    def key_at(self, row: int) -> str:
        """Give the key of a choice."""
        return self._choices[row].key

    def index_of(self, key: str) -> int | None:
        """Find a choice by its key."""
        return next((n for n, choice in enumerate(self._choices) if choice.key == key), None)

    def lines_of(self, row: int, width: int) -> list[Line]:
        """Lay out a choice."""
        choice = self._choices[row]
        room = max(1, width - _GUTTER)
        lines = wrap_line(choice.line, room) if self._wraps else [choice.line]
        if choice.beneath:
            lines += wrap_line(choice.beneath, room) if self._wraps else [choice.beneath]
        return [(Piece(SafeText(blank(_GUTTER))), *line) for line in lines]
