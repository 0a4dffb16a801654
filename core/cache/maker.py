"""Which code made a row: facts are worth keeping only as long as the same code would find them."""

import os
import zlib
from functools import cache
from pathlib import Path

NOT_OF_IT = frozenset(
    {
        "capture",
        "compaction",
        "data",
        "estimate",
        "export",
        "forecast",
        "payload",
        "redact",
        "search",
    }
)
"""Packages that are not loaded where sessions are listed; a test says so."""


@cache
def maker() -> int:
    """A number of the code that reads sessions: names, sizes and times of its files."""
    seen: list[str] = []
    folders = [str(Path(__file__).resolve().parents[1])]
    for folder in folders:
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    if entry.name.endswith(".py"):
                        status = entry.stat()
                        seen.append(f"{entry.path} {status.st_size} {status.st_mtime_ns}")
                    elif entry.name not in NOT_OF_IT and "_" not in entry.name and entry.is_dir():
                        folders.append(entry.path)
        except OSError:
            continue
    return zlib.crc32("\n".join(sorted(seen)).encode("utf-8", "replace"))
