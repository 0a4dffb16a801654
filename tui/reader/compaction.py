"""The compactions of one session, worked out by workers: figures, losses, requests, captured bodies."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import Lock
from typing import Any

from ccbrowse.core.compaction import Compaction, Loss, compaction
from ccbrowse.core.compaction.loss import closed_rows, find_loss
from ccbrowse.core.errors import CcbrowseError
from ccbrowse.core.lines import Growth
from ccbrowse.core.segments import Segment
from ccbrowse.core.session import Session
from ccbrowse.tui.reader.captured import Captured, hold_against
from ccbrowse.tui.reader.losses import remember
from ccbrowse.tui.reader.requests import Requests, requests_of

_LET_OTHERS = 0.02, 0.002
"""Seconds of work after which a worker rests, and for how long: the screen is drawn meanwhile."""

Tell = Callable[[float], None]
"""Is told which share of the work is done, 0 to 1."""

Stop = Callable[[], bool]
"""Whether to end."""


class Stopped(CcbrowseError):
    """The work was given up, because nobody waits for it."""


class _Watched(Session):
    """A session that tells how often a record was read, and stops there when it is asked to.

    The engines know no progress and no end but their own; reading is what all of them do at every
    step.
    """

    stop: Stop | None = None
    tell: Tell | None = None
    expected = 0
    reads = 0
    _rested = 0.0

    def record(self, row: int) -> Any:
        """The record at a row. Raises Stopped."""
        if self.stop is not None:
            if self.stop():
                raise Stopped("given up")
            self.reads += 1
            now = time.monotonic()
            if now - self._rested > _LET_OTHERS[0]:
                if self.tell is not None and self.expected:
                    self.tell(min(0.99, self.reads / self.expected))
                time.sleep(_LET_OTHERS[1])
                self._rested = time.monotonic()
        return super().record(row)


def opened_segments(session: Session) -> list[Segment]:
    """The segments that boundaries open, in the order of their compactions' numbers."""
    return [segment for segment in session.segments if segment.boundary is not None]


class Desk:
    """Works out the compactions of one session, and keeps the results while the file stays the same.

    It reads the file by itself, so that the one on the screen may grow meanwhile. Its methods are
    for workers and wait for one another where they must.
    """

    def __init__(self, given: Session) -> None:
        self.given = given
        """The session on the screen."""
        self.losses: dict[int, Compaction] = {}
        """What is known for good, by the row of the boundary: read by the event loop."""
        self.capture = ""
        """The captured file that was looked at last, as it was named."""
        self._own: _Watched | None = None
        self._busy = Lock()
        self._closed = False
        self._figures: dict[int, Compaction] = {}
        self._requests: dict[int, Requests] = {}

    # Questions

    def figures(self, number: int, stop: Stop) -> Compaction:
        """A compaction without its losses. Raises CcbrowseError, OSError."""
        with self._session(stop) as session:
            known = self._figures.get(number)
            if known is None:
                known = self._figures[number] = compaction(session, number, with_loss=False)
            return known

    def loss(self, number: int, stop: Stop, tell: Tell | None = None) -> Compaction:
        """A compaction with its losses: seconds of work. Raises CcbrowseError, OSError."""
        figures = self.figures(number, stop)
        with self._session(stop, tell) as session:
            row = figures.boundary.row
            known = self.losses.get(row)
            if known is None or known.put_back != figures.put_back:
                known = replace(figures, loss=self._find_loss(session, figures))
                self.losses = {**self.losses, row: known}
                remember(self.given, known)
            return replace(figures, loss=known.loss)

    def _find_loss(self, session: _Watched, figures: Compaction) -> Loss | None:
        if figures.closes is None:
            return None
        closed, opened = (session.segment(n) for n in (figures.closes, figures.opens))
        session.reads, session.expected = 0, 2 * len(closed_rows(session, closed))
        return find_loss(session, closed, opened, figures.summary, figures.put_back)

    def requests(self, number: int, stop: Stop) -> Requests:
        """The requests before and after a compaction, in full. Raises CcbrowseError, OSError."""
        with self._session(stop) as session:
            known = self._requests.get(number)
            if known is None:
                known = requests_of(session, number)
                self._requests = {number: known}  # in full they are large: one pair is kept
            return known

    def captured(self, name: str, number: int, stop: Stop) -> Captured:
        """A captured file held against the session, the requests of a compaction first.

        Raises CcbrowseError, OSError.
        """
        requests = self.requests(number, stop)
        with self._session(stop) as session:
            found = hold_against(session, name, requests)
        self.capture = name
        return found

    # The session

    @contextmanager
    def _session(self, stop: Stop, tell: Tell | None = None) -> Iterator[_Watched]:
        """The desk's own session, as the file stands, for one worker at a time."""
        while not self._busy.acquire(timeout=0.1):
            if stop():
                raise Stopped("given up")
        try:
            session = self._current(stop)
            session.stop, session.tell = stop, tell
            yield session
        finally:
            if self._own is not None:
                self._own.stop = self._own.tell = None
                self._own.expected = 0
            self._busy.release()
            if self._closed:
                self._let_go()

    def _current(self, stop: Stop) -> _Watched:
        if stop() or self._closed:
            raise Stopped("given up")
        if self._own is None:
            given = self.given
            self._own = _Watched(given.file, given.folder, given.agent_id)
            return self._own
        growth = self._own.refresh().growth
        if growth is Growth.RESET:
            self.losses = {}
        if growth is not Growth.SAME:
            self._figures, self._requests = {}, {}
        return self._own

    def close(self) -> None:
        """Let go of the file, as soon as nobody reads it."""
        self._closed = True
        self._let_go()

    def _let_go(self) -> None:
        if self._busy.acquire(blocking=False):
            if self._own is not None:
                self._own.close()
                self._own = None
            self._busy.release()
