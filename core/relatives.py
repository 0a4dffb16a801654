"""The sessions that a session was forked into, and the one that it was forked from.

A fork is a file of its own that begins with copies of another's records: under the same uuids, or under
new ones that name their source in `forkedFrom`. A fork of a compacted session begins at its last boundary.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ccbrowse.core.errors import CcbrowseError
from ccbrowse.core.index import NO_TIME, SessionIndex
from ccbrowse.core.locate import is_session_name, session_file
from ccbrowse.core.session import Session

_HEAD = 1 << 15
"""Bytes at the start of a file that hold the first of its records' ids."""

_FIRST_IDS = 8
_LARGEST = 64 << 20
"""Bytes of a file above which it is not read for this."""

_MOST = 20
"""Related files that are read."""

_UUID = re.compile(rb'"uuid"\s*:\s*"([^"\\]{1,64})"')


@dataclass(frozen=True, slots=True)
class Relative:
    """Another session's file that shares records: whether it wrote them first, and the last of them."""

    path: Path
    session_id: str
    title: str
    older: bool
    row: int
    """The last shared record's row in the session that asked."""
    uuid: str
    """That record's uuid in the other file."""


def relatives_of(session: Session) -> tuple[Relative, ...]:
    """The session's source, where it is a fork, and its own forks. Reads files of its folder: from a worker.

    Two forks of one session share its records too: neither is told of the other.
    """
    if session.agent_id is not None:
        return ()
    found: list[tuple[int, Relative]] = []
    for path in _candidates(session):
        try:
            other = Session(session_file(path, session.file.root), session.folder)
        except (OSError, CcbrowseError):
            continue
        try:
            relative = _relative(session, other)
        finally:
            other.close()
        if relative is not None:
            found.append((_own_since(other.index, session.index), relative))
    older = [(each.row, -since, each) for since, each in found if each.older]
    source = max(older, key=lambda each: each[:2], default=None)
    from_source = source[0] if source is not None else -1
    forks = [each for _, each in found if not each.older and each.row > from_source]
    return (source[2], *forks) if source is not None else tuple(forks)


def _candidates(session: Session) -> Iterator[Path]:
    """The files whose first records tell that they may share some; the newest ones where there are many."""
    own, index = session.file.path, session.index
    ours = set(_first_ids(_head(own)))
    source = session.continues_from
    origin = index.facts.forked_from
    named = {*_of_first_boundary(session), source.file if source else ""}
    if origin is not None:
        named.add(str(own.parent / f"{origin[0]}.jsonl"))
    count = 0
    for path in sorted(own.parent.glob("*.jsonl"), key=_written, reverse=True):
        if path == own or not is_session_name(path.name) or count >= _MOST:
            continue
        head = _head(path)
        ids = _first_ids(head)
        copies = any(index.row_of(uuid) is not None for uuid in ids)
        marked = b'"forkedFrom"' in head and session.session_id.encode() in head
        if copies or marked or str(path) in named or ours.intersection(ids):
            count += 1
            yield path


def _of_first_boundary(session: Session) -> list[str]:
    """The other files that hold the boundary that this one begins with."""
    first = next(iter(session.segments), None)
    if first is None or first.boundary is None or not first.boundary.uuid:
        return []
    found = session.folder.neighbours.holders(first.boundary.uuid, session.file.path)
    return [other.file for other in found]


def _relative(session: Session, other: Session) -> Relative | None:
    """What two sessions share; None where that is nothing."""
    index, their = session.index, other.index
    shared = {row: uuid for uuid, row in index.rows.items() if uuid in their.rows}
    for uuid, row in index.origin_rows.items():  # our copies of theirs
        if uuid in their.rows:
            shared[row] = uuid
    for uuid, row in their.origin_rows.items():  # their copies of ours
        mine = index.row_of(uuid)
        name = their.uuids[row]
        if mine is not None and name is not None:
            shared[mine] = name
    on_line = [row for row in shared if session.chain.on_line[row]]
    if not on_line:
        return None
    last = max(on_line)
    return Relative(
        other.file.path,
        other.session_id,
        other.title.text,
        _is_older(session, other),
        last,
        shared[last],
    )


def _is_older(session: Session, other: Session) -> bool:
    """Whether the other file wrote the shared records first.

    Their marks say so, else the names in their records; else who went on by itself first.
    """
    for one, two, answer in ((session, other, True), (other, session, False)):
        origin = one.index.facts.forked_from
        if origin is not None and origin[0] == two.session_id:
            return answer
    ours, theirs = _own_since(session.index, other.index), _own_since(other.index, session.index)
    return theirs < ours


def _own_since(index: SessionIndex, other: SessionIndex) -> int:
    """When a file began to hold what the other does not, notes of the client too; else when it ended."""
    own = (row for row, uuid in enumerate(index.uuids) if uuid is None or uuid not in other.rows)
    times = (index.time[row] for row in own)
    return min((time for time in times if time != NO_TIME), default=index.facts.updated)


def _head(path: Path) -> bytes:
    try:
        if path.stat().st_size > _LARGEST:
            return b""
        with path.open("rb", buffering=0) as file:
            return file.read(_HEAD)
    except OSError:
        return b""


def _first_ids(head: bytes) -> list[str]:
    found = zip(_UUID.finditer(head), range(_FIRST_IDS), strict=False)
    return [match[1].decode("utf-8", "replace") for match, _ in found]


def _written(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
