"""All sessions under the roots: what a list shows of each, newest record first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

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


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A session file that could not be read, and why."""

    path: Path
    reason: str


class Library:
    """The sessions under some roots. `scan` reads them all; `unreadable` names those that it could not.

    With a cache, what has not changed is not read again.
    """

    def __init__(self, roots: Sequence[Path], cache: Cache | None = None) -> None:
        self.roots = list(roots)
        self.cache = cache
        self.unreadable: list[Unreadable] = []
        self._folders: dict[Path, Folder] = {}

    def files(self) -> list[SessionFile]:
        """The session files, the most recently written first."""
        return _newest_files(self._look())

    def _look(self) -> list[ProjectFolder]:
        return [folder for root in self.roots for folder in project_folders(root)]

    def scan(self, files: Sequence[SessionFile] | None = None) -> Iterator[Listing]:
        """The listing of each session that holds a message, in the order of their files."""
        folders = self._look()
        self.unreadable = [
            Unreadable(folder.path, reason(folder.error))
            for folder in folders
            if folder.error is not None
        ]
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

    def _known_or_read(self, file: SessionFile, known: Listings | None, now: int) -> Listing | None:
        """A session's listing from the cache, else read, and kept."""
        if known is None:
            return self.listing(file)
        data = known.recall(file)
        if data is None:
            return self._read(file, known)
        return (unpack(data, file, now) or self._read(file, known)) if data else None

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
        try:
            session = self._open(file, known)
        except (OSError, CcbrowseError) as error:
            self.unreadable.append(Unreadable(file.path, reason(error)))
            return None
        try:
            listing = None if session.is_empty else list_session(session)
            if known is not None:
                data = b"" if listing is None else pack(listing)
                if data is not None:
                    known.keep(file, data, session.index)
            return listing
        finally:
            session.close()

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


def reason(error: Exception) -> str:
    """Why something could not be read, without the path that the system repeats."""
    return (isinstance(error, OSError) and error.strerror) or str(error)


def newest_first(listings: Sequence[Listing]) -> list[Listing]:
    """Listings by their newest record."""
    return sorted(listings, key=lambda listing: listing.sort_key, reverse=True)
