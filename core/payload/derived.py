"""Messages that a log names by their hash alone, found again in the records.

The client logs only what it cannot derive itself: a user record as it is, a reply with all its
fragments, neighbouring user records as one message. Candidates are made on the way back from the
reply, and only until each hash that is wanted has met its message.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from ccbrowse.core.index import CALL, NONE
from ccbrowse.core.payload.canonical import message_hash
from ccbrowse.core.payload.model import Message
from ccbrowse.core.payload.relink import Walker
from ccbrowse.core.payload.turns import content_of
from ccbrowse.core.records import USER_KINDS, Kind
from ccbrowse.core.session import Session

_LONGEST_RUN = 100
"""User records in a row that are taken as one message at most."""

_MOST_PARTS = 200
"""Parts of one run that are tried."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a message stands: in a blob's row, or in records of one role."""

    role: str
    rows: tuple[int, ...]


def message_at(session: Session, place: Place) -> Message:
    """The message of a place, as it was sent: a lone record's content as it is, else all blocks."""
    if place.role == "blob":
        message = session.record(place.rows[0]).get("message")
        return message if isinstance(message, dict) else {}
    if len(place.rows) == 1:
        record = session.record(place.rows[0]).get("message")
        content = record.get("content") if isinstance(record, dict) else record
        return {"role": place.role, "content": content}
    blocks = [block for row in place.rows for block in content_of(session, row)]
    return {"role": place.role, "content": blocks}


def digest_of(message: Message) -> bytes:
    """The hash of a message, as the log holds it."""
    return bytes.fromhex(message_hash(message))


class Finder:
    """Finds the messages of hashes in a session's records."""

    def __init__(self, session: Session, walker: Walker) -> None:
        self.session = session
        self.walker = walker
        self._everywhere: dict[bytes, Place] = {}
        self._read = 0

    def find(self, wanted: set[bytes], reply_row: int) -> dict[bytes, Place]:
        """The places of the hashes wanted, as far as records before a reply hold them."""
        found: dict[bytes, Place] = {}
        missing = set(wanted)
        for candidates in (self._likely(reply_row), self._parts(reply_row)):
            for place in candidates:
                if not missing:
                    return found
                digest = digest_of(message_at(self.session, place))
                if digest in missing:
                    found[digest] = place
                    missing.remove(digest)
        if missing:
            self._read_up_to(reply_row)
        return found | {d: self._everywhere[d] for d in missing if d in self._everywhere}

    def _read_up_to(self, limit: int) -> None:
        """Take in all records before a row, wherever they hang: what the client knew, links may not tell.

        Each is read once, so that a log with many holes does not cost a pass for each of them.
        """
        index = self.session.index
        run: list[int] = []
        for row in range(self._read, limit):
            kind = index.kind[row]
            if kind in USER_KINDS:
                run = [*run[-_LONGEST_RUN:], row]
                self._add(Place("user", (row,)))
                if len(run) > 1:
                    self._add(Place("user", tuple(run)))
            elif kind in (Kind.ASSISTANT, Kind.ERROR):
                run = []
                rows = index.fragments_of(row) if kind == Kind.ASSISTANT else [row]
                self._add(Place("assistant", tuple(r for r in rows if r < limit)))
        self._read = max(self._read, limit)

    def _add(self, place: Place) -> None:
        self._everywhere.setdefault(digest_of(message_at(self.session, place)), place)

    def _likely(self, reply_row: int) -> Iterator[Place]:
        """On the way back: each user record alone, each run of them as one message, each reply."""
        for run, whole, reply in self._way_back(reply_row):
            for row in whole:
                yield Place("user", (row,))
            if len(run) > 1:
                yield Place("user", tuple(run))
            if len(whole) > 1 and whole != run:
                yield Place("user", tuple(whole))
            if reply:
                yield Place("assistant", reply)

    def _parts(self, reply_row: int) -> Iterator[Place]:
        """On the way back again: neighbours within a run."""
        for _, whole, _ in self._way_back(reply_row):
            spans = (
                (start, start + length)
                for length in range(len(whole) - 1, 1, -1)
                for start in range(len(whole) - length + 1)
            )
            for start, stop in islice(spans, _MOST_PARTS):
                yield Place("user", tuple(whole[start:stop]))

    def _way_back(self, reply_row: int) -> Iterator[tuple[list[int], list[int], tuple[int, ...]]]:
        """Runs of user records from a reply back, and the reply that each run follows.

        A run comes twice: as the links have it, and in file order with all results of the reply.
        """
        index = self.session.index
        kept = self.walker.kept_before(reply_row)
        run: list[int] = []
        replied: set[int] = set()
        for row in self.walker.back(self.walker.before(reply_row, kept), kept):
            kind, message = index.kind[row], index.message[row]
            if kind in USER_KINDS:
                run.append(row)
            elif kind == Kind.ERROR or (kind == Kind.ASSISTANT and message not in replied):
                known = message != NONE and kind == Kind.ASSISTANT
                rows = index.fragments_of(row) if known else [row]
                fragments = tuple(r for r in rows if r < reply_row)
                yield run[::-1], self._whole(run, fragments, reply_row), fragments
                run = []
                replied.add(message)
        yield run[::-1], self._whole(run, (), reply_row), ()

    def _whole(self, run: list[int], fragments: tuple[int, ...], limit: int) -> list[int]:
        index = self.session.index
        calls = (row for row in fragments if index.flags[row] & CALL)
        results = (r for call in calls for r in index.results_of(call) if r < limit)
        return sorted({*run, *results})[:_LONGEST_RUN]
