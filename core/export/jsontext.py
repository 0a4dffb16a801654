"""JSON on its way out: always valid and UTF-8, nothing in it that a terminal obeys, strings masked."""

import json
import math
import re
from collections.abc import Callable, Mapping
from typing import Any

Clean = Callable[[str], str]

_SURROGATES = re.compile("[\ud800-\udfff]")
_OBEYED = re.compile("[\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Signs that JSON may hold bare, and that a terminal or an editor may obey."""

_DATA_KEYS = frozenset({"data", "base64"})
_DATA = re.compile(r"(?:[A-Za-z0-9+/=_\-]{60,}+[\r\n]*+)++[A-Za-z0-9+/=_\-]*\Z")
"""Encoded data, such as an image: no words to look into, and it breaks where it is changed."""

_IDENTIFIERS = frozenset(
    {
        "type",
        "uuid",
        "id",
        "tool_use_id",
        "role",
        "timestamp",
        "parentUuid",
        "sessionId",
        "requestId",
    }
    | {"logicalParentUuid", "message_id", "request_id", "stop_reason", "signature", "subtype"}
)
"""Keys of the format whose values are the client's or the API's own: they are looked at without them."""

_IDENTIFIER = re.compile(
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?:msg|req|toolu|srvtoolu)_[A-Za-z0-9]{20,40}|"
)
"""Names that links are made of: they stay, also where a text takes one of them for a secret."""

_TOLD_BY_NOTHING = frozenset({"", "text", "content", "name", "thinking"})
"""Keys that say nothing of what stands under them."""

_LONG_DATA = 1_024
_LONG_SIGNATURE = 100
"""Characters of what signs a thought: nobody's secret, and of no use where it is changed."""

_TELLING = 200
"""Characters of a value that is looked at together with its key."""


def dump(value: object) -> str:
    """A value as JSON on one line. What is no number becomes null, lone surrogates U+FFFD."""
    return _written(value, separators=(",", ":"))


def pretty_json(value: object) -> str:
    """A value as indented JSON for people."""
    return _written(value, indent=2)


def _written(value: object, **form: Any) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, **form)
    except ValueError:
        finite = rebuilt(value, lambda _, leaf: None if _is_nan(leaf) else leaf)
        text = json.dumps(finite, ensure_ascii=False, **form)
    if text.isascii() and "\x7f" not in text:
        return text
    text = _SURROGATES.sub("\ufffd", text)
    return _OBEYED.sub(lambda sign: f"\\u{ord(sign.group()):04x}", text)


def _is_nan(leaf: object) -> bool:
    return isinstance(leaf, float) and not math.isfinite(leaf)


def rebuilt(value: Any, change: Callable[[str, Any], Any], rename: Clean | None = None) -> Any:
    """A copy of a decoded value with every leaf changed; `change` is given its key, or that of its list.

    `rename` changes keys. Walks with a list, as data decides how deep it nests.
    """
    holder: list[Any] = [value]
    todo: list[tuple[Any, Any, str]] = [(holder, 0, "")]
    while todo:
        into, at, key = todo.pop()
        item = into[at]
        if isinstance(item, Mapping):
            names = _names(item, rename) if rename else {}
            into[at] = copy = {names.get(name, name): inner for name, inner in item.items()}
            todo.extend((copy, names.get(name, name), str(name)) for name in item)
        elif isinstance(item, list | tuple):
            into[at] = row = list(item)
            todo.extend((row, place, key) for place in range(len(row)))
        else:
            into[at] = change(key, item)
    return holder[0]


def _names(item: Mapping[Any, Any], rename: Clean) -> dict[Any, Any]:
    """The keys of a mapping with what is private in them masked; none of them gets lost by it."""
    names: dict[Any, Any] = {}
    taken = set(item)
    for number, name in enumerate(item, 1):
        new = rename(name) if isinstance(name, str) else name
        names[name] = new = new if new == name or new not in taken else f"{new} ({number})"
        taken.add(new)
    return names


def masked(value: Any, clean: Clean) -> Any:
    """A copy of a decoded value with its strings and keys masked; a short one is looked at with its key."""
    return rebuilt(value, lambda key, leaf: _masked_leaf(key, leaf, clean), clean)


def _masked_leaf(key: str, leaf: Any, clean: Clean) -> Any:
    if not isinstance(leaf, str):
        return leaf
    if key in _DATA_KEYS and len(leaf) > _LONG_DATA and _DATA.match(leaf):
        return leaf
    if key == "signature" and len(leaf) > _LONG_SIGNATURE and _DATA.match(leaf):
        return leaf
    if key in _IDENTIFIERS:
        return leaf if _IDENTIFIER.fullmatch(leaf) else clean(leaf)
    alone = clean(leaf)
    if alone != leaf or not key or key in _TOLD_BY_NOTHING or not 0 < len(leaf) <= _TELLING:
        return alone
    # `"password": "x"` tells what `x` alone does not.
    written = json.dumps({key: leaf}, ensure_ascii=False)
    pair = clean(written)
    if pair == written:
        return leaf
    try:
        together = json.loads(pair)
    except ValueError:
        return leaf
    found = next(iter(together.values()), leaf) if isinstance(together, dict) else leaf
    return found if isinstance(found, str) else leaf


def masked_line(clean: Clean) -> Callable[[bytes], bytes]:
    """Masks a line of a session file: only a line that holds something to mask is written anew."""

    def rewrite(line: bytes) -> bytes:
        try:
            # Not the fast decoder of bodies: it makes floats of large integers.
            record = json.loads(line)
            safe = masked(record, clean)
            return line if safe == record else dump(safe).encode()
        except (ValueError, RecursionError):
            text = line.decode("utf-8", "surrogateescape")
            return clean(text).encode("utf-8", "surrogateescape")

    return rewrite
