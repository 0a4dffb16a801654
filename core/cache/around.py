"""What a listing depends on beside its own file: side files, and at times the folder's other sessions.

Of subagents a list tells how many there are: their names suffice. A session with links that its own file
does not resolve depends on what the side files hold, and one whose boundary names a record that is not in
its file on all sessions of the folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from stat import S_ISREG
from struct import pack
from zlib import adler32, crc32

from ccbrowse.core.index import SessionIndex
from ccbrowse.core.locate import AGENT_PREFIX, SUFFIX, ProjectFolder, SessionFile

SIDE, FOLDER = 1, 2
"""It depends on what side files hold; on the other sessions of the folder."""

_TITLE = "custom-title.json"

Entry = tuple[str, int, int]
"""A file's path, size and time of its last change; 0 where these were not asked for."""


def depends_of(index: SessionIndex) -> int:
    """What the links of a file may have been looked for in, beside the file itself."""
    if any(b.logical_parent and index.row_of(b.logical_parent) is None for b in index.boundaries):
        return SIDE | FOLDER
    return SIDE if index.waiting else 0


@dataclass(frozen=True, slots=True)
class Side:
    """The side files of a session: its title's, and the subagents'."""

    title: tuple[Entry, ...]
    agents: tuple[Entry, ...]


NO_SIDE = Side((), ())


class Around:
    """What lies around the sessions of a folder. `loose`: the subagents' files beside, by session."""

    def __init__(self, folder: ProjectFolder, loose: Mapping[str, Sequence[str]]) -> None:
        self.folder = folder
        self.loose = loose
        self._others: bytes | None = None

    def look(self, file: SessionFile, whole: bool) -> Side:
        """The side files as they are now; sizes and times of subagents' only where `whole`."""
        loose = self.loose.get(file.session_id, ()) if self.loose else ()
        if not (file.has_side or loose):
            return NO_SIDE
        title, agents = list[Entry](), list[Entry]()
        if file.has_side:
            side = f"{file.folder}/{file.session_id}"
            title += _stamped([f"{side}/{_TITLE}"])
            agents += _agents(f"{side}/subagents", whole)
        if loose:
            paths = [f"{file.folder}/{name}" for name in loose]
            agents += _stamped(paths) if whole else [(path, 0, 0) for path in paths]
        return Side(tuple(title), tuple(agents))

    def sign(self, side: Side, depends: int) -> bytes:
        """What to hold against the next look; empty where nothing is around."""
        if side is NO_SIDE and not depends & FOLDER:
            return b""
        agents: Iterable[object] = side.agents if depends & SIDE else [a[0] for a in side.agents]
        words = repr((side.title, sorted(map(str, agents)))).encode("utf-8", "surrogatepass")
        words += self.others if depends & FOLDER else b""
        return pack(">IIQ", crc32(words), adler32(words), len(words))

    @property
    def others(self) -> bytes:
        """The sessions of the folder."""
        if self._others is None:
            files = [(f.name, f.stamp.size, f.stamp.mtime_ns) for f in self.folder.sessions]
            self._others = repr(files).encode("utf-8", "surrogatepass")
        return self._others


def _agents(top: str, whole: bool) -> list[Entry]:
    """The subagents' files below a folder, at any depth."""
    found: list[Entry] = []
    folders = [top]
    for folder in folders:
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                    elif entry.name.startswith(AGENT_PREFIX) and entry.name.endswith(SUFFIX):
                        found += _stamped([entry.path]) if whole else [(entry.path, 0, 0)]
        except OSError:
            continue
    return found


def _stamped(paths: Iterable[str]) -> list[Entry]:
    """The regular files among some, with sizes and times."""
    found: list[Entry] = []
    for path in paths:
        try:
            status = os.lstat(path)
        except OSError:
            continue
        if S_ISREG(status.st_mode):
            found.append((path, status.st_size, status.st_mtime_ns))
    return found
