"""The parts of a detail pane: blocks cut into rows, each laid out in lines when it is seen.

A row is a logical line, or 4,000 characters of one that is longer, so that a text without any
line break costs no more than another.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import accumulate
from operator import add
from typing import Protocol

from ccbrowse.core.text import SafeText, cell_width
from ccbrowse.tui.paint import blank, cut_line, slice_line, width_of, wrap, wrap_line
from ccbrowse.tui.viewpictures import ImageBlock, Picture
from ccbrowse.tui.viewtypes import (
    DETAIL_LIMIT,
    NOTHING,
    Change,
    CodeBlock,
    DetailBlock,
    DetailView,
    DiffBlock,
    DiffLine,
    FactsBlock,
    Line,
    LinesBlock,
    Paragraph,
    Piece,
    ProseBlock,
    TextBlock,
    Tone,
)

_CHUNK = 4_000
_NAMES = 16


class Part(Protocol):
    """Rows of one kind."""

    def __len__(self) -> int:
        """How many rows."""
        ...

    def lines(self, row: int, width: int) -> list[Line]:
        """Lay a row out in lines of at most `width` cells; at least one."""
        ...

    def text(self, row: int) -> str:
        """Give the row's words, for searching."""
        ...

    def guess(self, width: int) -> Iterator[int]:
        """Guess each row's height."""
        ...


def parts_of(view: DetailView) -> list[Part]:
    """Make the parts of a view: title, facts, blocks with a blank line between, what was cut."""
    parts: list[Part] = [_Lines((view.title, *((view.subtitle,) if view.subtitle else ())))]
    left = DETAIL_LIMIT
    for block in view.blocks:
        parts.append(_Lines(((),)))
        part, cut, used = _part(block, left)
        parts.append(part)
        left = max(0, left - used)
        if cut:
            parts.append(_Text(cut, Tone.WARN))
    return parts


def _part(block: DetailBlock, limit: int) -> tuple[Part, SafeText, int]:
    """Make a block's part, what to say of a cut, and how many characters it has."""
    match block:
        case TextBlock():
            text, cut = _shortened(block.text, limit, block.cut)
            return _Text(text, block.tone, block.marks), cut, len(text)
        case CodeBlock():
            text, cut = _shortened(block.text, limit, block.cut)
            return _Code(text, block.language, block.first_line, block.tones), cut, len(text)
        case DiffBlock():
            lines, cut, used = _shortened_diff(block, limit)
            return _Diff(lines), cut, used
        case FactsBlock():
            return _Facts(block.facts), NOTHING, 0
        case LinesBlock():
            return _Lines(block.lines), NOTHING, 0
        case ProseBlock():
            return _Prose(block.paragraphs), block.cut, 0
        case ImageBlock():
            return ImagePart(block), NOTHING, 0


def _shortened(text: SafeText, limit: int, cut: SafeText) -> tuple[SafeText, SafeText]:
    if len(text) <= limit:
        return text, cut
    said = SafeText(f"{limit:,} of {len(text):,} characters shown")
    return SafeText(text[:limit]), SafeText(f"{cut}; {said}") if cut else said


def _shortened_diff(block: DiffBlock, limit: int) -> tuple[list[DiffLine], SafeText, int]:
    """Take the lines within the limit, long ones in chunks."""
    lines: list[DiffLine] = []
    used = 0
    for number, line in enumerate(block.lines):
        used += len(line.text)
        if used > limit:
            said = SafeText(f"{number:,} of {len(block.lines):,} lines shown")
            return lines, SafeText(f"{block.cut}; {said}") if block.cut else said, used
        for start in range(0, max(1, len(line.text)), _CHUNK):
            text = SafeText(line.text[start : start + _CHUNK].replace("\n", " "))
            lines.append(DiffLine(line.change, text, None if start else line.number))
    return lines, block.cut, used


class _Lines:
    """Lines already laid out; cut at the edge."""

    def __init__(self, lines: tuple[Line, ...]) -> None:
        self._lines = lines

    def __len__(self) -> int:
        return len(self._lines)

    def lines(self, row: int, width: int) -> list[Line]:
        return [cut_line(self._lines[row], width)]

    def text(self, row: int) -> str:
        return "".join(piece.text for piece in self._lines[row])

    def guess(self, width: int) -> Iterator[int]:
        return iter([1] * len(self))


