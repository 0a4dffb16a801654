"""What a text shows: sums that are exact, and that add up."""

from __future__ import annotations

import pytest

from ccbrowse.core.estimate import (
    PieceCounter,
    TextCounts,
    count_text,
    count_texts,
    tiktoken_counter,
)
from ccbrowse.core.estimate.counters import PIECE

LETTERS = PieceCounter("letters", len)


def test_every_sum_is_what_its_name_says() -> None:
    text = "é1 2\n\t漢🙂\ud800 ٣\r\n"
    assert count_text(text, LETTERS) == TextCounts(
        tokens=13,
        chars=13,
        bytes=2 + 4 + 1 + 3 + 4 + 3 + 1 + 2 + 2,
        lines=2,
        digits=2,
        spaces=2,
        non_ascii=5,
        encoding="letters",
    )


def test_an_empty_text_is_nothing() -> None:
    assert count_text("", LETTERS) == TextCounts(encoding="letters")
    assert count_texts([], LETTERS) == TextCounts(encoding="letters")


def test_sums_run_over_pieces_and_over_texts() -> None:
    text = "1é \n" * PIECE  # four pieces
    whole = count_text(text, LETTERS)
    assert (whole.chars, whole.digits, whole.non_ascii) == (4 * PIECE, PIECE, PIECE)
    assert (whole.bytes, whole.lines, whole.spaces) == (5 * PIECE, PIECE, PIECE)
    assert count_texts([text, "1", ""], LETTERS) == whole + count_text("1", LETTERS)


def test_texts_are_counted_each_for_itself() -> None:
    counter = tiktoken_counter()
    assert count_text("hello", counter).tokens == 1
    assert count_texts(["hel", "lo"], counter).tokens == 2


def test_counts_of_different_counters_do_not_add_up() -> None:
    ours, others = count_text("abc", LETTERS), count_text("abc", tiktoken_counter())
    with pytest.raises(ValueError, match="letters and cl100k_base"):
        ours + others
    assert TextCounts() + ours == ours == ours + TextCounts()  # nothing is in no encoding


def test_pieces_that_are_alike_are_counted_once() -> None:
    asked: list[str] = []

    def count(piece: str) -> int:
        asked.append(piece[0])
        if piece[0] == "!":
            raise ValueError("no")
        return 7

    text = "a" * 3 * PIECE + "!" * 2 * PIECE + "a" * (PIECE + 1)
    tally = PieceCounter("odd", count).tally(text)
    assert asked == ["a", "!", "a", "a"]
    assert (tally.tokens, tally.guessed) == (3 * 7 + 2 * PIECE // 4 + 2 * 7, 2 * PIECE)
