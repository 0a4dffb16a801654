"""Two arrays of messages side by side, block by block: what both hold, and what only one of them does."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from hashlib import sha256
from typing import Any

from ccbrowse.core.payload import Message
from ccbrowse.core.payload.canonical import as_blocks, canonical_json

_REMINDER = re.compile(r"<system-reminder>.*?</system-reminder>\s*", re.DOTALL)


class Presence(StrEnum):
    """On which side a block stands."""

    BOTH = "both"
    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a message: the message's number (from 0) and role, and the block as it is."""

    message: int
    role: str
    content: Any


@dataclass(frozen=True, slots=True)
class Pair:
    """A row of the two sides: a block of each, or of one alone."""

    presence: Presence
    left: Block | None
    right: Block | None


def blocks_of(messages: Sequence[Message]) -> Iterator[Block]:
    """The blocks of all messages; a string is one text block."""
    for number, message in enumerate(messages):
        for content in as_blocks(message.get("content")):
            yield Block(number, str(message.get("role")), content)


def block_key(block: Block) -> bytes:
    """What two blocks are the same by: role and content, cache marks and blanks at the ends aside."""
    content = block.content
    if isinstance(content, dict) and isinstance(content.get("text"), str):
        content = {**content, "text": content["text"].strip()}
    return sha256(canonical_json([block.role, content])).digest()


def is_reminder(block: Block) -> bool:
    """Whether a block is the client's own note and nothing else."""
    content = block.content
    text = content.get("text") if isinstance(content, dict) else None
    if block.role == "system":
        return True
    return (
        isinstance(text, str)
        and "<system-reminder>" in text
        and not _REMINDER.sub("", text).strip()
    )


def align(left: Sequence[Message], right: Sequence[Message]) -> list[Pair]:
    """The blocks of both sides in order, those that both hold on one row."""
    one, two = list(blocks_of(left)), list(blocks_of(right))
    keys, others = [block_key(b) for b in one], [block_key(b) for b in two]
    pairs: list[Pair] = []
    matcher = SequenceMatcher(None, keys, others, autojunk=False)
    for kind, i, i_end, j, j_end in matcher.get_opcodes():
        if kind == "equal":
            both = zip(one[i:i_end], two[j:j_end], strict=True)
            pairs += [Pair(Presence.BOTH, first, second) for first, second in both]
        else:
            pairs += [Pair(Presence.LEFT, block, None) for block in one[i:i_end]]
            pairs += [Pair(Presence.RIGHT, None, block) for block in two[j:j_end]]
    return pairs
