"""Bodies by offset: a record's bytes and its decoded content, read again when they are shown."""

from __future__ import annotations

import weakref
from collections import OrderedDict
from pathlib import Path
from typing import Any, BinaryIO

from ccbrowse.core.errors import BadLine, Gone
from ccbrowse.core.index import SessionIndex
from ccbrowse.core.lines import read_at
from ccbrowse.core.records import decode, decode_odd

KEPT = 256
"""Decoded bodies that are kept at hand."""

SMALL = 1 << 18
"""Bytes of a line above which its body is not kept."""


def salvaged(index: SessionIndex, row: int, line: bytes) -> dict[str, Any]:
    """The record of a row on a line that is not one: rows of a line stand in the order of its records."""
    found = [each for each in decode_odd(line)[0] if isinstance(each.get("type"), str)]
    first = row
    while first and index.offset[first - 1] == index.offset[row]:
        first -= 1
    return found[row - first] if row - first < len(found) else {}


class Bodies:
    """The bodies behind an index. Safe to ask from several threads: reads are positioned."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: BinaryIO | None = None
        self._kept: OrderedDict[int, dict[str, Any]] = OrderedDict()

    def raw(self, index: SessionIndex, row: int) -> bytes:
        """The line that a row stands on, without its LF. Raises Gone where the file is not there."""
        if self._file is None:
            try:
                self._file = self.path.open("rb")
            except OSError as error:
                raise Gone(str(self.path)) from error
            # Whoever forgets to close a session leaves no open file behind.
            weakref.finalize(self, self._file.close)
        return read_at(self._file, index.offset[row], index.length[row])

    def record(self, index: SessionIndex, row: int) -> dict[str, Any]:
        """The record at a row, decoded; of one that was written again, the last content.

        A line that holds no record, or not any more, gives an empty mapping.
        """
        row = index.content_row(row)
        kept = self._kept.get(row)
        if kept is not None:
            return kept
        found = self.line_record(index, row)
        if index.length[row] <= SMALL:
            self._kept[row] = found
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return found

    def line_record(self, index: SessionIndex, row: int) -> dict[str, Any]:
        """The record on the row's own line, decoded; empty where there is none."""
        line = self.raw(index, row)
        try:
            return decode(line)
        except BadLine:
            return salvaged(index, row, line)

    def forget(self) -> None:
        """Close the file and let go of all bodies: the file is another one now."""
        file, self._file = self._file, None
        if file is not None:
            file.close()
        self._kept.clear()
