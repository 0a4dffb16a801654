"""The signs that the screens are drawn with, their plain forms for ``--ascii``, and the curves.

Each sign takes one cell and exists in ordinary fonts. View models write the Unicode forms; a
widget in ASCII mode passes what it draws through `Signs.text`, cell for cell, so that nothing
moves. Words of the recordings beyond the signs stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from ccbrowse.core.text import SafeText


class Signs(Struct, frozen=True):
    """One sign for each meaning; `UNICODE` and `ASCII` are the two sets."""

    person: str = "›"
    reply: str = "●"
    thinking: str = "·"
    tool: str = "▪"
    note: str = "·"
    command: str = "$"
    summary: str = "≡"
    subagent: str = "◆"
    branch: str = "├"
    running: str = "○"
    ok: str = "✓"
    failed: str = "✗"
    finding: str = "⚠"
    opens: str = "»"
    live: str = "●"
    paused: str = "❚❚"
    down: str = "↓"
    arrow: str = "→"
    crumb: str = "›"
    cursor: str = "▌"
    chosen: str = "┃"
    rule: str = "─"
    boundary: str = "━"
    side: str = "│"
    foot: str = "╰"
    window: str = "┈"
    levels: str = "▁▂▃▄▅▆▇█"
    """Eight heights within a cell, lowest first."""
    plain: bool = False
    """Whether texts are translated too."""

    def named(self, name: str) -> SafeText:
        """Give the sign of that name."""
        sign: SafeText = getattr(self, name)
        return sign

    def text(self, text: SafeText) -> SafeText:
        """Translate the signs in a text where this is the plain set; the width stays the same."""
        if self.plain and not text.isascii():
            return SafeText(text.translate(_PLAIN))
        return text


UNICODE = Signs()
"""What a terminal with any usual font shows."""

ASCII = Signs(
    person=">",
    reply="*",
    thinking=".",
    tool="-",
    note=".",
    summary="=",
    subagent="&",
    branch="|",
    running="o",
    ok="+",
    failed="x",
    finding="!",
    opens=">",
    live="*",
    paused="||",
    down="v",
    arrow=">",
    crumb=">",
    cursor=">",
    chosen="I",
    rule="-",
    boundary="=",
    side="|",
    foot="`",
    window=".",
    levels="_.-:=+*#",
    plain=True,
)
"""For terminals and fonts without them (``--ascii``)."""

# Pairs of a sign and what stands for it; more than `Signs` has, for the view models' own.
_PAIRS = (
    "›> »> ●* ▪- ≡= ◆& ○o ✓+ ✗x √v ⚠! ❚| ↓v ↑^ →> ←< ▌> ┃I ─- ━= │| ┈. ├| └` ╰` ┌. ┐. ┘' ╮. ╯' ╭. "
    "┤| ┬- ┴- ┼+ ≈~ –- —- −- …~ ·- •* ×x ±+ “\" ”\" ‘' ’' ◀< ▶> ◄< ►> ⏎<"
)
_PLAIN = str.maketrans(
    {pair[0]: pair[1] for pair in _PAIRS.split()}
    | dict(zip(UNICODE.levels, ASCII.levels, strict=True))
)


def resample(values: Sequence[int], columns: int) -> list[int]:
    """Fit a row of numbers into exactly `columns` columns, keeping each column's largest.

    Fewer numbers than columns are stretched. No numbers, or no columns: an empty list.
    """
    count = len(values)
    if not count or columns <= 0:
        return []
    edges = [column * count // columns for column in range(columns + 1)]
    return [max(values[low : max(high, low + 1)]) for low, high in pairwise(edges)]


def sparkline(values: Sequence[int], cells: int, scale: int = 0) -> SafeText:
    """Draw numbers as one line of blocks, `cells` wide: ``▁▃▅█``.

    `scale` is the number that fills a cell to its top (0: the largest one); what lies above is
    drawn full. Zero and less is the lowest block. No numbers: blanks.
    """
    points = resample(values, cells)
    if not points:
        return SafeText(" " * max(0, cells))
    top = scale if scale > 0 else max(points)
    last = len(UNICODE.levels) - 1
    if top <= 0:
        return SafeText(UNICODE.levels[0] * len(points))
    steps = (min(last, max(0, (value * 8 + top - 1) // top - 1)) for value in points)
    return SafeText("".join(UNICODE.levels[step] for step in steps))
