"""What is known about a session's rows beside their bodies, and what reads the bodies."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from ccbrowse.core.findings import Finding
from ccbrowse.core.index import NO_TIME, SessionIndex
from ccbrowse.core.kept import Kept
from ccbrowse.core.numbers import Number
from ccbrowse.core.text import SafeText
from ccbrowse.tui.viewmodels.forks import Forks
from ccbrowse.tui.viewtypes import NOTHING, BoundaryRow

_AT_ONCE, _RENDERED_AT_ONCE = 200_000, 10_000

_AT_WORK = 90_000
"""Milliseconds that a subagent may be silent and still be at work."""


class Bodies(Protocol):
    """What an entry needs of a session: its index, and the content of a row."""

    @property
    def index(self) -> SessionIndex:
        """Facts over its records."""
        ...

    def record(self, row: int) -> Mapping[str, Any]:
        """A record's content."""
        ...

    def raw(self, row: int) -> bytes:
        """The bytes of a row's line."""
        ...


@dataclass(frozen=True, slots=True)
class Agent:
    """A subagent as its call shows it."""

    agent_id: str
    messages: int
    tokens: SafeText
    name: SafeText = NOTHING
    """Its type and what it was called for."""
    updated: int = NO_TIME
    """The time of its newest record."""
    finished: bool = True
    internal: bool = False
    """Whether it is the client's own."""
    inline: bool = False
    """Whether it was written into the session's file."""
    call: str = ""
    """The id of the call that ran it, where that is known."""

    def is_running(self, now: int) -> bool:
        """Whether it is at work: not finished, and its file has grown a short while ago."""
        if self.finished or NO_TIME in (now, self.updated):
            return False
        return 0 <= now - self.updated <= _AT_WORK


def _keeps_nothing(name: str, limit: int) -> Kept:
    return Kept(name, 0, None)


@dataclass(slots=True)
class Lore:
    """What is known about a session's rows beside their bodies; it grows while the session is read."""

    boundaries: dict[int, BoundaryRow] = field(default_factory=dict)
    """Per row of a boundary, all but its key's mark."""
    findings: dict[int, tuple[Finding, ...]] = field(default_factory=dict)
    forks: Forks = field(default_factory=Forks)
    agents: dict[str, Agent] = field(default_factory=dict)
    """Subagents by the id of the call that ran them."""
    everyone: tuple[Agent, ...] = ()
    """All subagents, the client's own and those without a call too."""
    tokens: dict[str, Number] = field(default_factory=dict)
    """What an item weighs, by its key; rows of calls, thinking and summaries say it."""
    marks: dict[str, SafeText] = field(default_factory=dict)
    """The reader's own marks, by key."""
    found: dict[str, SafeText] = field(default_factory=dict)
    """Items that hold what is sought, by key: the words around the first match."""
    found_at: tuple[str, SafeText] = ("", SafeText(""))
    """The item with the match that is shown, and the words around it."""
    found_by: re.Pattern[str] | None = None
    """What the matches are marked by."""
    full: bool = False
    """Whether calls show the beginning of their results."""
    live: bool = False
    """Whether a call without result may still be running."""
    in_agent: bool = False
    """Whether this is a subagent's conversation: its prompts are not a person's."""
    rendered: bool = False
    """Whether Markdown is shown as it would look."""
    raw: bool = False
    """Whether a detail is the record itself, as JSON."""
    now: int = NO_TIME
    """The time of the reader's clock in milliseconds: times are told from there too."""
    kept: Callable[[str, int], Kept] = _keeps_nothing
    """Reads the beginning of an output that lies in a file beside the session, by name."""
    shared: frozenset[int] = frozenset()
    """In an abandoned arm: the rows before it, which it shares with the main line; they are muted."""

    @property
    def at_once(self) -> int:
        """Bytes of an item's records up to which its detail is made at once, without a worker."""
        return _RENDERED_AT_ONCE if self.rendered else _AT_ONCE
