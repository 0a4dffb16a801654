"""Requests: the `messages` array that each reply of a session answered, and the one that comes next."""

from ccbrowse.core.payload.asking import (
    Payloads,
    after_compaction,
    all_payloads,
    before_compaction,
    next_payload,
    payload_of,
    reply_after,
    reply_before,
)
from ccbrowse.core.payload.model import Counts, Message, Payload, PayloadSource, Reply, Unknown
from ccbrowse.core.payload.replies import replies, reply_of

__all__ = [
    "Counts",
    "Message",
    "Payload",
    "PayloadSource",
    "Payloads",
    "Reply",
    "Unknown",
    "after_compaction",
    "all_payloads",
    "before_compaction",
    "next_payload",
    "payload_of",
    "replies",
    "reply_after",
    "reply_before",
    "reply_of",
]
