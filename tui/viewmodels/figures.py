"""Numbers, sizes and times as they stand on the screen, each token count with its sign."""

from __future__ import annotations

from datetime import datetime

from ccbrowse.core.index import NO_TIME
from ccbrowse.core.numbers import SIGNS, Number, Source
from ccbrowse.core.text import SafeText, display_text
from ccbrowse.tui.viewtypes import NOTHING

EXACT, ABOUT, NO_NUMBER = SIGNS[Source.USAGE], SIGNS[Source.ESTIMATE], SIGNS[Source.UNKNOWN]
"""The signs behind a count of tokens: stated by the file, estimated, nobody knows."""

_SECOND, _MINUTE, _HOUR, _DAY = 1_000, 60_000, 3_600_000, 86_400_000
_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def tokens(number: Number) -> SafeText:
    """A count in full with its sign: ``151,004=``, ``6,120≈``, ``–``."""
    if number.value is None:
        return SafeText(NO_NUMBER)
    return SafeText(f"{number.value:,}{SIGNS[number.source]}")


def short_tokens(number: Number) -> SafeText:
    """A count in short with its sign: ``151k=``, ``4.1k≈``, ``–``."""
    if number.value is None:
        return SafeText(NO_NUMBER)
    return SafeText(f"{short(number.value)}{SIGNS[number.source]}")


def short(value: int) -> SafeText:
    """A count in at most five signs: ``812``, ``4.1k``, ``151k``, ``1.2M``."""
    if value < 1_000:
        return SafeText(f"{value}")
    if value < 9_950:
        return SafeText(f"{value / 1_000:.1f}k")
    if value < 999_500:
        return SafeText(f"{value / 1_000:.0f}k")
    return SafeText(f"{value / 1_000_000:.1f}M")


def tenths(value: int) -> SafeText:
    """A count in thousands with one digit behind the point, as the rail shows it: ``167.0k``."""
    if value < 1_000:
        return SafeText(f"{value}")
    if value < 999_950:
        return SafeText(f"{value / 1_000:.1f}k")
    return SafeText(f"{value / 1_000_000:.2f}M")


def window_size(value: int) -> SafeText:
    """A window in round words: ``200k``, ``1M``."""
    if value % 1_000_000 == 0:
        return SafeText(f"{value // 1_000_000}M")
    return SafeText(f"{value // 1_000}k") if value % 1_000 == 0 else SafeText(f"{value:,}")


def reduction(before: int | None, after: int | None) -> SafeText:
    """What a compaction saved, as a share: ``−78 %``; nothing where one side is not known."""
    if not before or after is None:
        return NOTHING
    share = round(100 * (1 - after / before))
    return SafeText(f"−{share} %" if share >= 0 else f"+{-share} %")


def counted(count: int, one: str, many: str = "") -> SafeText:
    """A number with its word, which is ours: ``1 turn``, ``42 turns``."""
    word = one if count == 1 else many or f"{one}s"
    return display_text(f"{count:,} {word}")


def span(milliseconds: int) -> SafeText:
    """A duration: ``0.9 s``, ``41 s``, ``12 m``, ``1 h 12 m``, ``3 d 4 h``."""
    if milliseconds < 10 * _SECOND:
        return SafeText(f"{max(0, milliseconds) / _SECOND:.1f} s")
    if milliseconds < 2 * _MINUTE:
        return SafeText(f"{milliseconds // _SECOND} s")
    if milliseconds < _HOUR:
        return SafeText(f"{milliseconds // _MINUTE} m")
    if milliseconds < _DAY:
        return SafeText(f"{milliseconds // _HOUR} h {milliseconds % _HOUR // _MINUTE} m")
    return SafeText(f"{milliseconds // _DAY} d {milliseconds % _DAY // _HOUR} h")


def short_span(milliseconds: int) -> SafeText:
    """A duration in few signs: ``41s``, ``12m``, ``1h12m``, ``3d4h``."""
    if milliseconds < 2 * _MINUTE:
        return SafeText(f"{max(0, milliseconds) // _SECOND}s")
    if milliseconds < _HOUR:
        return SafeText(f"{milliseconds // _MINUTE}m")
    if milliseconds < _DAY:
        return SafeText(f"{milliseconds // _HOUR}h{milliseconds % _HOUR // _MINUTE}m")
    return SafeText(f"{milliseconds // _DAY}d{milliseconds % _DAY // _HOUR}h")


