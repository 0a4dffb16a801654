"""A tool call in words: its main argument, what came of it, and its input as sheets of text."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import unified_diff
from itertools import chain
from typing import Any

from ccbrowse.core.export.jsontext import pretty_json
from ccbrowse.core.export.options import Options
from ccbrowse.core.records import Image, Text, ToolCall, ToolResult
from ccbrowse.core.texts import compact_json, image_note, part_text

_MAIN = (
    *("file_path", "notebook_path", "command", "pattern", "query", "url", "path", "skill"),
    *("description", "prompt", "plan", "task_id", "shell_id", "id"),
)
_LANGUAGES = {
    "py": "python", "pyi": "python", "js": "javascript", "mjs": "javascript", "jsx": "jsx",
    "ts": "typescript", "tsx": "tsx", "rs": "rust", "go": "go", "java": "java", "c": "c", "h": "c",
    "cpp": "cpp", "hpp": "cpp", "cs": "csharp", "rb": "ruby", "php": "php", "sh": "bash",
    "bash": "bash", "zsh": "zsh", "sql": "sql", "html": "html", "css": "css", "scss": "scss",
    "json": "json", "yaml": "yaml", "yml": "yaml", "toml": "toml", "xml": "xml", "md": "markdown",
    "kt": "kotlin", "swift": "swift", "lua": "lua", "ini": "ini", "tf": "terraform",
}  # fmt: skip
_ERROR_TAG = re.compile(r"</?tool_use_error>")
_LOOK_AT = 4_000
_LANGUAGE_OF_KEY = {"command": "bash", "prompt": "markdown", "plan": "markdown"}
_MOST_DIFFED = 400
"""Lines above which an edit is shown as all old lines, then all new ones: a real diff takes too long."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A text of a call or a result: what it is, its language (a name, or empty), the text as it leaves."""

    label: str
    language: str
    text: str


def tool_name(call: ToolCall) -> str:
    """The tool's name as the file has it."""
    return call.name or "tool"


def headline(call: ToolCall, cwd: str = "") -> str:
    """What a call is about (raw text): its main argument, paths as seen from `cwd`, or its input."""
    known = call.input if isinstance(call.input, Mapping) else {}
    for key in _MAIN:
        if words := _string(known, key).strip():
            inside = cwd.rstrip("/\\")
            if key.endswith("path") and inside and words.startswith((inside + "/", inside + "\\")):
                return words[len(inside) + 1 :] or words
            return words
    return "" if call.input in (None, {}, "") else compact_json(call.input)


def outcome(result: ToolResult, options: Options, limit: int = 80) -> str:
    """What a call gave back, in a few words: its only line, or how much it is."""
    text = result_text(result)[:_LOOK_AT] if result.is_error else result_text(result)
    if result.is_error:
        text = _ERROR_TAG.sub("", text)
        return "failed: " + (options.line(text, limit) or "no words")
    images = [image_note(part) for part in result.parts if isinstance(part, Image)]
    words = text.strip()
    lines = words.count("\n") + 1 if words else 0
    if lines > 1:
        said = f"{lines:,} lines"
    else:
        said = options.line(words, limit) if words else "" if images else "no output"
    return ", ".join(part for part in (said, *(options.line(note) for note in images)) if part)


def result_text(result: ToolResult) -> str:
    """The words of a result (raw text); images are left out."""
    texts = [part.text for part in result.parts if isinstance(part, Text)]
    return texts[0] if len(texts) == 1 else "\n".join(texts)


def result_sheets(result: ToolResult, options: Options) -> Iterator[Sheet]:
    """A result whole: a sheet for each part that is text; images are not among them."""
    for part in result.parts:
        if not isinstance(part, Image):
            yield Sheet("result", "text", options.text(part_text(part)))


def input_sheets(call: ToolCall, options: Options) -> Iterator[Sheet]:
    """A call's input whole: commands, files and edits as what they are, all else as JSON."""
    given = call.input
    if not isinstance(given, Mapping):
        if given not in (None, ""):
            yield Sheet("input", "json", options.text(pretty_json(given)))
        return
    rest = dict(given)
    edits = list(_edits(rest))
    sheets = [
        Sheet(key, _LANGUAGE_OF_KEY.get(key) or language_of(_path(given)), options.text(value))
        for key, value in given.items()
        if key in rest and isinstance(value, str) and ("\n" in value or key == "command")
    ]
    for sheet in sheets:
        del rest[sheet.label]
    # A command is what its call is about; long texts read better behind the small print.
    yield from (sheet for sheet in sheets if sheet.label == "command")
    if rest:
        yield Sheet("input", "json", options.text(pretty_json(rest)))
    yield from (sheet for sheet in sheets if sheet.label != "command")
    for old, new in edits:
        yield Sheet("edit", "diff", diff(options.text(old), options.text(new)))


def _edits(rest: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The replacements of an edit, taken out of the rest of its input."""
    if isinstance(rest.get("old_string"), str) and isinstance(rest.get("new_string"), str):
        yield rest.pop("old_string"), rest.pop("new_string")
    several = rest.get("edits")
    if not isinstance(several, list):
        return
    pairs = [
        (edit["old_string"], edit["new_string"])
        for edit in several
        if isinstance(edit, Mapping)
        and isinstance(edit.get("old_string"), str)
        and isinstance(edit.get("new_string"), str)
    ]
    if len(pairs) == len(several):
        del rest["edits"]
        yield from pairs


def diff(old: str, new: str) -> str:
    """Two texts as a diff without a head; long ones as all that went, then all that came."""
    before, after = old.split("\n"), new.split("\n")
    if len(before) + len(after) <= _MOST_DIFFED:
        lines = list(unified_diff(before, after, lineterm="", n=3))[2:]
        return "\n".join(lines)
    went, came = (f"-{line}" for line in before), (f"+{line}" for line in after)
    return "\n".join(chain(went, came))


def language_of(path: str) -> str:
    """The language of a file by its name; empty where it is not known."""
    return _LANGUAGES.get(path.rsplit(".", 1)[-1].lower(), "") if "." in path else ""


def _path(given: Mapping[str, Any]) -> str:
    return _string(given, "file_path") or _string(given, "notebook_path")


def _string(known: Mapping[str, Any], key: str) -> str:
    value = known.get(key)
    return value if isinstance(value, str) else ""
