"""Forecasts of the past held against what came: how far off, and how often inside the interval."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from ccbrowse.core.forecast.ahead import turns_left
from ccbrowse.core.forecast.growth import growths, turn_sizes
from ccbrowse.core.forecast.triggers import Seen, find_trigger, seen_triggers
from ccbrowse.core.session import Session

POINTS = (0.25, 0.5, 0.75)
"""How far into a segment a forecast is made."""


@dataclass(frozen=True, slots=True)
class Closed:
    """A segment that an automatic compaction closed: its turns, and what was known of the session then."""

    session_id: str
    model: str
    version: str
    sizes: tuple[int, ...]
    earlier: tuple[int, ...]
    tokens: int


@dataclass(frozen=True, slots=True)
class Backtest:
    """Over `forecasts` forecasts: the median error in turns, and the share of truths in the interval."""

    forecasts: int
    median_error: float | None
    inside: float | None


def closed_segments(session: Session) -> list[Closed]:
    """The segments of a session that ended in an automatic compaction."""
    found, earlier = list[Closed](), list[int]()
    marks = iter(seen_triggers(session))
    for segment, following in pairwise(session.segments):
        sizes = turn_sizes(session.index, segment)
        facts = following.boundary.facts if following.boundary else None
        if facts and facts.trigger == "auto" and facts.pre_tokens and segment.requests:
            mark = next(marks)
            found.append(
                Closed(
                    mark.session_id,
                    mark.model,
                    mark.version,
                    tuple(sizes),
                    tuple(earlier),
                    mark.tokens,
                )
            )
        earlier += growths(sizes)
    return found


def back_test(closed: Iterable[Closed]) -> Backtest:
    """Forecasts at several points of each segment, each knowing only other segments' trigger points."""
    segments = list(closed)
    errors, inside = list[int](), list[bool]()
    for number, segment in enumerate(segments):
        others = [
            Seen(each.session_id, each.model, each.version, each.tokens)
            for place, each in enumerate(segments)
            if place != number
        ]
        for error, held in _trials(segment, others):
            errors.append(error)
            inside.append(held)
    if not errors:
        return Backtest(0, None, None)
    return Backtest(len(errors), median(errors), sum(inside) / len(inside))


def _trials(segment: Closed, others: Sequence[Seen]) -> Iterable[tuple[int, bool]]:
    turns = len(segment.sizes) - 1
    for place in dict.fromkeys(max(1, round(turns * share)) for share in POINTS):
        if place >= turns:
            continue
        known = segment.sizes[: place + 1]
        trigger = find_trigger(
            segment.model, segment.version, max(known), others, segment.session_id, environ={}
        )
        made = turns_left(known, segment.earlier, trigger) if trigger else None
        if made is not None:
            truth = turns - place
            yield abs(made.turns - truth), made.low <= truth <= made.high
