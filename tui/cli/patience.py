"""A sign of life on stderr, where a person looks on, while a command works and prints nothing."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread

PATIENCE = 0.7
"""Seconds that pass in silence before something is said."""

_BEAT = 1.0


class Waiting:
    """Says `words()` and the seconds that have passed, each second that nothing else is said.

    A thread of its own says it: what works may be in a single long line.
    """

    def __init__(self, words: Callable[[], str]) -> None:
        self._words = words
        self._started = time.monotonic()
        self._ended, self._lock = Event(), Lock()
        self._shown = self._heard = False
        self._thread = Thread(target=self._beat, name="patience", daemon=True)
        self._thread.start()

    def _beat(self) -> None:
        silence = PATIENCE
        while not self._ended.wait(silence):
            with self._lock:
                if self._heard or self._ended.is_set():
                    self._heard, silence = False, PATIENCE
                    continue
                passed = time.monotonic() - self._started
                overwrite(f"{self._words()} {passed:.0f} s")
                self._shown, silence = True, _BEAT

    def hush(self) -> None:
        """Wipe what was said: something is to be printed. It begins anew if silence lasts."""
        with self._lock:
            self._heard = True
            if self._shown:
                self._shown = False
                overwrite("")

    def close(self) -> None:
        """Say nothing more, and wipe what was said."""
        self._ended.set()
        self._thread.join()
        self.hush()


_current: list[Waiting] = []


@contextmanager
def waiting(words: str) -> Iterator[None]:
    """Say from time to time that a command is at work, where stderr is a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    one = Waiting(lambda: words)
    _current.append(one)
    try:
        yield
    finally:
        _current.remove(one)
        one.close()


def hush() -> None:
    """Wipe what is said of waiting: a line is about to be printed."""
    for each in _current:
        each.hush()


def overwrite(words: str) -> None:
    """Say something in place of what was said last on stderr."""
    sys.stderr.write(f"\r\x1b[K{words}")
    sys.stderr.flush()
