"""One item as plain text: for the clipboard, a pager, an editor, and for finding words in it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ccbrowse.core.index import NONE
from ccbrowse.core.kept import kept_name
from ccbrowse.core.records import Kind, Thinking, ToolCall, blocks, queued_blocks
from ccbrowse.core.text import SafeText, display_text
from ccbrowse.core.texts import compact_json, part_text
from ccbrowse.tui.viewmodels.entries import calls_of, find_result, make_row
from ccbrowse.tui.viewmodels.items import DAY, FINDING, FIRST_CALL, FORK, THOUGHT
from ccbrowse.tui.viewmodels.lore import Bodies, Lore
from ccbrowse.tui.viewmodels.tools import result_text
from ccbrowse.tui.viewmodels.words import (
    command_words,
    plain_text,
    prompt_words,
    reply_words,
    result_words,
)
from ccbrowse.tui.viewtypes import BoundaryRow

_NO_LIMIT = 1 << 40

_MOST_KEPT = 1 << 26
"""Bytes of a kept output that are handed over."""


def item_text(bodies: Bodies, lore: Lore, key: str, row: int, part: int) -> SafeText:
    """The text of an item, fit for a terminal, in full."""
    return display_text("\n".join(_texts(bodies, lore, key, row, part)), newlines=True)


def _texts(bodies: Bodies, lore: Lore, key: str, row: int, part: int) -> Iterator[str]:
    made_up = part in (DAY, FINDING, FORK) or bodies.index.kind[row] == Kind.BOUNDARY
    if made_up:
        made = make_row(bodies, lore, key, row, part)
        if isinstance(made, BoundaryRow):
            parts = (made.title, made.trigger, made.before, made.after, made.reduction)
            yield " ".join(part for part in parts if part)
        else:
            yield made.text
        return
    record = bodies.record(row)
    if lore.raw:
        rows = [row, *bodies.index.results_of(row)] if part >= FIRST_CALL else [row]
        yield from (
            json.dumps(bodies.record(each), ensure_ascii=False, indent=2, default=str)
            for each in rows
        )
        return
    if part >= FIRST_CALL:
        calls = calls_of(record)
        if part - FIRST_CALL < len(calls):
            yield from _call(bodies, lore, row, calls[part - FIRST_CALL])
    elif part == THOUGHT:
        yield from (block.text for block in blocks(record) if isinstance(block, Thinking))
    else:
        yield _words(bodies, row, record)


def row_words(bodies: Bodies, row: int) -> str:
    """What a record says (raw): its words, else the names of the tools it calls."""
    record = bodies.record(row)
    words = _words(bodies, row, record)
    return words or ", ".join(call.name for call in calls_of(record))


def _call(bodies: Bodies, lore: Lore, row: int, call: ToolCall) -> Iterator[str]:
    yield call.name
    if isinstance(call.input, Mapping):
        for name, value in call.input.items():
            yield f"{name}: {compact_json(value)}"
    elif call.input is not None:
        yield compact_json(call.input)
    result_row, result = find_result(bodies, row, call, _NO_LIMIT)
    if result_row != NONE and result is not None:
        yield ""
        extra = bodies.record(result_row).get("toolUseResult")
        name = kept_name(result_text(result), extra)
        whole = lore.kept(name, _MOST_KEPT).content if name is not None else None
        if whole is not None:
            yield whole
        else:
            yield from (part_text(part) for part in result.parts)


def _words(bodies: Bodies, row: int, record: Mapping[str, Any]) -> str:
    kind = bodies.index.kind[row]
    if kind == Kind.QUEUED_PROMPT:
        return prompt_words(queued_blocks(record))
    found = blocks(record)
    match kind:
        case Kind.PROMPT:
            return prompt_words(found)
        case Kind.ASSISTANT | Kind.ERROR:
            return reply_words(found)
        case Kind.COMMAND:
            return command_words(plain_text(found))
        case Kind.SUMMARY | Kind.META:
            return plain_text(found)
        case Kind.RESULT:
            return plain_text(found) or result_words(found)
    return json.dumps(record, ensure_ascii=False, indent=2, default=str)
