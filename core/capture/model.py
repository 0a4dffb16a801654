"""A captured request: the messages of its body and little else, as nothing else is kept on reading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ccbrowse.core.payload import Message


@dataclass(frozen=True, slots=True)
class Capture:
    """One request body that someone has captured.

    Headers, cookies, addresses, account ids and whatever else stood around the body were left behind
    when it was read. `reply` is the `message.id` of the answer, where that was captured too;
    `body_bytes` the size of the file or entry; `system_bytes` and `tools_bytes` are those of their
    JSON, 0 where the body has none.
    """

    label: str
    messages: Sequence[Message]
    model: str | None
    reply: str | None
    body_bytes: int
    system_bytes: int
    tools_bytes: int
