"""What stands beneath a title, and beneath all that an item says: times, tokens, ids, places."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ccbrowse.core.index import NO_TIME, NONE, SessionIndex
from ccbrowse.core.numbers import Number, Source
from ccbrowse.core.records import ToolCall
from ccbrowse.core.text import SafeText, one_line
from ccbrowse.tui.viewmodels import figures
from ccbrowse.tui.viewmodels.lore import Lore
from ccbrowse.tui.viewtypes import NOTHING, FactsBlock, Line, Tone, line


def record_subtitle(index: SessionIndex, row: int, lore: Lore) -> Line:
    """``10:02:41 · 3m ago · line 5,144 · 1.2 kB``"""
    parts = [figures.clock_to_the_second(index.time[row]), ago(index.time[row], lore.now)]
    parts.append(SafeText(f"line {index.line[row]:,}"))
    parts.append(figures.byte_size(index.length[index.content_row(row)]))
    return joined(parts)


def call_subtitle(index: SessionIndex, row: int, result_row: int, lore: Lore) -> Line:
    """``10:02:41 · 3m ago · 0.9 s · line 5,144``"""
    parts = [figures.clock_to_the_second(index.time[row]), ago(index.time[row], lore.now)]
    if result_row != NONE and index.time[result_row] >= index.time[row] > 0:
        took = figures.span(index.time[result_row] - index.time[row])
        parts.append(SafeText(f"took {took}"))
    parts.append(SafeText(f"line {index.line[row]:,}"))
    return joined(parts)


def joined(parts: list[SafeText]) -> Line:
    """Facts with dots between, muted; empty ones left out."""
    shown: list[SafeText] = [part for part in parts if part]
    return line((SafeText(" · ".join(shown)), Tone.MUTED))


def ago(time: int, now: int) -> SafeText:
    """``3m ago``; nothing where one of the two is not known, or the time is still to come."""
    if NO_TIME in (time, now) or time > now:
        return NOTHING
    age = figures.age(time, now)
    return SafeText("just now") if age == "now" else SafeText(f"{age} ago")


def record_facts(
    index: SessionIndex,
    key: str,
    row: int,
    record: Mapping[str, Any],
    lore: Lore,
    call: ToolCall | None = None,
) -> FactsBlock:
    """Tokens, context, time, ids, model."""
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
    if stamp := figures.zoned_stamp(index.time[row]):
        facts.append((SafeText("time"), line((stamp, Tone.MUTED))))
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
