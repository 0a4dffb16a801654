"""The file around a boundary: what stood before it, and which rows the compaction itself appended."""

from collections.abc import Iterator

from ccbrowse.core.compaction.model import FileGrowth
from ccbrowse.core.records import Kind, Text, blocks, command_of
from ccbrowse.core.segments import Segment
from ccbrowse.core.session import Session

_OWN = frozenset({Kind.BOUNDARY, Kind.SUMMARY, Kind.COMMAND, Kind.ATTACHMENT})
_PASSED = frozenset({Kind.SIDE, Kind.BAD, Kind.PROGRESS, Kind.SYSTEM, Kind.LINK})
_CAVEAT = "<local-command-caveat>"


def file_growth(session: Session, boundary_row: int) -> FileGrowth:
    """The file before a boundary, and the lines and bytes (LF included) that the compaction added."""
    index = session.index
    added = list(appended_rows(session, boundary_row))
    return FileGrowth(
        lines=index.line[boundary_row] - 1,
        bytes=index.offset[boundary_row],
        added_lines=len(added),
        added_bytes=sum(index.length[row] + 1 for row in added),
    )


def appended_rows(session: Session, boundary_row: int) -> Iterator[int]:
    """The rows of a compaction in file order: boundary, summary, `/compact` and its output, attachments."""
    index = session.index
    yield boundary_row
    for row in range(boundary_row + 1, len(index)):
        kind = index.kind[row]
        if kind == Kind.BOUNDARY or index.is_sidechain(row):
            return
        if kind in _OWN or (kind == Kind.META and _CAVEAT in text_of(session, row)):
            yield row
        elif kind not in _PASSED:
            return


def instructions(session: Session, opened: Segment) -> str | None:
    """What a person gave `/compact` to heed; None where nothing was, or the compaction was automatic."""
    index = session.index
    for row in opened.rows:
        kind = index.kind[row]
        if kind == Kind.COMMAND:
            command = command_of(text_of(session, row))
            if command is not None and command[0].lstrip("/") == "compact":
                return command[1] or None
        elif kind not in (Kind.BOUNDARY, Kind.SUMMARY, Kind.META):
            return None
    return None


def text_of(session: Session, row: int) -> str:
    """The words of a record, its blocks joined by line breaks."""
    found = blocks(session.record(row))
    return "\n".join(block.text for block in found if isinstance(block, Text))
