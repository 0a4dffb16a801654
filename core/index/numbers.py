"""The line number of each row, told by the few rows whose number is not one more than that before."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import overload


class LineNumbers(Sequence[int]):
    """Line numbers, from 1, by row. They run on but where a line held no record, or more than one."""

    def __init__(self) -> None:
        self._count = 0
        self._starts: list[int] = []
        self._ahead: list[int] = []

    def __len__(self) -> int:
        return self._count

    def run(self, first: int, count: int) -> None:
        """The next `count` rows stand on the lines from number `first` on."""
        ahead = first - self._count
        if not self._ahead or ahead != self._ahead[-1]:
            self._starts.append(self._count)
            self._ahead.append(ahead)
        self._count += count

    @property
    def runs(self) -> tuple[list[int], list[int]]:
        """The rows that begin a run of lines, and by how much each run's numbers are ahead of its rows."""
        return self._starts, self._ahead

    @overload
    def __getitem__(self, row: int) -> int: ...
    @overload
    def __getitem__(self, row: slice) -> list[int]: ...
    def __getitem__(self, row: int | slice) -> int | list[int]:
        if isinstance(row, slice):
            return [self[each] for each in range(*row.indices(self._count))]
        if row < 0:
            row += self._count
        if not 0 <= row < self._count:
            raise IndexError(row)
        return row + self._ahead[bisect_right(self._starts, row) - 1]
