"""Messages in the one form that clients hash: keys sorted, no spaces, cache marks gone, text as blocks.

The client writes JSON as JavaScript does, so numbers, the order of keys and lone surrogates follow
its rules, not Python's. Nothing here recurses.
"""

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

from ccbrowse.core.payload.model import Message

CACHE_MARK = "cache_control"


def message_hash(message: Mapping[str, Any]) -> str:
    """The SHA-256 that the client gives a message, as 64 hex digits."""
    return sha256(canonical_json(normalised(message))).hexdigest()


def normalised(message: Mapping[str, Any]) -> Message:
    """A message with its content as blocks."""
    content = message.get("content")
    return {**message, "content": as_blocks(content) if isinstance(content, str) else content}


def as_blocks(content: object) -> list[Any]:
    """Content as a list of blocks: a string is one text block, what is no content at all is none."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return content if isinstance(content, list) else []


def canonical_json(value: object) -> bytes:
    """A value as the client writes it to be hashed."""
    return "".join(_pieces(value)).encode("utf-8", "backslashreplace")


def compact_json(value: object) -> bytes:
    """A value as UTF-8 JSON without spaces; its length is what `bytes` counts."""
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except RecursionError:
        text = "".join(_pieces(value))  # the same but for numbers and the order of keys
    return text.encode("utf-8", "surrogatepass")


def _pieces(value: object) -> Iterator[str]:
    """The JSON in pieces. On the stack a tuple holds finished JSON: no decoded value is one."""
    stack: list[object] = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, tuple):
            yield item[0]
        elif isinstance(item, str):
            yield _string(item)
        elif isinstance(item, Mapping):
            stack.extend(reversed(_mapping(item)))
        elif isinstance(item, list):
            stack.extend(reversed(_sequence(item)))
        else:
            yield _scalar(item)


def _mapping(item: Mapping[str, Any]) -> list[object]:
    parts: list[object] = [("{",)]
    for key in sorted(item, key=_utf16):
        if key != CACHE_MARK:
            lead = "," if len(parts) > 1 else ""
            parts += [(f"{lead}{_string(key)}:",), item[key]]
    return [*parts, ("}",)]


def _sequence(item: list[Any]) -> list[object]:
    parts: list[object] = [("[",)]
    for number, value in enumerate(item):
        parts += [(",",), value] if number else [value]
    return [*parts, ("]",)]


def _string(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def _utf16(key: str) -> bytes:
    """JavaScript sorts by UTF-16 units: characters beyond the BMP come before U+E000."""
    return key.encode("utf-16-be", "surrogatepass")


def _scalar(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return js_number(value)
    return str(value)


def js_number(value: float) -> str:
    """A number as JavaScript prints it: plain digits from 1e-7 up to 1e21, no point for whole ones."""
    if value != value or value in (float("inf"), float("-inf")):
        return "null"
    if value == 0:
        return "0"
    mantissa, _, exponent = f"{value!r}e0".partition("e")
    sign = "-" if mantissa.startswith("-") else ""
    whole, _, fraction = mantissa.lstrip("-").partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent.split("e")[0]) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    if 0 < point <= 21:
        shown = digits.ljust(point, "0")
        return sign + (shown if len(shown) == point else f"{shown[:point]}.{shown[point:]}")
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    tail = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{tail}e{'+' if point > 0 else '-'}{abs(point - 1)}"
