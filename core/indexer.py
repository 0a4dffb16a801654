"""The library's child process: lists all sessions beside the app, so that no key waits for it.

Parsing holds the interpreter's lock; in a thread of the app every key press would wait for it. So the
app starts `Indexer` before anything else, and reads its batches of listings from a pipe. A child that
cannot be started, or ends early, is no loss: whoever reads then lists by itself.
"""

from __future__ import annotations

import os
import pickle
import select
import subprocess
import sys
import time
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeAlias

from ccbrowse.core.errors import CcbrowseError

if TYPE_CHECKING:
    from ccbrowse.core.library import Library, Listing

FIRST_BATCH, MOST_ROWS = 24, 2_000
"""Listings of the first batch, which is to be there at once, and of the others at most."""

FIRST_SECONDS, BATCH_SECONDS = 0.02, 0.05
"""How long the first batch, and the others, are gathered."""

CACHE, NO_CACHE = "--cache", "--no-cache"
"""The child's first word."""

NICE = 5
"""How much less of a core the child is given than the app, where both want one: keys come first."""

_SIZE = 8


class Indexer:
    """A child process that lists the sessions under some roots, newest file first.

    It writes nothing but to its pipe and to the cache, where there is one, and ends with whoever started
    it. `done` of `total` files are listed by now; once all are, `trouble` is what was wrong with the cache,
    and `unreadable` names files that could not be read, each with why. Raises OSError where it cannot be
    started.
    """

    def __init__(self, roots: Sequence[Path], cache: bool = False) -> None:
        self.trouble: str | None = None
        self.unreadable: tuple[tuple[str, str], ...] = ()
        self.done = self.total = 0
        self._is_done = False
        # -P: a folder of the same name in the working directory must not be imported.
        command = [sys.executable, "-P", "-m", "ccbrowse.core.indexer"]
        command += [CACHE if cache else NO_CACHE, *map(os.fspath, roots)]
        self._child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # Ctrl+c in the terminal is for the app alone. Not a session of its own: where the system shares
            # time out by sessions, it would not matter there how nice the child is.
            process_group=0,
        )
        # Whoever forgets the indexer leaves no open pipe behind.
        weakref.finalize(self, self.close_pipe_of, self._child)

    def batches(self) -> Iterator[tuple[Listing, ...]]:
        """The listings as they come. Raises CcbrowseError where the child ends before all are there."""
        while batch := self._next():
            yield batch

    def at_hand(self, seconds: float) -> Iterator[tuple[Listing, ...]]:
        """The listings that are there by now, none begun after some seconds. Raises as `batches` does."""
        until = time.monotonic() + seconds
        while time.monotonic() < until and self._is_readable() and (batch := self._next()):
            yield batch

    def _is_readable(self) -> bool:
        """Whether the next batch has come, at least its beginning; False where that is not known."""
        pipe = self._child.stdout
        return pipe is not None and bool(select.select([pipe], [], [], 0)[0])

    def _next(self) -> tuple[Listing, ...]:
        """The next batch; empty once all are there, however often it is asked."""
        pipe = self._child.stdout
        assert pipe is not None
        while not self._is_done:
            sent = _read(pipe)
            if sent is None:
                raise CcbrowseError("the indexer ended early", "", "sessions are listed without it")
            self.done, self.total, found = sent
            if isinstance(found, list):
                if batch := _listings(found):
                    return batch
                continue
            self.trouble, self.unreadable = found
            self._is_done = True
        return ()

    def close(self) -> None:
        """End the child. A batch that is being waited for comes to its end."""
        self._child.kill()
        self._child.wait()

    def close_pipe(self) -> None:
        """Let go of the pipe, once nobody reads it."""
        self.close_pipe_of(self._child)

    @staticmethod
    def close_pipe_of(child: subprocess.Popen[bytes]) -> None:
        """Let go of a child's pipe."""
        if child.stdout is not None:
            child.stdout.close()


def gather(listings: Iterable[Listing]) -> Iterator[tuple[Listing, ...]]:
    """Listings in batches: a small one at once, then what comes within a blink; none is empty."""
    batch: list[Listing] = []
    since, most, seconds = time.monotonic(), FIRST_BATCH, FIRST_SECONDS
    for listing in listings:
        batch.append(listing)
        if len(batch) >= most or time.monotonic() - since > seconds:
            yield tuple(batch)
            batch, since, most, seconds = [], time.monotonic(), MOST_ROWS, BATCH_SECONDS
    if batch:
        yield tuple(batch)


_End: TypeAlias = tuple[str | None, tuple[tuple[str, str], ...]]
"""The last that is sent: what was wrong with the cache, and the files that could not be read."""

_Sent: TypeAlias = "tuple[int, int, list[Any] | _End]"
"""How many files are listed of how many, and what goes over the pipe of some listings, or the end."""


def _read(pipe: IO[bytes]) -> _Sent | None:
    """What comes next; None where the pipe has ended."""
    head = pipe.read(_SIZE)
    size = int.from_bytes(head, "big")
    data = pipe.read(size) if len(head) == _SIZE else b""
    if not data or len(data) < size:
        return None
    sent: _Sent = pickle.loads(data)  # what our own child wrote
    return sent


def _listings(wires: Iterable[Any]) -> tuple[Listing, ...]:
    from ccbrowse.core.listing import from_wire, now_ms

    now = now_ms()
    return tuple(listing for each in wires if (listing := from_wire(each, now)) is not None)


def _write(pipe: IO[bytes], library: Library, found: list[Any] | _End) -> None:
    data = pickle.dumps((library.done, library.total, found), pickle.HIGHEST_PROTOCOL)
    pipe.write(len(data).to_bytes(_SIZE, "big") + data)
    pipe.flush()


def main(words: Sequence[str], pipe: IO[bytes]) -> None:
    """What the child does: lists the sessions under roots into a pipe, and an empty batch at the end.

    The first word says whether there is a cache, the others are the roots.
    """
    from ccbrowse.core.library import Library  # here: the app starts this before it loads anything
    from ccbrowse.core.listing import to_wire

    with_cache, roots = words[0] == CACHE, [Path(root) for root in words[1:]]
    cache = None
    if with_cache:
        from ccbrowse.core.cache import Cache

        cache = Cache(roots=roots)
    library = Library(roots, cache, placing=True)
    is_wanted = False
    with suppress(BrokenPipeError):
        for batch in gather(library.scan_by_two()):
            _write(pipe, library, [to_wire(listing) for listing in batch])
        unreadable = tuple((str(each.path), each.reason) for each in library.unreadable)
        _write(pipe, library, (cache.trouble if cache is not None else None, unreadable))
        is_wanted = True
    if cache is not None:
        if is_wanted and cache.usable:
            from ccbrowse.core.talk import (  # once all is listed: searches can wait for it
                Talk,
                fill,
            )

            talk = Talk(roots=roots)
            fill(talk, cache, roots, library.placed)
            talk.close()
        cache.close()


if __name__ == "__main__":
    os.nice(NICE)
    main(sys.argv[1:], sys.stdout.buffer)
    os._exit(0)  # nothing is left to be done, and the pipe may be gone
