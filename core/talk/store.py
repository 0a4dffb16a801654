"""The talk index as it is kept: SQLite's FTS5 over triples of letters, and the parts of files they stand in.

A block of a file is a row of the full-text table, without its text: only which triples of letters occur
in its words. Blocks that are gone leave their triples behind until the index is made anew, which is done
once there are many of them.
"""

from __future__ import annotations

import os
import sqlite3
import struct
import unicodedata
import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar, NamedTuple

from ccbrowse.core.cache import Cache
from ccbrowse.core.cache.maker import maker
from ccbrowse.core.cache.place import TALK
from ccbrowse.core.cache.store import Statement
from ccbrowse.core.lines import Growth, Position, Stamp, compare
from ccbrowse.core.talk.words import Extract

_MOST_TRIPLES = 24
"""Triples of the words that are asked for: more narrow nothing down."""

_STAMP = struct.Struct(">QQQq")
_FEW = 256
"""Blocks that are gone which the index puts up with, beside a quarter of those that are not."""

_TABLES = (
    """CREATE TABLE files (id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, made INTEGER NOT NULL,
        stamp BLOB NOT NULL, stop INTEGER NOT NULL, guard INTEGER NOT NULL, folding TEXT NOT NULL)""",
    """CREATE TABLE blocks (id INTEGER PRIMARY KEY AUTOINCREMENT, file INTEGER NOT NULL,
        start INTEGER NOT NULL, stop INTEGER NOT NULL)""",
    "CREATE INDEX blocks_of_files ON blocks (file)",
    """CREATE TABLE looks (path BLOB NOT NULL UNIQUE, stamp BLOB NOT NULL, newest INTEGER NOT NULL,
        heads BLOB NOT NULL)""",
    """CREATE TABLE places (path BLOB NOT NULL UNIQUE, listing INTEGER NOT NULL,
        checksum INTEGER NOT NULL, data BLOB NOT NULL)""",
    """CREATE VIRTUAL TABLE talk USING fts5 (words, content = '', detail = none, columnsize = 0,
        tokenize = 'trigram case_sensitive 1')""",
)

_BY_PATH = ("files", "looks", "places")

Ranges = list[tuple[int, int]]
"""Parts of a file in bytes, in their order."""


class Look(NamedTuple):
    """A session's stamp, the time of its newest record (milliseconds), and its first ids, one a line."""

    stamp: bytes
    newest: int
    heads: bytes


