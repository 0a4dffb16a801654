"""An export to a file: whole or not at all, for its owner's eyes, never over another without leave."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG

from ccbrowse.core.errors import CcbrowseError, WouldOverwrite

_BUFFER = 1 << 20


@dataclass(frozen=True, slots=True)
class Written:
    """A file that was written, and its size in bytes."""

    path: Path
    size: int


def write_file(chunks: Iterable[str | bytes], target: Path, *, force: bool = False) -> Written:
    """Write chunks to a file of mode 0600: a temporary one beside it that then takes its name.

    Whatever happens on the way, `target` is the old file or the whole new one. Raises
    WouldOverwrite where it exists and `force` is not given, CcbrowseError where it is no file,
    OSError.
    """
    _check(target, force)
    descriptor, name = tempfile.mkstemp(prefix=".ccbrowse-", suffix=".part", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb", buffering=_BUFFER) as file:
            for chunk in chunks:
                file.write(encoded(chunk))
            file.flush()
            os.fsync(file.fileno())
            size = file.tell()
        if force:
            temporary.replace(target)
        else:
            _take_name(temporary, target)
    finally:
        with suppress(FileNotFoundError):
            temporary.unlink()
    return Written(target, size)


def encoded(chunk: str | bytes) -> bytes:
    """A chunk as UTF-8; a lone surrogate, which nothing should bring here, as `?`."""
    return chunk.encode("utf-8", "replace") if isinstance(chunk, str) else chunk


def _check(target: Path, force: bool) -> None:
    if not target.parent.is_dir():
        raise CcbrowseError(
            "no such folder", str(target.parent), "make it, or choose another with -o"
        )
    try:
        status = target.stat()
    except FileNotFoundError:
        if target.is_symlink() and not force:
            raise WouldOverwrite(str(target)) from None
        return
    if not S_ISREG(status.st_mode):
        raise CcbrowseError("not a file that can be written", str(target), "choose another with -o")
    if not force:
        raise WouldOverwrite(str(target))


def _take_name(temporary: Path, target: Path) -> None:
    """Give the temporary file its name, unless someone else took it meanwhile."""
    try:
        os.link(temporary, target)
    except FileExistsError:
        raise WouldOverwrite(str(target)) from None
    except OSError:
        # No hard links on this file system: an empty file holds the name until the rename.
        try:
            os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError:
            raise WouldOverwrite(str(target)) from None
        temporary.replace(target)
