"""Files as lines: what became of one since it was read, and what is read of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ccbrowse.core.lines import (
    CHUNK,
    GUARD,
    Growth,
    Position,
    Stamp,
    compare,
    position_at,
    read_at,
    read_chunks,
)


def position(path: Path, offset: int | None = None) -> Position:
    """The position after so many bytes of a file, or after all."""
    with path.open("rb") as file:
        return position_at(file, path.stat().st_size if offset is None else offset)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file of some lines, longer than what guards a position."""
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"".join(b"line %d\n" % number for number in range(2 * GUARD)))
    return path


def test_a_file_that_was_not_touched_is_the_same(path: Path) -> None:
    is_now = path.stat()
    stamp = Stamp(is_now.st_dev, is_now.st_ino, is_now.st_size, is_now.st_mtime_ns)
    assert compare(path, position(path)) == (Growth.SAME, stamp)


def test_a_file_that_was_appended_to_has_grown(path: Path) -> None:
    before = position(path)
    with path.open("ab") as file:
        file.write(b"more")
    assert compare(path, before)[0] is Growth.GROWN


def test_a_file_that_was_only_touched_has_grown_by_nothing(path: Path) -> None:
    before = position(path)
    os.utime(path, (1, 1))
    assert compare(path, before)[0] is Growth.GROWN


@pytest.mark.parametrize("size", [0, 5])
def test_a_file_that_is_shorter_than_was_read_is_another(path: Path, size: int) -> None:
    before = position(path)
    os.truncate(path, size)
    assert compare(path, before)[0] is Growth.RESET


def test_a_file_that_lost_only_what_was_not_read_has_grown_by_nothing(path: Path) -> None:
    before = position(path, 20)
    os.truncate(path, 20)
    assert compare(path, before)[0] is Growth.GROWN


@pytest.mark.parametrize("place", [0, GUARD - 1, -1, -GUARD])
def test_a_file_rewritten_in_place_is_another(path: Path, place: int) -> None:
    before = position(path)
    data = bytearray(path.read_bytes())
    data[place] ^= 1
    with path.open("r+b") as file:
        file.write(data + b"more")
    assert compare(path, before)[0] is Growth.RESET


def test_a_file_put_in_its_place_is_another(path: Path) -> None:
    before = position(path)
    copy = path.with_suffix(".new")
    copy.write_bytes(path.read_bytes())
    copy.replace(path)
    assert compare(path, before)[0] is Growth.RESET


def test_a_file_that_is_gone_is_removed(path: Path) -> None:
    before = position(path)
    path.unlink()
    assert compare(path, before) == (Growth.REMOVED, None)


def test_a_line_longer_than_a_chunk_comes_whole(tmp_path: Path) -> None:
    long = b"x" * (3 * CHUNK + 7)
    path = tmp_path / "long"
    path.write_bytes(b"a\n" + long + b"\nb\n" + long)
    with path.open("rb") as file:
        parts = [(c.offset, bytes(c.data[: c.end]), c.final) for c in read_chunks(file)]
    assert b"".join(part for _, part, _ in parts) == path.read_bytes()
    assert parts[-1] == (len(long) + 5, long, True)
    assert any(part.endswith(long + b"\nb\n") for _, part, _ in parts)


def test_a_file_without_a_line_feed_is_one_unfinished_line(tmp_path: Path) -> None:
    path = tmp_path / "tail"
    path.write_bytes(b"abc")
    with path.open("rb") as file:
        [chunk] = read_chunks(file)
    assert (chunk.offset, bytes(chunk.data), chunk.end, chunk.final) == (0, b"abc", 3, True)


def test_bytes_are_read_at_an_offset_and_may_be_fewer_than_asked(path: Path) -> None:
    with path.open("rb") as file:
        assert read_at(file, 7, 6) == b"line 1"
        assert file.tell() == 0
        assert read_at(file, path.stat().st_size - 2, 100) == path.read_bytes()[-2:]
        assert read_at(file, 1 << 40, 5) == b""
