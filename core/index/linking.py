"""The links of a batch: uuids to rows, parents to rows, and records that only repeat an earlier one."""

from array import array
from collections.abc import Sequence

from ccbrowse.core.index.batch import Batch
from ccbrowse.core.index.table import MISSING, ROOT, SessionIndex
from ccbrowse.core.records.heads import Brief

_MESSAGES = ("user", "assistant")


def link(index: SessionIndex, batch: Batch) -> None:
    """Set uuids and parents of a batch's rows; `batch.repeats` are those that came before.

    A file without repeats, as nearly all are, is linked by whole columns.
    """
    uuids = [head.uuid or None for head in batch.heads]
    fresh = dict(zip(uuids, range(batch.first, batch.first + len(uuids)), strict=True))
    named = len(uuids) - uuids.count(None)
    fresh.pop(None, None)
    if len(fresh) == named and index.rows.keys().isdisjoint(fresh):
        _link_all(index, batch, uuids, fresh)  # type: ignore[arg-type]  # None is not in it any more
    else:
        batch.repeats = _link_each(index, batch.heads, batch.first)


def _link_all(
    index: SessionIndex, batch: Batch, uuids: list[str | None], fresh: dict[str, int]
) -> None:
    index.rows.update(fresh)
    index.uuids[batch.first :] = uuids
    row_of = index.rows.get
    parents = [
        row_of(head.parentUuid, MISSING) if head.parentUuid else ROOT for head in batch.heads
    ]
    index.parent[batch.first :] = array("i", parents)
    for uuid in index.waiting.keys() & fresh.keys():
        _adopt(index, uuid, fresh[uuid])
    if MISSING in parents:
        for row, (parent, head) in enumerate(zip(parents, batch.heads, strict=True), batch.first):
            if parent == MISSING and head.parentUuid:
                index.waiting.setdefault(head.parentUuid, []).append(row)


def _link_each(index: SessionIndex, heads: Sequence[Brief], first: int) -> set[int]:
    """Links where uuids come again, one record after the other; the rows that are repeats."""
    repeats = set[int]()
    for row, head in enumerate(heads, first):
        uuid, parent = head.uuid, head.parentUuid
        if uuid:
            earlier = index.rows.get(uuid)
            if earlier is not None and _is_repeat(index, earlier, head):
                index.repeat(row, earlier)
                repeats.add(row)
                continue
        if parent:
            found = index.rows.get(parent)
            if found is None:
                index.waiting.setdefault(parent, []).append(row)
                found = MISSING
            index.parent[row] = found
        if uuid:
            index.rows[uuid] = row
            index.uuids[row] = uuid
            _adopt(index, uuid, row)
    return repeats


def _adopt(index: SessionIndex, uuid: str, row: int) -> None:
    """Those that waited for a record now have their parent."""
    for child in index.waiting.pop(uuid, ()):
        index.parent[child] = row
        index.adopted.append(child)


def _is_repeat(index: SessionIndex, earlier: int, head: Brief) -> bool:
    """Whether a record with a known uuid is that record again.

    Messages and boundaries always are. Another record with the same parent is; with another parent
    it is a new link: a child then means the nearest one before it.
    """
    if head.type in _MESSAGES or (head.type == "system" and head.subtype == "compact_boundary"):
        return True
    before = index.parent[earlier]
    return (index.uuids[before] if before >= 0 else None) == head.parentUuid
