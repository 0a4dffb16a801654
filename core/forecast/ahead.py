"""The forecast: turns until the conversation reaches the trigger, by drawing from the turns it has seen."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from ccbrowse.core.forecast.growth import growths, turn_sizes
from ccbrowse.core.forecast.triggers import Basis, Seen, Trigger, find_trigger
from ccbrowse.core.session import Session

RUNS = 240
"""Futures that are drawn; more change nothing that is shown."""

MOST_TURNS = 2000
"""Turns after which a future is given up: it hardly grows."""

FEW = 4
"""Turns of the open segment below which the turns of earlier ones are drawn from as well."""

WIDEN = 0.42
"""Spread of the pace between a past and its future, as a share: segments are not all alike."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """The next automatic compaction: in `turns`, between `low` and `high` in 80 % of cases.

    `trigger` is the size at which it is expected, `growth` what a turn adds on average, in tokens;
    `observed` the number of turns that this rests on.
    """

    turns: int
    low: int
    high: int
    trigger: int
    basis: Basis
    growth: int
    observed: int

    def to_json(self) -> dict[str, object]:
        """The forecast as the command line prints it."""
        return {
            "turns": self.turns,
            "low": self.low,
            "high": self.high,
            "trigger_tokens": self.trigger,
            "basis": self.basis.value,
            "growth_per_turn": self.growth,
            "observed_turns": self.observed,
        }


def forecast_session(session: Session, seen: Sequence[Seen] = ()) -> Forecast | None:
    """The forecast for an open session; None where there is nothing to go by."""
    segments = session.segments
    if not segments:
        return None
    sizes = turn_sizes(session.index, segments[-1])
    earlier = [g for s in segments[:-1] for g in growths(turn_sizes(session.index, s))]
    table = session.index.requests
    largest = max((table.context(number) for number in range(len(table))), default=0)
    models, versions = session.models, list(session.index.facts.versions)
    trigger = find_trigger(
        models[-1] if models else None,
        versions[-1] if versions else None,
        largest if not seen else 0,
        seen,
        session.session_id,
    )
    return None if trigger is None else turns_left(sizes, earlier, trigger)


def turns_left(sizes: Sequence[int], earlier: Sequence[int], trigger: Trigger) -> Forecast | None:
    """Turns until `sizes`, the context after each turn, reach the trigger.

    `earlier` are growths of turns in segments before, drawn from as well while there are few.
    """
    own = growths(sizes)
    pool = own if len(own) >= FEW else [*own, *earlier]
    if not sizes or not pool:
        return None
    mean = sum(pool) / len(pool)
    if mean <= 0:
        return None
    ends = sorted(_draw(sizes[-1], pool, trigger, Random(run)) for run in range(RUNS))
    return Forecast(
        turns=ends[len(ends) // 2],
        low=ends[len(ends) // 10],
        high=ends[-1 - len(ends) // 10],
        trigger=trigger.tokens,
        basis=trigger.basis,
        growth=round(mean),
        observed=len(pool),
    )


def _draw(now: int, pool: Sequence[int], trigger: Trigger, chance: Random) -> int:
    """The turns of one future: turns drawn from the past, at a pace and to a point drawn as well."""
    goal = chance.triangular(trigger.low, trigger.high, trigger.tokens)
    pace = max(0.2, chance.gauss(1.0, WIDEN))
    turns, size = 0, float(now)
    while size < goal and turns < MOST_TURNS:
        size += chance.choice(pool) * pace
        turns += 1
    return max(0, turns)