def age(then: int, now: int) -> SafeText:
    """How long ago, in at most four signs: ``now``, ``2m``, ``3h``, ``6d``, ``5w``, ``2y``."""
    if then == NO_TIME:
        return SafeText(NO_NUMBER)
    passed = now - then
    if passed < -_MINUTE:  # from the future: no age
        return SafeText(NO_NUMBER)
    if passed < _MINUTE:
        return SafeText("now")
    for unit, sign, limit in ((_MINUTE, "m", 60), (_HOUR, "h", 24), (_DAY, "d", 14)):
        if passed < unit * limit:
            return SafeText(f"{passed // unit}{SafeText(sign)}")
    weeks = passed // (7 * _DAY)
    return SafeText(f"{weeks}w" if weeks < 104 else f"{weeks // 52}y")


def when(then: int, now: int) -> SafeText:
    """A time in five signs: ``10:02`` of today, ``03-13`` of this year, ``2024`` of one before."""
    moment, today = local(then), local(now)
    if moment is None or today is None:
        return SafeText(NO_NUMBER)
    if moment.date() == today.date():
        return clock(then)
    if moment.year == today.year:
        return SafeText(f"{moment.month:02}-{moment.day:02}")
    return SafeText(f"{moment.year}")


def clock(time: int) -> SafeText:
    """The local time of day: ``10:02``; nothing where there is none."""
    moment = local(time)
    return NOTHING if moment is None else SafeText(f"{moment.hour:02}:{moment.minute:02}")


def day(time: int) -> SafeText:
    """The local day: ``Tue 3 March 2026``; nothing where there is none."""
    moment = local(time)
    if moment is None:
        return NOTHING
    weekday, month = SafeText(_WEEKDAYS[moment.weekday()]), SafeText(_MONTHS[moment.month - 1])
    return SafeText(f"{weekday} {moment.day} {month} {moment.year}")


def month(time: int) -> SafeText:
    """The local month: ``March 2026``; nothing where there is none."""
    moment = local(time)
    if moment is None:
        return NOTHING
    return SafeText(f"{SafeText(_MONTHS[moment.month - 1])} {moment.year}")


def stamp(time: int) -> SafeText:
    """The local day and time to the second: ``2026-03-03 10:02:41``; nothing where there is none."""
    moment = local(time)
    if moment is None:
        return NOTHING
    date = SafeText(f"{moment.year:04}-{moment.month:02}-{moment.day:02}")
    return SafeText(f"{date} {moment.hour:02}:{moment.minute:02}:{moment.second:02}")


def clock_to_the_second(time: int) -> SafeText:
    """The local time of day: ``10:02:41``; nothing where there is none."""
    return SafeText(stamp(time)[-8:])


def zoned_stamp(time: int) -> SafeText:
    """The local day and time with the zone's distance from UTC: ``2026-03-03 10:02:41 +01:00``."""
    moment = local(time)
    if moment is None:
        return NOTHING
    try:
        offset = moment.astimezone().utcoffset()
    except (ValueError, OverflowError, OSError):
        return stamp(time)
    minutes: int = round(offset.total_seconds() / 60) if offset is not None else 0
    sign = SafeText("-" if minutes < 0 else "+")
    return SafeText(f"{stamp(time)} {sign}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}")


def local(time: int) -> datetime | None:
    """A record's time in the local zone; None where it has none, or none that a calendar knows."""
    if time == NO_TIME:
        return None
    try:
        return datetime.fromtimestamp(time / _SECOND)
    except (ValueError, OverflowError, OSError):
        return None


def byte_size(count: int) -> SafeText:
    """Bytes in words: ``812 B``, ``4.1 kB``, ``30.4 MB``."""
    if count < 1_000:
        return SafeText(f"{count} B")
    if count < 999_950:
        return SafeText(f"{count / 1_000:.1f} kB")
    if count < 999_950_000:
        return SafeText(f"{count / 1_000_000:.1f} MB")
    return SafeText(f"{count / 1_000_000_000:.1f} GB")
