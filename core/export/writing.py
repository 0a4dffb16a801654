"""An export to a file: whole or not at all, for its owner's eyes, never over another without leave."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from errno import ENOSPC
from itertools import pairwise
from pathlib import Path
from stat import S_ISREG
from typing import BinaryIO

from ccbrowse.core.errors import CcbrowseError, WouldOverwrite
from ccbrowse.core.locate import is_below

_BUFFER = 1 << 20
_OTHER = "choose another with -o"


@dataclass(frozen=True, slots=True)
class Written:
    """A file that was written, and its size in bytes."""

    path: Path
    size: int
    removed: tuple[Path, ...] = ()
    """pages of an older, longer export of that name, which led nowhere any more"""


def write_file(chunks: Iterable[str | bytes], target: Path, *, force: bool = False) -> Written:
    """Write chunks to a file of mode 0600: a temporary one beside it that then takes its name.

    Whatever happens on the way, `target` is the old file or the whole new one. Raises
    WouldOverwrite where it exists and `force` is not given, CcbrowseError where it is no file or
    cannot be written (a full disk, a folder of others), and what `chunks` raises.
    """
    check_target(target, force)
    with named(target):
        descriptor, name = tempfile.mkstemp(prefix=".ccbrowse-", suffix=".part", dir=target.parent)
    temporary = Path(name)
    try:
        size = 0
        with _on_disk(os.fdopen(descriptor, "wb", buffering=_BUFFER), target) as file:
            for chunk in chunks:
                data = encoded(chunk)
                size += len(data)
                try:
                    file.write(data)
                except OSError as error:
                    raise _cannot_write(target, error) from error
        with named(target):
            if force:
                temporary.replace(target)
            else:
                _take_name(temporary, target)
    finally:
        with suppress(FileNotFoundError):
            temporary.unlink()
    return Written(target, size)


@contextmanager
def _on_disk(file: BinaryIO, target: Path) -> Iterator[BinaryIO]:
    """A file that is on the disk behind the block; what fails then is said of `target`."""
    try:
        yield file
        with named(target):
            file.flush()
            os.fsync(file.fileno())
    finally:
        # What is still in the buffer of a full disk cannot leave it: closing would fail again.
        with suppress(OSError):
            file.close()


@contextmanager
def named(target: Path) -> Iterator[None]:
    """Say of the target what went wrong: nobody asked for the temporary file."""
    try:
        yield
    except OSError as error:
        raise _cannot_write(target, error) from error


def _cannot_write(target: Path, error: OSError) -> CcbrowseError:
    """What the system says of a file that cannot be written."""
    hint = "make room there, or choose another place with -o" if error.errno == ENOSPC else _OTHER
    return CcbrowseError(error.strerror or "cannot be written", str(target), hint)


def encoded(chunk: str | bytes) -> bytes:
    """A chunk as UTF-8; a lone surrogate, which nothing should bring here, as `?`."""
    return chunk.encode("utf-8", "replace") if isinstance(chunk, str) else chunk


def keep_off(target: Path, source: Path, roots: Iterable[Path]) -> None:
    """Refuse a target where sessions are read, or over `source`, the session itself. Raises CcbrowseError.

    Where the client keeps sessions counts too, though only a path named it: a `projects` folder with one
    for the session's project, whose name begins with a hyphen.
    """
    if target.exists() and target.samefile(source):
        raise CcbrowseError("that is the session itself", str(target), _OTHER)
    folders = pairwise(reversed(source.absolute().parents))
    kept = [folder for folder, project in folders if _is_kept(folder, project)]
    if is_below(target.absolute().parent, [*roots, *kept]):
        raise CcbrowseError("nothing is written where sessions are read", str(target), _OTHER)


def _is_kept(folder: Path, project: Path) -> bool:
    return folder.name == "projects" and project.name.startswith("-")


def check_target(target: Path, force: bool) -> None:
    """Raise what `write_file` would raise before it writes anything."""
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
        raise CcbrowseError("not a file that can be written", str(target), _OTHER)
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
