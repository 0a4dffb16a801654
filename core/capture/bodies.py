"""Where a request body stands in what a proxy or a logger wrote, whatever they wrapped it in.

Wrappings are known by their names and opened from the outside in; bodies may be objects or JSON in a
string. What is not on the way to a body is not looked at, so nothing of it can be kept.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from ccbrowse.core.capture.model import Capture
from ccbrowse.core.payload.canonical import compact_json

_WRAPPINGS = (
    *("request", "body", "postData", "text", "json", "data", "payload", "content", "params"),
    *("request_body", "requestBody", "raw_request", "input", "kwargs", "additional_args"),
    *("complete_input_dict", "message", "http", "entry", "log", "event", "record"),
)
_ANSWERS = ("response", "reply", "result", "output", "response_body", "responseBody")
_INSIDE = (
    *("response", "reply", "result", "content", "body", "text", "data", "json", "output"),
    *("message", "chunks", "events", "body_raw", "raw_response"),
)
_REPLY_ID = re.compile(r'"id"\s*:\s*"(msg_[A-Za-z0-9_-]+)"')
_DEEPEST = 8
"""Wrappings around a body."""
_MOST = 2_000
"""Values that are looked at for one body."""
_EVENTS = 50
"""Events of an answer's stream that are looked at: its id stands in the first one."""


def loaded(data: bytes | str) -> Any:
    """JSON, read leniently. Raises ValueError where it is none."""
    try:
        return orjson.loads(data)
    except ValueError:
        pass
    text = data.decode("utf-8-sig", "replace") if isinstance(data, bytes) else data
    try:
        return json.loads(text, strict=False)
    except RecursionError as error:
        raise ValueError("nested too deep") from error


def capture_in(value: Any, label: str, size: int | None) -> Capture | None:
    """The captured request in a decoded value; None where it holds no body with messages.

    `size` is that of the file or entry, None where that is the body's own. A body that stands in a
    string is measured itself.
    """
    found = _body(value)
    if found is None:
        return None
    body, length = found
    model = body.get("model")
    return Capture(
        label=label,
        messages=[dict(message) for message in body["messages"]],
        model=model if isinstance(model, str) else None,
        reply=_reply(value) if isinstance(value, Mapping) else None,
        body_bytes=next((n for n in (length, size) if n is not None), _size(body)),
        system_bytes=_size(body.get("system")),
        tools_bytes=_size(body.get("tools")),
    )


def _size(part: object) -> int:
    return len(compact_json(part)) if part else 0


def _body(value: Any) -> tuple[Mapping[str, Any], int | None] | None:
    """The first body from the outside in, and its length in bytes where it stood in a string."""
    if _are_messages(value):
        return {"messages": value}, None
    for found, length in _unwrapped(value, _WRAPPINGS):
        if isinstance(found, Mapping) and _are_messages(found.get("messages")):
            return found, length
    return None


def _are_messages(value: Any) -> bool:
    """Whether a value is an array of messages: a role and content each, and at least one of them."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(
            isinstance(item, Mapping)
            and isinstance(item.get("role"), str)
            and isinstance(item.get("content"), str | list)
            for item in value
        )
    )


def _unwrapped(value: Any, names: tuple[str, ...]) -> Iterator[tuple[Any, int | None]]:
    """A value and what its wrappings hold, level by level."""
    level: list[tuple[Any, int | None]] = [(value, None)]
    left = _MOST
    for _ in range(_DEEPEST):
        inner: list[tuple[Any, int | None]] = []
        for item, length in level[:left]:
            if isinstance(item, str):
                item, length = _parsed(item), len(item.encode("utf-8", "surrogatepass"))
            yield item, length
            if isinstance(item, Mapping):
                inner += [(item[name], length) for name in names if name in item]
        left -= len(level)
        level = inner
        if left <= 0:
            return


def _parsed(text: str) -> Any:
    """The JSON in a string; None where it holds none."""
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        return loaded(text)
    except ValueError:
        return None


def _reply(entry: Mapping[str, Any]) -> str | None:
    """The id of the answer, from its JSON or its stream of events."""
    for name in _ANSWERS:
        for value in _answers(entry.get(name)):
            named = value.get("id") if isinstance(value, Mapping) else None
            if isinstance(named, str) and named.startswith("msg_"):
                return named
            if isinstance(value, str) and (found := _REPLY_ID.search(value)):
                return found[1]
    return None


def _answers(value: Any) -> Iterator[Any]:
    """What an answer holds, level by level."""
    level, left = [value], _MOST
    for _ in range(_DEEPEST):
        inner: list[Any] = []
        for item in level[:left]:
            yield item
            if isinstance(item, Mapping):
                inner += [item[name] for name in _INSIDE if name in item]
            elif isinstance(item, list):
                inner += item[:_EVENTS]
        left -= len(level)
        level = inner
