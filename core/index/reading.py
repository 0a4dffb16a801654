"""Reading a chunk into an index: its lines decoded at once, and those that this refuses one by one.

This is the hot path of every start: it runs for each line of every session. So a chunk's lines are
decoded by one call and taken in as a batch; only where this call refuses are they looked at singly.
"""

from collections.abc import Sequence
from operator import sub

from msgspec import DecodeError

from ccbrowse.core.index.batch import Batch
from ccbrowse.core.index.filling import Filler
from ccbrowse.core.index.table import SessionIndex, Trouble
from ccbrowse.core.lines import Chunk, line_bounds
from ccbrowse.core.records.heads import Brief, decode_brief, decode_briefs, lenient_head
from ccbrowse.core.records.kinds import Kind
from ccbrowse.core.records.repair import Oddity, decode_odd, is_utf8

_OPENS, _CLOSES = set(b"{"), set(b"}")
_BOM = b"\xef\xbb\xbf"


class Reader:
    """Feeds chunks of one file into one index."""

    def __init__(self, index: SessionIndex) -> None:
        self.index = index
        self._filler = Filler(index)

    def feed(self, chunk: Chunk) -> None:
        """Append every line of a chunk."""
        starts, ends = line_bounds(chunk.data, chunk.end)
        try:
            heads = decode_briefs(memoryview(chunk.data)[: chunk.end])
        except (DecodeError, RecursionError):
            heads = []
        if len(heads) == len(starts) and _one_a_line(chunk.data, starts, ends):
            self._take(chunk, heads, starts, ends)
        else:
            self._line_by_line(chunk, starts, ends)
        self.index.size = chunk.offset + chunk.end

    def _take(
        self, chunk: Chunk, heads: list[Brief], starts: Sequence[int], ends: Sequence[int]
    ) -> None:
        """Take in records on consecutive lines."""
        if not heads:
            return
        index, data = self.index, chunk.data
        self._look_for_bad_utf8(data, starts, ends)
        offsets = list(map(chunk.offset.__add__, starts))
        first = index.add_rows(offsets, list(map(sub, ends, starts)))
        self._filler.fill(Batch(heads, first, data, starts, ends))

    def _look_for_bad_utf8(
        self, data: bytes | bytearray, starts: Sequence[int], ends: Sequence[int]
    ) -> None:
        """Name the lines that are not UTF-8: the typed decoder does not look into what it skips."""
        if is_utf8(data, starts[0], ends[-1]):
            return
        for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
            if not is_utf8(data, start, end):
                self._trouble(Oddity.INVALID_UTF8, self.index.lines + 1 + number)

    def _line_by_line(self, chunk: Chunk, starts: Sequence[int], ends: Sequence[int]) -> None:
        """Lines among which one is blank, damaged or odd: the good ones between go in together."""
        heads, first = list[Brief](), 0
        for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
            line = bytes(chunk.data[start:end])
            try:
                heads.append(decode_brief(line))
            except (DecodeError, RecursionError):
                self._take(chunk, heads, starts[first:number], ends[first:number])
                self._odd_line(line, chunk.offset + start)
                heads, first = [], number + 1
        self._take(chunk, heads, starts[first:], ends[first:])

    def _odd_line(self, line: bytes, offset: int) -> None:
        """A line that the typed decoder refused: coerced, repaired, or kept as damaged."""
        index = self.index
        number = index.lines + 1
        if not line.strip() or line.strip() == _BOM:
            index.lines = number
            return
        records, oddity = decode_odd(line)
        heads = [head for record in records if (head := lenient_head(record))]
        if not heads:
            index.bad_lines.append(number)
            self._trouble("damaged_line", number)
            index.kind[index.add_rows([offset], [len(line)])] = Kind.BAD
        elif oddity is not None:
            self._trouble(oddity, number)
        for head in heads:
            index.lines = number - 1  # several records may share the line
            self._filler.fill(Batch([head], index.add_rows([offset], [len(line)])))

    def _trouble(self, code: str, number: int) -> None:
        self.index.troubles.append(Trouble(code, len(self.index), number))


def _one_a_line(data: bytes | bytearray, starts: Sequence[int], ends: Sequence[int]) -> bool:
    """Whether each line is one object: the decoder of many takes two on a line as gladly as one on two.

    A line that starts with `{` and ends with `}` cannot be a part of a value that goes on.
    """
    byte = data.__getitem__
    return set(map(byte, starts)) == _OPENS and set(map(byte, [e - 1 for e in ends])) == _CLOSES
