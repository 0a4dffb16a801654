"""Files of captured requests: a body as JSON, a HAR, a log of one JSON object a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ccbrowse.core.capture.bodies import capture_in, loaded
from ccbrowse.core.capture.model import Capture
from ccbrowse.core.errors import CcbrowseError

LARGEST = 1 << 30
"""Bytes of a JSON or HAR file that are read at once; logs are read line by line."""

_HINT = "give a request body as JSON, an entry of a HAR (FILE.har#N) or of a log (FILE.jsonl#N)"


class NoCapture(CcbrowseError):
    """A file holds no request body that can be read, or not the one asked for."""


def read_capture(path: Path, number: int | None = None) -> Capture:
    """The request of a file, or of its entry `number` (from 1), its credentials left behind.

    Raises NoCapture where there is none, or several and no number; OSError.
    """
    if number is not None:
        return _entry(path, number)
    found = [capture for capture, _ in zip(read_captures(path), range(2), strict=False)]
    if not found:
        raise NoCapture("no request body with messages", str(path), _HINT)
    if len(found) > 1:
        numbers = ", ".join(str(n) for n in _numbers(path))
        raise NoCapture("several requests", str(path), f"choose one with #N: {numbers}")
    return found[0]


def read_captures(path: Path) -> Iterator[Capture]:
    """All requests of a file that hold messages, in its order. Raises NoCapture, OSError."""
    for _, capture in _numbered(path):
        if capture is not None:
            yield capture


def _entry(path: Path, number: int) -> Capture:
    count = 0
    for count, capture in _numbered(path):
        if count == number:
            if capture is None:
                raise NoCapture("no request body with messages", f"{path}#{number}", _HINT)
            return capture
    have = f"it has entries 1 to {count}" if count else "it is empty"
    raise NoCapture("no such entry", f"{path}#{number}", have)


def _numbers(path: Path, most: int = 20) -> list[int]:
    numbers = (number for number, capture in _numbered(path) if capture is not None)
    return [number for number, _ in zip(numbers, range(most), strict=False)]


def _numbered(path: Path) -> Iterator[tuple[int, Capture | None]]:
    """The entries of a file by their numbers, from 1."""
    whole = _whole(path)
    if whole is None:
        yield from _lines(path)
        return
    value, size = whole
    entries = _har_entries(value)
    if entries is None:
        yield 1, capture_in(value, str(path), size)
        return
    for number, entry in enumerate(entries, 1):
        yield number, _of_har(entry, f"{path}#{number}")


def _whole(path: Path) -> tuple[Any, int] | None:
    """The value of a file that is one JSON value, and its size; None where it is not."""
    size = path.stat().st_size
    if size > LARGEST:
        return None
    try:
        return loaded(path.read_bytes()), size
    except ValueError:
        return None


def _har_entries(value: Any) -> list[Any] | None:
    log = value.get("log") if isinstance(value, Mapping) else None
    entries = log.get("entries") if isinstance(log, Mapping) else None
    return entries if isinstance(entries, list) else None


def _of_har(entry: Any, label: str) -> Capture | None:
    """The request of a HAR entry: what stands in `postData`, and the id of the answer."""
    return capture_in(entry, label, None) if isinstance(entry, Mapping) else None


def _lines(path: Path) -> Iterator[tuple[int, Capture | None]]:
    """The entries of a log; a file in which no line is JSON is none."""
    seen = False
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                value = loaded(line) if line.strip() else None
            except ValueError:
                yield number, None
                continue
            seen = True
            yield number, capture_in(value, f"{path}#{number}", len(line.rstrip(b"\r\n")))
    if not seen:
        raise NoCapture("neither JSON nor lines of JSON", str(path), _HINT)
