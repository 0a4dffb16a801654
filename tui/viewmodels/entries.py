"""One item of a timeline to the row that is drawn: a body read, its words taken, made safe."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from ccbrowse.core.index import INTERRUPT, NONE, TYPED, SessionIndex
from ccbrowse.core.records import (
    Kind,
    Thinking,
    ToolCall,
    ToolResult,
    blocks,
    queued_blocks,
    typed_text,
)
from ccbrowse.core.text import SafeText, cell_width, display_text, one_line
from ccbrowse.tui.viewmodels import figures, tools
from ccbrowse.tui.viewmodels.agentlist import agent_facts, agent_labels
from ccbrowse.tui.viewmodels.client import client_words, interrupted_words
from ccbrowse.tui.viewmodels.forkrows import edited_facts, fork_row
from ccbrowse.tui.viewmodels.items import DAY, FINDING, FIRST_CALL, FORK, THOUGHT
from ccbrowse.tui.viewmodels.lore import Bodies, Lore
from ccbrowse.tui.viewmodels.words import (
    WORDS_LIMIT,
    command_label,
    command_words,
    plain_text,
    prompt_words,
    reply_words,
    result_words,
    safe_words,
    summary_words,
    typed_or_all,
)
from ccbrowse.tui.viewtypes import (
    NOTHING,
    BoundaryRow,
    Divider,
    Entry,
    Line,
    Outcome,
    Piece,
    Role,
    Row,
    Tone,
    line,
)

TOO_LARGE = 2_000_000
"""Bytes of a record above which the timeline only says how large it is."""

_PROMPT_LINES, _REPLY_LINES, _FULL_LINES = 4, 3, 8

_SHORT_VERDICT, _CALL_CELLS = 16, 60
"""Cells: a verdict up to this stands behind the row, a longer one in its words, which it shares."""


def make_row(bodies: Bodies, lore: Lore, key: str, row: int, part: int) -> Row:
    """Draw up one item. Reads the record's body, and its result's; never raises on odd content."""
    made = _row(bodies, lore, key, row, part)
    return replace(made, dim=True) if row in lore.shared and isinstance(made, Entry) else made


def _row(bodies: Bodies, lore: Lore, key: str, row: int, part: int) -> Row:
    index = bodies.index
    if part == DAY:
        return Divider(key, figures.day(index.time[row]))
    if part == FINDING:
        return _finding(lore, key, row)
    if part == FORK:
        return fork_row(bodies, lore, key, row)
    mark = lore.marks.get(key, NOTHING)
    kind = index.kind[row]
    if kind == Kind.BOUNDARY and row in lore.boundaries:
        known = lore.boundaries[row]
        return BoundaryRow(
            key,
            known.title,
            known.trigger,
            known.before,
            known.after,
            known.reduction,
            known.duration,
            known.notes,
            mark,
        )
    time = figures.clock(index.time[row])
    if index.length[index.content_row(row)] > TOO_LARGE:
        too_large = figures.byte_size(index.length[row])
        told = SafeText(f"{too_large}, too large to be shown in a row")
        return Entry(key, _ROLES.get(kind, Role.NOTE), _LABELS.get(kind, NOTHING), told, time)
    record = bodies.record(row)
    if part >= FIRST_CALL:
        return _call(bodies, lore, key, row, part - FIRST_CALL, record, time, mark)
    if part == THOUGHT:
        return _thought(lore, key, record, time, mark)
    role, label, words, lines = _said(index, row, record, lore)
    return Entry(
        key,
        role,
        label,
        safe_words(words),
        time,
        weight_facts(lore, key) if kind == Kind.SUMMARY else edited_facts(bodies, lore, row),
        lines=lines,
        mark=mark,
    )


_ROLES: dict[int, Role] = {
    Kind.PROMPT: Role.PERSON,
    Kind.ASSISTANT: Role.REPLY,
    Kind.SUMMARY: Role.SUMMARY,
    Kind.RESULT: Role.RESULT,
    Kind.ERROR: Role.ERROR,
    Kind.BAD: Role.ERROR,
    Kind.COMMAND: Role.COMMAND,
    Kind.QUEUED_PROMPT: Role.QUEUED,
}

YOU, CLAUDE = SafeText("you"), SafeText("claude")

_LABELS: dict[int, SafeText] = {
    Kind.PROMPT: YOU,
    Kind.ASSISTANT: CLAUDE,
    Kind.SUMMARY: SafeText("summary"),
    Kind.RESULT: SafeText("result"),
    Kind.ERROR: SafeText("error"),
    Kind.BAD: SafeText("damaged"),
    Kind.COMMAND: SafeText("command"),
    Kind.QUEUED_PROMPT: YOU,
    Kind.META: SafeText("client"),
}


def _said(
    index: SessionIndex, row: int, record: Mapping[str, Any], lore: Lore
) -> tuple[Role, SafeText, str, int]:
    """Role, label, words (raw) and lines of what a record says."""
    kind, flags = index.kind[row], index.flags[row]
    role, label = _ROLES.get(kind, Role.NOTE), _LABELS.get(kind, NOTHING)
    if kind == Kind.PROMPT:
        label = SafeText("task") if lore.in_agent else label
        return role, label, prompt_words(blocks(record)), _PROMPT_LINES
    if kind == Kind.QUEUED_PROMPT:
        return role, label, prompt_words(queued_blocks(record)), _PROMPT_LINES
    if kind == Kind.ASSISTANT:
        return role, label, reply_words(blocks(record)), _REPLY_LINES
    if kind == Kind.SUMMARY:
        return role, label, summary_words(plain_text(blocks(record))), _REPLY_LINES
    if kind == Kind.RESULT:
        if flags & (TYPED | INTERRUPT):
            words = typed_text(plain_text(blocks(record)))
            if flags & INTERRUPT:
                return Role.NOTE, SafeText("stopped"), interrupted_words(words), 1
            return Role.PERSON, YOU, words, _PROMPT_LINES
        return role, label, result_words(blocks(record)), 1
    if kind == Kind.ERROR:
        return _error(record)
    if kind == Kind.COMMAND:
        typed = plain_text(blocks(record))
        return role, display_text(command_label(typed)), command_words(typed), 2
    if kind == Kind.BAD:
        return role, label, "a line that holds no record", 1
    if kind == Kind.META:
        typed = plain_text(blocks(record))
        if flags & INTERRUPT:
            return Role.NOTE, SafeText("stopped"), interrupted_words(typed), 1
        return Role.NOTE, label, typed_or_all(typed), 1
    content = record.get("content")
    if record.get("subtype") == "local_command" and isinstance(content, str):
        return Role.COMMAND, display_text(command_label(content)), command_words(content), 2
    name, said = client_words(kind, record)
    return Role.NOTE, name, said, 1


def _error(record: Mapping[str, Any]) -> tuple[Role, SafeText, str, int]:
    """An API error; a placeholder that the client made is a note of its own."""
    words = reply_words(blocks(record))
    if record.get("isApiErrorMessage") is True or record.get("error"):
        return Role.ERROR, SafeText("error"), words, 2
    return Role.NOTE, SafeText("client"), words, 1


def calls_of(record: Mapping[str, Any]) -> list[ToolCall]:
    """The tool calls of a reply."""
    return [block for block in blocks(record) if isinstance(block, ToolCall)]


def find_result(
    bodies: Bodies, row: int, call: ToolCall, limit: int = TOO_LARGE
) -> tuple[int, ToolResult | None]:
    """The row that holds a call's result, and the result; NONE where there is none (yet).

    A row larger than `limit` bytes is named, and not read.
    """
    index = bodies.index
    rows = index.results_of(row)
    for result_row in rows:
        if index.length[index.content_row(result_row)] > limit:
            if len(rows) == 1:
                return result_row, None
            continue
        for block in blocks(bodies.record(result_row)):
            if isinstance(block, ToolResult) and (
                block.call_id == call.id or len(rows) == 1 == _calls(index, row)
            ):
                return result_row, block
    return NONE, None


def weight_facts(lore: Lore, key: str) -> Line:
    """What an item weighs, as its row says it."""
    number = lore.tokens.get(key)
    return () if number is None else line(figures.short_tokens(number))


def _calls(index: SessionIndex, row: int) -> int:
    return len(index.more_calls.get(row, (0,)))


def _call(
    bodies: Bodies,
    lore: Lore,
    key: str,
    row: int,
    number: int,
    record: Mapping[str, Any],
    time: SafeText,
    mark: SafeText,
) -> Row:
    calls = calls_of(record)
    if number >= len(calls):
        return Entry(key, Role.NOTE, SafeText("tool"), SafeText("not in the file any more"), time)
    call = calls[number]
    result_row, result = find_result(bodies, row, call)
    words = tools.headline(call, str(record.get("cwd") or ""))
    if call.name in tools.AGENT_TOOLS:
        words += agent_labels(call)
    agent = lore.agents.get(call.id)
    outcome = _outcome(bodies.index, lore, call, result_row, result)
    facts: Line = ()
    lines = 1
    if result is not None:
        verdict = one_line(tools.verdict(call, result), WORDS_LIMIT)
        told: Line = ()
        if cell_width(verdict) <= _SHORT_VERDICT:
            told = line(SafeText(f"— {verdict}")) if verdict else ()
        else:
            words = f"{one_line(words, _CALL_CELLS)} — {verdict}"
        edited = _edit_facts(call, bodies.record(result_row).get("toolUseResult"))
        facts = _joined(told, edited)
        if lore.full:
            words, lines = f"{words}\n{tools.result_text(result)[:WORDS_LIMIT]}", _FULL_LINES
    elif result_row != NONE:
        facts = line(figures.byte_size(bodies.index.length[result_row]))
    elif outcome is Outcome.NONE:
        facts = line(SafeText("no result"))
    facts = _joined(facts, agent_facts(agent, lore) if agent else weight_facts(lore, key))
    role = Role.SUBAGENT if agent or call.name in tools.AGENT_TOOLS else Role.TOOL
    if agent is not None and agent.is_running(lore.now):
        outcome = Outcome.RUNNING
    return Entry(
        key,
        role,
        display_text(tools.name_of(call.name)),
        safe_words(words),
        time,
        facts,
        outcome,
        lines,
        opens=agent is not None,
        mark=mark,
    )


def _outcome(
    index: SessionIndex, lore: Lore, call: ToolCall, result_row: int, result: ToolResult | None
) -> Outcome:
    if result_row == NONE:
        return Outcome.RUNNING if lore.live and call.id in index.unanswered else Outcome.NONE
    failed = result.is_error if result is not None else False
    return Outcome.FAILED if failed else Outcome.OK


def _edit_facts(call: ToolCall, extra: object) -> Line:
    counts = tools.edited_lines(call, extra)
    if counts is None:
        return ()
    added, removed = counts
    facts = [Piece(SafeText(f"+{added}"), Tone.GOOD)] if added else []
    if removed:
        facts.append(Piece(SafeText(f" −{removed}" if added else f"−{removed}"), Tone.BAD))
    return tuple(facts)


def _joined(*parts: Line) -> Line:
    """Facts behind one another, two blanks between."""
    joined: list[Piece] = []
    for part in parts:
        if part and joined:
            joined.append(Piece(SafeText("  ")))
        joined.extend(part)
    return tuple(joined)


def _thought(
    lore: Lore, key: str, record: Mapping[str, Any], time: SafeText, mark: SafeText
) -> Row:
    texts = [block.text for block in blocks(record) if isinstance(block, Thinking)]
    words = safe_words("\n".join(text for text in texts if text))
    return Entry(
        key,
        Role.THINKING,
        SafeText("thinking"),
        words or SafeText("signature only"),
        time,
        weight_facts(lore, key) if words else (),
        lines=_REPLY_LINES if words else 1,
        mark=mark,
    )


def _finding(lore: Lore, key: str, row: int) -> Row:
    found = lore.findings.get(row, ())
    words = "; ".join(finding.message for finding in found)
    return Entry(
        key,
        Role.FINDING,
        SafeText("finding"),
        safe_words(words or "nothing any more"),
        lines=2,
        opens=True,
    )
