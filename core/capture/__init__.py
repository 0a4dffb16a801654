"""Captured request bodies: read from JSON, HAR and logs, joined to their replies, compared.

    capture = read_capture(Path("before.json"))           # or ("session.har", 12)
    joined = join(capture, session)                       # the reply whose request it is
    align(capture.messages, joined.payload.messages)      # side by side, block by block
    Comparison(side_of_capture(capture), side_of("now", messages)).reduction

Of what was captured only the messages are kept, and a few sizes: a proxy's file holds keys, cookies
and account ids, and none of them gets past `bodies`.
"""

from ccbrowse.core.capture.aligning import (
    Block,
    Pair,
    Presence,
    align,
    block_key,
    blocks_of,
    is_reminder,
)
from ccbrowse.core.capture.comparing import Comparison, Side, reduction, side_of, side_of_capture
from ccbrowse.core.capture.joining import Joined, join
from ccbrowse.core.capture.model import Capture
from ccbrowse.core.capture.reading import NoCapture, read_capture, read_captures

__all__ = [
    "Block",
    "Capture",
    "Comparison",
    "Joined",
    "NoCapture",
    "Pair",
    "Presence",
    "Side",
    "align",
    "block_key",
    "blocks_of",
    "is_reminder",
    "join",
    "read_capture",
    "read_captures",
    "reduction",
    "side_of",
    "side_of_capture",
]
