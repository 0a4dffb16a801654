"""Usage over many files: each request counted once, under the file that wrote it first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from enum import StrEnum

from ccbrowse.core.index import NO_TIME, SessionIndex
from ccbrowse.core.session import Session
from ccbrowse.core.subagents import is_copy
from ccbrowse.core.usage import NO_USAGE, Usage


class By(StrEnum):
    """What a total is grouped by."""

    SESSION = "session"
    PROJECT = "project"
    DAY = "day"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class Request:
    """A request as one file holds it; `key` is the same in every file that has a copy."""

    key: tuple[str, str | None]
    usage: Usage
    time: int
    model: str
    copied: bool


@dataclass(frozen=True, slots=True)
class Source:
    """The requests of one session, its subagents' included, or of a part of it, and what groups them."""

    session_id: str
    """its id; of a part as a target names it: `ID#2`, `ID@agent:a1`"""
    project: str
    started: int
    requests: tuple[Request, ...]


@dataclass(frozen=True, slots=True)
class Total:
    """The sum of one group, and how many sessions it comes from."""

    key: str
    usage: Usage
    sessions: int


def source_of(session: Session, segment: int | None = None, name: str = "") -> Source:
    """The requests of a session and of its subagents; copies that a compaction made left out.

    Of a segment, or of a subagent that was opened, its own requests alone. `name` is what it is called
    where the session's id does not tell it.
    """
    found = list(_requests(session.index))
    if session.agent_id is None and segment is None:
        for agent in session.folder.agents_of(session.file):
            if not is_copy(agent):
                opened = session.open_subagent(agent.agent_id)
                found += _requests(opened.index)
                opened.close()
    if segment is not None:
        found = [found[number] for number in session.segment(segment).requests]
    return Source(
        name or session.session_id, session.project, session.index.facts.started, tuple(found)
    )


def _requests(index: SessionIndex) -> Iterator[Request]:
    table, models = index.requests, list(index.facts.models)
    copies = set(index.origin_rows.values())
    for number, key in enumerate(table.keys):
        usage = Usage(
            table.fresh[number],
            table.created[number],
            table.read[number],
            table.output[number],
            1,
            not table.trusted[number],
        )
        row = table.row[number]
        yield Request(key, usage, index.time[row], models[table.model[number]], row in copies)


def totals(sources: Iterable[Source], by: By, zone: tzinfo | None = None) -> list[Total]:
    """Sums by session, project, day (in `zone`; default: the user's) or model.

    Of a request that several files hold, the one that is no copy counts, then the older session's.
    """
    ordered = sorted(sources, key=lambda source: (source.started, source.session_id))
    seen: set[tuple[str, str | None]] = set()
    sums: dict[str, Usage] = {}
    sessions: dict[str, set[str]] = {}
    for copied in (False, True):
        for source in ordered:
            for request in source.requests:
                if request.copied is not copied or request.key in seen:
                    continue
                seen.add(request.key)
                group = _group(source, request, by, zone)
                sums[group] = sums.get(group, NO_USAGE) + request.usage
                sessions.setdefault(group, set()).add(source.session_id)
    return [Total(group, usage, len(sessions[group])) for group, usage in sums.items()]


def _group(source: Source, request: Request, by: By, zone: tzinfo | None) -> str:
    if by is By.SESSION:
        return source.session_id
    if by is By.PROJECT:
        return source.project
    if by is By.MODEL:
        return request.model or "unknown"
    if request.time == NO_TIME:
        return "unknown"
    return datetime.fromtimestamp(request.time / 1000, UTC).astimezone(zone).date().isoformat()
