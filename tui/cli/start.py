"""How the app is started. `ccbrowse` and `ccbrowse TARGET` at a terminal go by here alone: it is done twenty
times a day, and click would take a sixth of the time until the list is there.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from errno import ENOENT
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ccbrowse.core.errors import CcbrowseError, NoRoots
from ccbrowse.tui import collector
from ccbrowse.tui.cli.output import complain, ready_streams, roots, roots_or_none

if TYPE_CHECKING:
    from ccbrowse.core.indexer import Indexer
    from ccbrowse.core.locate import SessionFile
    from ccbrowse.core.targets import Resolved
    from ccbrowse.tui.config import Settings

_COMPLETES = "_CCBROWSE_COMPLETE"
"""Set where a shell asks what may come next."""


class Asked(NamedTuple):
    """What a plain start is asked for."""

    target: str | None
    roots: tuple[str, ...]


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line and exit: 0 done, 1 could not be done, 2 wrong usage."""
    words = sys.argv[1:] if args is None else args
    if (asked := plainly(words)) is not None and is_at_terminal() and not is_dumb():
        ready_streams()
        with endings():
            code = _start(asked)
        if code is not None:
            sys.exit(code)
    from ccbrowse.tui.cli.group import main as heard_by_click

    heard_by_click(args)


def plainly(words: Sequence[str]) -> Asked | None:
    """What is asked for where it is no more than a target and roots; None: click has to hear it.

    A command is a word of letters alone; a target that is one is left to click as well.
    """
    target, roots, left = None, [], iter(words)
    for word in left:
        if word == "--root" and (root := next(left, "")) and not root.startswith("-"):
            roots.append(root)
        elif not word or word.startswith("-") or word.isalpha() or target is not None:
            return None
        else:
            target = word
    return None if _COMPLETES in os.environ else Asked(target, tuple(roots))


def is_at_terminal() -> bool:
    """Whether a person sits there."""
    return bool(sys.stdout and sys.stdin) and sys.stdout.isatty() and sys.stdin.isatty()


def is_dumb() -> bool:
    """Whether a person sits at a terminal that cannot move its cursor."""
    return is_at_terminal() and os.environ.get("TERM", "").lower() == "dumb"


def _start(asked: Asked) -> int | None:
    """Open the app; None where there is nothing to open it on: then the demo is shown."""
    from ccbrowse.tui.config import load

    try:
        found = roots_or_none(asked.roots, [asked.target]) if asked.target else roots(asked.roots)
    except NoRoots:
        if asked.roots or asked.target:
            raise
        return None
    return open_app(asked.target, found, load(), no_cache=False)


def open_app(target: str | None, found: list[Path], settings: Settings, *, no_cache: bool) -> int:
    """Open the app on some roots, at a session or segment where one is named; its exit code."""
    from ccbrowse.tui.cli.caching import wants_cache

    cached = wants_cache(no_cache)
    indexer = _indexer(found, cached)  # before all is loaded: it lists the sessions meanwhile
    collector.rest()
    opened = _asked_for(target, found) if target else None
    from ccbrowse.tui.app import run_app

    return run_app(found, opened, indexer=indexer, settings=settings, cached=cached)


def _indexer(found: list[Path], cached: bool) -> Indexer | None:
    """The child process that lists the sessions; the app does without where it cannot be started."""
    from ccbrowse.core.indexer import Indexer

    try:
        return Indexer(found, cached)
    except OSError:
        return None


def _asked_for(text: str, found: list[Path]) -> Resolved | SessionFile:
    """What the app opens at: a part has to be there, so that is opened here; a whole session later."""
    from ccbrowse.core.targets import find_session, parse_target, resolve

    target = parse_target(text)
    if not target.is_whole:
        return resolve(text, found)
    file = find_session(target.name, found)
    with file.path.open("rb"):  # what cannot be read is told before there is an app
        return file


@contextmanager
def endings() -> Iterator[None]:
    """Turns what stops a command into one line and an exit code."""
    try:
        yield
    except CcbrowseError as error:
        complain(str(error))
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        complain(f"{error.strerror or error}, {error.filename or _place_of(error)}")
        drop_output()
        sys.exit(1)


def _place_of(error: OSError) -> str:
    """Where an error without a file name came from."""
    if error.errno == ENOENT:
        return "the current folder, change into one that exists"
    return "writing the output"


def drop_output() -> None:
    """Let go of what could not be written, so that the interpreter does not complain of it once more."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
