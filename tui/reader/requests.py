"""The two requests beside a boundary, message by message: what each weighs, and what stands in both."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from ccbrowse.core.capture import block_key, blocks_of, is_reminder
from ccbrowse.core.numbers import Number, Source
from ccbrowse.core.payload import Message, Payload, Payloads, Reply, reply_after, reply_before
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
    stands: Stands
    twin: int | None


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
    keys = [_keys(each) for each in (before, after)]
    return Requests(
        _request(session, replies[0], before, *keys),
        _request(session, replies[1], after, *keys[::-1]),
    )


Keys = list[list[bytes]]
"""By message, the keys of its blocks; the client's own notes left out."""


def _keys(payload: Payload | None) -> Keys:
    messages = (payload.messages if payload is not None else None) or ()
    keys: Keys = [[] for _ in messages]
    notes: Keys = [[] for _ in messages]
    for block in blocks_of(messages):
        (notes if is_reminder(block) else keys)[block.message].append(block_key(block))
    return [own or other for own, other in zip(keys, notes, strict=True)]


def _request(
    session: Session, reply: Reply | None, payload: Payload | None, own: Keys, other: Keys
) -> Request | None:
    if reply is None or payload is None:
        return None
    model = model_of(session, reply.row)
    scale = Scale(session, model)
    first: dict[bytes, int] = {}
    for number, keys in enumerate(other):
        for key in keys:
            first.setdefault(key, number)
    sized: list[Sized] = []
    for message, keys in zip(payload.messages or (), own, strict=True):
        weight = scale.weigh(message)
        counts = scale.counts(1, weight, model)
        shared = [first[key] for key in keys if key in first]
        whole = Stands.WHOLE if len(shared) == len(keys) else Stands.PARTLY
        sized.append(
            Sized(
                message,
                Number(counts.tokens, Source.ESTIMATE, counts.tokens_error),
                weight.bytes,
                whole if shared else Stands.NOT,
                min(shared, default=None),
            )
        )
    return Request(payload, tuple(sized))
