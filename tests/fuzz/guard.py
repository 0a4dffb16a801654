"""What a storm may not do to the machine it runs on, held by an audit hook: write anywhere but in its own
folder, write below the root of the sessions (that is a fault, and told), start a program of others.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_CHANGES = frozenset(
    ("os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.link", "os.symlink", "os.truncate", "os.chmod")
)  # fmt: skip


class Guard:
    """Refuses with PermissionError, as a system would; `faults` are what should not even be tried."""

    def __init__(self, folder: Path, root: Path) -> None:
        self.folder = str(folder)
        self.root = str(root)
        self.faults: list[str] = []
        self._ours = threading.local()

    @contextmanager
    def ours(self) -> Iterator[None]:
        """What this thread does meanwhile is the storm's own."""
        self._ours.now = True
        try:
            yield
        finally:
            self._ours.now = False

    @property
    def is_ours(self) -> bool:
        """Whether the storm itself is at work in this thread."""
        return getattr(self._ours, "now", False)

    def look(self, event: str, args: tuple[Any, ...]) -> None:
        """Hold what is to happen against the rules."""
        if event == "subprocess.Popen" and (args[1] or [""])[0] != sys.executable:
            self.faults.append(f"started {args[1]}")
            raise PermissionError(1, "not in a storm", str(args[0]))
        written = event in _CHANGES or (
            event == "open" and isinstance(args[2], int) and args[2] & _WRITES
        )
        for path in args[: 2 if event == "os.rename" else 1] if written else ():
            self._look_at(event, path)

    def _look_at(self, event: str, path: Any) -> None:
        if not isinstance(path, str | bytes | os.PathLike):
            return  # a descriptor: its opening was looked at
        place = os.path.abspath(os.fsdecode(path))  # noqa: PTH100 - in a hook, and without any link followed
        if place.startswith(("/dev/", "/proc/")) or "__pycache__" in place or self.is_ours:
            return
        inside = os.path.realpath(place).startswith(self.root + os.sep)
        if inside:
            self.faults.append(f"{event} below the root: {place!r}")
        if inside or not place.startswith(self.folder + os.sep):
            raise PermissionError(13, "not in a storm", place)


_guards: list[Guard] = []
_is_hooked: list[bool] = []


@contextmanager
def guarded(folder: Path, root: Path) -> Iterator[Guard]:
    """Hold everything in this process to the rules, for a while: a hook stays, and sleeps from then on."""
    if not _is_hooked:
        _is_hooked.append(True)
        sys.addaudithook(_hook)
    guard = Guard(folder, root)
    _guards.append(guard)
    try:
        yield guard
    finally:
        _guards.remove(guard)


def _hook(event: str, args: tuple[Any, ...]) -> None:
    for guard in _guards:
        guard.look(event, args)
