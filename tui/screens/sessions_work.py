"""What the sessions screen lets workers do, and the messages that they answer with."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from textual import work
from textual.message import Message
from textual.worker import get_current_worker

from ccbrowse.core.errors import CcbrowseError
from ccbrowse.core.library import Listing
from ccbrowse.core.text import SafeText
from ccbrowse.core.watch import changes
from ccbrowse.core.worktrees import Worktree
from ccbrowse.tui.reader.library import Batch, LibraryReading, Prompts, read_prompts
from ccbrowse.tui.reader.places import retention_of, worktrees_of
from ccbrowse.tui.screens.resume import Resuming
from ccbrowse.tui.screens.stopping import Stopping
from ccbrowse.tui.viewmodels.listing import key_of

if TYPE_CHECKING:
    from ccbrowse.core.autocompact import Seen
    from ccbrowse.core.indexer import Indexer
    from ccbrowse.core.retention import Retention

_LIST_EVERY, _GATHER = 0.7, 0.1


@dataclass
class Read(Message):
    """Sessions were read."""

    batch: Batch
    worktrees: Mapping[str, Worktree]
    """Working directories of these sessions that are worktrees."""


@dataclass
class Learned(Message):
    """More is known of how the user's sessions were compacted."""

    def can_replace(self, message: Message) -> bool:
        """Once is enough."""
        return isinstance(message, Learned)


@dataclass
class Retained(Message):
    """How long the client keeps sessions."""

    retention: Retention


@dataclass
class Previewed(Message):
    """The prompts of a session were read."""

    prompts: Prompts

    def can_replace(self, message: Message) -> bool:
        """Only the last one is shown."""
        return isinstance(message, Previewed)


class SessionsWork(Resuming):
    """The workers of the sessions screen. They read and post; they touch no widget."""

    _indexer: Indexer | None
    _roots: list[Path]
    _is_seen: bool

    def __init__(self) -> None:
        super().__init__()
        self._listings: dict[str, Listing] = {}
        self._old_prompts: set[str] = set()
        self._done = False
        self._triggers: dict[str, tuple[Seen, ...]] = {}
        self._scanned = False

    def listing(self, key: str) -> Listing:
        """The session of a row's key. Raises KeyError."""
        return self._listings[key]

    @property
    def listings(self) -> Mapping[str, Listing]:
        """The sessions that were read, by their files' paths."""
        return self._listings

    @property
    def is_read(self) -> bool:
        """Whether all sessions were read once."""
        return self._done

    @property
    def triggers(self) -> list[Seen]:
        """The automatic compactions of all sessions that were read, for forecasts."""
        return [seen for several in self._triggers.values() for seen in several]

    def take(self, batch: Batch) -> None:
        """Take in which sessions there are, and which are gone; tell the screens above what they teach."""
        for listing in batch.listings:
            self._listings[key_of(listing)] = listing
            self._old_prompts.add(key_of(listing))
        for key in batch.gone:
            self._listings.pop(key, None)
        self._learn(batch)

    def _learn(self, batch: Batch) -> None:
        """Take in how sessions were compacted."""
        told = {each.file.key: each.triggers for each in batch.listings}
        news = {path: seen for path, seen in told.items() if self._triggers.get(path, ()) != seen}
        self._triggers |= news
        scanned, self._scanned = self._scanned, self._scanned or batch.done
        if (news and scanned) or (batch.done and self._triggers):
            for screen in self.app.screen_stack[1:]:
                screen.post_message(Learned())

    @work(thread=True, group="read", exclusive=True)
    def read_library(self, reading: LibraryReading) -> None:
        """Read all sessions but those at hand, then follow them until the screen is left."""
        stop = Stopping(get_current_worker())
        if worktrees := worktrees_of(reading.at_hand.listings):
            self.post_message(Read(Batch(()), worktrees))
        self.post_message(Retained(retention_of(self._roots)))
        for batch in reading.scan(stop.is_set):
            self.post_message(Read(batch, worktrees_of(batch.listings)))
        import_module("ccbrowse.tui.screens.session")  # so that the first session opens at once
        try:
            self._follow_library(reading, stop)
        except CcbrowseError:  # no root is there any more
            return
        finally:
            reading.close()

    def _follow_library(self, reading: LibraryReading, stop: Stopping) -> None:
        changed: set[Path] = set()
        listed = 0.0
        for paths in changes(self._roots, stop, polling=self.host.settings.polling):
            if stop.is_set():
                return
            changed |= paths
            if changed and self._is_seen and time.monotonic() - listed > _LIST_EVERY:
                time.sleep(_GATHER)
                batch = reading.follow(changed)
                self.post_message(Read(batch, worktrees_of(batch.listings)))
                changed, listed = set(), time.monotonic()

    @work(thread=True, group="preview", exclusive=True)
    def read_preview(self, listing: Listing) -> None:
        """Read the prompts of a session."""
        worker = get_current_worker()
        try:
            prompts = read_prompts(listing.file)
        except (CcbrowseError, OSError):
            prompts = Prompts(str(listing.file.path), SafeText(""), SafeText(""))
        if not worker.is_cancelled:
            self.post_message(Previewed(prompts))
