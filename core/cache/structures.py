"""Structures in the cache: index and chain of long sessions, so that of one that grew only the end is read.

A short session is parsed sooner than it is fetched, so only those of `LONG` bytes and more are kept.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable
from functools import partial

from msgspec import DecodeError, Struct, msgpack
from msgspec.structs import replace

from ccbrowse.core.cache.around import SIDE, Around, Side, depends_of
from ccbrowse.core.cache.loose import loose_of
from ccbrowse.core.cache.stamps import stamp_bytes
from ccbrowse.core.cache.store import Cache
from ccbrowse.core.chain.saving import SavedChain, restore_chain, save_chain
from ccbrowse.core.index import FileFacts
from ccbrowse.core.index.saving import LAYOUT, SavedIndex, restore_index, save_index
from ccbrowse.core.lines import Stamp
from ccbrowse.core.locate import ProjectFolder, SessionFile, project_folder
from ccbrowse.core.records.prompts import typed_text
from ccbrowse.core.session import Folder, Session, Start
from ccbrowse.core.titles import one_title

LONG = 4 << 20
"""Bytes of a session from which on its structure is kept."""

WORTH = 1 << 20, 64
"""Growth that is worth keeping a structure anew: bytes, or this part of the file, whichever is more."""

_MAX_COMMAND = 400
"""Characters of a command that may become a title; of a longer one nothing is kept."""

_KEEP = (
    "INSERT OR REPLACE INTO structures (folder, name, stamp, depends, around, checksum, data)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)"
)
_FIND = (
    "SELECT stamp, depends, around, checksum, data FROM structures WHERE folder = ? AND name = ?"
)
_TYPES = (bytes, int, bytes, int, bytes)


class Saved(Struct, array_like=True):
    """A session's structure, as this machine lays it out."""

    layout: str
    index: SavedIndex
    chain: SavedChain


Otherwise = Callable[[SessionFile], Start | None]
"""What else may know the start of a session."""

_encode = msgpack.Encoder().encode
_decode = msgpack.Decoder(Saved).decode


class Opening:
    """A long session that is opened with what the cache knows of it.

    `session` may raise what `Session` raises. `keep` is for when there is time: it takes a while.
    """

    def __init__(
        self,
        cache: Cache,
        file: SessionFile,
        folder: Folder | None,
        around: Around,
        otherwise: Otherwise | None = None,
    ) -> None:
        self._cache = cache
        self._around = around
        self._side: Side = around.look(file, True)
        self._known = 0
        start = self._start(file) or (None if otherwise is None else otherwise(file))
        self.session = Session(file, folder, start=start)

    @property
    def is_worth_keeping(self) -> bool:
        """Whether it was read anew, or has grown so much that the next start would gain."""
        size = self.session.index.size
        least, part = WORTH
        return self._known == 0 or not 0 <= size - self._known < max(least, size // part)

    def keep(self) -> None:
        """Put the session's structure into the cache."""
        session = self.session
        facts = _without_words(session.index.facts)
        index = None if facts is None else save_index(session.indexed, facts)
        if index is None:
            return
        try:
            data = _encode(Saved(LAYOUT, index, save_chain(session.chain)))
        except (UnicodeEncodeError, OverflowError):
            return
        depends = depends_of(session.index)
        around = self._around.sign(self._side, depends)
        row = (*_key(session.file), _inode(session.file), depends, around, zlib.crc32(data), data)
        self._cache.write([(_KEEP, [row])])
        self._known = session.index.size

    def _start(self, file: SessionFile) -> Start | None:
        """What the cache knows of the file, if it is still the same one."""
        rows = self._cache.read(_FIND, _key(file))
        if not rows or tuple(map(type, rows[0])) != _TYPES:
            return None
        stamp, depends, around, checksum, data = rows[0]
        if stamp != _inode(file) or checksum != zlib.crc32(data):
            return None
        try:
            saved = _decode(data)
            indexed = restore_index(saved.index, file.path) if saved.layout == LAYOUT else None
        except (DecodeError, ValueError, OSError):
            return None
        if indexed is None:
            return None
        self._known = indexed.index.size
        side = self._side if depends & SIDE else self._around.look(file, False)
        same = self._around.sign(side, depends) == around
        return Start(indexed, partial(restore_chain, saved.chain) if same else None)


def open_session(
    file: SessionFile,
    cache: Cache | None,
    folder: Folder | None = None,
    otherwise: Otherwise | None = None,
) -> tuple[Session, Opening | None]:
    """A session, opened from the cache where it is long and there is one, else with what `otherwise` knows.

    Where there is an `Opening`, ask it later whether the structure is worth keeping, and keep it.
    """
    if cache is None or file.stamp.size < LONG:
        return Session(file, folder, start=otherwise(file) if otherwise else None), None
    around = around_of(cache, project_folder(file.root, file.folder))
    opening = Opening(cache, file, folder, around, otherwise)
    return opening.session, opening


def packed(session: Session) -> bytes | None:
    """A session's structure for another process on this machine; None where it cannot be packed."""
    index = save_index(session.indexed, session.index.facts)
    if index is None:
        return None
    try:
        return _encode(Saved(LAYOUT, index, save_chain(session.chain)))
    except (UnicodeEncodeError, OverflowError):
        return None


def unpacked(data: bytes, file: SessionFile) -> Start | None:
    """What `packed` gave, as what a session starts with. Raises DecodeError, ValueError, OSError."""
    saved = _decode(data)
    indexed = restore_index(saved.index, file.path)
    return None if indexed is None else Start(indexed, partial(restore_chain, saved.chain))


def around_of(cache: Cache, folder: ProjectFolder) -> Around:
    """What lies in a project folder."""
    return Around(folder, loose_of(cache, folder))


def _key(file: SessionFile) -> tuple[bytes, bytes]:
    return os.fsencode(file.folder), os.fsencode(file.name)


def _inode(file: SessionFile) -> bytes:
    # How long the file was when it was read is kept with its index, which finds out what became of it.
    return stamp_bytes(Stamp(file.stamp.device, file.stamp.inode, 0, 0))


def _without_words(facts: FileFacts) -> FileFacts | None:
    """The facts of a file with no more of its words than a title shows."""
    prompt = one_title(typed_text(facts.first_prompt or ""))
    command = None if prompt else facts.first_command
    if command is not None and len(command) > _MAX_COMMAND:
        return None
    return replace(
        facts,
        custom_title=one_title(facts.custom_title) if facts.custom_title else None,
        ai_title=one_title(facts.ai_title) if facts.ai_title else None,
        summaries=[(one_title(text), leaf) for text, leaf in facts.summaries],
        first_prompt=prompt if facts.first_prompt is not None else None,
        first_command=command,
    )
