"""The words that lines of a session file say, in blocks: byte ranges of the file with the words in them.

Folded as a search folds them, each once, in no order: enough to know that a block lacks what is looked
for, and not the text that was said. Most lines are told by a typed decode of little; the others are
decoded whole, and read as a search reads them.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BufferedReader
from itertools import repeat
from pathlib import Path
from typing import NamedTuple

from msgspec import DecodeError, Struct
from msgspec.json import Decoder

from ccbrowse.core.errors import BadLine
from ccbrowse.core.fields import REPEATS, TALK, TOLD_BY_SYSTEM, field_texts
from ccbrowse.core.lines import Position, line_bounds, position_at, read_chunks
from ccbrowse.core.records import decode, decode_odd
from ccbrowse.core.records.kinds import SIDE_TYPES
from ccbrowse.core.titles import NAMING, possible_titles

BLOCK_CHARS, BLOCK_BYTES = 8_192, 1 << 19
"""What a block holds about: characters that were said, and bytes of the file."""


class Block(NamedTuple):
    """A part of a file, from the start of a line to the end of one, and the words said in it."""

    start: int
    stop: int
    words: str


class Extract(NamedTuple):
    """The blocks of a file from some place on, and how far it was read."""

    blocks: list[Block]
    position: Position


class _Block(Struct, gc=False):
    type: str | None = None
    text: str | None = None


class _Message(Struct, gc=False):
    content: str | list[_Block | str | None] | None = None


class _Attachment(Struct, gc=False):
    type: str | None = None


class _Line(Struct, gc=False):
    """As much of a record as tells whether it says something, and what most of them say."""

    type: str
    subtype: str | None = None
    attachment: _Attachment | None = None
    message: _Message | str | None = None


_decode = Decoder(_Line).decode
_decode_all = Decoder(_Line).decode_lines

_SILENT = frozenset(
    (
        *("tool_use", "server_tool_use", "mcp_tool_use", "tool_result"),
        *("thinking", "redacted_thinking", "image", "document"),
    )
)
_OPENS, _CLOSES = {ord("{")}, {ord("}")}
_ROLES = ("user", "assistant")
_NEVER = (SIDE_TYPES - NAMING.keys()) | set(REPEATS)


def extract(path: str, start: int = 0) -> Extract:
    """The blocks of a file, whole lines from an offset on. Raises OSError."""
    blocks: list[Block] = []
    words, said, first, last, stop = set[str](), 0, start, start, start
    with Path(path).open("rb") as file:
        before = position_at(file, 0).stamp
        for offset, texts, end in _said(file, start):
            stop = max(stop, end)
            if not texts:
                continue
            if words and (said > BLOCK_CHARS or end - first > BLOCK_BYTES):
                blocks.append(Block(first, last, _joined(words)))
                words, said = set(), 0
            first = first if words else offset
            last = end
            for text in texts:
                folded = text.casefold()
                words.update(
                    folded.replace("\0", " ").split() if "\0" in folded else folded.split()
                )
                said += len(folded)
        if words:
            blocks.append(Block(first, last, _joined(words)))
        found = position_at(file, stop)
    return Extract(blocks, Position(before, stop, found.guard))


def _joined(words: set[str]) -> str:
    """Words as SQLite takes them: halves of wide characters have no bytes."""
    text = "\n".join(words)
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


def _said(file: BufferedReader, start: int) -> Iterator[tuple[int, list[str], int]]:
    """Offset, texts and end of each whole line that says something; without texts, how far it was read."""
    for chunk in read_chunks(file, start):
        data, end = chunk.data, chunk.end
        if chunk.final:
            end = data.rfind(b"\n", 0, end) + 1  # an unfinished line is not covered
        if not end:
            continue
        starts, stops = line_bounds(data, end)
        with memoryview(data) as view:
            heads = _heads(view, data, starts, stops, end)
            for a, b, head in zip(starts, stops, heads or repeat(None), strict=False):
                if head is not None and head.type in _NEVER:
                    continue
                texts = _texts(head, view, a, b)
                if texts:
                    yield chunk.offset + a, texts, chunk.offset + b + 1
        yield chunk.offset, [], chunk.offset + end


def _heads(
    view: memoryview, data: bytes | bytearray, starts: list[int], stops: list[int], end: int
) -> list[_Line] | None:
    """The lines of a chunk, decoded at once; None where one of them needs a closer look."""
    byte = data.__getitem__
    if set(map(byte, starts)) != _OPENS or set(map(byte, [stop - 1 for stop in stops])) != _CLOSES:
        return None  # the decoder of many takes two on a line as gladly as one on two
    try:
        heads = _decode_all(view[:end])
    except (DecodeError, RecursionError, ValueError):
        return None
    return heads if len(heads) == len(starts) else None


def _texts(head: _Line | None, view: memoryview, start: int, stop: int) -> list[str]:
    """What a line says, and what it may call its session."""
    if head is None:
        try:
            head = _decode(view[start:stop])
        except (DecodeError, RecursionError, ValueError):
            return _all_texts(bytes(view[start:stop])) if stop > start else []
    kind = head.type
    if kind in _ROLES:
        texts = _plain_texts(head.message)
        # What a client put between tags is left out of titles, and leaves other words behind.
        if texts is None or (kind == "user" and any("<" in text for text in texts)):
            return _all_texts(bytes(view[start:stop]))
        return texts
    if kind == "attachment":
        told = head.attachment is not None and head.attachment.type == "queued_command"
    elif kind == "system":
        told = head.subtype in TOLD_BY_SYSTEM
    elif kind in NAMING:
        told = True
    else:
        told = kind not in _NEVER and head.message is not None and not kind.startswith(REPEATS)
    return _all_texts(bytes(view[start:stop])) if told else []


def _plain_texts(message: _Message | str | None) -> list[str] | None:
    """The texts of a message; None where a block is of a type that takes a closer look."""
    content = message.content if isinstance(message, _Message) else message
    if not isinstance(content, list):
        return [content] if content else []
    texts: list[str] = []
    for block in content:
        if not isinstance(block, _Block):
            texts.append(block or "")
        elif block.type == "text":
            texts.append(block.text or "")
        elif block.type not in _SILENT:
            return None
    return texts


def _all_texts(line: bytes) -> list[str]:
    try:
        found = [decode(line)]
    except BadLine:
        found = decode_odd(line)[0]
    texts: list[str] = []
    for record in found:
        texts += [each.text for each in field_texts(record) if each.field in TALK]
        texts += possible_titles(record)
    return texts
