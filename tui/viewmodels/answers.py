"""A tool call with its answer, and the answer as it was sent: what all kinds of results share."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ccbrowse.core.records import Other, Text, ToolCall, ToolResult
from ccbrowse.core.text import SafeText, one_line
from ccbrowse.tui.viewmodels import blocks
from ccbrowse.tui.viewmodels.lore import Lore
from ccbrowse.tui.viewmodels.tools import result_text
from ccbrowse.tui.viewtypes import DetailBlock, Line, TextBlock, Tone, line

_REMINDER = re.compile(r"<system-reminder>.*?(?:</system-reminder>|\Z)\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Answer:
    """A call with its result, the client's own copy of that (`toolUseResult`), and where it ran."""

    call: ToolCall
    result: ToolResult
    extra: object
    cwd: str
    lore: Lore

    @property
    def known(self) -> Mapping[str, Any]:
        """The client's copy where it is a mapping, else nothing."""
        return self.extra if isinstance(self.extra, Mapping) else {}

    @property
    def output(self) -> str:
        """The words of the result (raw)."""
        return result_text(self.result)


def plain(answer: Answer) -> Iterator[DetailBlock]:
    """The answer as it was sent."""
    yield blocks.heading("result")
    yield from parts(answer.result)


def parts(result: ToolResult) -> Iterator[DetailBlock]:
    """The parts of a result: words, pages that were found, images."""
    web = [p.raw for p in result.parts if isinstance(p, Other) and p.type == "web_search_result"]
    if web:
        yield links(web)
    for part in result.parts:
        if isinstance(part, Text):
            yield from said(part.text)
        elif not (isinstance(part, Other) and part.type == "web_search_result"):
            yield blocks.part(part)
    if not result.parts:
        yield nothing()


def said(text: str) -> Iterator[DetailBlock]:
    """Output, and apart from it what the client wrote behind it for the model."""
    own, reminders = apart(text)
    if own.strip():
        yield blocks.output(own)
    elif not reminders:
        yield nothing()
    yield from reminded(reminders)


def apart(text: str) -> tuple[str, str]:
    """A result's text without the client's reminders, and the reminders."""
    if "<system-reminder>" not in text:
        return text, ""
    found = "\n".join(match[0].strip() for match in _REMINDER.finditer(text))
    return _REMINDER.sub("", text), found


def reminded(reminders: str) -> Iterator[DetailBlock]:
    """Reminders, as what they are."""
    if reminders:
        yield blocks.heading("added for the model, written by the client")
        yield blocks.text(reminders, Tone.MUTED)


def nothing() -> TextBlock:
    """Said where there is no output."""
    return blocks.text("(no output)", Tone.MUTED)


def links(pages: Sequence[object]) -> DetailBlock:
    """Pages by their titles, the addresses beneath."""
    items: list[tuple[Line, Line]] = []
    for page in pages[: blocks.MOST_ITEMS]:
        known: Mapping[str, Any] = page if isinstance(page, Mapping) else {}
        title = one_line(string(known, "title"), 300)
        age = string(known, "page_age")
        when = SafeText(f" · {one_line(age, 40)}") if age else SafeText("")
        items.append(
            (line((SafeText("· "), Tone.MUTED)), line((title, Tone.STRONG), (when, Tone.MUTED)))
        )
        address = one_line(string(known, "url"), 500)
        items.append((line(SafeText("  ")), line((address, Tone.MUTED))))
    return blocks.listed(items, len(pages) - blocks.MOST_ITEMS)


def given(call: ToolCall) -> Mapping[str, Any]:
    """What a call was given; empty where that is no mapping."""
    return call.input if isinstance(call.input, Mapping) else {}


def path_of(call: ToolCall) -> str:
    """The file that a call names; empty where it names none."""
    return string(given(call), "file_path")


def string(known: Mapping[str, Any], key: str) -> str:
    """A string of a record, else an empty one."""
    value = known.get(key)
    return value if isinstance(value, str) else ""


def strings(value: object) -> list[str]:
    """The strings of a list."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def number(known: Mapping[str, Any], key: str) -> int:
    """A positive number of a record, else 0."""
    value = known.get(key)
    return value if isinstance(value, int) and 0 < value < 1 << 40 else 0
