"""Where the cache lies, what it holds, and how it is cleared."""

import os
import sqlite3
import sys
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG

FILE = "sessions.db"
TALK = "talk.db"
"""The index of what was said, for searches."""

BESIDE = ("-wal", "-shm", "-journal")
"""What SQLite puts beside its file."""


@dataclass(frozen=True, slots=True)
class State:
    """The cache as it lies there: its file, bytes on disk, and rows by table. `trouble`: why not."""

    path: Path
    bytes: int
    rows: dict[str, int]
    trouble: str | None = None


def cache_folder() -> Path:
    """The folder of the user's caches that is ours; it need not exist."""
    if (
        sys.platform == "linux"
    ):  # as platformdirs says, which takes as long to load as a list to show
        named = os.environ.get("XDG_CACHE_HOME", "").strip()
        return Path(named or Path("~/.cache").expanduser()) / "ccbrowse"
    import platformdirs

    return platformdirs.user_cache_path("ccbrowse")


def files_of(path: Path) -> list[Path]:
    """A cache's file, and those that SQLite has put beside it."""
    return [path, *(path.with_name(path.name + ending) for ending in BESIDE)]


def files(folder: Path) -> list[Path]:
    """All files of the cache."""
    return [*files_of(folder / FILE), *files_of(folder / TALK)]


def clear(folder: Path | None = None) -> int:
    """Remove the cache; the bytes that it took. Whoever has it open goes on without. Raises OSError."""
    folder = cache_folder() if folder is None else folder
    size = 0
    for path in files(folder):
        with suppress(FileNotFoundError, NotADirectoryError):
            size += path.lstat().st_size
            path.unlink()
    with suppress(OSError):  # there may be more in it, or it is not there
        folder.rmdir()
    return size


def state(folder: Path | None = None) -> State:
    """What the cache holds. None is made where there is none."""
    folder = cache_folder() if folder is None else folder
    path = folder / FILE
    size = 0
    for each in files(folder):
        with suppress(OSError):
            size += each.lstat().st_size
    try:
        status = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return State(path, 0, {}, None)
    except OSError as error:
        return State(path, 0, {}, error.strerror)
    if not S_ISREG(status.st_mode):
        return State(path, size, {}, "it is no file")
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True, timeout=1.0)) as db:
            tables = db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
            counted = {
                name: db.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]
                for (name,) in tables
                if name.isidentifier()
            }
    except sqlite3.Error as error:
        return State(path, size, {}, str(error))
    return State(path, size, counted, None)
