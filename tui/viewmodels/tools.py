"""What a tool call says on one line, and what its result says behind it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from ccbrowse.core.records import Text, ToolCall, ToolResult
from ccbrowse.core.texts import compact_json
from ccbrowse.tui.viewmodels.figures import counted

AGENT_TOOLS = frozenset({"Task", "Agent"})
"""Tools that run a subagent."""

_PATH_KEYS = ("file_path", "notebook_path", "path")
_WORD_KEYS = ("command", "pattern", "query", "url", "skill", "description", "prompt", "plan", "id")
_CHECKERS = re.compile(
    r"\b(pytest|unittest|tox|nox|jest|vitest|mocha|test|tests|make|ruff|mypy|pyright|tsc|eslint|lint|"
    r"build|check|cargo|go|npm|pnpm|yarn|mvn|gradle|ctest|rspec|phpunit)\b"
)
_LOOK_AT = 4_000
_KEPT = re.compile(r"\s*<persisted-output>(?:\s*Output too large \(([^)\n]{1,20})\))?")


def name_of(name: str) -> str:
    """A tool's short name: without the server of an MCP tool (raw text)."""
    if name.startswith("mcp__"):
        return name.rsplit("__", 1)[-1] or name
    return name or "tool"


def headline(call: ToolCall, cwd: str = "") -> str:
    """What a call is about, on one line (raw text): a path, a command, a pattern, its input."""
    known: Mapping[str, Any] = call.input if isinstance(call.input, Mapping) else {}
    own = _OWN.get(call.name)
    if own is not None and (words := own(known, cwd)):
        return words
    for key in _PATH_KEYS:
        if words := _string(known, key):
            return short_path(words, cwd)
    for key in _WORD_KEYS:
        if words := _string(known, key):
            return first_line(words)
    return compact_json(call.input)[:_LOOK_AT] if call.input not in (None, {}) else ""


def verdict(call: ToolCall, result: ToolResult) -> str:
    """What came of a call, in a few words (raw text): a line of its output, or how much there is."""
    text = result_text(result)
    command = _string(call.input, "command") if isinstance(call.input, Mapping) else ""
    if result.is_error:
        return _failure(text, command)
    kept = _KEPT.match(text[:_LOOK_AT])
    if kept is not None:
        return f"{kept[1]} in a file" if kept[1] else "kept in a file"
    lines = text.strip().count("\n") + 1 if text.strip() else 0
    match call.name:
        case "Edit" | "Write" | "MultiEdit" | "NotebookEdit" | "TodoWrite" | "Task" | "Agent":
            return ""
        case "Read":
            return counted(lines, "line") if lines else _images(result)
        case "Grep":
            return _hits(text, lines)
        case "Glob":
            return "nothing found" if _found_nothing(text) else counted(lines, "file")
    if not lines:
        return _images(result)
    if lines == 1:
        return text.strip()[:_LOOK_AT]
    if command and _CHECKERS.search(command):
        return text.rstrip()[-_LOOK_AT:].rsplit("\n", 1)[-1].strip("=-_* \t\r")
    return counted(lines, "line")


def edited_lines(call: ToolCall, extra: object) -> tuple[int, int] | None:
    """Lines added and removed by an edit; None where the call is none, or nobody knows.

    `extra` is the result's `toolUseResult`: its patch says it exactly.
    """
    patch = extra.get("structuredPatch") if isinstance(extra, Mapping) else None
    if isinstance(patch, list) and patch:
        lines = [
            line
            for hunk in patch
            if isinstance(hunk, Mapping) and isinstance(hunk.get("lines"), list)
            for line in hunk["lines"]
            if isinstance(line, str)
        ]
        return sum(x.startswith("+") for x in lines), sum(x.startswith("-") for x in lines)
    if call.name == "Write" and isinstance(call.input, Mapping):
        return len(_string(call.input, "content").splitlines()), 0
    return None


def result_text(result: ToolResult) -> str:
    """The words of a result (raw text); images are left out."""
    texts = [part.text for part in result.parts if isinstance(part, Text)]
    return texts[0] if len(texts) == 1 else "\n".join(texts)


