"""When a session's newest record was written, told from the end of its file: what searches are ordered by."""

import os

from msgspec import DecodeError, Struct
from msgspec.json import Decoder

from ccbrowse.core.index import NO_TIME
from ccbrowse.core.locate import SessionFile
from ccbrowse.core.records.times import milliseconds

_TAILS = (1 << 13, 1 << 16, 1 << 20)
"""Bytes from the end that are looked at: few, and where no record there has a time, many."""

_USUAL = (24, "Z")
"""How long the clients' timestamps are, and how they end."""

_RECORDS = 6
"""Records with a time that are compared: clients do not write them quite in order."""


class _Timed(Struct, gc=False):
    """As much of a record as tells its time."""

    type: str
    timestamp: str | None = None


_decode = Decoder(_Timed).decode


def newest_time(file: SessionFile) -> int:
    """Milliseconds; when the file was written to, where no record near its end has a time."""
    for size in _TAILS:
        time = _newest_of(_stamps(file, size))
        if time != NO_TIME:
            return time
    return file.stamp.mtime_ns // 1_000_000


def _newest_of(stamps: list[str]) -> int:
    """The newest of some timestamps. Clients write all of them alike: then the last by letters is it."""
    alike = {(len(stamp), stamp[-1:]) for stamp in stamps} == {_USUAL}
    if alike and (time := milliseconds(max(stamps))) != NO_TIME:
        return time
    return max(map(milliseconds, stamps), default=NO_TIME)


def _stamps(file: SessionFile, size: int) -> list[str]:
    """The timestamps of the last records in the last bytes of a file."""
    try:
        descriptor = os.open(file.key, os.O_RDONLY)
    except OSError:
        return []
    try:
        length = os.fstat(descriptor).st_size
        data = os.pread(descriptor, size, max(0, length - size))
    except OSError:
        return []
    finally:
        os.close(descriptor)
    stamps: list[str] = []
    for line in reversed(data.split(b"\n")):
        try:
            stamp = _decode(line).timestamp
        except (DecodeError, RecursionError):
            continue
        if stamp:
            stamps.append(stamp)
            if len(stamps) == _RECORDS:
                break
    return stamps
