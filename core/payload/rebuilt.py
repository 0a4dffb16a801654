"""Requests put together from the records: the path to the reply, its turns, its messages.

The work is kept from one request to the next. Messages are made in *sections*, each a reply and
what the user's side sends after it; a section that still stands is not made again, so a whole file
costs little more than its records, and memory holds one request.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ccbrowse.core.estimate import family
from ccbrowse.core.payload.counts import Scale, Sums
from ccbrowse.core.payload.items import NO_TRAITS, Item, Items, Part, Traits
from ccbrowse.core.payload.merging import Merger
from ccbrowse.core.payload.model import Message, Payload, PayloadSource, Reply, Unknown
from ccbrowse.core.payload.processes import Processes, bare_before
from ccbrowse.core.payload.relink import Path, Walker
from ccbrowse.core.payload.replies import Version, model_of, version_of
from ccbrowse.core.payload.turns import Turns
from ccbrowse.core.records import Kind
from ccbrowse.core.session import Session

_USERS = frozenset({Part.USER, Part.NOTE, Part.SYSTEM})
REPLACEMENT = b'"content-replacement"'
"""What the line of a record of replaced results holds near its start."""

_NEVER_TOLD = frozenset({Unknown.SYSTEM_PROMPT, Unknown.TOOLS, Unknown.CACHE_CONTROL})


@dataclass(frozen=True, slots=True)
class _Section:
    """Units up to `end`, messages up to `messages`, and what all sections so far have shown.

    `answered`: the user's side has spoken, so that the next reply opens another section.
    """

    end: int
    messages: int
    traits: Traits
    answered: bool


_NO_SECTION = _Section(0, 0, NO_TRAITS, False)


class Rebuilder:
    """Rebuilds requests of one session; cheapest in file order. `keep` says whether messages are wanted."""

    def __init__(self, session: Session, *, keep: bool = True) -> None:
        self.session = session
        self.keep = keep
        self.walker = Walker(session)
        self.processes = Processes(session)
        self._start((), None)

    def _start(
        self, version: Version, model: str | None, left_out: frozenset[int] = frozenset()
    ) -> None:
        self.version = version
        self.path = Path(self.walker)
        self.turns = Turns(self.session, self.path)
        self.items = Items(self.session, self.turns, self._placeholders, self._replaced)
        self.items.version = version
        self.items.left_out = left_out
        self.sums = Sums(Scale(self.session, model))
        self.messages: list[Message] = []
        self._sections: list[_Section] = []

    @cached_property
    def _placeholders(self) -> frozenset[str]:
        """The calls of which the client keeps a result in a file of its own."""
        folder = self.session.file.side_folder / "tool-results"
        try:
            return frozenset(path.stem for path in folder.iterdir() if path.stem.startswith("tool"))
        except OSError:
            return frozenset()

    @cached_property
    def _replaced(self) -> dict[str, str]:
        """By call, what was sent in place of a result that was too long, where the client wrote it down."""
        found: dict[str, str] = {}
        index = self.session.index
        for row, kind in enumerate(index.kind):
            if kind == Kind.SIDE and REPLACEMENT in self.session.raw(row)[:200]:
                found |= replacements(self.session.record(row))
        return found

    @cached_property
    def _file_renders(self) -> bool | None:
        """Whether the file's attachments hold their words; None where it has no attachments at all."""
        found: bool | None = None
        for row, kind in enumerate(self.session.index.kind):
            if kind in (Kind.ATTACHMENT, Kind.QUEUED_PROMPT):
                found = False
                if "rendered" in self.session.record(row):
                    return True
                if row > 10_000:
                    break
        return found

    def request(self, reply: Reply, *more: Unknown) -> Payload:
        """The request that a reply answered; `more` is what else is known to be unknown."""
        row = reply.row
        leaf = self.walker.before(row, self.walker.kept_before(row))
        extra = set(more)
        if self._is_copy(row):
            extra.add(Unknown.HISTORY)
        version, model = version_of(self.session, row), model_of(self.session, row)
        return self.at(leaf, row, version, model, reply, frozenset(extra))

    def at(
        self,
        leaf: int | None,
        limit: int,
        version: Version,
        model: str | None,
        reply: Reply | None = None,
        extra: frozenset[Unknown] = frozenset(),
        left_out: frozenset[int] = frozenset(),
    ) -> Payload:
        """The request with a given leaf, as far as the records before row `limit` tell.

        Rows `left_out` are passed over.
        """
        last = self.version, self.sums.scale.family, self.items.left_out
        if (version, family(model), left_out) != last:
            self._start(version, model, left_out)
        stay = self.path.move(leaf, limit)
        process = self.processes.mark_before(limit)
        bare = bare_before(self.processes, version, limit)
        self._follow(self.turns.update(stay, limit, bare, process))
        return Payload(
            reply=reply.id if reply else None,
            segment=self.session.segment_of(reply.row) if reply else None,
            source=PayloadSource.REBUILT,
            verified=None,
            messages=list(self.messages) if self.keep else None,
            counts=self.sums.counts(model),
            unknown=self._unknown(extra),
        )

    def _follow(self, keep: int) -> None:
        """Make the sections anew from the one that holds unit `keep`, or is continued by it."""
        sections, units = self._sections, self.turns.units
        while sections and sections[-1].end > keep:
            sections.pop()
        if sections and len(units) > sections[-1].end and not self._opens(sections[-1]):
            sections.pop()
        last = sections[-1] if sections else _NO_SECTION
        del self.messages[last.messages :]
        self.sums.cut(last.messages)
        items: list[Item] = []
        traits, answered = last.traits, False
        for number in range(last.end, len(units)):
            new, shown = self.items.of(units[number].rows)
            if answered and _replies(new):
                self._close(number, items, traits, answered)
                items, answered = [], False
            items += new
            traits |= shown
            answered |= any(item.part in _USERS for item in new)
        if last.end < len(units):
            self._close(len(units), items, traits, answered)

    def _opens(self, before: _Section) -> bool:
        """Whether the unit after a section opens another one."""
        return before.answered and _replies(self.items.of(self.turns.units[before.end].rows)[0])

    def _close(self, end: int, items: list[Item], traits: Traits, answered: bool) -> None:
        made = Merger(self.version).messages(items)
        self.sums.add(made)
        if self.keep:
            self.messages += made
        self._sections.append(_Section(end, self.sums.length, traits, answered))

    def _unknown(self, extra: frozenset[Unknown]) -> tuple[Unknown, ...]:
        traits = self._sections[-1].traits if self._sections else NO_TRAITS
        found = (_NEVER_TOLD | traits.unknown | extra) - traits.known
        seen = traits.rendered or traits.plain
        renders = traits.rendered if seen else self._file_renders
        if renders is None:
            found |= {Unknown.REMINDERS}
        if not renders:
            found |= {Unknown.CONTEXT_REMINDER}
        if self.path.torn:
            found |= {Unknown.HISTORY}
        return tuple(word for word in Unknown if word in found)

    def _is_copy(self, row: int) -> bool:
        """Whether a reply was copied into a fork behind the boundary that kept it: it is older than that."""
        kept = self.walker.kept_before(row)
        return kept is not None and row in kept.before and row > kept.boundary


def replacements(record: Mapping[str, Any]) -> dict[str, str]:
    """By call, the words that a record says were sent in place of its result."""
    told = record.get("replacements")
    pairs = (
        (each.get("toolUseId"), each.get("replacement"))
        for each in (told if isinstance(told, list) else ())
        if isinstance(each, Mapping)
    )
    return {
        call: words for call, words in pairs if isinstance(call, str) and isinstance(words, str)
    }


def _replies(items: list[Item]) -> bool:
    return any(item.part is Part.ASSISTANT for item in items)
