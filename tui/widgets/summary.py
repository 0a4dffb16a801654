"""The summary that a compaction left, with the sentences that show what it was made of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType
from textual.strip import Strip

from ccbrowse.core.text import SafeText
from ccbrowse.tui.measured import MOVES, MeasuredScroll
from ccbrowse.tui.paint import blank, paint, slice_line, wrap
from ccbrowse.tui.signs import UNICODE, Signs
from ccbrowse.tui.viewmodels.compaction_loss import SummaryLine
from ccbrowse.tui.viewtypes import Line, Piece, Tone

_GUTTER = 2
_LEAD = re.compile(r" *(?:(?:[-*+•]|\d{1,2}[.)]) +)?")


def _indent(text: str, width: int) -> int:
    """The cells of blanks and a list item's sign, under which a line's other lines do not go."""
    lead = _LEAD.match(text)
    return min(lead.end(), width // 4) if lead else 0


class SummaryPane(MeasuredScroll):
    """Draws the summary; sentences that show something have a bar beside them, the chosen one is marked."""

    BINDINGS: ClassVar[list[BindingType]] = MOVES

    def __init__(
        self, *, signs: Signs = UNICODE, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(signs=signs, id=id, classes=classes)
        self._lines: list[SummaryLine] = []
        self._chosen: int | None = None
        self._found: re.Pattern[str] | None = None

    def show(self, lines: Sequence[SummaryLine]) -> None:
        """Show a summary; the place is kept where it is the same text."""
        same = [line.text for line in lines] == [line.text for line in self._lines]
        place = self.position() if same else (0, 0)
        self._lines = list(lines)
        self._chosen = None
        self.take_rows(lambda: self.settle(*place))

    def choose(self, sentence: int | None) -> bool:
        """Mark a sentence and bring it into view; False where it is not in the text."""
        row = self._row_of(sentence)
        self._chosen = sentence
        self.refresh()
        if row is not None:
            self.show_row(row, middle=True)
        return row is not None

    def _row_of(self, sentence: int | None) -> int | None:
        if sentence is None:
            return None
        for row, line in enumerate(self._lines):
            if any(span.sentence == sentence for span in line.spans):
                return row
        return None

    @property
    def available(self) -> int:
        """Lines of the text."""
        return len(self._lines)

    def look_of(self, row: int) -> tuple[object, ...]:
        """A line looks by the chosen sentence, where it is in it."""
        spans = self._lines[row].spans
        here = any(span.sentence == self._chosen for span in spans)
        return self._chosen if here else None, self._found

    def draw_row(self, row: int) -> list[Strip]:
        """Draw a line of the text."""
        width = self.line_width
        words = self._lines[row]
        whole = self._toned(words)
        strips = []
        indent = _indent(words.text, width)
        for start, end in wrap(words.text, max(1, width - _GUTTER - 1 - indent)):
            shown = [s for s in words.spans if s.start < end and start < s.end]
            margin = blank(indent if start else 0)
            edge = self._edge([s.sentence for s in shown])
            line = (edge, Piece(margin), *slice_line(whole, start, end))
            strips.append(paint(self, line, width, self.signs, found=self._found))
        return strips

    def _edge(self, sentences: Sequence[int]) -> Piece:
        """The bar at the left of what shows something."""
        if self._chosen is not None and self._chosen in sentences:
            return Piece(SafeText(f"{self.signs.cursor} "), Tone.PERSON)
        if sentences:
            return Piece(SafeText(f"{self.signs.side} "), Tone.TOOL)
        return Piece(SafeText("  "))

    def _toned(self, words: SummaryLine) -> Line:
        plain = Tone.STRONG if words.heading else Tone.PLAIN
        pieces: list[Piece] = []
        at = 0
        for span in words.spans:
            tone = Tone.MARK if span.sentence == self._chosen else Tone.TOOL
            pieces.append(Piece(SafeText(words.text[at : span.start]), plain))
            pieces.append(Piece(SafeText(words.text[span.start : span.end]), tone))
            at = span.end
        pieces.append(Piece(SafeText(words.text[at:]), plain))
        return tuple(piece for piece in pieces if piece.text)

    # Searching

    def highlight(self, found: re.Pattern[str] | None) -> None:
        """Mark what a pattern matches; None: nothing."""
        self._found = found
        self.refresh()

    def find(self, step: int) -> bool:
        """Scroll to the next line (-1: the one before) that the pattern matches, and around."""
        count = self.count
        if self._found is None or not count:
            return False
        here = self.visible_rows[0]
        for distance in range(1, count + 1):
            row = (here + step * distance) % count
            if self._found.search(self._lines[row].text):
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
