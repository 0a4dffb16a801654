"""One item in full: a message whole, a call with its result, a boundary with all it says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ccbrowse.core.findings import CODES
from ccbrowse.core.index import INTERRUPT, TYPED, SessionIndex
from ccbrowse.core.records import (
    Block,
    Image,
    Kind,
    Other,
    Text,
    Thinking,
    ToolResult,
    command_of,
    queued_blocks,
    typed_text,
)
from ccbrowse.core.records import (
    blocks as blocks_of,
)
from ccbrowse.core.text import SafeText, display_text
from ccbrowse.tui.viewmodels import blocks
from ccbrowse.tui.viewmodels.answers import parts
from ccbrowse.tui.viewmodels.beneath import joined, record_facts, record_subtitle
from ccbrowse.tui.viewmodels.calls import call_detail
from ccbrowse.tui.viewmodels.client import WRITTEN, client_detail, interrupted_words
from ccbrowse.tui.viewmodels.entries import calls_of, make_row
from ccbrowse.tui.viewmodels.forkrows import fork_detail
from ccbrowse.tui.viewmodels.items import DAY, FINDING, FIRST_CALL, FORK, THOUGHT
from ccbrowse.tui.viewmodels.lore import Bodies, Lore
from ccbrowse.tui.viewmodels.versions import version_blocks
from ccbrowse.tui.viewmodels.words import (
    command_label,
    command_words,
    plain_text,
    tags_off,
)
from ccbrowse.tui.viewtypes import (
    NOTHING,
    BoundaryRow,
    DetailBlock,
    DetailView,
    FactsBlock,
    ForkRow,
    TextBlock,
    Tone,
    line,
)


def make_detail(bodies: Bodies, lore: Lore, key: str, row: int, part: int) -> DetailView:
    """One item in full. Reads its bodies, whatever their size: from a worker where they are large."""
    index = bodies.index
    if lore.raw and part != DAY:
        return _raw(bodies, key, row, part)
    if part == FINDING:
        return _findings(lore, key, row)
    if part in (FORK, DAY):
        return _short(bodies, lore, key, row, part)
    record = bodies.record(row)
    if part >= FIRST_CALL:
        calls = calls_of(record)
        if part - FIRST_CALL < len(calls):
            return call_detail(bodies, lore, key, row, calls[part - FIRST_CALL], record)
    if part == THOUGHT:
        thoughts = list(_thoughts(blocks_of(record), lore))
        return _view(index, key, row, record, lore, "thinking", thoughts)
    kind = index.kind[row]
    if kind == Kind.BOUNDARY:
        return _boundary(bodies, lore, key, row, record)
    title, found = _said(index, row, record, lore)
    found += version_blocks(bodies, lore, row)
    return _view(index, key, row, record, lore, title, found)


def _raw(bodies: Bodies, key: str, row: int, part: int) -> DetailView:
    """The record as the file has it, indented; of a call those of its results too."""
    index = bodies.index
    rows = [row, *index.results_of(row)] if part >= FIRST_CALL else [row]
    found: list[DetailBlock] = []
    for each in rows:
        if len(rows) > 1:
            found.append(blocks.heading(f"line {index.line[each]:,}"))
        if index.kind[each] == Kind.BAD:
            found.append(blocks.code(bodies.raw(each).decode("utf-8", "replace")))
        else:
            found.append(blocks.json_code(bodies.record(each)))
    said = joined([SafeText(f"line {index.line[row]:,}"), SafeText("as the file has it, indented")])
    return DetailView(key, line((SafeText("record"), Tone.STRONG)), said, tuple(found))


def _short(bodies: Bodies, lore: Lore, key: str, row: int, part: int) -> DetailView:
    """What the row itself says, for items without a record; a fork with all its arms."""
    made = make_row(bodies, lore, key, row, part)
    if isinstance(made, ForkRow):
        return fork_detail(bodies, lore, key, row)
    words = NOTHING if isinstance(made, BoundaryRow) else made.text
    return DetailView(key, line((words, Tone.STRONG)))


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
        record_subtitle(index, row, lore),
        (*found, record_facts(index, key, row, record, lore)),
    )


def _said(
    index: SessionIndex, row: int, record: Mapping[str, Any], lore: Lore
) -> tuple[str, list[DetailBlock]]:
    """The title of a record (raw) and what it says."""
    kind, found, flags = index.kind[row], blocks_of(record), index.flags[row]
    if flags & INTERRUPT:
        note = blocks.text(plain_text(found), Tone.MUTED)
        return f"{interrupted_words(plain_text(found))} · {WRITTEN}", [note]
    if kind == Kind.PROMPT:
        return "task" if lore.in_agent else "you", list(_prompt(found, lore))
    if kind == Kind.QUEUED_PROMPT:
        return "you, while claude worked", list(_prompt(queued_blocks(record), lore))
    if kind == Kind.RESULT and flags & TYPED:
        return "you, while a tool ran", [blocks.text(typed_text(plain_text(found)))]
    if kind == Kind.ASSISTANT:
        return "claude", list(_blocks(found, lore))
    if kind == Kind.SUMMARY:
        return f"summary · {WRITTEN}", list(_blocks(found, lore))
    if kind == Kind.COMMAND:
        return _command(plain_text(found), record)
    if kind == Kind.ERROR:
        title = "error" if record.get("isApiErrorMessage") or record.get("error") else "note"
        return f"{title} · {WRITTEN}", [*_blocks(found, lore), *_error_facts(record)]
    if kind in (Kind.RESULT, Kind.META) and found:
        title = "result" if kind == Kind.RESULT else f"message · {WRITTEN}"
        return title, list(_blocks(found, lore))
    if kind == Kind.BAD:
        told = "The line holds no record. u shows it, x exports it byte for byte."
        return "damaged line", [blocks.text(told)]
    words = record.get("content")
    if record.get("subtype") == "local_command" and isinstance(words, str):
        return _command(words, record)
    return client_detail(kind, record, lore)


def _command(words: str, record: Mapping[str, Any]) -> tuple[str, list[DetailBlock]]:
    """A command as it was typed, or its output with the colours that it asks for."""
    label = command_label(words)
    if command_of(words) is not None:
        return f"{label}, typed by you", [blocks.text(command_words(words), Tone.STRONG)]
    printed = tags_off(words)
    return label, [blocks.output(printed) if printed.strip() else blocks.text("(no output)")]


def _error_facts(record: Mapping[str, Any]) -> Iterator[FactsBlock]:
    status, error = record.get("apiErrorStatus"), record.get("error")
    told = [("status", str(status) if isinstance(status, int) else None)]
    told.append(("error", error if isinstance(error, str) else None))
    yield from blocks.facts(told)


def _prompt(found: Sequence[Block], lore: Lore) -> Iterator[DetailBlock]:
    """A prompt: what was typed, then what the client put beside it."""
    whole = plain_text(found)
    typed = typed_text(whole)
    yield from blocks.words(typed or whole, lore)
    yield from (blocks.part(each) for each in found if isinstance(each, Image | Other))
    if typed and len(typed) < len(whole.strip()):
        yield blocks.text(f"sent with it, {WRITTEN}:\n{whole}", Tone.MUTED)


def _blocks(found: Sequence[Block], lore: Lore) -> Iterator[DetailBlock]:
    for block in found:
        if isinstance(block, Text):
            if block.text.strip():
                yield from blocks.words(block.text, lore)
        elif isinstance(block, Image | Other):
            yield blocks.part(block)
        elif isinstance(block, ToolResult):
            yield from parts(block)


def _thoughts(found: Sequence[Block], lore: Lore) -> Iterator[DetailBlock]:
    texts = [block.text for block in found if isinstance(block, Thinking) and block.text]
    for text in texts:
        yield from blocks.words(text, lore)
    if not texts:
        yield blocks.text("The client kept only its signature, not its words.", Tone.MUTED)


_MOST_NOTED = 3


def _folded(metadata: object) -> object:
    """What the client noted of a compaction, long lists of ids by their length."""
    if not isinstance(metadata, Mapping):
        return metadata
    return {
        key: {name: _short_list(each) for name, each in value.items()}
        if isinstance(value, Mapping)
        else _short_list(value)
        for key, value in metadata.items()
    }


def _short_list(value: object) -> object:
    if isinstance(value, list) and len(value) > _MOST_NOTED:
        return f"({len(value):,} items; u shows the whole record)"
    return value


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
        found.append(blocks.heading("what the client noted"))
        found.append(blocks.json_code(_folded(metadata)))
    title = made.title if isinstance(made, BoundaryRow) else SafeText("compact")
    facts_block = record_facts(bodies.index, key, row, record, lore)
    subtitle = record_subtitle(bodies.index, row, lore)
    return DetailView(key, line((title, Tone.PERSON)), subtitle, (*found, facts_block))
