"""A part as it is told, whatever the format: segments that open, and messages made of pieces.

Fragments of one reply are one message; a call's result stands with its call. What options leave out
is counted, so that an export can say so at its end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from ccbrowse.core.export.client_rows import (
    attachment_piece,
    command_pieces,
    micro_boundary_words,
    system_pieces,
)
from ccbrowse.core.export.options import Options, Tools
from ccbrowse.core.export.parts import Part
from ccbrowse.core.export.pieces import (
    Called,
    Fate,
    Knowing,
    LooseResult,
    Piece,
    Thought,
    Words,
    is_blank,
    plain_piece,
)
from ccbrowse.core.index import INTERRUPT, NONE, SessionIndex
from ccbrowse.core.records import (
    REPLY_KINDS,
    Block,
    Kind,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    blocks,
    queued_blocks,
    typed_text,
)
from ccbrowse.core.segments import Segment


class Voice(StrEnum):
    """Who speaks in a message: the words of its heading."""

    USER = "User"
    QUEUED = "User, while the client worked"
    BESIDE = "User, beside a result"
    ASSISTANT = "Assistant"
    SUMMARY = "Summary, written by the model at the compaction"
    RESULT = "Tool result"
    COMMAND = "Command"
    CLIENT = "Client"
    ERROR = "API error"
    STAND_IN = "Reply that the client wrote, not a model"


@dataclass(frozen=True, slots=True)
class Opening:
    """A segment begins. `here` tells whether its boundary is in the part."""

    segment: Segment
    here: bool


@dataclass(frozen=True, slots=True)
class Message:
    """What one voice says: its first row, its time in milliseconds, the model that replied, its pieces."""

    voice: Voice
    row: int
    time: int
    model: str
    pieces: tuple[Piece, ...]


Event = Opening | Message


class Story:
    """Tells a part, event by event; `omitted` counts what was left out so far, by what it is called."""

    def __init__(self, part: Part, options: Options) -> None:
        self.part = part
        self.options = options
        self.session = part.session
        self.index: SessionIndex = part.session.index
        self.omitted: Counter[str] = Counter()
        self._known = Knowing(self.session, part.rows)

    def __iter__(self) -> Iterator[Event]:
        """The events in reading order; a command and what it printed are one message."""
        for event in self._joined():
            line = self.index.line[event.row] if isinstance(event, Message) else None
            self.options.at(line)
            yield event
        self.options.at(None)

    def _joined(self) -> Iterator[Event]:
        held: Message | None = None
        for event in self._events():
            if held is not None and isinstance(event, Message) and event.voice is Voice.COMMAND:
                held = replace(held, pieces=held.pieces + event.pieces)
                continue
            if held is not None:
                yield held
                held = None
            if isinstance(event, Message) and event.voice is Voice.COMMAND:
                held = event
            else:
                yield event
        if held is not None:
            yield held

    def _events(self) -> Iterator[Event]:
        opened = 0
        for rows in self._groups():
            row = rows[0]
            number = self.session.segment_of(row) if self.part.segments else None
            if number is not None and number != opened:
                opened = number
                yield self._opening(self.session.segment(number), row)
            if self.index.kind[row] != Kind.BOUNDARY:
                message = self._message(rows)
                if message is not None:
                    yield message

    def _opening(self, segment: Segment, row: int) -> Opening:
        boundary = segment.boundary
        return Opening(segment, boundary is not None and boundary.row == row)

    def _groups(self) -> Iterator[list[int]]:
        """The rows of the part; those that make one message in one list."""
        group: list[int] = []
        for row in self.part.rows:
            if group and not self._continues(group[-1], row):
                yield group
                group = []
            group.append(row)
        if group:
            yield group

    def _continues(self, before: int, row: int) -> bool:
        """Whether a row goes on with the message of the one before: fragments, things sent along."""
        index = self.index
        if index.message[row] != NONE:
            return index.message[row] == index.message[before]
        return index.kind[row] == index.kind[before] and index.kind[row] == Kind.ATTACHMENT

    def _message(self, rows: list[int]) -> Message | None:
        row = rows[0]
        kind = self.index.kind_of(row)
        record = self.session.record(row)
        if kind in REPLY_KINDS:
            return self._reply(rows)
        if kind is Kind.RESULT:
            return self._result(row, record)
        if kind is Kind.COMMAND:
            return self._made(Voice.COMMAND, row, command_pieces(record))
        if kind is Kind.ATTACHMENT:
            return self._attachments(rows)
        if kind in (Kind.PROMPT, Kind.SUMMARY):
            typed = kind is Kind.PROMPT
            voice = Voice.USER if typed else Voice.SUMMARY
            return self._made(voice, row, self._words(record, typed))
        if kind is Kind.QUEUED_PROMPT:
            return self._made(Voice.QUEUED, row, tuple(map(plain_piece, queued_blocks(record))))
        return self._client(kind, row, record)

    def _made(self, voice: Voice, row: int, pieces: tuple[Piece, ...], model: str = "") -> Message:
        shown = tuple(piece for piece in pieces if not is_blank(piece))
        return Message(voice, row, self.index.time[row], model, shown)

    def _words(self, record: Mapping[str, Any], typed: bool) -> tuple[Piece, ...]:
        """A prompt's or summary's pieces; what the client put beside typed words only with full tools."""
        pieces: list[Piece] = []
        for block in blocks(record):
            piece = plain_piece(block)
            if typed and isinstance(piece, Words) and self.options.tools is not Tools.FULL:
                words = typed_text(piece.text)
                if words and words != piece.text.strip():
                    self.omitted["notes that the client put beside a prompt"] += 1
                    piece = Words(words)
            pieces.append(piece)
        return tuple(pieces)

    def _reply(self, rows: list[int]) -> Message | None:
        pieces: list[Piece] = []
        omitted = self.omitted.total()
        found = [(row, block) for row in rows for block in blocks(self.session.record(row))]
        served = {block.call_id: block for _, block in found if isinstance(block, ToolResult)}
        model = next(filter(None, (_model(self.session.record(row)) for row in rows)), "")
        for row, block in found:
            if (piece := self._reply_piece(row, block, served)) is not None:
                pieces.append(piece)
        if not pieces and self.omitted.total() > omitted:
            return None
        voice = Voice.ASSISTANT
        if self.index.kind[rows[0]] == Kind.ERROR:
            failed = self.session.record(rows[0]).get("isApiErrorMessage") is True
            voice, model = Voice.ERROR if failed else Voice.STAND_IN, ""
        return self._made(voice, rows[0], tuple(pieces), model)

    def _reply_piece(self, row: int, block: Block, served: dict[str, ToolResult]) -> Piece | None:
        """A block of a reply as a piece; `served` are results of tools that the server itself ran."""
        if isinstance(block, Thinking):
            if not block.text:
                self.omitted["blocks of thinking whose text the client did not keep"] += 1
                return None
            if not self.options.thinking:
                self.omitted["blocks of thinking (--thinking writes them)"] += 1
                return None
            return Thought(block.text)
        if isinstance(block, ToolCall):
            if self.options.tools is Tools.NONE:
                self.omitted["tool calls"] += 1
                return None
            result = served.pop(block.id, None)
            if result is not None:
                return Called(block, result, Fate.ANSWERED)
            return self._known.called(row, block)
        if isinstance(block, ToolResult):
            alone = block.call_id in served and self.options.tools is not Tools.NONE
            return LooseResult(block, server=True) if alone else None
        return plain_piece(block)

    def _result(self, row: int, record: Mapping[str, Any]) -> Message | None:
        """A result that stands with its call is not told again; words beside it are a person's."""
        pieces: list[Piece] = []
        voice = Voice.RESULT
        for block in blocks(record):
            if isinstance(block, ToolResult):
                if self.options.tools is not Tools.NONE and not self._known.tells(row, block):
                    pieces.append(LooseResult(block))
            elif isinstance(block, Text):
                if block.text.strip():
                    voice = Voice.CLIENT if self.index.flags[row] & INTERRUPT else Voice.BESIDE
                    pieces.append(plain_piece(block))
            else:
                pieces.append(plain_piece(block))
        return self._made(voice, row, tuple(pieces)) if pieces else None

    def _client(self, kind: Kind, row: int, record: Mapping[str, Any]) -> Message | None:
        """What the client wrote by itself: interruptions always, the rest with full tools."""
        full = self.options.tools is Tools.FULL
        if kind is Kind.META:
            if full or self.index.flags[row] & INTERRUPT:
                return self._made(Voice.CLIENT, row, tuple(map(plain_piece, blocks(record))))
            self.omitted["notes of the client"] += 1
            return None
        if kind is Kind.MICRO_BOUNDARY:
            return self._made(Voice.CLIENT, row, (Words(micro_boundary_words(record)),))
        if kind is Kind.SYSTEM:
            voice, pieces = system_pieces(record, full)
            return self._made(Voice(voice), row, pieces) if pieces else None
        if not full:
            self.omitted["records of unknown types"] += 1
            return None
        return self._made(Voice.CLIENT, row, (attachment_piece(record),))

    def _attachments(self, rows: list[int]) -> Message | None:
        if self.options.tools is not Tools.FULL:
            self.omitted["attachments that the client sent along"] += len(rows)
            return None
        found = tuple(attachment_piece(self.session.record(row)) for row in rows)
        return self._made(Voice.CLIENT, rows[0], found)


def _model(record: Mapping[str, Any]) -> str:
    message = record.get("message")
    name = message.get("model") if isinstance(message, Mapping) else None
    return name if isinstance(name, str) else ""
