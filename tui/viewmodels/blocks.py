"""The blocks that a detail is put together from: raw text made safe, cut to what is shown."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from ccbrowse.core.records import Image, Other, Text
from ccbrowse.core.text import SafeText, cell_width, display_text, one_line
from ccbrowse.core.texts import compact_json, part_text
from ccbrowse.tui.viewmodels import figures
from ccbrowse.tui.viewmodels.ansi import styled
from ccbrowse.tui.viewmodels.images import image_block
from ccbrowse.tui.viewmodels.lore import Lore
from ccbrowse.tui.viewtypes import (
    DETAIL_LIMIT,
    NOTHING,
    CodeBlock,
    DetailBlock,
    FactsBlock,
    Line,
    Paragraph,
    Piece,
    ProseBlock,
    TextBlock,
    Tone,
    line,
)

MOST_ITEMS = 2_000
"""Entries of a list that are shown."""


def text(raw: str, tone: Tone = Tone.PLAIN) -> TextBlock:
    """Running text as it was written."""
    return TextBlock(shown(raw), tone, cut=cut(raw))


def words(raw: str, lore: Lore) -> Iterator[DetailBlock]:
    """What may be Markdown: as it was written, or as it would look where the reader wants that."""
    if lore.rendered:
        from ccbrowse.tui.viewmodels.markdown import rendered  # a parser that few ask for

        yield from rendered(raw[:DETAIL_LIMIT])
        if cut(raw):
            yield TextBlock(cut(raw), Tone.WARN)
    else:
        yield text(raw)


def code(raw: str, language: str = "", first_line: int | None = None) -> CodeBlock:
    """Code, numbered from a line on where that is known."""
    told = shown(raw) if first_line is None else display_text(raw[:DETAIL_LIMIT], newlines=True)
    return CodeBlock(told, language, first_line, cut=cut(raw))


def output(raw: str) -> CodeBlock:
    """A tool's output: the colours that it asks for as tones."""
    told, tones = styled(raw[:DETAIL_LIMIT].strip("\n"))
    return CodeBlock(told, cut=cut(raw), tones=tones)


def json_code(value: object) -> CodeBlock:
    """Any value as indented JSON."""
    try:
        raw = json.dumps(value, ensure_ascii=False, indent=2)
    except (ValueError, RecursionError, TypeError):
        raw = compact_json(value)
    return code(raw, "json")


def heading(raw: str, tone: Tone = Tone.MUTED) -> TextBlock:
    """What the next block is, in a word or two."""
    return TextBlock(display_text(raw), tone)


def part(found: Text | Image | Other) -> DetailBlock:
    """A part of a prompt or a result that is no text: an image by its type and size, else JSON."""
    if isinstance(found, Other):
        return json_code(found.raw)
    if isinstance(found, Image):
        return image_block(found)
    return text(part_text(found), Tone.MUTED)


def facts(pairs: Iterable[tuple[str, str | None]]) -> Iterator[FactsBlock]:
    """Names of ours with values of the record; what is empty is left out, and a block of nothing too."""
    told = tuple((display_text(name), line(one_line(value, 500))) for name, value in pairs if value)
    if told:
        yield FactsBlock(told)


def listed(items: Iterable[tuple[Line, Line]], more: int = 0) -> ProseBlock:
    """Paragraphs with a sign before each: ``(sign, words)``; `more` were left out."""
    paragraphs = tuple(_item(sign, said) for sign, said in items)
    left = figures.counted(more, "more") if more > 0 else NOTHING
    return ProseBlock(paragraphs, left)


def _item(sign: Line, said: Line) -> Paragraph:
    width = sum(cell_width(piece.text) for piece in sign)
    return Paragraph(said, sign, (Piece(SafeText(" " * width)),))


def shown(raw: str) -> SafeText:
    """What is shown of a text: its beginning, made safe."""
    return display_text(raw[:DETAIL_LIMIT].strip("\n"), newlines=True)


def cut(raw: str) -> SafeText:
    """What is said of a text that is only begun; nothing of one that is shown whole."""
    if len(raw) <= DETAIL_LIMIT:
        return NOTHING
    part_of, whole = figures.short(DETAIL_LIMIT), figures.short(len(raw))
    return SafeText(f"first {part_of} of {whole} characters; o opens all in a pager")