class _Prose(_Lines):
    """Paragraphs, each wrapped at words behind what stands before it."""

    def __init__(self, paragraphs: tuple[Paragraph, ...]) -> None:
        super().__init__(tuple(paragraph.words for paragraph in paragraphs))
        self._paragraphs = paragraphs

    def lines(self, row: int, width: int) -> list[Line]:
        paragraph = self._paragraphs[row]
        room = max(1, width - max(width_of(paragraph.first), width_of(paragraph.others)))
        wrapped = wrap_line(paragraph.words, room)
        heads = (paragraph.others if index else paragraph.first for index in range(len(wrapped)))
        return [cut_line((*head, *line), width) for head, line in zip(heads, wrapped, strict=True)]

    def guess(self, width: int) -> Iterator[int]:
        return (
            1 + sum(len(piece.text) for piece in paragraph.words) // width
            for paragraph in self._paragraphs
        )


class _Facts(_Lines):
    """Names and values in two columns; a value may take several lines."""

    def __init__(self, facts: tuple[tuple[SafeText, Line], ...]) -> None:
        super().__init__(tuple(value for _, value in facts))
        self._names = [name for name, _ in facts]
        self._column = min(_NAMES, max((cell_width(name) for name in self._names), default=0)) + 2

    def lines(self, row: int, width: int) -> list[Line]:
        column = min(self._column, max(1, width // 2))
        name = cut_line((Piece(self._names[row], Tone.MUTED),), column - 1)
        used = sum(cell_width(piece.text) for piece in name)
        first = (*name, Piece(blank(column - used)))
        other = (Piece(blank(column)),)
        values = wrap_line(self._lines[row], max(1, width - column))
        return [(*(other if index else first), *value) for index, value in enumerate(values)]

    def text(self, row: int) -> str:
        return f"{self._names[row]} {super().text(row)}"


class ImagePart(_Prose):
    """What an image is, why it is not drawn, and the rows of its picture."""

    def __init__(self, block: ImageBlock) -> None:
        words = [
            Paragraph(((Piece(said, Tone.MUTED)),)) for said in (block.about, block.why) if said
        ]
        super().__init__(tuple(words))
        self._said = len(words)
        self.picture: Picture | None = block.picture

    def __len__(self) -> int:
        return self._said + (self.picture.rows if self.picture is not None else 0)

    def lines(self, row: int, width: int) -> list[Line]:
        """The words; of the picture nothing, `picture_row` names what is drawn instead."""
        return super().lines(row, width) if row < self._said else [()]

    def text(self, row: int) -> str:
        """The words."""
        return super().text(row) if row < self._said else ""

    def guess(self, width: int) -> Iterator[int]:
        """A line each."""
        return iter([1] * len(self))

    def picture_row(self, row: int) -> int | None:
        """The row of the picture that a row shows; None for one of words."""
        return row - self._said if row >= self._said else None


class _Text:
    """Running text: rows are its logical lines, long ones in chunks."""

    words = True
    """Whether lines are cut at words."""

    def __init__(
        self, text: SafeText, tone: Tone = Tone.PLAIN, marks: tuple[tuple[int, int], ...] = ()
    ) -> None:
        self._tone = tone
        self._marks = marks
        self._rows: list[SafeText] = []
        self._starts = array("q")
        self._cut_up(text)

    def _cut_up(self, text: SafeText) -> None:
        rows = text.split("\n")
        if max(map(len, rows)) <= _CHUNK:
            self._rows = [SafeText(row) for row in rows]
            begins = accumulate(map(len, rows), initial=0)
            self._starts = array("q", map(add, begins, range(len(rows))))
            return
        at = 0
        for row in rows:
            for start in range(0, max(1, len(row)), _CHUNK):
                self._rows.append(SafeText(row[start : start + _CHUNK]))
                self._starts.append(at + start)
            at += len(row) + 1

    def __len__(self) -> int:
        return len(self._rows)

    def text(self, row: int) -> str:
        return self._rows[row]

    def lines(self, row: int, width: int) -> list[Line]:
        text = self._rows[row]
        line = self._toned(row)
        return [slice_line(line, *span) for span in wrap(text, width, self.words)]

    def _toned(self, row: int) -> Line:
        """Give the row's text with its marks."""
        text: SafeText = self._rows[row]
        start = self._starts[row]
        pieces: list[Piece] = []
        at = 0
        first = bisect_right(self._marks, (start, 0)) - 1
        for low, high in self._marks[max(0, first) :]:
            if low >= start + len(text):
                break
            low, high = max(at, low - start), min(len(text), high - start)
            if low < high:
                pieces.append(Piece(SafeText(text[at:low]), self._tone))
                pieces.append(Piece(SafeText(text[low:high]), Tone.MARK))
                at = high
        return (*pieces, Piece(SafeText(text[at:]), self._tone))

    def guess(self, width: int) -> Iterator[int]:
        return (1 + max(0, len(text) - 1) // width for text in self._rows)


class _Code(_Text):
    """Code: every blank counts, lines may be numbered and coloured."""

    words = False

    def __init__(
        self,
        text: SafeText,
        language: str,
        first_line: int | None,
        tones: tuple[tuple[int, int, Tone], ...] = (),
    ) -> None:
        super().__init__(text)
        self._tones = tones
        self._first = first_line
        self._whole = text
        self._language = language
        self._pieces: Line | None = None
        self._ends: list[int] = []
        self._numbers = array("q", self._count_lines() if first_line is not None else ())

    def _count_lines(self) -> Iterator[int]:
        """Number the logical lines from 1; the chunks of one have its number."""
        number, end = 0, -1
        for start, row in zip(self._starts, self._rows, strict=True):
            number += start > end
            end = start + len(row)
            yield number

    def lines(self, row: int, width: int) -> list[Line]:
        if self._first is None:
            return super().lines(row, width)
        digits = len(str(self._first + self._numbers[-1] - 1))
        number = self._numbers[row]
        begins = row == 0 or self._numbers[row - 1] != number
        label = SafeText(f"{self._first + number - 1:>{digits}}  ") if begins else blank(digits + 2)
        lines = super().lines(row, max(1, width - digits - 2))
        margin = Piece(blank(digits + 2))
        first = Piece(label, Tone.MUTED)
        return [(margin if index else first, *line) for index, line in enumerate(lines)]

    def _toned(self, row: int) -> Line:
        if self._pieces is None:
            self._pieces = self._coloured()
            self._ends = list(accumulate(len(piece.text) for piece in self._pieces))
        start = self._starts[row]
        end = start + len(self._rows[row])
        first = bisect_right(self._ends, start)
        last = bisect_left(self._ends, end) + 1
        offset = self._ends[first - 1] if first else 0
        return slice_line(self._pieces[first:last], start - offset, end - offset) or (
            Piece(NOTHING),
        )

    def _coloured(self) -> Line:
        """Give the text in tones: its own, else those of a lexer."""
        if not self._tones:
            from ccbrowse.tui.syntax import coloured  # lexers: nothing to wait for at the start

            return coloured(self._whole, self._language)
        whole: SafeText = self._whole
        pieces: list[Piece] = []
        at = 0
        for start, end, tone in self._tones:
            pieces += [Piece(SafeText(whole[at:start])), Piece(SafeText(whole[start:end]), tone)]
            at = end
        pieces.append(Piece(SafeText(whole[at:])))
        return tuple(piece for piece in pieces if piece.text)


_CHANGES = {
    Change.SAME: Piece(SafeText("  ")),
    Change.ADDED: Piece(SafeText("+ "), Tone.GOOD),
    Change.REMOVED: Piece(SafeText("- "), Tone.BAD),
    Change.SKIPPED: Piece(SafeText("@ "), Tone.MUTED),
}


class _Diff:
    """Lines of a diff: number, sign, text; every blank counts."""

    def __init__(self, lines: list[DiffLine]) -> None:
        self._lines = lines
        self._digits = len(str(max((line.number or 0 for line in lines), default=0)))

    def __len__(self) -> int:
        return len(self._lines)

    def text(self, row: int) -> str:
        return self._lines[row].text

    def lines(self, row: int, width: int) -> list[Line]:
        line = self._lines[row]
        sign = _CHANGES[line.change]
        number = blank(self._digits) if line.number is None else f"{line.number:>{self._digits}d}"
        column = self._digits + 3
        first = (Piece(SafeText(f"{number} "), Tone.MUTED), sign)
        other = (Piece(blank(column)),)
        words = line.text
        return [
            (*(other if start else first), Piece(SafeText(words[start:end]), sign.tone))
            for start, end in wrap(words, max(1, width - column), words=False)
        ]

    def guess(self, width: int) -> Iterator[int]:
        return iter([1] * len(self))
