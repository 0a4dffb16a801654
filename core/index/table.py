"""The index of one file: compact arrays over its records, append-only, never their bodies.

A *row* is the number of a record in file order, from 0; it never changes while the file only grows.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from ccbrowse.core.index.facts import FileFacts
from ccbrowse.core.index.flags import CALL, REPLAY, SIDECHAIN
from ccbrowse.core.index.requests import RequestTable
from ccbrowse.core.records.boundaries import CompactFacts
from ccbrowse.core.records.kinds import Kind
from ccbrowse.core.records.times import NO_TIME

ROOT = -1
"""The parent of a record that has none."""

MISSING = -2
"""The parent of a record whose parentUuid is not in the file (yet)."""

NONE = -1
"""No such row, message or request."""

_MAX_TOOLS = 65_535
_SIDE = bytes([Kind.SIDE])


@dataclass(frozen=True, slots=True)
class IndexedBoundary:
    """A `compact_boundary` as it stands in the file."""

    row: int
    logical_parent: str | None
    facts: CompactFacts


@dataclass(frozen=True, slots=True)
class Trouble:
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
    `found_late` counts parents that came after a record that names them.
    """

    def __init__(self, *, sidechain_lane: bool = False) -> None:
        self.offset = array("Q")
        self.length = array("Q")
        self.line = array("I")
        self.kind = bytearray()
        self.flags = array("H")
        self.parent = array("i")
        self.time = array("q")
        self.message = array("i")
        self.request = array("i")
        self.peer = array("i")
        self.tool = array("H")
        self.uuids: list[str | None] = []
        self.rows: dict[str, int] = {}
        self.waiting: dict[str, list[int]] = {}
        self.found_late = 0
        self.latest: dict[int, int] = {}
        self.boundaries: list[IndexedBoundary] = []
        self.directions: dict[int, str] = {}
        self.messages: dict[str, int] = {}
        self.fragments: list[int | list[int]] = []
        self.requests = RequestTable()
        self.facts = FileFacts()
        self.tools: dict[str, int] = {"": 0}
        self.tool_names: list[str] = [""]
        self.calls: dict[str, int] = {}
        self.unanswered: dict[str, int] = {}
        self.early_results: dict[str, list[int]] = {}
        self.more_calls: dict[int, list[str]] = {}
        self.more_results: dict[int, list[int]] = {}
        self.sidechain_agents: dict[int, str] = {}
        self.agent_calls: dict[str, str] = {}
        self.origin_rows: dict[str, int] = {}
        self.troubles: list[Trouble] = []
        self.bad_lines: list[int] = []
        self.lines = 0
        self.size = 0
        self.incomplete_tail = False
        self.sidechain_lane = sidechain_lane

    def __len__(self) -> int:
        return len(self.kind)

    def add_rows(self, base: int, spans: Sequence[tuple[int, int]]) -> int:
        """Room for records on the next lines, one each, with what most have; the first new row."""
        row, count = len(self.kind), len(spans)
        self.offset.extend([base + start for start, _ in spans])
        self.length.extend([stop - start for start, stop in spans])
        self.line.extend(range(self.lines + 1, self.lines + count + 1))
        self.lines += count
        self.kind.extend(_SIDE * count)
        zeros, nones = array("H", [0]) * count, array("i", [NONE]) * count
        self.flags.extend(zeros)
        self.tool.extend(zeros)
        for column in (self.parent, self.message, self.request, self.peer):
            column.extend(nones)
        self.time.extend(array("q", [NO_TIME]) * count)
        self.uuids.extend([None] * count)
        return row

    def name(self, row: int, uuid: str) -> None:
        """A record's uuid; those that waited for it now have their parent."""
        self.rows[uuid] = row
        self.uuids[row] = uuid
        if self.waiting and uuid in self.waiting:
            self.found_late += 1
            for child in self.waiting.pop(uuid):
                self.parent[child] = row

    def repeat(self, row: int, earlier: int) -> None:
        """A record that is an earlier one again: its content counts, its place does not."""
        self.flags[row] |= REPLAY
        self.peer[row] = earlier
        self.uuids[row] = self.uuids[earlier]
        self.latest[earlier] = row

    def join(self, row: int, message_id: str, fresh: bool) -> None:
        """A row is a fragment of a message; a repeated one is not counted again."""
        number = self.messages.get(message_id)
        if number is None:
            number = self.messages[message_id] = len(self.fragments)
            self.fragments.append(row)
        elif fresh:
            rows = self.fragments[number]
            if isinstance(rows, list):
                rows.append(row)
            else:
                self.fragments[number] = [rows, row]
        self.message[row] = number

    def tool_number(self, name: str) -> int:
        """The number of a tool's name."""
        number = self.tools.get(name)
        if number is None:
            number = self.tools[name] = min(len(self.tool_names), _MAX_TOOLS)
            self.tool_names.append(name)
        return number

    def call(self, row: int, call: str) -> None:
        """A row calls a tool; its result may have come before it."""
        self.calls[call] = row
        early = self.early_results.pop(call, None)
        if early is None:
            self.unanswered[call] = row
            return
        for result in early:
            self._pair(row, result)

    def answer(self, row: int, call: str) -> int:
        """A row holds the result of a call; the row of that call, NONE where it has not come yet."""
        call_row = self.calls.get(call)
        if call_row is None:
            self.early_results.setdefault(call, []).append(row)
            return NONE
        self.unanswered.pop(call, None)
        self._pair(call_row, row)
        return call_row

    def _pair(self, call_row: int, result_row: int) -> None:
        self.peer[result_row] = call_row
        if self.peer[call_row] == NONE:
            self.peer[call_row] = result_row
        else:
            self.more_results.setdefault(call_row, []).append(result_row)

    def uuid(self, row: int) -> str | None:
        """The uuid of a record; None for side records."""
        return self.uuids[row]

    def row_of(self, uuid: str) -> int | None:
        """The first row with this uuid, or of its copy where the file is a fork."""
        row = self.rows.get(uuid)
        return self.origin_rows.get(uuid) if row is None else row

    def content_row(self, row: int) -> int:
        """The row whose line holds the content: the last one where a record was written again."""
        return self.latest.get(row, row)

    def is_side(self, row: int) -> bool:
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
        if message == NONE:
            return [row]
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
