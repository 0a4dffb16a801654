"""The index of one file: compact arrays over its records, append-only, never their bodies.

A *row* is the number of a record in file order, from 0; it never changes while the file only grows.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from struct import pack
from threading import Lock

from msgspec import Struct

from ccbrowse.core.index.facts import FileFacts
from ccbrowse.core.index.flags import CALL, REPLAY, SIDECHAIN
from ccbrowse.core.index.numbers import LineNumbers
from ccbrowse.core.index.requests import RequestTable
from ccbrowse.core.records.boundaries import CompactFacts
from ccbrowse.core.records.kinds import Kind
from ccbrowse.core.records.times import milliseconds, span_of, times_of

ROOT = -1
"""The parent of a record that has none."""

MISSING = -2
"""The parent of a record whose parentUuid is not in the file (yet)."""

NONE = -1
"""No such row, message or request."""

_MAX_TOOLS = 65_535
_AT_A_TIME = 8_192
"""Uuids that are looked at in one go: a millisecond."""

_MOST_STAMPS = 20_000
"""Timestamps that wait as text: they take ten times the memory of numbers."""

_AGENT_TOOLS = ("Task", "Agent")
_SIDE = bytes([Kind.SIDE])


class IndexedBoundary(Struct, frozen=True):
    """A `compact_boundary` as it stands in the file."""

    row: int
    logical_parent: str | None
    facts: CompactFacts


class Trouble(Struct, frozen=True):
    """Something wrong with a line, found while it was read: a finding without its words."""

    code: str
    row: int
    line: int


class SessionIndex:
    """Facts over rows. Arrays of the same length: one entry a record (damaged lines have one too).

    `offset`, `length`: the record's line in the file, in bytes, its LF left out. `line`: its number
    from 1. `kind`, `flags`. `parent`: a row, ROOT or MISSING. `time`: milliseconds, or NO_TIME.
    `message`: the number of its `message.id` (fragments share it), or NONE. `request`: its request
    in `requests`, or NONE. `peer`: of a result the row of its call, of a call the row of its first
    result, of a replay the row it repeats; else NONE. `tool`: the number of the tool called.
    """

    def __init__(self, *, sidechain_lane: bool = False) -> None:
        self.offset = array("Q")
        self.length = array("I")
        self.line = LineNumbers()
        self.kind = bytearray()
        self.flags = array("I")
        self.parent = array("i")
        self._time = array("q")
        self._stamps: list[str | None] = []
        self._parsing = Lock()
        self.message = array("i")
        self.request = array("i")
        self.peer = array("i")
        self.tool = array("I")
        self.uuids: list[str | None] = []
        """Per row its uuid; None for bookkeeping. A record that was written again has that of the first."""
        self._rows: dict[str, int] | None = {}
        self.waiting: dict[str, list[int]] = {}
        """The rows whose parent is not in the file yet, by the uuid that they wait for."""
        self.adopted: list[int] = []
        """Rows whose parent came late, after they were read: the line is then made anew."""
        self.latest: dict[int, int] = {}
        """Of each record that was written again, by its first row: the row that holds its last content."""
        self.typed: set[int] = set()
        """Results beside which a person typed something."""
        self.boundaries: list[IndexedBoundary] = []
        """The compaction boundaries, in file order."""
        self.directions: dict[int, str] = {}
        """Of partial compactions, by the row of the summary: which side of the chosen message it covers."""
        self.messages: dict[str, int] = {}
        """The number of each `message.id`."""
        self.fragments: list[int | list[int]] = []
        """Per message its row, or its rows where it was written as several."""
        self.requests = RequestTable()
        """Usage, each request once."""
        self.facts = FileFacts()
        """What the file says of itself: titles, places, versions, models, dates."""
        self.tools: dict[str, int] = {"": 0}
        self.tool_names: list[str] = [""]
        """The number of each tool by its name; `tool_names` is the way back."""
        self.agent_tools: set[int] = set()
        """The numbers of the tools that run subagents."""
        self.calls: dict[str, int] = {}
        """The row of each tool call by its id."""
        self.unanswered: dict[str, int] = {}
        """Those of them that have no result yet."""
        self.early_results: dict[str, list[int]] = {}
        """Rows of results by the call that they answer, while that call has not come."""
        self.more_calls: dict[int, list[str]] = {}
        """The ids of all calls of a row that makes several."""
        self.more_results: dict[int, list[int]] = {}
        """Rows of results of a call behind the first, by the row of the call."""
        self.sidechains: list[int] = []
        self.sidechain_agents: dict[int, str] = {}
        """Rows of subagents that were written into this file, and their agents' ids where they are named."""
        self.agent_calls: dict[str, str] = {}
        """The id of the call that runs each subagent, by the id of the agent."""
        self.origin_rows: dict[str, int] = {}
        """Rows that were copied from another file, by the uuid that the record has there."""
        self.troubles: list[Trouble] = []
        """What was wrong with lines."""
        self.bad_lines: list[int] = []
        """The numbers of lines that hold no record."""
        self.lines = 0
        """Physical lines that were read."""
        self.size = 0
        """Bytes that were read, up to the end of the last whole line."""
        self.incomplete_tail = False
        """Whether the file ends in a line that is not whole yet."""
        self.sidechain_lane = sidechain_lane
        """Whether this is a subagent's own file: then its records are the main line."""

    def __len__(self) -> int:
        return len(self.kind)

    def add_rows(self, offsets: Sequence[int], lengths: Sequence[int]) -> int:
        """Make rows for records on the next lines, one each, with values that most have.

        `offsets` and `lengths` are in bytes. Returns the first new row.
        """
        row, count = len(self.kind), len(offsets)
        # Packing is three times faster than making an array of a list.
        self.offset.frombytes(pack(f"{count}Q", *offsets))
        self.length.frombytes(pack(f"{count}I", *lengths))
        self.line.run(self.lines + 1, count)
        self.lines += count
        self.kind.extend(_SIDE * count)
        zeros, nones = array("I", [0]) * count, array("i", [NONE]) * count
        nothing = [None] * count
        self.flags.extend(zeros)
        self.tool.extend(zeros)
        for column in (self.parent, self.message, self.request, self.peer):
            column.extend(nones)
        self._stamps.extend(nothing)
        self.uuids.extend(nothing)
        return row

    @property
    def time(self) -> array[int]:
        """Per row its time in milliseconds, or NO_TIME."""
        # Timestamps are kept as they are written until someone asks: a list of sessions never does.
        if self._stamps:
            self._parse_stamps()
        return self._time

    def time_of(self, row: int) -> int:
        """The time of one row: cheaper than `time` where no other is asked for."""
        with self._parsing:
            waiting = row - len(self._time)
            return self._time[row] if waiting < 0 else milliseconds(self._stamps[waiting])

    @property
    def rows(self) -> dict[str, int]:
        """The row of each uuid: the first one, or the newest of those that are no repeats."""
        # An index that was kept comes without: it takes as long to make as all else, and is rarely asked for.
        if self._rows is None:
            with self._parsing:
                if self._rows is None:
                    self._rows = self._find_rows()
        return self._rows

    def take_uuids(self, uuids: list[str | None]) -> None:
        """These are the uuids of all rows; which row has which is found out when it is asked for."""
        self.uuids, self._rows = uuids, None

    def _find_rows(self) -> dict[str, int]:
        uuids, found = self.uuids, dict[str | None, int]()
        for first in range(0, len(uuids), _AT_A_TIME):  # others have their turn between
            rows = range(first, min(first + _AT_A_TIME, len(uuids)))
            pairs: Iterable[tuple[str | None, int]] = zip(
                uuids[first : rows.stop], rows, strict=True
            )
            if self.latest:
                pairs = (pair for pair in pairs if not self.flags[pair[1]] & REPLAY)
            found.update(pairs)
        found.pop(None, None)
        return found  # type: ignore[return-value]  # None went

    def _parse_stamps(self) -> None:
        with self._parsing:
            self._time.extend(times_of(self._stamps))
            self._stamps.clear()

    def set_times(self, first: int, stamps: list[str | None]) -> None:
        """The timestamps of the newest rows, from `first` on."""
        self._stamps[first - len(self._time) :] = stamps
        if len(self._stamps) > _MOST_STAMPS:
            self._parse_stamps()
        span = span_of(stamps)
        if span is not None:
            self.facts.seen(*span)

    def repeat(self, row: int, earlier: int) -> None:
        """A record that is an earlier one again: its content counts, its place does not."""
        self.peer[row] = earlier
        self.uuids[row] = self.uuids[earlier]
        self.latest[earlier] = row

    def add_fragment(self, number: int, row: int) -> None:
        """A row is one more fragment of a message."""
        rows = self.fragments[number]
        if isinstance(rows, list):
            rows.append(row)
        else:
            self.fragments[number] = [rows, row]

    def tool_number(self, name: str) -> int:
        """The number of a tool's name."""
        number = self.tools.get(name)
        if number is None:
            number = self.tools[name] = min(len(self.tool_names), _MAX_TOOLS)
            self.tool_names.append(name)
            if name in _AGENT_TOOLS:
                self.agent_tools.add(number)
        return number

    def call(self, row: int, call: str) -> None:
        """A row calls a tool; its result may have come before it."""
        self.calls[call] = row
        if call in self.early_results:
            for result in self.early_results.pop(call):
                self._pair(row, result)
        else:
            self.unanswered[call] = row

    def answer(self, row: int, call: str) -> int:
        """A row holds the result of a call; the row of that call, NONE where it has not come yet."""
        call_row = self.calls.get(call, NONE)
        if call_row == NONE:
            self.early_results.setdefault(call, []).append(row)
        else:
            self.unanswered.pop(call, None)
            self._pair(call_row, row)
        return call_row

    def _pair(self, call_row: int, result_row: int) -> None:
        peer = self.peer
        peer[result_row] = call_row
        if peer[call_row] == NONE:
            peer[call_row] = result_row
        else:
            self.more_results.setdefault(call_row, []).append(result_row)

    def uuid(self, row: int) -> str | None:
        """The uuid of a record; None for bookkeeping."""
        return self.uuids[row]

    def row_of(self, uuid: str) -> int | None:
        """The first row with this uuid, or of its copy where the file is a fork."""
        row = self.rows.get(uuid)
        return self.origin_rows.get(uuid) if row is None else row

    def content_row(self, row: int) -> int:
        """The row whose line holds the content: the last one where a record was written again."""
        return self.latest.get(row, row)

    def is_sidechain(self, row: int) -> bool:
        """Whether the record belongs to a subagent written into this file."""
        return bool(self.flags[row] & SIDECHAIN) and not self.sidechain_lane

    def kind_of(self, row: int) -> Kind:
        """The kind of a record."""
        return Kind(self.kind[row])

    def tool_name(self, row: int) -> str:
        """The name of the (first) tool that a record calls; empty where it calls none."""
        return self.tool_names[self.tool[row]]

    def fragments_of(self, row: int) -> list[int]:
        """All rows of the message that a row belongs to, in file order; itself where it has none."""
        message = self.message[row]
        return [row] if message == NONE else self.fragments_of_message(message)

    def fragments_of_message(self, message: int) -> list[int]:
        """All rows of a message, by its number, in file order."""
        rows = self.fragments[message]
        return rows if isinstance(rows, list) else [rows]

    def results_of(self, call_row: int) -> list[int]:
        """The rows that hold results of a record's calls, in file order."""
        first = self.peer[call_row]
        if first == NONE or not self.flags[call_row] & CALL:
            return []
        return [first, *self.more_results.get(call_row, ())]

    def missing_parents(self) -> dict[int, str]:
        """The parentUuid of each row whose parent is not in the file."""
        return {row: uuid for uuid, rows in self.waiting.items() for row in rows}
