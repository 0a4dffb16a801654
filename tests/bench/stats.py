"""Medians, quartiles, and the result of a measure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

NOISY_SPREAD = 0.25
"""Spread of a reference (quartiles over median) above which a run is called noisy."""


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which a share of the values lies, between two of them in proportion."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def spread(values: Sequence[float]) -> float:
    """The distance of the quartiles, as a share of the median."""
    middle = median(values)
    return (quantile(values, 0.75) - quantile(values, 0.25)) / middle if middle else 0.0


@dataclass(frozen=True)
class Result:
    """What the rounds of a measure gave. `values` are per-round ratios, or MB, or ms: see `unit`."""

    id: str
    what: str
    reference: str
    unit: str
    values: Sequence[float]
    wall: float
    cpu: float
    rss: float
    target: float | None
    share: float
    noisy: bool

    @property
    def median(self) -> float:
        """The middle of the rounds."""
        return median(self.values)

    @property
    def held(self) -> float:
        """What is held against the target: the median, or the quantile that the measure names."""
        return quantile(self.values, self.share)

    @property
    def passed(self) -> bool | None:
        """Whether the target was met; None where there is none."""
        return None if self.target is None else self.held <= self.target
