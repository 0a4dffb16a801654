"""Which session a subagent's file of the older layout belongs to: it says so inside, and is asked once."""

from __future__ import annotations

import os
from stat import S_ISREG
from struct import Struct

from ccbrowse.core.cache.store import Cache, Value
from ccbrowse.core.locate import AgentFile, ProjectFolder
from ccbrowse.core.subagents import sessions_of_loose_agents

_INODE = Struct(">QQ")


def loose_of(cache: Cache, folder: ProjectFolder) -> dict[str, list[str]]:
    """The names of the subagents' files beside the sessions of a folder, by session id."""
    if not folder.loose:
        return {}
    sql = "SELECT name, stamp, session FROM agents WHERE folder = ?"
    known = {row[0]: row[1:] for row in cache.read(sql, (os.fsencode(folder.path),))}
    found: dict[str, list[str]] = {}
    new: list[tuple[Value, ...]] = []
    for name in folder.loose:
        path = folder.path / name
        try:
            status = path.lstat()
        except OSError:
            continue
        if not S_ISREG(status.st_mode):
            continue
        inode = _INODE.pack(status.st_dev, status.st_ino)
        row = known.get(os.fsencode(name))
        session = row[1] if row is not None and row[0] == inode else None
        if not isinstance(session, str):
            session = next(iter(sessions_of_loose_agents([AgentFile(name, path, None)])), None)
            if session is not None and _is_text(session):
                new.append((os.fsencode(folder.path), os.fsencode(name), inode, session))
        if session is not None:
            found.setdefault(session, []).append(name)
    if new:
        cache.write([("INSERT OR REPLACE INTO agents VALUES (?, ?, ?, ?)", new)])
    return found


def _is_text(text: str) -> bool:
    """Whether SQLite can keep it: a lone surrogate has no UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
