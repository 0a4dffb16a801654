"""Where tokens are counted: here, or in a child process that ends where nothing is asked of it for a while.

A tokenizer takes 40 MB that a process never gives back, and holds the interpreter's lock while it counts:
every key press of an app would wait for it. So an app counts `away`; commands, which end soon, count here.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Lock
from typing import IO

IDLE = 3.0
"""Seconds without a question after which the child ends."""

COULD_NOT = 0xFFFFFFFF
"""The child's answer for a text that the tokenizer failed on."""

_MODULE = "ccbrowse.core.estimate.child"


class NotAway(Exception):
    """The child could not be had: whoever asks counts for himself."""


class Away:
    """A child process that counts, started by the first question. Safe to ask from several threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._closed = False

    def count(self, encoding: str, text: str) -> int | None:
        """The tokens of a text by an encoding (or family of ctok); None where the tokenizer failed, or
        after `close`: then nobody waits for a true count any more. Raises NotAway.
        """
        name, data = encoding.encode(), text.encode("utf-8", "surrogatepass")
        question = bytes([len(name)]) + name + len(data).to_bytes(4, "big") + data
        with self._lock:
            if self._closed:
                return None
            answer = self._ask(question) or self._ask(
                question
            )  # it may have ended meanwhile: once more
        if answer is None:
            raise NotAway
        number = int.from_bytes(answer, "big")
        return None if number == COULD_NOT else number

    def _ask(self, question: bytes) -> bytes | None:
        try:
            child = self._child = self._child or _start()
            asked, answered = _pipes(child)
            asked.write(question)
            asked.flush()
            answer = answered.read(4)
        except OSError:
            answer = b""
        if len(answer) == 4:
            return answer
        self._end()
        return None

    def close(self) -> None:
        """End the child, for good."""
        with self._lock:
            self._closed = True
            self._end()

    def _end(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.kill()
            child.wait()
            for pipe in _pipes(child):
                with suppress(OSError):  # what was not written yet is lost on nobody
                    pipe.close()


def _start() -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        # -P: a folder of the same name in the working directory must not be imported.
        [sys.executable, "-P", "-m", _MODULE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        process_group=0,  # ctrl+c in the terminal is for the app alone
    )


def _pipes(child: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    assert child.stdin is not None
    assert child.stdout is not None
    return child.stdin, child.stdout


_away: list[Away] = []


def away() -> Away | None:
    """Who counts instead of this process, if anybody does."""
    return _away[-1] if _away else None


@contextmanager
def counting_away() -> Iterator[None]:
    """Within this, tokens are counted in a child process."""
    _away.append(Away())
    try:
        yield
    finally:
        _away.pop().close()
