"""The timeline: one row for each thing that happened, of any number, live if it is growing."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.scrollbar import ScrollTo, ScrollUp

from ccbrowse.core.text import SafeText
from ccbrowse.tui.rows import lay_out
from ccbrowse.tui.signs import UNICODE, Signs
from ccbrowse.tui.viewtypes import NOTHING, Line, Row, RowSource, Tone
from ccbrowse.tui.virtual import VirtualList

_LOOK_AROUND = 5_000


class _NoRows:
    """A source without rows, for a timeline that has none yet."""

    def __len__(self) -> int:
        return 0

    def row(self, index: int) -> Row:
        raise IndexError(index)

    def key(self, index: int) -> str:
        raise IndexError(index)

    def index(self, key: str) -> int | None:
        return None


class Timeline(VirtualList):
    """Draws the rows of a `RowSource`; knows the cursor, a chosen range, and whether it follows.

    A timeline that follows has its cursor on the last row and goes with new ones; any move up
    pauses it, and rows that come are counted until it follows again.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("F", "follow", "Follow", id="timeline.follow", show=False),
        Binding("v", "range", "Range", id="timeline.range", show=False),
    ]

    following: reactive[bool] = reactive(False, repaint=False, init=False)
    """Whether new rows are followed; `follow` and `pause` set it."""
    unread: reactive[int] = reactive(0, repaint=False, init=False)
    """Rows that came while it was paused."""

    class FollowChanged(Message):
        """It follows or pauses now, or more rows are unread."""

        def __init__(self, sender: Timeline, following: bool, unread: int) -> None:
            super().__init__()
            self.sender = sender
            """The timeline."""
            self.following = following
            """Whether it follows now."""
            self.unread = unread
            """Rows that came while it was paused."""

        @property
        def control(self) -> Timeline:
            """The timeline, for the selectors of ``@on``."""
            return self.sender

        def can_replace(self, message: Message) -> bool:
            """Only the last state matters."""
            return isinstance(message, Timeline.FollowChanged) and message.sender is self.sender

    class RangeChanged(Message):
        """Another range of rows is chosen, or none."""

        def __init__(self, sender: Timeline, first: str, last: str) -> None:
            super().__init__()
            self.sender = sender
            """The timeline."""
            self.first = first
            """Key of the first row chosen; empty: none."""
            self.last = last
            """Key of the last row chosen; empty: none."""

        @property
        def control(self) -> Timeline:
            """The timeline, for the selectors of ``@on``."""
            return self.sender

    def __init__(
        self,
        source: RowSource | None = None,
        *,
        signs: Signs = UNICODE,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(signs=signs, id=id, classes=classes)
        self.source: RowSource = _NoRows() if source is None else source
        self._caption = NOTHING
        self._written: str = NOTHING
        self._range_from = -1
        self.take_rows(lambda: None)
        self.set_reactive(VirtualList.cursor, min(0, len(self.source) - 1))

    # Rows

    @property
    def available(self) -> int:
        """How many rows the source has."""
        return len(self.source)

    def key_at(self, row: int) -> str:
        """Give the key of a row."""
        return self.source.key(row)

    def index_of(self, key: str) -> int | None:
        """Find the row of a key; None where it is not shown."""
        row = self.source.index(key)
        return row if row is not None and row < self.count else None

    @property
    def keeps_end(self) -> bool:
        """The end stays in view while it follows."""
        return self.following

    def lines_of(self, row: int, width: int) -> list[Line]:
        """Lay a row out."""
        return lay_out(self.source.row(row), width, self.signs)

    def replace_rows(self, source: RowSource) -> None:
        """Show other rows: after a filter, a toggle, a change of the main line.

        The cursor stays on its key, at the same line of the view; where the key is not shown any
        more, on the next one that is. A range stays on its keys or is dropped.
        """
        old_source, row, line = self.source, *self.position()
        range_key = old_source.key(self._range_from) if self._range_from >= 0 else ""
        cursor = self._nearest(source, self.cursor)
        anchor = cursor if row == self.cursor else self._nearest(source, row)
        self.source = source
        found = source.index(range_key) if range_key else None
        self._range_from = -1 if found is None else found
        before = self.cursor
        self.set_reactive(VirtualList.cursor, min(cursor, len(source) - 1))
        self.take_rows(lambda: self.settle(anchor, line))
        if self.following:
            self.follow()
        if not (before == self.cursor and old_source is source):
            self.notify_moved()

    def _nearest(self, source: RowSource, row: int) -> int:
        """Find the row of a new source that shows what the old one had at `row`, or near it."""
        if row < 0:
            return 0
        for step in range(min(self.count, _LOOK_AROUND)):
            for near in (row + step, row - step):
                if (
                    0 <= near < self.count
                    and (found := source.index(self.source.key(near))) is not None
                ):
                    return found
        return min(row, max(0, len(source) - 1))

    def grown(self) -> None:
        """Take rows that the source got at its end, and follow them or count them as unread."""
        added = self.take_new_rows()
        if not added:
            return
        if self.following:
            self.follow()
            return
        self.unread += added
        if self.cursor < 0:
            self.cursor = 0

    def changed(self, *keys: str) -> None:
        """Draw rows anew that say something else now, such as a call whose result came."""
        rows = [row for key in keys if (row := self.index_of(key)) is not None]
        if rows:
            self.forget_look(*rows)

    # Following

    def follow(self) -> None:
        """Go to the end and stay with it."""
        self.following = True
        self.unread = 0
        super().action_bottom()

    def pause(self) -> None:
        """Stop following, as any move up does; a search calls this."""
        self.following = False

    def action_follow(self) -> None:
        """Follow, or pause if it does."""
        if self.following:
            self.pause()
        else:
            self.follow()

    def action_bottom(self) -> None:
        """Go to the end, which also follows again."""
        self.follow()

    def watch_following(self) -> None:
        """Say that it follows or pauses."""
        self._tell()

    def watch_unread(self) -> None:
        """Say how many rows are unread."""
        self._tell()

    def _tell(self) -> None:
        if self.is_mounted:
            self.post_message(self.FollowChanged(self, self.following, self.unread))
            self._write_caption()

    def watch_cursor(self, old: int, new: int) -> None:
        """Pause on any move away from the end, and stretch the range."""
        super().watch_cursor(old, new)
        if new < self.count - 1:
            self.pause()
        if self._range_from >= 0:
            self.refresh()
            self._tell_range()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Pause when the wheel goes up."""
        self.pause()

    def on_scroll_up(self, event: ScrollUp) -> None:
        """Pause when the scrollbar is clicked above its thumb."""
        self.pause()

    def on_scroll_to(self, event: ScrollTo) -> None:
        """Pause when the scrollbar is dragged up."""
        if event.y is not None and event.y < self.scroll_y:
            self.pause()

    # Caption

    @property
    def caption(self) -> SafeText:
        """What stands in the lower border: ``212 turns · 5,391 lines``."""
        return self._caption

    @caption.setter
    def caption(self, text: SafeText) -> None:
        self._caption = text
        self._write_caption()

    @property
    def notice(self) -> SafeText:
        """``❚❚ paused · 14 new ↓`` while rows are unread, else nothing."""
        if self.following or not self.unread:
            return NOTHING
        return SafeText(f"{self.signs.paused} paused · {self.unread:,} new {self.signs.down}")

    def _write_caption(self) -> None:
        parts: list[SafeText] = [part for part in (self.notice, self._caption) if part]
        words = self.signs.text(SafeText(" · ".join(parts)))
        if words != self._written:  # to set it draws the whole timeline anew
            self._written = words
            self.border_subtitle = Content(words)

    # Range

    @property
    def chosen(self) -> range:
        """The rows of the chosen range; empty where none is chosen."""
        if self._range_from < 0:
            return range(0)
        first, last = sorted((self._range_from, self.cursor))
        return range(first, last + 1)

    def action_range(self) -> None:
        """Begin a range at the cursor, or end choosing."""
        self._range_from = self.cursor if self._range_from < 0 else -1
        self.refresh()
        self._tell_range()

    def clear_range(self) -> bool:
        """Choose nothing; False where nothing was chosen."""
        if self._range_from < 0:
            return False
        self.action_range()
        return True

    def _tell_range(self) -> None:
        rows = self.chosen
        first, last = (self.key_at(rows[0]), self.key_at(rows[-1])) if rows else ("", "")
        self.post_message(self.RangeChanged(self, first, last))

    def ground_of(self, row: int) -> str:
        """Rows of the range have a ground of their own."""
        return "row--chosen" if row in self.chosen else "row--plain"

    def bar_of(self, row: int) -> tuple[SafeText, Tone] | None:
        """Rows of the range have a bar, too."""
        if row != self.cursor and row in self.chosen:
            return SafeText(self.signs.chosen), Tone.TOOL
        return super().bar_of(row)
