"""Logged requests: the client's own list of message hashes, each hash met by its message and verified.

As with rebuilt requests, the work is kept from one request to the next: a list mostly continues the
one before it.
"""

from typing import Any

from ccbrowse.core.estimate import family
from ccbrowse.core.payload.canonical import CACHE_MARK, as_blocks, compact_json
from ccbrowse.core.payload.counts import Scale, Sums
from ccbrowse.core.payload.derived import Finder, Place, digest_of, message_at
from ccbrowse.core.payload.merging import lone_text
from ccbrowse.core.payload.model import Message, Payload, PayloadSource, Reply, Unknown
from ccbrowse.core.payload.relink import Walker
from ccbrowse.core.payload.replies import model_of
from ccbrowse.core.payload.requests import LoggedRequest, RequestLog
from ccbrowse.core.session import Session


class LoggedReader:
    """Reads logged requests of one session; cheapest in file order."""

    def __init__(self, session: Session, walker: Walker, *, keep: bool = True) -> None:
        self.session = session
        self.keep = keep
        self.log = RequestLog(session)
        self.finder = Finder(session, walker)
        self.places: dict[bytes, Place] = {}
        self._lost: set[bytes] = set()
        self._start(None)

    def _start(self, model: str | None) -> None:
        self.sums = Sums(Scale(self.session, model))
        self.messages: list[Message] = []
        self._hashes: list[bytes] = []
        self._name: str | None = None

    def request(self, reply: Reply) -> Payload | Unknown | None:
        """The request that a reply answered.

        None where the reply names no logged request; REQUEST_LOG where it does, and rows of that
        request are missing, or a message of it is found nowhere.
        """
        name = self.session.record(reply.row).get("requestRef")
        if not isinstance(name, str):
            return None
        self.log.update()
        logged = self.log.requests.get(name)
        change = self._change(logged) if logged is not None else None
        if logged is None or change is None or not self._find(change[1], reply.row):
            return Unknown.REQUEST_LOG
        model = model_of(self.session, reply.row)
        if family(model) != self.sums.scale.family:
            change = 0, self._hashes[: change[0]] + change[1]
            self._start(model)
        self._follow(name, *change)
        marked, more_bytes = self._marked(logged)
        return Payload(
            reply=reply.id,
            segment=self.session.segment_of(reply.row),
            source=PayloadSource.LOGGED,
            verified=True,
            messages=[marked.get(n, m) for n, m in enumerate(self.messages)] if self.keep else None,
            counts=self.sums.counts(model, more_bytes),
            unknown=self._unknown(logged),
        )

    def _change(self, logged: LoggedRequest) -> tuple[int, list[bytes]] | None:
        """How many messages of the last request stay for this one, and the hashes of those after them.

        None where a request that it builds on is missing.
        """
        continues = logged.base is not None and logged.base == self._name
        if continues and 0 <= logged.keep <= len(self._hashes):
            return logged.keep, logged.hashes()
        hashes = self.log.hashes(logged.id)
        if hashes is None:
            return None
        stay, most = 0, min(len(hashes), len(self._hashes))
        while stay < most and hashes[stay] == self._hashes[stay]:
            stay += 1
        return stay, hashes[stay:]

    def _find(self, hashes: list[bytes], row: int) -> bool:
        """Whether each hash has met its message; new ones are looked for."""
        new = {digest for digest in hashes if digest not in self.places}
        if new & self._lost:
            return False
        for digest in list(new):
            if (blob := self.log.blobs.get(digest)) is not None:
                place = Place("blob", (blob,))
                if digest_of(message_at(self.session, place)) == digest:
                    self.places[digest] = place
                    new.remove(digest)
        if new:
            self.places |= self.finder.find(new, row)
            self._lost |= {digest for digest in new if digest not in self.places}
        return not new & self._lost

    def _follow(self, name: str, stay: int, hashes: list[bytes]) -> None:
        """Bring messages and sums to a request: the first `stay` messages, then those of the hashes."""
        self.sums.cut(stay)
        del self.messages[stay:], self._hashes[stay:]
        new = [self._message(digest) for digest in hashes]
        self.sums.add(new)
        if self.keep:
            self.messages += new
        self._hashes += hashes
        self._name = name

    def _message(self, digest: bytes) -> Message:
        """The message of a hash as it goes over the wire: a lone text as a string."""
        message = message_at(self.session, self.places[digest])
        content = message.get("content")
        if message.get("role") == "assistant" or not isinstance(content, list):
            return message
        text = lone_text(content)
        return message if text is None else {**message, "content": text}

    def _marked(self, logged: LoggedRequest) -> tuple[dict[int, Message], int]:
        """The messages that carry cache marks, by number, and the bytes that the marks add."""
        marks = self.session.record(logged.row).get("cacheControl")
        found: dict[int, Message] = {}
        more_bytes = 0
        for mark in marks if isinstance(marks, list) else ():
            path = mark.get("path") if isinstance(mark, dict) else None
            match path:
                case ["messages", int(number), "content", int(block)] if (
                    0 <= number < len(self._hashes)
                ):
                    before = found.get(number) or self._message(self._hashes[number])
                    found[number] = _with_mark(before, block, mark.get("value"))
                    more_bytes += len(compact_json(found[number])) - len(compact_json(before))
        return found, more_bytes

    def _unknown(self, logged: LoggedRequest) -> tuple[Unknown, ...]:
        """System prompt and tools stand in the shape row, unless that is missing."""
        told = logged.shape in self.log.shapes
        return () if told else (Unknown.SYSTEM_PROMPT, Unknown.TOOLS)


def _with_mark(message: Message, number: int, value: Any) -> Message:
    """A copy of a message with a cache mark on one of its blocks."""
    blocks = list(as_blocks(message.get("content")))
    if 0 <= number < len(blocks) and isinstance(blocks[number], dict):
        blocks[number] = {**blocks[number], CACHE_MARK: value}
        return {**message, "content": blocks}
    return message
