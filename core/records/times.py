"""The client's timestamps: ISO 8601, UTC, milliseconds."""

from datetime import UTC, datetime

NO_TIME = -(1 << 62)
"""The time of a record that has none, or none that can be read."""

_MOST_MINUTES = 50_000
_MINUTES: dict[str, int] = {}
_SECONDS: dict[str, int] = {}


def milliseconds(stamp: str | None) -> int:
    """Milliseconds since 1970 of a timestamp; NO_TIME where it is missing or malformed.

    The minute and the rest are looked up: a lookup is cheaper than a parse.
    """
    if stamp is None:
        return NO_TIME
    minute = _MINUTES.get(stamp[:17])
    rest = _SECONDS.get(stamp[17:])
    return _parse(stamp) if minute is None or rest is None else minute + rest


def iso(time: int) -> str | None:
    """A time as the client writes it; None for NO_TIME."""
    if time == NO_TIME:
        return None
    moment = datetime.fromtimestamp(time / 1000, UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{time % 1000:03d}Z"


def _parse(stamp: str) -> int:
    try:
        moment = datetime.fromisoformat(stamp)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        time = round(moment.timestamp() * 1000)
    except (ValueError, OverflowError):
        return NO_TIME
    if len(stamp) == 24 and stamp.endswith("Z"):
        _remember(stamp, time)
    return time


def _remember(stamp: str, time: int) -> None:
    """Keep the two halves of a timestamp of the usual form. There are 60,000 second halves."""
    if len(_MINUTES) > _MOST_MINUTES:
        _MINUTES.clear()
    _MINUTES[stamp[:17]] = time - time % 60_000
    _SECONDS[stamp[17:]] = time % 60_000
