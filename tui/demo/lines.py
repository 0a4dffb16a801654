"""The physical lines of one session file, encoded late, and the ways in which they get damaged."""

import json
from collections.abc import Callable
from typing import Any

from ccbrowse.tui.demo.ids import Clock

Row = dict[str, Any]
"""One record, as the client would write it; moments are `Stamp`s until they are encoded."""

Mangle = Callable[[bytes], bytes]
"""What happens to an encoded line, its newline included."""


class _Line:
    """Rows that share a physical line (one, unless damage glued them) and what befell them."""

    __slots__ = ("mangles", "raw", "rows")

    def __init__(self, rows: list[Row], raw: bytes = b"") -> None:
        self.rows = rows
        self.raw = raw
        self.mangles: list[Mangle] = []


class Sheet:
    """A growing file: rows and raw bytes in the order of writing."""

    def __init__(self, clock: Clock) -> None:
        self._lines: list[_Line] = []
        self._encode = json.JSONEncoder(
            ensure_ascii=False, separators=(",", ":"), default=clock.plain
        ).encode

    def row(self, row: Row) -> None:
        """Append a record on a line of its own."""
        self._lines.append(_Line([row]))

    def raw(self, data: bytes) -> None:
        """Append bytes as they are; a newline is theirs to bring."""
        self._lines.append(_Line([], data))

    def glue(self) -> None:
        """Let the last two records share a line, as when a newline was lost."""
        last = self._lines.pop()
        self._lines[-1].rows += last.rows

    def mangle(self, change: Mangle) -> None:
        """Damage the last line."""
        self._lines[-1].mangles.append(change)

    def data(self) -> bytes:
        """All bytes that were not taken yet."""
        return b"".join(self._bytes(line) for line in self._lines)

    def take(self) -> bytes:
        """All bytes since the last taking; they are forgotten here."""
        data = self.data()
        self._lines.clear()
        return data

    def _bytes(self, line: _Line) -> bytes:
        # A lone surrogate has no UTF-8; its backslash escape is what JSON writes for it.
        data = b"".join(self._encode(r).encode("utf-8", "backslashreplace") for r in line.rows)
        data = line.raw or data + b"\n"
        for change in line.mangles:
            data = change(data)
        return data


def half(line: bytes) -> bytes:
    """The first part of a line, then a newline: the writer died, the next one went on."""
    return line[: len(line) * 3 // 5] + b"\n"


def cut(line: bytes) -> bytes:
    """The first part of a line and no newline: what comes next, if anything, is spliced to it."""
    return line[: len(line) * 3 // 5]


def stub_before(line: bytes) -> bytes:
    """The beginning of a record, then the whole of it, on one line: a write that was tried twice."""
    return line[: min(70, len(line) // 4)] + line


def nuls_before(line: bytes) -> bytes:
    """A run of NUL bytes before a whole record, as a crash of the machine leaves it."""
    return b"\0" * 512 + line


def bad_utf8(line: bytes) -> bytes:
    """Bytes that are no UTF-8 at the start of the last text of the line."""
    at = max(line.rfind(mark) + len(mark) for mark in (b'"text":"', b'"content":"'))
    return line[:at] + b"\xff\xfe\xc3" + line[at:]
