"""The requests before and after a boundary, weighed, and how much smaller the second one is."""

from ccbrowse.core.compaction.model import Reduction, Side
from ccbrowse.core.index import NONE
from ccbrowse.core.numbers import UNKNOWN, Number, Source, exact
from ccbrowse.core.payload import Payload, Payloads, Reply, reply_after, reply_before
from ccbrowse.core.segments import Boundary
from ccbrowse.core.session import Session


def sides(
    session: Session, number: int, boundary: Boundary, payloads: Payloads
) -> tuple[Side | None, Side | None]:
    """The last request before a compaction and the first one after it; None where there is none."""
    facts = boundary.facts
    before = reply_before(session, number)
    after = reply_after(session, number)
    return (
        None if before is None else _side(session, before, payloads, facts.pre_tokens),
        None if after is None else _side(session, after, payloads, facts.post_tokens),
    )


def _side(session: Session, reply: Reply, payloads: Payloads, told: int | None) -> Side:
    found: Payload = payloads.of(reply)
    counts = found.counts
    return Side(
        reply=reply.id,
        source=found.source.value,
        messages=counts.messages,
        bytes=counts.bytes,
        message_tokens=Number(counts.tokens, Source.ESTIMATE, counts.tokens_error),
        api_input=api_input(session, reply.row),
        boundary_tokens=exact(told, Source.BOUNDARY),
        unknown=tuple(word.value for word in found.unknown),
    )


def api_input(session: Session, row: int) -> Number:
    """The input side of the request that a reply's record answered; unknown where it was not counted."""
    number = session.index.request[row]
    if number == NONE:
        return UNKNOWN
    return exact(session.index.requests.context(number) or None, Source.USAGE)


def reduction(before: Side | None, after: Side | None, boundary: Boundary) -> Reduction:
    """How much smaller the second request is; like is compared with like."""
    facts = boundary.facts
    told = _share(facts.pre_tokens, facts.post_tokens)
    if before is None or after is None:
        return Reduction(None, None, None, None, told)
    return Reduction(
        messages=_share(before.messages, after.messages),
        bytes=_share(before.bytes, after.bytes),
        message_tokens=_share(before.message_tokens.value, after.message_tokens.value),
        api_input=_share(before.api_input.value, after.api_input.value),
        boundary_tokens=told,
    )


def _share(before: int | None, after: int | None) -> float | None:
    if not before or after is None:
        return None
    return round(1 - after / before, 4)
