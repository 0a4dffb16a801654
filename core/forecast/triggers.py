"""At what size the client compacts by itself: seen in the user's own sessions, set, or looked up."""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from statistics import median

from ccbrowse.core.session import Session
from ccbrowse.core.windows import LARGE, SMALL, window_of

RESERVE = 33_000
"""Tokens of the window that the client keeps free: 20,000 for the reply, 13,000 as a margin."""

OLD_RESERVE = 45_000
"""The same before 2.1.21: 32,000 and 13,000."""

_OFF = ("DISABLE_COMPACT", "DISABLE_AUTO_COMPACT")
_WINDOW = "CLAUDE_CODE_AUTO_COMPACT_WINDOW"
_PERCENT = "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"
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
class Seen:
    """An automatic compaction of the past: where it came, in tokens."""

    session_id: str
    model: str
    version: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Trigger:
    """The size at which the next compaction is expected, and the range that it may come in."""

    tokens: int
    low: int
    high: int
    basis: Basis


def seen_triggers(session: Session) -> list[Seen]:
    """The automatic compactions of a session's main line."""
    index, found = session.index, list[Seen]()
    models, versions = list(index.facts.models), list(index.facts.versions)
    for before, after in pairwise(session.segments):
        facts = after.boundary.facts if after.boundary else None
        if facts is None or facts.trigger != "auto" or not facts.pre_tokens or not before.requests:
            continue
        model = models[index.requests.model[before.requests[-1]]]
        found.append(
            Seen(session.session_id, model, versions[-1] if versions else "", facts.pre_tokens)
        )
    return found


def find_trigger(
    model: str | None,
    version: str | None,
    largest: int,
    seen: Sequence[Seen] = (),
    own: str | None = None,
    environ: Mapping[str, str] | None = None,
) -> Trigger | None:
    """The trigger point for a model and client; None where compaction is off or nothing is known.

    `own` is the session that is asked for: its compactions go first. `largest` is what its largest
    request weighed.
    """
    environ = os.environ if environ is None else environ
    if any(environ.get(name) for name in _OFF):
        return None
    fitting = [each for each in seen if each.model == model]
    for basis, some in (
        (Basis.SEEN_HERE, [each for each in fitting if each.session_id == own]),
        (Basis.SEEN, [each for each in fitting if each.version == version]),
        (Basis.SEEN_MODEL, fitting),
    ):
        if some:
            return _from_seen([each.tokens for each in some], basis)
    window = _number(environ.get(_WINDOW))
    if window:
        return _lowered(window - RESERVE, window, Basis.SETTING, environ)
    return _from_table(model, version, largest, environ)


def _from_seen(tokens: Iterable[int], basis: Basis) -> Trigger:
    """The middle of what was seen. The last reply before a compaction overshoots, so the low end counts."""
    points = sorted(tokens)
    middle = round(median(points))
    return Trigger(
        middle, min(points[0], round(middle * 0.97)), max(points[-1], round(middle * 1.03)), basis
    )


def _from_table(
    model: str | None, version: str | None, largest: int, environ: Mapping[str, str]
) -> Trigger | None:
    window = window_of(model, largest).value
    if window is None:
        return None
    client = _client(version)
    if window >= LARGE:
        tuned = next((size for since, size in _TUNED if client and client >= since), LARGE)
        fitting = tuned if tuned - RESERVE > largest else LARGE
        return _lowered(fitting - RESERVE, window, Basis.TABLE, environ)
    reserve = OLD_RESERVE if client and client < (2, 1, 21) else RESERVE
    return _lowered(min(window, SMALL) - reserve, window, Basis.TABLE, environ)


def _lowered(tokens: int, window: int, basis: Basis, environ: Mapping[str, str]) -> Trigger:
    """The point, lowered by the user's percentage where one is set: it can only lower it."""
    percent = _number(environ.get(_PERCENT))
    if percent and 0 < percent <= 100:
        tokens, basis = min(tokens, window * percent // 100), Basis.SETTING
    return Trigger(tokens, round(tokens * 0.97), round(tokens * 1.05), basis)


def _client(version: str | None) -> tuple[int, int, int] | None:
    found = _VERSION.match(version or "")
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def _number(text: str | None) -> int | None:
    return int(text) if text and text.strip().isdecimal() else None
