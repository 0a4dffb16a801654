"""One open session, read by workers: all of it, then what is new, then a closer look."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from threading import Lock
from types import MappingProxyType
from typing import TYPE_CHECKING

from ccbrowse.core.chain import Branch
from ccbrowse.core.findings import Finding, Severity
from ccbrowse.core.index import NO_TIME, SessionIndex
from ccbrowse.core.lines import Growth
from ccbrowse.core.locate import AgentFile
from ccbrowse.core.records import Kind
from ccbrowse.core.session import Session
from ccbrowse.core.subagents import Subagent
from ccbrowse.core.text import SafeText, one_line
from ccbrowse.tui.reader.agents import (
    agent_toast,
    agents_of,
    by_call,
    by_segment,
    copies_of,
    shown_agents,
    sums,
)
from ccbrowse.tui.viewmodels.boundaries import boundary_rows
from ccbrowse.tui.viewmodels.building import Builder
from ccbrowse.tui.viewmodels.forks import Forks, Link, find_forks
from ccbrowse.tui.viewmodels.items import MESSAGES, About, Choice, Step
from ccbrowse.tui.viewmodels.lore import Agent
from ccbrowse.tui.viewmodels.overview import Overview, Sums
from ccbrowse.tui.viewtypes import BoundaryRow

if TYPE_CHECKING:
    from ccbrowse.core.autocompact import Seen
    from ccbrowse.core.forecast import Forecast


@dataclass(frozen=True, slots=True)
class News:
    """What a look at a session brought. All but the first are small where the file only grew."""

    growth: Growth
    step: Step | None = None
    """How the timeline's items changed; None: not at all."""
    overview: Overview | None = None
    boundaries: Mapping[int, BoundaryRow] = field(default_factory=lambda: MappingProxyType({}))
    forks: Forks = field(default_factory=Forks)
    answered: tuple[int, ...] = ()
    """Rows of calls that have a result now."""
    toasts: tuple[SafeText, ...] = ()
    """What is worth a word at the edge of the screen."""


@dataclass(frozen=True, slots=True)
class Closer:
    """What takes a closer look: subagents by call, findings and branches by row."""

    agents: Mapping[str, Agent]
    findings: Mapping[int, tuple[Finding, ...]]
    forks: Forks
    listed: tuple[Finding, ...]
    """All findings, notes too, in the order of lines."""
    overview: Overview
    step: Step
    toasts: tuple[SafeText, ...] = ()
    everyone: tuple[Agent, ...] = ()
    """All subagents, for a list of them."""


def _let_others(seconds: float = 0.001) -> None:
    """Leave the interpreter to other threads for a moment: keys are waited for, segments are not."""
    time.sleep(seconds)


