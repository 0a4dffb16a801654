"""The way back from a record: parents, with the messages that a boundary kept linked in where they are sent.

A boundary's kept messages are not copied: they stand above it, and only its list says that the
conversation goes summary, kept messages, the rest. The newest such list before a request holds for
the whole request.
"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field

from ccbrowse.core.index import MISSING, SessionIndex
from ccbrowse.core.records import Kind
from ccbrowse.core.session import Session


@dataclass(frozen=True, slots=True)
class Kept:
    """What a boundary kept: `before[row]` is the record that a kept one is sent after, `last` the last.

    `anchor` is the record after which the kept ones come; its other children come after them.
    """

    boundary: int
    anchor: int
    last: int
    before: dict[int, int] = field(default_factory=dict)


class Walker:
    """Walks back over the records of a session as they stood before a row."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.index: SessionIndex = session.index
        self._kept: dict[int, Kept | None] = {}

    def kept_before(self, limit: int) -> Kept | None:
        """The newest list of kept messages before a row."""
        boundaries = self.index.boundaries
        at = bisect_left(boundaries, limit, key=lambda boundary: boundary.row)
        for boundary in reversed(boundaries[:at]):
            row = boundary.row
            if row not in self._kept:
                self._kept[row] = self._list(row)
            if (kept := self._kept[row]) is not None:
                return kept
        return None

    def _list(self, row: int) -> Kept | None:
        links = self.session.chain.links
        rows = links.kept_rows(row)
        if not rows:
            return None
        named = links.boundary(row).facts.anchor
        anchor = self.index.row_of(named) if named else None
        if anchor is None:
            summary = links.summary_of(row)
            anchor = row if summary is None else summary
        return Kept(row, anchor, rows[-1], dict(zip(rows, [anchor, *rows], strict=False)))

    def before(self, row: int, kept: Kept | None) -> int | None:
        """The record that is sent before this one; None where the request starts."""
        if kept is not None and row in kept.before:
            return kept.before[row]
        if self.index.kind[row] == Kind.BOUNDARY:
            return None
        parent: int | None = self.index.parent[row]
        if parent == MISSING:
            parent = self._before_missing(row)
        elif parent is not None and parent < 0:
            return None
        return kept.last if kept is not None and parent == kept.anchor else parent

    def _before_missing(self, row: int) -> int | None:
        """What the main line found in place of a parent that the file does not hold."""
        chain = self.session.chain
        place = chain.place[row]
        if place > 0:
            return chain.path[place - 1]
        return None

    def back(self, leaf: int | None, kept: Kept | None) -> Iterator[int]:
        """The records from a leaf back to where its request starts, each once."""
        seen: set[int] = set()
        row = leaf
        while row is not None and row not in seen:
            seen.add(row)
            yield row
            row = self.before(row, kept)


class Path:
    """The records of a request from its first to its leaf, kept up to date from leaf to leaf.

    The next request mostly continues the last one, so only the way from its leaf to what is known
    already is walked. `place[row]` is where a row stands in `rows`.
    """

    def __init__(self, walker: Walker) -> None:
        self.walker = walker
        self.rows: list[int] = []
        self.place: dict[int, int] = {}
        self.kept: Kept | None = None

    def move(self, leaf: int | None, limit: int) -> int:
        """Go to a leaf, with the lists of kept messages before `limit`; how many rows stay as they are."""
        kept = self.walker.kept_before(limit)
        if kept is not self.kept:
            self.kept = kept
            self._cut(0)
        new: list[int] = []
        stay = 0
        for row in self.walker.back(leaf, kept):
            known = self.place.get(row)
            if known is not None:
                stay = known + 1
                break
            new.append(row)
        self._cut(stay)
        for row in reversed(new):
            self.place[row] = len(self.rows)
            self.rows.append(row)
        return stay

    @property
    def torn(self) -> bool:
        """Whether the first record names a parent that is nowhere: what stood before it is unknown."""
        return bool(self.rows) and self.walker.index.parent[self.rows[0]] == MISSING

    def _cut(self, length: int) -> None:
        for row in self.rows[length:]:
            del self.place[row]
        del self.rows[length:]
