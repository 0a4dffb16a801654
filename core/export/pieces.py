"""What messages are made of, and which result belongs to which call of the part."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ccbrowse.core.records import (
    Block,
    Image,
    Other,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    blocks,
)
from ccbrowse.core.session import Session
from ccbrowse.core.texts import compact_json


@dataclass(frozen=True, slots=True)
class Words:
    """Running text: a prompt, a reply, a summary. Markdown of its own."""

    text: str


@dataclass(frozen=True, slots=True)
class Thought:
    """The model's thinking."""

    text: str


@dataclass(frozen=True, slots=True)
class Command:
    """A command that a person gave to the client."""

    text: str


@dataclass(frozen=True, slots=True)
class Output:
    """What a command printed."""

    text: str
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Note:
    """A line of the client, with a text where it has one."""

    label: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """An image or a document."""

    image: Image


@dataclass(frozen=True, slots=True)
class Odd:
    """A block of a type that we do not know."""

    type: str
    raw: Any


class Fate(StrEnum):
    """What became of a call."""

    ANSWERED = "answered"
    UNANSWERED = "no result"
    OUTSIDE = "its result is not in this part"


@dataclass(frozen=True, slots=True)
class Called:
    """A call of a tool with its result, which is there only if `fate` is ANSWERED."""

    call: ToolCall
    result: ToolResult | None
    fate: Fate


@dataclass(frozen=True, slots=True)
class LooseResult:
    """A result that stands alone: its call is not in the part, or a server ran the tool."""

    result: ToolResult
    server: bool = False


Piece = Words | Thought | Command | Output | Note | Picture | Odd | Called | LooseResult


def plain_piece(block: Block) -> Piece:
    """The piece of a block that needs nothing but itself."""
    match block:
        case Text():
            return Words(block.text)
        case Thinking():
            return Thought(block.text)
        case Image():
            return Picture(block)
        case ToolResult():
            return LooseResult(block)
        case ToolCall():
            return Called(block, None, Fate.OUTSIDE)
        case Other():
            return Odd(block.type, block.raw)


def is_blank(piece: Piece) -> bool:
    """Whether a piece shows nothing."""
    return isinstance(piece, Words | Thought | Output) and not piece.text.strip()


def odd_text(piece: Odd) -> str:
    """An unknown block as JSON."""
    return compact_json(piece.raw)


class Knowing:
    """Knows of the calls and results of some rows which stand together."""

    def __init__(self, session: Session, rows: Iterable[int]) -> None:
        self.session = session
        self.rows: Container[int] = set(rows)
        self._row = -1
        self._results: dict[str, ToolResult] = {}

    def called(self, row: int, call: ToolCall) -> Called:
        """A call on a row, with its result if the part holds it."""
        index = self.session.index
        rows = index.results_of(row)
        if self._row != row:
            self._row = row
            self._results = {}
            for result_row in rows:
                if result_row in self.rows:
                    for block in blocks(self.session.record(result_row)):
                        if isinstance(block, ToolResult):
                            self._results.setdefault(block.call_id, block)
        result = self._results.get(call.id)
        if result is not None:
            return Called(call, result, Fate.ANSWERED)
        answered = bool(rows) and call.id not in index.unanswered
        return Called(call, None, Fate.OUTSIDE if answered else Fate.UNANSWERED)

    def tells(self, row: int, result: ToolResult) -> bool:
        """Whether a result on a row stands with its call."""
        index = self.session.index
        call_row = index.calls.get(result.call_id)
        return call_row is not None and call_row in self.rows and row in index.results_of(call_row)
