"""A subagent that old clients wrote into the session's own file, read as a line of its own."""

from __future__ import annotations

from collections.abc import Iterator

from ccbrowse.core.index import MISSING, SessionIndex
from ccbrowse.core.text import SafeText
from ccbrowse.tui.reader.branch import BranchReading
from ccbrowse.tui.reader.session import Reading
from ccbrowse.tui.viewmodels.items import MESSAGES, Choice


class InlineReading(BranchReading):
    """The records of one tree beside the main line, in file order."""

    def __init__(self, source: Reading, agent_id: str, choice: Choice = MESSAGES) -> None:
        index = source.session.index
        rows = tuple(inline_rows(index, agent_id))
        super().__init__(source, rows[-1] if rows else -1, choice)
        self._rows, self._before, self._fork = rows, (), None
        self.shared, self.opens_at = frozenset(), None
        self.what = SafeText("a subagent in the session's own file")


def inline_rows(index: SessionIndex, agent_id: str) -> Iterator[int]:
    """The rows of the tree with that name: its own, or its first record's uuid."""
    roots: dict[int, int] = {}
    for row in index.sidechains:
        parent = index.parent[row]
        root = roots[row] = roots.get(parent, row) if parent > MISSING else row
        if agent_id in (index.sidechain_agents.get(root), index.uuids[root]):
            yield row
