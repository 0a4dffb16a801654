"""Records that stand in several session files: a fork's file begins with copies of another's records.

A record belongs to the file that wrote it first, and is found there alone where that file is searched
too. Which files may share records is told by how they begin, by a boundary that leads into another
file, and by `forkedFrom`; only those are looked into, and only once something was found in one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path

from ccbrowse.core.errors import CcbrowseError
from ccbrowse.core.forks import first_boundary_elsewhere, first_ids, head_of, wrote_first
from ccbrowse.core.index import SessionIndex, index_file
from ccbrowse.core.locate import SessionFile
from ccbrowse.core.search.known import Known
from ccbrowse.core.search.scan import HEAD
from ccbrowse.core.search.spelling import LETTERS_ESCAPED
from ccbrowse.core.session import Session

_MOST_BYTES = 1 << 26
"""Bytes of a file that is looked through for uuids; a longer one is indexed."""

Accepts = Callable[[SessionFile], bool]
"""Whether a session meets the conditions of the search."""


class Copies:
    """The searched files as they copy one another. Everything is looked up when it is asked for."""

    def __init__(
        self, files: Sequence[SessionFile], accepts: Accepts, known: Known | None = None
    ) -> None:
        self._given = files
        self._accepts = accepts
        self._known = known
        self._beside: tuple[str, list[bytes | None]] | None = None
        self._accepted: dict[Path, bool] = {}
        self._heads: dict[Path, dict[bytes, list[SessionFile]]] = {}
        self._indexes: dict[Path, SessionIndex | None] = {}

    @cached_property
    def _files(self) -> dict[Path, SessionFile]:
        return {file.path: file for file in self._given}

    @cached_property
    def _by_folder(self) -> dict[Path, list[SessionFile]]:
        found: dict[Path, list[SessionFile]] = {}
        for file in {file.key: file for file in self._given}.values():
            found.setdefault(file.folder, []).append(file)
        return found

    @cached_property
    def _by_id(self) -> dict[str, SessionFile]:
        return {file.session_id: file for file in self._given}

    def begins_as_others(self, file: SessionFile) -> bool:
        """Whether another searched file of the folder begins with a record that this one begins with."""
        return any(other.name != file.name for other in self._of_same_head(file))

    def may_be_copy(self, file: SessionFile, uuid: str | None) -> bool:
        """Whether another file that begins as this one holds a record of this uuid, as far as its bytes tell:
        they are looked through much sooner than indexed."""
        if self._beside is None or self._beside[0] != file.key:
            others = {o.key: o for o in self._of_same_head(file) if o.name != file.name}
            self._beside = file.key, [_bytes_of(other) for other in others.values()]
        if uuid is None:
            return False
        name = uuid.encode("utf-8", "replace")
        return any(data is None or name in data for data in self._beside[1])

    def of(self, session: Session) -> _OfOne:
        """Where records of one session stand as well."""
        return _OfOne(session.index, list(self._relatives(session)))

    def _relatives(self, session: Session) -> Iterable[tuple[SessionFile, SessionIndex, bool]]:
        """The files that may share records with a session: each with its index, and whether it is older."""
        own = session.file.path
        origin = session.index.facts.forked_from
        source = session.continues_from or next(iter(first_boundary_elsewhere(session)), None)
        named = self._by_id.get(origin[0]) if origin is not None else None
        paths = dict.fromkeys(other.path for other in self._of_same_head(session.file))
        if source is not None:
            paths[Path(source.file)] = None
        if named is not None:
            paths[named.path] = None
        for path in paths:
            file = self._files.get(path)
            if path == own or file is None or not self._is_accepted(file):
                continue
            index = self._index(path)
            if index is not None:
                yield file, index, wrote_first((index, path), (session.index, own))

    def _of_same_head(self, file: SessionFile) -> Iterable[SessionFile]:
        """The searched files of a folder that begin with a record that this one begins with."""
        heads = self._heads.get(file.folder)
        if heads is None:
            heads = self._heads[file.folder] = {}
            for other in self._by_folder[file.folder]:
                for uuid in self._first_ids(other):
                    heads.setdefault(uuid, []).append(other)
        for uuid in self._first_ids(file):
            yield from heads.get(uuid, ())

    def _first_ids(self, file: SessionFile) -> list[bytes]:
        known = self._known.first_ids(file) if self._known is not None else None
        return first_ids(head_of(file.key)) if known is None else known

    def _is_accepted(self, file: SessionFile) -> bool:
        known = self._accepted.get(file.path)
        if known is None:
            known = self._accepted[file.path] = self._accepts(file)
        return known

    def _index(self, path: Path) -> SessionIndex | None:
        if path not in self._indexes:
            try:
                self._indexes[path] = index_file(path)
            except (OSError, CcbrowseError):
                self._indexes[path] = None
        return self._indexes[path]


class _OfOne:
    """Whether records of one session were written by another file first."""

    def __init__(
        self, index: SessionIndex, relatives: list[tuple[SessionFile, SessionIndex, bool]]
    ) -> None:
        self._index = index
        self._older = [other for _, other, older in relatives if older]
        self._origins = {row: uuid for uuid, row in index.origin_rows.items()}

    def is_copy(self, row: int) -> bool:
        """Whether a record of the session belongs to a file that wrote it before."""
        if not self._older:
            return False
        own = self._index.uuids[row]
        names = [name for name in (own, self._origins.get(row)) if name]
        return any(name in other.rows for other in self._older for name in names)


def _bytes_of(file: SessionFile) -> bytes | None:
    """A file's bytes; None where they are too many, not to be had, or do not spell letters as they are."""
    if file.stamp.size > _MOST_BYTES:
        return None
    try:
        data = file.path.read_bytes()
    except OSError:
        return None
    return None if LETTERS_ESCAPED.search(data, 0, HEAD) else data
