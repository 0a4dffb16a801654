"""A file and its index while it grows, stops in the middle of a line, shrinks or is replaced."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from logs import Log

from ccbrowse.core.index import IndexedFile, index_file
from ccbrowse.core.lines import Growth
from ccbrowse.core.session import Session


@pytest.fixture
def log() -> Log:
    """A prompt and its reply."""
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1")
    return log


@pytest.fixture
def path(log: Log, tmp_path: Path) -> Path:
    """Where the log is written."""
    return log.write(tmp_path)


def append(path: Path, data: bytes) -> None:
    """Write at the end of a file."""
    with path.open("ab") as file:
        file.write(data)


def uuids(file: IndexedFile) -> list[str | None]:
    """The uuids of a file's rows."""
    return list(file.index.uuids)


def test_rows_are_appended_and_the_old_ones_stay(log: Log, path: Path) -> None:
    file = IndexedFile(path)
    assert file.read() is Growth.GROWN
    index = file.index
    assert file.read() is Growth.SAME
    log.user("u2")
    append(path, log.lines[2] + b"\n")
    assert file.read() is Growth.GROWN
    assert file.index is index
    assert uuids(file) == ["u1", "a1", "u2"]
    assert (index.lines, index.size) == (3, len(log.data()))


def test_half_a_line_waits_for_the_rest(log: Log, path: Path) -> None:
    file = IndexedFile(path)
    log.user("u2")
    for part in (log.lines[2][:50], log.lines[2][50:100]):
        append(path, part)
        file.read()
        assert uuids(file) == ["u1", "a1"]
        assert file.index.incomplete_tail
        assert file.index.bad_lines == []
    append(path, log.lines[2][100:] + b"\n")
    assert file.read() is Growth.GROWN
    assert uuids(file) == ["u1", "a1", "u2"]
    assert not file.index.incomplete_tail


def test_a_whole_record_is_taken_in_before_its_line_feed_comes(log: Log, path: Path) -> None:
    file = IndexedFile(path)
    log.user("u2")
    append(path, log.lines[2])
    file.read()
    assert uuids(file) == ["u1", "a1", "u2"]
    assert file.read() is Growth.SAME
    log.user("u3")
    append(path, b"\n" + log.lines[3] + b"\n")
    assert file.read() is Growth.GROWN
    assert uuids(file) == ["u1", "a1", "u2", "u3"]
    assert list(file.index.line) == [1, 2, 3, 4]
    assert file.index.size == len(log.data())


def test_the_line_feed_alone_brings_nothing_new(log: Log, path: Path) -> None:
    os.truncate(path, len(log.data()) - 1)
    file = IndexedFile(path)
    file.read()
    append(path, b"\n")
    assert file.read() is Growth.GROWN
    assert uuids(file) == ["u1", "a1"]
    assert (file.index.lines, file.index.size) == (2, len(log.data()))
    log.user("u2")
    append(path, log.lines[2] + b"\n")
    file.read()
    assert uuids(file) == ["u1", "a1", "u2"]


def test_a_touched_file_whose_tail_was_taken_in_stays_as_it_is(log: Log, path: Path) -> None:
    os.truncate(path, len(log.data()) - 1)
    file = IndexedFile(path)
    file.read()
    os.utime(path, (1, 1))
    assert file.read() is Growth.GROWN
    assert uuids(file) == ["u1", "a1"]


@pytest.mark.parametrize("more", [b"x\n", b' {"type":"mode"}\n', b"x"])
def test_a_record_that_was_only_half_of_a_line_is_read_anew(
    log: Log, path: Path, more: bytes
) -> None:
    os.truncate(path, len(log.data()) - 1)
    file = IndexedFile(path)
    file.read()
    append(path, more)
    assert file.read() is Growth.RESET
    assert list(file.index.uuids) == list(index_file(path).uuids)


def test_a_taken_in_tail_that_is_cut_off_leaves_the_index(log: Log, path: Path) -> None:
    os.truncate(path, len(log.data()) - 1)
    file = IndexedFile(path)
    file.read()
    os.truncate(path, len(log.lines[0]) + 1)
    assert file.read() is Growth.RESET
    assert uuids(file) == ["u1"]


def test_a_file_cut_and_written_on_is_read_anew(log: Log, path: Path) -> None:
    file = IndexedFile(path)
    file.read()
    before = file.index
    os.truncate(path, len(log.lines[0]) + 1)
    other = Log()
    other.user("v1", parent="u1")
    append(path, other.data())
    assert file.read() is Growth.RESET
    assert file.index is not before
    assert uuids(file) == ["u1", "v1"]


def test_a_file_that_is_gone_keeps_its_index(path: Path) -> None:
    file = IndexedFile(path)
    file.read()
    path.unlink()
    assert file.read() is Growth.REMOVED
    assert uuids(file) == ["u1", "a1"]


def test_a_file_that_never_was_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        index_file(tmp_path / "none.jsonl")


def test_blank_lines_count_and_are_no_rows(log: Log, path: Path) -> None:
    append(path, b"\n  \n\xef\xbb\xbf\n")
    index = index_file(path)
    assert index.lines == 5
    assert len(index) == 2
    assert index.bad_lines == []
    assert index.troubles == []


def test_a_blank_tail_is_no_unfinished_line(path: Path) -> None:
    append(path, b"   ")
    index = index_file(path)
    assert not index.incomplete_tail
    assert len(index) == 2


def test_a_session_follows_its_file(log: Log, path: Path) -> None:
    session = Session.open(path)
    assert session.record(1)["uuid"] == "a1"
    log.user("u2")
    log.reply("a2")
    append(path, b"".join(line + b"\n" for line in log.lines[2:]))
    change = session.refresh()
    assert (change.growth, change.first_new_row) == (Growth.GROWN, 2)
    assert session.refresh().growth is Growth.SAME
    assert session.messages == 4
    assert session.segment_of(3) == 1
    session.close()
