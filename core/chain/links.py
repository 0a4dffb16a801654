"""Where a record continues from: parents, boundaries, kept messages, and what repairs them.

`Links.before(row)` answers one question, "which record stands before this one on the line", by the
rules of the format; it never walks far, and says as a `Note` what it had to repair.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from enum import StrEnum

from msgspec import Struct

from ccbrowse.core.index import MISSING, REPLAY, ROOT, IndexedBoundary, SessionIndex
from ccbrowse.core.records import LINK_KINDS, Kind

MAX_KEPT_CLIMB = 10_000
"""Links followed to list one kept segment that is only given by its head and tail; all boundaries of
a file together may follow as many as it has records, and this many more."""

GOES_ON = frozenset({Kind.BOUNDARY, Kind.SUMMARY})
"""Records that something may stand before although they have no parent."""

_UNKNOWN = -1
_ELSEWHERE = "logical_parent_in_other_file"
_IS_LINK = bytes(kind in LINK_KINDS for kind in range(256))
_IS_SILENT = bytes(
    kind in (Kind.ATTACHMENT, Kind.PROGRESS, Kind.SYSTEM, Kind.LINK) for kind in range(256)
)


class ResolvedBy(StrEnum):
    """How the record before a boundary was found."""

    LOGICAL_PARENT = "logicalParentUuid"
    SIDE_FILE = "side_file"
    OTHER_FILE = "other_file"
    PRESERVED = "preserved"
    FILE_ORDER = "file_order"
    NONE = "none"


class Elsewhere(Struct, frozen=True):
    """A record in another session's file."""

    session_id: str
    file: str
    uuid: str


class Note(Struct, frozen=True):
    """A repair: its finding code, the row, and what it was about."""

    code: str
    row: int
    detail: str = ""


class Surroundings(Struct, frozen=True):
    """What other files know: parents in side files, and records in other sessions.

    `side_parent(uuid)` is the parentUuid of a record in a side file, or None; `elsewhere(uuid, starts)`
    says which other session's file holds a record: `starts` where this file has none before it.
    """

    side_parent: Callable[[str], str | None]
    elsewhere: Callable[[str, bool], Elsewhere | None]


ALONE = Surroundings(lambda uuid: None, lambda uuid, starts: None)
"""A file with nothing beside it."""


