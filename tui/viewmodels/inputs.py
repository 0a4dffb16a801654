"""What a tool call was given: a command or a prompt as such, questions as a list, the rest by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ccbrowse.core.records import ToolCall
from ccbrowse.core.text import SafeText, display_text, one_line
from ccbrowse.core.texts import compact_json
from ccbrowse.tui.viewmodels import blocks
from ccbrowse.tui.viewmodels.lore import Lore
from ccbrowse.tui.viewmodels.tasks import check_list
from ccbrowse.tui.viewtypes import DetailBlock, FactsBlock, Line, Tone, line

_IN_A_DIFF = frozenset({"content", "old_string", "new_string", "edits", "new_source"})
_PROSE = ("prompt", "plan", "description", "content", "message")
_LONG = 60


def input_blocks(
    call: ToolCall, lore: Lore, *, as_diff: bool = False, answered: bool = False
) -> Iterator[DetailBlock]:
    """What a call was given.

    `as_diff`: its texts are shown as a diff already; `answered`: its result will say more of it.
    """
    known = call.input if isinstance(call.input, Mapping) else None
    if known is None:
        if call.input is not None:
            yield blocks.json_code(call.input)
        return
    left = dict(known)
    own = _OWN.get(call.name)
    if own is not None:
        yield from own(left, lore, answered)
    if as_diff:
        left = {name: value for name, value in left.items() if name not in _IN_A_DIFF}
    yield from _any(left, lore)


def _any(left: dict[str, Any], lore: Lore) -> Iterator[DetailBlock]:
    """A command as code, long texts as texts, all else as names and values."""
    command = left.get("command")
    if isinstance(command, str):
        del left["command"]
        yield blocks.code(command, "bash")
    for name in _PROSE:
        value = left.get(name)
        if isinstance(value, str) and (len(value) > _LONG or "\n" in value):
            del left[name]
            yield from blocks.words(value, lore)
    facts = [(one_line(k, 20), line(one_line(compact_json(v), 500))) for k, v in left.items()]
    if facts:
        yield FactsBlock(tuple(facts))


def _bash(left: dict[str, Any], lore: Lore, answered: bool) -> Iterator[DetailBlock]:
    about = left.pop("description", None)
    if isinstance(about, str) and about:
        yield blocks.text(about, Tone.MUTED)


def _read(left: dict[str, Any], lore: Lore, answered: bool) -> Iterator[DetailBlock]:
    if answered:
        for name in ("offset", "limit"):
            left.pop(name, None)
    yield from ()


def _todos(left: dict[str, Any], lore: Lore, answered: bool) -> Iterator[DetailBlock]:
    todos = left.get("todos")
    if isinstance(todos, list):
        del left["todos"]
        if not answered:
            yield from check_list(todos)


def _agent(left: dict[str, Any], lore: Lore, answered: bool) -> Iterator[DetailBlock]:
    """A subagent's task: what it is called, then its prompt."""
    pairs = (("type", "subagent_type"), ("name", "name"), ("team", "team_name"), ("model", "model"))
    named = [(name, left.pop(key, None)) for name, key in pairs]
    named.append(("task", left.pop("description", None)))
    if left.pop("run_in_background", None) is True:
        named.append(("runs", "in the background"))
    yield from blocks.facts([(n, v if isinstance(v, str) else None) for n, v in named])
    prompt = left.pop("prompt", None)
    if isinstance(prompt, str) and prompt:
        yield blocks.heading("prompt")
        yield from blocks.words(prompt, lore)


def _questions(left: dict[str, Any], lore: Lore, answered: bool) -> Iterator[DetailBlock]:
    """Questions with what could be answered."""
    questions = left.pop("questions", None)
    left.pop("answers", None)
    items: list[tuple[Line, Line]] = []
    for question in questions if isinstance(questions, list) else []:
        if not isinstance(question, Mapping):
            continue
        words = display_text(str(question.get("question") or "")[:2_000])
        items.append((line((SafeText("? "), Tone.PERSON)), line((words, Tone.STRONG))))
        options = question.get("options")
        for option in options if isinstance(options, list) else []:
            known: Mapping[str, Any] = option if isinstance(option, Mapping) else {"label": option}
            label = one_line(str(known.get("label") or ""), 200)
            about = one_line(str(known.get("description") or ""), 500)
            more = SafeText(f"  {about}") if about else SafeText("")
            items.append((line(SafeText("  · ")), line(label, (more, Tone.MUTED))))
    if items:
        yield blocks.listed(items[: blocks.MOST_ITEMS], len(items) - blocks.MOST_ITEMS)


def _plan(left: dict[str, Any], lore: Lore, answered: bool) -> Iterator[DetailBlock]:
    plan = left.pop("plan", None)
    if isinstance(plan, str) and plan:
        yield blocks.heading("plan")
        yield from blocks.words(plan, lore)


_OWN: dict[str, Callable[[dict[str, Any], Lore, bool], Iterator[DetailBlock]]] = {
    "Bash": _bash,
    "Read": _read,
    "TodoWrite": _todos,
    "Task": _agent,
    "Agent": _agent,
    "AskUserQuestion": _questions,
    "ExitPlanMode": _plan,
}
