"""Records that the client wrote for itself or for the model: hooks, retries, reminders, plan mode."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ccbrowse.core.records import Kind, attachment_of, sent_file
from ccbrowse.core.records import blocks as blocks_of
from ccbrowse.core.text import SafeText, display_text
from ccbrowse.tui.viewmodels import blocks, figures
from ccbrowse.tui.viewmodels.answers import number, string
from ccbrowse.tui.viewmodels.languages import language_of
from ccbrowse.tui.viewmodels.lore import Lore
from ccbrowse.tui.viewmodels.tasks import check_list
from ccbrowse.tui.viewmodels.words import first_words, plain_text
from ccbrowse.tui.viewtypes import DetailBlock, Tone

WRITTEN = "written by the client"

_NESTED = 4
_HOOK_FIELDS = ("command", "content", "blockingError", "stopReason")

Record = Mapping[str, Any]


def client_words(kind: int, record: Record) -> tuple[SafeText, str]:
    """What a record of the client is called, and what it says (raw), on one line."""
    name, known = _named(kind, record)
    if kind == Kind.MICRO_BOUNDARY:
        return SafeText("microcompact"), "older results were emptied for the model"
    label, own = _words_of(name)
    if own is not None and (words := own(known)):
        return label, words
    return label or display_text(name), first_words(known)


def client_detail(kind: int, record: Record, lore: Lore) -> tuple[str, list[DetailBlock]]:
    """The title of a record of the client (raw), and what it says; unknown kinds as JSON."""
    name, known = _named(kind, record)
    label, _ = _words_of(name)
    own = next((make for start, make in _BLOCKS.items() if name.startswith(start)), None)
    found = list(own(known, lore)) if own is not None else []
    found += _for_the_model(record)
    if not found:
        found = [blocks.json_code(known)]
    told = str(label) or name
    return f"{told} · {WRITTEN}", found


def _named(kind: int, record: Record) -> tuple[str, Record]:
    """The kind of a record in the client's word, and where its fields are."""
    attachment = attachment_of(record)
    if kind in (Kind.ATTACHMENT, Kind.QUEUED_PROMPT) and attachment is not None:
        return str(attachment.get("type") or "attachment"), attachment
    return str(record.get("subtype") or record.get("type") or "record"), record


def _words_of(name: str) -> tuple[SafeText, Callable[[Record], str] | None]:
    """A label of ours, and what makes the words; nothing for kinds that we have no words for."""
    for start, (label, own) in _WORDS.items():
        if name.startswith(start):
            return label, own
    return SafeText(""), None


def interrupted_words(text: str) -> str:
    """What a note of an interruption says."""
    return "you interrupted a tool" if "tool use" in text[:80] else "you interrupted the reply"


# Hooks


def _hook(known: Record) -> str:
    name = string(known, "hookName") or string(known, "hookEvent")
    said = next((words for field in _HOOK_FIELDS if (words := string(known, field))), "")
    code = known.get("exitCode")
    ended = f" — exit {code}" if isinstance(code, int) else ""
    return f"{name}  {said}{ended}".strip()


def _stop_hooks(known: Record) -> str:
    infos = known.get("hookInfos")
    listed = infos if isinstance(infos, list) else []
    commands = [str(info.get("command") or "") for info in listed if isinstance(info, Mapping)]
    errors = known.get("hookErrors")
    failed = len(errors) if isinstance(errors, list) else 0
    told = f" — {figures.counted(failed, 'error')}" if failed else ""
    stopped = (
        " — it kept claude from stopping" if known.get("preventedContinuation") is True else ""
    )
    return f"at the end: {', '.join(commands)}{told}{stopped}"


def _hook_blocks(known: Record, lore: Lore) -> Iterator[DetailBlock]:
    """A hook: its event and command, how it ended, its streams apart."""
    code, took = known.get("exitCode"), known.get("durationMs")
    yield from blocks.facts(
        [
            ("hook", string(known, "hookName")),
            ("event", string(known, "hookEvent")),
            ("command", string(known, "command")),
            ("exit", str(code) if isinstance(code, int) else None),
            ("took", str(figures.span(took)) if isinstance(took, int) else None),
        ]
    )
    for name, tone in (("stdout", Tone.MUTED), ("stderr", Tone.WARN), ("content", Tone.MUTED)):
        if words := string(known, name):
            yield blocks.heading(name, tone)
            yield blocks.output(words)


def _stop_blocks(known: Record, lore: Lore) -> Iterator[DetailBlock]:
    infos, errors = known.get("hookInfos"), known.get("hookErrors")
    yield from blocks.facts(
        ("command", str(info.get("command") or ""))
        for info in (infos if isinstance(infos, list) else [])
        if isinstance(info, Mapping)
    )
    yield from blocks.facts([("stopped", string(known, "stopReason"))])
    for error in errors if isinstance(errors, list) else []:
        yield blocks.heading("error", Tone.BAD)
        yield blocks.output(error if isinstance(error, str) else str(error))


