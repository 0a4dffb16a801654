"""From pieces of text to strips on the screen: tones, wrapping by cells, highlighted matches.

Widgets that draw by lines take their component classes and default styles from here, so that
a tone looks the same everywhere and in every theme.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import ClassVar

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget

from ccbrowse.core.text import SafeText, cell_width, fit
from ccbrowse.tui.signs import UNICODE, Signs
from ccbrowse.tui.viewpictures import Picture
from ccbrowse.tui.viewtypes import Line, Piece, Tone

_CLASSES = {tone: f"tone--{tone.name.lower()}" for tone in Tone}

TONE_CLASSES = {*_CLASSES.values(), "row--plain", "row--cursor", "row--chosen"}
"""For `COMPONENT_CLASSES` of each widget that paints: one class a tone, and the grounds of rows."""

TONE_CSS = """
.tone--muted { color: $foreground 55%; }
.tone--strong { text-style: bold; }
.tone--person { color: $text-accent; text-style: bold; }
.tone--tool { color: $text-primary; }
.tone--good { color: $text-success; }
.tone--warn { color: $text-warning; }
.tone--bad { color: $text-error; }
.tone--emphasis { text-style: italic; }
.tone--mark { background: $primary 35%; text-style: underline; }
.row--chosen { background: $primary 15%; }
"""
"""For `DEFAULT_CSS` of the same widgets (it is scoped to their type by Textual)."""

PANE_RULES = """
    background: $background;
    border: round $foreground 25%;
    border-title-color: $foreground 55%; border-subtitle-color: $foreground 55%;
    &:focus { border: round $primary; border-title-color: $primary; }
    &.-plain { border: ascii $foreground 25%; }
    &.-plain:focus { border: ascii $primary; }
"""
"""The rules of a pane: one calm ground, a rounded border, primary where the focus is."""


def paint(
    widget: Widget,
    line: Line,
    width: int,
    signs: Signs,
    ground: str = "row--plain",
    found: re.Pattern[str] | None = None,
) -> Strip:
    """Draw one line exactly `width` cells wide in the widget's styles.

    `ground` is the component class beneath the tones. Where `found` matches in the line's text,
    `Tone.MARK` lies over the tone.
    """
    segments: list[Segment] = []
    for text, tone, marked in _cut_at_matches(line, found):
        names = (
            (ground, _CLASSES[tone], _CLASSES[Tone.MARK]) if marked else (ground, _CLASSES[tone])
        )
        told: SafeText = text if text.isascii() else _kept_in_place(signs.text(text))
        segments.append(Segment(told, widget.get_visual_style(*names).rich_style))
    return Strip(segments).adjust_cell_length(width, widget.get_visual_style(ground).rich_style)


_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_MARK = "\u200e"
"""Left-to-right mark: no cell wide."""


def _kept_in_place(text: SafeText) -> SafeText:
    """A text that runs to the left between marks: a terminal that turns it round leaves its neighbours."""
    return SafeText(f"{_MARK}{text}{_MARK}") if _RIGHT_TO_LEFT.search(text) else text


def _cut_at_matches(
    line: Line, found: re.Pattern[str] | None
) -> Iterator[tuple[SafeText, Tone, bool]]:
    """Go over a line's texts, cut where matches begin and end."""
    matches = _matches(line, found) if found is not None else []
    start = 0
    for piece in line:
        end = start + len(piece.text)
        at = start
        for low, high in matches:
            low, high = max(low, start), min(high, end)
            if low < high:
                if at < low:
                    yield SafeText(piece.text[at - start : low - start]), piece.tone, False
                yield SafeText(piece.text[low - start : high - start]), piece.tone, True
                at = high
        if at < end:
            yield SafeText(piece.text[at - start :]), piece.tone, False
        start = end


def _matches(line: Line, found: re.Pattern[str]) -> list[tuple[int, int]]:
    text = "".join(piece.text for piece in line)
    return [match.span() for match in found.finditer(text) if match.group()]


