"""A search in a process of its own: whoever asks stays free for keys while files are read and decoded.

`SearchChild` is started ahead of need, asked once, and read from; ending it ends the search. `run` is
what it does: the same can be done in a thread where no process can be started.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

from ccbrowse.core.errors import BadQuery, CcbrowseError

if TYPE_CHECKING:
    from ccbrowse.core.locate import SessionFile
    from ccbrowse.core.search.hits import Hit
    from ccbrowse.core.search.known import Known

BATCH_SECONDS = 0.05
"""How long hits are gathered, but for the first one, and those that fill a screen."""

PAGE = 40
"""Hits that fill a screen."""

MOST_HITS = 50_000
"""Hits after which a search ends: nobody goes through more."""

_SIZE = 8


@dataclass(frozen=True, slots=True)
class Request:
    """What to search: the words as typed, how they are meant, and the files, in their order.

    `regex` takes the words as one pattern. Without `files` all sessions under the roots are searched,
    the newest first. `cached`: what the caches know of sessions may be used.
    """

    text: str
    regex: bool = False
    case: bool = False
    whole_word: bool = False
    roots: tuple[Path, ...] = ()
    files: tuple[SessionFile, ...] | None = None
    cached: bool = False


@dataclass(frozen=True, slots=True)
class News:
    """How far a search has come, and what it found since the last word of it.

    done, count: sessions searched, and all of them. unread: paths that could not be read, so far.
    given_up: texts that a pattern took too long on. ended: it is over; full: at `MOST_HITS`.
    """

    hits: tuple[Hit, ...] = ()
    done: int = 0
    count: int = 0
    unread: int = 0
    given_up: int = 0
    ended: bool = False
    full: bool = False


Emit = Callable[[News], None]


class _Teller:
    """Gathers hits, and tells them after a while."""

    def __init__(self, emit: Emit, count: int) -> None:
        self._emit = emit
        self._hits: list[Hit] = []
        self._told = 0.0
        self.total = self.done = self.unread = 0
        self.count = count

    def found(self, hit: Hit) -> None:
        self._hits.append(hit)
        self.total += 1
        self.look(self.total == PAGE)

    def look(self, now: bool = False) -> None:
        if now or time.monotonic() - self._told > BATCH_SECONDS:
            self.tell(News(tuple(self._hits), self.done, self.count, self.unread))

    def tell(self, news: News) -> None:
        self._hits.clear()
        self._emit(news)
        self._told = time.monotonic()

    def end(self, given_up: int) -> None:
        full = self.total >= MOST_HITS
        done = self.done if full else self.count
        self.tell(News(tuple(self._hits), done, self.count, self.unread, given_up, True, full))


def run(request: Request, emit: Emit, cancelled: Callable[[], bool] = lambda: False) -> None:
    """Search, and tell what is found; the last news says that it ended. Raises BadQuery."""
    if not request.cached:
        _run(request, emit, cancelled, None)
        return
    from ccbrowse.core.search.known import knowledge  # the caches come with it

    with knowledge(request.roots) as known:
        _run(request, emit, cancelled, known)


def _run(request: Request, emit: Emit, cancelled: Callable[[], bool], known: Known | None) -> None:
    from ccbrowse.core.library import Library
    from ccbrowse.core.locate import looked_at
    from ccbrowse.core.search import Wanted, as_pattern, newest_first, parse_query, search_wanted

    query = as_pattern(request.text) if request.regex else parse_query(request.text)
    wanted = Wanted(query, regex=request.regex, case=request.case, whole_word=request.whole_word)
    files = request.files
    if files is None:
        files = tuple(newest_first(Library(list(request.roots)).files(), known))
    elif known is not None:
        files = tuple(map(looked_at, files))  # what is known is known of files as they are now
    teller = _Teller(emit, len(files))

    def told(number: int, file: SessionFile) -> None:
        teller.done = number
        teller.look()

    def trouble(path: Path, why: str) -> None:
        teller.unread += 1

    for hit in search_wanted(
        wanted, files, cancelled=cancelled, trouble=trouble, told=told, known=known
    ):
        teller.found(hit)
        if teller.total >= MOST_HITS:
            break
    if not cancelled():
        teller.end(wanted.given_up)


class SearchChild:
    """A process that searches once. Raises OSError where it cannot be started."""

    def __init__(self) -> None:
        # -P: a folder of the same name in the working directory must not be imported.
        self._child = subprocess.Popen(
            [sys.executable, "-P", "-m", "ccbrowse.core.search.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # ctrl+c in the terminal is for the app alone
        )
        # Whoever forgets it leaves neither a process nor an open pipe behind.
        self._end = weakref.finalize(self, _end, self._child)

    def news(self, request: Request) -> Iterator[News]:
        """Ask, and read what it tells. Raises CcbrowseError where it ends early, and is not closed."""
        pipe, answer = self._child.stdin, self._child.stdout
        assert pipe is not None and answer is not None
        try:
            with pipe:
                _write(pipe, request)
            while (news := _read(answer)) is not None:
                yield news
                if news.ended:
                    return
        except (OSError, ValueError) as error:  # ValueError: the pipe was closed meanwhile
            raise CcbrowseError("the search ended early") from error
        raise CcbrowseError("the search ended early")

    def kill(self) -> None:
        """End the process; whoever reads its news comes to their end."""
        self._child.kill()

    def close(self) -> None:
        """End the process and let go of its pipes, once nobody reads from it."""
        self._end()


def _end(child: subprocess.Popen[bytes]) -> None:
    child.kill()
    child.wait()
    for pipe in (child.stdin, child.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()


def _write(pipe: IO[bytes], value: object) -> None:
    data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    pipe.write(len(data).to_bytes(_SIZE, "big") + data)
    pipe.flush()


def _read(pipe: IO[bytes]) -> News | None:
    """The next news; None where the pipe has ended."""
    data = _read_bytes(pipe)
    if data is None:
        return None
    news: News = pickle.loads(data)  # what our own child wrote
    return news


def _read_bytes(pipe: IO[bytes]) -> bytes | None:
    head = pipe.read(_SIZE)
    size = int.from_bytes(head, "big")
    data = pipe.read(size) if len(head) == _SIZE else b""
    return data if data and len(data) == size else None


def main(source: IO[bytes], pipe: IO[bytes]) -> None:
    """What the child does: one request in, its news out."""
    import ccbrowse.core.search  # noqa: F401  # while nobody waits for it

    data = _read_bytes(source)
    if data is None:
        return
    request: Request = pickle.loads(data)  # what the app that started us wrote
    with suppress(BrokenPipeError, BadQuery):
        run(request, lambda news: _write(pipe, news))


if __name__ == "__main__":
    from ccbrowse.core.search import child  # pickled by that name, not as `__main__`

    child.main(sys.stdin.buffer, sys.stdout.buffer)
    sys.stdout.buffer.flush()
    os._exit(0)  # nothing is left to be done, and the pipe may be gone
