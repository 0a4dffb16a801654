"""Fresh processes and what they cost: wall and CPU time, memory, and what they print."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PROGRAMS = Path(__file__).parent / "programs"
LIMIT = 600
"""Seconds after which a process is given up."""


@dataclass(frozen=True)
class Sample:
    """One run: seconds of wall and CPU time, the most memory in MB, and the program's own figures."""

    wall: float
    cpu: float
    rss: float
    facts: Mapping[str, Any] = field(default_factory=dict)


def environment(home: Path) -> dict[str, str]:
    """An environment that knows neither the user's sessions nor the user's caches."""
    kept = {
        name: os.environ[name] for name in ("PATH", "LANG", "VIRTUAL_ENV") if name in os.environ
    }
    return kept | {
        "HOME": str(home),
        "CCBROWSE_TOUR": "0",
        "XDG_CACHE_HOME": str(home / "cache"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
    }


def program(name: str, *words: str | Path) -> list[str]:
    """The command of one of the benchmark's own programs."""
    return [sys.executable, str(PROGRAMS / f"{name}.py"), *map(str, words)]


def run(command: Sequence[str], home: Path) -> Sample:
    """Run a process to its end; the JSON that it prints, if any, are its facts."""
    started = time.perf_counter()
    process = subprocess.Popen(
        command, env=environment(home), stdout=subprocess.PIPE, stdin=subprocess.DEVNULL
    )
    assert process.stdout is not None
    printed = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stdout.close()
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, list(command))
    facts = json.loads(printed) if printed.startswith(b"{") else {}
    return Sample(
        time.perf_counter() - started, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, facts
    )
