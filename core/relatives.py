"""The sessions that a session was forked into, and the one that it was forked from.

A fork is a file of its own that begins with copies of another's records: under the same uuids, or under
new ones that name their source in `forkedFrom`. A fork of a compacted session begins at its last boundary.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ccbrowse.core.errors import CcbrowseError
from ccbrowse.core.forks import (
    first_boundary_elsewhere,
    first_ids,
    head_of,
    modified,
    own_since,
    wrote_first,
)
from ccbrowse.core.locate import is_session_name, session_file
from ccbrowse.core.session import Session

_LARGEST = 64 << 20
"""Bytes of a file above which it is not read for this."""

_MOST = 20
"""Related files that are read."""


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
            found.append((own_since(other.index, session.index), relative))
    older = [(each.row, -since, each) for since, each in found if each.older]
    source = max(older, key=lambda each: each[:2], default=None)
    from_source = source[0] if source is not None else -1
    forks = [each for _, each in found if not each.older and each.row > from_source]
    return (source[2], *forks) if source is not None else tuple(forks)


def _candidates(session: Session) -> Iterator[Path]:
    """The files whose first records tell that they may share some; the newest ones where there are many."""
    own, index = session.file.path, session.index
    ours = set(first_ids(head_of(own)))
    source = session.continues_from
    origin = index.facts.forked_from
    named = {other.file for other in first_boundary_elsewhere(session)}
    if source is not None:
        named.add(source.file)
    if origin is not None:
        named.add(str(own.parent / f"{origin[0]}.jsonl"))
    count = 0
    for path in sorted(own.parent.glob("*.jsonl"), key=modified, reverse=True):
        if path == own or not is_session_name(path.name) or count >= _MOST:
            continue
        head = _head(path)
        ids = first_ids(head)
        copies = any(index.row_of(uuid.decode("utf-8", "replace")) is not None for uuid in ids)
        marked = b'"forkedFrom"' in head and session.session_id.encode() in head
        if copies or marked or str(path) in named or ours.intersection(ids):
            count += 1
            yield path


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
        wrote_first((their, other.file.path), (index, session.file.path)),
        last,
        shared[last],
    )


def _head(path: Path) -> bytes:
    """How a file begins; nothing where it is too long to be read."""
    try:
        return b"" if path.stat().st_size > _LARGEST else head_of(path)
    except OSError:
        return b""
