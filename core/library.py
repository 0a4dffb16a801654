"""All sessions under the roots: what a list shows of each, newest record first."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from ccbrowse.core.errors import CcbrowseError
from ccbrowse.core.findings import Severity
from ccbrowse.core.index import NO_TIME
from ccbrowse.core.locate import SessionFile, session_files, unreadable_folders
from ccbrowse.core.numbers import Number
from ccbrowse.core.session import Folder, Session
from ccbrowse.core.subagents import inline_subagents, is_copy
from ccbrowse.core.titles import Title, title_of
from ccbrowse.core.usage import Usage

FILL_POINTS = 24
"""Points of a session's fill curve: enough for a sparkline."""


@dataclass(frozen=True, slots=True)
class Listing:
    """What a list shows of a session. Times are milliseconds, NO_TIME where no record has one.

    `compactions` counts the boundaries of the main line by trigger; `findings` those above notes;
    `turns` what a person sent; `fill` samples of what the requests weighed, oldest first.
    """

    file: SessionFile
    session_id: str
    project: str
    cwd: str | None
    title: Title
    started: int
    updated: int
    bytes: int
    messages: int
    turns: int
    segments: int
    compactions: dict[str, int]
    branches: int
    context_now: Number
    usage: Usage
    models: tuple[str, ...]
    versions: tuple[str, ...]
    git_branch: str | None
    subagents: int
    findings: int
    damaged: bool
    fill: tuple[int, ...]
    live: bool

    @property
    def sort_key(self) -> tuple[int, str]:
        """Newest record first: sort by this, reversed."""
        newest = self.updated if self.updated != NO_TIME else self.file.stamp.mtime_ns // 1_000_000
        return newest, self.session_id


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A session file that could not be read, and why."""

    path: Path
    reason: str


class Library:
    """The sessions under some roots. `scan` reads them all; `unreadable` names those that it could not."""

    def __init__(self, roots: Sequence[Path]) -> None:
        self.roots = list(roots)
        self.unreadable: list[Unreadable] = []
        self._folders: dict[Path, Folder] = {}

    def files(self) -> list[SessionFile]:
        """The session files, the most recently written first."""
        found = {file.path: file for root in self.roots for file in session_files(root)}
        return sorted(found.values(), key=lambda file: (-file.stamp.mtime_ns, file.path))

    def scan(self, files: Sequence[SessionFile] | None = None) -> Iterator[Listing]:
        """The listing of each session that holds a message, in the order of their files."""
        self.unreadable = [
            Unreadable(folder, reason(error))
            for root in self.roots
            for folder, error in unreadable_folders(root)
        ]
        for file in self.files() if files is None else files:
            listing = self.listing(file)
            if listing is not None:
                yield listing

    def folder(self, path: Path) -> Folder:
        """What the sessions of a project folder share."""
        known = self._folders.get(path)
        if known is None:
            known = self._folders[path] = Folder(path)
        return known

    def listing(self, file: SessionFile) -> Listing | None:
        """The listing of one session; None where it holds no message, or cannot be read."""
        try:
            session = Session(file, self.folder(file.folder))
        except (OSError, CcbrowseError) as error:
            self.unreadable.append(Unreadable(file.path, reason(error)))
            return None
        try:
            return None if session.is_empty else list_session(session)
        finally:
            session.close()


def reason(error: Exception) -> str:
    """Why something could not be read, without the path that the system repeats."""
    return (isinstance(error, OSError) and error.strerror) or str(error)


def newest_first(listings: Sequence[Listing]) -> list[Listing]:
    """Listings by their newest record."""
    return sorted(listings, key=lambda listing: listing.sort_key, reverse=True)


def list_session(session: Session, now: int | None = None) -> Listing:
    """What a list shows of an open session; `now` in milliseconds."""
    index, file = session.index, session.file
    facts = index.facts
    findings = [f for f in session.warnings() if f.severity is not Severity.NOTE]
    triggers = [s.boundary.facts.trigger or "unknown" for s in session.segments if s.boundary]
    side = file.side_folder if file.has_side else None
    agents = [agent for agent in session.folder.listed_agents(file) if not is_copy(agent)]
    return Listing(
        file=file,
        session_id=session.session_id,
        project=session.project,
        cwd=session.cwd,
        title=title_of(index, side),
        started=facts.started,
        updated=facts.updated,
        bytes=index.size,
        messages=session.messages,
        turns=session.prompts,
        segments=len(session.segments),
        compactions={"auto": 0, "manual": 0} | {name: triggers.count(name) for name in triggers},
        branches=len(session.chain.branches),
        context_now=session.context_now,
        usage=session.usage,
        models=tuple(session.models),
        versions=tuple(facts.versions),
        git_branch=facts.git_branch,
        subagents=len(agents) + sum(a.named for a in inline_subagents(index, file.path)),
        findings=len(findings),
        damaged=bool(index.bad_lines),
        fill=fill_curve(session),
        live=session.is_live(int(time.time() * 1000) if now is None else now),
    )


def fill_curve(session: Session, points: int = FILL_POINTS) -> tuple[int, ...]:
    """What the main line's requests weighed, in tokens: at most `points` samples, peaks kept."""
    weights = [weight for segment in session.segments for weight in segment.weights]
    if len(weights) <= points:
        return tuple(weights)
    edges = [len(weights) * i // points for i in range(points + 1)]
    return tuple(max(weights[a:b]) for a, b in pairwise(edges))
