"""A file and its index, kept together while the file grows, shrinks, is replaced or vanishes."""

import zlib
from pathlib import Path

from msgspec import DecodeError

from ccbrowse.core.index.reading import Reader
from ccbrowse.core.index.table import SessionIndex
from ccbrowse.core.lines import Chunk, Growth, Position, compare, position_at, read_chunks
from ccbrowse.core.records.heads import decode_brief


class IndexedFile:
    """A session file read so far: its index, and the position after the last whole line.

    A complete record that only lacks its LF is taken in at once. Should it turn out to have been
    half of something else, the file is read anew.
    """

    def __init__(self, path: Path, *, sidechain_lane: bool = False) -> None:
        self.path = path
        self.sidechain_lane = sidechain_lane
        self.index = SessionIndex(sidechain_lane=sidechain_lane)
        self._reader = Reader(self.index)
        self._position: Position | None = None
        self._taken_tail: tuple[int, int] | None = None
        self._torn = False

    def read(self) -> Growth:
        """Read what is new. RESET: `index` is another one, of the whole file. Raises OSError, not for
        a file that is gone: that is REMOVED, and the index stays as it was.

        After an error in the middle of a file the next look that succeeds reads it anew.
        """
        if self._position is None:
            self._read_from(0)
            return Growth.GROWN
        torn, self._torn = self._torn, True
        try:
            growth = self._look(self._position, torn)
        except FileNotFoundError:
            return Growth.REMOVED
        self._torn = torn and growth is Growth.REMOVED
        return growth

    def _look(self, before: Position, torn: bool) -> Growth:
        growth, _ = compare(self.path, before)
        if torn and growth is not Growth.REMOVED:
            self._start_anew()
            return Growth.RESET
        if growth is Growth.GROWN and self._read_from(before.offset):
            return growth
        if growth in (Growth.GROWN, Growth.RESET):
            self._start_anew()
            return Growth.RESET
        return growth

    def _start_anew(self) -> None:
        self.index = SessionIndex(sidechain_lane=self.sidechain_lane)
        self._reader = Reader(self.index)
        self._taken_tail = None
        self._read_from(0)

    def _read_from(self, offset: int) -> bool:
        """Take in the file from `offset` on; False where a tail taken in before is not whole."""
        with self.path.open("rb") as file:
            for chunk in read_chunks(file, offset):
                if self._taken_tail is not None and (chunk.end or chunk.final):
                    rest = self._after_taken_tail(chunk)
                    if rest is None:
                        return False
                    chunk = rest
                if chunk.final:
                    self._tail(chunk)
                    self._position = position_at(file, chunk.offset)
                else:
                    self._reader.feed(chunk)
        return True

    def _after_taken_tail(self, chunk: Chunk) -> Chunk | None:
        """The chunk without the line that was taken in before its LF came; None where that changed."""
        assert self._taken_tail is not None
        length, checksum = self._taken_tail
        if zlib.crc32(chunk.data[:length]) != checksum:
            return None
        if chunk.final and len(chunk.data) == length:
            return chunk
        if chunk.data[length : length + 1] != b"\n":
            return None
        self._taken_tail = None
        start = length + 1
        self.index.size = chunk.offset + start
        return Chunk(chunk.offset + start, chunk.data[start:], chunk.end - start, chunk.final)

    def _tail(self, chunk: Chunk) -> None:
        """What stands after the last LF: nothing, a whole record, or the start of one."""
        index = self.index
        if self._taken_tail is not None:
            return
        index.size = chunk.offset + chunk.end
        index.incomplete_tail = False
        if not chunk.data.strip():
            return
        if _is_whole(chunk.data):
            self._reader.feed(chunk)
            self._taken_tail = (len(chunk.data), zlib.crc32(chunk.data))
        else:
            index.incomplete_tail = True


def index_file(path: Path, *, sidechain_lane: bool = False) -> SessionIndex:
    """The index of a file as it stands. Raises OSError."""
    file = IndexedFile(path, sidechain_lane=sidechain_lane)
    file.read()
    return file.index


def _is_whole(line: bytes | bytearray) -> bool:
    """Whether a line is a record already, though its LF has not come."""
    try:
        decode_brief(line)
    except (DecodeError, RecursionError):
        return False
    return True
