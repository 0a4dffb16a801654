"""Files that share records: how they begin, which of two wrote the shared ones first.

A fork's file begins with copies of another's records. What follows from that (links between sessions, a
hit told once) rests on the answers given here, so that all of ccbrowse takes the same file for the source.
"""

from __future__ import annotations

import re
from pathlib import Path

from ccbrowse.core.chain import Elsewhere
from ccbrowse.core.index import NO_TIME, SessionIndex
from ccbrowse.core.session import Session

_HEAD = 1 << 15
"""Bytes at the start of a file that hold the first of its records' ids."""

_FIRST_IDS = 8
_UUID = re.compile(rb'"uuid"\s*:\s*"([^"\\]{1,64})"')


def head_of(path: Path | str) -> bytes:
    """How a file begins, its first records among it; nothing where it cannot be read."""
    try:
        with Path(path).open("rb", buffering=0) as file:
            return file.read(_HEAD)
    except OSError:
        return b""


def first_ids(head: bytes) -> list[bytes]:
    """The ids of the first records that a file's head holds, in their order."""
    return [match[1] for match, _ in zip(_UUID.finditer(head), range(_FIRST_IDS), strict=False)]


def first_boundary_elsewhere(session: Session) -> list[Elsewhere]:
    """The other files that hold the boundary that a session begins with: forks copy from the last one on."""
    first = next(iter(session.segments), None)
    if first is None or first.boundary is None or not first.boundary.uuid:
        return []
    return session.folder.neighbours.holders(first.boundary.uuid, session.file.path)


def wrote_first(one: tuple[SessionIndex, Path], two: tuple[SessionIndex, Path]) -> bool:
    """Whether the first of two files wrote the records that they share before the second did.

    The mark of a fork says so. Without one: copies keep their times, so who went on by itself first was
    first, else whose file was written first; of two that are alike in all that, the one of the lesser name.
    """
    (index, path), (other, other_path) = one, two
    if _came_from(other, path):
        return True
    if _came_from(index, other_path):
        return False
    return (own_since(index, other), modified(path), str(path)) < (
        own_since(other, index),
        modified(other_path),
        str(other_path),
    )


def own_since(index: SessionIndex, other: SessionIndex) -> int:
    """When a file began to hold what the other does not, notes of the client too; else when it ended."""
    own = (row for row, uuid in enumerate(index.uuids) if uuid is None or uuid not in other.rows)
    times = (index.time[row] for row in own)
    return min((time for time in times if time != NO_TIME), default=index.facts.updated)


def modified(path: Path) -> int:
    """When a file was last written, in nanoseconds; 0 where it is gone."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _came_from(index: SessionIndex, path: Path) -> bool:
    origin = index.facts.forked_from
    return origin is not None and origin[0] == path.stem
