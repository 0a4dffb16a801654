"""Listings in the cache: one row a session, good as long as its file and what lies around it are the same."""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

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

PUT_OFF = 1 << 30
"""Bytes of sessions whose structure waits to be kept until all is listed; a tenth of it in memory at most."""

_Row = tuple[Any, ...]
"""Folder, name, stamp, depends, around, checksum and data, of these types:"""

_TYPES = (bytes, bytes, bytes, int, bytes, int, bytes)
_FIND = (
    "SELECT folder, name, stamp, depends, around, checksum, data FROM listings"
    " WHERE folder = ? OR folder > ? AND folder < ?"
)
_KEEP = (
    "INSERT OR REPLACE INTO listings (folder, name, stamp, depends, around, checksum, data)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)"
)


class _Room:
    """A project folder as it was found: its rows by name, and what lies around its sessions."""

    def __init__(self, folder: ProjectFolder, rows: dict[bytes, _Row], around: Around) -> None:
        self.folder = folder
        self.rows = rows
        self.around = around
        self.lonely = not folder.loose
        self.missed = False


class Listings:
    """The listings of the sessions in some folders, as one look found these. Flush it when all is said."""

    long = LONG
    """Bytes of a session from which on `open_long` opens it sooner."""

    def __init__(
        self, cache: Cache, roots: Sequence[Path], folders: Iterable[ProjectFolder]
    ) -> None:
        self.cache = cache
        self.roots = roots
        self.folders = {folder.path: folder for folder in folders}
        self._rows: dict[bytes, dict[bytes, _Row]] | None = None
        self._rooms: dict[Path, _Room] = {}
        self._sides: dict[str, Side] = {}
        self._waiting: list[tuple[Value, ...]] = []
        self._written = time.monotonic()
        self._put_off = 0

    def recall(self, file: SessionFile) -> bytes | None:
        """The bytes kept of a session, EMPTY where it holds no message; None where it is to be read."""
        room = self._rooms.get(file.folder) or self._enter(file.folder)
        if room is None:
            return None
        row = room.rows.get(os.fsencode(file.name))
        if row is not None and row[2] == stamp_bytes(file.stamp):
            _, _, stamp, depends, around, checksum, data = row
            if checksum == _checksum(stamp, depends, around, data):
                if room.lonely and not depends and not file.has_side:
                    is_same = not around
                else:
                    side = room.around.look(file, bool(depends & SIDE))
                    is_same = room.around.sign(side, depends) == around
                if is_same:
                    kept: bytes = data
                    return kept
        room.missed = True
        # What is kept must not be newer than what it was found by: so this look comes first.
        self._sides[file.key] = room.around.look(file, True)
        return None

    @staticmethod
    def needs_of(index: SessionIndex) -> int:
        """What the listing of an index depends on, beside its file."""
        return depends_of(index)

    def sum_of(self, file: SessionFile) -> int | None:
        """The checksum of what is kept of a session that `recall` knows; None where it knows none."""
        room = self._rooms.get(file.folder)
        row = room.rows.get(os.fsencode(file.name)) if room is not None else None
        return None if row is None else row[5]

    def keep(self, file: SessionFile, data: bytes, depends: int) -> int | None:
        """Keep what `recall` did not know: a session's bytes, EMPTY where it holds no message.

        `depends` is what `needs_of` says of its index. The checksum of what is kept; None where nothing is.
        """
        side = self._sides.pop(file.key, None)
        if side is None:
            return None
        stamp = stamp_bytes(file.stamp)
        around = self._rooms[file.folder].around.sign(side, depends)
        row = (stamp, depends, around, _checksum(stamp, depends, around, data), data)
        self._waiting.append((os.fsencode(file.folder), os.fsencode(file.name), *row))
        late = time.monotonic() - self._written > WRITE_SECONDS
        if late or len(self._waiting) >= WRITE_ROWS:
            self.flush()
        return row[3]

    def open_long(self, file: SessionFile, folder: Folder) -> Session:
        """A long session, with what is known of its structure; that is kept once there is time."""
        room = self._rooms.get(file.folder)
        if room is None:
            return Session(file, folder)
        opening = Opening(self.cache, file, folder, room.around)
        if opening.is_worth_keeping:
            self._put_off += file.stamp.size
            if self._put_off <= PUT_OFF:
                self.cache.later(opening.keep)
            else:
                opening.keep()
        return opening.session

    def flush(self) -> None:
        """Write what waits."""
        if self._waiting:
            self.cache.write([(_KEEP, self._waiting)])
            self._waiting = []
        self._written = time.monotonic()

    def forget_gone(self) -> None:
        """Drop the rows of sessions that are not there any more. What could not be listed keeps its own."""
        gone = [(folder,) for root in self.roots for folder in self._gone_folders(root)]
        doomed = [
            (os.fsencode(path), name)
            for path, room in self._rooms.items()
            if room.missed or len(room.rows) != len(room.folder.sessions)
            for name in room.rows.keys() - {os.fsencode(file.name) for file in room.folder.sessions}
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
        top = len(os.fsencode(root)) + 1
        live = {
            os.fsencode(folder.path)
            for folder in self.folders.values()
            if folder.sessions or folder.error is not None
        }
        return [name for name in self._all_rows() if name not in live and b"/" not in name[top:]]

    def _enter(self, path: Path) -> _Room | None:
        """The rows of a folder, and what lies in it; None where there is no cache of it."""
        folder = self.folders.get(path)
        if folder is None or not self.cache.usable:
            return None
        rows = self._all_rows().get(os.fsencode(path), {})
        room = self._rooms[path] = _Room(folder, rows, Around(folder, loose_of(self.cache, folder)))
        return room

    def _all_rows(self) -> dict[bytes, dict[bytes, _Row]]:
        """The rows of all folders below the roots, by folder and name."""
        if self._rows is None:
            self._rows = {}
            for top in map(os.fsencode, self.roots):
                for row in self.cache.read(_FIND, (top, top + b"/", top + b"0")):
                    # A column holds what it was given: whoever wrote the file, these are our types.
                    if tuple(map(type, row)) == _TYPES:
                        self._rows.setdefault(row[0], {})[row[1]] = row
        return self._rows


def _checksum(stamp: bytes, depends: int, around: bytes, data: bytes) -> int:
    return zlib.crc32(data, zlib.crc32(stamp + around, depends))
