"""A part as one JSON object, `ccbrowse.export/1`: what `show` says of it, and its messages in full.

The keys are those of `ccbrowse.session/1`, narrowed to the part, with two differences: `messages`
holds the messages themselves (their number is `message_count`), and `part` says what was chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ccbrowse.core.export.facts import part_findings
from ccbrowse.core.export.jsontext import dump, masked
from ccbrowse.core.export.options import Options, Tools
from ccbrowse.core.export.parts import Part
from ccbrowse.core.records import MESSAGE_KINDS, Kind, attachment_of
from ccbrowse.core.usage import requests_of, sum_requests

SCHEMA = "ccbrowse.export/1"

_THINKING = ("thinking", "redacted_thinking")


def export_json(part: Part, options: Options, shown: Mapping[str, Any]) -> Iterator[str]:
    """The object, streamed: one line. `shown` is what `show --json` says of the whole session."""
    head = {"schema": SCHEMA, **narrowed(shown, part)}
    rows = [row for row in part.rows if _is_message(part, row)]
    head["message_count"] = len(rows)
    yield dump(head if options.clean is None else masked(head, options.clean))[:-1]
    yield ',"messages":['
    for number, row in enumerate(rows):
        options.at(part.session.index.line[row])
        message = message_json(part, row, options)
        yield "," if number else ""
        yield dump(message if options.clean is None else masked(message, options.clean))
    yield "]}\n"


def narrowed(shown: Mapping[str, Any], part: Part) -> dict[str, Any]:
    """What `show` says of a session, narrowed to a part; `messages` is left out."""
    narrow = {key: value for key, value in shown.items() if key not in ("schema", "messages")}
    narrow["part"] = part_json(part)
    if part.is_whole:
        return narrow
    index = part.session.index
    uuids = {index.uuids[row] for row in part.rows}
    numbers = {segment.number for segment in part.segments}
    lines = [index.line[row] for row in part.rows]
    first, last = min(lines, default=0), max(lines, default=0)
    calls = {call for call, row in index.calls.items() if index.uuids[row] in uuids}
    branches = [b for b in _list(shown, "branch_leaves") if {b["fork"], b["leaf"]} & uuids]
    narrow |= {
        "chain": [uuid for uuid in _list(shown, "chain") if uuid in uuids],
        "off_chain": [uuid for uuid in _list(shown, "off_chain") if uuid in uuids],
        "segments": [s for s in _list(shown, "segments") if s["number"] in numbers],
        "branch_leaves": branches,
        "branches": len(branches),
        "user_prompts": sum(segment.prompts for segment in part.segments),
        "usage": sum_requests(index.requests, requests_of(index, part.rows)).to_json(),
        "open_calls": [call for call in _list(shown, "open_calls") if call in calls],
        "unpaired_results": [uuid for uuid in _list(shown, "unpaired_results") if uuid in uuids],
        "subagents": [a for a in _list(shown, "subagents") if a["spawned_by_tool_use"] in calls],
        "malformed_lines": [n for n in _list(shown, "malformed_lines") if first <= n <= last],
        "findings": [
            {
                "code": found.code,
                "severity": found.severity.value,
                "line": found.line,
                "uuid": found.uuid,
                "message": found.message,
            }
            for found in part_findings(part)
        ],
    }
    # Sums over the whole session would say of the part what is not true of it.
    for key in ("usage_main_line", "usage_with_subagents"):
        narrow.pop(key, None)
    return narrow


def part_json(part: Part) -> dict[str, Any]:
    """What was chosen."""
    uuids = part.session.index.uuids
    first, last = part.ends or (None, None)
    return {
        "scope": part.scope.value,
        "segments": [segment.number for segment in part.segments],
        "first": None if first is None else uuids[first],
        "last": None if last is None else uuids[last],
        "leaf": part.branch and uuids[part.branch.leaf],
    }


def message_json(part: Part, row: int, options: Options) -> dict[str, Any]:
    """One of `messages`: where it stands, and its content as the file has it."""
    session, index = part.session, part.session.index
    record = session.record(row)
    message = record.get("message")
    said: Mapping[str, Any] = message if isinstance(message, Mapping) else {"content": message}
    if index.kind[row] == Kind.QUEUED_PROMPT:
        said = {"role": "user", "content": (attachment_of(record) or {}).get("prompt")}
    return {
        "uuid": index.uuids[row],
        "line": index.line[index.content_row(row)],
        "segment": session.segment_of(row),
        "type": record.get("type"),
        "kind": index.kind_of(row).name.lower(),
        "timestamp": record.get("timestamp"),
        "role": said.get("role"),
        "model": said.get("model"),
        "message_id": said.get("id"),
        "request_id": record.get("requestId"),
        "stop_reason": said.get("stop_reason"),
        "usage": said.get("usage"),
        "content": _content(said.get("content"), options),
    }


def _content(content: object, options: Options) -> object:
    """A message's content, without the blocks that were not asked for."""
    if not isinstance(content, list) or (options.thinking and options.tools is not Tools.NONE):
        return content
    return [block for block in content if not _is_left_out(block, options)]


def _is_left_out(block: object, options: Options) -> bool:
    kind = block.get("type") if isinstance(block, Mapping) else None
    if not isinstance(kind, str):
        return False
    if kind in _THINKING:
        return not options.thinking
    is_tool = kind.endswith(("tool_use", "tool_result"))
    return is_tool and options.tools is Tools.NONE


def _is_message(part: Part, row: int) -> bool:
    kind = part.session.index.kind[row]
    return kind in MESSAGE_KINDS or kind == Kind.QUEUED_PROMPT


def _list(shown: Mapping[str, Any], key: str) -> Sequence[Any]:
    value = shown.get(key)
    return value if isinstance(value, list) else ()
