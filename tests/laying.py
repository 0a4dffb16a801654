"""The blocks of a detail as the pane lays them out, in words.

`import laying` works in every test.
"""

from __future__ import annotations

from collections.abc import Iterable

from ccbrowse.tui.parts import parts_of
from ccbrowse.tui.viewtypes import DetailBlock, DetailView, Line, line


def lines_of(blocks: Iterable[DetailBlock], width: int = 80) -> list[Line]:
    """Blocks as the pane lays them out, blank lines left out."""
    view = DetailView("key", line(), blocks=tuple(blocks))
    laid = [
        laid_out
        for part in parts_of(view)
        for row in range(len(part))
        for laid_out in part.lines(row, width)
    ]
    return [each for each in laid if "".join(piece.text for piece in each).strip()]


def told(blocks: Iterable[DetailBlock], width: int = 80) -> list[str]:
    """The same in words."""
    return ["".join(piece.text for piece in each).rstrip() for each in lines_of(blocks, width)]
