"""What the compaction screen lets workers do, and the messages that they answer with."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from textual import work
from textual.message import Message
from textual.worker import get_current_worker

from ccbrowse.core.compaction import Compaction
from ccbrowse.core.errors import CcbrowseError
from ccbrowse.core.text import SafeText
from ccbrowse.tui.reader.captured import Captured
from ccbrowse.tui.reader.compaction import Desk, Stop, Stopped
from ccbrowse.tui.reader.requests import Request, Requests, Stands
from ccbrowse.tui.screens.base import Paned
from ccbrowse.tui.screens.session_work import words_of
from ccbrowse.tui.viewmodels.compaction_capture import compared_entry
from ccbrowse.tui.viewmodels.compaction_payload import GONE, NEW, PART, SAME, message_entry
from ccbrowse.tui.viewtypes import Entry


@dataclass
class Figured(Message):
    """The figures of a compaction are known."""

    found: Compaction


@dataclass
class Progress(Message):
    """How far the search for losses is, 0 to 1."""

    number: int
    share: float

    def can_replace(self, message: Message) -> bool:
        """Only the last one counts."""
        return isinstance(message, Progress)


@dataclass
class Lost(Message):
    """The losses of a compaction are known."""

    found: Compaction


@dataclass
class Asked(Message):
    """The requests beside a compaction are known, and the rows that show them."""

    number: int
    requests: Requests
    before: dict[str, Entry]
    after: dict[str, Entry]


@dataclass
class Held(Message):
    """A captured request was read and held against the session's."""

    number: int
    captured: Captured
    entries: dict[str, Entry]


@dataclass
class Trouble(Message):
    """Something could not be worked out, and why."""

    number: int
    reason: SafeText


class CompactionWork(Paned):
    """The workers of the compaction screen: one at a time, of what is wanted last."""

    @work(thread=True, group="compaction", exclusive=True)
    def study(self, desk: Desk, number: int, view: int) -> None:
        """Work out what a view shows of a compaction: its figures first."""
        stop = _stop()
        with self._telling(number):
            self.post_message(Figured(desk.figures(number, stop)))
            if view == 0:
                found = desk.loss(number, stop, lambda s: self._tell(number, s))
                self.post_message(Lost(found))
            elif view == 1:
                requests = desk.requests(number, stop)
                before, after = rows_of(requests, desk.given.cwd or "")
                self.post_message(Asked(number, requests, before, after))
            elif desk.capture:
                self._hold(desk, number, desk.capture, stop)

    @work(thread=True, group="compaction", exclusive=True)
    def hold(self, desk: Desk, number: int, name: str) -> None:
        """Read a captured request, and hold it against its own."""
        stop = _stop()
        with self._telling(number):
            self._hold(desk, number, name, stop)

    def _hold(self, desk: Desk, number: int, name: str, stop: Stop) -> None:
        captured = desk.captured(name, number, stop)
        cwd = desk.given.cwd or ""
        blocks = enumerate(captured.blocks)
        entries = {str(n): compared_entry(n, each, cwd) for n, each in blocks}
        self.post_message(Held(number, captured, entries))

    @contextmanager
    def _telling(self, number: int) -> Iterator[None]:
        """Say what went wrong within this; nothing where the work was given up."""
        try:
            yield
        except Stopped:
            return
        except (CcbrowseError, OSError) as error:
            self.post_message(Trouble(number, words_of(error)))

    def _tell(self, number: int, share: float) -> None:
        self.post_message(Progress(number, share))


def _stop() -> Stop:
    """Whether the worker that asks was cancelled."""
    worker = get_current_worker()
    return lambda: worker.is_cancelled


def rows_of(requests: Requests, cwd: str) -> tuple[dict[str, Entry], dict[str, Entry]]:
    """The messages of both requests as rows, by their keys in order."""
    before = _rows(requests.before, GONE, cwd)
    return before, _rows(requests.after, NEW, cwd)


def _rows(request: Request | None, alone: SafeText, cwd: str) -> dict[str, Entry]:
    signs = {Stands.WHOLE: SAME, Stands.PARTLY: PART, Stands.NOT: alone}
    messages = request.messages if request is not None else ()
    return {
        str(n): message_entry(
            str(n), each.message, each.tokens, each.bytes, signs[each.stands], cwd
        )
        for n, each in enumerate(messages)
    }
