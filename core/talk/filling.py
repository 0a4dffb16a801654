"""Bringing the talk index up to date: new files are read, of those that grew the end, the gone are dropped.

Two processes read where there is much of it; one of them keeps what both find. It is work for a child of
the app, behind all that somebody waits for.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ccbrowse.core.cache import Cache, Listings
from ccbrowse.core.cache.stamps import stamp_bytes
from ccbrowse.core.errors import CcbrowseError
from ccbrowse.core.forks import first_ids, head_of
from ccbrowse.core.library import WORTH_TWO
from ccbrowse.core.lines import Growth, Position, compare
from ccbrowse.core.locate import ProjectFolder, SessionFile, project_folders
from ccbrowse.core.placing import pack_places
from ccbrowse.core.session import Folder, Session
from ccbrowse.core.sharing import shared
from ccbrowse.core.subagents import is_copy
from ccbrowse.core.talk.newest import newest_time
from ccbrowse.core.talk.store import Look, Talk
from ccbrowse.core.talk.words import Extract, extract

_CHARS = 1_000_000
"""Characters of words that are kept in one transaction."""

Placed = Mapping[str, tuple[int, bytes]]
"""By a session's key: the checksum of its listing, and its packed places."""


class _Task(NamedTuple):
    """A file to read, and how far it is covered."""

    path: str
    before: Position | None
    size: int


def fill(talk: Talk, cache: Cache, roots: Sequence[Path], placed: Placed | None = None) -> None:
    """Bring the index up to date with the files under some roots, and with the listings in the cache.

    `placed` are places that were found as the sessions were listed; others are found here.
    """
    if not talk.usable:
        return
    folders = [folder for root in roots for folder in project_folders(root)]
    talk.tidy()
    _fill_words(talk, folders)
    _fill_looks(talk, folders)
    _fill_places(talk, Listings(cache, roots, folders), folders, placed or {})
    _forget_gone(talk, roots, folders)


def _fill_words(talk: Talk, folders: Sequence[ProjectFolder]) -> None:
    known = talk.positions()
    tasks = [
        task for path in _paths(folders) if (task := _task(path, known.get(os.fsencode(path))))
    ]
    waiting: list[tuple[bytes, Position | None, Extract]] = []
    chars = 0
    for task, found in _extracted(tasks):
        if found is None:
            continue
        waiting.append((os.fsencode(task.path), task.before, found))
        chars += sum(len(block.words) for block in found.blocks)
        if chars > _CHARS:
            talk.keep(waiting)
            waiting, chars = [], 0
    talk.keep(waiting)


def _paths(folders: Iterable[ProjectFolder]) -> Iterator[str]:
    """Sessions, the most recently written first, then the subagents' files."""
    folders = list(folders)
    files = {file.key: file for folder in folders for file in folder.sessions}
    yield from sorted(files, key=lambda key: -files[key].stamp.mtime_ns)
    for each in folders:
        shared_by = Folder(each.path)
        for file in each.sessions:
            for agent in shared_by.listed_agents(file):
                if not is_copy(agent):
                    yield str(agent.path)


def _task(path: str, known: tuple[int, Position] | None) -> _Task | None:
    """What is to be read of a file; None where nothing is."""
    try:
        if known is not None:
            growth, now = compare(Path(path), known[1])
            if growth in (Growth.SAME, Growth.REMOVED) or now is None:
                return None
            if growth is Growth.GROWN:
                return _Task(path, known[1], now.size - known[1].offset)
        return _Task(path, None, os.stat(path).st_size)  # noqa: PTH116  # there are thousands
    except OSError:
        return None


def _extracted(tasks: Sequence[_Task]) -> Iterator[tuple[_Task, Extract | None]]:
    if sum(task.size for task in tasks) < WORTH_TWO:
        yield from ((task, _extract(task)) for task in tasks)
    else:
        yield from shared(tasks, _extract)


def _extract(task: _Task) -> Extract | None:
    try:
        return extract(task.path, task.before.offset if task.before is not None else 0)
    except OSError:
        return None


def _fill_looks(talk: Talk, folders: Sequence[ProjectFolder]) -> None:
    known, new = talk.looks(), dict[bytes, Look]()
    for folder in folders:
        for file in folder.sessions:
            path, stamp = os.fsencode(file.key), stamp_bytes(file.stamp)
            if path not in known or known[path].stamp != stamp:
                new[path] = Look(stamp, newest_time(file), b"\n".join(first_ids(head_of(file.key))))
    talk.keep_looks(new)


def _fill_places(
    talk: Talk, listings: Listings, folders: Sequence[ProjectFolder], placed: Placed
) -> None:
    """Keep the places of sessions whose listings the cache knows; of others they would be stale."""
    kept, rows = talk.placed(), list[tuple[bytes, int, bytes]]()
    for folder in folders:
        shared_by = Folder(folder.path)
        for file in folder.sessions:
            path = os.fsencode(file.key)
            if listings.recall(file) is None:
                continue
            listing = listings.sum_of(file)
            if listing is None or kept.get(path) == listing:
                continue
            known = placed.get(file.key)
            data = known[1] if known and known[0] == listing else _read_places(file, shared_by)
            if data is not None:
                rows.append((path, listing, data))
            if len(rows) > 256:
                talk.keep_places(rows)
                rows = []
    talk.keep_places(rows)


def _read_places(file: SessionFile, folder: Folder) -> bytes | None:
    try:
        session = Session(file, folder)
    except (OSError, CcbrowseError):
        return None
    try:
        return pack_places(session)
    finally:
        session.close()


def _forget_gone(talk: Talk, roots: Sequence[Path], folders: Sequence[ProjectFolder]) -> None:
    """Drop what is not there any more below roots that can be read."""
    failed = {folder.path for folder in folders if folder.error is not None}
    tops = [os.fsencode(root) + b"/" for root in roots if root not in failed]
    there = {os.fsencode(file.key) for folder in folders for file in folder.sessions}
    talk.forget(
        path
        for path in talk.paths()
        if path not in there and path.startswith(tuple(tops)) and _is_gone(path)
    )


def _is_gone(path: bytes) -> bool:
    try:
        os.lstat(path)  # there are thousands
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False
