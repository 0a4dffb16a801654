"""A session: the facade that front ends, exports and reports use; opened, then refreshed as it grows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from msgspec import Struct

from ccbrowse.core.bodies import Bodies
from ccbrowse.core.chain import ALONE, Chain, Elsewhere, Surroundings
from ccbrowse.core.diagnose import find_all, foreign
from ccbrowse.core.errors import Gone, NoSuchSession
from ccbrowse.core.findings import Finding
from ccbrowse.core.index import NO_TIME, NONE, IndexedFile, SessionIndex
from ccbrowse.core.lines import Growth
from ccbrowse.core.locate import (
    AgentFile,
    SessionFile,
    agent_files,
    loose_agent_files,
    session_file,
)
from ccbrowse.core.neighbours import Neighbours, surroundings
from ccbrowse.core.numbers import Number, Source
from ccbrowse.core.records import MESSAGE_KINDS, Kind
from ccbrowse.core.segments import Segment, Segments, context_now
from ccbrowse.core.subagents import AgentReader, Subagent, sessions_of_loose_agents
from ccbrowse.core.titles import Title, title_of
from ccbrowse.core.usage import NO_USAGE, Usage, file_usage, sidechain_usage, sum_requests
from ccbrowse.core.windows import Window, window_of

if TYPE_CHECKING:
    from ccbrowse.core.estimate import Estimate
    from ccbrowse.core.measure import Measure

LIVE_FOR, AHEAD = 90_000, 30_000
"""Milliseconds after its newest record for which a session is taken to be live; and by which a record may
be ahead of the clock, as clocks differ: one from the future tells nothing."""


class Change(Struct, frozen=True):
    """What a refresh found: how the file changed, and the first row that is new (all, after a reset)."""

    growth: Growth
    first_new_row: int


ChainMaker = Callable[[SessionIndex, Surroundings], Chain]


class Start(Struct, frozen=True):
    """What is known of a file before it is read: its index up to some place, and how its chain is made."""

    indexed: IndexedFile
    chain: ChainMaker | None


class Folder:
    """A project folder as its sessions share it: neighbours, and subagents' files of the older layout."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.neighbours = Neighbours(path)

    @cached_property
    def loose_agents(self) -> dict[str, list[AgentFile]]:
        """Subagents' files beside the sessions, by session id."""
        return sessions_of_loose_agents(loose_agent_files(self.path))

    def agents_of(self, session: SessionFile) -> list[AgentFile]:
        """The files of a session's subagents in both layouts."""
        return [*agent_files(session), *self.loose_agents.get(session.session_id, ())]

    def listed_agents(self, session: SessionFile) -> list[AgentFile]:
        """As `agents_of`, of a file that was just found: no look for a side folder that was not there."""
        loose = self.loose_agents.get(session.session_id, [])
        return [*agent_files(session), *loose] if session.has_side else loose


