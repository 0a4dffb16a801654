"""Markdown as it would look: headings, lists, quotes, tables and code as blocks of the detail pane.

Parsed by markdown-it-py without raw HTML; nothing in it can act. Links are words with their address behind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import zip_longest

from markdown_it import MarkdownIt
from markdown_it.token import Token

from ccbrowse.core.text import SafeText, cell_width, clip, display_text
from ccbrowse.tui.viewtypes import (
    CodeBlock,
    DetailBlock,
    Line,
    LinesBlock,
    Paragraph,
    Piece,
    ProseBlock,
    TextBlock,
    Tone,
)

LIMIT = 50_000
"""Characters above which a text is shown as it was written: some are made so that parsing takes seconds."""

_WIDEST = 40
_RULE = SafeText("─" * 24)
_DEEPEST = 20


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"maxNesting": _DEEPEST}).enable(["table", "strikethrough"])


def rendered(raw: str) -> Iterator[DetailBlock]:
    """The blocks of a Markdown text; a very long one comes back as it was written."""
    tokens = _parser().parse(raw) if len(raw) <= LIMIT else []
    # What lies deeper than the parser goes would be lost in silence.
    if not tokens or max(token.level for token in tokens) >= _DEEPEST - 1:
        yield TextBlock(display_text(raw.strip("\n"), newlines=True))
        return
    yield from _Maker(tokens).blocks()


@dataclass(slots=True)
class _List:
    """A list that is open: the number of its next item, or None for bullets."""

    number: int | None


@dataclass(slots=True)
class _Maker:
    """Goes over the tokens once, and keeps what is open."""

    tokens: Sequence[Token]
    paragraphs: list[Paragraph] = field(default_factory=list)
    lists: list[_List] = field(default_factory=list)
    quotes: int = 0
    bullet: SafeText | None = None
    """The sign of an item whose first words are still to come."""
    heading: bool = False
    rows: list[list[Line]] = field(default_factory=list)
    in_table: bool = False

    def blocks(self) -> Iterator[DetailBlock]:
        """Paragraphs run together in one block, code and tables between them."""
        for token in self.tokens:
            match token.type:
                case "fence" | "code_block":
                    yield from self._prose()
                    words = token.info.split()
                    language = display_text(words[0][:20]) if words else ""
                    code = display_text(token.content.strip("\n"), newlines=True)
                    yield CodeBlock(code, language)
                case "table_close":
                    self.in_table = False
                    yield from self._prose()
                    yield LinesBlock(tuple(_table(self.rows)))
                    self.rows = []
                case _:
                    self._take(token)
        yield from self._prose()

    def _prose(self) -> Iterator[DetailBlock]:
        """The paragraphs so far, if there are any."""
        while self.paragraphs and not self.paragraphs[-1].words and not self.paragraphs[-1].first:
            self.paragraphs.pop()
        if self.paragraphs:
            yield ProseBlock(tuple(self.paragraphs))
            self.paragraphs = []

    def _take(self, token: Token) -> None:
        match token.type:
            case "bullet_list_open":
                self.lists.append(_List(None))
            case "ordered_list_open":
                start = token.attrGet("start")
                self.lists.append(_List(start if isinstance(start, int) else 1))
            case "bullet_list_close" | "ordered_list_close":
                self.lists.pop()
                self._blank()
            case "list_item_open":
                self._open_item()
            case "blockquote_open":
                self.quotes += 1
            case "blockquote_close":
                self.quotes -= 1
                self._blank()
            case "heading_open":
                self.heading = True
            case "heading_close":
                self.heading = False
                self._blank()
            case "paragraph_close":
                self._blank(token.hidden)
            case "hr":
                self.paragraphs.append(Paragraph((Piece(_RULE, Tone.MUTED),)))
                self._blank()
            case "table_open":
                self.in_table = True
            case "tr_open":
                self.rows.append([])
            case "inline":
                self._inline(token)

    def _open_item(self) -> None:
        opened = self.lists[-1]
        if opened.number is None:
            self.bullet = SafeText("• ")
        else:
            self.bullet = SafeText(f"{opened.number}. ")
            opened.number += 1

    def _blank(self, tight: bool = False) -> None:
        """An empty line behind a block, but one at most, and none within a tight list."""
        if self.lists and (tight or self.bullet is not None):
            return
        if not self.lists and self.paragraphs and self.paragraphs[-1].words:
            self.paragraphs.append(Paragraph(()))

    def _inline(self, token: Token) -> None:
        lines = list(_lines_of(token.children or [], Tone.STRONG if self.heading else Tone.PLAIN))
        if self.in_table:
            self.rows[-1].append(tuple(piece for each in lines for piece in each))
            return
        for words in lines:
            first, others = self._margins()
            self.paragraphs.append(Paragraph(words, first, others))

    def _margins(self) -> tuple[Line, Line]:
        """What stands before the first line of the next paragraph, and before its other lines."""
        bars = SafeText("│ " * min(self.quotes, _DEEPEST))
        indent = SafeText("  " * max(0, len(self.lists) - 1))
        sign, self.bullet = self.bullet, None
        width = cell_width(sign) if sign is not None else 2 if self.lists else 0
        space = SafeText(" " * width)
        head: SafeText = space if sign is None else sign
        return (
            (Piece(bars, Tone.MUTED), Piece(SafeText(f"{indent}{head}"), Tone.TOOL)),
            (Piece(bars, Tone.MUTED), Piece(SafeText(f"{indent}{space}"))),
        )


def _lines_of(tokens: Sequence[Token], plain: Tone) -> Iterator[Line]:
    """The words of a paragraph in tones, cut at hard and soft line breaks."""
    pieces: list[Piece] = []
    tones = [plain]
    address = ""
    for token in tokens:
        match token.type:
            case "strong_open":
                tones.append(Tone.STRONG)
            case "em_open":
                tones.append(Tone.EMPHASIS)
            case "s_open":
                tones.append(Tone.MUTED)
            case "link_open":
                address = str(token.attrGet("href") or "")
                tones.append(Tone.TOOL)
            case "link_close":
                tones.pop()
                said = pieces[-1].text if pieces else ""
                if address and display_text(address) != said:
                    pieces.append(Piece(SafeText(f" ({display_text(address)})"), Tone.MUTED))
            case "strong_close" | "em_close" | "s_close":
                tones.pop()
            case "code_inline":
                pieces.append(Piece(display_text(token.content), Tone.TOOL))
            case "image":
                pieces.append(
                    Piece(SafeText(f"[image: {display_text(token.content)}]"), Tone.MUTED)
                )
            case "hardbreak" | "softbreak":
                yield tuple(pieces)
                pieces = []
            case _ if token.content:
                pieces.append(Piece(display_text(token.content), tones[-1]))
    yield tuple(pieces)


def _table(rows: Sequence[Sequence[Line]]) -> Iterator[Line]:
    """A table in columns as wide as their widest cell, within bounds; the head strong."""
    widths = [
        min(_WIDEST, max((_width(cell) for cell in column if cell), default=0))
        for column in zip_longest(*rows, fillvalue=())
    ]
    for number, row in enumerate(rows):
        pieces: list[Piece] = []
        for cell, width in zip_longest(row, widths, fillvalue=()):
            if not isinstance(width, int) or not isinstance(cell, tuple):
                continue
            told = clip("".join(piece.text for piece in cell), width)
            pad = SafeText(" " * (width - cell_width(told) + 2))
            pieces += [Piece(told, Tone.STRONG if number == 0 else Tone.PLAIN), Piece(pad)]
        yield tuple(pieces)
        if number == 0:
            yield (Piece(SafeText("─" * (sum(widths) + 2 * max(0, len(widths) - 1))), Tone.MUTED),)


def _width(cell: Line) -> int:
    return sum(cell_width(piece.text) for piece in cell)
