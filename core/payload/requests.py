"""The request rows of a file: which requests were logged, on what they build, and where blobs stand.

Clients from 2.1.300 on write three types of rows between the others, in bursts, each process its
own: `api-request` (a list of message hashes, as a change to an earlier list), `api-request-blob` (a
message that stands in no record) and `api-request-shape` (system prompt and tools). The large ones
are known by their first bytes and not read.
"""

import re
from dataclasses import dataclass
from typing import BinaryIO

import orjson

from ccbrowse.core.lines import read_at
from ccbrowse.core.records import Kind
from ccbrowse.core.session import Session

_HEAD = 512
"""Bytes of a row that tell its type and hash."""

_BLOB = re.compile(rb'^\{"type":"api-request-blob",.*?"hash":"([0-9a-f]{64})"', re.DOTALL)
_SHAPE = re.compile(rb'^\{"type":"api-request-shape",.*?"shapeHash":"([0-9a-f]{64})"', re.DOTALL)
HASH = 32
"""Bytes of a message's hash."""


@dataclass(frozen=True, slots=True)
class LoggedRequest:
    """One logged request: the first `keep` messages of request `base`, then those of `tail`.

    `tail` holds hashes, 32 bytes each.
    """

    id: str
    row: int
    base: str | None
    keep: int
    tail: bytes
    shape: str | None

    def hashes(self) -> list[bytes]:
        """The hashes of `tail`."""
        return [self.tail[at : at + HASH] for at in range(0, len(self.tail), HASH)]


class RequestLog:
    """The request rows of a session's file; `update` takes in what it has gained."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.requests: dict[str, LoggedRequest] = {}
        self.blobs: dict[bytes, int] = {}
        self.shapes: set[str] = set()
        self._done = 0

    def update(self) -> None:
        """Read the request rows that came since the last time. Raises OSError."""
        kinds = self.session.index.kind
        row = kinds.find(Kind.REQUEST, self._done)
        self._done = len(kinds)
        if row < 0:
            return
        with self.session.file.path.open("rb") as file:
            while row >= 0:
                self._take(file, row)
                row = kinds.find(Kind.REQUEST, row + 1)

    def _take(self, file: BinaryIO, row: int) -> None:
        index = self.session.index
        offset, length = index.offset[row], index.length[row]
        head = read_at(file, offset, min(length, _HEAD))
        if found := _BLOB.match(head):
            self.blobs[bytes.fromhex(found[1].decode())] = row
        elif found := _SHAPE.match(head):
            self.shapes.add(found[1].decode())
        else:
            self._decode(read_at(file, offset, length), row)

    def _decode(self, line: bytes, row: int) -> None:
        """A row whose start does not say all; what is no request row after all is passed over."""
        try:
            record = orjson.loads(line)
        except ValueError:
            return
        if not isinstance(record, dict):
            return
        kind, name = record.get("type"), record.get("hash")
        if kind == "api-request":
            self._request(record, row)
        elif kind == "api-request-blob" and (known := _digest(name)):
            self.blobs[known] = row
        elif kind == "api-request-shape" and isinstance(record.get("shapeHash"), str):
            self.shapes.add(record["shapeHash"])

    def _request(self, record: dict[str, object], row: int) -> None:
        name, base, keep = record.get("id"), record.get("base"), record.get("keep")
        tail = record.get("tail") or []
        hashes = [_digest(item) for item in tail] if isinstance(tail, list) else [None]
        if not isinstance(name, str) or None in hashes:
            return
        shape = record.get("shapeHash")
        self.requests[name] = LoggedRequest(
            id=name,
            row=row,
            base=base if isinstance(base, str) else None,
            keep=keep if isinstance(keep, int) else 0,
            tail=b"".join(item for item in hashes if item),
            shape=shape if isinstance(shape, str) else None,
        )

    def hashes(self, name: str) -> list[bytes] | None:
        """The hashes of a request's messages; None where a request that it builds on is not there."""
        chain: list[LoggedRequest] = []
        step: str | None = name
        seen: set[str] = set()
        while step is not None:
            request = self.requests.get(step)
            if request is None or step in seen:
                return None
            seen.add(step)
            chain.append(request)
            step = request.base if request.keep else None
        found: list[bytes] = []
        for request in reversed(chain):
            if request.keep > len(found) or request.keep < 0:
                return None
            del found[request.keep :]
            found += request.hashes()
        return found


def _digest(name: object) -> bytes | None:
    if not isinstance(name, str) or len(name) != 2 * HASH:
        return None
    try:
        return bytes.fromhex(name)
    except ValueError:
        return None
