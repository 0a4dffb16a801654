"""The items of a timeline: a session's row and a part of it, in small numbers."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field

WORDS, THOUGHT, FINDING, FORK, DAY = range(5)
"""Parts of a record: its words, its thinking; said about it: findings, branches, its day."""

FIRST_CALL = 16
"""Part of a record's first tool call; the next ones follow."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a timeline shows of a session."""

    tools: bool = True
    """Tool calls; subagents are shown in any case."""
    thinking: bool = True
    """Thinking that has its words; what is a signature alone is shown with everything only."""
    everything: bool = False
    """Records of the client too: attachments, system records, bookkeeping."""


MESSAGES = Choice()
"""Messages, calls and thinking: what is shown first."""


@dataclass(frozen=True, slots=True)
class About:
    """What is said beside the records: session rows with findings, and rows where branches leave."""

    findings: frozenset[int] = frozenset()
    forks: frozenset[int] = frozenset()
    first: int = -1
    """The row of `forks` whose branches are told before it, having roots of their own; -1: none."""


NOTHING_SAID = About()


@dataclass(frozen=True, slots=True)
class Items:
    """Items in order: the session's row of each, and its part. To be read only."""

    rows: array[int] = field(default_factory=lambda: array("i"))
    parts: array[int] = field(default_factory=lambda: array("B"))

    def __len__(self) -> int:
        return len(self.rows)

    def add(self, row: int, part: int) -> None:
        """Append an item, while they are made."""
        self.rows.append(row)
        self.parts.append(part)


@dataclass(frozen=True, slots=True)
class Step:
    """How the items changed: these at the end of the old ones, or these instead of all."""

    items: Items
    anew: bool
    starts: tuple[int, ...]
    """The number of each segment's first item."""
