"""The cache's file: opened when it is first needed, made anew when it is broken, else done without.

Several ccbrowse use it at once: readers never wait (WAL), writers wait for one another, in short
transactions. What cannot be used is said in one line, `trouble`, and never raised.
"""

from __future__ import annotations

import os
import sqlite3
import time
import weakref
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from stat import S_IMODE, S_ISREG
from typing import Any, ClassVar

from ccbrowse.core.cache.place import FILE, cache_folder, files_of
from ccbrowse.core.locate import is_below

SCHEMA = 1
"""The layout of the tables; a file of another one is made anew."""

WAIT = 3.0
"""Seconds that one waits for another ccbrowse to end its transaction."""

_TABLES = (
    """CREATE TABLE listings (folder BLOB NOT NULL, name BLOB NOT NULL, stamp BLOB NOT NULL,
        depends INTEGER NOT NULL, around BLOB NOT NULL, checksum INTEGER NOT NULL, data BLOB NOT NULL,
        UNIQUE (folder, name))""",
    """CREATE TABLE agents (folder BLOB NOT NULL, name BLOB NOT NULL, stamp BLOB NOT NULL,
        session TEXT NOT NULL, UNIQUE (folder, name))""",
    """CREATE TABLE structures (folder BLOB NOT NULL, name BLOB NOT NULL, stamp BLOB NOT NULL,
        depends INTEGER NOT NULL, around BLOB NOT NULL, checksum INTEGER NOT NULL, data BLOB NOT NULL,
        UNIQUE (folder, name))""",
)

_SETTINGS = (
    "synchronous = OFF",  # it may be lost with the machine's power
    "secure_delete = ON",  # what is gone leaves no trace in the file
    "trusted_schema = OFF",  # whoever wrote the file, its tables run nothing
)

Value = bytes | str | int
Statement = tuple[str, Sequence[Sequence[Value]]]
"""SQL, and the rows of values to run it with."""

_BROKEN = {
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_ERROR,  # a table is not there, or another
    sqlite3.SQLITE_CONSTRAINT,
    sqlite3.SQLITE_MISMATCH,
}
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


