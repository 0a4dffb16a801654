"""The two requests beside a boundary, message by message: what each weighs, and what stands in both."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, auto

from ccbrowse.core.capture import block_key, blocks_of, is_reminder
from ccbrowse.core.numbers import Number, Source
from ccbrowse.core.payload import Message, Payload, Payloads, Reply, reply_after, reply_before
from ccbrowse.core.payload.asking import opened_by
from ccbrowse.core.payload.counts import Scale
from ccbrowse.core.payload.replies import model_of
from ccbrowse.core.session import Session


class Stands(Enum):
    """Whether a message of one request stands in the other one too."""

    WHOLE = auto()
    PARTLY = auto()
    NOT = auto()


@dataclass(frozen=True, slots=True)
class Sized:
    """A message of a request: what it weighs, and the first message of the other that shares a block."""

    message: Message
    tokens: Number
    bytes: int
    stands: Stands = Stands.NOT
    twin: int | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """One request and its messages."""

    payload: Payload
    messages: tuple[Sized, ...]


@dataclass(frozen=True, slots=True)
class Requests:
    """The requests before and after a compaction; None where there is none."""

    before: Request | None
    after: Request | None


def requests_of(session: Session, number: int) -> Requests:
    """The requests beside a compaction. Slow: from a worker. Raises CcbrowseError, OSError."""
    payloads = Payloads(session)
    replies = reply_before(session, number), reply_after(session, number)
    before, after = (None if reply is None else payloads.of(reply) for reply in replies)
    own, other = _keys(before), _keys(after)
    first, second = _request(session, replies[0], before), _request(session, replies[1], after)
    return Requests(
        None if first is None else _paired(first, own, other, frozenset()),
        None if second is None else _paired(second, other, own, _kept_keys(session, number)),
    )


def _kept_keys(session: Session, number: int) -> frozenset[bytes]:
    """The blocks that a compaction kept: the last reply among them, which is in no request before."""
    found = (session.record(row).get("message") for row in opened_by(session, number).carried_over)
    messages = [message for message in found if isinstance(message, dict)]
    return frozenset(block_key(block) for block in blocks_of(messages))


Keys = list[list[tuple[bytes, bool]]]
"""By message, the keys of its blocks, and whether each is the client's own note."""


def _keys(payload: Payload | None) -> Keys:
    messages = (payload.messages if payload is not None else None) or ()
    keys: Keys = [[] for _ in messages]
    for block in blocks_of(messages):
        keys[block.message].append((block_key(block), is_reminder(block)))
    return keys


def _request(session: Session, reply: Reply | None, payload: Payload | None) -> Request | None:
    """A request with its messages weighed."""
    if reply is None or payload is None:
        return None
    model = model_of(session, reply.row)
    scale = Scale(session, model)
    sized: list[Sized] = []
    for message in payload.messages or ():
        weight = scale.weigh(message)
        counts = scale.counts(1, weight, model)
        tokens = Number(counts.tokens, Source.ESTIMATE, counts.tokens_error)
        sized.append(Sized(message, tokens, weight.bytes))
    return Request(payload, tuple(sized))


def _paired(request: Request, own: Keys, other: Keys, kept: frozenset[bytes]) -> Request:
    """A request whose messages know whether they stand in the other one, or were kept."""
    first: dict[bytes, int] = {}
    for number, keys in enumerate(other):
        for key, _ in keys:
            first.setdefault(key, number)
    paired: list[Sized] = []
    for sized, keys in zip(request.messages, own, strict=True):
        said = [key for key, is_note in keys if not is_note] or [key for key, _ in keys]
        shared = [key for key in said if key in first or key in kept]
        whole = all(key in first or key in kept for key, _ in keys)
        stands = Stands.NOT if not shared else Stands.WHOLE if whole else Stands.PARTLY
        twin = min((first[key] for key in shared if key in first), default=None)
        paired.append(replace(sized, stands=stands, twin=twin))
    return replace(request, messages=tuple(paired))
