"""The closed segment, taken apart: each user text, decision, reply, call, result, error and file of it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from ccbrowse.core.compaction.decisions import take_decisions
from ccbrowse.core.compaction.matcher import error_lines
from ccbrowse.core.compaction.model import ItemKind
from ccbrowse.core.compaction.putback import contents
from ccbrowse.core.records import (
    Kind,
    Text,
    ToolCall,
    ToolResult,
    attachment_of,
    blocks,
    command_of,
    queued_blocks,
    typed_text,
)
from ccbrowse.core.session import Session
from ccbrowse.core.texts import compact_json

FILE_TOOLS = frozenset({"Read", "Write", "Edit", "MultiEdit", "NotebookEdit", "NotebookRead"})
EDIT_TOOLS = FILE_TOOLS - {"Read", "NotebookRead"}
_PATH_KEYS = ("file_path", "notebook_path", "filePath")
_MAIN_KEYS = (
    *_PATH_KEYS,
    *("command", "pattern", "query", "url", "path", "skill", "subject", "description", "prompt"),
)
_MATCHED_KEYS = (
    *("command", "description", "pattern", "query", "url", "path", "glob", "prompt", "subject"),
    *("skill", "args", "plan", "todos", "questions", "content", "message"),
)
_BASH_INPUT = re.compile(r"<bash-input>(.*?)</bash-input>", re.DOTALL)
_BASH_OUTPUT = re.compile(r"<bash-(?:stdout|stderr)>(.*?)</bash-(?:stdout|stderr)>", re.DOTALL)
_USER_SAID = re.compile(r"\bthe user said:\s*(.+)", re.DOTALL | re.IGNORECASE)
_ANSWERED = re.compile(r"^\s*User has answered your questions?:", re.IGNORECASE)
_LINE_NUMBER = re.compile(r"^[ \t]*\d+(?:→|\t)", re.MULTILINE)
LABEL = 240
"""Characters of an item's label."""

_LABEL_PARTS = 20
"""Texts of an input that a label names at most; the rest does not fit."""


@dataclass(slots=True)
class Raw:
    """An item before it is known what became of it.

    `text` is what is looked for in the summary; `path` the file that it touches; `content` what it
    would put back. `alone` tells that its record holds nothing else, so that the record's count is its.
    """

    row: int
    kind: ItemKind
    label: str
    text: str
    path: str | None = None
    content: str = ""
    tool: str = ""
    failed: bool = False
    alone: bool = False
    counted: bool = True
    touches: list[int] = field(default_factory=list)
    detail: str = ""


def raw_items(session: Session, rows: list[int]) -> list[Raw]:
    """The items of some rows, in their order; files last, each once."""
    found: list[Raw] = []
    calls: dict[str, ToolCall] = {}
    for row in rows:
        found += _of_row(session, row, calls)
    return found + _files(found, session, rows)


def _of_row(session: Session, row: int, calls: dict[str, ToolCall]) -> list[Raw]:
    kind, record = session.index.kind[row], session.record(row)
    if kind == Kind.PROMPT:
        return _alone(_user(row, _joined(record)))
    if kind == Kind.QUEUED_PROMPT:
        parts = queued_blocks(record)
        return _alone(_user(row, "\n".join(p.text for p in parts if isinstance(p, Text))))
    if kind == Kind.COMMAND:
        return _command(row, _joined(record))
    if kind == Kind.RESULT:
        return _alone(list(_results(row, record, calls)))
    if kind == Kind.ASSISTANT:
        return _alone(list(_reply(row, record, calls)))
    return []


def _alone(found: list[Raw]) -> list[Raw]:
    if len(found) == 1:
        found[0].alone = True
    return found


def _joined(record: Mapping[str, Any]) -> str:
    return "\n".join(block.text for block in blocks(record) if isinstance(block, Text))


def _user(row: int, text: str) -> list[Raw]:
    text = typed_text(text)
    return [Raw(row, ItemKind.USER_TEXT, label_of(text), text)] if text else []


def _command(row: int, text: str) -> list[Raw]:
    """What a person typed as a command: its arguments, or a line of shell and its output."""
    typed = _BASH_INPUT.search(text)
    if typed is not None:
        return [Raw(row, ItemKind.USER_TEXT, label_of(f"!{typed[1]}"), typed[1])]
    output = "\n".join(part for part in _BASH_OUTPUT.findall(text) if part.strip())
    if output:
        return [Raw(row, ItemKind.TOOL_RESULT, label_of(output), output, tool="!")]
    command = command_of(text)
    if command is None or not command[1] or command[0].lstrip("/") == "compact":
        return []
    return [Raw(row, ItemKind.USER_TEXT, label_of(f"{command[0]} {command[1]}"), command[1])]


def _reply(row: int, record: Mapping[str, Any], calls: dict[str, ToolCall]) -> Iterator[Raw]:
    for block in blocks(record):
        if isinstance(block, Text) and block.text.strip():
            decided, rest = take_decisions(block.text)
            for sentence in decided:
                yield Raw(row, ItemKind.DECISION, label_of(sentence), sentence)
            if rest.strip():
                yield Raw(row, ItemKind.ASSISTANT_TEXT, label_of(rest), rest)
        elif isinstance(block, ToolCall):
            calls[block.id] = block
            yield _call(row, block)


