"""The JSON of the contract: each key of each object, and what its value may be.

A shape is a type, a tuple of allowed values or types, a `list` of one shape, or a mapping of keys.
Objects may have keys beyond those named: the contract lets them be added.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Shape = Any

NUMBER = {
    "value": (int, None),
    "source": ("usage", "boundary", "estimate", "unknown"),
    "error": (float, None),
}
USAGE = dict.fromkeys(
    (
        "input_tokens",
        "cache_creation_input_tokens",
        "cache_read_input_tokens",
        "output_tokens",
        "requests",
    ),
    int,
)
TITLE_SOURCE = ("custom", "ai", "summary", "prompt", "none")
SEVERITY = ("note", "warning", "error")

LISTING = {
    "schema": ("ccbrowse.listing/1",),
    **dict.fromkeys(("session_id", "file", "root", "folder", "project", "title"), str),
    "title_source": TITLE_SOURCE,
    **dict.fromkeys(("started", "updated", "git_branch"), (str, None)),
    **dict.fromkeys(("bytes", "messages", "segments", "subagents", "findings"), int),
    "compactions": {"auto": int, "manual": int},
    "context_tokens_now": (int, None),
    "usage": USAGE,
    "models": [str],
    "live": bool,
}

BOUNDARY = {
    "uuid": str,
    **dict.fromkeys(("timestamp", "trigger", "logicalParentUuid"), (str, None)),
    "kind": ("full", "partial_from", "partial_up_to"),
    **dict.fromkeys(
        ("preTokens", "postTokens", "durationMs", "cumulativeDroppedTokens", "messagesSummarized"),
        (int, None),
    ),
    "resolved_by": (
        *("logicalParentUuid", "side_file", "other_file", "preserved", "file_order", "none"),
    ),
    "preserved": [str],
    "metadata": (dict, None),
}

SEGMENT = {
    **dict.fromkeys(("number", "first_line", "last_line", "first_byte", "last_byte"), int),
    **dict.fromkeys(("prompts", "messages", "tool_calls"), int),
    "uuids": [str],
    "boundary": (BOUNDARY, None),
    **dict.fromkeys(("summary", "started", "ended"), (str, None)),
    "carried_over": [str],
    "usage": USAGE,
    "context": {"open": NUMBER, "peak": NUMBER, "close": NUMBER},
    "text_tokens": {"raw": int, "encoding": str, "value": int, "factor": float, "error": float},
}

SUBAGENT = {
    **dict.fromkeys(("agent_id", "file"), str),
    **dict.fromkeys(("type", "description", "spawned_by_tool_use", "parent_agent"), (str, None)),
    **dict.fromkeys(("messages", "segments"), int),
    "usage": USAGE,
}

FINDING = {
    **dict.fromkeys(("code", "message"), str),
    "severity": SEVERITY,
    "line": (int, None),
    "uuid": (str, None),
}

BRANCH = {
    "leaf": str,
    "fork": (str, None),
    "messages": int,
    "kind": ("edited_prompt", "rewind", "leftover"),
}

SESSION = {
    "schema": ("ccbrowse.session/1",),
    **dict.fromkeys(("session_id", "file", "root", "folder", "project", "title"), str),
    **dict.fromkeys(("cwd", "last_cwd", "git_branch", "started", "updated"), (str, None)),
    "title_source": TITLE_SOURCE,
    **{key: [str] for key in ("client_versions", "models", "chain", "off_chain")},
    **{key: [str] for key in ("open_calls", "unpaired_results")},
    **dict.fromkeys(("bytes", "lines", "messages", "user_prompts", "branches"), int),
    "branch_leaves": [BRANCH],
    "segments": [SEGMENT],
    **dict.fromkeys(("usage", "usage_main_line", "usage_with_subagents"), USAGE),
    "continues_from": ({"session_id": str, "file": str, "uuid": str}, None),
    "forked_from": ({"session_id": str, "uuid": (str, None)}, None),
    "context_tokens_now": (int, None),
    "context_source": ("usage", "boundary", "unknown"),
    "context_window": {
        "value": (int, None),
        "source": ("setting", "usage>200k", "table", "unknown"),
    },
    "forecast": (dict, None),
    "subagents": [SUBAGENT],
    "malformed_lines": [int],
    "incomplete_tail": bool,
    "findings": [FINDING],
}

TOTAL = {
    "schema": ("ccbrowse.usage/1",),
    "by": ("session", "project", "day", "model"),
    "key": str,
    "usage": USAGE,
    "sessions": int,
}

EVENT = {
    "schema": ("ccbrowse.event/1",),
    "event": ("message", "boundary", "branch", "subagent", "session", "reset", "removed"),
    "session_id": str,
    **dict.fromkeys(("uuid", "timestamp"), (str, None)),
    **dict.fromkeys(("segment", "line"), (int, None)),
    "role": ("user", "assistant", None),
    "text": str,
    "usage": (USAGE, None),
}

REPORT = {"schema": ("ccbrowse.report/1",), "roots": [str], "token_counter": str}

TOLD_FINDING = {"schema": ("ccbrowse.finding/1",), "session_id": str, "file": str, **FINDING}


def wrong(shape: Shape, value: object, where: str) -> Iterator[str]:
    """What of a value is not of its shape."""
    if isinstance(shape, Mapping):
        if not isinstance(value, Mapping):
            yield f"{where} is {value!r}, no object"
            return
        for key, inner in shape.items():
            if key not in value:
                yield f"{where} lacks {key}"
            else:
                yield from wrong(inner, value[key], f"{where}.{key}")
    elif isinstance(shape, list):
        if not isinstance(value, list):
            yield f"{where} is {value!r}, no list"
            return
        for number, item in enumerate(value):
            yield from wrong(shape[0], item, f"{where}[{number}]")
    elif isinstance(shape, tuple):
        if all(any(wrong(one, value, where)) for one in shape):
            yield f"{where} is {value!r}, none of what it may be"
    elif isinstance(shape, type):
        fits = type(value) is shape or (shape is float and type(value) is int)
        if not fits:
            yield f"{where} is {value!r}, no {shape.__name__}"
    elif value != shape:
        yield f"{where} is {value!r}, not {shape!r}"
