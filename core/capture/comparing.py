"""Two requests in numbers: messages, tokens, bytes, and how much smaller the second one is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ccbrowse.core.capture.model import Capture
from ccbrowse.core.estimate import count_texts, tiktoken_counter
from ccbrowse.core.payload import Message
from ccbrowse.core.payload.canonical import compact_json
from ccbrowse.core.texts import model_texts


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison.

    `tokens` is the plain cl100k_base count of all texts in the messages, not scaled to any model;
    `bytes` the length of the messages' UTF-8 JSON without spaces; `body_bytes` that of the captured
    file or entry, None for what was read from a session.
    """

    label: str
    messages: int
    tokens: int
    bytes: int
    body_bytes: int | None
    roles: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        """The side as the command line prints it."""
        return {
            "label": self.label,
            "messages": self.messages,
            "tokens": self.tokens,
            "bytes": self.bytes,
            "body_bytes": self.body_bytes,
            "roles": list(self.roles),
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two sides, and the shares by which the second is smaller: 0.873 is 87.3 % less, below 0 is more."""

    before: Side
    after: Side

    @property
    def reduction(self) -> dict[str, float | None]:
        """By what share each number shrank; None where one side does not have it, or it was 0."""
        before, after = self.before, self.after
        return {
            "messages": reduction(before.messages, after.messages),
            "tokens": reduction(before.tokens, after.tokens),
            "bytes": reduction(before.bytes, after.bytes),
            "body_bytes": reduction(before.body_bytes, after.body_bytes),
        }

    def to_json(self) -> dict[str, object]:
        """The comparison as the command line prints it."""
        return {
            "schema": "ccbrowse.comparison/1",
            "before": self.before.to_json(),
            "after": self.after.to_json(),
            "reduction": self.reduction,
        }


def reduction(before: int | None, after: int | None) -> float | None:
    """The share by which a number shrank, to four decimals."""
    if not before or after is None:
        return None
    return round(1 - after / before, 4)


def side_of(label: str, messages: Sequence[Message], body_bytes: int | None = None) -> Side:
    """A side: the messages counted. Slow for large ones: from a worker."""
    counter = tiktoken_counter()
    texts = (
        text
        for message in messages
        for text in model_texts({"type": message.get("role"), "message": message})
    )
    return Side(
        label=label,
        messages=len(messages),
        tokens=count_texts(texts, counter).tokens,
        bytes=len(compact_json(list(messages))),
        body_bytes=body_bytes,
        roles=tuple(str(message.get("role")) for message in messages),
    )


def side_of_capture(capture: Capture) -> Side:
    """The side of a captured request."""
    return side_of(capture.label, capture.messages, capture.body_bytes)
