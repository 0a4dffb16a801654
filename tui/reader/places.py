"""What workers find out about where sessions stand: worktrees, and how long the client keeps them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ccbrowse.core.errors import NoRoots
from ccbrowse.core.listing import Listing
from ccbrowse.core.locate import find_roots
from ccbrowse.core.retention import Retention
from ccbrowse.core.session import Session
from ccbrowse.core.worktrees import Worktree, worktree_of
from ccbrowse.tui.config import Settings


def worktrees_of(listings: Iterable[Listing]) -> dict[str, Worktree]:
    """The worktrees among the working directories of sessions."""
    found = {cwd: worktree_of(cwd) for cwd in {listing.cwd for listing in listings if listing.cwd}}
    return {cwd: worktree for cwd, worktree in found.items() if worktree is not None}


def retention_of(roots: list[Path]) -> Retention:
    """How long the client keeps sessions of some roots: of its own ones, and of no backups."""
    try:
        own = find_roots(())
    except NoRoots:
        own = []
    return Retention.of(roots, own)


def labelled(settings: Settings) -> dict[Path, str]:
    """What the user calls roots, by folder; those that are not there are left out."""
    found: dict[Path, str] = {}
    for label, name in settings.roots:
        try:
            [root] = find_roots((name,))
        except NoRoots:
            continue
        if label:
            found[root] = label
    return found


def main_session_id(session: Session) -> str:
    """The id that names a session on the command line: of a subagent that of whom it works for."""
    if session.agent_id is None:
        return session.session_id
    for folder in session.file.path.parents:
        if folder.with_name(f"{folder.name}.jsonl").is_file():
            return folder.name
    told = session.record(0).get("sessionId") if len(session.index) else None
    return told if isinstance(told, str) else session.session_id
