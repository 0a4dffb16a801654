"""Records to items: what each of them contributes to the messages of a request, and what is left out.

Left out are API errors, system records other than the output of local commands, calls without a
result, results without a call, empty texts, replies that never got beyond thinking, and what is for
the screen alone.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from ccbrowse.core.index import NONE
from ccbrowse.core.payload.attachments import SILENT, Sent, sent_attachment
from ccbrowse.core.payload.canonical import as_blocks
from ccbrowse.core.payload.model import Unknown
from ccbrowse.core.payload.replies import Version
from ccbrowse.core.payload.turns import Turns, calls_answered, content_of
from ccbrowse.core.records import USER_KINDS, Kind, attachment_of
from ccbrowse.core.session import Session

_FRAMES_FROM: Version = (2, 1, 182)
"""Notifications of background tasks: sent bare by 2.1.181, framed by 2.1.332."""

_IMAGE_WORDS: tuple[Version, Version] = ((2, 1, 12), (2, 1, 60))
"""Clients between 2.1.11 and 2.1.89: 2.1.59 was seen to send an earlier prompt's image as a word."""


_THINKING = frozenset({"thinking", "redacted_thinking"})


class Part(Enum):
    """What an item becomes."""

    USER = "user"
    ASSISTANT = "assistant"
    NOTE = "note"
    """An attachment of role user: it moves up before the prompt."""
    SYSTEM = "system"
    """An attachment of role system: it is collected after the user's message."""
    NOTHING = "nothing"
    """Nothing is sent, but attachments do not move past it."""


@dataclass(frozen=True, slots=True)
class Item:
    """One contribution. `content` is a string or blocks; of a note or system item a tuple of texts.

    `stops`: attachments that come later do not move up past it.
    """

    part: Part
    content: Any
    stops: bool = False


@dataclass(frozen=True, slots=True)
class Traits:
    """What the items of a request's part show of the client: for `unknown`."""

    unknown: frozenset[Unknown] = frozenset()
    known: frozenset[Unknown] = frozenset()
    rendered: bool = False
    plain: bool = False

    def __or__(self, other: "Traits") -> "Traits":
        return Traits(
            self.unknown | other.unknown,
            self.known | other.known,
            self.rendered or other.rendered,
            self.plain or other.plain,
        )


NO_TRAITS = Traits()
_NOTHING = Item(Part.NOTHING, None, True)


