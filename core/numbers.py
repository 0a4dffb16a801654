"""Numbers that say where they come from: exact, estimated with their error, or unknown."""

from enum import StrEnum

from msgspec import Struct


class Source(StrEnum):
    """Where a number comes from."""

    USAGE = "usage"
    BOUNDARY = "boundary"
    ESTIMATE = "estimate"
    UNKNOWN = "unknown"


class Number(Struct, frozen=True):
    """A count of tokens with its source.

    `error` is the half-width, as a share, that holds the truth in 80 % of cases; None where the
    number is exact or unknown.
    """

    value: int | None
    source: Source
    error: float | None = None

    def to_json(self) -> dict[str, object]:
        """The number as the command line prints it."""
        return {"value": self.value, "source": self.source.value, "error": self.error}


UNKNOWN = Number(None, Source.UNKNOWN)
"""A number that nobody knows."""


def exact(value: int | None, source: Source) -> Number:
    """A number that the file states; UNKNOWN where it does not."""
    return UNKNOWN if value is None else Number(value, source)


SIGNS = {Source.USAGE: "=", Source.BOUNDARY: "=", Source.ESTIMATE: "≈", Source.UNKNOWN: "–"}
"""What stands behind a number, or for one that nobody knows."""


def signed(number: Number, *, error: bool = True) -> str:
    """A number in full with its sign and, where it is estimated, its error: `98,214=`, `812≈ (±4 %)`, `–`."""
    if number.value is None:
        return SIGNS[Source.UNKNOWN]
    width = f" (±{percent(number.error)})" if error and number.error else ""
    return f"{number.value:,}{SIGNS[number.source]}{width}"


def percent(share: float) -> str:
    """A share in percent: `4 %`; below one half `<1 %`."""
    return "<1 %" if 0 < share < 0.005 else f"{share * 100:.0f} %"
