"""A scroll view over rows that are measured when they come into view: the ground of all panes.

What is on the screen stays where it is when rows above turn out to be higher, when rows come at
the end, and when the width changes: position is a row and the line of the view it stands at,
never a line number of the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.cache import LRUCache
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBarRender
from textual.strip import Strip

from ccbrowse.tui.heights import Heights
from ccbrowse.tui.paint import PANE_RULES, TONE_CLASSES, TONE_CSS
from ccbrowse.tui.signs import UNICODE, Signs

MOVES: list[BindingType] = [
    Binding("j,down", "move(1)", "Down", id="move.down", show=False),
    Binding("k,up", "move(-1)", "Up", id="move.up", show=False),
    Binding("ctrl+d", "page(0.5)", "Half a page down", id="move.half-down", show=False),
    Binding("ctrl+u", "page(-0.5)", "Half a page up", id="move.half-up", show=False),
    Binding("space,pagedown", "page(1)", "Page down", id="move.page-down", show=False),
    Binding("pageup", "page(-1)", "Page up", id="move.page-up", show=False),
    Binding("g,home", "top", "To the top", id="move.top", show=False),
    Binding("G,end", "bottom", "To the end", id="move.bottom", show=False),
]
"""The moves that all panes share; remapped by their ids in all of them at once."""

_STRIPS = 512


class PlainBars(ScrollBarRender):
    """A scrollbar of whole cells, for plain signs."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "] * 8