class Reading:
    """One open session, read by workers. Calls wait for one another; none is for the event loop."""

    def __init__(
        self, session: Session, choice: Choice = MESSAGES, above: Reading | None = None
    ) -> None:
        self.session = session
        self.above = above
        """Of a subagent: the reading of its session, which knows the subagents of subagents."""
        self._lock = Lock()
        self._choice = choice
        self._builder = Builder(choice, between=_let_others)
        self._agents: dict[str, Subagent] = {}
        self._copies: list[AgentFile] = []
        self._findings: dict[int, tuple[Finding, ...]] = {}
        self._listed: tuple[Finding, ...] = ()
        self._forks = Forks()
        self._links: Mapping[int, tuple[Link, ...]] = MappingProxyType({})
        self._boundaries: dict[int, BoundaryRow] = {}
        self._branches: tuple[Branch, ...] | None = None
        self._sums = Sums()
        self._is_stale = True
        self._troubles: object = None
        self._looked = False
        self._gone = False
        self._closed = False
        self._users = 0
        self._users_lock = Lock()
        self.is_followed = True
        """Whether it may grow; a branch does not."""
        self.shared: frozenset[int] = frozenset()
        """Of a branch: the rows before it, which are the main line's."""
        self.opens_at: int | None = None
        """The row to go to first; None: the end."""

    def first(self) -> News:
        """All of it, as it stands."""
        with self._lock:
            self._boundaries = boundary_rows(self.session)
            self._follow_branches()
            return self._news(Growth.RESET, overview=True)

    def choose(self, choice: Choice) -> News:
        """Show other kinds of rows."""
        with self._lock:
            self._choice = choice
            return self._news(Growth.SAME)

    def refresh(self) -> News:
        """Read what is new: quickly, a closer look comes later. Raises OSError where it cannot be read."""
        with self._lock:
            before = len(self.session.index)
            change = self.session.refresh()
            if change.growth is Growth.REMOVED:
                self._gone = True
                return News(Growth.REMOVED)
            back, self._gone = self._gone, False
            if change.growth is Growth.SAME and not back:
                return News(Growth.SAME)
            self._is_stale = True
            return self._follow(change.growth, before)

    def _follow(self, growth: Growth, before: int) -> News:
        toasts: list[SafeText] = []
        if growth is Growth.RESET:
            self._findings, self._troubles, before = {}, None, 0
            self._boundaries = {}
            self._branches, self._links = None, MappingProxyType({})
            self._follow_branches()
            toasts.append(SafeText("the file was written anew; it is read again"))
        known = len(self._boundaries)
        self._boundaries = boundary_rows(self.session, self._boundaries)
        if growth is not Growth.RESET and len(self._boundaries) > known:
            toasts.append(_boundary_toast(self._boundaries[max(self._boundaries)]))
        answered = tuple(_answered(self.session.index, before))
        return self._news(growth, answered, tuple(toasts), growth is Growth.RESET)

    def look_around(self) -> News | None:
        """Find the sessions that this one was forked from and into; None where there are none.

        Reads files of the folder: later than all else.
        """
        from ccbrowse.core.relatives import relatives_of

        if not self.is_followed or self.above is not None:
            return None
        found = relatives_of(self.session)
        if not found:
            return None
        links: dict[int, tuple[Link, ...]] = {}
        for each in found:
            link = Link(each.path, one_line(each.title, 200), each.older, each.uuid)
            links[each.row] = (*links.get(each.row, ()), link)
        with self._lock:
            self._links = MappingProxyType(links)
            self._forks = replace(self._forks, links=self._links)
            return self._news(Growth.SAME)

    def _follow_branches(self) -> bool:
        """Take in the branches; whether there are more rewinds among them."""
        chain = self.session.chain
        branches = chain.branches
        if branches == self._branches and not self._forks.waits:
            return False
        before, self._branches = self._forks.rewinds, branches
        found = find_forks(self.session.index, chain, branches, chain.off_chain)
        self._forks = replace(found, links=self._links)
        return self._forks.rewinds > before

    def _news(
        self,
        growth: Growth,
        answered: tuple[int, ...] = (),
        toasts: tuple[SafeText, ...] = (),
        overview: bool = False,
    ) -> News:
        return News(
            growth,
            self._step(),
            self._overview() if overview else None,
            MappingProxyType(self._boundaries),
            self._forks,
            answered,
            toasts,
        )

    def _step(self) -> Step:
        forks = frozenset({*self._forks.at, *self._forks.links})
        about = About(frozenset(self._findings), forks, self._forks.first)
        self._builder.choose(self._choice, about)
        return self._builder.update(self.session)

    def _overview(self) -> Overview:
        self._is_stale = False
        agents = list(self._agents.values())
        segments = by_segment(self.session, agents)
        feet = sums(self.session, agents, len(self._copies))
        return self._sums.overview(self.session, self._listed, segments, feet)

    def every_agent(self) -> list[Subagent]:
        """All subagents of the session, of any depth; for the readings of subagents."""
        with self._lock:
            return self.session.subagents()

    def _agents_now(self) -> list[Subagent]:
        """The subagents that this conversation called; of a session all of them."""
        if self.above is None:
            return agents_of(self.session, self.session.subagents())
        own, calls = self.session.agent_id, self.session.index.calls
        return [
            agent
            for agent in self.above.every_agent()
            if agent.parent_agent == own or agent.spawned_by in calls
        ]

    def look_closer(self) -> Closer | None:
        """The session as a whole, branches, subagents, findings; None where nothing changed."""
        with self._lock:
            if self._gone:
                return None
            agents = {agent.agent_id: agent for agent in self._agents_now()}
            copies = copies_of(self.session)
            troubles = _troubles(self.session)
            same = agents == self._agents and copies == self._copies
            if not self._is_stale and same and troubles == self._troubles:
                return None
            toasts: list[SafeText] = []
            if self._is_stale and self._follow_branches():
                toasts.append(SafeText("the conversation was rewound; b lists its branches"))
            new = [agent for name, agent in agents.items() if name not in self._agents]
            if self._looked:
                toasts += [agent_toast(agent) for agent in new if not agent.internal]
            self._looked = True
            self._agents, self._copies = agents, copies
            everyone = shown_agents(agents.values(), copies)
            self._take_findings(troubles)
            return Closer(
                MappingProxyType(by_call(everyone)),
                MappingProxyType(self._findings),
                self._forks,
                self._listed,
                self._overview(),
                self._step(),
                tuple(toasts),
                everyone,
            )

    def forecast(self, seen: Sequence[Seen] = ()) -> Forecast | None:
        """When the next automatic compaction comes, by what this session and others have `seen`."""
        # Here and not above: the first picture does not wait for it.
        from ccbrowse.core.forecast import forecast_session, seen_triggers

        with self._lock:
            own = self.session.session_id
            others = [each for each in seen if each.session_id != own]
            return forecast_session(self.session, [*others, *seen_triggers(self.session)])

    def use(self) -> AbstractContextManager[bool]:
        """Read bodies within this, in a worker: the file stays open. False where it is closed."""
        return self._using()

    @contextmanager
    def _using(self) -> Iterator[bool]:
        with self._users_lock:
            self._users += 1
            is_open = not self._closed
        try:
            yield is_open
        finally:
            with self._users_lock:
                self._users -= 1
                last = self._closed and not self._users
            if last:
                self.session.close()

    def close(self) -> None:
        """Let go of the file, as soon as nobody reads it; what was read stays."""
        with self.use():
            self._closed = True

    def _take_findings(self, troubles: object) -> None:
        if troubles != self._troubles:
            self._troubles = troubles
            self._listed = tuple(self.session.findings)
            self._findings = _by_row(self.session.index, self._listed)


