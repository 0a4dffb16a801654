"""All sessions under the roots: what a list shows of each, newest record first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ccbrowse.core.errors import CcbrowseError
from ccbrowse.core.listing import FILL_POINTS, Listing, fill_curve, list_session
from ccbrowse.core.locate import SessionFile, session_files, unreadable_folders
from ccbrowse.core.session import Folder, Session

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
    """The sessions under some roots. `scan` reads them all; `unreadable` names those that it could not."""

    def __init__(self, roots: Sequence[Path]) -> None:
        self.roots = list(roots)
        self.unreadable: list[Unreadable] = []
        self._folders: dict[Path, Folder] = {}

    def files(self) -> list[SessionFile]:
        """The session files, the most recently written first."""
        found = {file.path: file for root in self.roots for file in session_files(root)}
        return sorted(found.values(), key=lambda file: (-file.stamp.mtime_ns, file.path))

    def scan(self, files: Sequence[SessionFile] | None = None) -> Iterator[Listing]:
        """The listing of each session that holds a message, in the order of their files."""
        self.unreadable = [
            Unreadable(folder, reason(error))
            for root in self.roots
            for folder, error in unreadable_folders(root)
        ]
        for file in self.files() if files is None else files:
            listing = self.listing(file)
            if listing is not None:
                yield listing

    def folder(self, path: Path) -> Folder:
        """What the sessions of a project folder share."""
        known = self._folders.get(path)
        if known is None:
            known = self._folders[path] = Folder(path)
        return known

    def listing(self, file: SessionFile) -> Listing | None:
        """The listing of one session; None where it holds no message, or cannot be read."""
        try:
            session = Session(file, self.folder(file.folder))
        except (OSError, CcbrowseError) as error:
            self.unreadable.append(Unreadable(file.path, reason(error)))
            return None
        try:
            return None if session.is_empty else list_session(session)
        finally:
            session.close()


def reason(error: Exception) -> str:
    """Why something could not be read, without the path that the system repeats."""
    return (isinstance(error, OSError) and error.strerror) or str(error)


def newest_first(listings: Sequence[Listing]) -> list[Listing]:
    """Listings by their newest record."""
    return sorted(listings, key=lambda listing: listing.sort_key, reverse=True)
