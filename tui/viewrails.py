"""What the rail of segments and the context curve draw: frozen values of safe text, as `viewtypes` has."""

from __future__ import annotations

from msgspec import Struct

from ccbrowse.core.text import SafeText
from ccbrowse.tui.viewtypes import NOTHING, Line


class SegmentView(Struct, frozen=True):
    """One segment on the rail: ``3 ▁▃▅█  98.2k → 22.0k`` and the lines beneath."""

    number: int
    """From 1; the key of all messages."""
    curve: tuple[int, ...]
    """Tokens of its requests in order; drawn 6 cells wide against `RailView.scale`."""
    size: Line
    """``167.0k → 31.2k``; ``151.0k now`` for the open one."""
    notes: tuple[Line, ...] = ()
    """``auto · 42 turns · 1 h 12 m``; a manual one's instructions; more lines where wanted."""
    findings: SafeText = NOTHING
    """A last line after ``⚠``: ``gap after line 2,113, joined``."""
    is_open: bool = False
    """The one that still grows: its curve is drawn as live."""


class RailView(Struct, frozen=True):
    """All segments of a session, and what stands under them."""

    segments: tuple[SegmentView, ...]
    scale: int = 0
    """Tokens that fill a curve's cell to the top (the window, or the largest peak); 0: the largest value."""
    footer: tuple[Line, ...] = ()
    """``├ 2 branches · 31 messages``"""


class FillSegment(Struct, frozen=True):
    """The contexts of one segment's requests, in order."""

    number: int
    """From 1; the key of the message that a click posts."""
    values: tuple[int, ...]
    """Tokens of each request; drawn in at most as many columns."""
    label: SafeText = NOTHING
    """``1 auto``, ``4 now``, under its beginning."""
    is_open: bool = False
    """The one that still grows: drawn as live."""


class FillView(Struct, frozen=True):
    """The context of a whole session over its requests."""

    segments: tuple[FillSegment, ...]
    window: int | None = None
    """Tokens of the model's window: a dotted line; None: not known, no line."""
    axis: tuple[tuple[int, SafeText], ...] = ()
    """Values to be named at the left where they fall, most important first: ``(200_000, "200k")``."""
