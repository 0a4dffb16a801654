"""Forecasts of the past held against what came: how far off, and how often inside the interval."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from ccbrowse.core.autocompact import Seen, growths, seen_triggers, turn_sizes
from ccbrowse.core.forecast.ahead import turns_left
from ccbrowse.core.forecast.triggers import find_trigger
from ccbrowse.core.session import Session

POINTS = (0.25, 0.5, 0.75)
"""How far into a segment a forecast is made."""

MOST_SEGMENTS = 200
"""Segments that are tried, spread evenly over all: more tell nothing new."""


@dataclass(frozen=True, slots=True)
class Closed:
    """A segment that an automatic compaction closed: how that came, its turns' sizes, growths before it."""

    seen: Seen
    sizes: tuple[int, ...]
    earlier: tuple[int, ...]


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
            found.append(Closed(next(marks), tuple(sizes), tuple(earlier)))
        earlier += growths(sizes)
    return found


def back_test(closed: Iterable[Closed]) -> Backtest:
    """Forecasts at several points of each segment.

    Each knows the compactions of other sessions, and those of its own that came before.
    """
    segments = list(closed)
    tried = range(0, len(segments), max(1, -(-len(segments) // MOST_SEGMENTS)))
    errors, inside = list[int](), list[bool]()
    for number in tried:
        for error, held in _trials(segments[number], _known(segments, number)):
            errors.append(error)
            inside.append(held)
    if not errors:
        return Backtest(0, None, None)
    return Backtest(len(errors), median(errors), sum(inside) / len(inside))


def _known(segments: Sequence[Closed], number: int) -> list[Seen]:
    """The compactions that a forecast within a segment may know of."""
    own = segments[number].seen.session_id
    return [
        each.seen
        for place, each in enumerate(segments)
        if place < number or each.seen.session_id != own
    ]


def _trials(segment: Closed, known: Sequence[Seen]) -> Iterator[tuple[int, bool]]:
    turns, seen = len(segment.sizes) - 1, segment.seen
    others = [each for each in known if each.session_id != seen.session_id]
    for place in dict.fromkeys(max(1, round(turns * share)) for share in POINTS):
        if place >= turns:
            continue
        sizes = segment.sizes[: place + 1]
        trigger = find_trigger(seen.model, seen.version, max(sizes), known, seen.session_id)
        made = turns_left(sizes, segment.earlier, trigger, others) if trigger else None
        if made is not None:
            truth = turns - place
            yield abs(made.turns - truth), made.low <= truth <= made.high
