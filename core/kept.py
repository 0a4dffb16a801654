"""Whole outputs that the client moved out of a transcript, read from the session's own folder only.

A record names such a file by a path; nothing of that path but its last part is believed, so a transcript
cannot have another file read.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from stat import S_ISREG
from typing import Any

from ccbrowse.core.locate import SessionFile

FOLDER = "tool-results"
"""The folder of kept outputs, in a session's side folder."""

_SAID = re.compile(r"\A\s*<persisted-output>")
_PATH = re.compile(r"(?:saved to|kept in): ([^\n]+)")


@dataclass(frozen=True, slots=True)
class Kept:
    """A kept output: the file's name, its size in bytes, and its beginning (None: it is not there)."""

    name: str
    size: int
    content: str | None


def kept_name(text: str, extra: object) -> str | None:
    """The name of the file that holds a result's whole output; None where the record has it whole.

    `text` is the result's text, `extra` its `toolUseResult`.
    """
    known: Mapping[str, Any] = extra if isinstance(extra, Mapping) else {}
    path = known.get("persistedOutputPath")
    if not isinstance(path, str):
        found = _PATH.search(text[:2_000]) if _SAID.match(text) else None
        path = found[1].strip() if found else None
    if not path:
        return None
    name = re.split(r"[/\\]", path)[-1]
    return name if name not in ("", ".", "..") else None


def read_kept(file: SessionFile, name: str, limit: int) -> Kept:
    """The first `limit` bytes of a kept output; of a subagent, from its session's folder.

    Only a regular file is read, and no link is followed. Never raises: what cannot be read is not there.
    """
    side = file.side_folder
    for above in (file.path.parent, *file.path.parents[1:4]):
        if above.name == "subagents":
            side = above.parent
            break
    if re.split(r"[/\\]", name)[-1] != name or name in ("", ".", "..") or "\0" in name:
        return Kept(name, 0, None)
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        if (side / FOLDER).is_symlink():
            return Kept(name, 0, None)
        opened = os.open(side / FOLDER / name, flags)
    except (OSError, ValueError):
        return Kept(name, 0, None)
    with os.fdopen(opened, "rb") as kept:
        try:
            status = os.fstat(opened)
            if not S_ISREG(status.st_mode):
                return Kept(name, 0, None)
            return Kept(name, status.st_size, kept.read(limit).decode("utf-8", "replace"))
        except OSError:
            return Kept(name, 0, None)
