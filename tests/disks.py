"""Disks that are slow or fail: what Python reads of a folder goes through one of these.

disk = Disk(monkeypatch, root)
disk.fails_at(path, 4_000)       # bytes from there on cannot be read
disk.is_slow(seconds)            # each folder listed, file opened or looked at takes so long
disk.holds(path)                 # who opens it waits until `disk.go.set()`
"""

from __future__ import annotations

import errno
import io
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


class _Failing(io.FileIO):
    """A file whose bytes from some offset on cannot be read."""

    fails_at = 0

    def readinto(self, buffer: Any, /) -> int | None:
        if self.tell() + len(memoryview(buffer)) > self.fails_at:
            left = self.fails_at - self.tell()
            if left <= 0:
                raise broken(self.name)
            return super().readinto(memoryview(buffer)[:left])
        return super().readinto(buffer)

    def read(self, size: int | None = -1, /) -> bytes:
        if self.tell() >= self.fails_at:
            raise broken(self.name)
        return super().read(size)

    def readall(self) -> bytes:
        raise broken(self.name)


def broken(name: object) -> OSError:
    """What a disk says that cannot be read."""
    return OSError(errno.EIO, "Input/output error", str(name))


class Disk:
    """Patches what is read under a root."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, root: Path) -> None:
        self.root = str(root)
        self.go = threading.Event()
        self._fails: dict[str, int] = {}
        self._held: set[str] = set()
        self._seconds = 0.0
        self._bodies: dict[tuple[int, int], int] = {}
        self._open, self._pread = io.open, os.pread
        self._scandir, self._stat = os.scandir, os.stat
        monkeypatch.setattr(io, "open", self.open)
        monkeypatch.setattr(os, "pread", self.pread)
        monkeypatch.setattr(os, "scandir", self._waiting(os.scandir))
        monkeypatch.setattr(os, "stat", self._waiting(os.stat))

    def fails_at(self, path: Path, offset: int) -> None:
        """Bytes of a file from an offset on cannot be read."""
        self._fails[str(path)] = offset
        self.loses(path, offset)

    def loses(self, path: Path, offset: int) -> None:
        """As `fails_at`, but for whoever reads the file from one end to the other: only later looks fail."""
        status = self._stat(path)
        self._bodies[status.st_dev, status.st_ino] = offset

    def heals(self) -> None:
        """All can be read again."""
        self._fails.clear()
        self._bodies.clear()

    def is_slow(self, seconds: float) -> None:
        """Whatever is asked of the disk takes its time."""
        self._seconds = seconds

    def holds(self, path: Path) -> None:
        """Who opens a file waits until `go` is set."""
        self._held.add(str(path))

    def _wait(self, path: object) -> None:
        if self._seconds and str(path).startswith(self.root):
            time.sleep(self._seconds)

    def _waiting(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def waiting(path: Any = ".", *words: Any, **named: Any) -> Any:
            self._wait(path)
            return call(path, *words, **named)

        return waiting

    def open(
        self, path: Any, mode: str = "r", buffering: int = -1, *words: Any, **named: Any
    ) -> Any:
        name = os.fspath(path) if not isinstance(path, int) else ""
        self._wait(name)
        if name in self._held:
            self.go.wait(60)
        if name not in self._fails or mode != "rb":
            return self._open(path, mode, buffering, *words, **named)
        raw = _Failing(name, "r")
        raw.fails_at = self._fails[name]
        return raw if buffering == 0 else io.BufferedReader(raw)

    def pread(self, descriptor: int, length: int, offset: int, /) -> bytes:
        status = os.fstat(descriptor)
        if offset + length > self._bodies.get((status.st_dev, status.st_ino), 1 << 62):
            raise OSError(errno.EIO, "Input/output error")
        return self._pread(descriptor, length, offset)
