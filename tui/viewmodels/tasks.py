"""Lists of things to do as check lists, and what changed in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ccbrowse.core.text import SafeText, display_text, one_line
from ccbrowse.tui.viewmodels import blocks
from ccbrowse.tui.viewtypes import DetailBlock, Line, Tone, line

_SIGNS = {
    "completed": line((SafeText("✓ "), Tone.GOOD)),
    "in_progress": line((SafeText("● "), Tone.TOOL)),
    "pending": line((SafeText("○ "), Tone.MUTED)),
    "cancelled": line((SafeText("✗ "), Tone.MUTED)),
    "deleted": line((SafeText("✗ "), Tone.MUTED)),
}
_TONES = {"in_progress": Tone.STRONG, "completed": Tone.MUTED, "cancelled": Tone.MUTED}


def check_list(todos: object, before: object = None) -> Iterator[DetailBlock]:
    """A list of things to do, each with its state; `before` is the list that it replaced.

    What is no list gives nothing.
    """
    now, was = _items(todos), _items(before)
    if not now and not was:
        return
    states = {_words(todo): str(todo.get("status") or "") for todo in was}
    lines = [_item(todo, states if was else None) for todo in now]
    names = {_words(todo) for todo in now}
    gone = [todo for todo in was if _words(todo) not in names]
    lines += [
        (
            line((SafeText("– "), Tone.MUTED)),
            line((_shown(todo), Tone.MUTED), (SafeText("  taken off"), Tone.MUTED)),
        )
        for todo in gone
    ]
    yield blocks.listed(lines[: blocks.MOST_ITEMS], len(lines) - blocks.MOST_ITEMS)


def _items(todos: object) -> Sequence[Mapping[str, Any]]:
    return [todo for todo in todos if isinstance(todo, Mapping)] if isinstance(todos, list) else []


def _item(todo: Mapping[str, Any], before: Mapping[str, str] | None) -> tuple[Line, Line]:
    state = str(todo.get("status") or "pending")
    sign = _SIGNS.get(state, _SIGNS["pending"])
    said = (_shown(todo), _TONES.get(state, Tone.PLAIN))
    old = before.get(_words(todo)) if before is not None else state
    if old is None:
        return sign, line(said, (SafeText("  new"), Tone.MUTED))
    if old == state:
        return sign, line(said)
    was = one_line(old.replace("_", " "), 20)
    return sign, line(said, (SafeText(f"  was {was}"), Tone.MUTED))


def _words(todo: Mapping[str, Any]) -> str:
    return str(todo.get("content") or todo.get("subject") or "")


def _shown(todo: Mapping[str, Any]) -> SafeText:
    return display_text(_words(todo)[:2_000])
