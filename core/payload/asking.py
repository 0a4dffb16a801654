"""The questions that can be asked of a session's requests."""

from collections.abc import Iterable, Iterator

from ccbrowse.core.errors import NoSuchSession
from ccbrowse.core.index import NONE
from ccbrowse.core.payload.leaf import next_leaf
from ccbrowse.core.payload.logged import LoggedReader
from ccbrowse.core.payload.model import Payload, Reply
from ccbrowse.core.payload.rebuilt import Rebuilder
from ccbrowse.core.payload.replies import model_of, replies, version_of
from ccbrowse.core.records import Kind
from ccbrowse.core.segments import CompactionKind, Segment
from ccbrowse.core.session import Session


class Payloads:
    """The requests of one session as it stands: logged where they are, else rebuilt.

    Cheapest when asked in file order. Make another one after the session has grown or changed.
    """

    def __init__(self, session: Session, *, with_messages: bool = True) -> None:
        self.session = session
        self.rebuilder = Rebuilder(session, keep=with_messages)
        self.logged = LoggedReader(session, self.rebuilder.walker, keep=with_messages)

    def of(self, reply: Reply) -> Payload:
        """The request that a reply answered. Raises Gone or OSError where the file cannot be read."""
        found = self.logged.request(reply)
        if isinstance(found, Payload):
            return found
        return self.rebuilder.request(reply, *(() if found is None else (found,)))

    def next(self) -> Payload:
        """The request that would be sent next, without what a person is about to type."""
        session = self.session
        row = next(filter(self._has_version, reversed(session.chain.path)), None)
        newest = next(reversed(session.index.fragments), None)
        said = newest[0] if isinstance(newest, list) else newest
        model = None if said is None else model_of(session, said)
        return self.rebuilder.at(
            next_leaf(session), len(session.index), version_of(session, row), model
        )

    def _has_version(self, row: int) -> bool:
        return "version" in self.session.record(row)


def payload_of(session: Session, reply: Reply, *, with_messages: bool = True) -> Payload:
    """The request that a reply answered."""
    return Payloads(session, with_messages=with_messages).of(reply)


def next_payload(session: Session, *, with_messages: bool = True) -> Payload:
    """The request that would be sent next."""
    return Payloads(session, with_messages=with_messages).next()


def all_payloads(session: Session, *, with_messages: bool = True) -> Iterator[Payload]:
    """The requests of all replies of a file, in file order; memory holds one at a time.

    Without messages only counts are made: one pass over the records.
    """
    payloads = Payloads(session, with_messages=with_messages)
    for reply in replies(session):
        yield payloads.of(reply)


def reply_before(session: Session, number: int) -> Reply | None:
    """The reply of the last request before compaction `number` of the main line (from 1).

    None where no reply stands before it. What a partial compaction summed up *from* a message on has
    left the main line, so that there the file's order decides. Raises NoSuchSession where there is
    no such compaction.
    """
    opened = opened_by(session, number)
    boundary = opened.boundary
    if boundary is not None and boundary.kind is CompactionKind.PARTIAL_FROM:
        rows: Iterable[int] = range(boundary.row - 1, -1, -1)
    else:
        before = reversed(session.segments[: opened.number - 1])
        rows = (row for segment in before for row in reversed(segment.rows))
    return next((reply for row in rows if (reply := _reply_at(session, row))), None)


def reply_after(session: Session, number: int) -> Reply | None:
    """The reply of the first request after compaction `number`; None where there is none yet.

    After a compaction that is followed by another at once, that is the first one after both.
    """
    opened = opened_by(session, number)
    for segment in session.segments[opened.number - 1 :]:
        kept = _kept(session, segment)
        for row in segment.rows:
            if row not in kept and (reply := _reply_at(session, row)) is not None:
                return reply
    return None


def _kept(session: Session, segment: Segment) -> set[int]:
    """The rows that a segment's boundary kept; in a fork they stand in the segment itself."""
    named = segment.boundary.preserved if segment.boundary else ()
    found = (session.index.row_of(uuid) for uuid in named)
    return {*segment.carried_over, *(row for row in found if row is not None)}


def before_compaction(
    session: Session, number: int, *, with_messages: bool = True
) -> Payload | None:
    """The last request before a compaction."""
    reply = reply_before(session, number)
    return None if reply is None else payload_of(session, reply, with_messages=with_messages)


def after_compaction(
    session: Session, number: int, *, with_messages: bool = True
) -> Payload | None:
    """The first request after a compaction; None where there is none yet."""
    reply = reply_after(session, number)
    return None if reply is None else payload_of(session, reply, with_messages=with_messages)


def opened_by(session: Session, number: int) -> Segment:
    """The segment that compaction `number` opened. Raises NoSuchSession."""
    opened = [segment for segment in session.segments if segment.boundary is not None]
    if not 1 <= number <= len(opened):
        have = f"it has compactions 1 to {len(opened)}" if opened else "it was never compacted"
        raise NoSuchSession(f"{number} of {session.session_id}", have, "no such compaction")
    return opened[number - 1]


def _reply_at(session: Session, row: int) -> Reply | None:
    """The reply that a row is a fragment of."""
    index = session.index
    known = index.kind[row] == Kind.ASSISTANT and index.message[row] != NONE
    if not known or index.is_sidechain(row):
        return None
    first = index.fragments_of(row)[0]
    message = session.record(first).get("message")
    name = message.get("id") if isinstance(message, dict) else None
    return Reply(name, first) if isinstance(name, str) else None
