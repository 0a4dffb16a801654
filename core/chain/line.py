"""The main line itself: the path back from the newest record, cut at boundaries, put in reading order."""

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ccbrowse.core.chain.branches import Branch, find_branches
from ccbrowse.core.chain.links import ALONE, Links, Surroundings
from ccbrowse.core.chain.order import (
    IN_CHAIN,
    in_chain,
    order_stretch,
    plain_order,
    replies_passed_by,
)
from ccbrowse.core.index import NONE, REPLAY, SIDECHAIN, SessionIndex
from ccbrowse.core.records import Kind

OFF = -1
"""The place of a row that is not on the path."""


@dataclass(slots=True)
class Stretch:
    """The line from one boundary to the next: path[start:stop], and its chain rows in reading order.

    `boundary` is the row that opens it; None for the first, unless the file starts at a boundary.
    """

    start: int
    stop: int
    boundary: int | None
    rows: list[int] = field(default_factory=list)


class Chain:
    """The main line of an index. Call `update` after the index has grown.

    `path` holds the linked records of all types from the first to the newest, `place` per row where
    it stands there (or OFF), `on_line` per row whether a stretch names it.
    """

    def __init__(self, index: SessionIndex, around: Surroundings = ALONE) -> None:
        self.index = index
        self.around = around
        self.links = Links(index, around)
        self.path = array("i")
        self.place = array("i")
        self.on_line = bytearray()
        self.stretches: list[Stretch] = []
        self._beside: set[int] = set()
        self._done = 0
        self._found_late = 0
        self._off: list[int] | None = None
        self._branches: tuple[Branch, ...] | None = None
        self.update()

    def __iter__(self) -> Iterator[int]:
        """The rows of the chain in reading order, each once."""
        for stretch in self.stretches:
            yield from stretch.rows

    @property
    def off_chain(self) -> list[int]:
        """Chain records beside the line, in file order; inline sidechains are not among them."""
        if self._off is None:
            self._off = sorted(row for row in self._beside if not self.on_line[row])
        return self._off

    @property
    def branches(self) -> tuple[Branch, ...]:
        """The abandoned arms, by the file order of their leaves."""
        if self._branches is None:
            self._branches = find_branches(self.index, self.off_chain, self.on_line)
        return self._branches

    def update(self) -> int:
        """Take in the rows that the index has gained; the number of the first stretch that changed."""
        index = self.index
        first, self._done = self._done, len(index)
        if first == self._done:
            return len(self.stretches)
        late = index.found_late != self._found_late or self.links.awaited_came()
        anew = not self.path or late or self.links.looped
        self._found_late = index.found_late
        self._off = self._branches = None
        if anew:
            self._clear()
            first = 0
        self._widen(first)
        self.links.refresh()
        leaf = self.links.newest(len(index))
        if leaf is None:
            return 0
        new, met = self._walk(leaf) if self.place[leaf] == OFF else ([], leaf)
        keep = self.place[met] + 1 if met is not None else 0
        left = self.path[keep:].tolist()
        self._splice(new, left, keep)
        changed = [*left, *new, *range(first, len(index))]
        return self._recut(min([keep, *self._mates(changed)]) if keep else 0)

    def _clear(self) -> None:
        self.links = Links(self.index, self.around)
        self.path = array("i")
        self.place = array("i")
        self.on_line = bytearray()
        self.stretches = []
        self._beside = set()

    def _widen(self, first: int) -> None:
        """Room for new rows; the chain records among them are beside the path until it takes them."""
        index = self.index
        grown = len(index) - len(self.place)
        self.place.extend([OFF] * grown)
        self.on_line.extend(bytes(grown))
        hidden = REPLAY if index.sidechain_lane else REPLAY | SIDECHAIN
        flags, members = index.flags, index.kind.translate(IN_CHAIN)
        self._beside.update(
            row for row in range(first, len(index)) if members[row] and not flags[row] & hidden
        )

    def _walk(self, leaf: int) -> tuple[list[int], int | None]:
        """The rows from the old path, or the first record, to the leaf; and the path row that was met."""
        links, place, parents, kinds = self.links, self.place, self.index.parent, self.index.kind
        seen = bytearray(len(place))
        links.start_walk()
        rows: list[int] = []
        row: int | None = leaf
        opened = links.boundary_above(leaf)
        while row is not None:
            seen[row] = 1
            rows.append(row)
            above = parents[row]
            # Most links lead up to a record below the nearest boundary: nothing to repair there.
            if not (opened < above < row and kinds[row] != Kind.BOUNDARY and not seen[above]):
                before = links.before(row, seen)
                if before is not None and seen[before]:
                    before = links.cut_loop(row, seen)
                if before is None:
                    break
                above = before
                opened = links.boundary_above(above)
            if place[above] != OFF:
                return rows[::-1], above
            row = above
        return rows[::-1], None

    def _splice(self, new: list[int], left: list[int], keep: int) -> None:
        """Make the path what it was up to `keep`, then `new`; `left` are the rows that it loses."""
        for row in left:
            self.place[row] = OFF
            if in_chain(self.index, row) and not self.index.is_side(row):
                self._beside.add(row)
        del self.path[keep:]
        for place, row in enumerate(new, keep):
            self.place[row] = place
        self.path.extend(new)
        self._beside.difference_update(new)
        self.links.forget(self.place)

    def _mates(self, rows: Iterable[int]) -> Iterator[int]:
        """Places after the records that rows belong to: fragments of their message, the call of a result.

        Rows that come or go may stand with one of these, in a stretch further up.
        """
        index, place = self.index, self.place
        seen: set[int] = set()
        for row in rows:
            message = index.message[row]
            mates = [index.peer[row]] if index.kind[row] == Kind.RESULT else []
            if message != NONE and message not in seen:
                seen.add(message)
                mates += index.fragments_of(row)
            yield from (place[mate] + 1 for mate in mates if mate != NONE and place[mate] != OFF)

    def _recut(self, keep: int) -> int:
        """Cut the path into stretches again from the one that holds place `keep - 1` on."""
        number = len(self.stretches)
        while number and self.stretches[number - 1].stop >= keep:
            number -= 1
        start, boundary = 0, None
        if keep and number < len(self.stretches):
            start, boundary = self.stretches[number].start, self.stretches[number].boundary
        for stretch in self.stretches[number:]:
            for row in stretch.rows:
                self.on_line[row] = 0
        del self.stretches[number:]
        self._cut(start, boundary)
        passed_by = replies_passed_by(self.index, self._beside, self.place, self.path)
        for stretch in self.stretches[number:]:
            path = self.path[stretch.start : stretch.stop].tolist()
            stretch.rows = plain_order(self.index, path, not self._beside) or order_stretch(
                self.index, path, self.place, self.on_line, passed_by
            )
            for row in stretch.rows:
                self.on_line[row] = 1
        return number

    def _cut(self, start: int, boundary: int | None) -> None:
        kind = self.index.kind
        opened = start
        for place in range(start, len(self.path)):
            row = self.path[place]
            if kind[row] == Kind.BOUNDARY and row != boundary:
                if place > opened:
                    self.stretches.append(Stretch(opened, place, boundary))
                opened, boundary = place, row
        if opened < len(self.path):
            self.stretches.append(Stretch(opened, len(self.path), boundary))
