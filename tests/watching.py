"""Runs commands under watch: which sockets they make, and what they do to a tree that is only to be read.

A hook of the interpreter's own audit events sits in the command and in every Python process that it
starts. It refuses internet sockets; where the system allows it, there is no network either.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

HOOK = """
import os, socket, sys

LOG, ROOT = os.environ["WATCH_LOG"], os.environ["WATCH_ROOT"]
INTERNET = (socket.AF_INET, socket.AF_INET6)
NAMES = {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr", "urllib.Request"}
CHANGES = {
    "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.link", "os.symlink", "os.chmod",
    "os.chown", "os.utime", "os.truncate", "os.setxattr", "os.removexattr", "shutil.move",
}
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
busy = False


def note(*words):
    global busy
    busy = True
    try:
        file = os.open(LOG, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.write(file, (" ".join(map(str, words)) + "\\n").encode("utf-8", "replace"))
        os.close(file)
    finally:
        busy = False


def inside(path):
    try:
        return os.path.realpath(os.fsdecode(path)).startswith(ROOT)
    except (TypeError, ValueError):
        return False


def hook(event, args):
    if busy:
        return
    if event == "socket.__new__":
        note("socket", int(args[1]))
        if args[1] in INTERNET:
            raise PermissionError("no internet sockets here")
    elif event in NAMES:
        note("name", event)
        raise PermissionError("no names are looked up here")
    elif event == "open" and isinstance(args[2], int) and args[2] & WRITES and inside(args[0]):
        note("write", args[0])
    elif event in CHANGES and any(inside(arg) for arg in args):
        note("change", event, args[0])


note("started", os.getpid())
sys.addaudithook(hook)
"""
"""`sitecustomize.py` of the processes that are watched."""


@dataclass(frozen=True, slots=True)
class Seen:
    """How a process ended, what it wrote, and what the hook noted, in all its children too."""

    code: int
    out: bytes
    err: str
    notes: tuple[str, ...]

    @property
    def trespasses(self) -> list[str]:
        """Internet sockets, names looked up, changes in the tree."""
        internet = {f"socket {family}" for family in (2, 10, 30)}
        return [
            note
            for note in self.notes
            if note in internet or note.split(" ")[0] in ("name", "write", "change")
        ]


class Watch:
    """A place with a home, a working folder and a tree that is only read."""

    def __init__(self, folder: Path, root: Path) -> None:
        self.root = root
        self.home, self.here = folder / "home", folder / "here"
        for path in (self.home, self.here, folder / "hook"):
            path.mkdir()
        (folder / "hook" / "sitecustomize.py").write_text(HOOK)
        self._log = folder / "notes"
        tests = Path(__file__).resolve().parent
        self._environment = {
            **{name: value for name, value in os.environ.items() if name in _PASSED_ON},
            "HOME": str(self.home),
            "PYTHONPATH": f"{folder / 'hook'}{os.pathsep}{tests}",
            "PYTHONDONTWRITEBYTECODE": "1",
            "WATCH_LOG": str(self._log),
            "WATCH_ROOT": str(root.resolve()),
            "TERM": "xterm-256color",
            "TZ": "UTC",
        }

    def run(self, *words: str, seconds: float | None = None) -> Seen:
        """Run Python with these words; after `seconds` it is told to end, if it has not."""
        self._log.unlink(missing_ok=True)
        with subprocess.Popen(
            [*without_network(), sys.executable, *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self._environment,
            cwd=self.here,
        ) as child:
            try:
                out, err = child.communicate(timeout=seconds)
            except subprocess.TimeoutExpired:
                child.terminate()
                out, err = child.communicate(timeout=60)
        notes = self._log.read_text().splitlines() if self._log.exists() else []
        return Seen(child.returncode, out, err.decode("utf-8", "replace"), tuple(notes))


_PASSED_ON = ("PATH", "LANG", "LC_ALL", "COVERAGE_PROCESS_CONFIG", "COVERAGE_PROCESS_START")


@cache
def without_network() -> tuple[str, ...]:
    """The words that start a program in a network namespace of its own; none where that is not allowed."""
    words = ("unshare", "--net")
    if not shutil.which(words[0]):
        return ()
    tried = subprocess.run([*words, "true"], capture_output=True, check=False)
    return words if tried.returncode == 0 else ()


def fingerprint(folder: Path) -> dict[str, str]:
    """All that a tree is: per name its type and mode, size, time of change, owner and content."""
    found = {}
    for path in (folder, *sorted(folder.rglob("*"))):
        status = path.lstat()
        content = ""
        if stat.S_ISREG(status.st_mode):
            content = hashlib.sha256(path.read_bytes()).hexdigest()
        elif stat.S_ISLNK(status.st_mode):
            content = str(path.readlink())
        found[str(path.relative_to(folder))] = (
            f"{status.st_mode:o} {status.st_size if content else ''} {status.st_mtime_ns} "
            f"{status.st_uid}:{status.st_gid} {content}"
        )
    return found
