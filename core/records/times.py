"""The client's timestamps: ISO 8601, UTC, milliseconds."""

from collections.abc import Iterable
from datetime import UTC, datetime

NO_TIME = -(1 << 62)
"""The time of a record that has none, or none that can be read."""

_END = 253_370_764_800_000
"""The year 9999: from there on a time zone may lead out of what a calendar holds."""

_USUAL = len("2026-01-02T03:04:05.678Z")


def times_of(stamps: Iterable[str | None]) -> list[int]:
    """Milliseconds since 1970 of timestamps; NO_TIME where one is missing or malformed."""
    return [NO_TIME if stamp is None else milliseconds(stamp) for stamp in stamps]


def span_of(stamps: Iterable[str | None]) -> tuple[int, int] | None:
    """The oldest and the newest of some timestamps; None where no time can be read."""
    known = [stamp for stamp in stamps if stamp is not None]
    if not known:
        return None
    # Written alike, they stand in the order of time: then only the two are parsed.
    oldest, newest = min(known), max(known)
    if set(map(len, known)) == {_USUAL} and oldest[-1] == newest[-1] == "Z":
        span = milliseconds(oldest), milliseconds(newest)
        if NO_TIME not in span:
            return span
    times = [time for time in times_of(known) if time != NO_TIME]
    return (min(times), max(times)) if times else None


def milliseconds(stamp: str | None) -> int:
    """Milliseconds since 1970 of a timestamp; NO_TIME where it is missing or malformed."""
    if stamp is None:
        return NO_TIME
    try:
        moment = datetime.fromisoformat(stamp)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        time = round(moment.timestamp() * 1000)
    except (ValueError, OverflowError):
        return NO_TIME
    return time if 0 <= time < _END else NO_TIME


def iso(time: int) -> str | None:
    """A time as the client writes it; None for NO_TIME."""
    if time == NO_TIME:
        return None
    moment = datetime.fromtimestamp(time / 1000, UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{time % 1000:03d}Z"
