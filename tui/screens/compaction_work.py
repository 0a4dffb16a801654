"""What the compaction screen lets workers do, and the messages that they answer with."""

from __future__ import annotations

from dataclasses import dataclass

from textual import work
from textual.message import Message
from textual.worker import get_current_worker

from ccbrowse.core.compaction import Compaction
from ccbrowse.core.errors import CcbrowseError
from ccbrowse.core.text import SafeText
from ccbrowse.tui.reader.compaction import Desk, Requests, Stopped
from ccbrowse.tui.screens.base import Paned
from ccbrowse.tui.screens.session_work import words_of


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
    """The requests beside a compaction are known."""

    number: int
    requests: Requests


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
        worker = get_current_worker()

        def stop() -> bool:
            return worker.is_cancelled

        try:
            self.post_message(Figured(desk.figures(number, stop)))
            if view == 0:
                found = desk.loss(number, stop, lambda s: self._tell(number, s))
                self.post_message(Lost(found))
            else:
                self.post_message(Asked(number, desk.requests(number, stop)))
        except Stopped:
            return
        except (CcbrowseError, OSError) as error:
            self.post_message(Trouble(number, words_of(error)))

    def _tell(self, number: int, share: float) -> None:
        self.post_message(Progress(number, share))
