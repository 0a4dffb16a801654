"""A captured request and the reply it belongs to: by the answer's id, else by what it says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ccbrowse.core.capture.aligning import block_key, blocks_of, is_reminder
from ccbrowse.core.capture.model import Capture
from ccbrowse.core.payload import Message, Payload, Payloads, Reply, all_payloads, reply_of
from ccbrowse.core.session import Session

ENOUGH = 0.8
"""The share of blocks that a request must have in common with a capture to be its request."""

_ENDS = 3
"""The last blocks, and messages, of which one must be the same before the rest is looked at."""


@dataclass(frozen=True, slots=True)
class Joined:
    """The request of a session that was captured; `share` of the blocks of both are the same."""

    reply: Reply
    payload: Payload
    share: float
    by_id: bool


def join(capture: Capture, session: Session) -> Joined | None:
    """The request that a capture is of; None where the session holds none that is like it.

    Without the answer's id every request of the session is looked at: for workers.
    """
    wanted = _keys(capture.messages)
    if capture.reply is not None and capture.reply in session.index.messages:
        reply = reply_of(session, capture.reply)
        payload = Payloads(session).of(reply)
        return Joined(reply, payload, _share(wanted, _keys(payload.messages or ())), True)
    best: Joined | None = None
    ends = set(wanted[-_ENDS:])
    for payload in all_payloads(session):
        messages = payload.messages or ()
        if payload.reply is None or ends.isdisjoint(_keys(messages[-_ENDS:])):
            continue
        share = _share(wanted, _keys(messages))
        if share >= ENOUGH and (best is None or share > best.share):
            best = Joined(reply_of(session, payload.reply), payload, share, False)
    return best


def _keys(messages: Sequence[Message]) -> list[bytes]:
    """The blocks without the client's notes, which records often do not hold."""
    return [block_key(block) for block in blocks_of(messages) if not is_reminder(block)]


def _share(one: list[bytes], two: list[bytes]) -> float:
    """The blocks that both have, as a share of all that either has."""
    first, second = set(one), set(two)
    return len(first & second) / max(1, len(first | second))
