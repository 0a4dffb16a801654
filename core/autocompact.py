"""The automatic compactions of a session, and how its segments grew: what forecasts learn from.

Apart from the forecast itself, as a list of sessions holds it too.
"""

from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from ccbrowse.core.index import NONE, SessionIndex
from ccbrowse.core.records import Kind
from ccbrowse.core.segments import Segment
from ccbrowse.core.session import Session

MOST_TURNS_TOLD = 64
"""Turns of a segment whose growth is remembered, the newest."""


class Seen(Struct, frozen=True):
    """An automatic compaction of the past: at what size it came, when, and how the turns before it grew.

    `tokens` is the boundary's `preTokens`: the context of the last request, its reply, and an estimate
    of what came after that, so that it lies above the client's limit by a part of a turn.
    `time` is in milliseconds, `growths` in tokens a turn.
    """

    session_id: str
    model: str
    version: str
    tokens: int
    time: int = 0
    growths: tuple[int, ...] = ()


def seen_triggers(session: Session) -> list[Seen]:
    """The automatic compactions of a session's main line."""
    index, found = session.index, list[Seen]()
    models, versions = list(index.facts.models), list(index.facts.versions)
    for before, after in pairwise(session.segments):
        facts = after.boundary.facts if after.boundary else None
        if facts is None or facts.trigger != "auto" or not facts.pre_tokens or not before.requests:
            continue
        sizes = turn_sizes(index, before)
        found.append(
            Seen(
                session.session_id,
                models[index.requests.model[before.requests[-1]]],
                versions[-1] if versions else "",
                facts.pre_tokens,
                after.boundary.time if after.boundary else 0,
                tuple(growths(sizes)[-MOST_TURNS_TOLD:]),
            )
        )
    return found


def turn_sizes(index: SessionIndex, segment: Segment) -> list[int]:
    """The context after the last request of each turn, in tokens; the first entry is the opening one.

    Turns without a request are left out: they weighed nothing by themselves.
    """
    sizes: list[int] = []
    table, request = index.requests, index.request
    newest, opened = 0, False
    for row in segment.rows:
        if index.kind[row] == Kind.PROMPT and newest:
            sizes.append(newest)
            newest = 0
        number = request[row]
        if number == NONE or not table.context(number):
            continue
        if not opened:
            sizes.append(table.context(number))
            opened = True
        newest = table.context(number)
    if newest:
        sizes.append(newest)
    return sizes


def growths(sizes: Sequence[int]) -> list[int]:
    """What each turn added, in tokens; a turn that shrank (cleared results) counts as it is."""
    return [after - before for before, after in pairwise(sizes)]
