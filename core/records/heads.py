"""One line to its *head*: the fields that the index needs, decoded by type, all else skipped.

A typed decoder costs about half of a full parse. Where a line has other types than expected, or is
not quite JSON, `lenient_head` takes the slow way and coerces what it finds.
"""

import re
from collections.abc import Mapping
from typing import Any

from msgspec import UNSET, Raw, Struct, UnsetType
from msgspec.json import Decoder, encode

ABSENT = Raw(b"")
"""The value of an undecoded field that a record does not have."""


class CacheHead(Struct, gc=False):
    """`usage.cache_creation`: how its counter splits up; never added to it."""

    ephemeral_5m_input_tokens: int | None = None
    ephemeral_1h_input_tokens: int | None = None


class UsageHead(Struct, gc=False):
    """The four counters of `message.usage`; other details repeat or split them and are left out."""

    input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    output_tokens: int | None = None
    cache_creation: CacheHead | None = None

    def says_nothing(self) -> bool:
        """Whether there is nothing but zeros, details included: then no request stands behind it.

        Copies in a fork have their counters set to zero but may keep the details.
        """
        split = self.cache_creation
        return not (split and (split.ephemeral_5m_input_tokens or split.ephemeral_1h_input_tokens))


class BlockHead(Struct, gc=False):
    """What links and labels need of a content block. `text` stays undecoded."""

    type: str | None = None
    id: str | None = None
    tool_use_id: str | None = None
    name: str | None = None
    is_error: bool | None = None
    text: Raw = ABSENT


class MessageHead(Struct, gc=False):
    """`message` of user and assistant records."""

    id: str | None = None
    model: str | None = None
    stop_reason: str | None = None
    content: str | list[BlockHead | str | None] | None = None
    usage: UsageHead | None = None


class AttachmentHead(Struct, gc=False):
    """`attachment`: its type, and for queued commands whether a person sent them."""

    type: str | None = None
    commandMode: str | None = None


class OriginHead(Struct, gc=False):
    """`origin` of user records (2.1.197+): who made them."""

    kind: str | None = None


class SummarizeHead(Struct, gc=False):
    """`summarizeMetadata` of a partial compaction's summary: which side of the chosen message it covers."""

    direction: str | None = None


class ForkHead(Struct, gc=False):
    """`forkedFrom` of copied records."""

    sessionId: str | None = None
    messageUuid: str | None = None


class ProgressHead(Struct, gc=False):
    """`data` of progress records: links a running subagent to its call."""

    type: str | None = None
    agentId: str | None = None


class Head(Struct, gc=False):
    """The facts of a record that the index keeps; absent ones are None, or ABSENT where undecoded."""

    type: str
    subtype: str | None = None
    uuid: str | None = None
    parentUuid: str | UnsetType | None = UNSET
    logicalParentUuid: str | None = None
    isSidechain: bool | None = None
    isMeta: bool | None = None
    isCompactSummary: bool | None = None
    isApiErrorMessage: bool | None = None
    timestamp: str | None = None
    sessionId: str | None = None
    agentId: str | None = None
    version: str | None = None
    cwd: str | None = None
    gitBranch: str | None = None
    requestId: str | None = None
    message: MessageHead | str | None = None
    toolUseResult: Raw = ABSENT
    compactMetadata: Raw = ABSENT
    attachment: AttachmentHead | None = None
    origin: OriginHead | None = None
    forkedFrom: ForkHead | None = None
    summarizeMetadata: SummarizeHead | None = None
    data: ProgressHead | None = None
    parentToolUseID: str | None = None
    customTitle: str | None = None
    aiTitle: str | None = None
    summary: str | None = None
    leafUuid: str | None = None
    relocatedCwd: str | None = None
    continuedInSessionId: str | None = None


class AgentResultHead(Struct, gc=False):
    """`toolUseResult` of a call that ran a subagent."""

    agentId: str | None = None


decode_heads = Decoder(Head).decode_lines
"""The heads of many lines at once, blank lines left out. Raises as `decode_head` does."""

decode_head = Decoder(Head).decode
"""A line's head. Raises msgspec.DecodeError (ValidationError where a field has another type)."""

decode_agent_result = Decoder(AgentResultHead).decode
"""The subagent of a `toolUseResult`. Raises msgspec.DecodeError."""

decode_text = Decoder(str).decode
"""The text of a `BlockHead.text`. Raises msgspec.DecodeError."""

_STRINGS = (
    *(
        "subtype",
        "uuid",
        "logicalParentUuid",
        "timestamp",
        "sessionId",
        "agentId",
        "version",
        "cwd",
    ),
    *("gitBranch", "requestId", "parentToolUseID", "customTitle", "aiTitle", "summary", "leafUuid"),
    *("relocatedCwd", "continuedInSessionId"),
)
_COUNTERS = UsageHead.__struct_fields__[:4]
_FLAGS = ["isSidechain", "isMeta", "isCompactSummary", "isApiErrorMessage"]


_SURROGATE = re.compile("[\ud800-\udfff]")


def lenient_head(record: Mapping[str, Any]) -> Head | None:
    """The head of a decoded record, wrong types left out; None where it has no type, so is no record."""
    kind = record.get("type")
    if not isinstance(kind, str):
        return None
    head = Head(type=kind)
    for name in _STRINGS:
        setattr(head, name, _text(record.get(name)))
    for name in _FLAGS:
        setattr(head, name, record.get(name) is True)
    if "parentUuid" in record:
        head.parentUuid = _text(record["parentUuid"])
    head.message = _message(record.get("message"))
    for name, struct in (("attachment", AttachmentHead), ("origin", OriginHead)):
        setattr(head, name, _strings_of(record.get(name), struct))
    for name, other in (
        ("forkedFrom", ForkHead),
        ("data", ProgressHead),
        ("summarizeMetadata", SummarizeHead),
    ):
        setattr(head, name, _strings_of(record.get(name), other))
    return head


def _text(value: object) -> str | None:
    """A string that can be encoded: lone surrogates become U+FFFD."""
    return _SURROGATE.sub("\ufffd", value) if isinstance(value, str) else None


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _strings_of(value: object, struct: type[Struct]) -> Struct | None:
    if not isinstance(value, Mapping):
        return None
    return struct(**{name: _text(value.get(name)) for name in struct.__struct_fields__})


def _message(value: object) -> MessageHead | str | None:
    if isinstance(value, str):
        return _text(value)
    if not isinstance(value, Mapping):
        return None
    usage = value.get("usage")
    counts = None
    if isinstance(usage, Mapping):
        fresh, created, read, output = (_count(usage.get(name)) for name in _COUNTERS)
        counts = UsageHead(fresh, created, read, output)
    return MessageHead(
        id=_text(value.get("id")),
        model=_text(value.get("model")),
        stop_reason=_text(value.get("stop_reason")),
        content=_content(value.get("content")),
        usage=counts,
    )


def _content(value: object) -> str | list[BlockHead | str | None] | None:
    if isinstance(value, list):
        return [_block(item) for item in value]
    return _text(value)


def _block(item: object) -> BlockHead | str | None:
    if not isinstance(item, Mapping):
        return _text(item)
    text = _text(item.get("text"))
    return BlockHead(
        type=_text(item.get("type")),
        id=_text(item.get("id")),
        tool_use_id=_text(item.get("tool_use_id")),
        name=_text(item.get("name")),
        is_error=item.get("is_error") is True,
        text=ABSENT if text is None else Raw(encode(text)),
    )