class Cache:
    """The cache of one process. Not to be shared between threads that use it at the same time.

    `roots` are the folders that are read: a cache that would lie below one of them is done without.
    """

    name: ClassVar[str] = FILE
    """Its file in the folder of caches."""
    schema: ClassVar[int] = SCHEMA
    tables: ClassVar[tuple[str, ...]] = _TABLES

    def __init__(self, folder: Path | None = None, roots: Iterable[Path] = ()) -> None:
        self.folder = cache_folder() if folder is None else folder
        self.path = self.folder / self.name
        self.trouble: str | None = None
        self._roots = list(roots)
        self._db: sqlite3.Connection | None = None
        self._tried = False
        self._readonly = False
        self._remade = False
        self._later: list[Callable[[], None]] = []

    @property
    def usable(self) -> bool:
        """Whether there is a cache to read from; opens it."""
        return self._open() is not None

    def read(self, sql: str, values: Sequence[Value] = ()) -> list[tuple[Any, ...]]:
        """The rows of a query; none where the cache cannot be used."""
        db = self._open()
        if db is None:
            return []
        try:
            return db.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            self._failed(error)
            return []

    def write(self, statements: Sequence[Statement]) -> None:
        """Run statements in one transaction; all of them, or none where that cannot be."""
        db = self._open()
        if db is None or self._readonly:
            return
        try:
            db.execute("BEGIN IMMEDIATE")
            for sql, rows in statements:
                db.executemany(sql, rows)
            db.execute("COMMIT")
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):
                db.execute("ROLLBACK")
            self._failed(error)

    def later(self, work: Callable[[], None]) -> None:
        """Do this when the cache is closed: what takes a while, and that nobody waits for."""
        self._later.append(work)

    def close(self) -> None:
        """Do what was put off, and let go of the file."""
        while self._later:
            self._later.pop(0)()
        self._close()

    def _close(self) -> None:
        if self._db is not None:
            with suppress(sqlite3.Error):
                self._db.close()
            self._db = None

    def _open(self) -> sqlite3.Connection | None:
        if self._db is None and not self._tried:
            self._tried = True
            if is_below(self.folder, self._roots):
                self._say("would lie in a folder that is read", "sessions are read without it")
                return None
            try:
                self._db = self._connect()
            except sqlite3.Error as error:
                self._failed(error)
            except OSError as error:
                why = f"cannot be used ({error.strerror or error})"
                self._say(why, "sessions are read without it")
        return self._db

    def _connect(self) -> sqlite3.Connection:
        _private(self.folder, self.path)
        db = sqlite3.connect(self.path, timeout=WAIT, isolation_level=None, check_same_thread=False)
        weakref.finalize(self, db.close)  # whoever forgets the cache leaves no open file behind
        try:
            for setting in _SETTINGS:
                db.execute(f"PRAGMA {setting}")
            _prepare(db, self.schema, self.tables)
        except sqlite3.Error:
            db.close()
            raise
        return db

    def _failed(self, error: sqlite3.Error) -> None:
        """Say what is wrong; make a broken file anew, write no more to one that cannot be written."""
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if code in _BUSY:
            self._say("is in use by another program", "what it lacks is read anew")
            return
        if code not in _BROKEN or self._remade:
            self._readonly = True
            if self._db is not None:
                self._say(f"cannot be written ({error})", "what it lacks is read anew each time")
            else:
                self._say(f"cannot be used ({error})", "sessions are read without it")
            return
        self._remade = True
        self._close()
        self._say("was damaged", "it is made anew")
        try:
            for path in files_of(self.path):
                path.unlink(missing_ok=True)
            self._db = self._connect()
        except (sqlite3.Error, OSError) as again:
            self._say(f"is damaged ({again})", "sessions are read without it")

    def _say(self, what: str, now: str) -> None:
        self.trouble = f"the cache {what}, {self.path}, {now}"


def _private(folder: Path, path: Path) -> None:
    """Make folder and file, for their owner alone. Raises OSError."""
    try:
        mode = folder.stat().st_mode
    except FileNotFoundError:
        for missing in [each for each in (*reversed(folder.parents), folder) if not each.exists()]:
            missing.mkdir(mode=0o700, exist_ok=True)
        mode = folder.stat().st_mode
    if S_IMODE(mode) & 0o077:
        folder.chmod(0o700)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
    try:
        mode = os.fstat(descriptor).st_mode
        if not S_ISREG(mode):
            raise OSError(0, "it is no file")
        if S_IMODE(mode) != 0o600:
            os.fchmod(descriptor, 0o600)
    finally:
        os.close(descriptor)


def _prepare(db: sqlite3.Connection, schema: int, tables: Sequence[str]) -> None:
    """Tables of this schema in a file that has them, has none, or has those of another schema."""
    if db.execute("PRAGMA user_version").fetchone()[0] == schema:
        return
    _use_wal(db)
    db.execute("BEGIN IMMEDIATE")
    if db.execute("PRAGMA user_version").fetchone()[0] != schema:  # nobody else did it meanwhile
        # Virtual ones first: the tables that they are made of go with them.
        found = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY sql NOT LIKE 'CREATE VIRTUAL%'"
        for (name,) in db.execute(found).fetchall():
            if not name.startswith("sqlite_"):
                db.execute('DROP TABLE IF EXISTS "{}"'.format(name.replace('"', '""')))
        for sql in tables:
            db.execute(sql)
        db.execute(f"PRAGMA user_version = {schema}")
    db.execute("COMMIT")


def _use_wal(db: sqlite3.Connection) -> None:
    """Write-ahead log. The change needs the file alone, and SQLite does not always wait for it."""
    until = time.monotonic() + WAIT
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() > until:
                raise
            time.sleep(0.02)
