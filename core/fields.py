"""What a search looks at: the texts of a record by field, whatever shape the client gave them.

Request rows, snapshots, images, signatures and the second copy of a result (`toolUseResult`) have no
texts here. Each string of a tool's input is a text of its own, so that what is found stands in one
string of the file. A title is not a record's: see `possible_titles`.
"""

from collections.abc import Collection, Iterator, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from ccbrowse.core.records import (
    Block,
    Other,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    attachment_of,
    blocks,
    queued_blocks,
)


class Field(StrEnum):
    """Where in a session a text stands."""

    USER = "user"
    """What a person sent, and what the client wrote in a person's place."""
    ASSISTANT = "assistant"
    """Replies."""
    THINKING = "thinking"
    """Thinking, where the file holds its words."""
    TOOL = "tool"
    """The name of a tool that was called, and the strings of its input."""
    RESULT = "result"
    """What a tool gave back, as it was sent."""
    SUMMARY = "summary"
    """What a compaction left, and the client's notes of what happened meanwhile."""
    TITLE = "title"
    """What the session is called."""
    FILE = "file"
    """Paths that a tool call or an attachment names."""


ALL_FIELDS = frozenset(Field)
"""Every field: where a search looks unless it is told."""

TALK = frozenset({Field.USER, Field.ASSISTANT, Field.SUMMARY, Field.TITLE})
"""The fields of what was said: the talk index covers these."""


class FieldText(NamedTuple):
    """A text and its field. Its *part* is its place among all texts of the record, from 0."""

    field: Field
    text: str


_PATH_KEYS = frozenset(
    ["file_path", "path", "notebook_path", "filePath", "paths", "file_paths", "filename"]
)
_NO_WORDS = frozenset(
    [
        *("type", "id", "tool_use_id", "signature", "data", "cache_control", "media_type"),
        *("encrypted_content", "encrypted_index"),
    ]
)
TOLD_BY_SYSTEM = {"local_command": Field.USER, "away_summary": Field.SUMMARY}
"""The system records that hold words, and their field."""

REPEATS = ("progress", "api-request")
"""Types whose messages stand in records of their own as well."""

_ROLES = {"user": Field.USER, "assistant": Field.ASSISTANT}


def field_texts(record: Mapping[str, Any]) -> Iterator[FieldText]:
    """The texts of a decoded record, in reading order; none for records that hold no words."""
    kind = record.get("type")
    if kind == "user":
        summary = record.get("isCompactSummary") is True
        yield from _of_blocks(blocks(record), Field.SUMMARY if summary else Field.USER)
    elif kind == "assistant":
        yield from _of_blocks(blocks(record), Field.ASSISTANT)
    elif kind == "attachment":
        yield from _of_attachment(record)
    elif kind == "system":
        field, content = TOLD_BY_SYSTEM.get(str(record.get("subtype"))), record.get("content")
        if field is not None and isinstance(content, str):
            yield FieldText(field, content)
    elif "parentUuid" in record and isinstance(message := record.get("message"), Mapping):
        own = _ROLES.get(str(message.get("role")))
        if own is not None and not str(kind).startswith(REPEATS):
            yield from _of_blocks(blocks(record), own)


def block_at(record: Mapping[str, Any], part: int) -> Block | None:
    """The block of a message that one of its `field_texts` comes from; None for records without blocks."""
    if not isinstance(record.get("message"), Mapping):
        return None
    for block in blocks(record):
        part -= sum(1 for _ in _of_blocks((block,), Field.USER))
        if part < 0:
            return block
    return None


def _of_attachment(record: Mapping[str, Any]) -> Iterator[FieldText]:
    attachment = attachment_of(record)
    if attachment is None:
        return
    if attachment.get("type") == "queued_command":
        yield from _of_blocks(queued_blocks(record), Field.USER)
    for name in ("filename", "path"):
        if isinstance(path := attachment.get(name), str):
            yield FieldText(Field.FILE, path)


def _of_blocks(found: Collection[Block], own: Field) -> Iterator[FieldText]:
    for block in found:
        if isinstance(block, Text):
            yield FieldText(own, block.text)
        elif isinstance(block, Thinking):
            if block.text:
                yield FieldText(Field.THINKING, block.text)
        elif isinstance(block, ToolCall):
            yield from _of_call(block)
        elif isinstance(block, ToolResult):
            for part in block.parts:
                if isinstance(part, Text):
                    yield FieldText(Field.RESULT, part.text)
                elif isinstance(part, Other):
                    yield from (FieldText(Field.RESULT, s) for s in strings(part.raw, _NO_WORDS))
        elif isinstance(block, Other):
            yield from (FieldText(own, text) for text in strings(block.raw, _NO_WORDS))


def _of_call(call: ToolCall) -> Iterator[FieldText]:
    yield FieldText(Field.TOOL, call.name)
    yield from (FieldText(Field.TOOL, text) for text in strings(call.input))
    if isinstance(call.input, Mapping):
        for name, value in call.input.items():
            if name in _PATH_KEYS:
                yield from (FieldText(Field.FILE, path) for path in strings(value))


def strings(value: object, without: Collection[str] = ()) -> Iterator[str]:
    """The strings in a decoded value, in order, at any depth; keys, and what stands under `without`, not."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, Mapping):
            waiting.extend(item[key] for key in reversed(list(item)) if key not in without)
        elif isinstance(item, list):
            waiting.extend(reversed(item))
