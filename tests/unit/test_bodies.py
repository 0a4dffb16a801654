"""Bodies read by their offset: the bytes of a line, and the record that stands there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from logs import Log

from ccbrowse.core.bodies import KEPT, SMALL, Bodies
from ccbrowse.core.errors import Gone
from ccbrowse.core.index import SessionIndex, index_file


@pytest.fixture
def log() -> Log:
    """Two healthy records."""
    log = Log()
    log.user("u1", "one", None)
    log.user("u2", "two")
    return log


class Read:
    """A file, its index and its bodies."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.index: SessionIndex = index_file(path)
        self.bodies = Bodies(path)

    def record(self, row: int) -> dict[str, object]:
        """The record at a row."""
        return self.bodies.record(self.index, row)


@pytest.fixture
def read(log: Log, tmp_path: Path) -> Iterator[Read]:
    read = Read(log.write(tmp_path))
    yield read
    read.bodies.forget()


def test_a_line_is_given_byte_for_byte(read: Read, log: Log) -> None:
    assert [read.bodies.raw(read.index, row) for row in range(2)] == log.lines


def test_a_record_is_decoded_once_while_it_is_at_hand(read: Read) -> None:
    assert read.record(0)["uuid"] == "u1"
    assert read.record(0) is read.record(0)


def test_only_some_records_are_kept_at_hand(log: Log, tmp_path: Path) -> None:
    for number in range(KEPT + 1):
        log.user(f"v{number}")
    read = Read(log.write(tmp_path))
    first, second = read.record(0), read.record(1)
    for row in range(2, KEPT + 1):
        read.record(row)
    assert read.record(1) is second
    assert read.record(0) == first
    assert read.record(0) is not first
    read.bodies.forget()


def test_a_large_record_is_not_kept(log: Log, tmp_path: Path) -> None:
    log.user("u3", "x" * SMALL)
    read = Read(log.write(tmp_path))
    assert read.record(2) == read.record(2)
    assert read.record(2) is not read.record(2)
    read.bodies.forget()


def test_what_is_no_record_any_more_is_empty(read: Read) -> None:
    with read.path.open("r+b") as file:
        file.write(b"{broken ")
    assert read.record(0) == {}
    assert read.record(1)["uuid"] == "u2"


def test_a_file_cut_below_a_row_gives_no_record(read: Read) -> None:
    with read.path.open("r+b") as file:
        file.truncate(5)
    assert read.record(1) == {}
    assert read.bodies.raw(read.index, 1) == b""


def test_after_forgetting_the_file_is_opened_anew(read: Read) -> None:
    first = read.record(0)
    read.bodies.forget()
    assert read.record(0) == first
    assert read.record(0) is not first
    read.bodies.forget()
    read.path.unlink()
    with pytest.raises(Gone):
        read.record(0)
