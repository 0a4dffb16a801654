"""Items to messages: attachments moved up, neighbours merged, results first, system texts collected.

Measured on all recordings. Attachments move up to the nearest reply or result before them. Two
user texts that meet get a line break between them (from 2.1.60 on); not so where a note meets what
stands before a system text. A note that opens a user's turn leaves all but its last text as
messages of their own.
"""

from typing import Any

from ccbrowse.core.payload.attachments import system_text
from ccbrowse.core.payload.canonical import as_blocks
from ccbrowse.core.payload.items import Item, Part
from ccbrowse.core.payload.model import Message
from ccbrowse.core.payload.replies import Version

BREAKS_FROM: Version = (2, 1, 60)
"""The first version taken to put a line break where two texts meet: 2.1.59 does not, 2.1.89 does."""

STRINGS_FROM: Version = (2, 1, 12)
"""The first version taken to send a lone text as a string: 2.1.11 does not, 2.1.59 does."""


def moved_up(items: list[Item]) -> list[Item]:
    """The items with each attachment right after the nearest reply or result before it."""
    out: list[Item] = []
    waiting: list[Item] = []
    for item in reversed(items):
        if item.part in (Part.NOTE, Part.SYSTEM):
            waiting.append(item)
            continue
        if item.stops:
            out += waiting
            waiting = []
        out.append(item)
    return (out + waiting)[::-1]


class Merger:
    """Merges the items of one section: replies, and what the user's side sends after them."""

    def __init__(self, version: Version) -> None:
        self._breaks = version >= BREAKS_FROM
        self._strings = version >= STRINGS_FROM
        self._messages: list[Message] = []
        self._system: list[str] = []
        self._gap = False

    def messages(self, items: list[Item]) -> list[Message]:
        """The messages of the items."""
        for item in moved_up(items):
            if item.part is Part.SYSTEM:
                text = system_text(item.content)
                self._system += [text] if text else []
                self._gap = True
            elif item.part is Part.ASSISTANT:
                self._flush()
                self._put("assistant", item.content, as_blocks(item.content))
            elif item.part is not Part.NOTHING:
                self._user_side(item)
        self._flush()
        return [self._finished(message) for message in self._messages]

    def _user_side(self, item: Item) -> None:
        note = item.part is Part.NOTE
        if not note:
            self._gap = False
        apart = not self._messages or self._messages[-1]["role"] != "user"
        for content in item.content if note else (item.content,):
            if apart:
                self._messages.append({"role": "user", "content": content})
            else:
                self._put("user", content, as_blocks(content))
            self._gap = False

    def _put(self, role: str, content: Any, blocks: list[Any]) -> None:
        """A message, or more blocks for the last one where that has the role already."""
        if not self._messages or self._messages[-1]["role"] != role:
            self._messages.append({"role": role, "content": content})
            return
        before = as_blocks(self._messages[-1]["content"])
        if role == "user" and self._breaks and not self._gap and before and blocks:
            before = [*before[:-1], *_broken(before[-1], blocks[0])]
        self._messages[-1]["content"] = [*before, *blocks]

    def _flush(self) -> None:
        """The system texts collected so far, as the message after the user's."""
        if self._system:
            self._messages.append({"role": "system", "content": "\n\n".join(self._system)})
        self._system, self._gap = [], False

    def _finished(self, message: Message) -> Message:
        content = message["content"]
        if message["role"] != "user" or not isinstance(content, list):
            return message
        if self._strings and (text := lone_text(content)) is not None:
            return {**message, "content": text}
        results = [block for block in content if _type(block) == "tool_result"]
        others = [block for block in content if _type(block) != "tool_result"]
        return {**message, "content": results + others}


def lone_text(blocks: list[Any]) -> str | None:
    """The text of blocks that are one plain text alone: the API is sent a string then."""
    if len(blocks) == 1 and isinstance(blocks[0], dict) and set(blocks[0]) == {"type", "text"}:
        text = blocks[0]["text"]
        return text if isinstance(text, str) else None
    return None


def _broken(last: Any, first: Any) -> list[Any]:
    """The last block before a seam, with a line break where two texts meet."""
    if _type(last) == _type(first) == "text" and isinstance(last.get("text"), str):
        return [{**last, "text": last["text"] + "\n"}]
    return [last]


def _type(block: Any) -> object:
    return block.get("type") if isinstance(block, dict) else None