# Errors and retries


def _retry(known: Record) -> str:
    tried, most, wait = (number(known, n) for n in ("retryAttempt", "maxRetries", "retryInMs"))
    words = _error_words(known)
    if tried:
        words += f" — try {tried} of {most or '?'}"
    return words + (f", again in {figures.span(wait)}" if wait else "")


def _error_words(known: Record) -> str:
    """Status, type and message of an error, however deep it is wrapped."""
    parts: list[str] = []
    error: object = known.get("error")
    for _ in range(_NESTED):
        if not isinstance(error, Mapping):
            break
        status = error.get("status")
        told = [str(status)] if isinstance(status, int) else []
        told += [error[n] for n in ("type", "message") if isinstance(error.get(n), str)]
        parts += [word for word in told if word not in (*parts, "error")]
        error = error.get("error") or error.get("cause")
    return " ".join(parts) or "the API did not answer"


def _retry_blocks(known: Record, lore: Lore) -> Iterator[DetailBlock]:
    yield blocks.text(_retry(known), Tone.BAD)
    error = known.get("error")
    if error is not None:
        yield blocks.json_code(error)


# Reminders, files, plan mode


def _tasks(known: Record) -> str:
    count = known.get("itemCount")
    todos = known.get("content")
    count = len(todos) if isinstance(todos, list) else count
    return f"of {figures.counted(count, 'task')}" if isinstance(count, int) else "of the tasks"


def _task_blocks(known: Record, lore: Lore) -> Iterator[DetailBlock]:
    yield from check_list(known.get("content"))


def _file(known: Record) -> str:
    return string(known, "displayPath") or string(known, "filename") or string(known, "path")


def _file_blocks(known: Record, lore: Lore) -> Iterator[DetailBlock]:
    """A file that was put before the model: its path, and as much of it as the record holds."""
    name = _file(known)
    yield from blocks.facts([("file", name)])
    file = sent_file(known)
    if file.text:
        yield blocks.code(file.text, language_of(name), file.first_line)
    if snippet := string(known, "snippet"):
        yield blocks.code(snippet, language_of(name))


def _plan(known: Record) -> str:
    ended = "exit" in string(known, "type")
    where = string(known, "planFilePath")
    return f"{'left' if ended else 'on'}{f', {where}' if where else ''}"


def _turn(known: Record) -> str:
    took = number(known, "durationMs")
    return f"took {figures.span(took)}" if took else ""


def _queue(known: Record) -> str:
    parts = (string(known, "operation"), string(known, "content"))
    return ": ".join(part for part in parts if part)


def _said_blocks(known: Record, lore: Lore) -> Iterator[DetailBlock]:
    if words := string(known, "content") or string(known, "text"):
        yield from blocks.words(words, lore)


def _for_the_model(record: Record) -> Iterator[DetailBlock]:
    """What the model was told by it, where the record keeps that."""
    rendered = record.get("rendered")
    listed = rendered if isinstance(rendered, list) else []
    texts = [plain_text(blocks_of({"message": each})) for each in listed]
    if words := "\n".join(text for text in texts if text):
        yield blocks.heading("what the model was told")
        yield blocks.text(words, Tone.MUTED)


_WORDS: dict[str, tuple[SafeText, Callable[[Record], str] | None]] = {
    "hook_": (SafeText("hook"), _hook),
    "stop_hook_summary": (SafeText("hook"), _stop_hooks),
    "api_error": (SafeText("retry"), _retry),
    "task_reminder": (SafeText("reminder"), _tasks),
    "todo_reminder": (SafeText("reminder"), _tasks),
    "total_tokens_reminder": (SafeText("reminder"), None),
    "critical_system_reminder": (SafeText("reminder"), None),
    "plan_mode": (SafeText("plan mode"), _plan),
    "edited_text_file": (SafeText("edited"), _file),
    "compact_file_reference": (SafeText("file"), _file),
    "nested_memory": (SafeText("memory"), _file),
    "file-history": (SafeText("backup"), None),
    "file": (SafeText("file"), _file),
    "turn_duration": (SafeText("turn"), _turn),
    "away_summary": (SafeText("away"), None),
    "queue-operation": (SafeText("queue"), _queue),
}
"""By the beginning of a kind's name: our label, and what makes the words."""

_BLOCKS: dict[str, Callable[[Record, Lore], Iterator[DetailBlock]]] = {
    "hook_": _hook_blocks,
    "stop_hook_summary": _stop_blocks,
    "api_error": _retry_blocks,
    "task_reminder": _task_blocks,
    "edited_text_file": _file_blocks,
    "compact_file_reference": _file_blocks,
    "nested_memory": _file_blocks,
    "away_summary": _said_blocks,
    "informational": _said_blocks,
    "file-": lambda known, lore: iter(()),
    "file": _file_blocks,
}
