"""The request that made a compaction: what was summarised, without the instruction to do so."""

from ccbrowse.core.index import SessionIndex
from ccbrowse.core.payload.asking import opened_by
from ccbrowse.core.payload.model import Payload, Unknown
from ccbrowse.core.payload.rebuilt import Rebuilder
from ccbrowse.core.payload.replies import Version, model_of, version_of
from ccbrowse.core.payload.turns import content_of
from ccbrowse.core.records import USER_KINDS, Kind
from ccbrowse.core.segments import CompactionKind
from ccbrowse.core.session import Session

ANSWERS_FROM: Version = (2, 1, 291)
"""From here on a summary's request never ends with an unanswered prompt: seen in 2.1.332 only."""


def compaction_call(session: Session, number: int, *, with_messages: bool = True) -> Payload:
    """The request that asked for the summary of compaction `number`; its instruction is unknown.

    Some were sent shorter than this: a client whose request was refused as too long drops the
    oldest part and tries again, and no record says so. Of a compaction up to a message only what stands
    before that was sent, of one from a message on all of it. Raises NoSuchSession where there is no such
    compaction.
    """
    boundary = opened_by(session, number).boundary
    assert boundary is not None
    row, links = boundary.row, session.chain.links
    partial = boundary.kind is not CompactionKind.FULL
    uuid = boundary.logical_parent
    leaf = session.index.row_of(uuid) if uuid and not partial else None
    if leaf is None or leaf > row:
        leaf = links.newest(row)
    version = version_of(session, row)
    rebuilder = Rebuilder(session, keep=with_messages)
    from_here = boundary.kind is CompactionKind.PARTIAL_FROM
    kept = [] if from_here else links.kept_rows(row)
    if kept and not partial and version >= ANSWERS_FROM:
        kept = _without_answer(session, rebuilder, kept, row)
    return rebuilder.at(
        leaf,
        row,
        version,
        _model_before(session, row),
        extra=frozenset({Unknown.INSTRUCTION}),
        left_out=frozenset(kept),
    )


def _without_answer(
    session: Session, rebuilder: Rebuilder, kept: list[int], limit: int
) -> list[int]:
    """The kept rows without a reply at their start that answers a plain prompt before them."""
    index, first = session.index, kept[0]
    if index.kind[first] != Kind.ASSISTANT:
        return kept
    before = rebuilder.walker.kept_before(limit)
    for row in rebuilder.walker.back(rebuilder.walker.before(first, before), before):
        if index.kind[row] in USER_KINDS:
            results = (block.get("type") == "tool_result" for block in _blocks(session, row))
            answer = set() if any(results) else _fragments(index, first)
            return [r for r in kept if r not in answer]
        if index.kind[row] == Kind.ASSISTANT:
            break
    return kept


def _fragments(index: SessionIndex, row: int) -> set[int]:
    return set(index.fragments_of(row))


def _blocks(session: Session, row: int) -> list[dict[str, object]]:
    return [block for block in content_of(session, row) if isinstance(block, dict)]


def _model_before(session: Session, row: int) -> str | None:
    """The model of the newest reply before a row."""
    index = session.index
    for earlier in range(row - 1, -1, -1):
        if index.kind[earlier] == Kind.ASSISTANT and not index.is_sidechain(earlier):
            return model_of(session, earlier)
    return None
