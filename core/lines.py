"""File bytes to lines: whole lines only, by offset, from files that grow, shrink, are replaced or vanish.

Only LF ends a line. What stands after the last LF is the *tail*: it may still be growing, so it is
never final. A `Position` remembers how far a file was read, and enough about the bytes before that
point to tell an append from anything else.
"""

import os
import zlib
from collections.abc import Iterator
from enum import Enum
from io import BufferedReader
from pathlib import Path
from stat import S_ISREG
from typing import BinaryIO

from msgspec import Struct

CHUNK = 1 << 18
"""Bytes read at once; a longer line grows the buffer to hold it."""

GUARD = 256
"""Bytes before a position whose checksum tells whether they are still the same."""


class Growth(Enum):
    """What became of a file since a position was taken."""

    SAME = "same"
    GROWN = "grown"
    RESET = "reset"
    REMOVED = "removed"


class Stamp(Struct, frozen=True, gc=False):
    """What `stat` says of a file; equal stamps mean that nothing needs to be read."""

    # A Struct, as `SessionFile` and `Listing`: made thousands of times before a list is shown, in a
    # fifth of the time that a frozen dataclass takes.

    device: int
    inode: int
    size: int
    mtime_ns: int


class Position(Struct, frozen=True):
    """How far a file was read: the stamp then, the offset after the last LF, a checksum before it."""

    stamp: Stamp
    offset: int
    guard: int


class Chunk(Struct, frozen=True):
    """Whole lines: `data[:end]` ends with LF (or the file's end, where `final`), at `offset` in the file.

    `data` may be a buffer that the next chunk overwrites: what is kept of it is to be copied.
    """

    offset: int
    data: bytes | bytearray
    end: int
    final: bool


def stamp_from(status: os.stat_result) -> Stamp:
    """The stamp that a look at a file gives."""
    return Stamp(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


def compare(path: Path, before: Position) -> tuple[Growth, Stamp | None]:
    """What became of the file since `before`, at the cost of a stat and, where it grew, 256 bytes.

    A file of the same size and time is the same; a longer one on the same inode whose bytes before
    the position are unchanged has grown; anything else is to be read anew. What is no regular file
    any more, such as a folder or a pipe in its place, is removed. Raises OSError.
    """
    try:
        status = path.stat()
        if not S_ISREG(status.st_mode):
            return Growth.REMOVED, None
        now = stamp_from(status)
        if now == before.stamp:
            return Growth.SAME, now
        if (now.device, now.inode) != (before.stamp.device, before.stamp.inode):
            return Growth.RESET, now
        if now.size < before.offset or _guard_at(path, before.offset) != before.guard:
            return Growth.RESET, now
    except FileNotFoundError:
        return Growth.REMOVED, None
    return Growth.GROWN, now


def position_at(file: BinaryIO, offset: int) -> Position:
    """The position after `offset` bytes of an open file."""
    descriptor = file.fileno()
    return Position(stamp_from(os.fstat(descriptor)), offset, _guard(descriptor, offset))


def _guard_at(path: Path, offset: int) -> int:
    with path.open("rb") as file:
        return _guard(file.fileno(), offset)


def _guard(descriptor: int, offset: int) -> int:
    start = max(0, offset - GUARD)
    head = os.pread(descriptor, min(GUARD, offset), 0)
    return zlib.crc32(os.pread(descriptor, offset - start, start), zlib.crc32(head))


def read_chunks(file: BufferedReader, start: int = 0, limit: int | None = None) -> Iterator[Chunk]:
    """The file from `start` on as chunks of whole lines; the last one is `final` and may lack its LF.

    `limit` is the file offset to stop at (default: where the file ends while reading). The last
    chunk always comes, with `end == len(data)` and possibly empty, and holds the unfinished tail.
    The others share one buffer: a chunk is good until the next one is asked for.
    """
    left = file.seek(0, os.SEEK_END) - start
    file.seek(start)
    offset, have = start, 0
    buffer = bytearray(min(CHUNK, max(left, 0) + 1))
    while True:
        room = len(buffer) if limit is None else min(len(buffer), limit - offset)
        with memoryview(buffer) as view:
            got = file.readinto(view[have:room]) if have < room else 0
        if not got:
            yield Chunk(offset, bytes(buffer[:have]), have, True)
            return
        have += got
        end = buffer.rfind(b"\n", have - got, have) + 1
        if end:
            yield Chunk(offset, buffer, end, False)
            buffer[: have - end] = buffer[end:have]
            offset, have = offset + end, have - end
        elif have == len(buffer):
            buffer.extend(bytes(len(buffer)))


def line_spans(data: bytes | bytearray, end: int) -> Iterator[tuple[int, int]]:
    """Where each line of `data[:end]` starts and stops, its LF left out."""
    start, find = 0, data.find
    while start < end:
        stop = find(b"\n", start, end)
        if stop < 0:
            stop = end
        yield start, stop
        start = stop + 1


def line_bounds(data: bytes | bytearray, end: int) -> tuple[list[int], list[int]]:
    """Where the lines of `data[:end]` start, and where they stop, their LF left out."""
    start, starts = 0, [0]
    find, add = data.find, starts.append
    while start := find(b"\n", start, end) + 1:
        add(start)
    ends = [start - 1 for start in starts]
    del ends[0]
    if starts[-1] == end:
        del starts[-1]
    else:
        ends.append(end)
    return starts, ends


def read_at(file: BinaryIO, offset: int, length: int) -> bytes:
    """`length` bytes at `offset`, by pread: safe beside a writer and between threads. May be shorter."""
    return os.pread(file.fileno(), length, offset)
