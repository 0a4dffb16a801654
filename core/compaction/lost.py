"""The items of a session that no compaction's summary shows: for searches, which ask for few of them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ccbrowse.core.compaction.growth import text_of
from ccbrowse.core.compaction.items import Raw, raw_items
from ccbrowse.core.compaction.loss import Judge, closed_rows
from ccbrowse.core.compaction.model import Bucket, ItemKind
from ccbrowse.core.compaction.putback import put_back
from ccbrowse.core.segments import Segment
from ccbrowse.core.session import Session


@dataclass(frozen=True, slots=True)
class LostItem:
    """An item that was not found after the compaction that closed its segment.

    `row` is the record that it stands in, `text` all of it (raw), `label` the same on one line, cut.
    `segment` was closed by the compaction of number `compaction`.
    """

    row: int
    segment: int
    compaction: int
    kind: ItemKind
    label: str
    text: str


def lost_items(session: Session, wanted: Callable[[str], bool] | None = None) -> Iterator[LostItem]:
    """What was not found after the compactions of the main line, in the order of the line.

    Only items whose text is `wanted` are looked for in the summary, so that a search costs little more
    than reading. Lazy: may be given up at any point. Raises Gone or OSError where the file cannot be read.
    """
    opened = [segment for segment in session.segments if segment.boundary is not None]
    for number, segment in enumerate(opened, 1):
        if segment.number > 1:
            yield from _lost_by(
                session, session.segment(segment.number - 1), segment, number, wanted
            )


def _lost_by(
    session: Session,
    closed: Segment,
    opened: Segment,
    number: int,
    wanted: Callable[[str], bool] | None,
) -> Iterator[LostItem]:
    raws = raw_items(session, closed_rows(session, closed))
    asked = [raw for raw in raws if wanted is None or wanted(_whole(raw))]
    if not asked:
        return
    summary = text_of(session, opened.summary) if opened.summary is not None else ""
    judge = Judge(session, raws, opened, summary, put_back(session, opened.number))
    for raw in sorted(asked, key=lambda each: each.row):
        if judge.of(raw).bucket is Bucket.NOT_FOUND:
            yield LostItem(raw.row, closed.number, number, raw.kind, raw.label, _whole(raw))


def _whole(raw: Raw) -> str:
    """All that an item says: for a call also its tool, for an edit what it wrote."""
    parts = (raw.tool, raw.path or "", raw.text) if raw.kind is ItemKind.TOOL_CALL else (raw.text,)
    content = raw.content if raw.content not in raw.text else ""
    return "\n".join(part for part in (*parts, content) if part)
