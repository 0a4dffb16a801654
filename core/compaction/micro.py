"""Tool results that the model saw emptied: said by a record, or likely from what lies beside the file."""

from collections.abc import Iterator, Mapping
from typing import Any

from ccbrowse.core.compaction.model import MicroCompacted
from ccbrowse.core.records import Kind, Text, ToolResult, blocks
from ccbrowse.core.segments import Segment
from ccbrowse.core.session import Session

_REPLACEMENT = b'"type":"content-replacement"'


def micro_compacted(
    session: Session, closed: Segment, boundary_row: int
) -> Iterator[MicroCompacted]:
    """The results of a segment that were emptied, each once; certain ones first.

    Clients of early 2026 wrote a `microcompact_boundary` for a while, later `content-replacement`
    rows. 2.1.11 wrote neither: but a result that stands in its row in full and was saved to a file
    of its own may have been sent as a placeholder.
    """
    results = {call: (uuid, inline) for call, uuid, inline in _results(session, closed)}
    rows = range(min(closed.rows, default=boundary_row), boundary_row)
    told = [call for call in _told(session, rows) if call in results]
    for call in dict.fromkeys(told):
        yield MicroCompacted(results[call][0], call, certain=True)
    for call in _saved(session):
        if call in results and results[call][1] and call not in told:
            yield MicroCompacted(results[call][0], call, certain=False)


def _results(session: Session, closed: Segment) -> Iterator[tuple[str, str, bool]]:
    """The calls answered in a segment, the uuids of the records that answer them, whether in full."""
    index = session.index
    for row in closed.rows:
        if index.kind[row] != Kind.RESULT:
            continue
        for block in blocks(session.record(row)):
            if isinstance(block, ToolResult):
                first = next((p.text for p in block.parts if isinstance(p, Text)), "")
                inline = not first.lstrip().startswith("<persisted-output>")
                yield block.call_id, index.uuids[row] or "", inline


def _told(session: Session, rows: range) -> Iterator[str]:
    """The calls whose results a record between two boundaries says were emptied or replaced."""
    index = session.index
    for row in rows:
        kind = index.kind[row]
        if kind == Kind.MICRO_BOUNDARY:
            metadata = session.record(row).get("microcompactMetadata")
            if isinstance(metadata, Mapping):
                yield from _strings(metadata.get("compactedToolIds"))
        elif kind == Kind.SIDE and _REPLACEMENT in session.raw(row)[:200]:
            replaced = session.record(row).get("replacements")
            for each in replaced if isinstance(replaced, list) else ():
                if isinstance(each, Mapping):
                    yield from _strings([each.get("toolUseId")])


def _saved(session: Session) -> Iterator[str]:
    """The calls whose results lie in files named after them."""
    folder = session.file.side_folder / "tool-results"
    try:
        names = sorted(path.name for path in folder.iterdir())
    except OSError:
        return
    for name in names:
        if name.startswith("toolu_"):
            yield name.removesuffix(".txt")


def _strings(value: Any) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
