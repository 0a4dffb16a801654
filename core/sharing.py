"""Work on a list of things that two processes share: each takes the next one that nobody has taken.

The second process is a fork: what is loaded, and what the work is about, is there at once. Which things
are left stands in a pipe that both read from, so neither waits for the other, and what stands first in
the list is done first. Should the second process die, what it had not told is done here.
"""

from __future__ import annotations

import os
import pickle
import select
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Generic, TypeVar

Thing = TypeVar("Thing")
Result = TypeVar("Result")

_PLACE = 4
"""Bytes of a place in the list, as it stands in the pipe."""

_MOST_PLACES = 2_000
"""Places that the pipe holds, well within what any system gives a pipe; longer lists go in runs."""

_SIZE, _HEARD = 8, 1 << 16
"""Bytes that say how long a result is, as bytes; and of the pipe that are read at once."""

_HELPER_NICE = 5
"""How much less of a core the second process is given than the first, where both want one."""


def shared(
    things: Sequence[Thing], work: Callable[[Thing], Result]
) -> Iterator[tuple[Thing, Result]]:
    """Yield each thing with its result as soon as it is there, which is nearly the order of the list.

    `work` must not depend on what it did before, and its results can be pickled. Its exceptions come
    from here, whichever process they rose in. Without a second process all is done by this one.
    """
    pool = _Pool(things, work)
    done = [False] * len(things)
    try:
        for place, result in pool.results():
            if not done[place]:
                done[place] = True
                yield things[place], result
    finally:
        pool.close()
    for place, thing in enumerate(things):
        if not done[place]:
            yield thing, work(thing)


class _Pool(Generic[Thing, Result]):
    """The two processes, and the pipes between them."""

    def __init__(self, things: Sequence[Thing], work: Callable[[Thing], Result]) -> None:
        self._things = things
        self._work = work
        self._run = 1 + len(things) // _MOST_PLACES
        self._left, told = os.pipe()
        for place in range(0, len(things), self._run):
            os.write(told, place.to_bytes(_PLACE, "big"))
        os.close(told)
        self._told: int | None = None
        self._heard = bytearray()
        self._child = 0
        self._start()

    def _start(self) -> None:
        """Start the second process, where the system has such and lets us."""
        if not hasattr(os, "fork"):
            return
        read, write = os.pipe()
        try:
            self._child = os.fork()
        except OSError:
            os.close(read)
            os.close(write)
            return
        if not self._child:
            self._help(write)
        os.close(write)
        self._told = read

    def _help(self, write: int) -> None:
        """What the second process does. It never comes back from here."""
        try:
            _let_go_of_all_but(self._left, write)
            os.nice(_HELPER_NICE)
            with open(write, "wb") as pipe:
                for place in self._places():
                    data = pickle.dumps((place, self._work(self._things[place])), -1)
                    pipe.write(len(data).to_bytes(_SIZE, "big") + data)
                    pipe.flush()
        finally:
            # Whatever happened: what it has not told is done by the first process, and said there.
            os._exit(0)

    def _places(self) -> Iterator[int]:
        """The places that this process takes, until none is left."""
        while len(taken := os.read(self._left, _PLACE)) == _PLACE:
            first = int.from_bytes(taken, "big")
            yield from range(first, min(first + self._run, len(self._things)))

    def results(self) -> Iterator[tuple[int, Result]]:
        """Yield what this process finds, and in between and at the end what the other one sends."""
        for place in self._places():
            yield place, self._work(self._things[place])
            while self._told is not None and select.select([self._told], [], [], 0)[0]:
                yield from self._hear(self._told)
        while self._told is not None:
            yield from self._hear(self._told)

    def _hear(self, told: int) -> Iterator[tuple[int, Result]]:
        """Yield what the other process has sent meanwhile; wait for it where it has sent nothing."""
        came = os.read(told, _HEARD)
        if not came:
            self._told = None
            os.close(told)
        self._heard += came
        while (end := _SIZE + int.from_bytes(self._heard[:_SIZE], "big")) <= len(self._heard):
            found: tuple[int, Result] = pickle.loads(self._heard[_SIZE:end])  # of our own child
            del self._heard[:end]
            yield found

    def close(self) -> None:
        """Let go of the pipes, and end the other process, which has nothing more to do."""
        if self._told is not None:
            os.close(self._told)
        os.close(self._left)
        if self._child:
            with suppress(ProcessLookupError, ChildProcessError):
                os.kill(self._child, signal.SIGKILL)
                os.waitpid(self._child, 0)


def _let_go_of_all_but(*kept: int) -> None:
    """Close what the second process has no use for: a pipe that it held open would never end."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    edges = [2, *sorted(kept), os.sysconf("SC_OPEN_MAX")]
    for below, above in pairwise(edges):
        os.closerange(below + 1, above)
