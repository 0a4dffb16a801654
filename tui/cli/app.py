"""`ccbrowse [TARGET]` and `ccbrowse demo`: open the app, where `start` has not done so."""

from __future__ import annotations

import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ccbrowse.core.errors import NoRoots
from ccbrowse.core.targets import resolve
from ccbrowse.tui.cli.looks import look_options, settings_of
from ccbrowse.tui.cli.output import cache_option, roots, roots_option, roots_or_none, say
from ccbrowse.tui.cli.start import is_at_terminal, is_dumb, open_app

if TYPE_CHECKING:
    from ccbrowse.tui.demo import LiveSession

_STEP_EVERY = 1.0


@click.command("open")
@click.argument("target", required=False)
@look_options
@roots_option
@cache_option
@click.pass_context
def open_command(
    context: click.Context,
    target: str | None,
    plain: bool,
    named_roots: tuple[str, ...],
    no_cache: bool,
) -> None:
    """Open the app, at a session or segment where one is named."""
    if plain or is_dumb():
        context.exit(_talk(target, named_roots, no_cache))
    if not is_at_terminal():
        _print_instead(context, target, named_roots, no_cache)
        return
    found = roots_or_none(named_roots, [target]) if target else _roots_or_demo(context, named_roots)
    if found is None:
        return
    context.exit(open_app(target, found, settings_of(context), no_cache=no_cache))


def _talk(target: str | None, named: tuple[str, ...], no_cache: bool) -> int:
    """The plain mode."""
    from ccbrowse.tui.cli.plain import run_plain

    found = roots_or_none(named, [target]) if target else roots(named)
    opened = resolve(target, found) if target else None
    return run_plain(found, opened, target or "", no_cache=no_cache)


def _roots_or_demo(context: click.Context, named: tuple[str, ...]) -> list[Path] | None:
    """The roots; where the user has none, the demo is opened instead."""
    try:
        return roots(named)
    except NoRoots as error:
        if named:
            raise
        say(f"{error}; opening the demo")
        context.invoke(demo, plain=False)
        return None


def _print_instead(
    context: click.Context, target: str | None, named: tuple[str, ...], no_cache: bool
) -> None:
    """Without a terminal: what `list` prints, or `show` where a session is named."""
    if target is not None:
        from ccbrowse.tui.cli.show import show

        context.invoke(show, targets=(target,), as_json=False, named_roots=named, no_cache=no_cache)
        return
    from ccbrowse.tui.cli.listing import list_command

    context.invoke(
        list_command,
        filters=(),
        sort="updated",
        as_json=False,
        named_roots=named,
        no_cache=no_cache,
    )


@contextmanager
def _stepped(live: LiveSession) -> Iterator[None]:
    """Let a session grow meanwhile, a step a second."""
    is_over = threading.Event()

    def grow_on() -> None:
        while not is_over.wait(_STEP_EVERY):
            live.step()

    growing = threading.Thread(target=grow_on, daemon=True)
    growing.start()
    try:
        yield
    finally:
        is_over.set()
        growing.join()


@click.command()
@look_options
@click.pass_context
def demo(context: click.Context, plain: bool) -> None:
    """Open the app on synthetic sessions, one of which grows and compacts while you watch."""
    from ccbrowse.tui.demo import grow, write_demo

    with tempfile.TemporaryDirectory(prefix="ccbrowse-demo-") as folder:
        tree = write_demo(Path(folder), datetime.now(UTC))
        if plain or is_dumb():
            from ccbrowse.tui.cli.plain import run_plain

            with _stepped(grow(tree, lambda: datetime.now(UTC))):
                run_plain([tree.root])
            return
        if not sys.stdout.isatty():
            from ccbrowse.tui.cli.listing import list_command

            list_command.callback(  # type: ignore[misc]  # click keeps the function
                filters=(), sort="updated", as_json=False, named_roots=(folder,), no_cache=True
            )
            return
        from ccbrowse.tui.app import run_app

        growing = grow(tree, lambda: datetime.now(UTC))
        code = run_app([tree.root], None, growing, settings=settings_of(context))
    context.exit(code)
