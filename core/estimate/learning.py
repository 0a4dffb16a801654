"""Learning the factor of a session's own model from what its own requests grew by.

What stood between two requests, and how much more the second weighs, is an observation. Single ones
mislead (a reminder sent along, a result cleared away), so the middle ones decide, and the table keeps a
say until there are many.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp, log, sqrt
from typing import Final, Literal

from ccbrowse.core.estimate.counts import TextCounts
from ccbrowse.core.estimate.engines import CL100K
from ccbrowse.core.estimate.factors import TYPICAL, WIDEST, scale

Basis = Literal["table", "tokens", "chars"]
"""What the true counts follow: the table's estimate of each text, or tokens or characters alone."""

Source = Literal["session", "library", "table"]
"""Whose factor it is: the session's own, that of all sessions of the library, or the table's."""

ENOUGH: Final = 3
"""Observations of use from which a factor counts as learned."""

SMALLEST: Final = 100
"""Counted tokens that an observation needs: below, message frames say more than the text."""

_LARGEST = 4000  # counted tokens beyond which an observation weighs no more
_STRANGEST = log(4)  # off by more than this, something else than the text was counted
_VOTES = 1.5  # observations that the prior is worth
_STEADY = 10  # observations that the prior's error is worth
_HELD = 0.8

_BASES: tuple[Basis, ...] = ("table", "tokens", "chars")
_ENOUGH_FOR_BASIS = 12
_CLEARLY = 0.7  # another basis must scatter this much less than the one before


@dataclass(frozen=True, slots=True)
class Observation:
    """Texts that stood between two requests, and the input tokens that they turned out to be.

    `true_tokens` is the growth of the input side less the output between. What `counts` leaves out,
    such as images and thinking, must not be in it either.
    """

    counts: TextCounts
    true_tokens: int


@dataclass(frozen=True, slots=True)
class Learned:
    """A factor and what it rests on; made by `learn`, used by `estimate`."""

    factor: float
    """True tokens per counted token, for texts like the observed ones."""
    error: float
    """Half-width, as a share, that holds the truth of such a text in 80 % of cases."""
    n: int
    """Observations that were of use."""
    source: Source
    family: str
    """Tokenizer family as `family()` names it; the factor says nothing of others."""
    encoding: str = CL100K
    """The counter of the observations; the factor holds for no other."""
    basis: Basis = "table"
    unit: float = 1.0
    """True tokens per unit of the basis."""
    spread: float = 1.0
    """The error found, in errors of the table."""

    def value(self, counts: TextCounts) -> float:
        """Claude's tokens in a text, by this factor."""
        return self.unit * _measure(self.basis, counts, self.family)

    def half_width(self, counts: TextCounts) -> float:
        """The error of that value, as a share."""
        return min(self.spread * scale(counts, self.family).error, WIDEST)


def learn(
    observations: Sequence[Observation],
    family: str,
    prior: Learned | None = None,
    source: Source = "session",
) -> Learned:
    """The factor that observations of one model, by one counter, show.

    `prior` stands in for the table: the factor that the library's sessions taught, learned with
    ``source="library"``; one of another family or counter is passed over. While fewer than `ENOUGH`
    observations are of use (not below `SMALLEST`, not beyond what a tokenizer can explain), the answer
    is the prior, or the table. Cost: a few sorts of the observations.
    """
    usable = [each for each in observations if _is_usable(each, family)]
    before = _before(observations, family, prior)
    if len(usable) < ENOUGH:
        return before
    weights = _weights(usable)
    basis = _best_basis(usable, weights, before)
    expected = _expected_unit(usable, basis, before)
    misses = _misses(usable, basis, family, expected)
    # The prior votes for no miss at all: it is heard while observations are few.
    correction = _middle([*misses, 0.0], [*weights, _VOTES])
    unit = expected * exp(correction)
    spread, typical = _spread(
        usable, weights, [miss - correction for miss in misses], correction, before
    )
    total = sum(_measure(basis, each.counts, family) for each in usable)
    return Learned(
        factor=unit * total / sum(each.counts.tokens for each in usable),
        error=min(spread * typical, WIDEST),
        n=len(usable),
        source=source,
        family=family,
        encoding=before.encoding,
        basis=basis,
        unit=unit,
        spread=spread,
    )


