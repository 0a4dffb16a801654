"""Heights of the rows of a long list: which row is at a line, and at which line is a row.

Rows are one line high until they are measured, which happens when they come into view. So a
list of hundreds of thousands is there at once, and only what is seen costs.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate, islice

_BLOCK = 512
_TALLEST = 65_535


class Heights:
    """The height of each of `count` rows, as guessed (the first ones), or one line each.

    Rows are summed in blocks; the blocks' beginnings are found by bisection. Adding rows costs
    what they are, setting one height costs one pass over the blocks (some hundreds) at the next
    question. Heights are from 1 to 65,535 lines.
    """

    def __init__(self, count: int = 0, guess: Iterable[int] = ()) -> None:
        self._rows = array("H", (min(_TALLEST, max(1, lines)) for lines in islice(guess, count)))
        self._known = bytearray(len(self._rows))
        self._sums: list[int] = []
        self._tops: list[int] = []
        self._stale = False
        self.extend(count - len(self._rows))

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, row: int) -> int:
        return self._rows[row]

    @property
    def total(self) -> int:
        """Lines of all rows."""
        self._refresh()
        return self._tops[-1] + self._sums[-1] if self._sums else 0

    def extend(self, count: int) -> None:
        """Add `count` rows at the end, one line each, not measured."""
        old = len(self._rows)
        self._rows.extend(array("H", [1]) * count)
        self._known.extend(bytes(count))
        del self._sums[old // _BLOCK :]
        for start in range(len(self._sums) * _BLOCK, len(self._rows), _BLOCK):
            self._sums.append(sum(self._rows[start : start + _BLOCK]))
        self._stale = True

    def is_measured(self, row: int) -> bool:
        """Tell whether `set` was called for the row since the last `forget`."""
        return bool(self._known[row])

    def set(self, row: int, lines: int) -> None:
        """Note the measured height of a row."""
        lines = min(_TALLEST, max(1, lines))
        self._known[row] = 1
        if change := lines - self._rows[row]:
            self._rows[row] = lines
            self._sums[row // _BLOCK] += change
            self._stale = True

    def forget(self, row: int | None = None) -> None:
        """Have one row, or all, measured again; until then the old heights stand."""
        if row is None:
            self._known = bytearray(len(self._rows))
        else:
            self._known[row] = 0

    def top(self, row: int) -> int:
        """Give the line at which a row begins; `row` may be the count: the line after the last."""
        if row >= len(self._rows):
            return self.total
        self._refresh()
        block = row // _BLOCK
        return self._tops[block] + sum(self._rows[block * _BLOCK : row])

    def at(self, line: int) -> tuple[int, int]:
        """Find what stands at a line: the row and the line within it; the ends where it is outside.

        There must be at least one row.
        """
        self._refresh()
        line = min(max(0, line), self.total - 1)
        block = bisect_right(self._tops, line) - 1
        within = line - self._tops[block]
        start = block * _BLOCK
        ends = list(accumulate(self._rows[start : start + _BLOCK]))
        row = bisect_right(ends, within)
        return start + row, within - (ends[row - 1] if row else 0)

    def _refresh(self) -> None:
        if self._stale:
            self._tops = [0, *accumulate(self._sums)][:-1]
            self._stale = False
