"""How forks and edited prompts are drawn: the row at a fork, the mark on a prompt, an arm's words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ccbrowse.core.chain import Branch
from ccbrowse.core.index import NONE, SessionIndex
from ccbrowse.core.records import Kind, queued_blocks
from ccbrowse.core.records import blocks as blocks_of
from ccbrowse.core.text import SafeText, one_line
from ccbrowse.tui.viewmodels import blocks, figures
from ccbrowse.tui.viewmodels.forks import Link
from ccbrowse.tui.viewmodels.lore import Bodies, Lore
from ccbrowse.tui.viewmodels.words import plain_text, prompt_words, reply_words
from ccbrowse.tui.viewtypes import (
    NOTHING,
    ArmLine,
    DetailBlock,
    DetailView,
    Divider,
    ForkRow,
    Line,
    Row,
    Tone,
    line,
)

TOO_LARGE = 2_000_000
"""Bytes of a record above which its words are not read for a line."""

_WORDS = 400
_ARMS = 6
_LAST_WORDS = 2_000


def fork_row(bodies: Bodies, lore: Lore, key: str, row: int) -> Row:
    """The row at a fork; on an arm's own screen the place where it leaves the main line."""
    if lore.shared:
        return Divider(key, SafeText("here it left the main line"), Tone.PERSON)
    fork, links = lore.forks.at.get(row), lore.forks.links.get(row, ())
    if fork is None and not links:
        return Divider(key, SafeText("nothing left the line here"))
    arms = [link_line(link) for link in links[-_ARMS:]]
    on = NOTHING
    if fork is not None:
        arms += [arm_line(bodies, lore, arm) for arm in fork.arms[-_ARMS:]]
        on = said_in(bodies, fork.next) if fork.next != NONE else NOTHING
        if len(fork.arms) > _ARMS:
            more = SafeText(f"and {len(fork.arms) - _ARMS:,} older ones")
            arms.insert(0, ArmLine(NOTHING, more))
    time = figures.clock(bodies.index.time[row])
    mark = lore.marks.get(key, NOTHING)
    return ForkRow(key, _fork_words(fork is not None, links), tuple(arms), on, time, mark)


def _fork_words(rewound: bool, links: Sequence[Link]) -> SafeText:
    """What happened at a fork."""
    parts: list[SafeText] = [SafeText("rewound here")] if rewound else []
    if any(link.older for link in links):
        parts.append(SafeText("up to here from another session"))
    if any(not link.older for link in links):
        parts.append(SafeText("forked here into another session"))
    return SafeText(" · ".join(parts))


def link_line(link: Link) -> ArmLine:
    """Another session by its title."""
    label = SafeText("from") if link.older else SafeText("fork")
    return ArmLine(label, link.title, line(SafeText("a session of its own")))


def arm_line(bodies: Bodies, lore: Lore, arm: Branch) -> ArmLine:
    """An arm by the prompt it begins with, its size, and when it was left."""
    opening = lore.forks.opening(bodies.index, arm.leaf)
    size: SafeText = figures.counted(arm.messages, "message")
    left = figures.clock(bodies.index.time[arm.leaf])
    until = SafeText(f" until {left}") if left else NOTHING
    return ArmLine(SafeText("left"), said_in(bodies, opening), line(SafeText(f"{size}{until}")))


def fork_detail(bodies: Bodies, lore: Lore, key: str, row: int) -> DetailView:
    """A fork in full: each arm's first prompt and last words, and how the line goes on."""
    index, fork = bodies.index, lore.forks.at.get(row)
    links = lore.forks.links.get(row, ())
    found: list[DetailBlock] = [blocks.text("b opens what left here.", Tone.MUTED)]
    for link in links:
        what = "what stands above was copied from" if link.older else "this was forked into"
        found.append(blocks.heading(what, Tone.PERSON))
        found.append(blocks.text(link.title))
        found += blocks.facts([("session", link.path.stem)])
    for arm in fork.arms[-_ARMS:] if fork is not None else ():
        left = figures.stamp(index.time[arm.leaf])
        size = figures.counted(arm.messages, "message")
        found.append(blocks.heading(f"left{f' {left}' if left else ''}, {size}", Tone.PERSON))
        opening = lore.forks.opening(index, arm.leaf)
        found.append(blocks.text(_raw_in(bodies, opening)))
        if arm.leaf != opening:
            found.append(blocks.heading("its last words"))
            found.append(blocks.text(_raw_in(bodies, arm.leaf)[:_LAST_WORDS], Tone.MUTED))
    if fork is not None and fork.next != NONE:
        found.append(blocks.heading("the line goes on", Tone.PERSON))
        found.append(blocks.text(_raw_in(bodies, fork.next), Tone.STRONG))
    title = _fork_words(fork is not None, links)
    return DetailView(key, line((title, Tone.PERSON)), blocks=tuple(found))


def _raw_in(bodies: Bodies, row: int) -> str:
    words = raw_words(bodies.index, row, bodies.record(row))
    return words or "(no words: tools alone)"


def edited_facts(bodies: Bodies, lore: Lore, row: int) -> Line:
    """``edited 2×``, for a prompt that took the place of others."""
    if row not in lore.forks.edited:
        return ()
    count = len(lore.forks.withdrawn(bodies.index, row))
    return line(SafeText(f"edited {count}×")) if count else ()


def said_in(bodies: Bodies, row: int) -> SafeText:
    """The first words of a message, on one line."""
    index = bodies.index
    if index.length[index.content_row(row)] > TOO_LARGE:
        return SafeText("(too large to be shown in a row)")
    return one_line(raw_words(index, row, bodies.record(row)), _WORDS)


def raw_words(index: SessionIndex, row: int, record: Mapping[str, object]) -> str:
    """What a message says (raw)."""
    kind = index.kind[row]
    if kind == Kind.QUEUED_PROMPT:
        return prompt_words(queued_blocks(record))
    found = blocks_of(record)
    if kind == Kind.PROMPT:
        return prompt_words(found)
    return reply_words(found) or plain_text(found)
