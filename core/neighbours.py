"""What the files around a session know: parents in its side files, records in other sessions' files."""

from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import DecodeError

from ccbrowse.core.chain import Elsewhere, Surroundings
from ccbrowse.core.lines import line_spans, read_chunks
from ccbrowse.core.locate import SUFFIX, AgentFile, is_session_name
from ccbrowse.core.records.heads import Head, decode_head

SMALL_FOLDER = 64 << 20
"""Bytes of session files up to which a folder is searched for any boundary's sake. In a larger one
only a file that starts at its boundary is worth it: such a file has its beginning elsewhere."""

MOST_READ = 4 << 30
"""Bytes that all searches in one folder may read: hostile files could ask without end."""


class Neighbours:
    """The other session files of one project folder; each search is remembered."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._found: dict[str, list[Elsewhere]] = {}
        self._size: int | None = None
        self._read = 0

    def holder(self, uuid: str, own: Path, starts_there: bool = True) -> Elsewhere | None:
        """Another session's file that holds a record of this uuid; the oldest, where several do.

        `starts_there` tells whether the file that asks has nothing before the boundary in question.
        """
        return next(iter(self.holders(uuid, own, starts_there)), None)

    def holders(self, uuid: str, own: Path, starts_there: bool = True) -> list[Elsewhere]:
        """All other sessions' files that hold a record of this uuid, the oldest first."""
        if self._size is None:
            self._size = sum(map(_size, self._files()))
        if self._size <= _size(own):
            return []  # it is alone
        if not starts_there and self._size > SMALL_FOLDER:
            return []
        found = self._found.get(uuid)
        if found is None and self._read > MOST_READ:
            return []
        if found is None:
            self._read += self._size
            found = self._found[uuid] = list(self._search(uuid))
        return [other for other in found or () if Path(other.file) != own]

    def _search(self, uuid: str) -> Iterator[Elsewhere]:
        needle = uuid.encode("utf-8", "replace")
        for path in sorted(self._files(), key=_modified):
            if _holds(path, needle, uuid):
                yield Elsewhere(path.stem, str(path), uuid)

    def _files(self) -> list[Path]:
        try:
            return [
                p for p in self.folder.glob(f"*{SUFFIX}") if is_session_name(p.name) and p.is_file()
            ]
        except OSError:
            return []


def surroundings(
    own: Path, agents: Callable[[], list[AgentFile]], neighbours: Neighbours
) -> Surroundings:
    """What is around a session; nothing is read, or looked for, before it is asked for."""
    parents: dict[str, str] = {}
    read: list[bool] = []

    def side_parent(uuid: str) -> str | None:
        if not read:
            read.append(True)
            for agent in agents():
                parents.update(_parents(agent.path))
        return parents.get(uuid)

    def elsewhere(uuid: str, starts_there: bool) -> Elsewhere | None:
        return neighbours.holder(uuid, own, starts_there)

    return Surroundings(side_parent, elsewhere)


def heads_of(path: Path, needle: bytes = b"") -> Iterator[Head]:
    """The heads of a file's readable lines (those that hold `needle`); what is damaged is passed over."""
    try:
        with path.open("rb") as file:
            for chunk in read_chunks(file):
                if needle and chunk.data.find(needle, 0, chunk.end) < 0:
                    continue
                for start, stop in line_spans(chunk.data, chunk.end):
                    if needle and chunk.data.find(needle, start, stop) < 0:
                        continue
                    try:
                        yield decode_head(chunk.data[start:stop])
                    except (DecodeError, RecursionError):
                        continue
    except OSError:
        return


def _holds(path: Path, needle: bytes, uuid: str) -> bool:
    return any(head.uuid == uuid for head in heads_of(path, needle))


def _parents(path: Path) -> Iterator[tuple[str, str]]:
    for head in heads_of(path):
        if head.uuid and isinstance(head.parentUuid, str):
            yield head.uuid, head.parentUuid


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
