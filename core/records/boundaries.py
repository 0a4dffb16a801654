"""What a `compact_boundary` says of its compaction: `compactMetadata`, read without trust."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct


class CompactFacts(Struct, frozen=True):
    """The facts of `compactMetadata`; tokens and milliseconds as the client counted them, None if absent.

    `kept` are the uuids that stay in the context, in order; `head` and `tail` bound them where only
    a `preservedSegment` names them; `anchor` is the record that they are sent after.
    """

    trigger: str | None
    pre_tokens: int | None
    post_tokens: int | None
    duration_ms: int | None
    dropped_tokens: int | None
    messages_summarized: int | None
    kept: tuple[str, ...]
    head: str | None
    tail: str | None
    anchor: str | None
    raw: Mapping[str, Any] | None


def compact_facts(metadata: object) -> CompactFacts:
    """The facts of a boundary's metadata, whatever shape it has."""
    known: Mapping[str, Any] = metadata if isinstance(metadata, Mapping) else {}
    messages = known.get("preservedMessages")
    messages = messages if isinstance(messages, Mapping) else {}
    segment = known.get("preservedSegment")
    segment = segment if isinstance(segment, Mapping) else {}
    kept = _strings(messages.get("allUuids")) or _strings(messages.get("uuids"))
    return CompactFacts(
        trigger=_string(known.get("trigger")),
        pre_tokens=_count(known, "preTokens", "pre_tokens"),
        post_tokens=_count(known, "postTokens", "post_tokens"),
        duration_ms=_count(known, "durationMs", "duration_ms"),
        dropped_tokens=_count(known, "cumulativeDroppedTokens"),
        messages_summarized=_count(known, "messagesSummarized"),
        kept=kept,
        head=_string(segment.get("headUuid")) or (kept[0] if kept else None),
        tail=_string(segment.get("tailUuid")) or (kept[-1] if kept else None),
        anchor=_string(messages.get("anchorUuid")) or _string(segment.get("anchorUuid")),
        raw=metadata if isinstance(metadata, Mapping) else None,
    )


def _string(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _strings(value: object) -> tuple[str, ...]:
    return tuple(v for v in value if isinstance(v, str)) if isinstance(value, list) else ()


def _count(known: Mapping[str, Any], *names: str) -> int | None:
    for name in names:
        value = known.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool) and value == value:
            return int(value) if abs(value) < 1 << 62 else None
    return None