class Items:
    """Reads the items of rows that `turns` includes."""

    def __init__(
        self,
        session: Session,
        turns: Turns,
        placeholders: frozenset[str],
        replaced: Mapping[str, str] | None = None,
    ) -> None:
        self.session = session
        self.turns = turns
        self.placeholders = placeholders
        self.replaced: Mapping[str, str] = replaced or {}
        """By call, the words that were sent in place of its result."""
        self.version: Version = ()
        self.left_out: frozenset[int] = frozenset()

    def of(self, rows: tuple[int, ...]) -> tuple[list[Item], Traits]:
        """The items of some rows, and what they show."""
        items, traits = list[Item](), NO_TRAITS
        for row in rows:
            if row in self.left_out:
                continue
            item, shown = self._item(row)
            if item is not None:
                items.append(item)
            if shown is not NO_TRAITS:
                traits |= shown
        return items, traits

    def _item(self, row: int) -> tuple[Item | None, Traits]:
        kind = self.session.index.kind[row]
        if kind in USER_KINDS:
            return self._user(row)
        if kind == Kind.ASSISTANT:
            return self._assistant(row)
        if kind == Kind.ERROR:
            return self._error(row)
        if kind in (Kind.ATTACHMENT, Kind.QUEUED_PROMPT):
            return self._attachment(row)
        if kind == Kind.SYSTEM:
            return self._system(row), NO_TRAITS
        if kind == Kind.MICRO_BOUNDARY:
            return None, Traits(frozenset({Unknown.MICRO_COMPACTED}))
        return None, NO_TRAITS

    def _error(self, row: int) -> tuple[Item | None, Traits]:
        """A reply that no model made: API errors go, the client's own placeholder is sent."""
        record = self.session.record(row)
        if record.get("isApiErrorMessage") and _message(record).get("model") == "<synthetic>":
            return _NOTHING, NO_TRAITS
        return self._assistant(row)

    def _assistant(self, row: int) -> tuple[Item | None, Traits]:
        record = self.session.record(row)
        if record.get("isVirtual") is True or not self._says_anything(row):
            return _NOTHING, NO_TRAITS
        blocks = [
            _as_sent(block) for block in content_of(self.session, row) if self._is_sent(row, block)
        ]
        effort = record.get("perTurnEffort") is not None
        traits = Traits(frozenset({Unknown.EFFORT_MARKS})) if effort else NO_TRAITS
        return (Item(Part.ASSISTANT, blocks, True) if blocks else _NOTHING), traits

    def _says_anything(self, row: int) -> bool:
        """Whether a reply holds more than thinking and blanks: the API takes no other as a message."""
        index = self.session.index
        rows = index.fragments_of(row) if index.message[row] != NONE else [row]
        return any(
            not (
                isinstance(block, Mapping)
                and (
                    str(block.get("type")) in _THINKING
                    or (block.get("type") == "text" and not str(block.get("text")).strip())
                )
            )
            for each in dict.fromkeys([row, *rows])
            for block in content_of(self.session, each)
        )

    def _is_sent(self, row: int, block: Any) -> bool:
        kind = block.get("type") if isinstance(block, Mapping) else None
        if kind == "tool_use":
            return self._is_answered(row, block.get("id"))
        return not (kind == "text" and block.get("text") == "")

    def _is_answered(self, row: int, call: object) -> bool:
        index = self.session.index
        results = [r for r in index.results_of(row) if self._is_there(r)]
        if len(index.more_calls.get(row, ())) < 2:
            return bool(results)
        answered = (calls_answered(content_of(self.session, r)) for r in results)
        return isinstance(call, str) and any(call in calls for calls in answered)

    def _is_there(self, row: int) -> bool:
        """Whether a row is sent: it is in a unit, or on the path and its turn has not come yet."""
        known = row in self.turns.included or row in self.turns.path.place
        return known and row not in self.left_out

    def _user(self, row: int) -> tuple[Item | None, Traits]:
        record = self.session.record(row)
        if record.get("isVirtual") is True:
            return None, NO_TRAITS
        content = _message(record).get("content")
        if isinstance(content, str):
            return (Item(Part.USER, content) if content else None), self._user_traits(record, ())
        blocks = [block for block in as_blocks(content) if self._is_kept(row, block)]
        calls = calls_answered(blocks)
        if self.replaced and not calls.isdisjoint(self.replaced):
            blocks = [self._replaced(block) for block in blocks]
        item = Item(Part.USER, blocks, bool(calls)) if blocks else None
        return item, self._user_traits(record, blocks) | self._emptied(blocks)

    def _is_kept(self, row: int, block: Any) -> bool:
        kind = block.get("type") if isinstance(block, Mapping) else None
        if kind != "tool_result":
            return not (kind == "text" and block.get("text") == "")
        index = self.session.index
        call = index.calls.get(str(block.get("tool_use_id")), NONE)
        return self._is_there(index.peer[row]) or self._is_there(call)

    def _replaced(self, block: Any) -> Any:
        """A block, its content what the model saw in place of a long result."""
        words = (
            self.replaced.get(str(block.get("tool_use_id"))) if _is(block, "tool_result") else None
        )
        return block if words is None else {**block, "content": words}

    def _user_traits(self, record: Mapping[str, Any], blocks: Any) -> Traits:
        origin = record.get("origin")
        kind = origin.get("kind") if isinstance(origin, Mapping) else None
        if kind == "task-notification" and self.version >= _FRAMES_FROM:
            return Traits(frozenset({Unknown.NOTIFICATION_FRAME}))
        low, high = _IMAGE_WORDS
        if low <= self.version < high and any(_is(block, "image") for block in blocks):
            return Traits(frozenset({Unknown.IMAGES}))
        return NO_TRAITS

    def _emptied(self, blocks: list[Any]) -> Traits:
        """Inline results of which the client keeps a copy beside the session: sent as placeholders?"""
        found = self.placeholders and any(
            block.get("tool_use_id") in self.placeholders
            and block.get("tool_use_id") not in self.replaced
            and not _text_of(block).startswith("<persisted-output>")
            for block in blocks
            if _is(block, "tool_result")
        )
        return Traits(frozenset({Unknown.MICRO_COMPACTED})) if found else NO_TRAITS

    def _system(self, row: int) -> Item | None:
        """The output of a local command, where it is not for the screen alone."""
        record = self.session.record(row)
        content = record.get("content")
        sent = record.get("subtype") == "local_command" and not record.get("isDisplayOnly")
        return Item(Part.USER, content) if sent and isinstance(content, str) and content else None

    def _attachment(self, row: int) -> tuple[Item | None, Traits]:
        record = self.session.record(row)
        attachment = attachment_of(record) or {}
        kind = str(attachment.get("type"))
        if kind == "prompt_snapshot":
            return None, Traits(known=frozenset(_told(attachment)))
        sent = sent_attachment(record, self.version)
        rendered = "rendered" in record
        if sent is None:
            unsaid = not rendered and kind not in SILENT
            words = frozenset({Unknown.ATTACHMENT_WORDING}) if unsaid else frozenset()
            return None, Traits(words, rendered=rendered)
        words = frozenset() if sent.worded else frozenset({Unknown.ATTACHMENT_WORDING})
        return _attached(sent), Traits(words, rendered=rendered, plain=not rendered)


def _as_sent(block: Any) -> Any:
    """A block of a reply without what the client put into a call for its own use: the plan of a file."""
    given = block.get("input") if _is(block, "tool_use") else None
    if (
        isinstance(given, Mapping)
        and block.get("name") == "ExitPlanMode"
        and "planFilePath" in given
    ):
        rest = {key: value for key, value in given.items() if key not in ("plan", "planFilePath")}
        return {**block, "input": rest}
    return block


def _attached(sent: Sent) -> Item:
    return Item(Part.NOTE if sent.role == "user" else Part.SYSTEM, sent.parts)


def _told(snapshot: Mapping[str, Any]) -> Iterator[Unknown]:
    """What a snapshot of the prompt tells."""
    if snapshot.get("systemPrompt"):
        yield Unknown.SYSTEM_PROMPT
    if snapshot.get("tools"):
        yield Unknown.TOOLS


def _message(record: Mapping[str, Any]) -> Mapping[str, Any]:
    message = record.get("message")
    return message if isinstance(message, Mapping) else {"content": message}


def _is(block: Any, kind: str) -> bool:
    return isinstance(block, Mapping) and block.get("type") == kind


def _text_of(result: Mapping[str, Any]) -> str:
    content = result.get("content")
    return content.lstrip() if isinstance(content, str) else ""
