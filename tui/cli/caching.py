"""The cache as commands use it: opened unless the user does without, and what is wrong with it said once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ccbrowse.core.errors import CcbrowseError
from ccbrowse.tui.cli.output import complain

if TYPE_CHECKING:
    from ccbrowse.core.cache import Cache
    from ccbrowse.core.search.known import Known


def wants_cache(no_cache: bool) -> bool:
    """Whether there is to be a cache: not with `--no-cache`, or where the settings say so or are broken."""
    if no_cache:
        return False
    from ccbrowse.tui.config import load

    try:
        return load().cache
    except CcbrowseError:
        return False


@contextmanager
def cache_of(no_cache: bool, roots: Sequence[Path]) -> Iterator[Cache | None]:
    """The cache while something is read; None where the user does without."""
    if not wants_cache(no_cache):
        yield None
        return
    from ccbrowse.core.cache import Cache  # the app asks only whether there is to be one

    cache = Cache(roots=roots)
    try:
        yield cache
    finally:
        cache.close()
        if cache.trouble is not None:
            complain(cache.trouble)


@contextmanager
def known_of(no_cache: bool, roots: Sequence[Path]) -> Iterator[Known | None]:
    """What the caches know of the sessions that are searched; None where the user does without."""
    with cache_of(no_cache, roots) as cache:
        if cache is None:
            yield None
            return
        from ccbrowse.core.search.known import Known
        from ccbrowse.core.talk import Talk

        talk = Talk(roots=roots)
        try:
            yield Known(cache, talk)
        finally:
            talk.close()
            if talk.trouble is not None and cache.trouble is None:
                complain(talk.trouble)
