"""`ccbrowse [TARGET]` and `ccbrowse demo`: open the app. Textual is imported here and nowhere else."""

import os
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import click

from ccbrowse.core.errors import NoRoots
from ccbrowse.core.indexer import Indexer
from ccbrowse.core.locate import SessionFile
from ccbrowse.core.targets import Resolved, find_session, parse_target, resolve
from ccbrowse.tui import collector
from ccbrowse.tui.cli.caching import wants_cache
from ccbrowse.tui.cli.looks import look_options, settings_of
from ccbrowse.tui.cli.output import cache_option, roots, roots_option, roots_or_none, say


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
    if plain or _is_dumb():
        context.exit(_talk(target, named_roots, no_cache))
    if not sys.stdout.isatty() or not sys.stdin.isatty():
        _print_instead(context, target, named_roots, no_cache)
        return
    found = roots_or_none(named_roots, [target]) if target else _roots_or_demo(context, named_roots)
    if found is None:
        return
    settings = settings_of(context)
    cached = wants_cache(no_cache)
    indexer = _indexer(found, cached)  # before all is loaded: it lists the sessions meanwhile
    collector.rest()
    opened = _asked_for(target, found) if target else None
    from ccbrowse.tui.app import run_app

    context.exit(run_app(found, opened, indexer=indexer, settings=settings, cached=cached))


def _is_dumb() -> bool:
    """Whether a person sits at a terminal that cannot move its cursor."""
    both = sys.stdout.isatty() and sys.stdin.isatty()
    return both and os.environ.get("TERM", "").lower() == "dumb"


def _talk(target: str | None, named: tuple[str, ...], no_cache: bool) -> int:
    """The plain mode."""
    from ccbrowse.tui.cli.plain import run_plain

    found = roots_or_none(named, [target]) if target else roots(named)
    opened = resolve(target, found) if target else None
    return run_plain(found, opened, target or "", no_cache=no_cache)


def _asked_for(text: str, found: list[Path]) -> Resolved | SessionFile:
    """What the app opens at: a part has to be there, so that is opened here; a whole session later."""
    target = parse_target(text)
    if not target.is_whole:
        return resolve(text, found)
    file = find_session(target.name, found)
    with file.path.open("rb"):  # what cannot be read is told before there is an app
        return file


def _indexer(found: list[Path], cached: bool) -> Indexer | None:
    """The child process that lists the sessions; the app does without where it cannot be started."""
    try:
        return Indexer(found, cached)
    except OSError:
        return None


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


@click.command()
@look_options
@click.pass_context
def demo(context: click.Context, plain: bool) -> None:
    """Open the app on synthetic sessions, one of which grows and compacts while you watch."""
    from ccbrowse.tui.demo import grow, write_demo

    with tempfile.TemporaryDirectory(prefix="ccbrowse-demo-") as folder:
        tree = write_demo(Path(folder), datetime.now(UTC))
        if plain or _is_dumb():
            from ccbrowse.tui.cli.plain import run_plain

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
