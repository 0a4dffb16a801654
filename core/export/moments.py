"""Dates of an export: ISO 8601 with the offset, in the reader's time zone, which is named."""

import os
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ccbrowse.core.index import NO_TIME

UNKNOWN_TIME = "–"


def moment(time: int, zone: tzinfo | None) -> datetime | None:
    """A time in milliseconds since 1970 as a date of a zone; None where it has none there."""
    if time == NO_TIME:
        return None
    try:
        return datetime.fromtimestamp(time / 1000, UTC).astimezone(zone)
    except (ValueError, OverflowError, OSError):
        return None


def iso_date(time: int, zone: tzinfo | None) -> str | None:
    """A time as `2026-02-03T10:00:07+01:00`."""
    found = moment(time, zone)
    return found.isoformat(timespec="seconds") if found else None


def clock(time: int, zone: tzinfo | None) -> str:
    """A time as `2026-02-03 10:00:07`; `–` where it is unknown."""
    found = moment(time, zone)
    return found.strftime("%Y-%m-%d %H:%M:%S") if found else UNKNOWN_TIME


def zone_name(zone: tzinfo | None, time: int = NO_TIME) -> str:
    """What a zone is called: by its key, else by what it was called at `time`."""
    if isinstance(zone, ZoneInfo):
        return zone.key or "UTC"
    found = moment(0 if time == NO_TIME else time, zone)
    return (found.tzname() if found else None) or "UTC"


def local_zone() -> tzinfo | None:
    """The system's zone by its name; None, which also means the system's, where it has none."""
    named = os.environ.get("TZ", "").removeprefix(":")
    if not named:
        parts = Path(os.path.realpath("/etc/localtime")).parts
        named = "/".join(parts[parts.index("zoneinfo") + 1 :]) if "zoneinfo" in parts else ""
    try:
        return ZoneInfo(named) if named else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
