"""Abandoned arms as a reader meets them: points where the line forks, and prompts that were edited.

A prompt withdrawn and sent again is a mark on the prompt that took its place. An arm with replies is a
rewind: a fork at the record that it left. What local commands left beside the line is no arm at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from ccbrowse.core.chain import Branch, BranchKind, branch_rows
from ccbrowse.core.index import NONE, SessionIndex
from ccbrowse.core.records import Kind
from ccbrowse.core.text import SafeText


@dataclass(frozen=True, slots=True)
class Fork:
    """A row at which arms left the line, and the prompt with which the line went on."""

    arms: tuple[Branch, ...]
    next: int
    """The row of the next prompt on the line, or NONE."""


@dataclass(frozen=True, slots=True)
class Link:
    """A session's file that shares the line up to here: its source where it is `older`, else its fork."""

    path: Path
    title: SafeText
    older: bool
    uuid: str
    """The last shared record's uuid in that file."""


@dataclass(frozen=True, slots=True)
class Forks:
    """All of a session's arms, by the rows at which they are shown."""

    at: Mapping[int, Fork] = field(default_factory=lambda: MappingProxyType({}))
    """By row: the rewinds that left there."""
    first: int = NONE
    """The line's first row where arms have roots of their own: they are told before it, not after."""
    edited: Mapping[int, tuple[Branch, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """By row of a prompt: the arms of the prompts that it took the place of."""
    beside: frozenset[int] = frozenset()
    """All rows beside the line."""
    links: Mapping[int, tuple[Link, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """By row: the sessions that this one was forked into there, or from."""
    waits: bool = False
    """Whether a prompt may still come that an arm is to be told at."""

    @property
    def rewinds(self) -> int:
        """How many arms were left by rewinds."""
        return sum(len(fork.arms) for fork in self.at.values())

    def rows_of(self, index: SessionIndex, leaf: int) -> list[int]:
        """The rows of an arm, in file order."""
        return branch_rows(index, leaf, self.beside)

    def opening(self, index: SessionIndex, leaf: int) -> int:
        """The prompt that an arm begins with, else its first row."""
        rows = self.rows_of(index, leaf)
        prompts = (row for row in rows if index.kind[row] in (Kind.PROMPT, Kind.QUEUED_PROMPT))
        return next(prompts, rows[0] if rows else leaf)

    def withdrawn(self, index: SessionIndex, prompt: int) -> list[int]:
        """The rows of the prompts that one took the place of, oldest first."""
        found = {
            row
            for arm in self.edited.get(prompt, ())
            for row in self.rows_of(index, arm.leaf)
            if index.kind[row] == Kind.PROMPT
        }
        return sorted(found)


def find_forks(
    index: SessionIndex, line: Iterable[int], branches: Iterable[Branch], beside: Iterable[int]
) -> Forks:
    """The forks and edits of a line; costs one walk over its rows."""
    kept = [arm for arm in branches if arm.kind is not BranchKind.LEFTOVER]
    if not kept:
        return Forks()
    rows = list(line)
    first = rows[0] if rows else NONE
    following = _next_prompts(index, rows, {arm.fork for arm in kept if arm.fork is not None})
    following[NONE] = next((row for row in rows if index.kind[row] == Kind.PROMPT), NONE)
    at: dict[int, list[Branch]] = {}
    edited: dict[int, list[Branch]] = {}
    rooted = waits = False
    for arm in kept:
        prompt = following.get(NONE if arm.fork is None else arm.fork, NONE)
        waits = waits or prompt == NONE
        if arm.kind is BranchKind.EDITED_PROMPT:
            if prompt != NONE:
                edited.setdefault(prompt, []).append(arm)
        elif arm.fork is not None or first != NONE:
            rooted = rooted or arm.fork is None
            at.setdefault(first if arm.fork is None else arm.fork, []).append(arm)
    return Forks(
        {row: Fork(tuple(arms), _after(row, rooted, first, following)) for row, arms in at.items()},
        first if rooted else NONE,
        {row: tuple(arms) for row, arms in edited.items()},
        frozenset(beside),
        waits=waits,
    )


def _after(row: int, rooted: bool, first: int, following: Mapping[int, int]) -> int:
    return following[NONE] if rooted and row == first else following.get(row, NONE)


def _next_prompts(index: SessionIndex, rows: Iterable[int], wanted: set[int]) -> dict[int, int]:
    """By row of a fork, the next prompt on the line."""
    found: dict[int, int] = {}
    waiting: list[int] = []
    for row in rows:
        if waiting and index.kind[row] == Kind.PROMPT:
            found.update(dict.fromkeys(waiting, row))
            waiting.clear()
        if row in wanted:
            waiting.append(row)
    return found
