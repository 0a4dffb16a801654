"""`ccbrowse doctor --report`: what to paste into a bug ticket; no text of a session, no path, no name."""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from ccbrowse.core.estimate import default_counter, family
from ccbrowse.core.findings import CODES
from ccbrowse.core.ticket import SCHEMA, Ticket
from ccbrowse.tui.cli.cache import Told
from ccbrowse.tui.cli.output import print_json, print_line, say
from ccbrowse.tui.cli.words import size

_PACKAGES = ("textual", "click", "orjson", "msgspec", "tiktoken", "watchfiles", "ctok")
_TERMINALS = re.compile(
    r"(?:xterm|screen|tmux|linux|dumb|vt\d+|rxvt|alacritty|kitty|foot|wezterm|ghostty|konsole|st)"
    r"(?:-(?:16color|88color|256color|direct|unicode|kitty|ghostty))*"
)
_LABELS = {
    "unreadable": "not readable",
    "records": "records",
    "findings": "findings",
    "compactions": "compactions",
    "branches": "abandoned arms",
    "subagents": "subagents",
    "clients": "sessions by client",
    "families": "sessions by tokenizer",
}


def print_ticket(
    ticket: Ticket, roots: int, cache: Told | None, backtest: str, as_json: bool
) -> None:
    """Print the report, and say on stderr what it holds."""
    facts = {"schema": SCHEMA, **_environment(roots, cache), **ticket.to_json()}
    if as_json:
        print_json(facts)
    else:
        for line in _lines(facts, backtest):
            print_line(line)
    say(
        "no text, title, path, name or id of a session is in it; look at it before you give it away"
    )


def _environment(roots: int, cache: Told | None) -> dict[str, Any]:
    terminal = os.environ.get("TERM", "")
    return {
        "version": version("ccbrowse"),
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "platform": sys.platform,
        "machine": platform.machine(),
        "packages": dict(_packages()),
        "terminal": terminal if _TERMINALS.fullmatch(terminal) else "other",
        "encoding": sys.stdout.encoding,
        "token_counter": default_counter(family(None)).name,
        "roots": roots,
        "cache": None
        if cache is None
        else {"bytes": cache.bytes, "rows": cache.rows, "usable": cache.trouble is None},
    }


def _packages() -> Iterator[tuple[str, str]]:
    for name in _PACKAGES:
        try:
            yield name, version(name)
        except PackageNotFoundError:
            continue


def _lines(facts: dict[str, Any], backtest: str) -> Iterator[str]:
    packages = ", ".join(f"{name} {number}" for name, number in facts["packages"].items())
    cache = facts["cache"]
    python = f"{facts['implementation']} {facts['python']}"
    yield f"- ccbrowse {facts['version']}, {python}, {facts['platform']} {facts['machine']}"
    yield f"- {packages}"
    yield f"- terminal {facts['terminal']}, {facts['encoding']}; tokens counted by {facts['token_counter']}"
    if cache is None:
        yield "- cache: switched off"
    else:
        rows = ", ".join(f"{count:,} {name}" for name, count in cache["rows"].items())
        state = rows or "empty" if cache["usable"] else "cannot be used"
        yield f"- cache: {size(cache['bytes'])}, {state}"
    largest = facts["largest"]
    yield (
        f"- {facts['roots']} roots, {facts['sessions']:,} sessions, {size(facts['bytes'])}, "
        f"{facts['lines']:,} lines; the largest {size(largest['bytes'])}, "
        f"the longest {largest['lines']:,} lines"
    )
    yield (
        f"- {facts['segments']:,} segments, {facts['off_chain']:,} records beside the line, "
        f"{facts['unfinished']:,} files whose last line is not finished"
    )
    for key, label in _LABELS.items():
        counts = ", ".join(f"{count:,} × {name}" for name, count in facts[key].items())
        yield f"- {label}: {counts or 'none'}"
    yield f"- forecasts of past compactions: {backtest}"


def explained(codes: set[str]) -> Iterator[str]:
    """What findings mean and what one can do, a line for each code, in the order of the table."""
    for name, code in CODES.items():
        if name in codes:
            yield f"{name}: {code.meaning}; {code.remedy}"
