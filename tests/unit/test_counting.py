"""Counting tokens in a child process: the same counts, whatever becomes of the child."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ccbrowse.core import counting
from ccbrowse.core.counting import COULD_NOT, Away, NotAway, away, counting_away
from ccbrowse.core.estimate import (
    CL100K,
    PieceCounter,
    child,
    count_text,
    engines,
    tiktoken_counter,
)

TEXTS = ("", "hello world", "naïve 日本語 \ud800 lone", "<|endoftext|>", "x" * 120_000)


@pytest.fixture
def counter() -> Iterator[Away]:
    made = Away()
    yield made
    made.close()


def test_a_child_counts_as_this_process_does() -> None:
    here = [count_text(text, tiktoken_counter()) for text in TEXTS]
    with counting_away():
        assert away() is not None
        assert [count_text(text, tiktoken_counter()) for text in TEXTS] == here
    assert away() is None


def test_nothing_is_loaded_here_while_a_child_counts() -> None:
    program = (
        "import sys; from ccbrowse.core.counting import counting_away\n"
        "from ccbrowse.core.estimate import tiktoken_counter\n"
        "with counting_away(): counted = tiktoken_counter().count('hello world')\n"
        "print(counted, 'tiktoken' in sys.modules)"
    )
    with os.popen(f'"{sys.executable}" -c "{program}"') as told:
        assert told.read().split() == ["2", "False"]


def test_a_child_that_ended_is_started_anew(counter: Away) -> None:
    assert counter.count(CL100K, "hello world") == 2
    first = counter._child
    assert first is not None
    first.kill()
    first.wait()
    assert counter.count(CL100K, "hello world") == 2
    assert counter._child is not first


def test_where_no_child_can_be_had_this_process_counts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "none"))
    with pytest.raises(NotAway):
        Away().count(CL100K, "hello world")
    with counting_away():
        assert tiktoken_counter().count("hello world") == 2


def test_what_the_tokenizer_fails_on_is_guessed_here_as_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with counting_away():
        monkeypatch.setattr(Away, "count", lambda self, name, text: None)
        tally = tiktoken_counter().tally("abcdefgh")
    assert (tally.tokens, tally.guessed) == (2, 8)


def question(name: str, text: str) -> bytes:
    data = text.encode("utf-8", "surrogatepass")
    return bytes([len(name)]) + name.encode() + len(data).to_bytes(4, "big") + data


def test_the_child_answers_until_its_input_ends(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(piece: str) -> int:
        if "bad" in piece:
            raise ValueError(piece)
        return len(piece)

    monkeypatch.setattr(engines, "_TIKTOKEN", PieceCounter(CL100K, fail))
    asked = tmp_path / "asked"
    asked.write_bytes(
        question(CL100K, "four") + question(CL100K, "bad") + question(CL100K, "cut")[:-1]
    )
    answers = io.BytesIO()
    with asked.open("rb") as questions:
        child.answer(questions, answers)
    assert answers.getvalue() == (4).to_bytes(4, "big") + COULD_NOT.to_bytes(4, "big")


def test_the_child_ends_where_nothing_is_asked() -> None:
    ours, theirs = os.pipe()
    with os.fdopen(ours, "rb") as questions:
        child.answer(questions, io.BytesIO(), idle=0.01)
        os.close(theirs)
    assert counting.IDLE > 1
