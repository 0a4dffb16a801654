"""Requests as rows and in full: what each message is, whether it stands on both sides, what it weighs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ccbrowse.core.compaction import Side
from ccbrowse.core.numbers import Number
from ccbrowse.core.records import Block, Image, Other, Text, Thinking, ToolCall, ToolResult, blocks
from ccbrowse.core.text import SafeText, display_text, one_line
from ccbrowse.core.texts import compact_json, image_note, part_text
from ccbrowse.tui.viewmodels import figures, tools
from ccbrowse.tui.viewtypes import (
    DETAIL_LIMIT,
    NOTHING,
    CodeBlock,
    DetailBlock,
    DetailView,
    Entry,
    Line,
    LinesBlock,
    Outcome,
    Role,
    TextBlock,
    Tone,
    line,
)

_CONTINUED = "This session is being continued from a previous conversation"
_REMINDER = "<system-reminder>"
_WORDS = 400
_BLOCKS = 12

SAME, PART, GONE, NEW = (SafeText(sign) for sign in ("=", "±", "−", "+"))
"""Signs of a message: it stands in both requests, in part, in the first alone, in the second alone."""


BEFORE_SIGNS = SafeText("= stays · ± in part · − dropped")
AFTER_SIGNS = SafeText("= stayed · ± in part · + new")
"""What they mean, for the frames of the two lists."""


def blocks_in(message: Mapping[str, Any]) -> tuple[Block, ...]:
    """The blocks of a message of a request."""
    return blocks({"message": message})


def describe(role: str, found: Sequence[Block], cwd: str = "") -> tuple[Role, SafeText, SafeText]:
    """What a message, or a block of one, is: its role on the screen, its label, its words on one line."""
    words = one_line(" · ".join(_words(found, cwd)), _WORDS)
    first = next(iter(_telling(found)), None)
    match first:
        case ToolCall():
            return Role.TOOL, one_line(tools.name_of(first.name), 20), words
        case ToolResult():
            return Role.RESULT, SafeText("result"), words
        case Thinking():
            return Role.THINKING, SafeText("thinking"), words
        case Text(text=text) if text.startswith(_CONTINUED):
            return Role.SUMMARY, SafeText("summary"), words
        case Text() if _is_note(first) or role == "system":
            return Role.NOTE, SafeText("reminder" if _is_note(first) else "system"), words
        case _ if role == "assistant":
            return Role.REPLY, SafeText("claude"), words
    return Role.PERSON if role == "user" else Role.NOTE, one_line(role, 20), words


def _telling(found: Sequence[Block]) -> Sequence[Block]:
    """The blocks that tell most: neither the client's notes nor thinking, where there are others."""
    said = [block for block in found if not _is_note(block)]
    return [block for block in said if not isinstance(block, Thinking)] or said or found


def _is_note(block: Block | None) -> bool:
    return isinstance(block, Text) and block.text.lstrip().startswith(_REMINDER)


def _words(found: Sequence[Block], cwd: str) -> Iterator[str]:
    """The blocks in short (raw); the client's notes beside others are only counted."""
    telling = _telling(found)
    for block in telling[:_BLOCKS]:
        yield _in_short(block, cwd)
    if len(telling) > _BLOCKS:
        yield f"{len(telling) - _BLOCKS} more"
    if (notes := sum(map(_is_note, found))) and notes < len(found):
        yield figures.counted(notes, "reminder")


def _in_short(block: Block, cwd: str) -> str:
    match block:
        case Text(text=text) | Thinking(text=text):
            return tools.first_line(text.replace(_REMINDER, ""))[:_WORDS] or "(no words)"
        case ToolCall():
            return tools.headline(block, cwd)[:_WORDS]
        case ToolResult():
            text = tools.first_line(tools.result_text(block))[:_WORDS]
            return text or "; ".join(part_text(part)[:80] for part in block.parts) or "(empty)"
        case Image():
            return image_note(block)
        case Other():
            return block.type


