"""A tool call in full: what it was given, what it changed, what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ccbrowse.core.index import NONE
from ccbrowse.core.records import ToolCall
from ccbrowse.core.text import SafeText, one_line
from ccbrowse.tui.viewmodels import blocks, tools
from ccbrowse.tui.viewmodels.answers import Answer
from ccbrowse.tui.viewmodels.beneath import call_subtitle, record_facts
from ccbrowse.tui.viewmodels.diffs import edit_diffs
from ccbrowse.tui.viewmodels.entries import find_result
from ccbrowse.tui.viewmodels.inputs import input_blocks
from ccbrowse.tui.viewmodels.lore import Bodies, Lore
from ccbrowse.tui.viewmodels.results import result_blocks
from ccbrowse.tui.viewtypes import DetailBlock, DetailView, Tone, line

NO_LIMIT = 1 << 40


def call_detail(
    bodies: Bodies, lore: Lore, key: str, row: int, call: ToolCall, record: Mapping[str, Any]
) -> DetailView:
    """A call with its result; an edit's diff comes first."""
    index = bodies.index
    result_row, result = find_result(bodies, row, call, NO_LIMIT)
    answer = bodies.record(result_row) if result_row != NONE else {}
    extra = answer.get("toolUseResult")
    cwd = str(record.get("cwd") or "")
    failed = result is not None and result.is_error
    name = (one_line(call.name, 80) or SafeText("tool"), Tone.BAD if failed else Tone.TOOL)
    words = (one_line(tools.headline(call, cwd), 300), Tone.STRONG)
    diffs = edit_diffs(call, extra)
    found: list[DetailBlock] = list(diffs)
    answered = result is not None and not failed
    found += input_blocks(call, lore, as_diff=bool(diffs), answered=answered)
    if lore.agents.get(call.id) is not None:
        found.append(blocks.text("enter opens its conversation", Tone.MUTED))
    if result is not None:
        found += result_blocks(Answer(call, result, extra, cwd, lore))
    elif call.id in index.unanswered:
        told = "No result yet." if lore.live else "It never got a result."
        found.append(blocks.text(told, Tone.MUTED))
    found.append(record_facts(index, key, row, record, lore, call))
    subtitle = call_subtitle(index, row, result_row, lore)
    return DetailView(key, line(name, SafeText(" "), words), subtitle, tuple(found))
