"""What of a session's screen can be exported: what is chosen there, and what stands under the cursor."""

from __future__ import annotations

from ccbrowse.core.session import Session
from ccbrowse.core.text import SafeText, one_line
from ccbrowse.tui.reader.branch import BranchReading
from ccbrowse.tui.reader.exporting import Scope
from ccbrowse.tui.reader.session import Reading


def scopes_of(
    reading: Reading,
    segment: int,
    *,
    row: int | None = None,
    ends: tuple[str, str] | None = None,
    agent: str | None = None,
) -> list[Scope]:
    """The parts to choose from, the likeliest first.

    `segment` is the one at the cursor, `row` the record there, `agent` the subagent that it ran,
    `ends` the uuids of a chosen range. Of a branch's screen it is the branch.
    """
    session = reading.session
    if isinstance(reading, BranchReading):
        leaf = session.index.uuids[reading.rows[-1]] if reading.rows else None
        branch = [Scope(SafeText("this branch"), leaf=leaf)] if leaf else []
        return [*branch, _WHOLE]
    scopes = [Scope(SafeText("chosen range"), ends=ends)] if ends else []
    if 1 <= segment <= len(session.segments):
        scopes.append(Scope(SafeText(f"segment {segment}"), segment))
        boundary = session.segments[segment - 1].boundary
        if segment > 1 and boundary is not None and boundary.row == row:
            scopes.append(Scope(SafeText(f"segment {segment - 1}, which ends here"), segment - 1))
    if agent is not None:
        scopes.append(Scope(SafeText(f"subagent {one_line(agent, 20)}"), agent=agent))
    scopes += _branches(session, row)
    scopes += _losses(session, segment)
    return [*scopes, _WHOLE]


def scopes_of_loss(number: int, closes: int | None, opens: int) -> list[Scope]:
    """The parts around a compaction: what it lost, the segments that it closed and opened, all."""
    segments = [each for each in (closes, opens) if each is not None]
    return [
        Scope(SafeText(f"losses of compaction {number}"), loss=number),
        *(Scope(SafeText(f"segment {each}"), each) for each in segments),
        _WHOLE,
    ]


_WHOLE = Scope(SafeText("whole session"))


def _branches(session: Session, row: int | None) -> list[Scope]:
    """The arms that leave the line at a record."""
    uuids = session.index.uuids
    found = [
        leaf
        for arm in session.chain.branches
        if row is not None and arm.fork == row and (leaf := uuids[arm.leaf])
    ]
    several = len(found) > 1
    return [
        Scope(SafeText(f"branch {number} here" if several else "branch here"), leaf=leaf)
        for number, leaf in enumerate(found[:3], 1)
    ]


def _losses(session: Session, segment: int) -> list[Scope]:
    """What the compaction that opened a segment lost."""
    opened = [each.boundary is not None for each in session.segments[:segment]]
    if not opened or not opened[-1]:
        return []
    number = sum(opened)
    return [Scope(SafeText(f"losses of compaction {number}"), loss=number)]
