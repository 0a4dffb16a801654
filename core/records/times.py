"""The client's timestamps: ISO 8601, UTC, milliseconds."""

from datetime import UTC, datetime

NO_TIME = -(1 << 62)
"""The time of a record that has none, or none that can be read."""

_MINUTES: dict[str, int] = {}


def milliseconds(stamp: str | None) -> int:
    """Milliseconds since 1970 of a timestamp; NO_TIME where it is missing or malformed.

    The minute is looked up: neighbouring records share it, and a lookup is cheaper than a parse.
    """
    if stamp is None:
        return NO_TIME
    if len(stamp) == 24 and stamp[23] == "Z" and stamp[19] == ".":
        minute = _MINUTES.get(stamp[:17])
        if minute is not None:
            try:
                return minute + int(stamp[17:19]) * 1000 + int(stamp[20:23])
            except ValueError:
                return NO_TIME
    return _parse(stamp)


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
    if stamp.endswith("Z") and stamp[16:17] == ":":
        if len(_MINUTES) > 100_000:
            _MINUTES.clear()
        _MINUTES[stamp[:17]] = time - time % 60_000
    return time
