"""Numbers, sizes and lengths of time as an export writes them, each with the sign of its source."""

from collections.abc import Mapping

from ccbrowse.core.numbers import SIGNS, Number, Source, exact, signed

SIGNS_EXPLAINED = "Numbers: = exact, ≈ estimated, – unknown."


def stated(value: int | None) -> str:
    """A number that the file states."""
    return signed(stated_number(value))


def stated_number(value: int | None) -> Number:
    """A number that the file states, or UNKNOWN."""
    return exact(value, Source.USAGE)


def reduction(before: int | None, after: int | None) -> str:
    """By how much a number fell: `−78 %`; empty where one of the two is unknown."""
    if not before or after is None:
        return ""
    share = (after - before) / before * 100
    return f"{'−' if share <= 0 else '+'}{abs(share):.0f} %"


def counted(count: int, one: str, many: str = "") -> str:
    """A count with its noun: `1 message`, `1,204 messages`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def masked_words(counts: Mapping[str, int]) -> str:
    """How much of what kind a `Redactor` masked: `12 home paths, 1 github token`; empty for nothing."""
    ranked = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    return ", ".join(counted(count, kind.replace("-", " ")) for kind, count in ranked)


def duration(milliseconds: int | None) -> str:
    """A length of time: `0.4 s`, `41 s`, `3 min 20 s`, `1 h 12 min`."""
    if milliseconds is None:
        return SIGNS[Source.UNKNOWN]
    if milliseconds < 10_000:
        return f"{milliseconds / 1000:.1f} s"
    seconds = round(milliseconds / 1000)
    if seconds < 120:
        return f"{seconds} s"
    if seconds < 7_200:
        return f"{seconds // 60} min {seconds % 60} s"
    return f"{seconds // 3_600} h {seconds % 3_600 // 60} min"
