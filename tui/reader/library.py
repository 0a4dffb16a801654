"""What workers do for the list of sessions: scan, follow changes, read prompts for the preview."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ccbrowse.core.errors import CcbrowseError
from ccbrowse.core.indexer import Indexer, gather
from ccbrowse.core.library import Library, Listing, list_session, reason
from ccbrowse.core.lines import Growth
from ccbrowse.core.locate import SessionFile, session_file
from ccbrowse.core.records import Kind
from ccbrowse.core.session import Session
from ccbrowse.core.text import SafeText, one_line
from ccbrowse.core.watch import changed_sessions

if TYPE_CHECKING:
    from ccbrowse.tui.reader.tail import PartView

AT_HAND = 0.03
"""Seconds at most for which the first paint waits for sessions that are there already."""

LET_DRAW = 0.05
"""Seconds that the reader waits after the first rows: they are drawn before it goes on."""

OPEN_SESSIONS = 8
"""Sessions that are kept open because their files change: their listings then cost what is new."""

_PREVIEW_BYTES = 400_000
_PROMPT_CELLS = 400


@dataclass(frozen=True, slots=True)
class Batch:
    """Sessions that were read, paths of those that are gone, and whether the scan is done."""

    listings: tuple[Listing, ...]
    gone: tuple[str, ...] = ()
    done: bool = False
    new: tuple[Listing, ...] = ()
    """Those among them that nobody knew before, once the scan was done."""
    trouble: str | None = None
    """What was wrong with the cache."""
    files: int = 0
    """How many files are listed by now, of `total`."""
    total: int = 0
    unreadable: Mapping[str, str] | None = None
    """Why files could not be read, by path; None: as it was."""


@dataclass(frozen=True, slots=True)
class Prompts:
    """The first and the last prompt of a session, on one line each."""

    key: str
    first: SafeText
    last: SafeText


class LibraryReading:
    """The sessions under some roots, read by one worker."""

    def __init__(self, roots: Sequence[Path], indexer: Indexer | None = None) -> None:
        self.roots = list(roots)
        self.library = Library(roots)
        self._indexer = indexer
        self._open: OrderedDict[Path, Session] = OrderedDict()
        self._known: set[str] = set()
        self._listed: set[str] = set()
        self._unreadable: dict[str, str] = {}
        self.at_hand = Batch(())
        """The sessions that `look` has found."""

    def look(self) -> Batch:
        """The sessions that the child process has sent by now: they are shown by the first paint."""
        found: list[Listing] = []
        if self._indexer is not None:
            with suppress(CcbrowseError):  # the scan finds that out as well, and reads by itself
                for batch in self._indexer.at_hand(AT_HAND):
                    found += batch
        self._note(found)
        files, total = (self._indexer.done, self._indexer.total) if self._indexer else (0, 0)
        self.at_hand = Batch(tuple(found), files=files, total=total)
        return self.at_hand

    def scan(self, stop: Callable[[], bool]) -> Iterator[Batch]:
        """All sessions that were not at hand, the most recently written first: from the child process, else
        read here.

        The first batch is small, and at once.
        """
        if self._indexer is not None:
            try:
                yield from self._from_child(self._indexer)
                return
            except CcbrowseError:
                if stop():
                    return
            finally:
                self._indexer.close_pipe()
        files = [file for file in self.library.files() if file.key not in self._listed]
        self._known |= {file.key for file in files}
        for number, batch in enumerate(gather(_until(stop, self.library.scan(files)))):
            yield Batch(batch, files=self.library.done, total=self.library.total)
            if not number:
                time.sleep(LET_DRAW)
        if not stop():
            self._unreadable = {str(each.path): each.reason for each in self.library.unreadable}
            yield Batch((), done=True, unreadable=dict(self._unreadable))

    def _from_child(self, indexer: Indexer) -> Iterator[Batch]:
        for batch in indexer.batches():
            self._note(batch)
            yield Batch(batch, files=indexer.done, total=indexer.total)
        self._unreadable = dict(indexer.unreadable)
        yield Batch((), done=True, trouble=indexer.trouble, unreadable=dict(self._unreadable))

    def _note(self, listings: Iterable[Listing]) -> None:
        keys = {listing.file.key for listing in listings}
        self._known |= keys
        self._listed |= keys

    def close(self) -> None:
        """Let go of all files."""
        while self._open:
            self._open.popitem()[1].close()

    def follow(self, paths: Iterable[Path]) -> Batch:
        """The sessions that changed paths belong to, listed anew."""
        found: list[Listing] = []
        gone: list[str] = []
        new: list[Listing] = []
        before = dict(self._unreadable)
        for changed in changed_sessions(paths, self.roots):
            listing = self._listing(changed.path)
            if listing is None:
                if not changed.path.exists():
                    self._unreadable.pop(str(changed.path), None)
                    if str(changed.path) in self._known:
                        self._known.discard(str(changed.path))
                        gone.append(str(changed.path))
                continue
            found.append(listing)
            if str(changed.path) not in self._known:
                self._known.add(str(changed.path))
                new.append(listing)
        unreadable = self._unreadable if self._unreadable != before else None
        told = None if unreadable is None else dict(unreadable)
        return Batch(tuple(found), tuple(gone), new=tuple(new), unreadable=told)

    def _listing(self, path: Path) -> Listing | None:
        """A session's listing, from the session kept open where there is one."""
        session = self._open.pop(path, None)
        try:
            if session is None:
                session = Session(self._file(path), self.library.folder(path.parent))
            elif session.refresh().growth is Growth.REMOVED:
                session.close()
                return None
        except (OSError, CcbrowseError) as error:
            self._unreadable[str(path)] = reason(error)
            return None
        self._unreadable.pop(str(path), None)
        self._open[path] = session
        if len(self._open) > OPEN_SESSIONS:
            self._open.popitem(last=False)[1].close()
        return None if session.is_empty else list_session(session)

    def _file(self, path: Path) -> SessionFile:
        root = next((root for root in self.roots if path.is_relative_to(root)), None)
        return session_file(path, root)


def _until(stop: Callable[[], bool], listings: Iterable[Listing]) -> Iterator[Listing]:
    """Listings until one is told to stop."""
    for listing in listings:
        if stop():
            return
        yield listing


def read_prompts(file: SessionFile) -> Prompts:
    """The first and last prompt of a session, from the two ends of its file. Raises OSError."""
    from ccbrowse.tui.reader.tail import PartView

    size = file.path.stat().st_size
    head = PartView(file.path, 0, min(size, _PREVIEW_BYTES))
    tail = head if size <= _PREVIEW_BYTES else PartView(file.path, size - _PREVIEW_BYTES, size)
    try:
        first, last = _first_and_last(head, tail)
    finally:
        head.close()
        tail.close()
    return Prompts(str(file.path), first, last if last != first else SafeText(""))


def _first_and_last(head: PartView, tail: PartView) -> tuple[SafeText, SafeText]:
    first = one_line(_prompt(head, newest=False), _PROMPT_CELLS)
    last = one_line(_prompt(tail, newest=True), _PROMPT_CELLS)
    return first, last


def _prompt(part: PartView, *, newest: bool) -> str:
    """The words of a part's first or last prompt (raw)."""
    from ccbrowse.tui.viewmodels.plain import row_words

    index = part.index
    rows = range(len(index) - 1, -1, -1) if newest else range(len(index))
    for row in rows:
        if index.kind[row] in (Kind.PROMPT, Kind.QUEUED_PROMPT) and not index.is_sidechain(row):
            words = row_words(part, row)
            if words.strip():
                return words
    return ""