def _is_usable(observation: Observation, family: str) -> bool:
    counts = observation.counts
    if counts.tokens < SMALLEST or counts.guessed or observation.true_tokens <= 0:
        return False
    expected = _measure("table", counts, family)
    return abs(log(observation.true_tokens / expected)) < _STRANGEST


def _before(observations: Sequence[Observation], family: str, prior: Learned | None) -> Learned:
    """What is believed before any observation: the prior if it fits them, else the table."""
    encoding = observations[0].counts.encoding if observations else None
    if prior and prior.family == family and encoding in (None, prior.encoding):
        return prior
    typical = replace(TYPICAL, encoding=encoding or CL100K)
    table = scale(typical, family)
    return Learned(table.factor, table.error, 0, "table", family, typical.encoding)


def _weights(usable: Sequence[Observation]) -> list[float]:
    """Larger texts know better; on average an observation weighs 1."""
    roots = [sqrt(min(each.counts.tokens, _LARGEST)) for each in usable]
    return [root * len(roots) / sum(roots) for root in roots]


def _spread(
    usable: Sequence[Observation],
    weights: Sequence[float],
    misses: Sequence[float],
    correction: float,
    before: Learned,
) -> tuple[float, float]:
    """The error that the observations show in errors of the table, and the table's error for them."""
    errors = [scale(each.counts, before.family).error for each in usable]
    typical = _quantile(errors, weights, 0.5)
    # A few observations flatter the factor fitted to them: one more is thought of, as far off as the
    # prior was, and more than 80 % of them are held.
    found = [abs(exp(miss) - 1) / error for miss, error in zip(misses, errors, strict=True)]
    found.append(abs(exp(-correction) - 1) / typical)
    share = min(_HELD * (1 + 1 / len(usable)), 1.0)
    held = _quantile(found, [*weights, 1.0], share)
    return (_STEADY * before.spread + len(usable) * held) / (_STEADY + len(usable)), typical


def _measure(basis: Basis, counts: TextCounts, family: str) -> float:
    if basis == "table":
        return counts.tokens * scale(counts, family).factor
    return counts.tokens if basis == "tokens" else counts.chars


def _expected_unit(usable: Sequence[Observation], basis: Basis, before: Learned) -> float:
    """True tokens a unit of the basis, as believed before."""
    if basis == before.basis:
        return before.unit
    believed = sum(before.value(each.counts) for each in usable)
    return believed / sum(_measure(basis, each.counts, before.family) for each in usable)


def _misses(usable: Sequence[Observation], basis: Basis, family: str, unit: float) -> list[float]:
    """By how much each truth exceeds its estimate, as a logarithm."""
    return [
        log(each.true_tokens / (unit * _measure(basis, each.counts, family))) for each in usable
    ]


def _best_basis(usable: Sequence[Observation], weights: Sequence[float], before: Learned) -> Basis:
    """The basis whose factor scatters least; the one before, unless another is clearly better."""
    if len(usable) < _ENOUGH_FOR_BASIS:
        return before.basis
    scatter: dict[Basis, float] = {}
    for basis in _BASES:
        misses = _misses(usable, basis, before.family, 1.0)
        middle = _quantile(misses, weights, 0.5)
        scatter[basis] = _quantile([abs(miss - middle) for miss in misses], weights, 0.5)
    best = min(_BASES, key=scatter.__getitem__)
    return best if scatter[best] < _CLEARLY * scatter[before.basis] else before.basis


def _middle(values: Sequence[float], weights: Sequence[float]) -> float:
    """The weighted mean of the middle third: as deaf to outliers as a median, and steadier."""
    total = sum(weights)
    low, high = total / 3, total * 2 / 3
    inside = passed = 0.0
    for value, weight in sorted(zip(values, weights, strict=True)):
        inside += value * max(0.0, min(passed + weight, high) - max(passed, low))
        passed += weight
    return inside / (high - low)


def _quantile(values: Sequence[float], weights: Sequence[float], share: float) -> float:
    """The weighted quantile, straight lines between the middles of the values' weights."""
    ordered = sorted(zip(values, weights, strict=True))
    target = share * sum(weights)
    below, place = ordered[0][0], 0.0
    passed = 0.0
    for value, weight in ordered:
        middle = passed + weight / 2
        if middle >= target:
            way = (target - place) / (middle - place) if middle > place else 1.0
            return below + way * (value - below)
        below, place, passed = value, middle, passed + weight
    return below
