import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccbrowse.core.text import SafeText, cell_width, display_text
from ccbrowse.tui.paint import cut_line, slice_line, width_of, wrap, wrap_line
from ccbrowse.tui.viewtypes import Piece, Tone, line


def cut(text: str, cells: int, words: bool = True) -> list[str]:
    return [text[start:end] for start, end in wrap(text, cells, words)]


@pytest.mark.parametrize(
    ("text", "cells", "lines"),
    [
        ("", 5, [""]),
        ("one two", 7, ["one two"]),
        ("one two", 6, ["one", "two"]),
        ("one two", 3, ["one", "two"]),
        ("onetwothree x", 4, ["onet", "woth", "ree", "x"]),
        ("    indented", 6, ["    in", "dented"]),
        ("漢字漢字", 5, ["漢字", "漢字"]),
        ("漢字", 1, ["漢", "字"]),
        ("a 漢字 b", 4, ["a", "漢字", "b"]),
    ],
)
def test_wrapping_at_words(text: str, cells: int, lines: list[str]) -> None:
    assert cut(text, cells) == lines


def test_wrapping_of_code_keeps_every_character() -> None:
    assert cut("ab cd ef", 4, words=False) == ["ab c", "d ef"]


@given(
    st.text(st.sampled_from("ab 漢\u0301\u2665\ufe0f\U0001f468\u200d"), max_size=60),
    st.integers(1, 12),
)
def test_wrapped_lines_fit_and_lose_only_blanks(raw: str, cells: int) -> None:
    text = display_text(raw)
    lines = cut(text, cells)
    assert all(cell_width(one) <= max(2, cells) for one in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert "".join(cut(text, cells, words=False)) == text


def test_lines_of_pieces_are_cut_by_cells() -> None:
    pieces = line(SafeText("漢字"), (SafeText("abc"), Tone.STRONG))
    assert width_of(pieces) == 7
    assert cut_line(pieces, 7) == pieces
    assert cut_line(pieces, 6) == (
        pieces[0],
        Piece(SafeText("a"), Tone.STRONG),
        Piece(SafeText("…"), Tone.STRONG),
    )
    assert cut_line(pieces, 4) == (Piece(SafeText("漢")), Piece(SafeText("…")))
    assert cut_line(pieces, 0) == ()
    assert slice_line(pieces, 1, 4) == (
        Piece(SafeText("字")),
        Piece(SafeText("ab"), Tone.STRONG),
    )
    assert [width_of(one) for one in wrap_line(pieces, 4)] == [4, 3]
