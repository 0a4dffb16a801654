"""What a worker does for a search over all sessions: asks a child process, or searches by itself."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

from ccbrowse.core.errors import CcbrowseError
from ccbrowse.core.search.child import Emit, Request, SearchChild, run

Stop = Callable[[], bool]


class Searcher:
    """Searches in child processes; one is kept ready, so that a search begins at once."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._ready: SearchChild | None = None
        self._busy: SearchChild | None = None
        self._closed = False

    def prepare(self) -> None:
        """Have a process ready; in a worker. Without one the search is done in the worker itself."""
        with self._lock:
            if self._ready is None and not self._closed:
                try:
                    self._ready = SearchChild()
                except OSError:
                    self._ready = None

    def search(self, request: Request, emit: Emit, stop: Stop) -> None:
        """Search, in a worker; `emit` is given the news. Ends without a last word where it is stopped."""
        self.prepare()
        with self._lock:
            child, self._ready = self._ready, None
            self._busy = child
        if child is None or not self._ask(child, request, emit, stop):
            run(request, emit, stop)

    def _ask(self, child: SearchChild, request: Request, emit: Emit, stop: Stop) -> bool:
        """Let a process search; False where it failed before it had anything to say."""
        told = False
        try:
            for news in child.news(request):
                if stop():
                    break
                told = True
                emit(news)
        except CcbrowseError:
            return told or stop()
        finally:
            with self._lock:
                if self._busy is child:
                    self._busy = None
            child.close()
        return True

    def stop(self) -> None:
        """End the search that is on; at once, from any thread."""
        with self._lock:
            if self._busy is not None:
                self._busy.kill()

    def close(self) -> None:
        """End all."""
        with self._lock:
            self._closed = True
            ready, self._ready = self._ready, None
            if self._busy is not None:
                self._busy.kill()
        if ready is not None:
            ready.close()
