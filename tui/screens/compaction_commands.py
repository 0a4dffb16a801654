"""The commands of the compaction screen, and those that open it from a session; as in `tui.commands`."""

from __future__ import annotations

from collections.abc import Sequence

from ccbrowse.tui.commands import (
    Command,
    Commands,
    Copy,
    Export,
    Find,
    FindNext,
    FindPrevious,
    NextBoundary,
    NextPane,
    PreviousBoundary,
)


class Loss(Command):
    """Show what a compaction lost."""

    id, keys, title, action = "loss", "L", "Loss", "compaction(0)"
    help = "What the compaction above kept and lost; its requests."
    footer = "loss"


class Requests(Command):
    """Show the requests before and after a compaction."""

    id, keys, title, action = "payload", "P", "Payload", "compaction(1)"
    help = "The requests before and after it, message by message."
    footer = "payload"


class Ahead(Command):
    """Tell what the forecast rests on."""

    id, keys, title, action = "forecast", "f", "Forecast", "forecast"
    help = "When the next automatic compaction comes, and why."
    footer = "-"


class Curve(Command):
    """Draw the context of one segment, or of the whole session."""

    id, keys, title, action = "curve", "c", "Curve", "curve"
    help = "The context curve of this segment alone, or of the session."
    footer = "-"


Loss.pair = Requests

OPENERS: Commands = (Loss, Requests, Curve, Ahead)
"""What a session's screen has of them."""


class Original(Command):
    """Go to the original."""

    id, keys, title, action = "item.open", "enter", "Original", "open_item"
    help = "Go to the item in the session; of a message, read it."
    bound = False
    footer = "original"


class View(Command):
    """Choose the view."""

    id, keys, title, action = "view", "1,2,3", "View", "view({key})"
    help = "Loss, payload, or a captured request."
    footer = "-"


class Bucket(Command):
    """Show another bucket: the next part of the list."""

    id, keys, title = "part.next", "greater_than_sign", "Next bucket"
    action = "part(1)"
    help = "List another bucket: not found, kept, put back, in summary."
    footer = "bucket"


class BucketBefore(Command):
    """Show the bucket before."""

    id, keys, title = "part.previous", "less_than_sign", "Bucket before"
    action = "part(-1)"
    help = "The bucket before."
    footer = "-"


class Capture(Command):
    """Open a captured request."""

    id, keys, title, action = "capture", "C", "Captured file", "capture"
    help = "Hold a captured request (JSON, HAR, a log) against the rebuilt one."
    footer = "capture"


Bucket.pair = BucketBefore

COMPACTION: Commands = (
    *(Original, View, PreviousBoundary, NextBoundary, Bucket, BucketBefore, Capture),
    *(Loss, Requests, Find, FindNext, FindPrevious, Copy, Export),
)
"""What works on the compaction screen, beside moves, panes and what works everywhere."""


class _Read(Original):
    """The same key, of a message or a block."""

    footer = "read"


class _Panes(NextPane):
    """The key that goes from pane to pane, named in the bottom line here."""

    footer = "panes"


class _Differences(Bucket):
    """The same key, of a captured request."""

    footer = "differences"


FOOTERS: Sequence[Commands] = (
    (Original, _Panes, PreviousBoundary, Bucket, Export, Copy, Capture),
    (_Read, _Panes, PreviousBoundary, Copy, Capture),
    (Capture, _Differences, _Read, _Panes, Copy),
)
"""What the bottom line tells in each view."""
