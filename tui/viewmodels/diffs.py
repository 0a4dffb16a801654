"""Edits as diffs: from the patch that the client noted, else from the two texts of the call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from ccbrowse.core.records import ToolCall
from ccbrowse.core.text import display_text
from ccbrowse.tui.viewmodels.figures import counted
from ccbrowse.tui.viewtypes import NOTHING, Change, DiffBlock, DiffLine

MOST_LINES = 4_000
"""Lines of a diff that are shown."""

_COMPARED = 2_000
_CONTEXT = 3
_CHANGES = {"+": Change.ADDED, "-": Change.REMOVED, " ": Change.SAME}


def edit_diffs(call: ToolCall, extra: object) -> list[DiffBlock]:
    """The diffs of an Edit, MultiEdit, Write or NotebookEdit; none where the call is another.

    `extra` is the result's `toolUseResult`. Its patch has the file's own line numbers; without it
    the texts of the call are compared, and lines are not numbered.
    """
    if call.name not in ("Edit", "MultiEdit", "Write", "NotebookEdit"):
        return []
    patch = extra.get("structuredPatch") if isinstance(extra, Mapping) else None
    if isinstance(patch, list) and patch:
        lines = [line for hunk in patch if isinstance(hunk, Mapping) for line in _hunk(hunk)]
        return [_block(lines)] if lines else []
    return [_block(list(_compared(old, new))) for old, new in _texts(call)]


def _texts(call: ToolCall) -> Iterator[tuple[str, str]]:
    """The texts before and after, as the call gives them."""
    known: Mapping[str, Any] = call.input if isinstance(call.input, Mapping) else {}
    if call.name == "Write":
        yield "", _string(known, "content")
    elif call.name == "NotebookEdit":
        yield "", _string(known, "new_source")
    elif call.name == "Edit":
        yield _string(known, "old_string"), _string(known, "new_string")
    else:
        edits = known.get("edits")
        for edit in edits if isinstance(edits, list) else []:
            if isinstance(edit, Mapping):
                yield _string(edit, "old_string"), _string(edit, "new_string")


def _hunk(hunk: Mapping[str, Any]) -> Iterator[DiffLine]:
    """The lines of one hunk, numbered as in the file before and after."""
    old, new = _number(hunk, "oldStart"), _number(hunk, "newStart")
    yield DiffLine(Change.SKIPPED, display_text(f"line {new}") if new else NOTHING)
    lines = hunk.get("lines")
    for text in lines if isinstance(lines, list) else []:
        if not isinstance(text, str) or not text:
            continue
        change = _CHANGES.get(text[0])
        if change is None:
            continue
        number = old if change is Change.REMOVED else new
        yield DiffLine(change, display_text(text[1:].rstrip("\r\n")), number or None)
        old += change is not Change.ADDED
        new += change is not Change.REMOVED


def _compared(before: str, after: str) -> Iterator[DiffLine]:
    """Two texts compared line by line; very long ones are only put one below the other."""
    old, new = before.splitlines(), after.splitlines()
    if not old:
        yield from _lines(Change.ADDED, new, 1)
        return
    if len(old) + len(new) > _COMPARED:
        yield from _lines(Change.REMOVED, old)
        yield from _lines(Change.ADDED, new)
        return
    groups = SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(_CONTEXT)
    for number, group in enumerate(groups):
        if number:
            yield DiffLine(Change.SKIPPED, NOTHING)
        for kind, old_from, old_to, new_from, new_to in group:
            if kind == "equal":
                yield from _lines(Change.SAME, old[old_from:old_to])
                continue
            yield from _lines(Change.REMOVED, old[old_from:old_to])
            yield from _lines(Change.ADDED, new[new_from:new_to])


def _lines(change: Change, texts: Sequence[str], first: int | None = None) -> Iterator[DiffLine]:
    for number, text in enumerate(texts[: MOST_LINES + 1]):
        yield DiffLine(change, display_text(text), None if first is None else first + number)


def _block(lines: Sequence[DiffLine]) -> DiffBlock:
    cut = counted(len(lines) - MOST_LINES, "more line") if len(lines) > MOST_LINES else NOTHING
    return DiffBlock(tuple(lines[:MOST_LINES]), cut)


def _string(known: Mapping[str, Any], key: str) -> str:
    value = known.get(key)
    return value if isinstance(value, str) else ""


def _number(known: Mapping[str, Any], key: str) -> int:
    value = known.get(key)
    return value if isinstance(value, int) and 0 < value < 1 << 40 else 0
