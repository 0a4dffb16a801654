"""`ccbrowse compare`: two requests in a table: messages, tokens, bytes and their reduction."""

import re
from collections.abc import Sequence
from contextlib import closing
from itertools import groupby
from pathlib import Path

import click

from ccbrowse.core.capture import Comparison, Side, read_capture, side_of, side_of_capture
from ccbrowse.core.errors import CcbrowseError
from ccbrowse.core.payload import payload_of, reply_after, reply_before, reply_of
from ccbrowse.core.targets import resolve
from ccbrowse.core.text import SafeText, display_text
from ccbrowse.tui.cli.output import (
    json_option,
    print_json,
    print_line,
    print_table,
    roots_option,
    roots_or_none,
)
from ccbrowse.tui.cli.words import share_words

_IN_SESSION = re.compile(r"^(?P<target>.+)@(?P<which>before|after|reply):(?P<value>[^@/]+)$")
_ENTRY = re.compile(r"^(?P<path>.+)#(?P<number>\d+)$")
_LETTERS = {"user": "u", "assistant": "a", "system": "s"}
_ROWS = (
    ("messages", "messages"),
    ("tokens (plain cl100k_base)", "tokens"),
    ("bytes", "bytes"),
    ("body bytes", "body_bytes"),
)


@click.command()
@click.argument("before")
@click.argument("after")
@json_option
@roots_option
def compare(before: str, after: str, as_json: bool, named_roots: tuple[str, ...]) -> None:
    """Compare two requests: how many messages, tokens and bytes, and how much less the second has.

    Each side is a captured request body (JSON, FILE.har#N, or a line of a log, FILE.jsonl#N), or a
    request of a session: TARGET@before:N and TARGET@after:N for compaction N, TARGET@reply:ID.
    Tokens are the plain cl100k_base count of all texts in the messages.
    """
    found = Comparison(_side(before, named_roots), _side(after, named_roots))
    if as_json:
        print_json(found.to_json())
    else:
        _print(found)


def _side(text: str, named_roots: tuple[str, ...]) -> Side:
    inside = _IN_SESSION.match(text)
    if inside and not Path(text).exists():
        return _session_side(text, inside["target"], inside["which"], inside["value"], named_roots)
    path, number = Path(text).expanduser(), None
    entry = _ENTRY.match(text)
    if entry and not path.exists():
        path, number = Path(entry["path"]).expanduser(), int(entry["number"])
    if not path.is_file():
        raise CcbrowseError(
            "no such file",
            text,
            "give a captured body (JSON, FILE.har#N), or TARGET@before:N, @after:N, @reply:ID",
        )
    return side_of_capture(read_capture(path, number))


def _session_side(
    label: str, target: str, which: str, value: str, named_roots: tuple[str, ...]
) -> Side:
    roots: Sequence[Path] = roots_or_none(named_roots, [target])
    with closing(resolve(target, roots).session) as session:
        if which == "reply":
            reply = reply_of(session, value)
        else:
            if not value.isdecimal() or not int(value):
                raise click.UsageError(f"@{which}: takes the number of a compaction, not {value}")
            find = reply_before if which == "before" else reply_after
            found = find(session, int(value))
            if found is None:
                raise CcbrowseError(f"no request {which} compaction {value}", target)
            reply = found
        return side_of(label, payload_of(session, reply).messages or ())


def _print(found: Comparison) -> None:
    print_line(f"before  {display_text(found.before.label)}")
    print_line(f"after   {display_text(found.after.label)}")
    rows = [("", "before", "after", "reduction")]
    first, second = found.before.to_json(), found.after.to_json()
    for title, key in _ROWS:
        share = found.reduction[key]
        change = share_words(share)
        rows.append((title, _count(first[key]), _count(second[key]), change))
    print_table(rows, right=frozenset({1, 2}))
    print_line(f"roles   {_roles(found.before.roles)}  →  {_roles(found.after.roles)}")


def _count(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else "–"


def _roles(roles: Sequence[str]) -> SafeText:
    """The roles in order by their first letters; a long alternation is cut in the middle."""
    letters = [_LETTERS.get(role, role) for role in roles]
    runs = [(letter, len(list(run))) for letter, run in groupby(letters)]
    shown = [letter if count == 1 else f"{letter}×{count}" for letter, count in runs]
    if len(shown) > 24:
        shown = [*shown[:10], f"… {len(shown) - 20} more …", *shown[-10:]]
    return display_text(" ".join(shown))
