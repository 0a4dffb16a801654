"""What came of a tool call, in full: each known tool in its own way, all others as they answered."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ccbrowse.core.kept import kept_name
from ccbrowse.core.records import Text
from ccbrowse.core.text import SafeText
from ccbrowse.tui.viewmodels import blocks, figures, found, pages
from ccbrowse.tui.viewmodels.answers import (
    Answer,
    apart,
    nothing,
    parts,
    plain,
    reminded,
    said,
    string,
)
from ccbrowse.tui.viewmodels.tasks import check_list
from ccbrowse.tui.viewtypes import DETAIL_LIMIT, DetailBlock, TextBlock, Tone

_EXIT = re.compile(r"\AExit code (\d{1,10})(?:\n|\Z)")
_ERROR_TAGS = re.compile(r"</?tool_use_error>")
_REFUSED = re.compile(r"\AThe user doesn't want to (?:proceed|take this action)")
_REASON = re.compile(r"the user (?:said|provided the following reason[^:]*):\s*", re.IGNORECASE)


def result_blocks(answer: Answer) -> Iterator[DetailBlock]:
    """What came of a call. Reads a kept output from the session's folder where there is one."""
    if answer.result.is_error:
        yield from _failure(answer)
        return
    name = kept_name(answer.output, answer.extra)
    if name is not None:
        yield from _kept(answer, name)
        return
    own = _OWN.get(answer.call.name, plain)
    yield from own(answer)


def _failure(answer: Answer) -> Iterator[DetailBlock]:
    """An error: its exit code and output apart, a person's refusal with the reason."""
    text = _ERROR_TAGS.sub("", answer.output)
    if _REFUSED.match(text):
        yield blocks.heading("you refused it", Tone.BAD)
        reason = _REASON.split(text, maxsplit=1)
        if len(reason) > 1:
            yield blocks.text(reason[1], Tone.STRONG)
            return
        yield blocks.text(text, Tone.MUTED)
        return
    code = _EXIT.match(text)
    if code is not None:
        yield from blocks.facts([("exit", code[1])])
        yield blocks.heading("stdout and stderr, as they came", Tone.BAD)
        rest = text[code.end() :]
        yield blocks.output(rest) if rest.strip() else nothing()
        return
    yield blocks.heading("failed", Tone.BAD)
    yield from said(text)
    yield from (blocks.part(p) for p in answer.result.parts if not isinstance(p, Text))


def _kept(answer: Answer, name: str) -> Iterator[DetailBlock]:
    """An output that lies in a file: its beginning from there, else what the record has of it."""
    whole = answer.lore.kept(name, DETAIL_LIMIT)
    size = answer.known.get("persistedOutputSize")
    where = f"tool-results/{name}"
    if whole.content is None:
        told = f", {figures.byte_size(size)}" if isinstance(size, int) and size >= 0 else ""
        yield from blocks.facts([("kept in", f"{where}{told}, not in the session's folder")])
        yield from plain(answer)
        return
    yield from blocks.facts([("kept in", f"{where}, {figures.byte_size(whole.size)}")])
    yield blocks.heading("whole output, from the session's folder")
    yield blocks.output(whole.content)
    if whole.size > DETAIL_LIMIT:
        shown, size_of = figures.byte_size(DETAIL_LIMIT), figures.byte_size(whole.size)
        yield TextBlock(SafeText(f"first {shown} of {size_of}; o opens all in a pager"), Tone.WARN)
    yield blocks.heading("what the model got of it")
    yield from parts(answer.result)


def _bash(answer: Answer) -> Iterator[DetailBlock]:
    """A command: how it ended, and its streams apart."""
    known = answer.known
    out, err = string(known, "stdout"), string(known, "stderr")
    ended = "interrupted" if known.get("interrupted") is True else "success"
    background = string(known, "backgroundTaskId")
    note = string(known, "returnCodeInterpretation")
    yield from blocks.facts(
        [
            ("exit", None if background else f"{ended} ({note})" if note else ended),
            ("background", background),
        ]
    )
    if not (out or err) or known.get("isImage") is True:
        yield from plain(answer)
        return
    if out:
        yield blocks.heading("stdout")
        yield blocks.output(out)
    if err:
        yield blocks.heading("stderr", Tone.WARN)
        yield blocks.output(err)
    yield from reminded(apart(answer.output)[1])


def _todos(answer: Answer) -> Iterator[DetailBlock]:
    """The list as it then was; what changed says so."""
    yield from check_list(answer.known.get("newTodos"), answer.known.get("oldTodos"))
    yield from reminded(apart(answer.output)[1])


def _plan(answer: Answer) -> Iterator[DetailBlock]:
    """A plan that was agreed to: the plan is in the call, so only a word of it."""
    yield blocks.heading("you agreed to the plan", Tone.GOOD)
    edited = answer.known.get("planWasEdited") is True
    if edited:
        yield blocks.text("The plan was edited before.", Tone.MUTED)


_OWN: dict[str, Callable[[Answer], Iterator[DetailBlock]]] = {
    "Bash": _bash,
    "Read": found.read,
    "Grep": found.grep,
    "Glob": found.glob,
    "TodoWrite": _todos,
    "WebSearch": pages.web_search,
    "WebFetch": pages.web_fetch,
    "Task": pages.agent,
    "Agent": pages.agent,
    "AskUserQuestion": pages.questions,
    "ExitPlanMode": _plan,
}
