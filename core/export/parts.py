"""What is exported: a segment, a range of messages, a branch, or the whole session, in reading order.

A subagent is a session of its own, so its parts are made the same way.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from ccbrowse.core.chain import Branch, Chain, Stretch, branch_rows
from ccbrowse.core.errors import BadQuery, CcbrowseError, NoSuchSession
from ccbrowse.core.index import SessionIndex
from ccbrowse.core.records import Kind
from ccbrowse.core.segments import Segment
from ccbrowse.core.session import Session

_READ = frozenset(
    {Kind.QUEUED_PROMPT, Kind.SYSTEM, Kind.ATTACHMENT, Kind.MICRO_BOUNDARY, Kind.LINK}
)
"""Kinds beside the chain's that are read with it where the line runs through them."""

MIN_PREFIX = 4
"""Characters of a uuid that suffice where they are unique."""


class Scope(StrEnum):
    """The kinds of part."""

    SESSION = "session"
    SEGMENT = "segment"
    RANGE = "range"
    BRANCH = "branch"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a session: its rows in reading order, and the segments that they stand in.

    `segments` is empty for a branch. `branch` is the arm of a branch, `ends` the first and last row
    of a range.
    """

    session: Session
    scope: Scope
    rows: Sequence[int]
    segments: tuple[Segment, ...]
    branch: Branch | None = None
    ends: tuple[int, int] | None = None

    @property
    def is_whole(self) -> bool:
        """Whether it is the whole session."""
        return self.scope is Scope.SESSION


def whole(session: Session) -> Part:
    """Every segment of the main line."""
    rows = array("i")
    for stretch in session.chain.stretches:
        rows.extend(reading_rows(session.chain, stretch))
    return Part(session, Scope.SESSION, rows, tuple(session.segments))


def segment(session: Session, number: int | None = None) -> Part:
    """One segment, counted from 1; the newest by default. Raises NoSuchSession."""
    if not session.segments:
        raise NoSuchSession(
            session.session_id, "it holds no message; --all writes what it has", "nothing to write"
        )
    found = session.segment(len(session.segments) if number is None else number)
    rows = reading_rows(session.chain, session.chain.stretches[found.number - 1])
    return Part(session, Scope.SEGMENT, rows, (found,))


def message_range(session: Session, first: str, last: str) -> Part:
    """The messages from one uuid to another on the main line, both included.

    A uuid may be given by its unique beginning. Raises CcbrowseError where one is not on the line,
    BadQuery where they stand the other way round.
    """
    every = whole(session)
    start, end = (_position(every.rows, session.index, uuid) for uuid in (first, last))
    if start > end:
        raise BadQuery("a range ends before it starts", f"{first}..{last}", "swap its ends")
    rows = every.rows[start : end + 1]
    numbers = {session.segment_of(row) for row in rows}
    touched = tuple(s for s in session.segments if s.number in numbers)
    return Part(session, Scope.RANGE, rows, touched, ends=(rows[0], rows[-1]))


def branch(session: Session, leaf: str) -> Part:
    """An abandoned arm, by the uuid of its newest record or the unique beginning of it."""
    chain = session.chain
    leaves = [each.leaf for each in chain.branches]
    row = leaves[_position(leaves, session.index, leaf, "see its branches with `ccbrowse show`")]
    arm = chain.branches[leaves.index(row)]
    rows = branch_rows(session.index, row, set(chain.off_chain))
    return Part(session, Scope.BRANCH, rows, (), branch=arm)


def reading_rows(chain: Chain, stretch: Stretch) -> Sequence[int]:
    """The rows of a stretch as they are read: the chain's, with what the line runs through between."""
    kind, place = chain.index.kind, chain.place
    between = [row for row in chain.path[stretch.start : stretch.stop] if kind[row] in _READ]
    if not between:
        return stretch.rows
    followed_by: dict[int, list[int]] = {}
    placed = sorted((place[row], i) for i, row in enumerate(stretch.rows) if place[row] >= 0)
    at, reached = 0, -1
    for row in between:
        while at < len(placed) and placed[at][0] < place[row]:
            reached = max(reached, placed[at][1])
            at += 1
        followed_by.setdefault(reached, []).append(row)
    rows = list(followed_by.get(-1, ()))
    for i, row in enumerate(stretch.rows):
        rows.append(row)
        rows.extend(followed_by.get(i, ()))
    return rows


def _position(
    rows: Sequence[int],
    index: SessionIndex,
    uuid: str,
    hint: str = "only messages of the main line make a range",
) -> int:
    """Where a uuid, or the one that begins so, stands in rows."""
    starts = []
    for at, row in enumerate(rows):
        name = index.uuids[row] or ""
        if name == uuid:
            return at
        if len(uuid) >= MIN_PREFIX and name.startswith(uuid):
            starts.append(at)
    if len(starts) == 1:
        return starts[0]
    raise CcbrowseError(
        "no such message" if not starts else "several messages begin so", uuid, hint
    )