class Links:
    """The links of one index, repaired as they are asked for.

    `resolved[row]` tells of each boundary asked how the record before it was found; `source` is
    where the conversation goes on in another file, if it does.
    """

    def __init__(self, index: SessionIndex, around: Surroundings) -> None:
        self.index = index
        self.around = around
        self.notes: list[Note] = []
        self.resolved: dict[int, ResolvedBy] = {}
        self.source: Elsewhere | None = None
        self.looped = False
        self._boundaries: dict[int, IndexedBoundary] = {}
        self._boundary_rows: list[int] = []
        self._kept_by: dict[int, list[int]] = {}
        self._summaries: dict[int, int] = {}
        self._missing: dict[int, str] | None = None
        self._roots = array("i")
        self._logical_parents: set[str] = set()
        self._before_unseen: dict[int, int] = {}
        self._awaited: set[str] = set()
        self._kept: dict[int, list[int]] = {}
        self._climbed = 0
        self._first_children: dict[int, int] | None = None

    def refresh(self) -> None:
        """Take in boundaries that the index has gained."""
        index = self.index
        for boundary in index.boundaries[len(self._boundary_rows) :]:
            self._boundaries[boundary.row] = boundary
            self._boundary_rows.append(boundary.row)
            if boundary.logical_parent:
                self._logical_parents.add(boundary.logical_parent)
            for row in self.kept_rows(boundary.row):
                self._kept_by.setdefault(row, []).append(boundary.row)
        self._missing = None
        self._first_children = None
        self._roots = array("i")

    def forget(self, place: array[int]) -> None:
        """Let go of what was noted on rows that are not on the path (`place` below 0) any more."""
        if any(place[note.row] < 0 for note in self.notes):
            self.notes = [note for note in self.notes if place[note.row] >= 0]
            if not any(note.code == _ELSEWHERE for note in self.notes):
                self.source = None

    def boundary(self, row: int) -> IndexedBoundary:
        """The boundary at a row."""
        return self._boundaries[row]

    def boundary_above(self, row: int) -> int:
        """The nearest boundary at or above a row, by the order of the file; -1 where there is none."""
        place = bisect_right(self._boundary_rows, row)
        return self._boundary_rows[place - 1] if place else -1

    def is_link(self, row: int) -> bool:
        """Whether a record can stand on the main line's path: linked, not a repeat, of the main lane."""
        index = self.index
        return bool(
            _IS_LINK[index.kind[row]]
            and not index.flags[row] & REPLAY
            and not index.is_sidechain(row)
            and index.uuids[row] is not None
        )

    def is_logical_parent(self, uuid: str | None) -> bool:
        """Whether a boundary names this record as the one before it."""
        return uuid in self._logical_parents

    def logical_rows(self) -> dict[int, int]:
        """Per boundary the row that it names as the one before it, where the file has that."""
        named = ((each.row, each.logical_parent) for each in self.index.boundaries)
        rows = ((row, self.index.row_of(uuid)) for row, uuid in named if uuid)
        return {row: above for row, above in rows if above is not None}

    def awaited_came(self) -> bool:
        """Whether the file now holds a record that a boundary names and that was not there before."""
        return any(self.index.row_of(uuid) is not None for uuid in self._awaited)

    def start_walk(self) -> None:
        """Forget what the last walk has seen."""
        self._before_unseen.clear()

    def newest(self, below: int) -> int | None:
        """The newest record of the main lane before row `below`."""
        row = below - 1
        while row >= 0 and not self.is_link(row):
            row -= 1
        return row if row >= 0 else None

    def newest_unseen(self, below: int, seen: bytearray) -> int | None:
        """As `newest`, and not on the path yet. Rows found seen are skipped at once the next time."""
        row, passed = below - 1, []
        while row >= 0 and (seen[row] or not self.is_link(row)):
            passed.append(row)
            self.looped = self.looped or bool(seen[row])
            row = self._before_unseen.get(row, row - 1)
        for skipped in passed:
            self._before_unseen[skipped] = row
        return row if row >= 0 else None

    def before(self, row: int, seen: bytearray) -> int | None:
        """The record before this one; None where the line starts. `seen` marks rows on the path."""
        if self.index.kind[row] == Kind.BOUNDARY:
            return self._before_boundary(row, seen)
        parent = self.index.parent[row]
        if parent == ROOT:
            # A summary without a parent still goes on from what it sums up.
            return self._unnamed(row, seen) if self.index.kind[row] == Kind.SUMMARY else None
        if parent == MISSING:
            return self._before_missing(row, seen)
        return self._around_boundaries(row, parent, seen)

    def _before_missing(self, row: int, seen: bytearray) -> int | None:
        if self._missing is None:
            self._missing = self.index.missing_parents()
        uuid = self._missing.get(row, "")
        if not uuid:
            return self._unnamed(row, seen)
        found = self._through_side_files(uuid)
        if found is not None and not seen[found]:
            self.notes.append(Note("parent_in_side_file", row, uuid))
            return found
        self.notes.append(Note("parent_missing", row, uuid))
        return self._by_file_order(row, seen)

    def _unnamed(self, row: int, seen: bytearray) -> int | None:
        """The record before one that must have a parent and names none."""
        found = self._by_file_order(row, seen)
        if found is not None:
            self.notes.append(Note("parent_unnamed", row))
        return found

    def _by_file_order(self, row: int, seen: bytearray) -> int | None:
        return self.newest_unseen(row, seen)

    def cut_loop(self, row: int, seen: bytearray) -> int | None:
        """The record before one whose link leads back onto the path."""
        self.looped = True
        self.notes.append(Note("parent_loop", row))
        return self._by_file_order(row, seen)

    def _through_side_files(self, uuid: str) -> int | None:
        """The row that a chain of side-file records hangs on; None where it ends elsewhere."""
        passed = set[str]()
        found: str | None = uuid
        while found and found not in passed:
            passed.add(found)
            found = self.around.side_parent(found)
            if found is not None and (row := self.index.row_of(found)) is not None:
                return row
        return None

    def _around_boundaries(self, row: int, parent: int, seen: bytearray) -> int | None:
        """The parent, or the end of what a boundary put between the two."""
        bounds = self._boundary_rows
        between = bisect_left(bounds, row)
        if not between or bounds[between - 1] <= parent:
            return parent
        newest = bounds[between - 1]
        if self.index.kind[row] == Kind.SUMMARY and self._own_summary(newest, row):
            return newest
        if (end := self._after_kept(row, parent)) != parent:
            return end
        if self._leads_nowhere(parent, row):
            self.notes.append(Note("boundary_bypassed", row))
            return self._by_file_order(row, seen)
        return parent

    def _after_kept(self, row: int, parent: int) -> int:
        """The parent; where a boundary between the two kept it, the end of what opens after that one."""
        keepers = self._kept_by.get(parent, [])
        place = bisect_left(keepers, row)
        if not place or keepers[place - 1] <= parent:
            return parent
        self.notes.append(Note("kept_relinked", row))
        return self._opening_end(keepers[place - 1], row)

    def _own_summary(self, boundary: int, row: int) -> bool:
        """Whether this is the boundary's own summary: no other stands between the two."""
        return self.summary_of(boundary) in (None, row)

    def _opening_end(self, boundary: int, row: int) -> int:
        """Where records after a boundary go on: its summary, if that stands before `row`."""
        summary = self.summary_of(boundary)
        return summary if summary is not None and summary < row else boundary

    def summary_of(self, boundary: int) -> int | None:
        """The summary that a boundary left: the first one after it, before the next boundary."""
        known = self._summaries.get(boundary)
        if known is not None:
            return known
        index = self.index
        for row in range(boundary + 1, min(len(index), boundary + 200)):
            kind = index.kind[row]
            if kind == Kind.BOUNDARY:
                return None
            if kind == Kind.SUMMARY and not index.flags[row] & REPLAY:
                self._summaries[boundary] = row
                return row
        return None

    def kept_rows(self, boundary: int) -> list[int]:
        """The rows that a boundary kept, in order; those that the file does not hold are left out."""
        known = self._kept.get(boundary)
        if known is None:
            known = self._kept[boundary] = self._find_kept(boundary)
        return known

    def _find_kept(self, boundary: int) -> list[int]:
        facts, index = self._boundaries[boundary].facts, self.index
        if facts.kept:
            found = {uuid: index.row_of(uuid) for uuid in facts.kept}
            self._awaited.update(uuid for uuid, row in found.items() if row is None)
            return [row for row in found.values() if row is not None and row != boundary]
        ends = [(uuid, index.row_of(uuid) if uuid else None) for uuid in (facts.head, facts.tail)]
        self._awaited.update(uuid for uuid, row in ends if uuid and row is None)
        (_, head), (_, tail) = ends
        if tail is None:
            return [] if head is None else [head]
        return [tail] if head is None or head == tail else self._climb(tail, head)

    def _climb(self, tail: int, head: int) -> list[int]:
        """From a tail up to its head, head first; both ends alone where no links join them."""
        index = self.index
        most = min(MAX_KEPT_CLIMB, len(index) + MAX_KEPT_CLIMB - self._climbed)
        rows, row = [tail], tail
        while row != head:
            row = index.parent[row]
            if row < 0 or index.kind[row] == Kind.BOUNDARY or len(rows) >= most:
                return [head, tail]
            rows.append(row)
            self._climbed += 1
        return rows[::-1]

    def _leads_nowhere(self, parent: int, row: int) -> bool:
        """Whether a record before a boundary is a stale end: no message, and nothing else hangs on it."""
        if not _IS_SILENT[self.index.kind[parent]]:
            return False
        if self.index.uuids[parent] in self._logical_parents:
            return False
        return self._first_child(parent) == row

    def _first_child(self, parent: int) -> int | None:
        """The first record after a silent one that hangs on it; found for all of them at once."""
        if self._first_children is None:
            parents, silent = self.index.parent, self.index.kind.translate(_IS_SILENT)
            self._first_children = {}
            for row in range(len(parents) - 1, -1, -1):
                above = parents[row]
                if 0 <= above < row and silent[above]:
                    self._first_children[above] = row
        return self._first_children.get(parent)

    def _before_boundary(self, row: int, seen: bytearray) -> int | None:
        boundary, index = self._boundaries[row], self.index
        uuid = boundary.logical_parent
        looped = False
        if uuid:
            found = index.row_of(uuid)
            if found is not None and not seen[found] and self._root(found) != row:
                return self._resolve(row, self._after_kept(row, found), ResolvedBy.LOGICAL_PARENT)
            looped = found is not None
            if not looped:
                self._awaited.add(uuid)
                if (found := self._through_side_files(uuid)) is not None and not seen[found]:
                    return self._resolve(row, found, ResolvedBy.SIDE_FILE)
                if other := self.around.elsewhere(uuid, self.newest(row) is None):
                    self.source = other
                    self.notes.append(Note(_ELSEWHERE, row, other.session_id))
                    return self._resolve(row, None, ResolvedBy.OTHER_FILE)
        return self._before_unlinked(row, seen, uuid, looped)

    def _before_unlinked(
        self, row: int, seen: bytearray, uuid: str | None, looped: bool
    ) -> int | None:
        """The record before a boundary whose logical parent does not help."""
        self.looped |= looped
        parent = self.index.parent[row]
        if parent >= 0 and not uuid:
            if not seen[parent]:
                return self._resolve(row, parent, ResolvedBy.FILE_ORDER)
            self.looped = True
        kept = [each for each in self.kept_rows(row) if each < row]
        if kept and not seen[kept[-1]]:
            return self._resolve(row, kept[-1], ResolvedBy.PRESERVED)
        found = self._by_file_order(row, seen)
        if found is None:
            self.notes.append(Note("starts_at_boundary", row))
            return self._resolve(row, None, ResolvedBy.NONE)
        if uuid:
            code = "logical_parent_loop" if looped else "logical_parent_missing"
            self.notes.append(Note(code, row, uuid))
        return self._resolve(row, found, ResolvedBy.FILE_ORDER)

    def _resolve(self, row: int, found: int | None, by: ResolvedBy) -> int | None:
        self.resolved[row] = by
        return found

    def _root(self, row: int) -> int:
        """The record that a row descends from by parents alone; remembered, so each is walked once."""
        if not self._roots:
            self._roots = array("i", [_UNKNOWN]) * len(self.index)
        roots, parents, passed = self._roots, self.index.parent, list[int]()
        while roots[row] == _UNKNOWN and parents[row] >= 0:
            roots[row] = row  # for now, so that a circle ends
            passed.append(row)
            row = parents[row]
        root = row if roots[row] == _UNKNOWN else roots[row]
        for step in passed:
            roots[step] = root
        return root
