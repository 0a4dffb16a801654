"""What a session's screen lets workers do, and the messages that they answer with."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from textual import work
from textual.message import Message
from textual.timer import Timer
from textual.worker import Worker, WorkerState, get_current_worker

from ccbrowse.core.errors import CcbrowseError
from ccbrowse.core.lines import Growth
from ccbrowse.core.locate import SessionFile
from ccbrowse.core.numbers import Number
from ccbrowse.core.text import SafeText, display_text
from ccbrowse.core.watch import changes
from ccbrowse.tui.reader.session import Closer, News, Reading
from ccbrowse.tui.reader.tail import LARGE, TailView
from ccbrowse.tui.reader.weigh import weigh_items
from ccbrowse.tui.screens.base import Paned
from ccbrowse.tui.screens.openers import Opener
from ccbrowse.tui.screens.stopping import Stopping
from ccbrowse.tui.viewmodels.items import Choice
from ccbrowse.tui.viewmodels.lore import Lore
from ccbrowse.tui.viewmodels.source import SessionRows
from ccbrowse.tui.viewtypes import DetailView

_LET_DRAW, _FLOOD = 0.02, 0.08
"""Seconds that a worker waits after it has posted new rows: they are drawn before it goes on. Where more
come at once than can be drawn one by one, it gathers them longer."""

_CLOSER_AFTER, _CLOSER_SHARE, _CLOSER_BY = 0.25, 20, 3.0
"""Seconds after new rows until the session is looked at closely: the rows are drawn first; times as long
as it took the last time, so that a session that always grows costs little; seconds that are the most."""


@dataclass
class Glimpsed(Message):
    """The end of a large file, before all of it is read."""

    tail: TailView


@dataclass
class Opened(Message):
    """A session was opened; `rows` are its timeline's: to lay out a long one takes a while."""

    reading: Reading
    news: News
    rows: SessionRows | None


@dataclass
class Failed(Message):
    """It could not be opened."""

    reason: SafeText


@dataclass
class Came(Message):
    """A look at the session brought something."""

    news: News


@dataclass
class Looked(Message):
    """A closer look brought something."""

    closer: Closer


@dataclass
class Weighed(Message):
    """What items weigh, by key."""

    tokens: Mapping[str, Number]


@dataclass
class Detailed(Message):
    """An item in full."""

    key: str
    view: DetailView | None

    def can_replace(self, message: Message) -> bool:
        """Only the last one is shown."""
        return isinstance(message, Detailed)


