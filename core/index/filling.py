"""Filling the rows of a batch: links and times by columns, then what each type of record tells."""

from collections.abc import Callable

from msgspec import UNSET

from ccbrowse.core.index.batch import Batch
from ccbrowse.core.index.flags import REPLAY, SIDECHAIN
from ccbrowse.core.index.linking import link
from ccbrowse.core.index.messages import Messages
from ccbrowse.core.index.table import IndexedBoundary, SessionIndex
from ccbrowse.core.records.boundaries import compact_facts
from ccbrowse.core.records.heads import Brief, undecoded
from ccbrowse.core.records.kinds import SIDE_TYPES, Kind
from ccbrowse.core.records.prompts import is_human

_TITLES_AND_MOVES = frozenset({"custom-title", "ai-title", "summary", "relocated", "continued-in"})


Taker = Callable[[Brief, int, Batch], None]
"""Sets the facts of the record at a row of a batch."""


class Filler:
    """Sets the facts of records on rows that are there already."""

    def __init__(self, index: SessionIndex) -> None:
        self.index = index
        self._messages = Messages(index)

    def fill(self, batch: Batch) -> None:
        """Set the facts of a batch's records."""
        taker_of = self._by_type().get
        takers = [taker_of(head.type) for head in batch.heads]
        if None in takers:
            self._others(batch, takers)
        link(self.index, batch)
        self.index.set_times(batch.first, [head.timestamp for head in batch.heads])
        self._linked(batch, takers)

    def _by_type(self) -> dict[str, Taker]:
        # Made for each batch: kept, it would refer back to this, and wait for the collector.
        return {
            "assistant": self._messages.assistant,
            "user": self._messages.user,
            "attachment": self._attachment,
            "system": self._system,
            "progress": self._progress,
        }

    def _others(self, batch: Batch, takers: list[Taker | None]) -> None:
        """Bookkeeping, and types that are not known: no links, unless a uuid and a parent say so."""
        index = self.index
        for number, (head, take) in enumerate(zip(batch.heads, takers, strict=True)):
            if take is not None:
                continue
            kind = head.type
            if head.uuid and head.parentUuid is not UNSET and kind not in SIDE_TYPES:
                takers[number] = self._unknown
                continue
            head.uuid = head.parentUuid = None
            if kind in _TITLES_AND_MOVES:
                index.facts.bookkeeping(batch.whole(batch.first + number))
            elif kind.startswith("api-request"):
                index.kind[batch.first + number] = Kind.REQUEST

    def _linked(self, batch: Batch, takers: list[Taker | None]) -> None:
        """Where each linked record was written, and what its type tells."""
        cwd = version = branch = None
        row = batch.first - 1
        for head, take in zip(batch.heads, takers, strict=True):
            row += 1
            if take is None:
                continue
            if (
                head.cwd != cwd
                or head.version != version
                or head.gitBranch != branch
                or head.forkedFrom
            ):
                cwd, version, branch = head.cwd, head.version, head.gitBranch
                self._place(head, row, batch)
            take(head, row, batch)
            if head.isSidechain:
                self._sidechain(row, batch)
        for row in batch.repeats:
            self.index.flags[row] |= REPLAY

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

    def _unknown(self, head: Brief, row: int, batch: Batch) -> None:
        self.index.kind[row] = Kind.LINK

    def _attachment(self, head: Brief, row: int, batch: Batch) -> None:
        """What the client sent along, or a prompt that was queued while it worked."""
        attachment = head.attachment
        queued = (
            attachment is not None
            and attachment.type == "queued_command"
            and attachment.commandMode in (None, "prompt")
            and is_human(head, "")
        )
        self.index.kind[row] = Kind.QUEUED_PROMPT if queued else Kind.ATTACHMENT

    def _progress(self, head: Brief, row: int, batch: Batch) -> None:
        index = self.index
        index.kind[row] = Kind.PROGRESS
        if row in batch.repeats:
            return
        whole = batch.whole(row)
        if whole.data and whole.data.agentId and whole.parentToolUseID:
            index.agent_calls.setdefault(whole.data.agentId, whole.parentToolUseID)

    def _system(self, head: Brief, row: int, batch: Batch) -> None:
        index = self.index
        if head.subtype == "microcompact_boundary":
            index.kind[row] = Kind.MICRO_BOUNDARY
        elif head.subtype != "compact_boundary":
            index.kind[row] = Kind.SYSTEM
        else:
            index.kind[row] = Kind.BOUNDARY
            if row not in batch.repeats:
                whole = batch.whole(row)
                facts = compact_facts(undecoded(whole.compactMetadata))
                index.boundaries.append(IndexedBoundary(row, whole.logicalParentUuid, facts))
