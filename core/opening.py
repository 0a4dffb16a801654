"""Long sessions, opened beside the app: a child process reads them, and what it found is taken over at once.

To read 500 MB takes a second, in which a thread would hold the interpreter's lock and every key press
wait for it. The child sends index and chain as the cache keeps them, which are made into a session in a
twentieth of the time; and it puts them into the cache, where there is one.
"""

from __future__ import annotations

import os
import select
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import IO

from msgspec import DecodeError

from ccbrowse.core.cache import LONG, Cache, open_session
from ccbrowse.core.cache.structures import packed, unpacked
from ccbrowse.core.errors import CcbrowseError
from ccbrowse.core.locate import SessionFile, session_file
from ccbrowse.core.session import Session, Start

APART = 16 << 20
"""Bytes of a session from which on a child process reads it."""

_LOOK_EVERY = 0.1
_PIECE = 1 << 20

Stop = Callable[[], bool]


class NotWanted(CcbrowseError):
    """A session was still being read when nobody wanted it any more."""

    def __init__(self) -> None:
        super().__init__("the session is not wanted any more")


def open_apart(file: SessionFile, roots: Sequence[Path] | None, stop: Stop) -> Session:
    """A session; of a long one that the cache does not know a child process reads the structure.

    `roots` are those of the app's cache; None: there is none. Slow: for a worker. Raises what `Session`
    raises, and NotWanted once `stop` says so.
    """
    if file.stamp.size < LONG:
        return Session(file)
    cache = None if roots is None else Cache(roots=roots)
    read = partial(_from_child, roots=roots, stop=stop) if file.stamp.size >= APART else None
    try:
        return open_session(file, cache, otherwise=read)[0]
    finally:
        if cache is not None:
            cache.close()


def _from_child(file: SessionFile, *, roots: Sequence[Path] | None, stop: Stop) -> Start | None:
    """What a child process read; None where it could not: then it is read here."""
    root = "" if file.root is None else os.fspath(file.root)
    cached = [] if roots is None else ["--cache", *map(os.fspath, roots)]
    try:
        child = subprocess.Popen(
            # -P: a folder of the same name in the working directory must not be imported.
            [sys.executable, "-P", "-m", "ccbrowse.core.opening", file.path, root, *cached],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            process_group=0,  # ctrl+c in the terminal is for the app alone
        )
    except OSError:
        return None
    assert child.stdout is not None
    with child.stdout as pipe:
        data = _read(pipe, stop)
    if data is None:
        child.kill()
        child.wait()
        raise NotWanted
    try:
        return unpacked(data, file)
    except (DecodeError, ValueError, OSError):
        return None
    finally:
        _REAPED.append(child)
        _reap()


def _read(pipe: IO[bytes], stop: Stop) -> bytes | None:
    """All that comes until the pipe's end; None where it is not wanted any more."""
    data = bytearray()
    while not stop():
        if not select.select([pipe], [], [], _LOOK_EVERY)[0]:
            continue
        piece = os.read(pipe.fileno(), _PIECE)
        if not piece:
            return bytes(data)
        data += piece
    return None


_REAPED: list[subprocess.Popen[bytes]] = []
"""Children that have sent what they read, and may still be filling the cache."""


def _reap() -> None:
    """Let the system forget those that have ended."""
    _REAPED[:] = [child for child in _REAPED if child.poll() is None]


def main(path: str, root: str, roots: Sequence[str] | None, pipe: IO[bytes]) -> None:
    """What the child does: reads a session, sends its structure, and keeps it in the cache."""
    cache = None if roots is None else Cache(roots=[Path(each) for each in roots])
    file = session_file(Path(path), Path(root) if root else None)
    session, opening = open_session(file, cache)
    data = packed(session)
    if data is not None:
        pipe.write(data)
    pipe.close()
    if opening is not None and opening.is_worth_keeping:
        opening.keep()
    if cache is not None:
        cache.close()


if __name__ == "__main__":
    words = sys.argv[1:]
    main(words[0], words[1], words[3:] if "--cache" in words[2:3] else None, sys.stdout.buffer)
    os._exit(0)  # nothing is left to be done, and the pipe may be gone