class SessionWork(Paned):
    """The workers of a session's screen. They read and post; they touch no widget."""

    def __init__(self) -> None:
        super().__init__()
        self.reading: Reading | None = None
        """The session, once it is open."""
        self._closer_timer: Timer | None = None
        self._came_at = self._closer_took = 0.0

    @work(thread=True, group="read", exclusive=True, exit_on_error=True)
    def read(self, opener: Opener, file: SessionFile | None, lore: Lore) -> None:
        """Open the session; of its file, if that is large, show the end first."""
        worker = get_current_worker()
        try:
            tail = glimpse_of(file)
            if tail is not None and not worker.is_cancelled:
                self.post_message(Glimpsed(tail))
            reading = opener()
            _ = reading.session.index.rows  # not when a key waits for it
            news = reading.first()
            step = news.step
            rows = None if step is None else SessionRows(reading.session, step.items, lore)
        except (CcbrowseError, OSError) as error:
            self.post_message(Failed(words_of(error)))
            return
        if not worker.is_cancelled:
            self.post_message(Opened(reading, news, rows))

    def on_mount(self) -> None:
        """Load later what the first paint needs not. Runs after the screen's own."""
        self.call_after_refresh(self.load_colours)

    @work(thread=True, group="load")
    def load_colours(self) -> None:
        """Load what colours code, before a key waits for it."""
        from ccbrowse.tui.syntax import load_usual

        load_usual()

    @work(thread=True, group="read")
    def choose(self, reading: Reading, choice: Choice) -> None:
        """Show other kinds of rows."""
        self.post_message(Came(reading.choose(choice)))

    @work(thread=True, group="watch", exclusive=True, exit_on_error=True)
    def watch_files(self, reading: Reading, polling: bool | None) -> None:
        """Follow the session until the screen is left."""
        worker = get_current_worker()
        with reading.use() as is_open:
            if is_open:
                self._follow_files(reading, Stopping(worker), polling)

    def _follow_files(self, reading: Reading, stop: Stopping, polling: bool | None) -> None:
        self._look_closer(reading)
        try:
            for _ in changes([reading.session.file.folder], stop, polling=polling):
                if stop.is_set():
                    return
                self._look(reading)
        except CcbrowseError as error:
            self.post_message(Failed(words_of(error)))

    def _look(self, reading: Reading) -> None:
        try:
            news = reading.refresh()
        except OSError:
            news = News(Growth.REMOVED)
        if news.growth is Growth.SAME and news.step is None:
            self._look_closer(reading)  # what lies beside the session may have changed
            return
        self.post_message(Came(news))
        since, self._came_at = self._came_at, time.monotonic()
        time.sleep(_FLOOD if self._came_at - since < 2 * _FLOOD else _LET_DRAW)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Leave what could not be opened because of a fault of ours; the app has told it."""
        failed = event.state is WorkerState.ERROR and event.worker.group == "read"
        if failed and self.reading is None:
            self.leave()

    def on_came(self, message: Came) -> None:
        """Look closer soon, once for all that comes until then."""
        if message.news.growth is not Growth.REMOVED and self._closer_timer is None:
            after = min(max(_CLOSER_AFTER, _CLOSER_SHARE * self._closer_took), _CLOSER_BY)
            self._closer_timer = self.set_timer(after, self._look_closer_now)

    def _look_closer_now(self) -> None:
        self._closer_timer = None
        if self.reading is not None:
            self.look_once(self.reading)

    def _look_closer(self, reading: Reading) -> None:
        begun = time.thread_time()
        try:
            closer = reading.look_closer()
        except (CcbrowseError, OSError):
            return
        self._closer_took = time.thread_time() - begun
        if closer is not None:
            self.post_message(Looked(closer))

    @work(thread=True, group="closer", exclusive=True)
    def look_once(self, reading: Reading) -> None:
        """Look closer, once."""
        with reading.use() as is_open:
            if is_open:
                self._look_closer(reading)

    @work(thread=True, group="tokens", exclusive=True)
    def weigh(self, reading: Reading, rows: SessionRows, keys: Sequence[str]) -> None:
        """Estimate what items weigh."""
        worker = get_current_worker()
        with reading.use() as is_open:
            if is_open:
                for tokens in weigh_items(reading.session, rows, keys, lambda: worker.is_cancelled):
                    self.post_message(Weighed(tokens))

    @work(thread=True, group="detail", exclusive=True)
    def make_detail(self, reading: Reading, rows: SessionRows, key: str) -> None:
        """Make the detail of a large item."""
        worker = get_current_worker()
        with reading.use() as is_open:
            view = rows.detail(key) if is_open else None
        if not worker.is_cancelled:
            self.post_message(Detailed(key, view))


def glimpse_of(file: SessionFile | None) -> TailView | None:
    """The end of a file that is so large that it is worth a glimpse before all of it is read."""
    if file is None or file.stamp.size <= LARGE:
        return None
    return TailView(file.path, file.stamp.size)


def glimpse_at_once(file: SessionFile | None) -> TailView | None:
    """The same before the first paint, when nothing else is to be seen meanwhile."""
    try:
        return glimpse_of(file)
    except (CcbrowseError, OSError):  # whoever opens the session is told as well, and says so
        return None


def words_of(error: CcbrowseError | OSError) -> SafeText:
    """What went wrong, on one line."""
    if isinstance(error, CcbrowseError):
        return display_text(str(error))
    return display_text(f"{error.strerror or error}, {error.filename or ''}".rstrip(", "))
