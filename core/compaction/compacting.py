"""All about the compactions of a session: their figures put together, and their losses."""

from collections.abc import Iterator

from ccbrowse.core.compaction.cost import call_cost
from ccbrowse.core.compaction.growth import file_growth, instructions, text_of
from ccbrowse.core.compaction.loss import find_loss
from ccbrowse.core.compaction.micro import micro_compacted
from ccbrowse.core.compaction.model import Compaction, SummaryText
from ccbrowse.core.compaction.putback import put_back
from ccbrowse.core.compaction.tokens import Counting
from ccbrowse.core.compaction.weighing import reduction, sides
from ccbrowse.core.errors import NoSuchSession
from ccbrowse.core.payload import Payloads
from ccbrowse.core.segments import Segment
from ccbrowse.core.session import Session


def compactions(session: Session, *, with_loss: bool = True) -> list[Compaction]:
    """The compactions of the main line, from 1. Slow: from a worker.

    `with_loss=False` gives the figures alone. Raises Gone or OSError where the file cannot be read.
    """
    return list(each_compaction(session, with_loss=with_loss))


def each_compaction(session: Session, *, with_loss: bool = True) -> Iterator[Compaction]:
    """The compactions one by one, so that memory need not hold the losses of all."""
    payloads = Payloads(session, with_messages=False)
    for number, segment in enumerate(_opened(session), 1):
        yield _compaction(session, number, segment, payloads, with_loss)


def compaction(session: Session, number: int, *, with_loss: bool = True) -> Compaction:
    """One compaction. Raises NoSuchSession where there is none of that number. Slow: from a worker."""
    opened = _opened_by(session, number)
    payloads = Payloads(session, with_messages=False)
    return _compaction(session, number, opened, payloads, with_loss)


def closed_by(session: Session, number: int) -> int:
    """The segment that a compaction closed; the one that it opened where the file starts at it.

    Raises NoSuchSession where there is none of that number.
    """
    return max(1, _opened_by(session, number).number - 1)


def _opened_by(session: Session, number: int) -> Segment:
    opened = _opened(session)
    if not 1 <= number <= len(opened):
        have = f"it has compactions 1 to {len(opened)}" if opened else "it was never compacted"
        raise NoSuchSession(f"{number} of {session.session_id}", have, "no such compaction")
    return opened[number - 1]


def _opened(session: Session) -> list[Segment]:
    """The segments that a boundary opens."""
    return [segment for segment in session.segments if segment.boundary is not None]


def _compaction(
    session: Session, number: int, opened: Segment, payloads: Payloads, with_loss: bool
) -> Compaction:
    boundary = opened.boundary
    assert boundary is not None
    closed = session.segments[opened.number - 2] if opened.number > 1 else None
    summary = _summary(session, opened)
    before, after = sides(session, number, boundary, payloads)
    sent_again = tuple(put_back(session, opened.number))
    uuids = session.index.uuids
    return Compaction(
        number=number,
        closes=closed.number if closed else None,
        opens=opened.number,
        boundary=boundary,
        instructions=instructions(session, opened),
        summary=summary,
        before=before,
        after=after,
        reduction=reduction(before, after, boundary),
        call=call_cost(session, number, boundary, summary, before),
        file=file_growth(session, boundary.row),
        carried_over=tuple(uuid for row in opened.carried_over if (uuid := uuids[row])),
        put_back=sent_again,
        micro_compacted=tuple(micro_compacted(session, closed, boundary.row)) if closed else (),
        loss=find_loss(session, closed, opened, summary, sent_again)
        if with_loss and closed
        else None,
    )


def _summary(session: Session, opened: Segment) -> SummaryText | None:
    row = opened.summary
    if row is None:
        return None
    return SummaryText(
        row=row,
        uuid=session.index.uuids[row] or "",
        text=text_of(session, row),
        tokens=Counting(session, opened).row(row),
    )
