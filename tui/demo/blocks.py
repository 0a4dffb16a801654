"""What a message is made of, before it becomes rows."""

import base64
import struct
import zlib
from dataclasses import dataclass, field
from typing import Any

from ccbrowse.tui.demo.lines import Row


@dataclass(frozen=True, slots=True)
class Say:
    """Words of the model."""

    text: str


@dataclass(frozen=True, slots=True)
class Think:
    """Thinking of the model. Newer clients write none of its words, only a signature."""

    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call and what will come of it.

    `content` is what the model gets back, `result` the client's own structured copy of it
    (`toolUseResult`), `seconds` how long the tool runs, `images` how many images came back.
    """

    name: str
    input: Row
    content: str | list[Row]
    result: Any
    is_error: bool | None = None
    seconds: float = 0.4
    images: int = 0


Block = Say | Think | Call


@dataclass(slots=True)
class OpenCall:
    """A call that has been written and waits for its result."""

    call: Call
    id: str
    row: str


@dataclass(slots=True)
class Reply:
    """A reply under way: its ids, its rows so far, the calls in it that have no result yet."""

    message_id: str
    request_id: str
    usage: Row
    stop_reason: str | None
    request: str | None
    blocks: list[Row]
    sources: tuple[Block, ...]
    aborted: bool = False
    rows: list[str] = field(default_factory=list)
    calls: list[OpenCall] = field(default_factory=list)


def image_block(data: bytes, media_type: str = "image/png") -> Row:
    """An image as the API takes it."""
    source = {"type": "base64", "media_type": media_type, "data": base64.b64encode(data).decode()}
    return {"type": "image", "source": source}


def png(width: int, height: int, colour: tuple[int, int, int]) -> bytes:
    """A small one-coloured PNG."""
    rows = (b"\0" + bytes(colour) * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        for name, body in chunks
    )
