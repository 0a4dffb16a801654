"""Listings in the cache: one row a session, good as long as its file and what lies around it are the same."""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from ccbrowse.core.cache.around import SIDE, Around, Side, depends_of
from ccbrowse.core.cache.loose import loose_of
from ccbrowse.core.cache.stamps import stamp_bytes
from ccbrowse.core.cache.store import Cache, Statement, Value
from ccbrowse.core.cache.structures import LONG, Opening
from ccbrowse.core.index import SessionIndex
from ccbrowse.core.locate import ProjectFolder, SessionFile
from ccbrowse.core.session import Folder, Session

EMPTY = b""
"""The bytes of a file that holds no message: it is not listed."""

WRITE_ROWS, WRITE_SECONDS = 256, 0.5
"""Rows that wait to be written at most, and how long."""

_Row = tuple[bytes, bytes, int, bytes, int, bytes]
_TYPES = (bytes, bytes, int, bytes, int, bytes)
_KEEP = (
    "INSERT OR REPLACE INTO listings (folder, name, stamp, depends, around, checksum, data)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)"
)


class Listings:
    """The listings of the sessions in some folders, as one look found these. Close it when all is said."""

    def __init__(self, cache: Cache, folders: Iterable[ProjectFolder]) -> None:
        self.cache = cache
        self.folders = {folder.path: folder for folder in folders}
        self._around: dict[Path, Around] = {}
        self._rows: dict[Path, dict[bytes, _Row]] = {}
        self._sides: dict[Path, Side] = {}
        self._waiting: list[tuple[Value, ...]] = []
        self._written = time.monotonic()

    long = LONG
    """Bytes of a session from which on `open_long` opens it sooner."""

    def recall(self, file: SessionFile) -> bytes | None:
        """The bytes kept of a session, EMPTY where it holds no message; None where it is to be read."""
        folder = self.folders.get(file.folder)
        if folder is None or not self.cache.usable:
            return None
        around = self._around.get(file.folder) or self._enter(folder)
        row = self._rows[file.folder].get(os.fsencode(file.path.name))
        if row is not None and row[1] == stamp_bytes(file.stamp) and row[4] == _checksum(row):
            depends = row[2]
            if around.sign(around.look(file, bool(depends & SIDE)), depends) == row[3]:
                return row[5]
        # What is kept must not be newer than what it was found by: so this look comes first.
        self._sides[file.path] = around.look(file, True)
        return None

    def keep(self, file: SessionFile, data: bytes, index: SessionIndex) -> None:
        """Keep what `recall` did not know: a session's bytes, EMPTY where it holds no message."""
        side = self._sides.pop(file.path, None)
        if side is None:
            return
        depends = depends_of(index)
        around = self._around[file.folder].sign(side, depends)
        name, stamp = os.fsencode(file.path.name), stamp_bytes(file.stamp)
        checksum = _checksum((name, stamp, depends, around, 0, data))
        row = (os.fsencode(file.folder), name, stamp, depends, around, checksum, data)
        self._waiting.append(row)
        late = time.monotonic() - self._written > WRITE_SECONDS
        if late or len(self._waiting) >= WRITE_ROWS:
            self.flush()

    def open_long(self, file: SessionFile, folder: Folder) -> Session:
        """A long session, with what is known of its structure; that is kept once there is time."""
        around = self._around.get(file.folder)
        if around is None or not self.cache.usable:
            return Session(file, folder)
        opening = Opening(self.cache, file, folder, around)
        if opening.is_worth_keeping:
            self.cache.later(opening.keep)
        return opening.session

    def flush(self) -> None:
        """Write what waits."""
        if self._waiting:
            self.cache.write([(_KEEP, self._waiting)])
            self._waiting = []
        self._written = time.monotonic()

    def forget_gone(self, roots: Sequence[Path]) -> None:
        """Drop the rows of sessions that are not there any more. What could not be listed keeps its own."""
        gone = [(folder,) for root in roots for folder in self._gone_folders(root)]
        doomed = [
            (os.fsencode(path), name)
            for path, rows in self._rows.items()
            for name in rows.keys()
            - {os.fsencode(f.path.name) for f in self.folders[path].sessions}
        ]
        statements: list[Statement] = []
        for table in ("listings", "structures"):
            if doomed:
                statements.append((f"DELETE FROM {table} WHERE folder = ? AND name = ?", doomed))
        for table in ("listings", "structures", "agents"):
            if gone:
                statements.append((f"DELETE FROM {table} WHERE folder = ?", gone))
        if statements:
            self.cache.write(statements)

    def _gone_folders(self, root: Path) -> list[bytes]:
        """A root, and project folders in it, that have rows but no session any more."""
        found = self.folders.get(root)
        if found is None or found.error is not None:
            return []
        top = os.fsencode(root)
        sql = "SELECT DISTINCT folder FROM listings WHERE folder = ? OR folder > ? AND folder < ?"
        known = [row[0] for row in self.cache.read(sql, (top, top + b"/", top + b"0"))]
        live = {
            os.fsencode(folder.path)
            for folder in self.folders.values()
            if folder.sessions or folder.error is not None
        }
        return [name for name in known if name not in live and b"/" not in name[len(top) + 1 :]]

    def _enter(self, folder: ProjectFolder) -> Around:
        """The rows of a folder, and what lies in it."""
        path = folder.path
        sql = "SELECT name, stamp, depends, around, checksum, data FROM listings WHERE folder = ?"
        rows = self.cache.read(sql, (os.fsencode(path),))
        # SQLite keeps in a column what it is given: whoever wrote the file, these are of our types.
        self._rows[path] = {row[0]: row for row in rows if tuple(map(type, row)) == _TYPES}
        around = self._around[path] = Around(folder, loose_of(self.cache, folder))
        return around


def _checksum(row: _Row) -> int:
    name, stamp, depends, around, _, data = row
    return zlib.crc32(data, zlib.crc32(b"%d" % depends + around + stamp + name))