class MeasuredScroll(ScrollView, can_focus=True):
    """Rows of unknown height, drawn by lines. Subclasses give `available` and `draw_row`."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = TONE_CLASSES
    DEFAULT_CSS = (
        f"""
    MeasuredScroll {{
        overflow-y: auto; overflow-x: hidden;
        scrollbar-gutter: stable; scrollbar-size-vertical: 1;
        scrollbar-background: $background; scrollbar-color: $foreground 25%;
        {PANE_RULES}
    }}
    """
        + TONE_CSS
    )

    def __init__(
        self, *, signs: Signs = UNICODE, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(id=id, classes=classes)
        self.signs = signs
        """The set of signs to draw with; fixed when the widget is made."""
        self.heights = Heights()
        self._strips: LRUCache[tuple[object, ...], list[Strip]] = LRUCache(_STRIPS)
        self._looks: dict[int, int] = {}
        """By row, how often it had to be drawn anew: part of the cache's key."""
        self._settled_for = 0, 0
        self._settling = False
        self.set_class(signs.plain, "-plain")

    def on_mount(self) -> None:
        """Draw the scrollbar with plain signs too."""
        if self.signs.plain:
            self.vertical_scrollbar.renderer = PlainBars  # type: ignore[misc]  # of this one alone

    # What subclasses give

    @property
    def available(self) -> int:
        """How many rows there are to take; `count` of them were taken."""
        raise NotImplementedError

    def draw_row(self, row: int) -> list[Strip]:
        """Draw all lines of a row, `line_width` cells wide; at least one."""
        raise NotImplementedError

    def guess_heights(self) -> Iterable[int]:
        """Guess the heights of rows that are not measured yet; for the scrollbar only."""
        return ()

    def look_of(self, row: int) -> tuple[object, ...]:
        """Name all that a row's look depends on, but its content: part of the cache's key."""
        return ()

    @property
    def kept_row(self) -> int:
        """The row that has to keep its place while it is in view; -1: the top one."""
        return -1

    @property
    def keeps_end(self) -> bool:
        """Whether the end has to stay in view when the size changes."""
        return False

    # What subclasses use

    @property
    def count(self) -> int:
        """How many rows are shown: those that were there when they were last taken."""
        return len(self.heights)

    @property
    def line_width(self) -> int:
        """Cells of a line, at least 1."""
        return max(1, self.scrollable_content_region.width)

    @property
    def view_height(self) -> int:
        """Lines in view; 0 before the first layout."""
        return self.scrollable_content_region.height

    @property
    def top_line(self) -> int:
        """The line of the whole that stands at the top of the view."""
        return round(self.scroll_y)

    @property
    def visible_rows(self) -> range:
        """The rows that are in view, at least in part."""
        if not self.heights:
            return range(0)
        first = self.heights.at(self.top_line)[0]
        return range(first, self.heights.at(self.top_line + max(1, self.view_height) - 1)[0] + 1)

    def strips_of(self, row: int) -> list[Strip]:
        """Give the lines of a row, drawn or from the cache."""
        look = self._looks.get(row, 0)
        key = (row, look, self.line_width, self.app.theme, self.signs.plain, *self.look_of(row))
        strips = self._strips.get(key)
        if strips is None:
            strips = self._strips[key] = self.draw_row(row)
        return strips

    def take_rows(self, place: Callable[[], None]) -> None:
        """Start anew because all rows are other ones; `place` then calls `settle` or `show`."""
        self._strips.clear()
        self._looks.clear()
        self.heights = Heights(self.available, self.guess_heights())
        place()
        self.refresh()

    def take_new_rows(self) -> int:
        """Take the rows that were added at the end, and say how many; costs what they are."""
        added = self.available - self.count
        if added > 0:
            self.heights.extend(added)
            self.settle(*self.position())
            self.refresh()
        return max(0, added)

    def forget_look(self, *rows: int) -> None:
        """Draw and measure some rows anew, all where none is named; what is in view keeps its place."""
        before = [self.heights[row] for row in rows]
        place = self.position()
        for row in rows:
            self._looks[row] = self._looks.get(row, 0) + 1
            self.heights.forget(row)
        if not rows:
            self._strips.clear()
            self.heights.forget()
        self.settle(*place)
        if rows and before == [self.heights[row] for row in rows]:
            for row in rows:
                self.refresh_lines(self.heights.top(row), self.heights[row])
        else:
            self.refresh()

    # Position

    def position(self, view: int | None = None) -> tuple[int, int]:
        """Name what has to stay: a row in view and the line of the view at which it begins.

        `view` is the height that counts as in view, if it is not the present one.
        """
        if not self.heights:
            return 0, 0
        kept = self.kept_row
        if 0 <= kept < len(self.heights):
            line = self.heights.top(kept) - self.top_line
            if 0 <= line < (self.view_height if view is None else view):
                return kept, line
        row, within = self.heights.at(self.top_line)
        return row, -within

    def settle(self, row: int, line: int) -> None:
        """Scroll so that a row begins at a line of the view, measuring what comes into view."""
        if not self.is_mounted or not self.view_height:
            return
        row = min(max(0, row), max(0, self.count - 1))
        while True:
            self._measure_around(row, line)
            wanted = self.heights.top(row) - line
            scroll = min(max(0, wanted), max(0, self.heights.total - self.view_height))
            if scroll == wanted:
                break
            line += wanted - scroll  # an end of the list is in view, other rows may be as well
        self._settling = True
        self.virtual_size = Size(self.line_width, self.heights.total)
        self.scroll_target_y = self.scroll_y = scroll
        self._settling = False
        self.watch_show_vertical_scrollbar(self.show_vertical_scrollbar)

    def watch_show_vertical_scrollbar(self, shown: bool) -> None:
        """Place the thumb: Textual leaves it at the top if the view was scrolled before it was shown."""
        if shown:
            self.vertical_scrollbar.position = self.scroll_y

    def show_row(self, row: int, *, middle: bool = False) -> None:
        """Bring a row into view, with two lines around it where there is room."""
        if not self.view_height or not self.count:
            return
        lines = self.measure(row)
        top = self.heights.top(row) - self.top_line
        margin = min(2, max(0, self.view_height - lines) // 2)
        highest, lowest = margin, max(margin, self.view_height - lines - margin)
        if middle and not highest <= top <= lowest:
            top = (self.view_height - lines) // 2
        self.settle(row, min(max(top, highest), lowest))

    def show_end(self) -> None:
        """Scroll to the end."""
        if self.count and self.view_height:
            self.settle(self.count - 1, self.view_height - self.measure(self.count - 1))

    def measure(self, row: int) -> int:
        """Give the true height of a row, drawing it if it is not known."""
        if not self.heights.is_measured(row):
            self.heights.set(row, len(self.strips_of(row)))
        return self.heights[row]

    def _measure_around(self, row: int, line: int) -> None:
        """Measure the rows in view, starting from one row and the line it stands at."""
        below, at = line, row
        while at < self.count and below < self.view_height:
            below += self.measure(at)
            at += 1
        above, at = line, row
        while at > 0 and above > 0:
            at -= 1
            above -= self.measure(at)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Measure what comes into view; what was in view moves by exactly as much as was asked."""
        super().watch_scroll_y(old_value, new_value)
        if self._settling or not self.heights:
            return
        old, new = round(old_value), round(new_value)
        if new >= self.heights.total - self.view_height:
            self.show_end()
        elif abs(new - old) <= self.view_height:
            row, _ = self.heights.at(old)
            self.settle(row, self.heights.top(row) - new)
        else:
            row, within = self.heights.at(new)
            self.settle(row, -within)

    def on_resize(self) -> None:
        """Wrap anew for another width; what was in view keeps its place, the kept row stays in it."""
        row, line = self.position(self._settled_for[1])
        if self._settled_for[0] != self.line_width:
            self.heights.forget()
        first = not self._settled_for[1]
        self._settled_for = self.line_width, self.view_height
        self.settle(row, line)
        if self.keeps_end:
            self.show_end()
        elif row == self.kept_row or (first and self.kept_row > 0):
            self.show_row(self.kept_row)

    # Drawing

    def render_line(self, y: int) -> Strip:
        """Draw one line of the view."""
        line = self.top_line + y
        if line < self.heights.total:
            row, within = self.heights.at(line)
            strips = self.strips_of(row)
            if within < len(strips):
                return strips[within]
        return Strip.blank(self.line_width, self.get_visual_style("row--plain").rich_style)

    def notify_style_update(self) -> None:
        """Forget what was drawn in other styles."""
        super().notify_style_update()
        self._strips.clear()
