"""What the cache knows of the sessions that are searched: what was said where, titles, and where hits stand.

All of it is only used as far as it is true of the files as they are now; whatever it does not know, a
search reads itself.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ccbrowse.core.cache import Cache, Listings
from ccbrowse.core.cache.stamps import stamp_bytes
from ccbrowse.core.library import Listing
from ccbrowse.core.listing import now_ms, unpack
from ccbrowse.core.locate import SessionFile, project_folder
from ccbrowse.core.placing import Places, unpack_places
from ccbrowse.core.talk import Covered, Talk
from ccbrowse.core.talk.store import Look


@dataclass(frozen=True, slots=True)
class Familiar:
    """A session that has not changed since it was listed: its listing (None: it holds no message), and
    where its records stand."""

    listing: Listing | None
    places: Places


class Known:
    """What the caches know of sessions."""

    def __init__(self, cache: Cache, talk: Talk) -> None:
        self._cache = cache
        self._talk = talk
        self._listings: dict[Path, Listings] = {}
        self._now = now_ms()

    @cached_property
    def _looks(self) -> dict[bytes, Look]:
        return self._talk.looks()

    def covered(self, words: Iterable[str]) -> Covered:
        """Where the talk of files can hold some words, each of which must be in the same record."""
        return self._talk.covered(words)

    def newest(self, file: SessionFile) -> int | None:
        """The time of a session's newest record; None where it is not known."""
        look = self._look(file)
        return None if look is None else look.newest

    def first_ids(self, file: SessionFile) -> list[bytes] | None:
        """The ids that a session begins with; None where they are not known."""
        look = self._look(file)
        return None if look is None else look.heads.split(b"\n") if look.heads else []

    def _look(self, file: SessionFile) -> Look | None:
        look = self._looks.get(os.fsencode(file.key))
        return look if look is not None and look.stamp == stamp_bytes(file.stamp) else None

    def session(self, file: SessionFile) -> Familiar | None:
        """What is known of a session; None where that is not enough to place its hits."""
        listings = self._listings_of(file)
        data = listings.recall(file)
        if data is None:
            return None
        found = self._talk.places(os.fsencode(file.key))
        if found is None or found[0] != listings.sum_of(file):
            return None
        places = unpack_places(found[1])
        listing = unpack(data, file, self._now) if data else None
        if places is None or (data and listing is None):
            return None
        return Familiar(listing, places)

    def _listings_of(self, file: SessionFile) -> Listings:
        found = self._listings.get(file.folder)
        if found is None:
            folder = project_folder(file.root, file.folder)
            found = self._listings[file.folder] = Listings(self._cache, [file.folder], [folder])
        return found


@contextmanager
def knowledge(roots: Iterable[Path]) -> Iterator[Known]:
    """What the caches in the user's folder know, while a search goes on."""
    roots = list(roots)
    cache, talk = Cache(roots=roots), Talk(roots=roots)
    try:
        yield Known(cache, talk)
    finally:
        talk.close()
        cache.close()
