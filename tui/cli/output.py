"""What commands print: data to stdout, talk to stderr, JSON as UTF-8, nothing hostile to a terminal."""

import io
import json
import math
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TextIO

import orjson

from ccbrowse.core.locate import find_roots
from ccbrowse.core.text import SafeText, cell_width, display_text, one_line
from ccbrowse.tui.cli.patience import hush

MAX_DEPTH = 200
"""Levels of nesting that are printed."""

LONGEST = 600
"""Characters of a message of trouble: a target of thousands is not repeated whole."""

_OBEYED = re.compile("[\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Signs that JSON may hold bare, and that a terminal may obey."""

_SURROGATES = re.compile("[\ud800-\udfff]")


def ready_streams() -> None:
    """Replace what the terminal's encoding cannot show, and do without an output that was closed."""
    if sys.stdout is None:  # closed by whoever started us
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def complain(message: str) -> None:
    """One line of trouble on stderr."""
    _put("ccbrowse: " + one_line(message, LONGEST), sys.stderr)


def say(message: str) -> None:
    """One line of talk on stderr."""
    _put(display_text(message), sys.stderr)


def _put(text: str, stream: TextIO) -> None:
    """One line in the terminal's own encoding: click's echo takes ASCII for a mistake, and writes UTF-8."""
    hush()
    stream.write(text + "\n")
    stream.flush()


def print_json(value: Mapping[str, Any]) -> None:
    """One object on a line of its own, UTF-8 whatever the locale."""
    data = to_json(value)
    hush()
    out = sys.stdout.buffer
    out.write(data)
    out.write(b"\n")


def to_json(value: Mapping[str, Any]) -> bytes:
    """An object as JSON; lone surrogates become U+FFFD, what is no number null, what is too deep a note.

    Nothing in it is a sign that a terminal obeys: those stand as escapes, which mean the same.
    """
    try:
        data = orjson.dumps(value)
    except TypeError:
        text = json.dumps(_clean(value), ensure_ascii=False, separators=(",", ":"))
        data = _SURROGATES.sub("\ufffd", text).encode()
    if data.isascii() and b"\x7f" not in data:
        return data
    return _OBEYED.sub(lambda sign: f"\\u{ord(sign.group()):04x}", data.decode()).encode()


def _clean(value: Mapping[str, Any]) -> dict[str, Any]:
    """A copy that every JSON writer takes: NaN and infinities as null, nesting cut at MAX_DEPTH."""
    out: dict[str, Any] = {}
    todo: list[tuple[Any, Any, int]] = [(value, out, 0)]
    while todo:
        source, copy, depth = todo.pop()
        pairs = source.items() if isinstance(source, Mapping) else enumerate(source)
        for key, item in pairs:
            cleaned = _leaf(item)
            if isinstance(item, Mapping | list | tuple):
                cleaned = {} if isinstance(item, Mapping) else [None] * len(item)
                if depth < MAX_DEPTH:
                    todo.append((item, cleaned, depth + 1))
                else:
                    cleaned = "(nested too deep)"
            copy[str(key) if isinstance(copy, dict) else key] = cleaned
    return out


def _leaf(item: object) -> object:
    return None if isinstance(item, float) and not math.isfinite(item) else item


def print_line(text: SafeText | str = "") -> None:
    """One line of text for people; its untrusted parts have been through `display_text`."""
    _put(text, sys.stdout)


def print_table(rows: Iterable[tuple[str, ...]], right: frozenset[int] = frozenset()) -> None:
    """Rows in columns, the last one ragged; columns in `right` are set to the right."""
    table = list(rows)
    if not table:
        return
    widths = [max(cell_width(row[i]) for row in table) for i in range(len(table[0]) - 1)]
    for row in table:
        cells = []
        for i, width in enumerate(widths):
            blank = " " * (width - cell_width(row[i]))
            cells.append(blank + row[i] if i in right else row[i] + blank)
        _put("  ".join([*cells, row[-1]]).rstrip(), sys.stdout)


def roots_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--root DIR`, repeatable."""
    import click  # here and below: the app starts without it

    return click.option(
        "--root",
        "named_roots",
        multiple=True,
        metavar="DIR",
        help="Read this folder instead of Claude Code's own; may be given several times.",
    )(command)


def json_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--json`."""
    import click

    return click.option("--json", "as_json", is_flag=True, help="Print NDJSON: one object a line.")(
        command
    )


def cache_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--no-cache`."""
    import click

    return click.option("--no-cache", is_flag=True, help="Do without the cache.")(command)


def roots(named: tuple[str, ...]) -> list[Path]:
    """The roots to read: those named, else CLAUDE_CONFIG_DIR's, the settings', the client's own.

    Raises NoRoots, or CcbrowseError where the settings are asked and cannot be read.
    """
    if not named and not os.environ.get("CLAUDE_CONFIG_DIR", "").strip(" ,"):
        from ccbrowse.tui.config import load

        named = tuple(path for _, path in load().roots)
    return find_roots(named)


def roots_or_none(named: tuple[str, ...], targets: Iterable[str]) -> list[Path]:
    """The roots to read; none are needed where every target is a path."""
    from ccbrowse.core.errors import NoRoots
    from ccbrowse.core.targets import parse_target

    try:
        return roots(named)
    except NoRoots:
        if named or not all(Path(parse_target(target).name).is_file() for target in targets):
            raise
        return []
