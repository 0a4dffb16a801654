"""What the content of a message holds, as flags; and the calls it makes or answers."""

from msgspec import DecodeError, Raw

from ccbrowse.core.index.flags import (
    CALL,
    EMPTY,
    FAILED,
    IMAGE,
    TEXT,
    THINKING,
)
from ccbrowse.core.records.heads import ABSENT, BlockHead, decode_text

Content = str | list[BlockHead | str | None] | None

_IMAGES = ("image", "document")
_THOUGHTS = ("thinking", "redacted_thinking")


def reply_contents(content: Content) -> tuple[int, str, list[str]]:
    """The flags of a reply's content, the name of its first tool, and the ids of its calls."""
    if not isinstance(content, list):
        return (TEXT if content and not content.isspace() else EMPTY), "", []
    flags, tool, calls = 0, "", list[str]()
    for block in content:
        if not isinstance(block, BlockHead):
            flags |= TEXT if block and not block.isspace() else 0
            continue
        kind = block.type
        if kind == "tool_use" or (kind is not None and kind.endswith("_tool_use")):
            tool = tool if flags & CALL else block.name or ""
            flags |= CALL
            if block.id:
                calls.append(block.id)
        elif kind == "text":
            flags |= TEXT if _has_words(block.text) else 0
        elif kind in _THOUGHTS:
            flags |= THINKING
        elif kind in _IMAGES:
            flags |= IMAGE
        else:
            flags |= TEXT
    return flags or EMPTY, tool, calls


def user_contents(content: list[BlockHead | str | None]) -> tuple[int, str, list[str]]:
    """The flags of a user record's content (CALL: it holds a result), its text, the calls answered."""
    flags, texts, answered = 0, list[str](), list[str]()
    for block in content:
        if not isinstance(block, BlockHead):
            texts.append(block or "")
        elif block.type == "tool_result" or block.tool_use_id:
            flags |= CALL | (FAILED if block.is_error else 0)
            if block.tool_use_id:
                answered.append(block.tool_use_id)
        elif block.type == "text":
            if block.text is not ABSENT:
                texts.append(_text(block.text))
        elif block.type in _IMAGES:
            flags |= IMAGE
    return flags, texts[0] if len(texts) == 1 else "\n".join(texts), answered


def _text(raw: Raw) -> str:
    try:
        return decode_text(raw)
    except DecodeError:  # a lone surrogate, or no string at all
        return bytes(raw).decode(errors="replace").strip('"')


def _has_words(raw: Raw) -> bool:
    """Whether an undecoded text shows anything. Longer ones are taken to: blanks are a few escapes."""
    size = len(memoryview(raw))
    return size > 12 or (size > 2 and not _text(raw).isspace())