def message_entry(
    key: str,
    message: Mapping[str, Any],
    tokens: Number,
    size: int,
    sign: SafeText,
    cwd: str,
) -> Entry:
    """A message as a row; the sign stands in the gutter."""
    found = blocks_in(message)
    role, label, words = describe(str(message.get("role")), found, cwd)
    weight = (figures.short_tokens(tokens), Tone.MUTED)
    of_json = (SafeText(f" {figures.byte_size(size):>8}"), Tone.MUTED)
    failed = any(isinstance(block, ToolResult) and block.is_error for block in found)
    return Entry(
        key=key,
        role=role,
        label=label,
        text=words,
        time=SafeText(f"{int(key) + 1:>4}"),
        facts=line(weight, of_json),
        outcome=Outcome.FAILED if failed else Outcome.NONE,
        mark=sign,
    )


def request_title(name: str, side: Side | None, messages: int, verified: bool | None) -> SafeText:
    """``before · 145 messages · rebuilt``, ``after · 6 messages · logged, verified ✓``"""
    if side is None:
        return SafeText(f"{display_text(name)} · none yet")
    source = one_line(side.source, 20)
    known = SafeText(", verified ✓") if verified else NOTHING
    count = figures.counted(messages, "message")
    return SafeText(f"{display_text(name)} · {count} · {source}{known}")


def message_text(message: Mapping[str, Any]) -> SafeText:
    """A message for the clipboard: the texts of its blocks."""
    return SafeText("\n\n".join(_plain_text(block) for block in blocks_in(message)))


def _plain_text(block: Block) -> SafeText:
    match block:
        case Text(text=text) | Thinking(text=text):
            return display_text(text, newlines=True)
        case ToolCall():
            return display_text(f"{block.name} {compact_json(block.input)}", newlines=True)
        case ToolResult():
            return display_text("\n".join(part_text(part) for part in block.parts), newlines=True)
        case Image():
            return display_text(image_note(block))
    return display_text(compact_json(block.raw), newlines=True)


# In full


def message_view(key: str, number: int, message: Mapping[str, Any], about: Line) -> DetailView:
    """A message in full, as it was sent."""
    role = one_line(str(message.get("role")), 20)
    title = line((SafeText(f"message {number + 1}"), Tone.STRONG), SafeText(f" · {role}"))
    return DetailView(key, title, about, tuple(block_views(blocks_in(message))))


def block_views(found: Sequence[Block]) -> Iterator[DetailBlock]:
    """The blocks of a message in full, each under its name."""
    for block in found:
        yield from _in_full(block)


def _in_full(block: Block) -> Iterator[DetailBlock]:
    match block:
        case Text(text=text):
            yield _text(text, Tone.MUTED if _is_note(block) else Tone.PLAIN)
        case Thinking(text=text):
            yield _head(SafeText("thinking"))
            yield _text(text or "(its signature alone)", Tone.MUTED)
        case ToolCall():
            yield _head(one_line(block.name, 60), one_line(block.id, 60))
            yield CodeBlock(_cut(_json(block.input)), "json")
        case ToolResult():
            word = SafeText("result, failed" if block.is_error else "result")
            yield _head(word, one_line(block.call_id, 60))
            yield _text("\n".join(part_text(part) for part in block.parts))
        case Image():
            yield _text(image_note(block), Tone.MUTED)
        case Other():
            yield _head(one_line(block.type, 60))
            yield CodeBlock(_cut(_json(block.raw)), "json")


def _head(name: SafeText, rest: SafeText = NOTHING) -> LinesBlock:
    return LinesBlock((line((name, Tone.TOOL), (SafeText(f"  {rest}"), Tone.MUTED)),))


def _text(text: str, tone: Tone = Tone.PLAIN) -> TextBlock:
    return TextBlock(_cut(text), tone)


def _cut(text: str) -> SafeText:
    return SafeText(display_text(text[:DETAIL_LIMIT], newlines=True))


def _json(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, indent=2)
    except (ValueError, RecursionError):
        return compact_json(value)
