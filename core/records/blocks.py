"""The content of a message as blocks: one small type each, whatever shape the client gave it."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct


class Text(Struct, frozen=True):
    """Words."""

    text: str


class Thinking(Struct, frozen=True):
    """The model's thinking; clients from 2.1.73 on keep only its signature, then `text` is empty."""

    text: str


class Image(Struct, frozen=True):
    """An image or document: its media type, its size in bytes, and its base64 where the file holds it."""

    media_type: str
    size: int
    data: str | None


class Other(Struct, frozen=True):
    """A block of a type that we do not know, kept as it is."""

    type: str
    raw: Any


Part = Text | Image | Other


class ToolCall(Struct, frozen=True):
    """A call of a tool. `input` is whatever JSON the model gave; usually a mapping."""

    id: str
    name: str
    input: Any


class ToolResult(Struct, frozen=True):
    """What a call gave back, as it was sent."""

    call_id: str
    parts: tuple[Part, ...]
    is_error: bool


Block = Text | Thinking | Image | ToolCall | ToolResult | Other

_CALLS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})


def blocks(record: Mapping[str, Any]) -> tuple[Block, ...]:
    """The blocks of a user or assistant record, in order; empty where it has no content."""
    message = record.get("message")
    content = message.get("content") if isinstance(message, Mapping) else message
    return tuple(_blocks(content))


def content_blocks(content: object) -> tuple[Block, ...]:
    """The blocks of a message's content: a text, or a list of blocks."""
    return tuple(_blocks(content))


def _blocks(content: object) -> Iterator[Block]:
    for item in content if isinstance(content, list) else [content]:
        if isinstance(item, str):
            yield Text(item)
        elif isinstance(item, Mapping):
            yield _block(item)
        elif item is not None:
            yield Other("unknown", item)


def _block(item: Mapping[str, Any]) -> Block:
    kind = _string(item.get("type")) or "unknown"
    if kind == "text":
        return Text(_string(item.get("text")))
    if kind == "thinking":
        return Thinking(_string(item.get("thinking")))
    if kind == "redacted_thinking":
        return Thinking("")
    if kind in _CALLS:
        return ToolCall(_string(item.get("id")), _string(item.get("name")), item.get("input"))
    if kind.endswith("tool_result"):
        parts = tuple(_parts(item.get("content")))
        return ToolResult(_string(item.get("tool_use_id")), parts, item.get("is_error") is True)
    if kind in ("image", "document"):
        return _image(item)
    return Other(kind, item)


def _parts(content: object) -> Iterator[Part]:
    for block in _blocks(content):
        if isinstance(block, Text | Image | Other):
            yield block


def _image(item: Mapping[str, Any]) -> Image:
    source = item.get("source")
    source = source if isinstance(source, Mapping) else {}
    data = source.get("data")
    known = _string(source.get("media_type")) or _string(item.get("type"))
    if not isinstance(data, str):
        return Image(known, 0, None)
    padding = len(data) - len(data.rstrip("="))
    return Image(known, max(0, len(data) * 3 // 4 - padding), data)


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""
