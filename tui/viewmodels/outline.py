"""The items of a timeline by number and by key; keys name records whatever else is shown."""

from __future__ import annotations

from array import array
from bisect import bisect_left

from ccbrowse.core.index import (
    SessionIndex,
)
from ccbrowse.tui.viewmodels.items import DAY, FINDING, FIRST_CALL, FORK, THOUGHT, WORDS, Items

_MARKS = {THOUGHT: "t", FINDING: "!", FORK: "b", DAY: "d"}

_PARTS = {mark: part for part, mark in _MARKS.items()}


class Outline:
    """The items of a timeline: by number and by key. `extend` adds some at the end."""

    def __init__(self, index: SessionIndex, items: Items) -> None:
        self.index = index
        self.rows = items.rows[:]
        self.parts = items.parts[:]
        self._place = array("i")
        self._note_places(0)

    def __len__(self) -> int:
        return len(self.rows)

    def extend(self, items: Items) -> None:
        """Take items at the end."""
        first = len(self.rows)
        self.rows.extend(items.rows)
        self.parts.extend(items.parts)
        self._note_places(first)

    def _note_places(self, first: int) -> None:
        self._place.extend([-1] * (len(self.index) - len(self._place)))
        place = self._place
        for number in range(first, len(self.rows)):
            row = self.rows[number]
            if row < len(place) and place[row] < 0:
                place[row] = number

    def key(self, number: int) -> str:
        """The key of an item: its record's, with a mark for parts other than the words."""
        return item_key(self.index, self.rows[number], self.parts[number])

    def find(self, key: str) -> int | None:
        """The item of a key. Of a record's own key the first of its own parts."""
        name, _, mark = key.partition("#")
        row = row_of_key(self.index, name)
        if row is None:
            return None
        number = self.first_of(row)
        if number is None:
            return None
        wanted = _PARTS.get(mark, FIRST_CALL + int(mark) if mark.isdecimal() else WORDS)
        own: int | None = None
        while number < len(self.rows) and self.rows[number] == row:
            part = self.parts[number]
            if part == wanted:
                return number
            if own is None and part not in (FINDING, DAY):
                own = number
            number += 1
        return None if mark else own

    def first_of(self, row: int) -> int | None:
        """The first item of a session's row."""
        number = self._place[row] if 0 <= row < len(self._place) else -1
        return number if number >= 0 else None

    def near(self, row: int) -> int:
        """The item of a session's row, or of the nearest row before it that has one; else 0."""
        row = min(row, len(self._place) - 1)
        while row >= 0 and self._place[row] < 0:
            row -= 1
        number = self._place[row] if row >= 0 else 0
        while number + 1 < len(self.rows) and self.parts[number] in (DAY, FINDING):
            if self.rows[number + 1] != row:
                break
            number += 1
        return number


def item_key(index: SessionIndex, row: int, part: int) -> str:
    """The key of a part of a record."""
    name = record_key(index, row)
    return name if part == WORDS else f"{name}#{_MARKS.get(part) or part - FIRST_CALL}"


def record_key(index: SessionIndex, row: int) -> str:
    """A record's stable name: its uuid, or its line where that is not its own alone."""
    uuid = index.uuids[row]
    if uuid and "#" not in uuid and index.rows.get(uuid) == row:
        return uuid
    line = index.line[row]
    extra = row - bisect_left(index.line, line)
    return f"line:{line}.{extra}" if extra else f"line:{line}"


def row_of_key(index: SessionIndex, name: str) -> int | None:
    """The row that a name stands for; None where it is not in the file."""
    row = index.row_of(name)
    if row is not None or not name.startswith("line:"):
        return row
    line, _, extra = name.removeprefix("line:").partition(".")
    if not line.isdecimal() or len(line) > 12:
        return None
    row = bisect_left(index.line, int(line)) + (int(extra) if extra.isdecimal() else 0)
    return row if row < len(index) and index.line[row] == int(line) else None
