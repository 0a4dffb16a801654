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
