"""A clock for terminal programs: run one on a pseudo-terminal and wait for words on its screen.

What the program writes is kept as text, its control sequences taken out; words of one style that
stand beside each other are found in it. Nothing is polled: the clock sleeps until something comes.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType

import psutil  # type: ignore[import-untyped]  # it brings no types along
from bench.processes import Sample, environment

SIZE = (48, 160)
"""Rows and columns."""

LIMIT = 60.0
"""Seconds to wait for words."""

_CONTROL = re.compile(
    rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|.)"
)
_KEPT = 1 << 20


class TooLate(Exception):
    """The words did not come in time; its text is what the program last wrote."""


class Terminal:
    """A program on a terminal of its own. Leaving the block ends it."""

    def __init__(self, command: Sequence[str], home: Path) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", *SIZE, 0, 0))
        self.started = time.perf_counter()
        self._process = subprocess.Popen(
            command,
            env=environment(home),
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )
        os.close(slave)
        self._raw = b""
        self._text = ""

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._master)

    def wait_for(self, words: str, limit: float = LIMIT) -> float:
        """Seconds since the start until a pattern is on the screen. Raises TooLate."""
        pattern, until = re.compile(words), time.perf_counter() + limit
        while not pattern.search(self._text):
            if not self._read(until - time.perf_counter()):
                raise TooLate(self._text[-2000:])
        return time.perf_counter() - self.started

    def forget(self, seconds: float | None = None) -> None:
        """Take no notice of what was written so far: until it rests, or what comes in some seconds."""
        until = time.perf_counter() + (seconds or 0.0)
        while self._read(0.05 if seconds is None else until - time.perf_counter()):
            if seconds is not None and time.perf_counter() > until:
                break
        self._text = ""

    def press(self, keys: str) -> None:
        """Type."""
        os.write(self._master, keys.encode())

    def sample(self, wall: float, children: bool = True) -> Sample:
        """What the program (and its children) have cost up to now; their memory as it is now."""
        try:
            own = psutil.Process(self._process.pid)
            every = [own, *(own.children(recursive=True) if children else ())]
            times = [each.cpu_times() for each in every]
            rss = sum(each.memory_info().rss for each in every)
        except psutil.NoSuchProcess:
            return Sample(wall, 0.0, 0.0)
        cpu = sum(each.user + each.system for each in times)
        return Sample(wall, cpu, rss / (1 << 20))

    def _read(self, limit: float) -> bool:
        """Take in what the program writes next; False where nothing comes in time."""
        ready, _, _ = select.select([self._master], [], [], max(0.0, limit))
        if not ready:
            return False
        try:
            came = os.read(self._master, 1 << 16)
        except OSError:  # the program has ended
            return False
        self._raw += came
        whole = self._raw.rfind(b"\x1b")
        # The last sequence may still be on its way.
        cut = whole if whole > len(self._raw) - 64 and whole >= 0 else len(self._raw)
        if _CONTROL.match(self._raw, cut):
            cut = len(self._raw)
        text = _CONTROL.sub(b"", self._raw[:cut]).decode(errors="replace")
        self._raw = self._raw[cut:]
        self._text = (self._text + text)[-_KEPT:]
        return True
