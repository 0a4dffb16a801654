"""The detail pane: one item in full, wrapped as far as it is seen."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate, chain
from typing import ClassVar

from textual.binding import BindingType
from textual.message import Message
from textual.strip import Strip

from ccbrowse.tui.measured import MOVES, MeasuredScroll
from ccbrowse.tui.paint import paint, picture_strip
from ccbrowse.tui.parts import ImagePart, Part, parts_of
from ccbrowse.tui.signs import UNICODE, Signs
from ccbrowse.tui.viewtypes import DetailView

_PADDING = 1
_CORE = 60


class Detail(MeasuredScroll):
    """Draws a `DetailView`: title, facts, then text, code, diffs and facts below one another.

    At most `viewtypes.DETAIL_LIMIT` characters are shown, and it is said where more were given.
    """

    BINDINGS: ClassVar[list[BindingType]] = MOVES

    class Resized(Message):
        """There is more room for pictures, or less."""

    def __init__(
        self, *, signs: Signs = UNICODE, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(signs=signs, id=id, classes=classes)
        self._key = ""
        self._parts: list[Part] = []
        self._ends: list[int] = []
        self._found: re.Pattern[str] | None = None

    def show(self, view: DetailView | None) -> None:
        """Show an item, or nothing; the place is kept while the key stays the same."""
        place = self.position() if view is not None and view.key == self._key else (0, 0)
        self._key = view.key if view is not None else ""
        self._parts = parts_of(view) if view is not None else []
        self._ends = list(accumulate(len(part) for part in self._parts))
        self.take_rows(lambda: self.settle(*place))

    @property
    def room(self) -> tuple[int, int]:
        """Cells and rows that a picture may take; nothing while the pane is not laid out."""
        return max(0, self.size.width - 2 * _PADDING - 1), max(0, self.size.height - 1)

    def on_resize(self) -> None:
        """Tell the screen: pictures are drawn to the room that there is."""
        self.post_message(self.Resized())

    @property
    def key(self) -> str:
        """The key of the item shown; empty for nothing."""
        return self._key

    @property
    def available(self) -> int:
        """How many rows the item has."""
        return self._ends[-1] if self._ends else 0

    def guess_heights(self) -> Iterable[int]:
        """Guess by the lengths of the lines."""
        width = max(1, self.line_width - 2 * _PADDING)
        return chain.from_iterable(part.guess(width) for part in self._parts)

    def look_of(self, row: int) -> tuple[object, ...]:
        """A row looks by what is searched."""
        return (self._found,)

    def draw_row(self, row: int) -> list[Strip]:
        """Draw one logical line."""
        part, within = self._place(row)
        width = max(1, self.line_width - 2 * _PADDING)
        if isinstance(part, ImagePart) and (drawn := part.picture_row(within)) is not None:
            assert part.picture is not None
            ground = self.get_visual_style("row--plain").rich_style
            return [picture_strip(part.picture, drawn, _PADDING, self.line_width, ground)]
        lines = part.lines(within, width)
        strips = [paint(self, line, width, self.signs, found=self._found) for line in lines]
        edge = Strip.blank(_PADDING, self.get_visual_style("row--plain").rich_style)
        return [Strip.join([edge, strip, edge]) for strip in strips]

    def _place(self, row: int) -> tuple[Part, int]:
        number = bisect_right(self._ends, row)
        return self._parts[number], row - (self._ends[number - 1] if number else 0)

    # Searching

    def highlight(self, found: re.Pattern[str] | None) -> None:
        """Mark what a pattern matches; None: nothing."""
        self._found = found
        self.refresh()

    def go_to_match(self, words: str, number: int) -> bool:
        """Scroll to the match that stands in these words, else to the one of that number, from 0.

        False where the pattern of `highlight` matches nowhere.
        """
        if self._found is None or not self.count:
            return False
        core = _core(words)
        rows: list[int] = []
        for row in range(self.count):
            part, within = self._place(row)
            text = part.text(within)
            matches = sum(1 for match in self._found.finditer(text) if match.group())
            if matches and core in " ".join(text.split()):
                rows = [row]
                number = 0
                break
            rows += [row] * matches
        if not rows:
            return False
        row = rows[min(number, len(rows) - 1)]
        self.settle(row, min(3, self.view_height // 3))
        return True

    def find(self, step: int = 1) -> bool:
        """Scroll to the next (-1: last) row that the pattern of `highlight` matches.

        Goes on at the other end; False where nothing matches.
        """
        if self._found is None or not self.count:
            return False
        here = self.visible_rows[0]
        for distance in range(1, self.count + 1):
            row = (here + step * distance) % self.count
            part, within = self._place(row)
            if self._found.search(part.text(within)):
                self.settle(row, 0)
                return True
        return False

    # Moves

    def action_move(self, lines: int) -> None:
        """Scroll by lines."""
        row, line = self.position()
        self.settle(row, line - lines)

    def action_page(self, pages: float) -> None:
        """Scroll by screens."""
        self.action_move(round(self.view_height * pages))

    def action_top(self) -> None:
        """Scroll to the beginning."""
        self.settle(0, 0)

    def action_bottom(self) -> None:
        """Scroll to the end."""
        self.show_end()


def _core(words: str) -> str:
    """The words around a match without what was cut and added at their ends."""
    return " ".join(words.strip("…").split())[:_CORE]
