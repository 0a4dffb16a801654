"""The texts of a record that a model reads: what `text_tokens` and the search look at."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ccbrowse.core.records import (
    Block,
    Image,
    Part,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    blocks,
    queued_blocks,
)


def model_texts(record: Mapping[str, Any]) -> Iterator[str]:
    """Prompts, replies, tool inputs and results of a record; no images, no thinking without text."""
    if record.get("type") == "attachment":
        yield from _texts(queued_blocks(record))
    else:
        yield from _texts(blocks(record))


def _texts(found: tuple[Block, ...]) -> Iterator[str]:
    for block in found:
        if isinstance(block, Text | Thinking):
            yield block.text
        elif isinstance(block, ToolCall):
            yield block.name
            yield compact_json(block.input)
        elif isinstance(block, ToolResult):
            yield from (part.text for part in block.parts if isinstance(part, Text))


def part_text(part: Part) -> str:
    """A part of a result in words; an image as a note of its type and size."""
    if isinstance(part, Text):
        return part.text
    if isinstance(part, Image):
        return image_note(part)
    return compact_json(part.raw)


def image_note(image: Image) -> str:
    """What stands for an image where only text can: its media type and size."""
    size = f", {image.size:,} bytes" if image.size else ""
    return f"[{image.media_type or 'image'}{size}]"


def compact_json(value: object) -> str:
    """A value as JSON on one line; strings as they are."""
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except ValueError:
        return str(value)
    except RecursionError:
        return "(nested too deep)"
