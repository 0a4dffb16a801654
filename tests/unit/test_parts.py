"""Blocks cut into rows: nothing lost at the seams, numbers and marks where they belong."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ccbrowse.core.text import SafeText
from ccbrowse.tui.parts import Part, parts_of
from ccbrowse.tui.viewtypes import CodeBlock, DetailBlock, DetailView, Line, TextBlock, Tone


def part_of(block: DetailBlock) -> Part:
    """The part of one block, without the title and the blank line before it."""
    return parts_of(DetailView("k", (), blocks=(block,)))[2]


def plain(line: Line) -> str:
    return "".join(piece.text for piece in line)


def test_a_long_line_is_several_rows_under_one_number() -> None:
    part = part_of(CodeBlock(SafeText("a" * 9_000 + "\nb\n\nc"), first_line=9))
    assert len(part) == 6
    firsts = [plain(part.lines(row, 5_000)[0])[:5] for row in range(6)]
    assert firsts == [" 9  a", "    a", "    a", "10  b", "11  ", "12  c"]


@given(st.lists(st.integers(0, 300), max_size=6), st.integers(20, 90))
def test_marks_cover_exactly_their_characters(edges: list[int], width: int) -> None:
    text = SafeText("word " * 40 + "\n" + "line\n" * 20)
    ends = sorted({min(edge, len(text)) for edge in edges})
    marks = tuple(zip(ends[::2], ends[1::2], strict=False))
    part = part_of(TextBlock(text, marks=marks))
    marked = "".join(
        piece.text
        for row in range(len(part))
        for line in part.lines(row, width)
        for piece in line
        if piece.tone is Tone.MARK
    )
    wanted = "".join(text[start:end] for start, end in marks)
    # Line breaks are no characters of a row, and wrapping drops blanks at its cuts.
    assert marked.replace(" ", "") == wanted.replace("\n", "").replace(" ", "")


@given(
    st.text(st.sampled_from("ab(): \n\"'#1漢"), max_size=80),
    st.sampled_from(["python", "json", ""]),
)
def test_code_loses_no_character_whatever_the_lexer_does(raw: str, language: str) -> None:
    part = part_of(CodeBlock(SafeText(raw), language))
    rows = ["".join(plain(line) for line in part.lines(row, 7)) for row in range(len(part))]
    assert "\n".join(rows) == raw
    assert [part.text(row) for row in range(len(part))] == rows
