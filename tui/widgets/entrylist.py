"""A list of rows that look as on the timeline, one line each."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from ccbrowse.core.text import SafeText
from ccbrowse.tui.paint import blank, width_of
from ccbrowse.tui.rows import lay_out
from ccbrowse.tui.signs import UNICODE, Signs
from ccbrowse.tui.viewtypes import Entry, Line, Piece, Tone
from ccbrowse.tui.virtual import VirtualList

_ALL_FACTS = 64
"""Cells from which on a row says all its facts."""

_GAP = 2


class EntryList(VirtualList):
    """Draws entries below one another; `nothing` where there are none."""

    def __init__(
        self, *, signs: Signs = UNICODE, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(signs=signs, id=id, classes=classes)
        self._keys: list[str] = []
        self._rows: dict[str, int] = {}
        self._make: Callable[[str], Entry] | None = None
        self._nothing = SafeText("")

    def show(self, keys: Sequence[str], make: Callable[[str], Entry], nothing: SafeText) -> None:
        """Show the entries of these keys, made when they come into view.

        The cursor stays on its key, else it goes to the first one.
        """
        row, line = self.position()
        key = self.cursor_key
        self._keys = list(keys)
        self._rows = {key: number for number, key in enumerate(self._keys)}
        self._make = make
        self._nothing = nothing
        found = self._rows.get(key)
        if found is None:
            row = line = 0
        self.set_reactive(VirtualList.cursor, (found or 0) if self._keys else -1)
        self.take_rows(lambda: self.settle(row, line))
        self.show_row(self.cursor)
        self.notify_moved()

    def clear(self, nothing: SafeText) -> None:
        """Show no entry, and say why."""
        self._keys, self._rows, self._make, self._nothing = [], {}, None, nothing
        self.set_reactive(VirtualList.cursor, -1)
        self.take_rows(lambda: self.settle(0, 0))

    def find(self, step: int) -> bool:
        """Go to the next entry (-1: the one before) that the pattern of `highlight` matches, and around."""
        found, make, count = self._found, self._make, len(self._keys)
        if found is None or make is None:
            return False
        for distance in range(1, count + 1):
            row = (self.cursor + step * distance) % count
            entry = make(self._keys[row])
            if found.search(entry.label) or found.search(entry.text):
                self.move_to(row, middle=True)
                return True
        return False

    @property
    def available(self) -> int:
        """How many entries there are; one line where there are none."""
        return len(self._keys) or bool(self._nothing)

    def key_at(self, row: int) -> str:
        """Give the key of an entry."""
        return self._keys[row] if row < len(self._keys) else ""

    def index_of(self, key: str) -> int | None:
        """Find an entry by its key."""
        return self._rows.get(key)

    def lines_of(self, row: int, width: int) -> list[Line]:
        """Lay out an entry."""
        if row >= len(self._keys) or self._make is None:
            return [(Piece(SafeText("  ")), Piece(self._nothing, Tone.MUTED))]
        entry = self._make(self._keys[row])
        if width < _ALL_FACTS and len(entry.facts) > 1:
            entry = replace(entry, facts=entry.facts[:1])
        used = width_of(entry.facts)
        if not entry.facts or used > width // 2 or entry.lines > 1:
            return lay_out(entry, width, self.signs)
        # at the right edge, whatever stands before them: so they can be compared
        (words,) = lay_out(replace(entry, facts=()), width - used - _GAP, self.signs)
        return [(*words, Piece(blank(width - used - width_of(words))), *entry.facts)]
