"""The records of a part on a line of their own: their order, and what each hangs on.

A link stays where it leads to the record before, or into the message before with its fragments and
results; all others, those that left the part above all, are made again to the record before in
reading order. What a boundary kept and the part does not hold comes along, beside the line, as
children of the boundary's anchor: the client reads it there, and a reader of segments passes it by.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ccbrowse.core.export.parts import Part
from ccbrowse.core.export.source import taken_rows
from ccbrowse.core.index import NONE, ROOT
from ccbrowse.core.records import CHAIN_KINDS, LINK_KINDS, REPLY_KINDS, Kind

_YIELDING = (Kind.SYSTEM, Kind.PROGRESS)

AS_WRITTEN = -2
"""The parent of a record whose link stays as it is."""


@dataclass(frozen=True, slots=True)
class Step:
    """A record in its place: its row, and the row that it is to hang on (ROOT: none; or AS_WRITTEN)."""

    row: int
    parent: int = AS_WRITTEN


@dataclass(slots=True)
class Plan:
    """What is written: `steps` in order; per boundary the rows that it keeps, and what they follow.

    `leaf` is the last row of the line, `carried` the rows that came along, `left_out` how many of
    what did not.
    """

    steps: list[Step] = field(default_factory=list)
    kept: dict[int, list[int]] = field(default_factory=dict)
    anchors: dict[int, int] = field(default_factory=dict)
    leaf: int | None = None
    carried: list[int] = field(default_factory=list)
    left_out: dict[str, int] = field(default_factory=dict)


def plan_of(part: Part) -> Plan:
    """How a part is put on a line of its own. Nothing is read but the index."""
    return _Planner(part).plan()


class _Planner:
    def __init__(self, part: Part) -> None:
        self.index = part.session.index
        self.links = part.session.chain.links
        self.line = self._named_once(part.rows)
        self.names = {self.index.uuids[row] for row in self.line}
        self.at = {row: place for place, row in enumerate(self.line)}
        self.taken = taken_rows(part)
        self.beside = self._beside()
        self._all_names = self.names | {self.index.uuids[row] for row in self.beside}
        self._anchors: dict[int, int] = {}
        self._plan = Plan()
        # Per group of the line what is written, with its key; per row of the line where it stands.
        self._written: list[list[tuple[int, int, Step]]] = []
        self._where: dict[int, tuple[int, int]] = {}

    def plan(self) -> Plan:
        """The plan; asked once."""
        self._put_line()
        self._hang()
        self._keep()
        plan = self._plan
        for steps in self._written:
            steps.sort(key=lambda step: step[:2])
            plan.steps += (step for *_, step in steps)
        return plan

    def _named_once(self, rows: Iterable[int]) -> list[int]:
        """Rows with a uuid, the first one of each: what stands under a uuid again cannot be hung on."""
        uuids = self.index.uuids
        first: dict[str | None, int] = {None: NONE}
        return [row for row in rows if first.setdefault(uuids[row], row) == row]

    def _beside(self) -> set[int]:
        """Linked records of the part that are beside its line."""
        names = set(self.names)
        found = set[int]()
        for row in self.taken:
            uuid = self.index.uuids[row]
            if row in self.at or not self._is_link(row) or self.index.is_sidechain(row):
                continue
            if uuid not in names:
                names.add(uuid)
                found.add(row)
        return found

    def _put_line(self) -> None:
        """The line, group by group: each as it is written, or in a row."""
        before, last = frozenset[int](), ROOT
        for number, group in enumerate(self._groups()):
            as_it_is = self._stands(group, before)
            ordered = sorted(group) if as_it_is else group
            steps = list[tuple[int, int, Step]]()
            for place, row in enumerate(ordered):
                parent = AS_WRITTEN if as_it_is and last != ROOT else last
                steps.append((place, -1, self._step(row, parent)))
                self._where[row] = (number, place)
                last = row
            self._written.append(steps)
            # Into a message that was put in a row, the next one hangs on its end alone.
            before = frozenset(ordered) if as_it_is else frozenset([last])
            self._plan.leaf = last
        if not self._written:
            self._written.append([])

    def _is_link(self, row: int) -> bool:
        return self.index.kind[row] in LINK_KINDS and self.index.uuids[row] is not None

    def _groups(self) -> Iterator[list[int]]:
        """The rows of the line; a message with its fragments and the results that follow in one list."""
        index, group, key = self.index, list[int](), NONE
        for row in self.line:
            call = self._call(row)
            message = index.message[call if call in self.at else row]
            if group and (message == NONE or message != key):
                yield group
                group = []
            group.append(row)
            key = message
        if group:
            yield group

    def _stands(self, group: Sequence[int], before: frozenset[int]) -> bool:
        """Whether all links of a group lead up in it, or to the group before.

        Those of results lead to their call: what goes on behind a result would pass it by.
        """
        members = set(group)
        first = min(group)
        for row in group:
            above = self._above(row)
            if above in members and above < row:
                continue
            if self._call(row) in members or not (above in before or (row == first and not before)):
                return False
        return True

    def _call(self, row: int) -> int:
        """The row of the call that a result answers; NONE of any other record."""
        return self.index.peer[row] if self.index.kind[row] == Kind.RESULT else NONE

    def _above(self, row: int) -> int:
        """The row of the line that a row hangs on, over what hangs beside; NONE where it leads out."""
        passed = list[int]()
        up = self._parent(row)
        while up in self.beside and up not in self._anchors:
            self._anchors[up] = NONE
            passed.append(up)
            up = self.index.parent[up]
        found = self._anchors.get(up, up if up in self.at else NONE)
        for each in passed:
            self._anchors[each] = found
        return found

    def _parent(self, row: int) -> int:
        if self.index.kind[row] != Kind.BOUNDARY:
            return self.index.parent[row]
        named = self.links.boundary(row).logical_parent
        found = self.index.row_of(named) if named else None
        return NONE if found is None else found

    def _step(self, row: int, parent: int) -> Step:
        """A step. A record that names `parent` itself, or that starts the line, stays as it is written."""
        own = self._parent(row)
        if self.index.kind[row] == Kind.BOUNDARY:
            # A boundary that opens the part names its past all the same, where that lies before it.
            outside = own == NONE or self.index.uuids[own] not in self._all_names
            return Step(row, AS_WRITTEN if parent == ROOT and outside else parent)
        return Step(row, AS_WRITTEN if parent == own != ROOT else parent)

    def _hang(self) -> None:
        """Put what hangs beside the line after what it hangs on, books after the record before them."""
        where = (0, 0)
        for row in self.taken:
            if row in self.at:
                where = self._where[row]
                continue
            if row in self.beside:
                if (above := self._above(row)) == NONE:
                    self._leave_out("loose")
                    continue
                where = self._where[above]
            elif self.index.kind[row] == Kind.BAD:
                self._leave_out("damaged")
                continue
            elif self._is_link(row):
                self._leave_out("side" if self.index.is_sidechain(row) else "repeated")
                continue
            self._written[where[0]].append((where[1], row, Step(row)))

    def _leave_out(self, what: str) -> None:
        self._plan.left_out[what] = self._plan.left_out.get(what, 0) + 1

    def _keep(self) -> None:
        """What the boundaries of the part keep; let it come along where the part opens with one."""
        for row in self.line:
            if self.index.kind[row] == Kind.BOUNDARY:
                self._plan.anchors[row] = self._anchor(row)
                kept = self._kept(row)
                if row == self.line[0] and self._goes_on(self._after(row)):
                    self._carry(row, kept)
                came = set(self._plan.carried)
                self._plan.kept[row] = [each for each in kept if each in self.at or each in came]

    def _goes_on(self, row: int) -> bool:
        """Whether messages follow on the line: without them what is carried along would be its end."""
        following = self.line[self.at[row] + 1 :]
        return any(self.index.kind[each] in CHAIN_KINDS for each in following)

    def _kept(self, boundary: int) -> list[int]:
        """What a boundary keeps of what stands above it, elsewhere, or right behind its anchor.

        Of what stands further below a client would make a circle; and from a tail below up to a head
        above it would climb over the boundary, where only the two ends are named.
        """
        kept = list[int]()
        following = first = self.at[self._plan.anchors[boundary]] + 1
        for row in dict.fromkeys(self.links.kept_rows(boundary)):
            place = self.at.get(row, NONE)
            if place == following:
                following += 1
                kept.append(row)
            elif place < self.at[boundary]:
                kept.append(row)
        above = [row for row in kept if self.at.get(row, NONE) < first]
        return kept if self.links.boundary(boundary).facts.kept else above or kept

    def _carry(self, boundary: int, kept: Iterable[int]) -> None:
        """Let kept records come along, one after the other, beside the line."""
        messages = {self.index.message[row] for row in self.line} - {NONE}
        number, place = self._where[self._after(boundary)]
        parent = anchor = self._plan.anchors[boundary]
        said = False
        for order, row in enumerate(kept):
            if row in self.at or not self._may_come(row, messages):
                continue
            if not said and self.index.kind[row] in REPLY_KINDS and self._yields(anchor):
                self._leave_out("kept")
            else:
                said = said or self.index.kind[row] in CHAIN_KINDS
                self._written[number].append((place, len(self.index) + order, Step(row, parent)))
                self._plan.carried.append(row)
                parent = row

    def _yields(self, anchor: int) -> bool:
        """Whether no message follows a row: a reply beside it would join the line in that place."""
        kind = self.index.kind
        beside = (row for row in self.beside if self.index.parent[row] == anchor)
        if any(kind[row] in _YIELDING for row in beside):
            return True
        following = self.line[self.at[anchor] + 1 :]
        first = self._first_between(anchor, following[0]) if following else anchor
        if kind[first] in CHAIN_KINDS:
            return False
        # What is no message yields, but for attachments and the like on the way to another reply.
        says = next((kind[row] for row in following if kind[row] in CHAIN_KINDS), None)
        return kind[first] in _YIELDING or says not in REPLY_KINDS

    def _first_between(self, anchor: int, row: int) -> int:
        """The first record on the way from one row of the line to the next, or the next itself."""
        first, up = row, self._parent(row)
        passed = {row}
        while up in self.beside and up not in passed:
            passed.add(up)
            first, up = up, self.index.parent[up]
        return first if up == anchor else row

    def _may_come(self, row: int, messages: set[int]) -> bool:
        """Whether a kept record can come along: of a message on the line it would join the line."""
        index = self.index
        if index.kind[row] == Kind.BOUNDARY or row in self.beside or not self._is_link(row):
            return False
        if index.uuids[row] in self.names:
            return False
        return index.message[row] not in messages and self._call(row) not in self.at

    def _anchor(self, boundary: int) -> int:
        """The record that a boundary's kept messages are sent after: itself or its summary."""
        named = self.links.boundary(boundary).facts.anchor
        return boundary if named == self.index.uuids[boundary] else self._after(boundary)

    def _after(self, boundary: int) -> int:
        summary = self.links.summary_of(boundary)
        return summary if summary is not None and summary in self.at else boundary
