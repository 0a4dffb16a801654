"""The main line itself: the path back from the newest record, cut at boundaries, put in reading order."""

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress, pairwise

from msgspec import Struct, field

from ccbrowse.core.chain.branches import Branch, find_branches
from ccbrowse.core.chain.leaf import find_leaf
from ccbrowse.core.chain.links import ALONE, GOES_ON, Links, Surroundings
from ccbrowse.core.chain.order import IN_CHAIN, IS_REPLY, ReadingOrder, replies_passed_by
from ccbrowse.core.index import NONE, REPLAY, ROOT, SIDECHAIN, SessionIndex
from ccbrowse.core.records import Kind

MAX_CLIMB = 200
"""Records without words between a reply and the message that it hangs on."""

OFF = -1
"""The place of a row that is not on the path."""


class Stretch(Struct):
    """The line from one boundary to the next: path[start:stop], and its chain rows in reading order.

    `boundary` is the row that opens it; None for the first, unless the file starts at a boundary.
    """

    start: int
    stop: int
    boundary: int | None
    rows: list[int] = field(default_factory=list)


class Chain:
    """The main line of an index. Call `update` after the index has grown; it is empty before the first
    update where that is left to the caller.

    `path` holds the linked records of all types from the first to the newest, `place` per row where
    it stands there (or OFF), `on_line` per row whether a stretch names it.
    """

    def __init__(
        self, index: SessionIndex, around: Surroundings = ALONE, *, empty: bool = False
    ) -> None:
        self.index = index
        self.around = around
        self._hidden = REPLAY if index.sidechain_lane else REPLAY | SIDECHAIN
        self._clear()
        if not empty:
            self.update()

    def _clear(self) -> None:
        self.links = Links(self.index, self.around)
        self.path = array("i")
        self.place = array("i")
        self.on_line = bytearray()
        self.stretches: list[Stretch] = []
        self._off: set[int] = set()
        self._off_chain: list[int] | None = None
        self._branches: tuple[Branch, ...] | None = None
        self._hanging: dict[int, set[int]] = {}
        self._done = 0
        self._adopted = 0

    def __iter__(self) -> Iterator[int]:
        """The rows of the chain in reading order, each once."""
        for stretch in self.stretches:
            yield from stretch.rows

    @property
    def off_chain(self) -> list[int]:
        """Chain records beside the line, in file order; inline sidechains are not among them."""
        if self._off_chain is None:
            self._off_chain = sorted(self._off)
        return self._off_chain

    @property
    def branches(self) -> tuple[Branch, ...]:
        """The abandoned arms, by the file order of their leaves."""
        if self._branches is None:
            self._branches = find_branches(self.index, self.off_chain, self.on_line)
        return self._branches

    def stretch_of(self, row: int) -> int | None:
        """The number of the stretch that a row is on or is named by, from 0; None beside the line."""
        place, seen = self.place[row], {row}
        todo = [row] if self.on_line[row] else []
        while todo and place == OFF:
            # It was put to its message, or to the call it answers; or that hangs on what passes it by.
            near = {each for up in todo for each in self._above(up) if each >= 0} - seen
            seen |= near
            on_path = (at for each in near if (at := self.place[each]) != OFF)
            place = min(on_path, default=OFF)
            todo = [each for each in near if self._is_put(each)]
        if place == OFF:
            return None
        return bisect_right(self.stretches, place, key=lambda stretch: stretch.start) - 1

    def _is_put(self, row: int) -> bool:
        """Whether a row beside the path is on the line all the same, or may lead to what is."""
        on_line = self.on_line[row] or not IN_CHAIN[self.index.kind[row]]
        return bool(on_line) and self.place[row] == OFF

    def _above(self, row: int) -> list[int]:
        """The rows that decide where a row beside the path belongs: its message, its call, their parents."""
        index = self.index
        call = index.peer[row] if index.kind[row] == Kind.RESULT else row
        group = index.fragments_of(call) if call >= 0 else [row]
        if any(self.place[each] != OFF for each in group):
            return group
        return [*group, *(index.parent[each] for each in group)]

    def update(self) -> int:
        """Take in the rows that the index has gained. Returns the number of the first stretch that
        changed."""
        index = self.index
        if self._done == len(index):
            return len(self.stretches)
        late = index.adopted[self._adopted :]
        late_parents = any(child < self._done for child in late)
        if late_parents or self.links.looped or self.links.awaited_came():
            self._clear()
        first, self._done, self._adopted = self._done, len(index), len(index.adopted)
        self.place.extend(array("i", [OFF]) * (len(index) - first))
        self.on_line.extend(bytes(len(index) - first))
        self.links.refresh()
        leaf = find_leaf(self.links, self.path, first)
        if leaf is None:
            self._off.update(self._loose(self._chain_rows(first)))
            return 0
        new, met = self._walk(leaf) if self.place[leaf] == OFF else ([], leaf)
        keep = self.place[met] + 1 if met is not None else 0
        left = self._splice(new, keep)
        joined = [row for row in new if row < first and IN_CHAIN[index.kind[row]]] if first else []
        return self._recut(keep, [*left, *joined, *self._chain_rows(first)])

    def _chain_rows(self, first: int) -> Iterator[int]:
        """The chain records from row `first` on."""
        members = self.index.kind[first:].translate(IN_CHAIN)
        return compress(range(first, len(self.index)), members)

    def _loose(self, rows: Iterable[int]) -> list[int]:
        """Those of some rows that are beside the path; none that repeat others, are subagents', or
        have no uuid: what cannot be named is in no chain."""
        flags, place, hidden, uuids = self.index.flags, self.place, self._hidden, self.index.uuids
        return [row for row in rows if place[row] == OFF and not flags[row] & hidden and uuids[row]]

    def _walk(self, leaf: int) -> tuple[list[int], int | None]:
        """Walk up from the leaf until the old path, or the first record, is met.

        Returns the new rows, oldest first, and the row of the old path that they go on from, if any.
        """
        links, place = self.links, self.place
        # A list is read faster than an array; to make one pays only for a long way.
        anew = not self.path
        parents: Sequence[int] = self.index.parent.tolist() if anew else self.index.parent
        seen = bytearray(len(place))
        links.start_walk()
        rows, row = [leaf], leaf
        seen[leaf] = 1
        lowest, marked = leaf, 1
        opened = links.boundary_above(leaf)
        while True:
            if anew and row <= lowest:
                # Above all that was seen: nothing to look out for before the nearest boundary.
                row = lowest = _run(parents, rows, opened)
                if parents[row] == ROOT and self.index.kind[row] not in GOES_ON:
                    return rows[::-1], None
                for passed in rows[marked:]:
                    seen[passed] = 1
            above = parents[row]
            # Most links lead up to a record below the nearest boundary: nothing to repair there.
            if not opened < above < row or seen[above]:
                before = links.before(row, seen)
                if before is not None and seen[before]:
                    before = links.cut_loop(row, seen)
                if before is None:
                    return rows[::-1], None
                above = before
                opened = links.boundary_above(above)
            if place[above] != OFF:
                return rows[::-1], above
            row = above
            seen[row] = 1
            rows.append(row)
            marked = len(rows)

    def _splice(self, new: list[int], keep: int) -> list[int]:
        """The path up to `keep`, then `new`; the chain rows that left it."""
        place, kind = self.place, self.index.kind
        dropped = self.path[keep:]
        for row in dropped:
            place[row] = OFF
        del self.path[keep:]
        for number, row in enumerate(new, keep):
            place[row] = number
        self.path.extend(new)
        self.links.forget(place)
        return [row for row in dropped if IN_CHAIN[kind[row]]]

    def _recut(self, keep: int, moved: list[int]) -> int:
        """Cut the path into stretches again, from the one on that new rows reach.

        The path is new from place `keep` on; `moved` are the chain rows that came, joined the path
        or left it.
        """
        reach = self._reach(keep, moved) if keep else 0
        number = len(self.stretches)
        while number and self.stretches[number - 1].stop > reach:
            number -= 1
        old, self.stretches[number:] = self.stretches[number:], []
        fresh = self._cut(old[0].start if old else 0)
        self.stretches += fresh
        skip, kept = self._unchanged(old[0], reach) if old else (0, [])
        loose = self._loose([*self._unname(old, len(kept)), *moved])
        self._hang(loose)
        order = ReadingOrder(self.index, self.place, self.on_line, self._passed_by(fresh))
        for stretch in fresh:
            stretch.rows = kept + order.rows(self.path, stretch.start, stretch.stop, skip)
            skip, kept = 0, []
        self._note_off(loose, fresh)
        return number

    def _reach(self, keep: int, moved: list[int]) -> int:
        """The first place on the path that rows which came or left can change: the row there is of their
        message, makes the call that they answer, or is their parent."""
        index, place = self.index, self.place
        calls = {index.peer[row] if index.kind[row] == Kind.RESULT else row for row in moved}
        near = calls | {index.parent[row] for row in moved}
        for message in {index.message[call] for call in calls if call >= 0} - {NONE}:
            near.update(index.fragments_of_message(message))
        todo = [row for row in near if row >= 0 and self._is_put(row)]
        while todo:
            above = {each for each in self._above(todo.pop()) if each >= 0} - near
            near |= above
            todo += filter(self._is_put, above)
        return min([keep - 1, *(place[row] for row in near if row >= 0 and place[row] != OFF)])

    def _cut(self, start: int) -> list[Stretch]:
        """The stretches of the path from a place on: one before the first boundary, one from each."""
        path, place, kind = self.path, self.place, self.index.kind
        bounds = (place[boundary.row] for boundary in self.index.boundaries)
        starts = sorted({start, *(bound for bound in bounds if bound > start)})
        return [
            Stretch(begin, end, path[begin] if kind[path[begin]] == Kind.BOUNDARY else None)
            for begin, end in pairwise((*starts, len(path)))
        ]

    def _unchanged(self, stretch: Stretch, reach: int) -> tuple[int, list[int]]:
        """How much of a stretch stays as it is before place `reach`: places of its path, and rows.

        What stands before a prompt is settled: nothing later is put there that is not reached for.
        """
        kind, path, rows = self.index.kind, self.path, stretch.rows
        place = min(reach, stretch.stop - 1)
        while place > stretch.start and kind[path[place]] != Kind.PROMPT:
            place -= 1
        number = len(rows)
        while number and kind[path[place]] == Kind.PROMPT:
            number -= 1
            if rows[number] == path[place]:
                return place - stretch.start, rows[:number]
        return 0, []

    def _unname(self, stretches: list[Stretch], kept: int) -> list[int]:
        """Mark the rows of old stretches as not on the line, but for the first `kept`. Returns those rows."""
        rows = [row for stretch in stretches for row in stretch.rows][kept:]
        for row in rows:
            self.on_line[row] = 0
        return rows

    def _hang(self, loose: list[int]) -> None:
        """Remember which replies beside the path hang on which record, and on which message."""
        kind, parents = self.index.kind, self.index.parent
        for row in loose:
            if IS_REPLY[kind[row]] and parents[row] >= 0:
                self._hanging.setdefault(parents[row], set()).add(row)
                above, steps = parents[row], 0
                while above >= 0 and not IN_CHAIN[kind[above]] and steps < MAX_CLIMB:
                    above, steps = parents[above], steps + 1
                if above >= 0 and steps:
                    self._hanging.setdefault(above, set()).add(row)

    def _passed_by(self, stretches: list[Stretch]) -> dict[int, list[int]]:
        """The replies that system records on some stretches pass by."""
        start = stretches[0].start
        return replies_passed_by(self.index, self._hanging, self.place, self.path, start)

    def _note_off(self, loose: list[int], stretches: list[Stretch]) -> None:
        """Note which rows are beside the line now; what is known of them stays where none came or went."""
        before = len(self._off)
        for stretch in stretches:
            self._off.difference_update(stretch.rows)
        off = [row for row in loose if not self.on_line[row]]
        self._off.update(off)
        if off or len(self._off) != before:
            self._off_chain = self._branches = None


def _run(parents: Sequence[int], rows: list[int], opened: int) -> int:
    """Follow parents up the file from the last of `rows`, adding each, while they stand below row `opened`.

    Returns the last row that was added.
    """
    add, row = rows.append, rows[-1]
    above = parents[row]
    while opened < above < row:
        add(above)
        row = above
        above = parents[row]
    return row
