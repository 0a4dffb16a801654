"""The context curve: how full the window was over the session's requests, and where it was compacted."""

from __future__ import annotations

from itertools import accumulate, pairwise

from textual import events
from textual.message import Message

from ccbrowse.core.text import SafeText, cell_width
from ccbrowse.tui.paint import PANE_RULES, PaintedWidget, blank
from ccbrowse.tui.signs import UNICODE, Signs, resample
from ccbrowse.tui.viewrails import FillView
from ccbrowse.tui.viewtypes import NOTHING, Line, Piece, Tone

_AXIS_FROM = 40
_FEWEST = 3

Column = tuple[int, Tone]
"""Tokens and tone of one column; -1 tokens: a boundary's mark."""


class Fill(PaintedWidget):
    """Draws a `FillView` in whatever room there is: one line is enough for the curve alone."""

    DEFAULT_CSS = f"Fill {{ height: 7; {PANE_RULES} }}"

    class Chosen(Message):
        """A segment of the curve was clicked."""

        def __init__(self, sender: Fill, number: int) -> None:
            super().__init__()
            self.sender = sender
            """The curve."""
            self.number = number
            """The segment's number."""

        @property
        def control(self) -> Fill:
            """The curve, for the selectors of ``@on``."""
            return self.sender

    def __init__(
        self, *, signs: Signs = UNICODE, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(signs=signs, id=id, classes=classes)
        self._view = FillView(())
        self._margin = 0
        self._edges: list[int] = []

    def show(self, view: FillView) -> None:
        """Show this curve."""
        if view != self._view:
            self._view = view
            self.redraw()

    def draw(self, width: int, height: int) -> list[Line]:
        """Lay the curve out: the plot, and the segments' names beneath where there are two lines."""
        view = self._view
        axis = dict(view.axis) if width >= _AXIS_FROM and height >= _FEWEST else {}
        self._margin = max((cell_width(label) + 1 for label in axis.values()), default=0)
        columns = self._columns(width - self._margin)
        rows = height if height < 2 else height - 1
        peak = max((tokens for tokens, _ in columns), default=0)
        scale = max(view.window or 0, peak, 1)
        labels = self._axis_labels(axis, scale, rows)
        lines = [
            self._plot_line(columns, row, rows, scale, labels.get(row, NOTHING), width)
            for row in reversed(range(rows))
        ]
        return [*lines, self._names(width)] if height >= 2 else lines

    def _columns(self, room: int) -> list[Column]:
        """Give each column its tokens; remember where each segment begins in `_edges`."""
        segments = [segment for segment in self._view.segments if segment.values]
        count = len(segments)
        room = max(1, room)
        if count * _FEWEST > room:
            self._edges = []
            values = [value for segment in segments for value in segment.values]
            return [(tokens, Tone.TOOL) for tokens in resample(values, min(room, len(values)))]
        total = sum(len(segment.values) for segment in segments)
        sums = accumulate((len(segment.values) for segment in segments), initial=0)
        spare = room - (count - 1) - count  # beside one column for each and the marks between
        edges = (
            list(sums)
            if total <= spare + count
            else [number + spare * done // total for number, done in enumerate(sums)]
        )
        columns: list[Column] = []
        self._edges = []
        for segment, (low, high) in zip(segments, pairwise(edges), strict=True):
            if self._edges:
                columns.append((-1, Tone.PERSON))
            self._edges.append(len(columns))
            tone = Tone.GOOD if segment.is_open else Tone.TOOL
            columns += [(tokens, tone) for tokens in resample(segment.values, high - low)]
        return columns

    def _axis_labels(self, axis: dict[int, SafeText], scale: int, rows: int) -> dict[int, SafeText]:
        """Place the axis' labels, the first ones where two fall on one line."""
        labels: dict[int, SafeText] = {}
        for tokens, label in axis.items():
            if 0 < tokens <= scale:
                labels.setdefault(_row_of(tokens, scale, rows), label)
        return labels

    def _plot_line(
        self, columns: list[Column], row: int, rows: int, scale: int, label: SafeText, width: int
    ) -> Line:
        """Lay out one line of the plot, `row` counted from below."""
        window = self._view.window
        dotted = window is not None and _row_of(window, scale, rows) == row
        empty = Piece(SafeText(self.signs.window if dotted else " "), Tone.MUTED)
        line = [Piece(SafeText(f"{label}{blank(self._margin - cell_width(label))}"), Tone.MUTED)]
        for tokens, tone in columns:
            if tokens < 0:
                line.append(Piece(SafeText(self.signs.side), tone))
                continue
            filled = -(-tokens * 8 * rows // scale) - 8 * row
            level = SafeText(self.signs.levels[min(8, filled) - 1]) if filled > 0 else empty.text
            line.append(Piece(level, tone if filled > 0 else empty.tone))
        rest = max(0, width - self._margin - len(columns))
        line.append(Piece(SafeText(f"{empty.text * rest}"), empty.tone))
        return _joined(line)

    def _names(self, width: int) -> Line:
        """Write each segment's label under its beginning; its number, or nothing, where it is narrow."""
        segments = [segment for segment in self._view.segments if segment.values]
        line = [Piece(blank(self._margin))]
        at = 0
        ends = [*self._edges[1:], width - self._margin]
        for segment, begin, end in zip(segments, self._edges, ends, strict=False):
            number = SafeText(f"{segment.number}")
            label: SafeText = segment.label or number
            if cell_width(label) >= end - begin:
                label = number
            if cell_width(label) <= end - begin:
                tone = Tone.GOOD if segment.is_open else Tone.MUTED
                line += [Piece(blank(begin - at)), Piece(label, tone)]
                at = begin + cell_width(label)
        return tuple(line)

    def on_click(self, event: events.Click) -> None:
        """Say which segment was clicked."""
        offset = event.get_content_offset(self)
        if offset is None:
            return
        segments = [segment for segment in self._view.segments if segment.values]
        begun = [edge for edge in self._edges if edge <= offset.x - self._margin]
        if begun:
            self.post_message(self.Chosen(self, segments[len(begun) - 1].number))


def _row_of(tokens: int, scale: int, rows: int) -> int:
    """Find the line, counted from below, in which a value's top lies."""
    return min(rows - 1, max(0, (tokens * rows - 1) // scale))


def _joined(line: list[Piece]) -> Line:
    """Join neighbours of one tone, so that a line is a few pieces and not one a cell."""
    joined: list[Piece] = []
    for piece in line:
        if joined and joined[-1].tone is piece.tone:
            joined[-1] = Piece(SafeText(f"{joined[-1].text}{piece.text}"), piece.tone)
        else:
            joined.append(piece)
    return tuple(joined)
