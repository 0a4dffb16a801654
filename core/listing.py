"""What a list shows of one session, and the same as bytes: for the cache, and for the indexer's pipe."""

from __future__ import annotations

import time
from itertools import pairwise
from pathlib import Path

import msgspec

from ccbrowse.core.autocompact import Seen, seen_triggers
from ccbrowse.core.index import NO_TIME
from ccbrowse.core.lines import Stamp
from ccbrowse.core.locate import SessionFile
from ccbrowse.core.numbers import Number
from ccbrowse.core.session import Session, is_live
from ccbrowse.core.subagents import inline_subagents, is_copy
from ccbrowse.core.titles import Title, title_of
from ccbrowse.core.usage import Usage

_SKEW = 86_400_000
"""Milliseconds by which a record may be ahead of the clock: clocks differ."""

FILL_POINTS = 24
"""Points of a session's fill curve: enough for a sparkline."""

MOST_TRIGGERS = 6
"""Automatic compactions of a session that its listing holds."""


class Listing(msgspec.Struct, frozen=True, gc=False):
    """What a list shows of a session. Times are milliseconds, NO_TIME where no record has one.

    `compactions` counts the boundaries of the main line by trigger; `findings` those above notes;
    `turns` what a person sent; `fill` samples of what the requests weighed, oldest first; `triggers`
    the newest automatic compactions, from which forecasts learn.
    """

    file: SessionFile
    session_id: str
    project: str
    cwd: str | None
    title: Title
    started: int
    updated: int
    bytes: int
    messages: int
    turns: int
    segments: int
    compactions: dict[str, int]
    branches: int
    context_now: Number
    usage: Usage
    models: tuple[str, ...]
    versions: tuple[str, ...]
    git_branch: str | None
    subagents: int
    findings: int
    damaged: bool
    fill: tuple[int, ...]
    live: bool
    triggers: tuple[Seen, ...] = ()

    @property
    def sort_key(self) -> tuple[int, str]:
        """Newest record first: sort by this, reversed. A record from the future says nothing of its age."""
        known = self.updated != NO_TIME and self.updated <= time.time() * 1000 + _SKEW
        newest = self.updated if known else self.file.stamp.mtime_ns // 1_000_000
        return newest, self.session_id


def list_session(session: Session, now: int | None = None) -> Listing:
    """What a list shows of an open session; `now` in milliseconds."""
    index, file = session.index, session.file
    facts = index.facts
    triggers = [s.boundary.facts.trigger or "unknown" for s in session.segments if s.boundary]
    side = file.side_folder if file.has_side else None
    agents = [agent for agent in session.folder.listed_agents(file) if not is_copy(agent)]
    return Listing(
        file=file,
        session_id=session.session_id,
        project=session.project,
        cwd=session.cwd,
        title=title_of(index, side),
        started=facts.started,
        updated=facts.updated,
        bytes=index.size,
        messages=session.messages,
        turns=session.prompts,
        segments=len(session.segments),
        compactions={"auto": 0, "manual": 0} | {name: triggers.count(name) for name in triggers},
        branches=len(session.chain.branches),
        context_now=session.context_now,
        usage=session.usage,
        models=tuple(session.models),
        versions=tuple(facts.versions),
        git_branch=facts.git_branch,
        subagents=len(agents) + sum(a.named for a in inline_subagents(index, file.path)),
        findings=len(session.warnings()),
        damaged=bool(index.bad_lines),
        fill=fill_curve(session),
        live=session.is_live(now_ms() if now is None else now),
        triggers=tuple(seen_triggers(session)[-MOST_TRIGGERS:]),
    )


def now_ms() -> int:
    """The time in milliseconds."""
    return int(time.time() * 1000)


def fill_curve(session: Session, points: int = FILL_POINTS) -> tuple[int, ...]:
    """What the main line's requests weighed, in tokens: at most `points` samples, peaks kept."""
    weights = [weight for segment in session.segments for weight in segment.weights]
    if len(weights) <= points:
        return tuple(weights)
    edges = [len(weights) * i // points for i in range(points + 1)]
    return tuple(max(weights[a:b]) for a, b in pairwise(edges))


_Facts = tuple[
    str,  # session_id
    str,  # project
    str | None,  # cwd
    Title,
    int,  # started
    int,  # updated
    int,  # bytes
    int,  # messages
    int,  # turns
    int,  # segments
    dict[str, int],  # compactions
    int,  # branches
    Number,  # context_now
    Usage,
    tuple[str, ...],  # models
    tuple[str, ...],  # versions
    str | None,  # git_branch
    int,  # subagents
    int,  # findings
    bool,  # damaged
    tuple[int, ...],  # fill
    tuple[Seen, ...],  # triggers
]
"""The fields of a Listing in their order, but for its file and whether it is live: those are of now."""

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Facts).decode


def pack(listing: Listing) -> bytes | None:
    """A listing as bytes, without its file; None where a text has no UTF-8, or a number is too large."""
    facts = (
        listing.session_id,
        listing.project,
        listing.cwd,
        listing.title,
        listing.started,
        listing.updated,
        listing.bytes,
        listing.messages,
        listing.turns,
        listing.segments,
        listing.compactions,
        listing.branches,
        listing.context_now,
        listing.usage,
        listing.models,
        listing.versions,
        listing.git_branch,
        listing.subagents,
        listing.findings,
        listing.damaged,
        listing.fill,
        listing.triggers,
    )
    try:
        return _encode(facts)
    except (UnicodeEncodeError, OverflowError):
        return None


def unpack(data: bytes, file: SessionFile, now: int) -> Listing | None:
    """The listing of a file from bytes, live or not at `now` (milliseconds); None where they are none."""
    try:
        facts = _decode(data)
    except (msgspec.DecodeError, RecursionError):
        return None
    return Listing(file, *facts[:-1], is_live(facts[5], now), facts[-1])


Wire = tuple[Path, Path, str, tuple[int, int, int, int], bool, "bytes | Listing"]
"""A listing as plain values: root, folder, name and stamp of its file, whether it has side files, facts."""


def to_wire(listing: Listing) -> Wire:
    """A listing as what another process of ours takes in at little cost."""
    file = listing.file
    stamp = (file.stamp.device, file.stamp.inode, file.stamp.size, file.stamp.mtime_ns)
    return file.root, file.folder, file.name, stamp, file.has_side, pack(listing) or listing


def from_wire(wire: Wire, now: int) -> Listing | None:
    """The listing again, live or not at `now` (milliseconds)."""
    root, folder, name, stamp, has_side, facts = wire
    if isinstance(facts, Listing):
        return facts
    return unpack(facts, SessionFile(root, folder, name, Stamp(*stamp), has_side), now)
