"""The rail: a session's segments, each with its curve, its sizes and what is wrong in it."""

from __future__ import annotations

from textual import events
from textual.message import Message

from ccbrowse.core.text import SafeText
from ccbrowse.tui.paint import blank, cut_line, toned
from ccbrowse.tui.signs import UNICODE, Signs, sparkline
from ccbrowse.tui.viewrails import RailView, SegmentView
from ccbrowse.tui.viewtypes import Line, Piece, Tone
from ccbrowse.tui.virtual import VirtualList

_CURVE = 6
_GUTTER = 2


class Segments(VirtualList):
    """Draws a `RailView`. Keys are the segments' numbers as text: ``"3"``.

    `Moved` is posted when the cursor comes to another segment, `Opened` for enter or a double
    click. To move it without a message: ``with rail.prevent(VirtualList.Moved): rail.go_to("3")``.
    """

    class FooterChosen(Message):
        """The lines under the segments (branches) were clicked."""

        def __init__(self, sender: Segments) -> None:
            super().__init__()
            self.sender = sender
            """The rail."""

        @property
        def control(self) -> Segments:
            """The rail, for the selectors of ``@on``."""
            return self.sender

    def __init__(
        self, *, signs: Signs = UNICODE, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(signs=signs, id=id, classes=classes)
        self._view = RailView(())
        self._scale = 1

    def show(self, view: RailView) -> None:
        """Show these segments; the cursor stays on its number, else it goes to the last one."""
        before, scale = self._view, self._scale
        if view == before:
            return
        row, line = self.position()
        key = self.cursor_key
        self._view = view
        self._scale = view.scale or max((max(s.curve, default=0) for s in view.segments), default=0)
        found = self.index_of(key) if key else None
        if found is not None and self._scale == scale and _alike(view, before):
            changed = zip(view.segments, before.segments, strict=True)
            self.forget_look(*(row for row, (now, old) in enumerate(changed) if now != old))
            return
        cursor = len(view.segments) - 1 if found is None else found
        self.take_rows(lambda: self.settle(row, line))
        self.cursor = cursor
        if found is None:
            self.show_row(max(0, cursor))

    @property
    def available(self) -> int:
        """Segments, and one row for the footer."""
        return len(self._view.segments) + bool(self._view.footer)

    def key_at(self, row: int) -> str:
        """Give a segment's number; nothing for the footer."""
        segments = self._view.segments
        return str(segments[row].number) if row < len(segments) else ""

    def index_of(self, key: str) -> int | None:
        """Find a segment by its number."""
        for row, segment in enumerate(self._view.segments):
            if str(segment.number) == key:
                return row
        return None

    def move_to(self, row: int, *, middle: bool = False) -> None:
        """Move among the segments; the footer takes no cursor."""
        if self._view.segments:
            super().move_to(min(row, len(self._view.segments) - 1), middle=middle)

    def on_click(self, event: events.Click) -> None:
        """Say that the footer was clicked."""
        offset = event.get_content_offset(self)
        line = self.top_line + offset.y if offset is not None else -1
        if 0 <= line < self.heights.total:
            row = self.heights.at(line)[0]
            if row >= len(self._view.segments):
                event.prevent_default()
                self.post_message(self.FooterChosen(self))

    def look_of(self, row: int) -> tuple[object, ...]:
        """The number of the segment under the cursor is strong."""
        return *super().look_of(row), row == self.cursor

    def lines_of(self, row: int, width: int) -> list[Line]:
        """Lay out a segment, or the footer; a blank line after each."""
        segments = self._view.segments
        room = max(0, width - _GUTTER)
        if row >= len(segments):
            lines = [cut_line(line, room) for line in self._view.footer]
        else:
            lines = [cut_line(line, room) for line in self._segment(segments[row], row)]
        return [*((Piece(blank(_GUTTER)), *line) for line in lines), ()]

    def _segment(self, segment: SegmentView, row: int) -> list[Line]:
        digits = len(str(self._view.segments[-1].number))
        number = SafeText(f"{segment.number:>{digits}} ")
        curve = sparkline(segment.curve, _CURVE, self._scale)
        head = (
            Piece(number, Tone.STRONG if row == self.cursor else Tone.MUTED),
            Piece(curve, Tone.GOOD if segment.is_open else Tone.TOOL),
            Piece(blank(2)),
            *segment.size,
        )
        margin = Piece(blank(digits + 1))
        lines: list[Line] = [head]
        lines += [(margin, *toned(note, Tone.MUTED)) for note in segment.notes]
        if segment.findings:
            sign = SafeText(f"{blank(digits - 1)}{self.signs.finding} ")
            lines.append((Piece(sign, Tone.WARN), Piece(segment.findings, Tone.MUTED)))
        return lines


def _alike(view: RailView, other: RailView) -> bool:
    """Whether two rails have as many segments, not all of them other ones, and the same footer."""
    both = len(view.segments), view.footer
    return both == (len(other.segments), other.footer) and view.segments != other.segments
