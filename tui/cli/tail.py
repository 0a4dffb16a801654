"""`ccbrowse tail`: follows a session, a line or an object for each new message, boundary, subagent."""

import sys
import time
from collections.abc import Callable
from typing import Any

import click

from ccbrowse.core.follow import Event, Follower
from ccbrowse.core.targets import resolve
from ccbrowse.core.text import display_text, one_line
from ccbrowse.tui.cli.output import json_option, print_json, print_line, roots_option, roots_or_none
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
    while True:
        for event in follower.poll():
            show(event)
        sys.stdout.flush()
        time.sleep(POLL)


def _print_json(event: Event) -> None:
    value: dict[str, Any] = {"schema": SCHEMA, **event.to_json()}
    print_json(value)


def _print_text(event: Event) -> None:
    where = f"#{event.segment}" if event.segment else ""
    who = event.role or event.event
    print_line(
        f"{clock(event.time)} {where:4} {display_text(who):10} {one_line(event.text, 120)}".rstrip()
    )
