"""Automatic compactions of the other sessions under a root: for commands that read one session alone."""

import mmap
from collections.abc import Iterator
from pathlib import Path

from ccbrowse.core.autocompact import Seen, seen_triggers
from ccbrowse.core.errors import CcbrowseError
from ccbrowse.core.locate import SessionFile, session_files
from ccbrowse.core.session import Session

ENOUGH = 24
"""Compactions after which no more are looked for."""

MOST_SEARCHED = 400_000_000
"""Bytes of files that are searched for a boundary, the newest files first."""

MOST_READ = 60_000_000
"""Bytes of files with one that are read."""

_MARK = b"compact_boundary"


def seen_elsewhere(root: Path, but: Path | None = None) -> list[Seen]:
    """The newest automatic compactions of the sessions under a root, without those of one file.

    What cannot be read is passed over: a forecast does without.
    """
    found: list[Seen] = []
    for file in _compacted(root, but):
        try:
            session = Session(file)
        except (OSError, CcbrowseError):
            continue
        found += seen_triggers(session)
        session.close()
        if len(found) >= ENOUGH:
            break
    return found


def _compacted(root: Path, but: Path | None) -> Iterator[SessionFile]:
    """The files that hold a boundary, newest first, as far as it costs little to look."""
    searched = read = 0
    for file in sorted(session_files(root), key=lambda file: -file.stamp.mtime_ns):
        size = file.stamp.size
        if file.path == but or not size or searched + size > MOST_SEARCHED:
            continue
        searched += size
        if read + size <= MOST_READ and _holds_mark(file.path):
            read += size
            yield file


def _holds_mark(path: Path) -> bool:
    try:
        with (
            path.open("rb") as stream,
            mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data,
        ):
            return data.find(_MARK) >= 0
    except (OSError, ValueError):  # ValueError: emptied meanwhile
        return False