def _call(row: int, call: ToolCall) -> Raw:
    given: Mapping[str, Any] = call.input if isinstance(call.input, Mapping) else {}
    path = path_of(call)
    main = next((v for key in _MAIN_KEYS if isinstance(v := given.get(key), str) and v), "")
    main = main or "; ".join(islice(_words_in(given), _LABEL_PARTS))
    text = "\n".join(
        value if isinstance(value, str) else compact_json(value)
        for key in _MATCHED_KEYS
        if (value := given.get(key)) and not (path and key == "content")
    )
    return Raw(
        row,
        ItemKind.TOOL_CALL,
        label_of(f"{call.name} {main}".strip()),
        text or ("" if path else compact_json(call.input)[:4_000]),
        path=path,
        content=_written(given) if call.name in EDIT_TOOLS else "",
        tool=call.name,
    )


def _words_in(given: Mapping[str, Any]) -> Iterator[str]:
    """The texts of an input that has no field of its own for what it is about: its tasks, its questions."""
    for value in given.values():
        for part in value if isinstance(value, list) else (value,):
            inner = part.values() if isinstance(part, Mapping) else (part,)
            said = next((v for v in inner if isinstance(v, str) and v.strip()), None)
            if said is not None:
                yield said


def path_of(call: ToolCall) -> str | None:
    """The file that a call reads or changes."""
    if not isinstance(call.input, Mapping):
        return None
    return next((v for key in _PATH_KEYS if isinstance(v := call.input.get(key), str) and v), None)


def _written(given: Mapping[str, Any]) -> str:
    edits = given.get("edits")
    several = edits if isinstance(edits, list) else []
    texts = [given.get(key) for key in ("content", "new_string", "new_source")]
    texts += [edit.get("new_string") for edit in several if isinstance(edit, Mapping)]
    return "\n".join(text for text in texts if isinstance(text, str))


def _results(row: int, record: Mapping[str, Any], calls: dict[str, ToolCall]) -> Iterator[Raw]:
    for block in blocks(record):
        if isinstance(block, Text):
            yield from _user(row, block.text)
        elif isinstance(block, ToolResult):
            text = "\n".join(part.text for part in block.parts if isinstance(part, Text))
            yield from _result(row, text, block.is_error, calls.get(block.call_id))


def _result(row: int, text: str, failed: bool, call: ToolCall | None) -> Iterator[Raw]:
    said = _USER_SAID.search(text) if failed else None
    if said is not None:
        yield Raw(row, ItemKind.USER_TEXT, label_of(said[1]), said[1].strip())
        return
    if _ANSWERED.match(text):
        yield Raw(row, ItemKind.DECISION, label_of(text), text)
        return
    if not text.strip():
        return
    name = call.name if call else ""
    path = path_of(call) if call else None
    if failed:
        lines = error_lines(text, failed=True)
        yield Raw(
            row,
            ItemKind.ERROR,
            label_of(lines[0] if lines else text),
            text,
            path=path,
            tool=name,
            failed=True,
        )
        return
    if name not in FILE_TOOLS:
        for line in error_lines(text, failed=False)[:3]:
            yield Raw(row, ItemKind.ERROR, label_of(line), line, tool=name, counted=False)
    bare = _LINE_NUMBER.sub("", text) if name in FILE_TOOLS else text
    first = next((line for line in bare.split("\n") if line.strip()), "")
    label = f"{name} {path}" if path else f"{name}: {first}".removeprefix(": ")
    yield Raw(
        row,
        ItemKind.TOOL_RESULT,
        label_of(label),
        bare,
        path=path,
        content=bare if name in ("Read", "NotebookRead") else "",
        tool=name,
    )


def _files(found: list[Raw], session: Session, rows: list[int]) -> list[Raw]:
    """Each file touched, at the place where it was last changed, or first read."""
    files: dict[str, Raw] = {}
    changes: dict[str, int] = {}
    for item in found:
        if item.path is None or item.kind is not ItemKind.TOOL_CALL:
            continue
        changed = item.tool in EDIT_TOOLS
        known = files.setdefault(
            item.path,
            Raw(item.row, ItemKind.FILE, item.path, item.path, path=item.path, counted=False),
        )
        known.touches.append(item.row)
        if changed:
            known.row = item.row
            changes[item.path] = changes.get(item.path, 0) + 1
    for row in rows:
        if session.index.kind[row] == Kind.ATTACHMENT:
            _attached(session, row, files)
    for path, item in files.items():
        edits, reads = changes.get(path, 0), len(item.touches) - changes.get(path, 0)
        item.detail = "changed" if edits else "read" if reads else "attached"
        item.tool = "Edit" if edits else "Read"
    return list(files.values())


def _attached(session: Session, row: int, files: dict[str, Raw]) -> None:
    """Files that a person named with @, or that the client read by itself."""
    attachment = attachment_of(session.record(row))
    if attachment is None or attachment.get("type") != "file":
        return
    for (_, path, _text), _bare in contents(attachment):
        if path and path not in files:
            files[path] = Raw(row, ItemKind.FILE, path, path, path=path, counted=False)


def label_of(text: str) -> str:
    """A text on one line, cut."""
    flat = " ".join(text.split())
    return flat if len(flat) <= LABEL else flat[: LABEL - 1] + "…"
