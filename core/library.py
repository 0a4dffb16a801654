"""All sessions under the roots: what a list shows of each, newest record first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from ccbrowse.core.errors import CcbrowseError
from ccbrowse.core.listing import (
    FILL_POINTS,
    Listing,
    fill_curve,
    list_session,
    now_ms,
    pack,
    unpack,
)
from ccbrowse.core.locate import ProjectFolder, SessionFile, project_folders
from ccbrowse.core.session import Folder, Session

if TYPE_CHECKING:
    from ccbrowse.core.cache import Cache, Listings

__all__ = [
    "FILL_POINTS",
    "Library",
    "Listing",
    "Unreadable",
    "fill_curve",
    "list_session",
    "newest_first",
    "reason",
]


WORTH_TWO = 60_000_000
"""Bytes to read from which on a second process saves more time than it takes to start."""

MOST_PLACED = 1 << 26
"""Bytes of places that are kept in memory at most."""

ROWS_FIRST = 24
"""Sessions that are listed before one is read that may take long."""


class Unreadable(Struct, frozen=True):
    """A session file that could not be read, and why."""

    path: Path
    reason: str


class _Found(NamedTuple):
    """A session's listing (None: it holds no message); what the cache is to know of it; why it could not
    be read; where its records stand, if that was asked for."""

    listing: Listing | None
    depends: int | None
    failure: str | None = None
    places: bytes | None = None


class Library:
    """The sessions under some roots. `scan` reads them all; `unreadable` names those that it could not.

    With a cache, what has not changed is not read again. `placing` asks to keep, in `placed`, where the
    records of sessions stand that were read: packed, with the checksum of what the cache keeps of each.
    """

    def __init__(
        self, roots: Sequence[Path], cache: Cache | None = None, *, placing: bool = False
    ) -> None:
        self.roots = list(roots)
        self.cache = cache
        self.placed: dict[str, tuple[int, bytes]] = {}
        self._placing = placing and cache is not None
        self._placed_bytes = 0
        self.unreadable: list[Unreadable] = []
        self.total = 0
        """How many session files there are, by the last look."""
        self.done = 0
        """How many of them are listed, or cannot be."""
        self._folders: dict[Path, Folder] = {}

    def files(self) -> list[SessionFile]:
        """The session files, the most recently written first."""
        return _newest_files(self._look())

    def _begin(self) -> list[ProjectFolder]:
        """Look what there is, and begin to count."""
        folders = self._look()
        self.unreadable = _unreadable(folders)
        self.total, self.done = sum(len(folder.sessions) for folder in folders), 0
        return folders

    def _look(self) -> list[ProjectFolder]:
        return [folder for root in self.roots for folder in project_folders(root)]

    def scan(self, files: Sequence[SessionFile] | None = None) -> Iterator[Listing]:
        """The listing of each session that holds a message, in the order of their files."""
        folders = self._begin()
        known = _known(self.cache, self.roots, folders)
        now = now_ms()
        try:
            for file in _newest_files(folders) if files is None else files:
                listing = self._known_or_read(file, known, now)
                if listing is not None:
                    yield listing
        finally:
            if known is not None:
                known.flush()
        if known is not None and files is None:
            known.forget_gone()

    def scan_by_two(self, least: int = WORTH_TWO) -> Iterator[Listing]:
        """As `scan`, by this process and a second one where at least so many bytes are to be read.

        What the cache knows comes first, then all else, about the newest first.
        """
        folders = self._begin()
        known = _known(self.cache, self.roots, folders)
        now = now_ms()
        unread: list[SessionFile] = []
        try:
            for file in _newest_files(folders):
                data = known.recall(file) if known is not None else None
                listing = unpack(data, file, now) if data else None
                if listing is None and (data is None or data):  # not known, or not to be understood
                    unread.append(file)
                    continue
                self.done += 1
                if listing is not None:
                    yield listing
            if sum(file.stamp.size for file in unread) < least:
                yield from self._read_all(unread, known)
            else:
                yield from self._share(unread, known)
        finally:
            if known is not None:
                known.flush()
        if known is not None:
            known.forget_gone()

    def _read_all(self, files: Iterable[SessionFile], known: Listings | None) -> Iterator[Listing]:
        for file in files:
            listing = self._read(file, known)
            if listing is not None:
                yield listing

    def _share(self, files: Sequence[SessionFile], known: Listings | None) -> Iterator[Listing]:
        """The listings of files that two processes read.

        What is long is read by this one, where its structure is kept; but not before there are rows to show.
        """
        from ccbrowse.core.sharing import shared  # here: only what is worth two processes needs it

        long = [file for file in files if known is not None and file.stamp.size >= known.long]
        short = [file for file in files if known is None or file.stamp.size < known.long]
        for number, (file, found) in enumerate(shared(short, partial(self._find, known=known))):
            listing = self._take(file, found, known)
            if listing is not None:
                yield listing
            if number == ROWS_FIRST:
                yield from self._read_all(long, known)
                long = []
        yield from self._read_all(long, known)

    def _known_or_read(self, file: SessionFile, known: Listings | None, now: int) -> Listing | None:
        """A session's listing from the cache, else read, and kept."""
        if known is None:
            return self.listing(file)
        data = known.recall(file)
        if data is None:
            return self._read(file, known)
        listing = unpack(data, file, now) if data else None
        if data and listing is None:
            return self._read(file, known)
        self.done += 1
        return listing

    def folder(self, path: Path) -> Folder:
        """What the sessions of a project folder share."""
        known = self._folders.get(path)
        if known is None:
            known = self._folders[path] = Folder(path)
        return known

    def listing(self, file: SessionFile) -> Listing | None:
        """The listing of one session; None where it holds no message, or cannot be read."""
        return self._read(file, None)

    def _read(self, file: SessionFile, known: Listings | None) -> Listing | None:
        return self._take(file, self._find(file, known), known)

    def _find(self, file: SessionFile, known: Listings | None) -> _Found:
        """What there is to say of a session; nothing of it is kept yet."""
        try:
            session = self._open(file, known)
        except (OSError, CcbrowseError) as error:
            return _Found(None, None, reason(error))
        try:
            listing = None if session.is_empty else list_session(session)
            depends = None if known is None else known.needs_of(session.index)
            return _Found(listing, depends, places=self._places(session))
        finally:
            session.close()

    def _take(self, file: SessionFile, found: _Found, known: Listings | None) -> Listing | None:
        """Keep what was found; the listing, if it is one."""
        self.done += 1
        listing = found.listing
        if found.failure is not None:
            self.unreadable.append(Unreadable(file.path, found.failure))
        elif known is not None and found.depends is not None:
            data = b"" if listing is None else pack(listing)
            if data is not None:
                checksum = known.keep(file, data, found.depends)
                if found.places is not None and checksum is not None:
                    self._placed_bytes += len(found.places)
                    if self._placed_bytes <= MOST_PLACED:
                        self.placed[file.key] = checksum, found.places
        return listing

    def _places(self, session: Session) -> bytes | None:
        if not self._placing:
            return None
        from ccbrowse.core.placing import pack_places  # here: only the indexer asks for it

        return pack_places(session)

    def _open(self, file: SessionFile, known: Listings | None) -> Session:
        folder = self.folder(file.folder)
        if known is None or file.stamp.size < known.long:
            return Session(file, folder)
        return known.open_long(file, folder)