class Talk(Cache):
    """The talk index of one process. As with any cache: `trouble` says what is wrong, nothing is raised."""

    name: ClassVar[str] = TALK
    schema: ClassVar[int] = 1
    tables: ClassVar[tuple[str, ...]] = _TABLES

    def covered(self, words: Iterable[str]) -> Covered:
        """What the index knows of all files, and where in them words can be, each part of which must be in
        one record. Files that it does not know are not covered."""
        ask = _match(words)
        db = self._open() if ask else None
        if db is None:
            return Covered({}, {})
        try:
            db.execute("BEGIN")  # both answers of one moment
            try:
                files = db.execute(
                    "SELECT path, id, stamp, stop, guard FROM files WHERE made = ? AND folding = ?",
                    (maker(), unicodedata.unidata_version),
                ).fetchall()
                found = db.execute(
                    "SELECT file, start, stop FROM blocks JOIN talk ON talk.rowid = blocks.id"
                    " WHERE talk MATCH ?",
                    (ask,),
                ).fetchall()
            finally:
                db.execute("COMMIT")
            known = {row[0]: row for row in files}
            ranges: dict[int, Ranges] = {}
            for file, start, stop in found:
                ranges.setdefault(file, []).append((int(start), int(stop)))
        except (TypeError, ValueError) as error:  # whoever wrote the file
            self._failed(sqlite3.DatabaseError(str(error)))
            return Covered({}, {})
        except sqlite3.Error as error:
            self._failed(error)
            return Covered({}, {})
        return Covered(known, ranges)

    def positions(self) -> dict[bytes, tuple[int, Position]]:
        """By path: the number of a file, and how far it is covered by this code."""
        rows = self.read(
            "SELECT path, id, stamp, stop, guard FROM files WHERE made = ? AND folding = ?",
            (maker(), unicodedata.unidata_version),
        )
        try:
            return {row[0]: _known(row) for row in rows}
        except (struct.error, TypeError, ValueError):
            return {}

    def keep(self, files: Sequence[tuple[bytes, Position | None, Extract]]) -> None:
        """Take in what files say: by path, what is covered already (None: nothing), and what comes to it.

        A file of which another process has covered more meanwhile is left as it is.
        """
        db = self._open()
        if db is None or self._readonly:
            return
        try:
            db.execute("BEGIN IMMEDIATE")
            for path, before, extract in files:
                number = _number(db, path, before)
                if number is None:
                    continue
                for start, stop, words in extract.blocks:
                    row = db.execute(
                        "INSERT INTO blocks (file, start, stop) VALUES (?, ?, ?)",
                        (number, start, stop),
                    ).lastrowid
                    db.execute("INSERT INTO talk (rowid, words) VALUES (?, ?)", (row, words))
                position = extract.position
                db.execute(
                    "INSERT OR REPLACE INTO files (id, path, made, stamp, stop, guard, folding)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (
                        *(number, path, maker(), _packed(position.stamp), position.offset),
                        *(position.guard, unicodedata.unidata_version),
                    ),
                )
            db.execute("COMMIT")
        except sqlite3.Error as error:
            self._undo(db)
            self._failed(error)

    def forget(self, paths: Iterable[bytes]) -> None:
        """Files are gone, and what they said."""
        rows = [(path,) for path in paths]
        if rows:
            blocks = "DELETE FROM blocks WHERE file IN (SELECT id FROM files WHERE path = ?)"
            statements: list[Statement] = [(blocks, rows)]
            statements += [(f"DELETE FROM {each} WHERE path = ?", rows) for each in _BY_PATH]
            self.write(statements)

    def tidy(self) -> None:
        """Empty the index where so much of it is of blocks that are gone that it is better made anew."""
        rows = self.read(
            "SELECT (SELECT seq FROM sqlite_sequence WHERE name = 'blocks'), (SELECT count(*) FROM blocks)"
        )
        if not rows or rows[0][0] is None:
            return
        ever, now = rows[0]
        if ever - now > _FEW + now // 4:
            self.write(
                [
                    ("DELETE FROM blocks", [()]),
                    ("DELETE FROM files", [()]),
                    ("DELETE FROM sqlite_sequence WHERE name = ?", [("blocks",)]),
                    ("INSERT INTO talk (talk) VALUES (?)", [("delete-all",)]),
                ]
            )

    def paths(self) -> list[bytes]:
        """The paths of all files that something is kept of."""
        return [
            row[0] for row in self.read(" UNION ".join(f"SELECT path FROM {t}" for t in _BY_PATH))
        ]

    def places(self, path: bytes) -> tuple[int, bytes] | None:
        """A session's packed places, and the checksum of the listing that they belong to."""
        rows = self.read("SELECT listing, checksum, data FROM places WHERE path = ?", (path,))
        if not rows or tuple(map(type, rows[0])) != (int, int, bytes):
            return None
        listing, checksum, data = rows[0]
        return (listing, data) if checksum == zlib.crc32(data, listing) else None

    def placed(self) -> dict[bytes, int]:
        """By path: the checksum of the listing that the places of a session belong to."""
        return dict(self.read("SELECT path, listing FROM places"))

    def keep_places(self, rows: Iterable[tuple[bytes, int, bytes]]) -> None:
        """Keep places: path, checksum of the listing, data."""
        values = [(path, listing, zlib.crc32(data, listing), data) for path, listing, data in rows]
        if values:
            self.write([("INSERT OR REPLACE INTO places VALUES (?, ?, ?, ?)", values)])

    def looks(self) -> dict[bytes, Look]:
        """By path: what a look at the two ends of a session told, and the stamp that it had then."""
        rows = self.read("SELECT path, stamp, newest, heads FROM looks")
        kinds = (bytes, bytes, int, bytes)
        return {row[0]: Look(*row[1:]) for row in rows if tuple(map(type, row)) == kinds}

    def keep_looks(self, looks: Mapping[bytes, Look]) -> None:
        """Keep looks."""
        values = [(path, *look) for path, look in looks.items()]
        if values:
            self.write([("INSERT OR REPLACE INTO looks VALUES (?, ?, ?, ?)", values)])

    @staticmethod
    def _undo(db: sqlite3.Connection) -> None:
        if db.in_transaction:
            db.execute("ROLLBACK")


