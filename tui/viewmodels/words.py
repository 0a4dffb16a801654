"""What records say, as raw text: a person's words, replies, results, commands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ccbrowse.core.records import (
    Block,
    Image,
    Other,
    Text,
    ToolResult,
    command_of,
    typed_text,
)
from ccbrowse.core.text import SafeText, display_text
from ccbrowse.core.texts import part_text

WORDS_LIMIT = 2_000
"""Characters of a row's words."""

_CONTINUED = "This session is being continued from a previous conversation"


def safe_words(raw: str) -> SafeText:
    """A row's words: the beginning of a text, made safe, its line breaks kept."""
    return SafeText(display_text(raw[:WORDS_LIMIT].strip(), newlines=True))


_SPEAKING = (
    *("content", "text", "message", "summary", "prompt", "command", "url", "lastPrompt"),
    *("customTitle", "aiTitle", "agentName", "operation", "mode", "permissionMode", "filename"),
    *("displayPath", "durationMs", "names", "data"),
)


def first_words(record: Mapping[str, Any]) -> str:
    """What a record of the client says: the first of the fields that speak."""
    for name in _SPEAKING:
        value = record.get(name)
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, int) and not isinstance(value, bool):
            return f"{name} {value}"
        if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
            return ", ".join(value[:40])
    return ""


def plain_text(found: Sequence[Block]) -> str:
    """The text blocks of a message, joined (raw)."""
    texts = [block.text for block in found if isinstance(block, Text)]
    return texts[0] if len(texts) == 1 else "\n".join(texts)


def prompt_words(found: Sequence[Block]) -> str:
    """What a person sent (raw): tags that the client put beside it off, images as notes."""
    words = [typed_or_all(plain_text(found))]
    words += [part_text(block) for block in found if isinstance(block, Image | Other)]
    return "\n".join(part for part in words if part)


def summary_words(text: str) -> str:
    """A summary (raw) without the sentence that the client puts before it."""
    words = typed_text(text)
    if words.startswith(_CONTINUED):
        _, _, rest = words.partition("\n")
        return rest.strip() or words
    return words or text


def typed_or_all(text: str) -> str:
    """What a person typed of a text, or the text where nothing is left."""
    return typed_text(text) or text


def reply_words(found: Sequence[Block]) -> str:
    """What a reply says (raw), images and unknown blocks as notes."""
    parts = [block for block in found if isinstance(block, Text | Image | Other)]
    return "\n".join(words for part in parts if (words := part_text(part)).strip())


def result_words(found: Sequence[Block]) -> str:
    """What results give back (raw)."""
    results = [block for block in found if isinstance(block, ToolResult)]
    return "\n".join(part_text(part) for result in results for part in result.parts)


def command_words(text: str) -> str:
    """A command as it was typed, or what it printed (raw)."""
    command = command_of(text)
    if command is not None:
        return " ".join(part for part in command if part)
    words = tags_off(text).strip()
    return words or "(no output)"


def tags_off(text: str) -> str:
    """A text without the tags that the client puts around commands and their output."""
    for name in (
        *("bash-input", "bash-stdout", "bash-stderr"),
        *("local-command-stdout", "local-command-stderr", "local-command-caveat"),
    ):
        text = text.replace(f"<{name}>", "").replace(f"</{name}>", "")
    return text


def command_label(text: str) -> str:
    """What a row of a command is called: what was typed, or what it printed."""
    start = text.lstrip()[:40]
    if start.startswith("<bash-input>"):
        return "shell"
    if start.startswith(("<bash-std", "<local-command-std")):
        return "output"
    return "command"
