"""The forecast: turns until the conversation reaches the trigger, by drawing from the turns it has seen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from ccbrowse.core.autocompact import Seen, growths, turn_sizes
from ccbrowse.core.forecast.settings import settings_in_force
from ccbrowse.core.forecast.triggers import Basis, Trigger, find_trigger
from ccbrowse.core.session import Session

RUNS = 240
"""Futures that are drawn; more change nothing that is shown."""

MOST_TURNS = 2000
"""Turns after which a future is given up: it hardly grows."""

FEW = 4
"""Turns of the open segment below which the turns of earlier ones are drawn from as well."""

USUAL = 2
"""How many turns of this conversation weigh as much as how the user's others grew."""

MOST_OTHERS = 40
"""Compactions of other sessions whose turns are drawn from, the newest."""

WIDEN = 0.42
"""Spread of the pace between a past and its future, as a share: segments are not all alike."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """The next automatic compaction: in `turns`, between `low` and `high` in 80 % of cases.

    `trigger` is the size at which it is expected, `growth` what a turn adds on average, in tokens;
    `observed` the number of this conversation's turns that it rests on, `others` that of other
    compactions whose turns were drawn from as well.
    """

    turns: int
    low: int
    high: int
    trigger: int
    basis: Basis
    growth: int
    observed: int
    others: int = 0

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
            "other_compactions": self.others,
        }


def forecast_session(
    session: Session, seen: Sequence[Seen] = (), settings: Mapping[str, str] | None = None
) -> Forecast | None:
    """The forecast for an open session; None where there is nothing to go by.

    `seen` are the compactions of all sessions that are known, this one's own among them. Without
    `settings` those in force under its root are read.
    """
    segments = session.segments
    if not segments:
        return None
    index = session.index
    sizes = turn_sizes(index, segments[-1])
    earlier = [g for s in segments[:-1] for g in growths(turn_sizes(index, s))]
    reached = max(segments[-1].weights, default=0)
    models, versions = session.models, list(index.facts.versions)
    trigger = find_trigger(
        models[-1] if models else None,
        versions[-1] if versions else None,
        reached,
        seen,
        session.session_id,
        settings_in_force(session.file.root) if settings is None else settings,
    )
    others = [each for each in seen if each.session_id != session.session_id]
    return None if trigger is None else turns_left(sizes, earlier, trigger, others)


def turns_left(
    sizes: Sequence[int],
    earlier: Sequence[int],
    trigger: Trigger,
    others: Sequence[Seen] = (),
) -> Forecast | None:
    """Turns until `sizes`, the context after each turn, reach the trigger.

    `earlier` are growths of turns in segments before, drawn from as well while there are few. So are
    the turns of `others`, the less the more this conversation has had of its own.
    """
    own = growths(sizes)
    if len(own) < FEW:
        own = [*own, *earlier]
    newest = sorted(others, key=lambda each: each.time)[-MOST_OTHERS:]
    usual = [growth for each in newest for growth in each.growths]
    if not sizes or not (own or usual):
        return None
    mean = _mean(own, usual)
    if mean <= 0:
        return None
    most = max(own, default=0), max(usual, default=0)
    ends = sorted(_draw(sizes[-1], own, usual, most, trigger, Random(run)) for run in range(RUNS))
    return Forecast(
        turns=ends[len(ends) // 2],
        low=ends[len(ends) // 10],
        high=ends[-1 - len(ends) // 10],
        trigger=trigger.tokens,
        basis=trigger.basis,
        growth=round(mean),
        observed=len(own),
        others=sum(bool(each.growths) for each in newest),
    )


def _mean(own: Sequence[int], usual: Sequence[int]) -> float:
    """What a turn is expected to add."""
    weight = USUAL if usual else 0
    total = sum(own) + (weight * sum(usual) / len(usual) if usual else 0)
    return total / (len(own) + weight)


def _draw(
    now: int,
    own: Sequence[int],
    usual: Sequence[int],
    most: tuple[int, int],
    trigger: Trigger,
    chance: Random,
) -> int:
    """The turns of one future: turns drawn from the past, at a pace and to a point drawn as well.

    How often a turn is like the user's others is drawn too: few turns of its own tell little of it.
    `most` is the most that a turn of either added.
    """
    goal = _goal(now, trigger, chance)
    pace = max(0.2, chance.gauss(1.0, WIDEN))
    share = 0.0
    if usual:
        share = chance.betavariate(USUAL, len(own)) if own else 1.0
    fastest = max(most[0] * pace, most[1] if share else 0)
    if now + fastest * MOST_TURNS < goal:
        return MOST_TURNS  # as the walk would end, without it
    turns, size = 0, float(now)
    while size < goal and turns < MOST_TURNS:
        like_others = share and chance.random() < share
        size += chance.choice(usual) if like_others else chance.choice(own) * pace
        turns += 1
    return turns


def _goal(now: int, trigger: Trigger, chance: Random) -> float:
    """The size that one future goes to."""
    if trigger.points:
        return max(now + 1.0, chance.choice(trigger.points) * chance.uniform(0.96, 1.02))
    return chance.triangular(trigger.low, trigger.high, trigger.tokens)
