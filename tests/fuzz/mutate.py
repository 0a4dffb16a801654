"""Changes to session files that keep most lines readable: what a fuzzer of bytes alone would not find.

Lines come, go, stand elsewhere or twice, are cut and glued; records name other parents, messages and
boundaries; values become others of any type, huge, deep, or hostile.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

MOST_BYTES = 12_000
"""Bytes that a mutated file has at most."""

STRANGE: tuple[Any, ...] = (
    None, True, False, 0, -1, 1 << 31, 1 << 63, 1 << 64, 10**25, -(10**20), 0.5, 1e308, "", " ", "\0",
    "x" * 300, "\ud83c", "\u202e", "\x1b]8;;x\x07", "<script>", "```", "[x]: y", "2026-02-30T99:00:00Z",
    "9999-12-31T23:59:59Z", [], {}, [[]], [None], {"a": {}}, [{"type": "text", "text": "a"}],
    [{"type": "tool_use", "id": "t", "name": "n", "input": {}}], [{"type": 7}], "ghp_" + "a1B2" * 9,
)  # fmt: skip
"""Values that stand where others are expected."""

RAW = (
    b"", b"{", b"}", b"null", b"[]", b"\0\0", b"\xff", b"\xef\xbb\xbf", b"\r", b'{"type":"user"', b"{}" * 3,
    b'{"a":' * 250 + b"1" + b"}" * 250, b'{"a":NaN}', b'{"type":"x","n":' + b"9" * 400 + b"}",
)  # fmt: skip
"""Lines, or pieces of lines, that are no record."""

LINKS = (
    "uuid",
    "parentUuid",
    "logicalParentUuid",
    "leafUuid",
    "messageUuid",
    "sourceToolAssistantUUID",
)
KEYS = (
    *(
        "type",
        "subtype",
        "message",
        "content",
        "timestamp",
        "isSidechain",
        "isMeta",
        "compactMetadata",
    ),
    *(
        "isCompactSummary",
        "toolUseResult",
        "attachment",
        "requestId",
        "cwd",
        "version",
        "usage",
        "id",
    ),
    *(
        "isVisibleInTranscriptOnly",
        "agentId",
        "sessionId",
        "role",
        "model",
        "input",
        "name",
        "text",
    ),
)
TYPES = ("user", "assistant", "system", "attachment", "progress", "summary", "last-prompt", "odd",
         "compact_boundary", "api-request", "queue-operation", "file-history-snapshot")  # fmt: skip


def mutated(data: bytes, random: Random) -> bytes:
    """A session file a little changed; the same bytes and the same state of `random` give the same."""
    lines = data.split(b"\n")
    for _ in range(random.randint(1, 4)):
        random.choice(CHANGES)(lines, random)
        if not lines:
            lines.append(b"{}")
    return b"\n".join(lines)[:MOST_BYTES]


def _twice(lines: list[bytes], random: Random) -> None:
    lines.insert(random.randint(0, len(lines)), random.choice(lines))


def _gone(lines: list[bytes], random: Random) -> None:
    del lines[random.randrange(len(lines))]


def _swapped(lines: list[bytes], random: Random) -> None:
    one, other = random.randrange(len(lines)), random.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]


def _glued(lines: list[bytes], random: Random) -> None:
    at = random.randrange(len(lines))
    lines[at] += lines.pop(at + 1) if at + 1 < len(lines) else random.choice(RAW)


def _cut(lines: list[bytes], random: Random) -> None:
    at = random.randrange(len(lines))
    place = random.randint(0, len(lines[at]))
    lines[at : at + 1] = random.choice(
        ([lines[at][:place]], [lines[at][place:]], [lines[at][:place], lines[at][place:]])
    )


def _bytes(lines: list[bytes], random: Random) -> None:
    at = random.randrange(len(lines))
    place = random.randint(0, len(lines[at]))
    piece = random.choice((random.randbytes(random.randint(1, 4)), random.choice(RAW)))
    lines[at] = lines[at][:place] + piece + lines[at][place + random.randint(0, 8) :]


def _raw(lines: list[bytes], random: Random) -> None:
    lines.insert(random.randint(0, len(lines)), random.choice(RAW))


def _value(lines: list[bytes], random: Random) -> None:
    """A value somewhere in a record is another."""
    at = random.randrange(len(lines))
    record = _record(lines[at])
    if record is None:
        return
    holder: Any = record
    key: Any = random.choice([*record, *KEYS])
    for _ in range(random.randint(0, 5)):
        inner = holder[key] if not isinstance(holder, dict) or key in holder else None
        if not isinstance(inner, dict | list) or not inner:
            break
        holder = inner
        key = (
            random.choice(list(holder))
            if isinstance(holder, dict)
            else random.randrange(len(holder))
        )
    holder[key] = random.choice((random.choice(STRANGE), random.choice(TYPES)))
    lines[at] = _line(record)


def _link(lines: list[bytes], random: Random) -> None:
    """A record names another one of the file, or none."""
    at = random.randrange(len(lines))
    record = _record(lines[at])
    if record is None:
        return
    uuids = [found["uuid"] for line in lines if (found := _record(line)) and "uuid" in found]
    record[random.choice(LINKS)] = random.choice([*uuids, None, "gone"])
    lines[at] = _line(record)


def _message(lines: list[bytes], random: Random) -> None:
    """A record joins the message of another, or answers a call of another."""
    at = random.randrange(len(lines))
    record, other = _record(lines[at]), _record(random.choice(lines))
    if record is None or other is None:
        return
    one, two = record.get("message"), other.get("message")
    if isinstance(one, dict) and isinstance(two, dict):
        for key in random.choice((("id",), ("content",), ("id", "content"), ("usage", "model"))):
            if key in two:
                one[key] = two[key]
        lines[at] = _line(record)


def _boundary(lines: list[bytes], random: Random) -> None:
    """A boundary comes, and keeps some records of the file."""
    uuids = [found["uuid"] for line in lines if (found := _record(line)) and "uuid" in found]
    uuids = [uuid for uuid in uuids if isinstance(uuid, str)] or ["gone"]
    kept = random.sample(uuids, random.randint(0, min(4, len(uuids))))
    some = [*uuids, None]
    facts = random.choice(
        (
            {"preservedMessages": {"anchorUuid": random.choice(some), "allUuids": kept}},
            {
                "preservedSegment": {
                    "headUuid": random.choice(some),
                    "tailUuid": random.choice(some),
                }
            },
            {},
        )
    )
    record = {
        "type": "system",
        "subtype": "compact_boundary",
        "uuid": random.choice([f"b{len(lines)}", random.choice(uuids)]),
        "parentUuid": random.choice([None, random.choice(some)]),
        "logicalParentUuid": random.choice(some),
        "compactMetadata": {"trigger": "auto", "preTokens": 9, **facts},
    }
    lines.insert(random.randint(0, len(lines)), _line(record))


def _record(line: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _line(record: dict[str, Any]) -> bytes:
    return json.dumps(record).encode()


Change = Callable[[list[bytes], Random], None]
CHANGES: tuple[Change, ...] = (
    _twice, _gone, _swapped, _glued, _cut, _bytes, _raw, _value, _value, _value, _link, _link, _link,
    _message, _message, _boundary,
)  # fmt: skip
"""The changes; those that are worth most stand several times."""
