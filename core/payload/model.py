"""What a payload is: the messages of one request, how they are known, and what is not known of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

Message = dict[str, Any]
"""One message as the API takes it: `role` and `content`, a string or a list of blocks."""


class PayloadSource(StrEnum):
    """How the messages are known."""

    LOGGED = "logged"
    """The file holds the request itself, and each message agrees with the hash that the client logged."""
    REBUILT = "rebuilt"
    """Put together from the records by the rules that clients were seen to follow."""


class Unknown(StrEnum):
    """What no record tells of a request; each is a word of a payload's `unknown`."""

    SYSTEM_PROMPT = "system_prompt"
    """The system prompt."""
    TOOLS = "tools"
    """The tools offered, and their schemas."""
    CACHE_CONTROL = "cache_control"
    """Where the client set its cache marks."""
    CONTEXT_REMINDER = "context_reminder"
    """The reminder with the date and the memory files that opens the conversation."""
    REMINDERS = "reminders"
    """Reminders in general: this client wrote none of them down."""
    ATTACHMENT_WORDING = "attachment_wording"
    """An attachment was sent in words that the file does not hold."""
    NOTIFICATION_FRAME = "notification_frame"
    """The words around a background task's notification."""
    EFFORT_MARKS = "effort_marks"
    """Empty system messages that carry the effort asked for."""
    MICRO_COMPACTED = "micro_compacted"
    """Old results may have been sent as placeholders; the records hold them in full."""
    IMAGES = "images"
    """Images of earlier prompts may have been sent as the word `[image]`."""
    INSTRUCTION = "instruction"
    """The instruction that asks for a summary."""
    HISTORY = "history"
    """What stood before a record whose parent is missing, or before a fork's copy."""
    REQUEST_LOG = "request_log"
    """Logged rows of this request that are missing or damaged, so that it was rebuilt."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply of the API: its `message.id` and the row of its first record."""

    id: str
    row: int


@dataclass(frozen=True, slots=True)
class Counts:
    """The size of a `messages` array.

    `bytes` is the length of its UTF-8 JSON without spaces; `tokens` an estimate of its texts, and
    `tokens_error` the half-width, as a share, that holds the truth in 80 % of cases.
    """

    messages: int
    tokens: int
    bytes: int
    tokens_error: float

    def to_json(self) -> dict[str, object]:
        """The counts as the command line prints them."""
        return {
            "messages": self.messages,
            "tokens": self.tokens,
            "bytes": self.bytes,
            "tokens_error": self.tokens_error,
        }


@dataclass(frozen=True, slots=True)
class Payload:
    """The messages of one request.

    `reply` is None for a request that has no reply (yet), `segment` where the reply stands beside
    the main line. `verified` is None for what was rebuilt. `messages` is None where only counts were
    asked for; the messages are shared between payloads and are not to be changed.
    """

    reply: str | None
    segment: int | None
    source: PayloadSource
    verified: bool | None
    messages: Sequence[Message] | None
    counts: Counts
    unknown: tuple[Unknown, ...]

    def to_json(self) -> dict[str, object]:
        """The payload as the command line prints it."""
        shown: dict[str, object] = {
            "schema": "ccbrowse.payload/1",
            "reply": self.reply,
            "segment": self.segment,
            "source": self.source.value,
            "verified": self.verified,
        }
        if self.messages is not None:
            shown["messages"] = list(self.messages)
        shown["counts"] = self.counts.to_json()
        shown["unknown"] = [word.value for word in self.unknown]
        return shown
