"""Numbers, sizes and times as people read them, with the sign of where they come from."""

import time
from datetime import UTC, datetime

from ccbrowse.core.index import NO_TIME
from ccbrowse.core.numbers import SIGNS, Number, Source


def short_tokens(number: Number) -> str:
    """A number in thousands with its sign: `151.0k=`, `–` where it is unknown."""
    if number.value is None:
        return SIGNS[Source.UNKNOWN]
    return short_count(number.value) + SIGNS[number.source]


def short_count(value: int) -> str:
    """A count in thousands from 1,000 on."""
    if value < 1000:
        return str(value)
    if value < 1_000_000:
        return f"{value / 1000:.1f}k"
    return f"{value / 1_000_000:.2f}M"


def size(count: int) -> str:
    """Bytes as people read them."""
    value = float(count)
    for unit in ("B", "kB", "MB"):
        if value < 1000:
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1000
    return f"{value:.2f} GB"


def age(moment: int, now: int | None = None) -> str:
    """How long ago a time in milliseconds was: `2m`, `3h`, `5d`."""
    if moment == NO_TIME:
        return "–"
    passed = (int(time.time() * 1000) if now is None else now) - moment
    if passed < -60_000:  # from the future: no age
        return "–"
    seconds = max(0, passed) // 1000
    for unit, length in (
        ("y", 31_536_000),
        ("w", 1_209_600),
        ("d", 86_400),
        ("h", 3600),
        ("m", 60),
    ):
        if seconds >= length:
            return f"{seconds // (604_800 if unit == 'w' else length)}{unit}"
    return f"{seconds}s"


def clock(moment: int) -> str:
    """A time in the user's zone, to the minute; `–` where it is unknown."""
    if moment == NO_TIME:
        return "–"
    return datetime.fromtimestamp(moment / 1000, UTC).astimezone().strftime("%Y-%m-%d %H:%M")


def duration(milliseconds: int | None) -> str:
    """A length of time: `41 s`, `1 h 12 m`."""
    if milliseconds is None:
        return "–"
    seconds = round(milliseconds / 1000)
    if seconds < 120:
        return f"{seconds} s"
    if seconds < 7200:
        return f"{seconds // 60} m"
    return f"{seconds // 3600} h {seconds % 3600 // 60:02d} m"


def share_words(share: float | None) -> str:
    """A reduction: `−78.0 %`, `+4.0 %` where it grew."""
    if share is None:
        return "–"
    return f"{'−' if share >= 0 else '+'}{abs(share) * 100:.1f} %"
