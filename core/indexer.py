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
from typing import IO, TYPE_CHECKING

from ccbrowse.core.errors import CcbrowseError

if TYPE_CHECKING:
    from ccbrowse.core.library import Listing

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
    it. `trouble`, once all is listed, is what was wrong with the cache. Raises OSError where it cannot be
    started.
    """

    def __init__(self, roots: Sequence[Path], cache: bool = False) -> None:
        self.trouble: str | None = None
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
        if not self._is_done:
            batch = _read(pipe)
            if batch is None:
                raise CcbrowseError("the indexer ended early", "", "sessions are listed without it")
            if isinstance(batch, str):
                self.trouble = batch
            elif batch:
                return batch
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


def _read(pipe: IO[bytes]) -> tuple[Listing, ...] | str | None:
    """The next batch; a text, or none at all, is the last, and says what was wrong with the cache; None
    where the pipe has ended."""
    head = pipe.read(_SIZE)
    size = int.from_bytes(head, "big")
    data = pipe.read(size) if len(head) == _SIZE else b""
    if not data or len(data) < size:
        return None
    found = pickle.loads(data)  # what our own child wrote
    if isinstance(found, str):
        return found
    from ccbrowse.core.listing import from_wire, now_ms

    now = now_ms()
    return tuple(listing for each in found if (listing := from_wire(each, now)) is not None)


def _write(pipe: IO[bytes], batch: tuple[Listing, ...] | str) -> None:
    from ccbrowse.core.listing import to_wire

    plain = batch if isinstance(batch, str) else [to_wire(listing) for listing in batch]
    data = pickle.dumps(plain, pickle.HIGHEST_PROTOCOL)
    pipe.write(len(data).to_bytes(_SIZE, "big") + data)
    pipe.flush()


def main(words: Sequence[str], pipe: IO[bytes]) -> None:
    """What the child does: lists the sessions under roots into a pipe, and an empty batch at the end.

    The first word says whether there is a cache, the others are the roots.
    """
    from ccbrowse.core.library import Library  # here: the app starts this before it loads anything

    with_cache, roots = words[0] == CACHE, [Path(root) for root in words[1:]]
    cache = None
    if with_cache:
        from ccbrowse.core.cache import Cache

        cache = Cache(roots=roots)
    library = Library(roots, cache, placing=True)
    is_wanted = False
    with suppress(BrokenPipeError):
        for batch in gather(library.scan_by_two()):
            _write(pipe, batch)
        _write(pipe, (cache is not None and cache.trouble) or ())
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
