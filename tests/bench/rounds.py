"""The rounds: every measure and its reference once a round, in an order shuffled by the seed."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Sequence
from functools import partial
from statistics import median

from bench.measure import Bench, Measure, Pair
from bench.processes import Sample
from bench.stats import NOISY_SPREAD, Result, spread

BUSY = 1.5
"""Load at the start above which a run is called noisy."""


def run_rounds(
    bench: Bench, measures: Sequence[Measure], rounds: int, seed: int, slack: float = 1.0
) -> list[Result]:
    """The results of some measures. One round before is not timed: it warms the page cache."""
    order, busy = random.Random(seed), os.getloadavg()[0] > BUSY
    found: dict[str, list[Pair]] = {measure.id: [] for measure in measures}
    for number in range(rounds + 1):
        for name, pair in _round(bench, measures, order).items():
            if number:
                found[name].append(pair)
    return [_result(measure, found[measure.id], busy, slack) for measure in measures]


def _round(bench: Bench, measures: Sequence[Measure], order: random.Random) -> dict[str, Pair]:
    """Each measure's own sample and that of its reference; what several refer to runs once."""
    jobs: dict[str, Callable[[], Sample]] = {}
    for measure in measures:
        jobs[f"{measure.id} own"] = partial(measure.own, bench)
        jobs[measure.reference] = partial(measure.refer, bench)
    names = sorted(jobs)
    order.shuffle(names)
    samples = {name: jobs[name]() for name in names}
    return {
        measure.id: (samples[f"{measure.id} own"], samples[measure.reference])
        for measure in measures
    }


def _result(measure: Measure, pairs: Sequence[Pair], busy: bool, slack: float) -> Result:
    own = [pair[0] for pair in pairs]
    restless = spread([measure.figure(reference) for _, reference in pairs]) > NOISY_SPREAD
    return Result(
        id=measure.id,
        what=measure.what,
        reference=measure.reference,
        unit=measure.unit,
        values=[value for pair in pairs for value in measure.values(pair)],
        wall=median(sample.wall for sample in own),
        cpu=median(sample.cpu for sample in own),
        rss=median(sample.rss for sample in own),
        target=measure.target * slack if measure.target is not None else None,
        share=measure.share,
        noisy=busy or restless,
    )
