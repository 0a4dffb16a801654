"""Counting offline: the packaged encoding is tiktoken's own, and no text, thread or wire disturbs it."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib import import_module, metadata
from pathlib import Path
from threading import Barrier, Thread
from types import SimpleNamespace
from typing import Any

import pytest

from ccbrowse.core.estimate import (
    CL100K,
    CTOK,
    PieceCounter,
    Tally,
    TokenCounter,
    count_text,
    ctok_counter,
    ctok_is_installed,
    default_counter,
    engines,
    tiktoken_counter,
)
from ccbrowse.core.estimate.counters import PIECE

# Counted by tiktoken 0.14's own get_encoding("cl100k_base").
KNOWN = [
    ("", 0),
    ("a", 1),
    ("hello world", 2),
    ("Hello, world!\n", 4),
    ("<|endoftext|>", 7),
    ("<|fim_prefix|>x<|fim_suffix|>", 15),
    ("def add(a, b):\n    return a + b\n", 12),
    ("    1→import os\n    2→\n", 12),
    ("1234567890", 4),
    ("3.14159 2.71828", 9),
    ("a" * 1000, 125),
    (" " * 1000, 9),
    ("\n" * 1000, 32),
    ("=" * 1000, 17),
    ("猫が好きです", 7),
    ("今天天气很好。", 9),
    ("Привет, мир", 6),
    ("naïve café – “quoted”", 8),
    ("🙂👩\u200d👩\u200d👧\u200d👧", 20),
    ("\ud800", 1),
    ("x\udc00y", 3),
    ("┌──┬──┐\n│  │  │\n└──┴──┘\n", 24),
    ("don't we'll THEY'RE", 6),
    ("\x00\x1b[31m\x07", 5),
    ("\r\n\r\n\t\ttab", 3),
    ('{"a": [1, 2, {"b": null}]}', 15),
    ("e\u0301", 2),
    ("https://example.org/a/b?c=d&e=f#g", 12),
]


@pytest.mark.parametrize(("text", "tokens"), KNOWN, ids=lambda value: ascii(value)[:24])
def test_counts_are_those_of_plain_tiktoken(text: str, tokens: int) -> None:
    counter = tiktoken_counter()
    assert counter.name == CL100K
    assert counter.count(text) == tokens
    assert counter.tally(text) == Tally(tokens, 0)


def packed_file(root: Path) -> bytes:
    return (root / "core" / "data" / "cl100k_base.tiktoken.gz").read_bytes()


def test_the_packaged_encoding_is_what_tiktoken_would_fetch(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    openai_public = import_module("tiktoken_ext.openai_public")
    asked: dict[str, str] = {}

    def fetch(_: str, expected_hash: str) -> dict[bytes, int]:
        asked["hash"] = expected_hash
        return {}

    monkeypatch.setattr(openai_public, "load_tiktoken_bpe", fetch)
    own = openai_public.cl100k_base()
    table = gzip.decompress(packed_file(root))
    assert hashlib.sha256(table).hexdigest() == asked["hash"]
    assert asked["hash"] in (root / "core" / "data" / "NOTICE.md").read_text(encoding="utf-8")
    assert own["pat_str"] == engines._CL100K_PATTERN
    assert own["special_tokens"] == engines._CL100K_SPECIAL


def test_the_ranks_stand_in_order_and_without_holes(root: Path) -> None:
    words = gzip.decompress(packed_file(root)).split()
    assert [int(rank) for rank in words[1::2]] == list(range(100_256))
    ranks = engines._ranks(b" ".join(words))
    assert (ranks[b"!"], ranks[b" the"], len(ranks)) == (0, 279, 100_256)


def test_the_compression_is_the_same_on_every_machine(root: Path) -> None:
    flags, when = packed_file(root)[3], packed_file(root)[4:8]
    assert (flags, when) == (0, bytes(4))  # neither a file's name nor a time


OFFLINE = """
import json, socket, sys
def refuse(*args, **kwargs):
    raise AssertionError("the network was asked for")
class Refused:
    __init__ = refuse
