"""The links of a batch: uuids to rows, parents to rows, and records that only repeat an earlier one."""

from array import array
from struct import pack

from ccbrowse.core.index.batch import Batch
from ccbrowse.core.index.table import MISSING, ROOT, SessionIndex

_MESSAGES = ("user", "assistant")


def link(index: SessionIndex, batch: Batch) -> None:
    """Set uuids and parents of a batch's rows; `batch.repeats` are those that came before.

    A file without repeats, as nearly all are, is linked by whole columns.
    """
    rows, first, uuids = index.rows, batch.first, batch.uuids
    named = len(uuids) - uuids.count(None)
    known = len(rows)
    if rows.keys().isdisjoint(uuids):
        rows.update(zip(uuids, batch.rows, strict=True))  # type: ignore[arg-type]  # None goes next
        rows.pop(None, None)  # type: ignore[call-overload]  # of those that have no uuid
        if len(rows) == known + named:
            index.uuids[first:] = uuids
            _link_parents(index, batch)
            return
        for uuid in uuids:
            rows.pop(uuid, None)  # type: ignore[arg-type]  # None is not there
    batch.repeats = _link_each(index, batch)


def _link_parents(index: SessionIndex, batch: Batch) -> None:
    """Set the parents of a batch whose uuids are known, and of earlier records that waited for one."""
    row_of = index.rows.get
    parents = [row_of(parent, MISSING) if parent else ROOT for parent in batch.parents]
    # Packing is three times faster than making an array of the list.
    column = array("i")
    column.frombytes(pack(f"{len(parents)}i", *parents))
    index.parent[batch.first :] = column
    if index.waiting:
        for uuid in index.waiting.keys() & batch.uuids:
            _adopt(index, uuid, index.rows[uuid])
    if MISSING in parents:
        for row, found, parent in zip(batch.rows, parents, batch.parents, strict=True):
            if found == MISSING and parent:
                index.waiting.setdefault(parent, []).append(row)


def _link_each(index: SessionIndex, batch: Batch) -> set[int]:
    """Link one record after the other, as uuids come again. Returns the rows that only repeat a record."""
    repeats = set[int]()
    for row, uuid, parent in zip(batch.rows, batch.uuids, batch.parents, strict=True):
        if uuid:
            earlier = index.rows.get(uuid)
            if earlier is not None and _is_repeat(index, earlier, batch, row):
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
    """Set `row` as the parent of the records that waited for its uuid."""
    for child in index.waiting.pop(uuid, ()):
        index.parent[child] = row
        index.adopted.append(child)


def _is_repeat(index: SessionIndex, earlier: int, batch: Batch, row: int) -> bool:
    """Whether a record with a known uuid is that record again.

    Messages and boundaries always are. Another record with the same parent is; with another parent
    it is a new link: a child then means the nearest one before it.
    """
    head = batch.head(row)
    if head.type in _MESSAGES or (head.type == "system" and head.subtype == "compact_boundary"):
        return True
    before = index.parent[earlier]
    return (index.uuids[before] if before >= 0 else None) == head.parentUuid
