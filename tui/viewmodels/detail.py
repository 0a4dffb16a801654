"""One item in full: a message whole, a call with its result, a boundary with all it says."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from ccbrowse.core.findings import CODES
from ccbrowse.core.index import NONE, TYPED, SessionIndex
from ccbrowse.core.numbers import Number, Source
from ccbrowse.core.records import (
    Block,
    Image,
    Kind,
    Other,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    blocks,
    prompt_blocks,
    typed_text,
)
from ccbrowse.core.text import SafeText, display_text, one_line
from ccbrowse.core.texts import compact_json, part_text
from ccbrowse.tui.viewmodels import figures, tools
from ccbrowse.tui.viewmodels.diffs import edit_diffs
from ccbrowse.tui.viewmodels.entries import calls_of, find_result, make_row
from ccbrowse.tui.viewmodels.items import DAY, FINDING, FIRST_CALL, FORK, THOUGHT
from ccbrowse.tui.viewmodels.lore import Bodies, Lore
from ccbrowse.tui.viewmodels.words import command_words, plain_text
from ccbrowse.tui.viewtypes import (
    DETAIL_LIMIT,
    NOTHING,
    BoundaryRow,
    CodeBlock,
    DetailBlock,
    DetailView,
    Divider,
    Entry,
    FactsBlock,
    Line,
    TextBlock,
    Tone,
    line,
)

NO_LIMIT = 1 << 40
_LEFT_OUT = frozenset({"content", "old_string", "new_string", "edits", "new_source"})
_LANGUAGES = {
    ".py": "python", ".js": "javascript", ".ts": "typescript", ".tsx": "tsx", ".json": "json",
    ".md": "markdown", ".sh": "bash", ".rs": "rust", ".go": "go", ".c": "c", ".h": "c",
    ".cpp": "cpp", ".java": "java", ".rb": "ruby", ".toml": "toml", ".yaml": "yaml",
    ".yml": "yaml", ".html": "html", ".css": "css", ".sql": "sql", ".kt": "kotlin",
}  # fmt: skip


def make_detail(bodies: Bodies, lore: Lore, key: str, row: int, part: int) -> DetailView:
    """One item in full. Reads its bodies, whatever their size: from a worker where they are large."""
    index = bodies.index
    if part == FINDING:
        return _findings(lore, key, row)
    if part in (FORK, DAY):
        return _short(bodies, lore, key, row, part)
    record = bodies.record(row)
    if part >= FIRST_CALL:
        calls = calls_of(record)
        if part - FIRST_CALL < len(calls):
            return _call(bodies, lore, key, row, calls[part - FIRST_CALL], record)
    if part == THOUGHT:
        return _view(index, key, row, record, lore, "thinking", list(_thoughts(blocks(record))))
    kind = index.kind[row]
    if kind == Kind.BOUNDARY:
        return _boundary(bodies, lore, key, row, record)
    title, found = _said(index, row, record, lore)
    return _view(index, key, row, record, lore, title, found)


def _short(bodies: Bodies, lore: Lore, key: str, row: int, part: int) -> DetailView:
    """What the row itself says, for items without a record."""
    made = make_row(bodies, lore, key, row, part)
    if isinstance(made, Divider):
        return DetailView(key, line((made.text, Tone.STRONG)))
    words = made.text if isinstance(made, Entry) else NOTHING
    hint = SafeText("b lists the branches; enter opens one.")
    return DetailView(
        key,
        line((SafeText("branches"), Tone.PERSON)),
        blocks=(TextBlock(words), TextBlock(hint, Tone.MUTED)),
    )


def _findings(lore: Lore, key: str, row: int) -> DetailView:
    found: list[DetailBlock] = []
    for finding in lore.findings.get(row, ()):
        code = CODES[finding.code]
        facts = (
            (SafeText("severity"), line(display_text(finding.severity.value))),
            (SafeText("code"), line(display_text(finding.code))),
            (SafeText("line"), line(SafeText(f"{finding.line or 0:,}"))),
            (SafeText("meaning"), line(display_text(code.meaning))),
            (SafeText("to do"), line(display_text(code.remedy))),
        )
        found += [TextBlock(display_text(finding.message)), FactsBlock(facts)]
    return DetailView(key, line((SafeText("⚠ finding"), Tone.WARN)), blocks=tuple(found))


def _view(
    index: SessionIndex,
    key: str,
    row: int,
    record: Mapping[str, Any],
    lore: Lore,
    title: str,
    found: Sequence[DetailBlock],
) -> DetailView:
    person = index.kind[row] in (Kind.PROMPT, Kind.QUEUED_PROMPT)
    head = line((display_text(title), Tone.PERSON if person else Tone.STRONG))
    return DetailView(
        key,
        head,
        _subtitle(index, row),
        (*found, _facts(index, key, row, record, lore)),
    )


def _subtitle(index: SessionIndex, row: int) -> Line:
    parts = [figures.stamp(index.time[row]), SafeText(f"line {index.line[row]:,}")]
    parts.append(figures.byte_size(index.length[index.content_row(row)]))
    shown: list[SafeText] = [part for part in parts if part]
    return line((SafeText(" · ".join(shown)), Tone.MUTED))


def _said(
    index: SessionIndex, row: int, record: Mapping[str, Any], lore: Lore
) -> tuple[str, list[DetailBlock]]:
    """The title of a record (raw) and what it says."""
    kind, found = index.kind[row], blocks(record)
    if kind == Kind.PROMPT:
        return "task" if lore.in_agent else "you", list(_prompt(found))
    if kind == Kind.QUEUED_PROMPT:
        attachment = record.get("attachment")
        sent = prompt_blocks(attachment) if isinstance(attachment, Mapping) else ()
        return "you, while claude worked", list(_prompt(sent))
    if kind == Kind.RESULT and index.flags[row] & TYPED:
        return "you, while a tool ran", [_text(typed_text(plain_text(found)))]
    if kind == Kind.ASSISTANT:
        return "claude", list(_blocks(found))
    if kind == Kind.SUMMARY:
        return "summary", list(_blocks(found))
    if kind == Kind.COMMAND:
        return "command", [_text(command_words(plain_text(found)))]
    if kind == Kind.ERROR:
        return "error", list(_blocks(found))
    if kind in (Kind.RESULT, Kind.META) and found:
        return "result" if kind == Kind.RESULT else "client", list(_blocks(found))
    if kind == Kind.BAD:
        return "damaged line", [_text("The line holds no record. `x` exports it byte for byte.")]
    return str(record.get("type") or "record"), [_json(record)]


def _prompt(found: Sequence[Block]) -> Iterator[DetailBlock]:
    """A prompt: what was typed, then what the client put beside it."""
    whole = plain_text(found)
    typed = typed_text(whole)
    yield _text(typed or whole)
    yield from (_text(part_text(b), Tone.MUTED) for b in found if isinstance(b, Image | Other))
    if typed and len(typed) < len(whole.strip()):
        yield _text(f"sent with it by the client:\n{whole}", Tone.MUTED)


def _blocks(found: Sequence[Block]) -> Iterator[DetailBlock]:
    for block in found:
        if isinstance(block, Text):
            if block.text.strip():
                yield _text(block.text)
        elif isinstance(block, Image):
            yield _text(part_text(block), Tone.MUTED)
        elif isinstance(block, ToolResult):
            yield from _result(block)
        elif isinstance(block, Other):
            yield _json(block.raw)


def _thoughts(found: Sequence[Block]) -> Iterator[DetailBlock]:
    texts = [block.text for block in found if isinstance(block, Thinking) and block.text]
    yield from (_text(text) for text in texts)
    if not texts:
        yield _text("The client kept only its signature, not its words.", Tone.MUTED)


def _call(
    bodies: Bodies, lore: Lore, key: str, row: int, call: ToolCall, record: Mapping[str, Any]
) -> DetailView:
    index = bodies.index
    result_row, result = find_result(bodies, row, call, NO_LIMIT)
    answer = bodies.record(result_row) if result_row != NONE else {}
    cwd = str(record.get("cwd") or "")
    words = one_line(tools.headline(call, cwd), 300)
    failed = result is not None and result.is_error
    name = (one_line(call.name, 80) or SafeText("tool"), Tone.BAD if failed else Tone.TOOL)
    title = line(name, SafeText(" "), (words, Tone.STRONG))
    found: list[DetailBlock] = []
    diffs = edit_diffs(call, answer.get("toolUseResult"))
    found += diffs
    found += _input(call, bool(diffs))
    if result is not None:
        found.append(_heading("failed" if failed else "result", Tone.BAD if failed else Tone.MUTED))
        found += _result(result, tools_language(call))
    elif call.id in index.unanswered:
        found.append(_text("No result yet." if lore.live else "It never got a result.", Tone.MUTED))
    found.append(_facts(index, key, row, record, lore, call))
    return DetailView(key, title, _call_subtitle(index, row, result_row, call), tuple(found))


def _call_subtitle(index: SessionIndex, row: int, result_row: int, call: ToolCall) -> Line:
    parts = [one_line(call.id, 16)]
    if result_row != NONE and index.time[result_row] >= index.time[row] > 0:
        parts.append(figures.span(index.time[result_row] - index.time[row]))
    parts.append(SafeText(f"line {index.line[row]:,}"))
    shown: list[SafeText] = [part for part in parts if part]
    return line((SafeText(" · ".join(shown)), Tone.MUTED))


def _heading(words: str, tone: Tone) -> TextBlock:
    return TextBlock(display_text(words), tone)


def _input(call: ToolCall, shown_as_diff: bool) -> Iterator[DetailBlock]:
    """What a call was given: a command or long text as such, the rest as JSON."""
    known = call.input if isinstance(call.input, Mapping) else None
    if known is None:
        if call.input is not None:
            yield _json(call.input)
        return
    left = {k: v for k, v in known.items() if not (shown_as_diff and k in _LEFT_OUT)}
    command = left.pop("command", None)
    if isinstance(command, str):
        yield _code(command, "bash")
    elif command is not None:
        left["command"] = command
    for name in ("prompt", "plan", "description"):
        value = left.get(name)
        if isinstance(value, str) and (len(value) > 60 or "\n" in value):
            del left[name]
            yield _text(value)
    facts = [(one_line(k, 20), line(one_line(compact_json(v), 500))) for k, v in left.items()]
    if facts:
        yield FactsBlock(tuple(facts))


def tools_language(call: ToolCall) -> str:
    """A lexer for what a call reads; none for other output."""
    path = call.input.get("file_path") if isinstance(call.input, Mapping) else None
    if call.name != "Read" or not isinstance(path, str):
        return ""
    return _LANGUAGES.get(PurePath(path).suffix.lower(), "")


def _result(result: ToolResult, language: str = "") -> Iterator[DetailBlock]:
    for part in result.parts:
        if isinstance(part, Text):
            yield _code(part.text, language if not result.is_error else "")
        elif isinstance(part, Image):
            yield _text(part_text(part), Tone.MUTED)
        else:
            yield _json(part.raw)
    if not result.parts:
        yield _text("(no output)", Tone.MUTED)


def _boundary(
    bodies: Bodies, lore: Lore, key: str, row: int, record: Mapping[str, Any]
) -> DetailView:
    made = make_row(bodies, lore, key, row, 0)
    found: list[DetailBlock] = []
    if isinstance(made, BoundaryRow):
        pairs = (
            ("trigger", made.trigger),
            ("before", made.before),
            ("after", made.after),
            ("saved", made.reduction),
            ("took", made.duration),
        )
        facts = [(SafeText(name), line(value)) for name, value in pairs if value]
        facts += [(NOTHING, note) for note in made.notes]
        found.append(FactsBlock(tuple(facts)))
    metadata = record.get("compactMetadata")
    if metadata is not None:
        found.append(_heading("what the client noted", Tone.MUTED))
        found.append(_json(metadata))
    title = made.title if isinstance(made, BoundaryRow) else SafeText("compact")
    facts_block = _facts(bodies.index, key, row, record, lore)
    return DetailView(
        key, line((title, Tone.PERSON)), _subtitle(bodies.index, row), (*found, facts_block)
    )


def _facts(
    index: SessionIndex,
    key: str,
    row: int,
    record: Mapping[str, Any],
    lore: Lore,
    call: ToolCall | None = None,
) -> FactsBlock:
    """Tokens, context, uuid, model: what stands beneath every item."""
    facts: list[tuple[SafeText, Line]] = []
    weight = lore.tokens.get(key)
    if weight is not None and weight.value:
        facts.append((SafeText("tokens"), _weight(weight)))
    request = index.request[row]
    if request != NONE:
        context = Number(index.requests.context(request), Source.USAGE)
        after = (SafeText(" of this reply's request"), Tone.MUTED)
        facts.append((SafeText("context"), line((figures.tokens(context), Tone.STRONG), after)))
        if index.requests.trusted[request]:
            output = Number(index.requests.output[request], Source.USAGE)
            facts.append((SafeText("output"), line(figures.tokens(output))))
    message = record.get("message")
    known: Mapping[str, Any] = message if isinstance(message, Mapping) else {}
    pairs = (
        ("call", call.id if call else None),
        ("uuid", index.uuids[row]),
        ("message", known.get("id")),
        ("model", known.get("model")),
        ("version", record.get("version")),
        ("branch", record.get("gitBranch")),
        ("cwd", record.get("cwd")),
    )
    for name, value in pairs:
        if isinstance(value, str) and value:
            facts.append((SafeText(name), line((one_line(value, 200), Tone.MUTED))))
    return FactsBlock(tuple(facts))


def _weight(number: Number) -> Line:
    """``412≈ ±4 %``"""
    if not number.error:
        return line((figures.tokens(number), Tone.STRONG))
    error = SafeText(f" ±{round(100 * number.error)} %")
    return line((figures.tokens(number), Tone.STRONG), (error, Tone.MUTED))


def _text(raw: str, tone: Tone = Tone.PLAIN) -> TextBlock:
    return TextBlock(_shown(raw), tone, cut=_cut(raw))


def _code(raw: str, language: str = "") -> CodeBlock:
    return CodeBlock(_shown(raw), language, cut=_cut(raw))


def _json(value: object) -> CodeBlock:
    """Any value as indented JSON."""
    try:
        raw = json.dumps(value, ensure_ascii=False, indent=2)
    except (ValueError, RecursionError, TypeError):
        raw = compact_json(value)
    return CodeBlock(_shown(raw), "json", cut=_cut(raw))


def _shown(raw: str) -> SafeText:
    return display_text(raw[:DETAIL_LIMIT].strip("\n"), newlines=True)


def _cut(raw: str) -> SafeText:
    if len(raw) <= DETAIL_LIMIT:
        return NOTHING
    shown, whole = figures.short(DETAIL_LIMIT), figures.short(len(raw))
    return SafeText(f"first {shown} of {whole} characters; o opens all in a pager")
