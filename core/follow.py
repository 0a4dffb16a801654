"""A session's news: what each look at a growing file brought, as events."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ccbrowse.core.index import NO_TIME, NONE, REPLAY, iso
from ccbrowse.core.lines import Growth
from ccbrowse.core.records import CHAIN_KINDS, Kind
from ccbrowse.core.session import Session
from ccbrowse.core.texts import model_texts
from ccbrowse.core.usage import Usage, sum_requests

_TOLD = CHAIN_KINDS | {Kind.QUEUED_PROMPT}
"""Records that are news; a prompt that was queued while the client worked may have no other."""

SHORT = 400
"""Characters of an event's text."""


@dataclass(frozen=True, slots=True)
class Event:
    """One piece of news: a message, a boundary, a subagent, or what became of the file."""

    event: str
    session_id: str
    uuid: str | None = None
    segment: int | None = None
    line: int | None = None
    time: int = NO_TIME
    role: str | None = None
    text: str = ""
    usage: Usage | None = None

    def to_json(self) -> dict[str, object]:
        """The event as the command line prints it, without its schema."""
        return {
            "event": self.event,
            "session_id": self.session_id,
            "uuid": self.uuid,
            "segment": self.segment,
            "line": self.line,
            "timestamp": iso(self.time),
            "role": self.role,
            "text": self.text,
            "usage": self.usage and self.usage.to_json(),
        }


class Follower:
    """Follows one session. Each `poll` costs a stat, and what has changed since the last one."""

    def __init__(self, session: Session, from_start: bool = False) -> None:
        self.session = session
        self._next_row = 0 if from_start else len(session.index)
        self._leaves = set() if from_start else self._known_leaves()
        self._agents = set() if from_start else {agent.agent_id for agent in session.subagents()}
        self._removed = False
        self._first = from_start

    def poll(self) -> Iterator[Event]:
        """The news since the last poll. Raises OSError or Gone; the next poll may succeed again."""
        session = self.session
        change = session.refresh()
        if change.growth is Growth.REMOVED:
            if not self._removed:
                yield Event("removed", session.session_id)
            self._removed = True
            return
        self._removed = False
        if change.growth is Growth.RESET:
            yield Event("reset", session.session_id)
            self._next_row, self._leaves = 0, set()
        elif (
            change.growth is Growth.SAME
            and self._next_row == len(session.index)
            and not self._first
        ):
            yield from self._new_agents()
            return
        self._first = False
        yield from self._new_rows()
        yield from self._new_branches()
        yield from self._new_agents()

    def _new_rows(self) -> Iterator[Event]:
        index = self.session.index
        for row in range(self._next_row, len(index)):
            # Told, or passed over: after an error the next look goes on behind it.
            self._next_row = row + 1
            kind = index.kind[row]
            if kind in _TOLD and not index.flags[row] & REPLAY and not index.is_sidechain(row):
                yield self._message(row)

    def _message(self, row: int) -> Event:
        session, index = self.session, self.session.index
        boundary = index.kind[row] == Kind.BOUNDARY
        request = index.request[row]
        text = " ".join(" ".join(model_texts(session.record(row))).split())[:SHORT]
        role = None
        if not boundary:
            role = "assistant" if index.kind[row] in (Kind.ASSISTANT, Kind.ERROR) else "user"
        return Event(
            event="boundary" if boundary else "message",
            session_id=session.session_id,
            uuid=index.uuids[row],
            segment=session.segment_of(row),
            line=index.line[row],
            time=index.time[row],
            role=role,
            text=text,
            usage=None if request == NONE else sum_requests(index.requests, [request]),
        )

    def _known_leaves(self) -> set[str | None]:
        uuids = self.session.index.uuids
        return {uuids[branch.leaf] for branch in self.session.chain.branches}

    def _new_branches(self) -> Iterator[Event]:
        uuids = self.session.index.uuids
        for branch in self.session.chain.branches:
            if uuids[branch.leaf] not in self._leaves:
                text = f"{branch.kind.value}, {branch.messages} messages"
                yield Event("branch", self.session.session_id, uuids[branch.leaf], text=text)
        self._leaves = self._known_leaves()

    def _new_agents(self) -> Iterator[Event]:
        for agent in self.session.subagents():
            if agent.agent_id not in self._agents:
                self._agents.add(agent.agent_id)
                text = " ".join(filter(None, (agent.type, agent.description, agent.agent_id)))
                yield Event("subagent", self.session.session_id, text=text)