socket.socket = Refused
socket.create_connection = socket.getaddrinfo = refuse
from ccbrowse.core.estimate import tiktoken_counter
counter = tiktoken_counter()
before = "tiktoken" in sys.modules
print(json.dumps([before, counter.count("hello world"), "requests" in sys.modules]))
"""


def test_counting_needs_no_network_and_loads_nothing_before_the_first_count(tmp_path: Path) -> None:
    environment = os.environ | {"TIKTOKEN_CACHE_DIR": str(tmp_path), "TMPDIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", OFFLINE],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=environment,
    )
    assert (done.stderr, done.stdout) == ("", "[false, 2, false]\n")
    assert json.loads(done.stdout)
    assert list(tmp_path.iterdir()) == []


def test_threads_that_count_at_once_build_the_encoding_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    engines._build_cl100k.cache_clear()
    together = Barrier(4)
    counts: list[int] = []

    def count() -> None:
        together.wait()
        counts.append(tiktoken_counter().count("hello world"))

    threads = [Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [2, 2, 2, 2]
    assert engines._build_cl100k.cache_info().misses == 1


@pytest.mark.parametrize("run", ["a", " ", "=", "\n", "漢"])
def test_a_million_of_one_character_do_not_stall(run: str) -> None:
    counter = tiktoken_counter()
    counter.count("warm")
    before = time.process_time()
    tokens = counter.count(run * 1_000_000)
    assert time.process_time() - before < 3  # about 0.2 s; quadratic behaviour takes minutes
    assert 1_000_000 / 130 < tokens < 3_000_000


def test_long_texts_are_cut_and_counted_whole() -> None:
    seen: list[int] = []

    def count(piece: str) -> int:
        seen.append(len(piece))
        return len(piece)

    counter = PieceCounter("lengths", count)
    assert counter.count("xyz" * PIECE + "1234567") == 3 * PIECE + 7
    assert seen == [PIECE, PIECE, PIECE, 7]


def test_cutting_costs_next_to_nothing() -> None:
    line = "    for name, value in sorted(pairs.items()):  # 12 pairs at most\n"
    text = line * 3000
    plain = len(engines._cl100k().encode_ordinary(text))
    assert 0 <= tiktoken_counter().count(text) - plain <= 2 * (len(text) // PIECE)


class Panic(BaseException):
    """What pyo3 raises where Rust panics."""


Panic.__module__ = "pyo3_runtime"


def failing_at(problem: BaseException, bad: str) -> TokenCounter:
    def count(piece: str) -> int:
        if bad in piece:
            raise problem
        return 1

    return PieceCounter("failing", count)


@pytest.mark.parametrize("problem", [Panic("stack overflow"), ValueError(), RecursionError()])
def test_a_tokenizer_that_fails_on_a_piece_is_replaced_by_a_guess(problem: BaseException) -> None:
    text = "a" * PIECE + "é" + "b" * 99
    tally = failing_at(problem, "b").tally(text)
    assert tally == Tally(tokens=1 + 26, guessed=100)  # 101 bytes, four a token
    assert count_text(text, failing_at(problem, "b")).guessed == 100


@pytest.mark.parametrize("problem", [KeyboardInterrupt(), SystemExit(), GeneratorExit(), OSError()])
def test_what_is_no_verdict_on_the_text_is_let_through(problem: BaseException) -> None:
    with pytest.raises(type(problem)):
        failing_at(problem, "b").count("b")


# --- ctok ---------------------------------------------------------------------------------------


@pytest.fixture
def ctok(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A stand-in for the optional package: a token a character, frames as ctok has them."""
    frames = {"3.0": 7, "4.7": 11, "4.8": 6}
    asked: list[str] = []

    def token_count(text: str, version: str) -> int:
        asked.append(version)
        return frames[version] + len(text)

    monkeypatch.setitem(sys.modules, CTOK, SimpleNamespace(token_count=token_count))
    for cached in (engines._load_ctok, ctok_counter):
        cached.cache_clear()
    yield asked
    for cached in (engines._load_ctok, ctok_counter):
        cached.cache_clear()


@pytest.mark.parametrize(("family", "version"), [("4.6-", "3.0"), ("4.7-4.9", "4.7"), ("5", "4.8")])
def test_ctok_counts_a_family_without_the_frame_of_a_message(
    ctok: list[str], family: str, version: str
) -> None:
    counter = ctok_counter(family)
    assert (counter.name, counter.count("hello"), counter.count("")) == (CTOK, 5, 0)
    assert set(ctok) == {version}


@pytest.mark.parametrize(
    ("version", "there"), [("1.3.0", True), ("2.0", True), ("1.2.9", False), (None, False)]
)
def test_ctok_is_used_where_a_fitting_version_is_installed(
    monkeypatch: pytest.MonkeyPatch, version: str | None, there: bool
) -> None:
    def installed(name: str) -> str:
        if version is None:
            raise metadata.PackageNotFoundError(name)
        return version

    monkeypatch.setattr(metadata, "version", installed)
    ctok_is_installed.cache_clear()
    try:
        assert ctok_is_installed() is there
        assert default_counter("5").name == (CTOK if there else CL100K)
    finally:
        ctok_is_installed.cache_clear()


def test_the_real_ctok_counts_as_it_did() -> None:
    if not ctok_is_installed():
        pytest.skip("ctok is not installed: it is an extra, for Python 3.12 and newer")
    counts = {family: ctok_counter(family).count("hello, world") for family in ("4.6-", "5")}
    assert counts == {"4.6-": 3, "5": 4}
