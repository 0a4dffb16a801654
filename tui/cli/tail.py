"""`ccbrowse tail`: follows a session, a line or an object for each new message, boundary, subagent."""

import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import click

from ccbrowse.core.errors import Gone
from ccbrowse.core.follow import Event, Follower
from ccbrowse.core.targets import resolve
from ccbrowse.core.text import display_text, one_line
from ccbrowse.tui.cli.output import (
    complain,
    json_option,
    print_json,
    print_line,
    roots_option,
    roots_or_none,
)
from ccbrowse.tui.cli.words import clock

SCHEMA = "ccbrowse.event/1"
POLL = 0.1
"""Seconds between two looks at the file: a stat each."""


@click.command()
@click.argument("target")
@click.option("--from-start", is_flag=True, help="Begin with what the session holds already.")
@json_option
@roots_option
def tail(target: str, from_start: bool, as_json: bool, named_roots: tuple[str, ...]) -> None:
    """Follow a session as it grows; ctrl+c ends."""
    session = resolve(target, roots_or_none(named_roots, [target])).session
    follower = Follower(session, from_start)
    show: Callable[[Event], None] = _print_json if as_json else _print_text
    told = ""
    while True:
        trouble = ""
        try:
            news = follower.poll()
            while (event := _next_of(news)) is not None:
                show(event)
        except Unreadable as error:
            trouble = str(error)
        if trouble and trouble != told:
            complain(f"{trouble}, still following it")
        told = trouble
        sys.stdout.flush()
        time.sleep(POLL)


class Unreadable(Exception):
    """The session cannot be read now; it may be again later. Not what printing raises."""


def _next_of(news: Iterator[Event]) -> Event | None:
    """The next event, or None. Raises Unreadable."""
    try:
        return next(news, None)
    except OSError as error:
        raise Unreadable(f"{error.strerror or error}, {error.filename or 'the session'}") from error
    except Gone as error:
        raise Unreadable(str(error)) from error


def _print_json(event: Event) -> None:
    value: dict[str, Any] = {"schema": SCHEMA, **event.to_json()}
    print_json(value)


def _print_text(event: Event) -> None:
    where = f"#{event.segment}" if event.segment else ""
    who = event.role or event.event
    print_line(
        f"{clock(event.time)} {where:4} {display_text(who):10} {one_line(event.text, 120)}".rstrip()
    )
