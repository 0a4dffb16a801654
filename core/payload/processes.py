"""Where a client process took over a session, and which old clients forgot parallel calls there.

Measured: 2.1.11 and 2.1.59 send the turns of an earlier process as the bare chain has them, so the
siblings of a parallel call and their results are lost; 2.1.89 repairs them. A print-mode process
writes a `dequeue` row before its prompt, and a resumed one answers a broken turn itself.
"""

from bisect import bisect_left

import orjson

from ccbrowse.core.payload.replies import Version
from ccbrowse.core.records import Kind
from ccbrowse.core.session import Session

REPAIRS_FROM: Version = (2, 1, 60)
"""The first version taken to repair parallel turns on resume: 2.1.59 does not, 2.1.89 does."""

_LONGEST_MARK = 1_000
"""Bytes of a line above which it is no queue row that marks a process."""


class Processes:
    """The rows at which a new process took over."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._marks: list[int] | None = None

    def mark_before(self, row: int) -> int:
        """The newest start of a process before a row; -1 where none is known."""
        if self._marks is None:
            self._marks = self._find()
        at = bisect_left(self._marks, row)
        return self._marks[at - 1] if at else -1

    def _find(self) -> list[int]:
        """The dequeue rows of a print-mode file, which is known by its first bookkeeping rows.

        An interactive client writes its first ones about files, and a queue's only when prompts wait.
        """
        index = self.session.index
        marks: list[int] = []
        begun = False
        for row, kind in enumerate(index.kind):
            if kind == Kind.SIDE:
                begun = True
                if self._is_dequeue(row):
                    marks.append(row)
            elif begun and not marks and kind <= Kind.SYSTEM:
                return []
        return marks

    def _is_dequeue(self, row: int) -> bool:
        if self.session.index.length[row] > _LONGEST_MARK:
            return False
        line = self.session.raw(row)
        if b"dequeue" not in line:
            return False
        try:
            record = orjson.loads(line)
        except ValueError:
            return False
        if not isinstance(record, dict):
            return False
        return (record.get("type"), record.get("operation")) == ("queue-operation", "dequeue")


def bare_before(processes: Processes, version: Version, row: int) -> int:
    """The row before which turns are sent bare to a request whose reply stands at `row`; -1 for none."""
    if not version or version >= REPAIRS_FROM:
        return -1
    return processes.mark_before(row)
