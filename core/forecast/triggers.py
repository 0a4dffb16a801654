"""At what size the client compacts by itself: seen in the user's own sessions, set, or looked up."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import median_low

from ccbrowse.core.autocompact import Seen
from ccbrowse.core.forecast.settings import AutoCompact, auto_compact
from ccbrowse.core.windows import LARGE, SMALL, window_of

RESERVE = 33_000
"""Tokens of the window that the client keeps free: 20,000 for the reply, 13,000 as a margin."""

OLD_RESERVE = 45_000
"""The same before 2.1.21: 32,000 and 13,000."""

NEWEST = 12
"""Compactions of the past that tell the point: older ones may be of another window."""

REFUSED = 0.5
"""A compaction at less than this share of the largest was no limit: a request was refused as too long."""

ALIKE = 0.75
"""Points that reach this share of one another are of one limit, which the lowest of them is nearest to."""

_TUNED: tuple[tuple[tuple[int, int, int], int], ...] = (
    ((2, 1, 190), 500_000),
    ((2, 1, 130), 600_000),
    ((2, 1, 110), 400_000),
)
"""Windows that the server set for models with a million tokens, by the first client seen with each."""

_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)")


class Basis(StrEnum):
    """What a trigger point rests on."""

    SEEN_HERE = "this session's own compactions"
    SEEN = "your sessions with this model and client"
    SEEN_MODEL = "your sessions with this model"
    SETTING = "settings"
    TABLE = "the client's usual limits"


@dataclass(frozen=True, slots=True)
class Trigger:
    """The size at which the next compaction is expected, and the range that it may come in.

    `points` are the sizes seen, where the basis is what was seen: one of them will be it.
    """

    tokens: int
    low: int
    high: int
    basis: Basis
    points: tuple[int, ...] = ()


def find_trigger(
    model: str | None,
    version: str | None,
    largest: int,
    seen: Sequence[Seen] = (),
    own: str | None = None,
    settings: Mapping[str, str] | None = None,
) -> Trigger | None:
    """The trigger point for a model and client; None where compaction is off or nothing is known.

    `own` is the session that is asked for: its compactions go first. `largest` is what the largest
    request since its last compaction weighed: the limit lies above it. `settings` are the variables
    in force.
    """
    in_force = auto_compact({} if settings is None else settings)
    if in_force.off:
        return None
    fitting = [each for each in seen if each.model == model]
    for basis, some in (
        (Basis.SEEN_HERE, [each for each in fitting if each.session_id == own]),
        (Basis.SEEN, [each for each in fitting if each.version == version]),
        (Basis.SEEN_MODEL, fitting),
    ):
        if points := limits(some, largest):
            return _from_seen(points, basis)
    if in_force.window:
        return _lowered(in_force.window - RESERVE, in_force.window, Basis.SETTING, in_force)
    return _from_table(model, version, largest, in_force)


def limits(seen: Sequence[Seen], largest: int) -> list[int]:
    """The limits that compactions tell of, as far as they lie above what was reached without one.

    A compaction overshoots its limit by a part of a turn, now and then by a huge result; so of points
    alike the lowest counts.
    """
    newest = sorted(seen, key=lambda each: each.time)[-NEWEST:]
    top = max((each.tokens for each in newest), default=0)
    points = [each.tokens for each in newest if each.tokens >= top * REFUSED]
    lowest = (min(q for q in points if q >= point * ALIKE) for point in points)
    return sorted(point for point in lowest if point > largest)


def _from_seen(points: Sequence[int], basis: Basis) -> Trigger:
    middle = median_low(points)
    return Trigger(middle, round(points[0] * 0.96), round(points[-1] * 1.02), basis, tuple(points))


def _from_table(
    model: str | None, version: str | None, largest: int, in_force: AutoCompact
) -> Trigger | None:
    window = window_of(model, largest).value
    if window is None:
        return None
    if in_force.small_window and largest <= SMALL:
        window = SMALL
    client = _client(version)
    if window >= LARGE:
        tuned = next((size for since, size in _TUNED if client and client >= since), LARGE)
        fitting = tuned if tuned - RESERVE > largest else LARGE
        return _lowered(fitting - RESERVE, window, Basis.TABLE, in_force)
    reserve = OLD_RESERVE if client and client < (2, 1, 21) else RESERVE
    return _lowered(min(window, SMALL) - reserve, window, Basis.TABLE, in_force)


def _lowered(tokens: int, window: int, basis: Basis, in_force: AutoCompact) -> Trigger:
    """The point, lowered by the user's percentage where one is set: it can only lower it."""
    if in_force.percent:
        tokens, basis = min(tokens, window * in_force.percent // 100), Basis.SETTING
    return Trigger(tokens, round(tokens * 0.97), round(tokens * 1.05), basis)


def _client(version: str | None) -> tuple[int, int, int] | None:
    found = _VERSION.match(version or "")
    return (int(found[1]), int(found[2]), int(found[3])) if found else None
