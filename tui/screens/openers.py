"""How a session's screen gets its session, and where it goes to first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from textual.worker import get_current_worker

from ccbrowse.core.locate import SessionFile
from ccbrowse.core.session import Session
from ccbrowse.tui.reader.branch import BranchReading
from ccbrowse.tui.reader.inline import InlineReading
from ccbrowse.tui.reader.session import Reading
from ccbrowse.tui.reader.tail import LARGE
from ccbrowse.tui.viewmodels.finding import How

if TYPE_CHECKING:
    from ccbrowse.core.search import Hit

Opener = Callable[[], Reading]
"""Opens a session, in a worker. Raises CcbrowseError or OSError."""


@dataclass(frozen=True)
class Sought:
    """What a search found: the words, how they were meant, and which match of them (see `Hit`)."""

    query: str
    how: How
    row: int | None
    part: int
    start: int


@dataclass(frozen=True)
class Place:
    """Where to go once a session is open: a segment, or a record of it; neither: the end.

    `sought` names a match in the record: then it is gone to, and the others are found as well.
    """

    segment: int | None = None
    uuid: str | None = None
    sought: Sought | None = None


THE_END = Place()
"""Where a session opens unless something is named."""


def open_file(file: SessionFile, roots: Sequence[Path] | None = None) -> Opener:
    """Opens a session's file, in a worker; `roots` are those of the cache, if there is one."""

    def opened() -> Reading:
        if file.stamp.size < LARGE:
            return Reading(Session(file))
        from ccbrowse.core.opening import open_apart  # the cache comes with it

        worker = get_current_worker()
        return Reading(open_apart(file, roots, lambda: worker.is_cancelled))

    return opened


def open_given(session: Session) -> Opener:
    """Gives a session that is open already."""
    return lambda: Reading(session)


def open_agent(source: Reading, agent_id: str) -> Opener:
    """Opens a subagent of a session that is open, or of one of its subagents, in a worker."""
    top = source.above or source
    return lambda: Reading(top.session.open_subagent(agent_id), above=top)


def open_inline(source: Reading, agent_id: str) -> Opener:
    """Opens a subagent that was written into the session's file itself."""
    return lambda: InlineReading(source, agent_id)


def open_branch(source: Reading, leaf: int) -> Opener:
    """Opens a branch of a session that is open."""
    return lambda: BranchReading(source, leaf)


def open_hit(file: SessionFile, hit: Hit) -> Opener:
    """Opens what a hit stands in: the session, an arm of it, or a subagent; in a worker."""
    from ccbrowse.tui.reader.found import reading_of  # here: what searches is loaded by a search

    return lambda: reading_of(file, hit)
