"""Changed paths to changed sessions: events where they come, looks at the files where they do not.

`changes` is a generator for a worker's thread: it yields the paths that changed, and an empty set
from time to time, when whoever listens should look at what it shows, as no events come from some
network and container file systems. Where the events come from can be injected.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ccbrowse.core.errors import Gone
from ccbrowse.core.locate import SUFFIX, is_session_name

STEP_MS, DEBOUNCE_MS = 5, 20
"""How long watchfiles gathers events: a batch ends when 5 ms bring nothing new."""

LOOK_EVERY = 2.0
"""Seconds after which one should look at the files though no event came."""

POLL_EVERY = 0.1
"""Seconds between looks where files are polled."""

POLLING_SETTING = "WATCHFILES_FORCE_POLLING"
"""The environment variable that watchfiles itself knows: any value but an empty or false one polls."""


class Stop(Protocol):
    """Tells when to end: a `threading.Event` is one."""

    def is_set(self) -> bool:
        """Whether to end."""
        ...


Source = Callable[[Sequence[Path], Stop], Iterator[set[Path]]]
"""Yields sets of changed paths below some folders until it is told to stop; an empty one: look."""


@dataclass(frozen=True, slots=True)
class SessionChanged:
    """A session whose file, or whose side files, changed. `path` is the session's own file."""

    session_id: str
    path: Path
    own: bool
    """Whether the session's file itself is among the changed ones."""


def changes(
    folders: Sequence[Path], stop: Stop, *, polling: bool | None = None
) -> Iterator[set[Path]]:
    """The paths that change below some folders, in batches. Ends soon after `stop` is set.

    `polling`: look instead of waiting for events; None leaves it to the environment. Raises Gone
    where no folder is there.
    """
    there = [folder for folder in folders if folder.is_dir()]
    if not there:
        raise Gone(" · ".join(map(str, folders)))
    if polling is None:
        polling = is_polling_wanted()
    return poll(there, stop) if polling else _events(there, stop)


def is_polling_wanted() -> bool:
    """Whether the environment asks for polling."""
    value = os.environ.get(POLLING_SETTING, "").strip().lower()
    return value not in ("", "0", "false", "no", "disable", "disabled")


def _events(folders: Sequence[Path], stop: Stop) -> Iterator[set[Path]]:
    # Here and not above: it would be half of what the list's first picture waits for.
    from watchfiles import Change, watch

    try:
        batches = watch(
            *folders,
            watch_filter=None,
            step=STEP_MS,
            debounce=DEBOUNCE_MS,
            stop_event=stop,
            rust_timeout=int(LOOK_EVERY * 1000),
            yield_on_timeout=True,
            raise_interrupt=False,
            ignore_permission_denied=True,
        )
        for batch in batches:
            found = {Path(path) for _, path in batch}
            # What came into a new folder before it was watched makes no event.
            yield found.union(*(_below(path) for change, path in batch if change is Change.added))
    except (OSError, RuntimeError):
        # No watches left, none on this file system, or a name that it cannot read.
        yield from poll(folders, stop)


def _below(folder: str) -> set[Path]:
    """The files below a folder; none below a file."""
    return set(_stamps([folder])) if Path(folder).is_dir() else set()


def poll(folders: Sequence[Path], stop: Stop, every: float = POLL_EVERY) -> Iterator[set[Path]]:
    """The paths below folders whose size or time changed between two looks, `every` so many seconds."""
    before = _stamps(folders)
    while not stop.is_set():
        time.sleep(every)
        now = _stamps(folders)
        changed = {path for path, stamp in now.items() if before.get(path) != stamp}
        yield changed | (before.keys() - now.keys())
        before = now


def _stamps(folders: Iterable[str | Path]) -> dict[Path, tuple[int, int, int]]:
    """Inode, size and time of every file below folders. Folders that vanish meanwhile are empty."""
    found: dict[Path, tuple[int, int, int]] = {}
    todo = [os.fspath(folder) for folder in folders]
    while todo:
        try:
            entries = list(os.scandir(todo.pop()))
        except OSError:
            continue
        for entry in entries:
            try:
                if entry.is_dir(follow_symlinks=False):
                    todo.append(entry.path)
                else:
                    status = entry.stat()
                    stamp = status.st_ino, status.st_size, status.st_mtime_ns
                    found[Path(entry.path)] = stamp
            except OSError:
                continue
    return found


def changed_sessions(paths: Iterable[Path], roots: Iterable[Path]) -> list[SessionChanged]:
    """The sessions that changed paths belong to, each once.

    A session's file stands in a project folder below a root (or in the root, where that is one
    project's folder), its side files below a folder of its name beside it. Subagents' files of the
    older layout name their session only inside: they belong to none here.
    """
    found: dict[Path, bool] = {}
    for path in paths:
        for root in roots:
            if not path.is_relative_to(root):
                continue
            parts = path.relative_to(root).parts
            own = len(parts) in (1, 2) and is_session_name(parts[-1])
            if own:
                found[path] = True
            elif len(parts) > 2:
                found.setdefault(root / parts[0] / f"{parts[1]}{SUFFIX}", False)
    return [SessionChanged(path.stem, path, own) for path, own in found.items()]
