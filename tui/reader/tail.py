"""A part of a file, read by itself: the end of a large session at once, prompts for a preview."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ccbrowse.core.bodies import Bodies
from ccbrowse.core.chain import ALONE, Chain
from ccbrowse.core.index import SessionIndex
from ccbrowse.core.index.reading import Reader
from ccbrowse.core.lines import read_chunks
from ccbrowse.core.segments import Segment, Segments
from ccbrowse.tui.viewmodels.building import Builder

LARGE = 16_000_000
"""Bytes of a file above which its end is shown before all of it is read."""

TAIL = 1_000_000
"""Bytes of that end."""


class PartView:
    """The whole lines of a part of a file, indexed. Line numbers count from its own beginning.

    Raises OSError where the file cannot be read.
    """

    def __init__(self, path: Path, start: int, end: int | None = None) -> None:
        self.index = SessionIndex()
        self._bodies = Bodies(path)
        reader = Reader(self.index)
        with path.open("rb") as opened:
            opened.seek(start)
            start += len(opened.readline()) if start else 0
            for chunk in read_chunks(opened, start, limit=end):
                if not chunk.final:
                    reader.feed(chunk)

    def close(self) -> None:
        """Let go of the file."""
        self._bodies.forget()

    def record(self, row: int) -> Mapping[str, Any]:
        """A record's content."""
        return self._bodies.record(self.index, row)

    def raw(self, row: int) -> bytes:
        """The bytes of a row's line."""
        return self._bodies.raw(self.index, row)


class TailView(PartView):
    """The end of a large file: enough to show the newest messages at once.

    It imitates what a timeline needs of a session; its segments count from its own beginning.
    """

    def __init__(self, path: Path, size: int) -> None:
        super().__init__(path, max(0, size - TAIL))
        self.chain = Chain(self.index, ALONE)
        self._segments = Segments(self.chain)
        self.step = Builder().update(self)
        """The items of a timeline."""

    @property
    def segments(self) -> Sequence[Segment]:
        """The segments in view."""
        return self._segments.all
