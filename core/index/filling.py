"""Filling the rows of a batch: kinds, links and times by columns, then what each type of record tells.

This is the hot path of every start: it runs for each record of every session.
"""

from bisect import bisect_left
from itertools import compress

from msgspec import UNSET

from ccbrowse.core.index.batch import Batch
from ccbrowse.core.index.flags import REPLAY, SIDECHAIN
from ccbrowse.core.index.linking import link
from ccbrowse.core.index.messages import Messages
from ccbrowse.core.index.table import MISSING, IndexedBoundary, SessionIndex
from ccbrowse.core.records.boundaries import compact_facts
from ccbrowse.core.records.heads import Brief, undecoded
from ccbrowse.core.records.kinds import LINK_KINDS, SIDE_TYPES, Kind
from ccbrowse.core.records.prompts import is_human

_UNKNOWN, _TITLE = 0, 255
"""What some types are first taken for, beside the kinds: more than the type decides."""

_ASSISTANT, _USER = int(Kind.ASSISTANT), int(Kind.RESULT)
_ATTACHMENT, _SYSTEM, _PROGRESS = int(Kind.ATTACHMENT), int(Kind.SYSTEM), int(Kind.PROGRESS)
_SIDE = int(Kind.SIDE)

_FIRST_KIND = {
    "assistant": _ASSISTANT,
    "user": _USER,
    "attachment": _ATTACHMENT,
    "system": _SYSTEM,
    "progress": _PROGRESS,
    **dict.fromkeys(SIDE_TYPES, _SIDE),
    **dict.fromkeys(("custom-title", "ai-title", "summary", "relocated", "continued-in"), _TITLE),
}
"""The kind that most records of a type have."""

_UNSETTLED = bytes(kind in (_UNKNOWN, _TITLE) for kind in range(256))
_LINKED = bytes(kind in LINK_KINDS for kind in range(256))
_UNLINKED = bytes(kind not in LINK_KINDS for kind in range(256))
"""Tables for `translate`: which kinds are such."""


class Filler:
    """Sets the facts of records on rows that are there already."""

    def __init__(self, index: SessionIndex) -> None:
        self.index = index
        self._messages = Messages(index)

    def fill(self, batch: Batch) -> None:
        """Set the facts of a batch's records."""
        index, heads = self.index, batch.heads
        kind_of = _FIRST_KIND.get
        kinds = bytearray([kind_of(head.type, _UNKNOWN) for head in heads])
        if not kinds.isascii() or _UNKNOWN in kinds:
            self._settle(batch, kinds)
        batch.uuids = [head.uuid for head in heads]
        batch.parents = [head.parentUuid for head in heads]
        self._unlink(batch, kinds.translate(_UNLINKED))
        link(index, batch)
        index.set_times(batch.first, [head.timestamp for head in heads])
        index.kind[batch.first :] = kinds
        self._linked(batch, kinds)
        for row in batch.repeats:
            index.flags[row] |= REPLAY

    def _settle(self, batch: Batch, kinds: bytearray) -> None:
        """Titles and moves, which are taken in, and types that are not known."""
        for row in list(compress(batch.rows, kinds.translate(_UNSETTLED))):
            number, head = row - batch.first, batch.head(row)
            if kinds[number] == _TITLE:
                self.index.facts.bookkeeping(batch.whole(row))
            elif head.uuid and head.parentUuid is not UNSET:
                kinds[number] = Kind.LINK
                continue
            kinds[number] = Kind.REQUEST if head.type.startswith("api-request") else _SIDE

    def _unlink(self, batch: Batch, unlinked: bytearray) -> None:
        """Bookkeeping has no links, whatever stands on it; and an empty uuid is none."""
        if any(compress(batch.uuids, unlinked)) or "" in batch.uuids:
            batch.uuids = [
                None if no_link else uuid or None
                for uuid, no_link in zip(batch.uuids, unlinked, strict=True)
            ]
        if any(compress(batch.parents, unlinked)):
            batch.parents = [
                None if no_link else parent
                for parent, no_link in zip(batch.parents, unlinked, strict=True)
            ]

    def _linked(self, batch: Batch, kinds: bytearray) -> None:
        """Where each linked record was written, and what its type tells."""
        reply, words = self._messages.assistant, self._messages.user
        cwd = version = branch = None
        records = zip(batch.rows, kinds, batch.heads, strict=True)
        for row, kind, head in compress(records, kinds.translate(_LINKED)):
            if (
                head.cwd != cwd
                or head.version != version
                or head.gitBranch != branch
                or head.forkedFrom
            ):
                cwd, version, branch = head.cwd, head.version, head.gitBranch
                self._place(head, row, batch)
            if kind == _ASSISTANT:
                reply(head, row, batch)
            elif kind == _USER:
                words(head, row, batch)
            else:
                self._other(kind, head, row, batch)
            if head.isSidechain:
                self._sidechain(row, batch)
            if head.parentUuid is UNSET:
                self.index.parent[row] = MISSING

    def _place(self, head: Brief, row: int, batch: Batch) -> None:
        """Where a record was written, where it was copied from."""
        index, origin = self.index, head.forkedFrom
        index.facts.place(head)
        if origin and origin.messageUuid and head.uuid and row not in batch.repeats:
            index.origin_rows.setdefault(origin.messageUuid, row)

    def _sidechain(self, row: int, batch: Batch) -> None:
        """A subagent's record; in a main file it may name its agent."""
        index = self.index
        index.flags[row] |= SIDECHAIN
        if not index.sidechain_lane:
            index.sidechains.append(row)
            if agent := batch.whole(row).agentId:
                index.sidechain_agents[row] = agent

    def _other(self, kind: int, head: Brief, row: int, batch: Batch) -> None:
        """An attachment, a system or a progress record."""
        if kind == _ATTACHMENT:
            self._attachment(head, row)
        elif kind == _PROGRESS:
            self._progress(row, batch)
        elif kind == _SYSTEM and head.subtype == "microcompact_boundary":
            self.index.kind[row] = Kind.MICRO_BOUNDARY
        elif kind == _SYSTEM and head.subtype == "compact_boundary":
            self._boundary(row, batch)

    def _attachment(self, head: Brief, row: int) -> None:
        """What the client sent along, or a prompt that was queued while it worked."""
        attachment = head.attachment
        if (
            attachment is not None
            and attachment.type == "queued_command"
            and attachment.commandMode in (None, "prompt")
            and is_human(head, "")
        ):
            self.index.kind[row] = Kind.QUEUED_PROMPT

    def _progress(self, row: int, batch: Batch) -> None:
        """A subagent at work tells which call runs it."""
        if row in batch.repeats:
            return
        whole = batch.whole(row)
        if whole.data and whole.data.agentId and whole.parentToolUseID:
            self.index.agent_calls.setdefault(whole.data.agentId, whole.parentToolUseID)

    def _boundary(self, row: int, batch: Batch) -> None:
        index = self.index
        index.kind[row] = Kind.BOUNDARY
        whole = batch.whole(row)
        facts = compact_facts(undecoded(whole.compactMetadata))
        if row not in batch.repeats:
            index.boundaries.append(IndexedBoundary(row, whole.logicalParentUuid, facts))
            return
        # Written again: what it says now counts, where it stood and what it followed does not change.
        first = index.peer[row]
        at = bisect_left(index.boundaries, first, key=lambda boundary: boundary.row)
        known = index.boundaries[at] if at < len(index.boundaries) else None
        if known and known.row == first and known.facts != facts:
            index.boundaries[at] = IndexedBoundary(first, known.logical_parent, facts)
            index.adopted.append(first)  # the line is to be made anew