def _known(
    cache: Cache | None, roots: Sequence[Path], folders: Sequence[ProjectFolder]
) -> Listings | None:
    """What a cache knows of some folders. Its code, and SQLite, are loaded only where there is one."""
    if cache is None:
        return None
    from ccbrowse.core.cache import Listings

    return Listings(cache, roots, folders)


def _newest_files(folders: Sequence[ProjectFolder]) -> list[SessionFile]:
    """The session files of some folders, each once, the most recently written first."""
    found = [file for folder in folders for file in folder.sessions]
    if len({folder.path for folder in folders}) < len(folders):  # a root in another one
        found = list({file.key: file for file in found}.values())
    return sorted(found, key=lambda file: -file.stamp.mtime_ns)


def _unreadable(folders: Iterable[ProjectFolder]) -> list[Unreadable]:
    """The folders that could not be listed."""
    return [Unreadable(each.path, reason(each.error)) for each in folders if each.error is not None]


def reason(error: Exception) -> str:
    """Why something could not be read, without the path that the system repeats."""
    return (isinstance(error, OSError) and error.strerror) or str(error)


def newest_first(listings: Sequence[Listing]) -> list[Listing]:
    """Listings by their newest record."""
    return sorted(listings, key=lambda listing: listing.sort_key, reverse=True)
