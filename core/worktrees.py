"""Which project a working directory belongs to where it is a git worktree of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

_CLIENTS_OWN = re.compile(r"(?P<main>.+?)[/\\]\.claude[/\\]worktrees[/\\](?P<name>[^/\\]+)")
_POINTER = re.compile(r"gitdir:\s*(?P<main>.+?)[/\\]\.git[/\\]worktrees[/\\][^/\\]+\s*")
_MOST = 4096


@dataclass(frozen=True, slots=True)
class Worktree:
    """A worktree: the name of its project, that is the last part of the main checkout, and its own."""

    project: str
    name: str


@lru_cache(maxsize=4096)
def worktree_of(cwd: str) -> Worktree | None:
    """The worktree that a directory is; None for any other.

    The client makes its own below `.claude/worktrees`. Of others git's pointer file is read, where the
    directory is still there: slow on a network drive, so ask in a worker.
    """
    if own := _CLIENTS_OWN.match(cwd):
        return Worktree(_last(own["main"]), own["name"])
    try:
        with (Path(cwd) / ".git").open("rb") as file:
            told = file.read(_MOST).decode("utf-8", "replace")
    except (OSError, ValueError):  # ValueError: a zero byte in the path
        return None
    found = _POINTER.fullmatch(told)
    return Worktree(_last(found["main"]), _last(cwd)) if found else None


def _last(path: str) -> str:
    parts = path.replace("\\", "/").rstrip("/").rsplit("/", 1)
    return parts[-1] or path