def _answered(index: SessionIndex, first: int) -> Iterator[int]:
    """The calls that rows from `first` on answer."""
    for row in range(first, len(index)):
        if index.kind[row] == Kind.RESULT and index.peer[row] >= 0:
            yield index.peer[row]


def _troubles(session: Session) -> object:
    """What findings depend on, in numbers."""
    index = session.index
    return id(index), len(index.troubles), len(session.chain.links.notes), len(index.latest)


def _by_row(index: SessionIndex, findings: Sequence[Finding]) -> dict[int, tuple[Finding, ...]]:
    """The findings above notes by the row of their line."""
    lines = {f.line for f in findings if f.severity is not Severity.NOTE and f.line is not None}
    rows = {line: row for row, line in enumerate(index.line) if line in lines} if lines else {}
    found: dict[int, list[Finding]] = {}
    for finding in findings:
        if finding.severity is not Severity.NOTE and finding.line in rows:
            found.setdefault(rows[finding.line], []).append(finding)
    return {row: tuple(group) for row, group in found.items()}


def _boundary_toast(made: BoundaryRow) -> SafeText:
    sizes: list[SafeText] = [size for size in (made.before, made.after) if size]
    words: SafeText = made.title
    return SafeText(f"{words} · {made.trigger} {SafeText(' → '.join(sizes))}")


def is_live(session: Session, now: int) -> bool:
    """Whether a session's newest record is young enough for it to be live at `now` (milliseconds)."""
    return session.index.facts.updated != NO_TIME and session.is_live(now)