class Covered:
    """What an index says of one moment: how far it knows files, and the parts that can hold what is asked."""

    def __init__(
        self, known: Mapping[bytes, tuple[bytes, int, bytes, int, int]], ranges: dict[int, Ranges]
    ) -> None:
        self._known = known
        self._ranges = ranges

    def __bool__(self) -> bool:
        return bool(self._known)

    def parts(self, path: str, stamp: Stamp | None = None) -> Ranges | None:
        """The parts of a file that are to be read, the end that is not covered among them.

        None: all of it. `stamp` is what the file is known to be now; without it, it is looked at.
        """
        known = self._known.get(os.fsencode(path))
        if known is None:
            return None
        _, number, packed, stop, _ = known
        if stamp is not None and packed == _packed(stamp) and stop == stamp.size:
            return sorted(self._ranges.get(number, ()))
        try:
            number, position = _known(known)
        except (struct.error, TypeError, ValueError):
            return None
        size = position.stamp.size
        if stamp != position.stamp:
            try:
                growth, now = compare(Path(path), position)
            except OSError:
                return None
            if growth not in (Growth.SAME, Growth.GROWN) or now is None:
                return None
            size = now.size
        parts = sorted(self._ranges.get(number, ()))
        if size > position.offset:
            parts.append((position.offset, size))
        return parts


def triples(words: str) -> list[str]:
    """The triples of letters that every block holds which holds some words; none where nothing tells.

    Words of a block stand alone: blanks, and what is next to them, are in no triple.
    """
    found: dict[str, None] = {}
    for run in words.casefold().replace("\0", " ").split():
        for start in range(len(run) - 2):
            found[run[start : start + 3]] = None
    return [triple for triple in found if _has_bytes(triple)][:_MOST_TRIPLES]


def _match(words: Iterable[str]) -> str:
    """The question in FTS5's language."""
    asked = dict.fromkeys(triple for each in words for triple in triples(each))
    return " AND ".join('"{}"'.format(triple.replace('"', '""')) for triple in asked)


def _has_bytes(text: str) -> bool:
    return not any("\ud800" <= char < "\ue000" for char in text)


def _known(row: tuple[bytes, int, bytes, int, int]) -> tuple[int, Position]:
    _, number, stamp, stop, guard = row
    return number, Position(Stamp(*_STAMP.unpack(stamp)), stop, guard)


def _packed(stamp: Stamp) -> bytes:
    return _STAMP.pack(stamp.device, stamp.inode, stamp.size, stamp.mtime_ns)


def _number(db: sqlite3.Connection, path: bytes, before: Position | None) -> int | None:
    """The number of a file, whose blocks up to a position stay; None where they are not what they were."""
    row = db.execute("SELECT id, stop, made FROM files WHERE path = ?", (path,)).fetchone()
    if before is not None:
        same = row is not None and row[1:] == (before.offset, maker())
        return int(row[0]) if same else None
    if row is None:
        top = db.execute("SELECT max(id) FROM files").fetchone()[0]
        return int(top or 0) + 1
    db.execute("DELETE FROM blocks WHERE file = ?", (row[0],))
    return int(row[0])