def short_path(path: str, cwd: str) -> str:
    """A path as seen from the working directory."""
    inside = cwd.rstrip("/\\")
    if inside and path.startswith(inside) and path[len(inside) : len(inside) + 1] in ("/", "\\"):
        return path[len(inside) + 1 :] or path
    return path


def first_line(text: str) -> str:
    """The first line that is not blank; ``…`` where more follow."""
    head = text[:_LOOK_AT].strip()
    line, _, rest = head.partition("\n")
    return f"{line.rstrip()} …" if rest.strip() else line.rstrip()


def _failure(text: str, command: str) -> str:
    """The line of a failure that says most: the one after an exit code, tags of the client off."""
    lines = [line.strip() for line in text[:_LOOK_AT].splitlines() if line.strip()]
    if not lines:
        return "failed"
    first = re.sub(r"</?tool_use_error>", "", lines[0])
    if not re.fullmatch(r"Exit code \d+", first) or not lines[1:]:
        return first
    last = text.rstrip()[-_LOOK_AT:].rsplit("\n", 1)[-1].strip("=-_* \t\r")
    return (last if command and _CHECKERS.search(command) else lines[1]) or first


def _hits(text: str, lines: int) -> str:
    if _found_nothing(text):
        return "nothing found"
    found = re.match(r"Found (\d+) (files?|lines?|total)", text)
    return found.group(0) if found else counted(lines, "hit")


def _found_nothing(text: str) -> bool:
    return not text.strip() or text.lstrip()[:40].lower().startswith(("no files", "no matches"))


def _images(result: ToolResult) -> str:
    images = sum(not isinstance(part, Text) for part in result.parts)
    return counted(images, "image") if images else ""


def _string(known: Mapping[str, Any], key: str) -> str:
    value = known.get(key)
    return value if isinstance(value, str) else ""


def _read(known: Mapping[str, Any], cwd: str) -> str:
    path = short_path(_string(known, "file_path"), cwd)
    offset, limit = known.get("offset"), known.get("limit")
    if path and isinstance(offset, int) and isinstance(limit, int):
        return f"{path}:{offset}–{offset + limit - 1}"
    return f"{path}:{offset}" if path and isinstance(offset, int) else path


def _grep(known: Mapping[str, Any], cwd: str) -> str:
    pattern = _string(known, "pattern")
    where = _string(known, "path") or _string(known, "glob") or _string(known, "type")
    place = f" in {short_path(where, cwd)}" if where else ""
    return f"“{pattern}”{place}" if pattern else ""


def _todos(known: Mapping[str, Any], cwd: str) -> str:
    todos = known.get("todos")
    items = [todo for todo in todos if isinstance(todo, Mapping)] if isinstance(todos, list) else []
    if not items:
        return ""
    done = sum(todo.get("status") == "completed" for todo in items)
    now = next((todo for todo in items if todo.get("status") == "in_progress"), None)
    words = _string(now, "content") if now else ""
    return f"{done} of {len(items)} done" + (f" · {words}" if words else "")


def _agent(known: Mapping[str, Any], cwd: str) -> str:
    kind, words = _string(known, "subagent_type"), _string(known, "description")
    return ": ".join(part for part in (kind, words) if part)


def _task(known: Mapping[str, Any], cwd: str) -> str:
    """A task by its number and state, or by what it is about."""
    number, subject = known.get("taskId"), _string(known, "subject")
    state = _string(known, "status").replace("_", " ")
    parts = (f"#{number}" if isinstance(number, str | int) else "", state, subject)
    return " ".join(part for part in parts if part)


def _question(known: Mapping[str, Any], cwd: str) -> str:
    questions = known.get("questions")
    first = questions[0] if isinstance(questions, list) and questions else known
    return _string(first, "question") if isinstance(first, Mapping) else ""


_OWN: dict[str, Callable[[Mapping[str, Any], str], str]] = {
    "Read": _read,
    "Grep": _grep,
    "TodoWrite": _todos,
    "TaskCreate": _task,
    "TaskUpdate": _task,
    "Task": _agent,
    "Agent": _agent,
    "AskUserQuestion": _question,
}