class Session:
    """One session file, or one subagent's, read as it stands. `refresh` follows the file.

    Rows are numbers of records in the file's index. Nothing is written, and no body is kept beyond a
    few at hand. `open` and `refresh` raise Gone or OSError where the file cannot be read.
    """

    def __init__(
        self,
        file: SessionFile,
        folder: Folder | None = None,
        agent_id: str | None = None,
        start: Start | None = None,
    ) -> None:
        self.file = file
        self.folder = folder or Folder(file.folder)
        self.agent_id = agent_id
        self._indexed = (
            start.indexed if start else IndexedFile(file.path, sidechain_lane=agent_id is not None)
        )
        self._bodies = Bodies(file.path)
        self._agents = AgentReader()
        self.removed = False
        try:
            growth = self._indexed.read()
        except FileNotFoundError as error:
            raise Gone(str(file.path)) from error
        if growth is Growth.REMOVED:
            raise Gone(str(file.path))
        self._build(start.chain if start and growth is not Growth.RESET else None)

    @classmethod
    def open(cls, path: Path | SessionFile, root: Path | None = None) -> Session:
        """The session of a file."""
        if isinstance(path, SessionFile):
            return cls(path)
        try:
            return cls(session_file(path, root))
        except FileNotFoundError as error:
            raise NoSuchSession(str(path)) from error

    def _build(self, make: ChainMaker | None = None) -> None:
        self.index: SessionIndex = self._indexed.index
        self.chain = (make or Chain)(self.index, self._surroundings())
        self._segments = Segments(self.chain)
        self._measure: Measure | None = None

    def _surroundings(self) -> Surroundings:
        if self.agent_id is not None:
            return ALONE
        folder, file = self.folder, self.file
        return surroundings(file.path, lambda: folder.agents_of(file), folder.neighbours)

    def refresh(self) -> Change:
        """Read what the file has gained. REMOVED keeps the last state; RESET has built all anew."""
        before = len(self.index)
        growth = self._indexed.read()
        self.removed = growth is Growth.REMOVED
        if growth is Growth.RESET:
            self._bodies.forget()
            self._build()
            return Change(growth, 0)
        if growth is Growth.GROWN and len(self.index) > before:
            self._segments.update(self.chain.update())
            if self._measure is not None:
                self._measure.grown()
        return Change(growth, before)

    @property
    def indexed(self) -> IndexedFile:
        """The file as far as it was read."""
        return self._indexed

    def close(self) -> None:
        """Let go of the file."""
        self._bodies.forget()

    def __enter__(self) -> Self:
        """The session, closed at the end of a `with` block."""
        return self

    def __exit__(self, *raised: object) -> None:
        """Let go of the file."""
        self.close()

    @property
    def session_id(self) -> str:
        """The id: the file's name, or the subagent's."""
        return self.file.session_id

    @property
    def segments(self) -> Sequence[Segment]:
        """The segments of the main line, from 1."""
        return self._segments.all

    def segment(self, number: int) -> Segment:
        """The segment of a number. Raises NoSuchSession where there is none."""
        if not 1 <= number <= len(self.segments):
            have = f"it has segments 1 to {len(self.segments)}" if self.segments else "it has none"
            raise NoSuchSession(f"{self.session_id}#{number}", have, what="no such segment")
        return self.segments[number - 1]

    def segment_of(self, row: int) -> int | None:
        """The number of the segment that a row of the main line belongs to; None beside the line."""
        number = self.chain.stretch_of(row)
        return None if number is None else self.segments[number].number

    def record(self, row: int) -> Mapping[str, Any]:
        """The record at a row, decoded; of one that was written again the last content."""
        return self._bodies.record(self.index, row)

    def raw(self, row: int) -> bytes:
        """The bytes of the line that a row stands on."""
        return self._bodies.raw(self.index, row)

    def _same(self, first: int, other: int) -> bool:
        """Whether two rows hold the same record; the lines that they stand on may be damaged beside it."""
        if self.raw(first) == self.raw(other):
            return True
        return self._bodies.line_record(self.index, first) == self._bodies.line_record(
            self.index, other
        )

    @property
    def title(self) -> Title:
        """What the session is called."""
        return title_of(self.index, None if self.agent_id else self.file.side_folder)

    @property
    def cwd(self) -> str | None:
        """Where the session was started: the first `cwd`, or where it was moved to."""
        return self.index.facts.relocated or self.index.facts.cwd

    @property
    def project(self) -> str:
        """The name of the project: the last part of its folder; never decoded from the folder's name."""
        return project_name(self.cwd, self.file.folder)

    @property
    def models(self) -> list[str]:
        """The models that replied, in the order of their first reply."""
        return [name for name in self.index.facts.models if name]

    @property
    def lines(self) -> int:
        """Physical lines, an unfinished last one included."""
        return self.index.lines + self.index.incomplete_tail

    @property
    def messages(self) -> int:
        """User and assistant records on the main line, summaries included."""
        return sum(segment.messages for segment in self.segments)

    @property
    def prompts(self) -> int:
        """What a person sent on the main line."""
        return sum(segment.prompts for segment in self.segments)

    @property
    def usage(self) -> Usage:
        """Every request of the file, branches included, inline sidechains not."""
        return file_usage(self.index)

    @property
    def usage_main_line(self) -> Usage:
        """The requests of the main line."""
        segments = self.segments
        numbers = {number for segment in segments for number in segment.requests}
        if len(numbers) == sum(len(segment.requests) for segment in segments):
            return sum((segment.usage for segment in segments), NO_USAGE)
        return sum_requests(self.index.requests, numbers)  # a request in two segments counts once

    @property
    def usage_with_subagents(self) -> Usage:
        """The file's requests, those of inline sidechains, and those of the subagents' files."""
        total = self.usage + sidechain_usage(self.index)
        for agent in self.subagents():
            if not agent.inline:
                total = total + agent.usage
        return total

    @property
    def context_now(self) -> Number:
        """What the newest request weighed, or what a newer boundary left."""
        return context_now(self.segments)

    @property
    def window(self) -> Window:
        """The context window of the model that replied last."""
        table = self.index.requests
        largest = table.largest
        newest = next((s.requests[-1] for s in reversed(self.segments) if s.requests), None)
        if newest is None:
            return window_of(self.models[-1] if self.models else None, largest)
        return window_of(list(self.index.facts.models)[table.model[newest]], largest)

    @property
    def measure(self) -> Measure:
        """What counts the texts of rows."""
        # Made when asked for: it refers back, and a list of sessions need not wait for the collector.
        if self._measure is None:
            from ccbrowse.core.measure import Measure  # nor for what counts tokens

            self._measure = Measure(self.index, self.record)
        return self._measure

    @property
    def continues_from(self) -> Elsewhere | None:
        """Where the conversation before this file stands."""
        return self.chain.links.source

    @property
    def findings(self) -> list[Finding]:
        """Everything wrong or repaired, in the order of lines."""
        found = find_all(self.index, self.chain, self._same)
        alien = foreign(self.index, lambda row: self.record(row).get("type"))
        return [alien, *found] if alien else found

    def warnings(self) -> list[Finding]:
        """The findings above notes: cheaper than `findings`."""
        return find_all(self.index, self.chain, self._same, notes=False)

    def open_calls(self) -> list[str]:
        """Tool calls of the main line that have no result (yet)."""
        return [call for call, row in self.index.unanswered.items() if self.chain.on_line[row]]

    def unpaired_results(self) -> list[str]:
        """Uuids of main-line results whose call is not in the file."""
        index = self.index
        return [
            index.uuids[row] or ""
            for row in self.chain
            if index.kind[row] == Kind.RESULT and index.peer[row] == NONE
        ]

    def subagents(self) -> list[Subagent]:
        """The session's subagents; their files are read again where they have changed."""
        if self.agent_id is not None:
            return []
        return self._agents.read(self.index, self.file.path, self.folder.agents_of(self.file))

    def open_subagent(self, agent_id: str) -> Session:
        """A subagent as a session of its own. Raises NoSuchSession."""
        for agent in self.folder.agents_of(self.file):
            if agent.agent_id == agent_id:
                return Session(session_file(agent.path, self.file.root), self.folder, agent_id)
        raise NoSuchSession(
            f"{self.session_id}@agent:{agent_id}",
            "see its subagents with `ccbrowse show`",
            what="no such subagent",
        )

    def text_tokens(self, segment: Segment) -> Estimate:
        """The tokens of a segment's texts, estimated. Slow: from a worker."""
        return self.measure.segment(segment, self.segments)

    def output_of(self, segment: Segment) -> Number:
        """The output tokens of a segment: exact, or estimated where the client did not keep the count.

        Slow where it has to be estimated: from a worker.
        """
        usage = segment.usage
        if not usage.untrusted_requests:
            return Number(usage.output_tokens, Source.USAGE)
        table, index = self.index.requests, self.index
        rows = [
            row
            for row in segment.rows
            if index.request[row] != NONE and not table.trusted[index.request[row]]
        ]
        counted = sum(table.output[number] for number in segment.requests if table.trusted[number])
        model = self.measure.model_of(segment, self.segments)
        guess = self.measure.rows(rows, model, self.segments)
        value = counted + guess.value
        return Number(
            value, Source.ESTIMATE, guess.error * guess.value / value if value else guess.error
        )

    def is_live(self, now: int) -> bool:
        """Whether the newest record is younger than 90 s at `now` (milliseconds)."""
        return is_live(self.index.facts.updated, now)

    @property
    def is_empty(self) -> bool:
        """Whether the file holds no message at all."""
        return not any(kind in MESSAGE_KINDS for kind in set(self.index.kind))


def is_live(updated: int, now: int) -> bool:
    """Whether a newest record of this time, or NO_TIME, is younger than 90 s at `now`."""
    return updated != NO_TIME and -AHEAD <= now - updated <= LIVE_FOR


def project_name(cwd: str | None, folder: Path) -> str:
    """The last part of a working directory, of any system; the folder's own name where none is known."""
    if not cwd:
        return folder.name
    parts = cwd.replace("\\", "/").rstrip("/").rsplit("/", 1)
    return parts[-1] or cwd
