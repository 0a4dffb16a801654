"""What is left of a fault of ours: a report that holds no word of any transcript, and one line about it.

A message of an exception may quote what was read, as locals do; so a report names types and places only.
"""

from __future__ import annotations

import os
import platform
import sys
import time
import traceback
from contextlib import suppress
from importlib import metadata
from pathlib import Path

KEPT = 10
"""Reports that are kept; older ones are removed when another is written."""

_DEPTH = 50
_PACKAGES = ("ccbrowse", "textual", "rich", "msgspec", "orjson", "watchfiles", "tiktoken")


def reports_folder() -> Path:
    """Where reports are put: beside the cache."""
    import platformdirs  # at fault, and not before

    return platformdirs.user_cache_path("ccbrowse") / "reports"


def report_of(error: BaseException) -> str:
    """Versions, and the types and places of an exception and of those that it came from."""
    lines = [f"ccbrowse {_version('ccbrowse')}, {time.strftime('%Y-%m-%d %H:%M:%S %z')}"]
    lines.append(f"Python {sys.version.split()[0]} on {platform.platform()}")
    lines.append(", ".join(f"{name} {_version(name)}" for name in _PACKAGES[1:]))
    lines.append(f"TERM={os.environ.get('TERM', '')}")
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        lines += ["", name_of(cause)]
        for frame in traceback.extract_tb(cause.__traceback__)[-_DEPTH:]:
            lines.append(f"  {_short(frame.filename)}:{frame.lineno} in {frame.name}")
        inner = getattr(cause, "error", None)  # a worker's failure has what failed in it
        cause = inner if isinstance(inner, BaseException) else cause.__cause__ or cause.__context__
    return "\n".join(lines) + "\n"


def write_report(error: BaseException) -> Path | None:
    """The report of an exception as a file of its own; None where it cannot be written."""
    folder = reports_folder()
    path = folder / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.txt"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.touch(mode=0o600)
        path.write_text(report_of(error), encoding="utf-8")
    except OSError:
        return None
    for old in sorted(folder.glob("*.txt"))[:-KEPT]:
        with suppress(OSError):
            old.unlink()
    return path


def told(error: BaseException, path: Path | None) -> str:
    """One line for the user."""
    where = (
        f"a report without any of your texts is in {path}" if path else "no report could be kept"
    )
    return f"a fault in ccbrowse itself ({name_of(error)}): {where}"


def name_of(error: BaseException) -> str:
    """The type of an exception, of a worker's failure that of what failed in it."""
    inner = getattr(error, "error", None)
    return type(inner if isinstance(inner, BaseException) else error).__name__


def places_of(error: BaseException) -> str:
    """The type of an exception and where it was raised: two of the same are one fault."""
    inner = getattr(error, "error", None)
    cause = inner if isinstance(inner, BaseException) else error
    frames = traceback.extract_tb(cause.__traceback__)[-3:]
    return " ".join([name_of(error), *(f"{frame.filename}:{frame.lineno}" for frame in frames)])


def _short(filename: str) -> str:
    """A file's place below the folder that packages lie in: not whose computer this is."""
    parts = Path(filename).parts
    for mark in ("site-packages", "ccbrowse", "typings"):
        if mark in parts:
            return "/".join(parts[len(parts) - parts[::-1].index(mark) :])
    return "/".join(parts[-2:])


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"
