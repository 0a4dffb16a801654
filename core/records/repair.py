"""Lines that are not quite JSON: what can still be read of them, and the full decode of bodies.

The order of attempts is cheap first: orjson, then the standard library (lone surrogates, NaN, a
BOM, control characters, numbers beyond 64 bits), then nesting cut at a depth, then whole records
found inside a damaged line.
"""

import json
import re
from collections.abc import Iterator
from enum import StrEnum
from itertools import pairwise
from typing import Any

import orjson

from ccbrowse.core.errors import BadLine

MAX_DEPTH = 200
"""Levels of nesting that are kept; what lies deeper is replaced by a note."""

MAX_SALVAGE = 1 << 20
"""Bytes of a damaged line that are searched for whole records."""

_PIECE = 4096
"""Bytes that are looked at together for what is not UTF-8."""

_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[{]|[\]}]', re.DOTALL)
_SHAPE = bytes(
    0x30 if 0x30 <= byte < 0x3A else 0x7D if byte in b"]}" else 0x20 for byte in range(256)
)
"""Turns digits into zeros and ends into `}`: runs are then found many times faster than by a pattern."""

_DEEP = b"}" * 64
"""Ends in a row that only deep nesting has: decoders take more of it than most code can walk."""

_HUGE = b"0" * 19
"""Digits in a row that may be a number beyond 64 bits: orjson would make a float of it."""

_BOM = b"\xef\xbb\xbf"
_DECODER = json.JSONDecoder(strict=False)


class Oddity(StrEnum):
    """How a line had to be read: the code of its finding."""

    NOT_STRICT = "not_strict_json"
    INVALID_UTF8 = "invalid_utf8"
    TOO_DEEP = "nested_too_deep"
    NUL_BYTES = "nul_bytes"
    SALVAGED = "damaged_line_recovered"


def decode(line: bytes) -> dict[str, Any]:
    """The record on a line, decoded whole. Raises BadLine where it holds none.

    Strings may hold lone surrogates: `display_text`, or `errors="replace"`, before they are shown
    or encoded.
    """
    shape = line.translate(_SHAPE)
    if _DEEP in shape:
        line = _cut_deep(line)
    try:
        value = json.loads(line) if _HUGE in shape else orjson.loads(line)
    except (ValueError, RecursionError):
        value, _ = _second_try(line)
    if not isinstance(value, dict):
        raise BadLine("a line holds no record")
    return value


def decode_odd(line: bytes) -> tuple[list[dict[str, Any]], Oddity | None]:
    """All records on a line that a strict decoder refused, and how they were got; none where it is lost."""
    try:
        value, oddity = _second_try(line)
    except BadLine:
        found = list(_salvage(line[:MAX_SALVAGE]))
        return found, Oddity.SALVAGED if found else None
    return ([value], oddity) if isinstance(value, dict) else ([], None)


def is_utf8(data: bytes | bytearray, start: int, end: int) -> bool:
    """Whether `data[start:end]` is UTF-8.

    Text beyond ASCII decodes slowly, so only the pieces that have any are decoded. A line break stands
    for each of the others; a character that lies across two pieces is put together again.
    """
    edges = pairwise([*range(start, end, _PIECE), end])
    rest = [b"\n" if (piece := data[a:b]).isascii() else piece for a, b in edges]
    try:
        b"".join(rest).decode()
    except UnicodeDecodeError:
        return False
    return True


def _second_try(line: bytes) -> tuple[Any, Oddity | None]:
    """The value on a line by the lenient decoder, and what was odd about it. Raises BadLine."""
    oddity: Oddity | None = None
    if b"\x00" in line:
        line, oddity = line.replace(b"\x00", b""), Oddity.NUL_BYTES
    line = line.removeprefix(_BOM).strip()
    try:
        text = line.decode()
    except UnicodeDecodeError:
        text, oddity = line.decode(errors="replace"), Oddity.INVALID_UTF8
    # How deep the standard library can go differs from Python to Python: it never has to.
    if line.count(b"[") + line.count(b"{") > MAX_DEPTH and (cut := _cut_deep(line)) != line:
        text, oddity = cut.decode(errors="replace"), Oddity.TOO_DEEP
    try:
        return json.loads(text, strict=False), oddity or _why_refused(line)
    except (ValueError, RecursionError) as error:
        raise BadLine("a line is not JSON") from error


def _why_refused(line: bytes) -> Oddity | None:
    """NOT_STRICT where no JSON reader but a lenient one takes the line; lone surrogates are JSON."""
    try:
        json.loads(line, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return Oddity.NOT_STRICT
    return None


def _refuse(name: str) -> None:
    raise ValueError(name)


def _cut_deep(line: bytes) -> bytes:
    """The line with every value below MAX_DEPTH replaced by a string, in one pass."""
    kept: list[bytes] = []
    depth, start = 0, 0
    for token in _TOKEN.finditer(line):
        sign = token.group()[:1]
        if sign in b"[{":
            depth += 1
            if depth == MAX_DEPTH + 1:
                kept.append(line[start : token.start()])
        elif sign in b"]}":
            if depth == MAX_DEPTH + 1:
                kept.append(b'"(nested too deep)"')
                start = token.end()
            depth -= 1
    kept.append(line[start:])
    return b"".join(kept)


def _salvage(line: bytes) -> Iterator[dict[str, Any]]:
    """Whole records inside a damaged line, first to last; each search starts after the one found."""
    text = line.replace(b"\x00", b"").decode(errors="replace")
    at, tries = 0, 0
    while tries < 64 and (start := text.find('{"', at)) >= 0:
        try:
            value, at = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            at, tries = start + 2, tries + 1
            continue
        if isinstance(value.get("type"), str) and ("sessionId" in value or "parentUuid" in value):
            yield value
