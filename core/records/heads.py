"""One line to its *head*: the fields that the index needs, decoded by type, all else skipped.

A typed decoder costs about half of a full parse. `Brief` has what nearly every record needs, `Head`
the rest too: it is decoded of the few records that need it, by a second look at their line. Where
a line has other types than expected, or is not quite JSON, `lenient_head` takes the slow way and
coerces what it finds.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

from msgspec import UNSET, DecodeError, Raw, Struct, UnsetType
from msgspec.json import Decoder

from ccbrowse.core.records.repair import decode

ABSENT = Raw(b"")
"""The value of an undecoded field that a record does not have."""


class UsageHead(Struct, gc=False):
    """The four counters of `message.usage`; other details repeat or split them and are left out."""

    input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    output_tokens: int | None = None


class BlockHead(Struct, gc=False):
    """What links, labels and kinds need of a content block."""

    type: str | None = None
    text: str | None = None
    id: str | None = None
    name: str | None = None
    tool_use_id: str | None = None
    is_error: bool | None = None
    thinking: Raw = ABSENT
    """Its words, undecoded."""

    def says_nothing(self) -> bool:
        """Whether thinking has no words: an empty string, or none at all."""
        return len(self.thinking) < 3 or bytes(self.thinking) == b"null"


Content = str | list[BlockHead | str | None] | None


class MessageHead(Struct, gc=False):
    """`message` of user and assistant records."""

    id: str | None = None
    model: str | None = None
    content: Content = None
    stop_reason: str | None = None
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


class Brief(Struct, gc=False, kw_only=True):
    """The facts of a record that the index keeps of every one; absent ones are None.

    In the order of the newest clients' records: a field that comes next is found at once.
    """

    parentUuid: str | UnsetType | None = UNSET
    isSidechain: bool | None = None
    attachment: AttachmentHead | None = None
    message: MessageHead | str | None = None
    requestId: str | None = None
    type: str
    subtype: str | None = None
    uuid: str | None = None
    timestamp: str | None = None
    isMeta: bool | None = None
    isCompactSummary: bool | None = None
    isApiErrorMessage: bool | None = None
    origin: OriginHead | None = None
    cwd: str | None = None
    version: str | None = None
    gitBranch: str | None = None
    forkedFrom: ForkHead | None = None


class Head(Brief, gc=False, kw_only=True):
    """Also the facts that few records have; absent ones are None, or ABSENT where undecoded."""

    sessionId: str | None = None
    agentId: str | None = None
    logicalParentUuid: str | None = None
    toolUseResult: Raw = ABSENT
    compactMetadata: Raw = ABSENT
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


class _Split(Struct, gc=False):
    """`usage.cache_creation`: how its counter splits up; never added to it."""

    ephemeral_5m_input_tokens: int | None = None
    ephemeral_1h_input_tokens: int | None = None


class _SplitUsage(Struct, gc=False):
    cache_creation: _Split | None = None


class _SplitMessage(Struct, gc=False):
    usage: _SplitUsage | None = None


class _SplitHead(Struct, gc=False):
    """A reply, as far as its usage splits up."""

    message: _SplitMessage | None = None


decode_briefs = Decoder(Brief).decode_lines
"""The briefs of many lines at once, blank lines left out. Raises as `decode_brief` does."""

decode_brief = Decoder(Brief).decode
"""A line's brief. Raises msgspec.DecodeError (ValidationError where a field has another type)."""

decode_head = Decoder(Head).decode
"""A line's head. Raises msgspec.DecodeError (ValidationError where a field has another type)."""

_decode_agent_result = Decoder(AgentResultHead).decode
_decode_split = Decoder(_SplitHead).decode


def full_head(line: bytes) -> Head:
    """The head of a line whose brief could be decoded; fields of other types than expected left out."""
    try:
        return decode_head(line)
    except (DecodeError, RecursionError):
        head = lenient_head(decode(line))
        assert head is not None  # its brief has a type
        return head


def agent_of_result(head: Head) -> str | None:
    """The subagent that a call ran, as its result names it."""
    try:
        return _decode_agent_result(head.toolUseResult).agentId
    except DecodeError:
        return None


def splits_up(line: bytes) -> bool:
    """Whether a reply's usage has details that are not zero, though its counters are.

    Copies in a fork have their counters set to zero but may keep the details.
    """
    try:
        message = _decode_split(line).message
    except (DecodeError, RecursionError):
        return False
    split = message.usage.cache_creation if message and message.usage else None
    return bool(split and (split.ephemeral_5m_input_tokens or split.ephemeral_1h_input_tokens))


def undecoded(raw: Raw) -> Any:
    """The value of an undecoded field; None where it is absent. Raises BadLine."""
    return None if raw is ABSENT else decode(b'{"value":%b}' % bytes(raw))["value"]


_SURROGATE = re.compile("[\ud800-\udfff]")
_COUNTERS = UsageHead.__struct_fields__
_FLAGS = ("isSidechain", "isMeta", "isCompactSummary", "isApiErrorMessage")
_UNDECODED = ("toolUseResult", "compactMetadata")
_STRUCTS: dict[str, type[Struct]] = {
    "attachment": AttachmentHead,
    "origin": OriginHead,
    "forkedFrom": ForkHead,
    "data": ProgressHead,
    "summarizeMetadata": SummarizeHead,
}
_STRINGS = tuple(
    name
    for name in Head.__struct_fields__
    if name not in {"type", "parentUuid", "message", *_FLAGS, *_UNDECODED, *_STRUCTS}
)


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
    for name, struct in _STRUCTS.items():
        setattr(head, name, _strings_of(record.get(name), struct))
    for name in _UNDECODED:
        if name in record:
            setattr(head, name, Raw(json.dumps(record[name]).encode()))
    parent = record.get("parentUuid", UNSET)
    if parent is None or isinstance(parent, str):
        head.parentUuid = _text(parent)
    head.message = _message(record.get("message"))
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


def _content(value: object) -> Content:
    if isinstance(value, list):
        return [_block(item) for item in value]
    return _text(value)


def _block(item: object) -> BlockHead | str | None:
    if not isinstance(item, Mapping):
        return _text(item)
    return BlockHead(
        type=_text(item.get("type")),
        text=_text(item.get("text")),
        id=_text(item.get("id")),
        tool_use_id=_text(item.get("tool_use_id")),
        name=_text(item.get("name")),
        is_error=item.get("is_error") is True,
        thinking=Raw(json.dumps(item["thinking"]).encode()) if "thinking" in item else ABSENT,
    )
