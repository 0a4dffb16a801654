"""What a search found, opened where it stands: a session, an abandoned arm of it, or a subagent."""

from __future__ import annotations

from collections.abc import Sequence

from ccbrowse.core.chain import branch_rows
from ccbrowse.core.locate import SessionFile
from ccbrowse.core.search import Hit, inline_agents
from ccbrowse.core.session import Session
from ccbrowse.tui.reader.branch import BranchReading
from ccbrowse.tui.reader.session import Reading


class FoundArm(BranchReading):
    """An arm, or other rows beside the main line, opened by itself; the session is closed with it."""

    def __init__(self, source: Reading, leaf: int, rows: Sequence[int] = ()) -> None:
        super().__init__(source, leaf)
        if rows:
            self._rows = tuple(rows)

    def close(self) -> None:
        """Nobody else has the session."""
        self._source.close()


def reading_of(file: SessionFile, hit: Hit) -> Reading:
    """The reading that shows a hit's record. Raises CcbrowseError or OSError; for workers."""
    session = Session(file)
    if hit.agent_id and hit.file != hit.session_file:
        try:
            return Reading(session.open_subagent(hit.agent_id))
        finally:
            session.close()
    reading = Reading(session)
    row = session.index.row_of(hit.uuid) if hit.uuid else hit.row
    if hit.on_main_line or row is None:
        return reading
    if hit.agent_id:
        agents = inline_agents(session.index)
        rows = [each for each, agent in agents.items() if agent == hit.agent_id]
        return FoundArm(reading, rows[-1], rows) if rows else reading
    leaf = _leaf_of(session, row)
    return reading if leaf is None else FoundArm(reading, leaf)


def _leaf_of(session: Session, row: int) -> int | None:
    """The leaf of the arm that holds a row; None where it is in none."""
    beside = set(session.chain.off_chain)
    for branch in session.chain.branches:
        if row in branch_rows(session.index, branch.leaf, beside):
            return branch.leaf
    return None
