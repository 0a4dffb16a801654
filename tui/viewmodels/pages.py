"""What others said to a call: web pages, subagents, a person who was asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ccbrowse.core.records import Text
from ccbrowse.core.text import SafeText, display_text, one_line
from ccbrowse.tui.viewmodels import blocks, figures
from ccbrowse.tui.viewmodels.answers import Answer, apart, links, plain, reminded, string
from ccbrowse.tui.viewtypes import DetailBlock, Line, Tone, line


def web_search(answer: Answer) -> Iterator[DetailBlock]:
    """Pages by title and address, and what was said of them."""
    pages: list[Mapping[str, Any]] = []
    words: list[str] = []
    results = answer.known.get("results")
    for found in results if isinstance(results, list) else []:
        if isinstance(found, str):
            words.append(found)
        elif isinstance(found, Mapping) and isinstance(found.get("content"), list):
            pages += [page for page in found["content"] if isinstance(page, Mapping)]
    if not pages:
        yield from plain(answer)
        return
    yield blocks.heading(str(figures.counted(len(pages), "page")))
    yield links(pages)
    if words:
        yield from blocks.words("\n".join(words), answer.lore)


def web_fetch(answer: Answer) -> Iterator[DetailBlock]:
    """A page: the server's answer, its size, and what was made of it."""
    known = answer.known
    code, size, took = (known.get(name) for name in ("code", "bytes", "durationMs"))
    yield from blocks.facts(
        [
            ("answer", f"{code} {string(known, 'codeText')}" if isinstance(code, int) else None),
            ("size", str(figures.byte_size(size)) if isinstance(size, int) else None),
            ("took", str(figures.span(took)) if isinstance(took, int) else None),
        ]
    )
    own, reminders = apart(answer.output)
    yield blocks.heading("result")
    yield from blocks.words(own, answer.lore)
    yield from reminded(reminders)


def agent(answer: Answer) -> Iterator[DetailBlock]:
    """A subagent: how it ended, what it took, and its report."""
    known = answer.known
    took, uses, tokens = (
        known.get(name) for name in ("totalDurationMs", "totalToolUseCount", "totalTokens")
    )
    yield from blocks.facts(
        [
            ("agent", string(known, "agentId")),
            ("status", string(known, "status").replace("_", " ")),
            ("took", str(figures.span(took)) if isinstance(took, int) else None),
            ("tool uses", f"{uses:,}" if isinstance(uses, int) else None),
            ("context", f"{tokens:,}= at its end" if isinstance(tokens, int) else None),
            ("output in", string(known, "outputFile")),
        ]
    )
    yield blocks.heading("report" if not known.get("isAsync") else "answer")
    for part in answer.result.parts:
        if isinstance(part, Text):
            yield from blocks.words(part.text, answer.lore)
        else:
            yield blocks.part(part)


def questions(answer: Answer) -> Iterator[DetailBlock]:
    """What a person answered."""
    answers = answer.known.get("answers")
    if not isinstance(answers, Mapping) or not answers:
        yield from plain(answer)
        return
    yield blocks.heading("you answered")
    sign = line((SafeText("› "), Tone.PERSON))
    items: list[tuple[Line, Line]] = []
    for question, said in list(answers.items())[: blocks.MOST_ITEMS]:
        items.append(((), line((one_line(str(question), 500), Tone.MUTED))))
        items.append((sign, line((display_text(str(said)[:2_000]), Tone.STRONG))))
    yield blocks.listed(items)