def picture_strip(picture: Picture, row: int, indent: int, width: int, ground: Style) -> Strip:
    """Draw one row of a picture: of each cell the upper half in one colour, the lower in another."""
    wide = picture.cells * 3
    above = picture.pixels[2 * row * wide : (2 * row + 1) * wide]
    below = picture.pixels[(2 * row + 1) * wide : (2 * row + 2) * wide]
    segments = [Segment(" " * indent, ground)]
    for at in range(0, wide, 3):
        colours = (Color.from_rgb(*half[at : at + 3]) for half in (above, below))
        segments.append(Segment("▀", Style.from_color(*colours)))
    return Strip(segments, indent + picture.cells).adjust_cell_length(width, ground)


def blank(cells: int) -> SafeText:
    """Give that many blanks; none for zero and less."""
    return SafeText(" " * cells)


def width_of(line: Line) -> int:
    """Count the cells of a line."""
    return sum(cell_width(piece.text) for piece in line)


def cut_line(line: Line, cells: int) -> Line:
    """Shorten a line to at most `cells`; a cut ends in ``…``, in the tone of what it follows."""
    text = "".join(piece.text for piece in line)
    if fit(text, cells) == len(text):
        return line
    if cells <= 0:
        return ()
    kept = slice_line(line, 0, fit(text, cells - 1))
    return (*kept, Piece(SafeText("…"), (kept or line)[-1].tone))


def slice_line(line: Line, start: int, end: int) -> Line:
    """Take the characters from `start` to `end` of a line, tones kept."""
    kept: list[Piece] = []
    at = 0
    for piece in line:
        low, high = max(start, at) - at, min(end, at + len(piece.text)) - at
        if low < high:
            kept.append(Piece(SafeText(piece.text[low:high]), piece.tone))
        at += len(piece.text)
        if at >= end:
            break
    return tuple(kept)


def toned(line: Iterable[Piece], plain: Tone) -> Line:
    """Give pieces of no tone of their own the tone `plain`."""
    return tuple(Piece(piece.text, plain) if piece.tone is Tone.PLAIN else piece for piece in line)


def wrap(text: str, cells: int, words: bool = True) -> Iterator[tuple[int, int]]:
    """Cut one logical line into lines of at most `cells` cells: ranges of characters.

    Cuts at blanks where there are any (and drops them) unless `words` is false. Lazy: takes no
    more of the text than is asked for. Empty text is one empty line.
    """
    cells = max(1, cells)
    start = 0
    while True:
        end = fit(text, cells, start)
        if end >= len(text):
            yield start, len(text)
            return
        if end == start:  # a sign wider than the whole line; it is cut when it is painted
            end = max(start + 1, fit(text, cells + 1, start))
        after = end
        if words and (blank := text.rfind(" ", start, end + 1)) > start:
            head = text[start:blank]
            if not head.isspace():
                end, after = blank, blank + 1
        yield start, end
        start = after
        if start >= len(text):
            return


def wrap_line(line: Line, cells: int) -> list[Line]:
    """Wrap a line of pieces at words."""
    text = "".join(piece.text for piece in line)
    return [slice_line(line, *span) for span in wrap(text, cells)]


class PaintedWidget(Widget):
    """A widget of few lines, drawn from pieces as a whole. Subclasses give `draw`."""

    COMPONENT_CLASSES: ClassVar[set[str]] = TONE_CLASSES
    DEFAULT_CSS = TONE_CSS
    ALLOW_SELECT = False

    def __init__(
        self, *, signs: Signs = UNICODE, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(id=id, classes=classes)
        self.signs = signs
        """The set of signs to draw with; fixed when the widget is made."""
        self._drawn: tuple[Size, list[Line]] | None = None
        self.set_class(signs.plain, "-plain")

    def draw(self, width: int, height: int) -> list[Line]:
        """Lay out all lines of a content area; too long ones are cut, missing ones are blank."""
        raise NotImplementedError

    def redraw(self) -> None:
        """Draw anew: `draw` would give something else now."""
        self._drawn = None
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        size = self.content_size
        if self._drawn is None or self._drawn[0] != size:
            self._drawn = size, self.draw(size.width, size.height)
        lines = self._drawn[1]
        return paint(self, lines[y] if y < len(lines) else (), size.width, self.signs)
