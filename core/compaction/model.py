"""What a compaction is to a reader: its figures, each with its source, and the items that it dealt with."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from ccbrowse.core.numbers import Number
from ccbrowse.core.segments import Boundary


class Bucket(StrEnum):
    """What became of an item of the closed segment."""

    KEPT = "kept"
    """Its record was carried over: exact."""
    PUT_BACK = "put_back"
    """Its content stands after the boundary again: exact."""
    IN_SUMMARY = "in_summary"
    """A sentence of the summary, or a reference to a file, shows it."""
    NOT_FOUND = "not_found"
    """No matching words were found; the model may still infer it."""


class ItemKind(StrEnum):
    """What an item is."""

    USER_TEXT = "user_text"
    DECISION = "decision"
    ASSISTANT_TEXT = "assistant_text"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    ERROR = "error"
    FILE = "file"


class CallBasis(StrEnum):
    """How it is known what the request for a summary cost."""

    COST_STATE = "cost_state"
    """The growth of the client's own totals, less the requests that stand in rows."""
    SIDE_FILE = "side_file"
    """The usage in the file that some clients keep of the summarising call."""
    ESTIMATE = "estimate"
    """From the context before it: the call is written nowhere."""
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Side:
    """One request beside the boundary: the last before it, or the first after it.

    `messages` and `bytes` are those of its `messages` array, `message_tokens` an estimate of its texts.
    `api_input` is the input side of its usage: system prompt and tools in it. `boundary_tokens` is
    what the boundary says: the context before, or summary and kept messages alone. `unknown` names
    what no record tells of it.
    """

    reply: str
    source: str
    messages: int
    bytes: int
    message_tokens: Number
    api_input: Number
    boundary_tokens: Number
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reduction:
    """By how much each figure fell, as a share (0.873: 87.3 % less); None where a side is not known."""

    messages: float | None
    bytes: float | None
    message_tokens: float | None
    api_input: float | None
    boundary_tokens: float | None


@dataclass(frozen=True, slots=True)
class CallCost:
    """What the request for the summary cost: tokens in and out together, and how that is known."""

    tokens: Number
    basis: CallBasis


@dataclass(frozen=True, slots=True)
class FileGrowth:
    """The session's file before the boundary, and what the compaction appended to it.

    Appended are the boundary, the summary, the rows of `/compact`, and attachments up to the next turn.
    """

    lines: int
    bytes: int
    added_lines: int
    added_bytes: int


@dataclass(frozen=True, slots=True)
class PutBack:
    """What was sent again after the boundary: a file, plan, skill, memory or list of tasks.

    `content` is its text; empty for a bare reference to a file, which `is_reference` tells.
    """

    row: int
    uuid: str
    type: str
    label: str
    path: str | None
    content: str
    tokens: Number
    is_reference: bool = False


@dataclass(frozen=True, slots=True)
class MicroCompacted:
    """A tool result that the model saw emptied, or may have; `certain` where a record says so."""

    uuid: str
    call_id: str
    certain: bool


@dataclass(frozen=True, slots=True)
class SummaryText:
    """The summary: its record, its text and an estimate of what it weighs."""

    row: int
    uuid: str
    text: str
    tokens: Number


@dataclass(frozen=True, slots=True)
class Item:
    """One thing of the closed segment and what became of it.

    `row` and `uuid` name the record it stands in. `tokens` estimates its text; a file weighs nothing
    of its own, as the calls and results that touched it are items too. `evidence` is the sentence of
    the summary that shows it, or what was put back. `detail` tells of a file how it was touched.
    """

    row: int
    uuid: str
    kind: ItemKind
    label: str
    tokens: Number
    bucket: Bucket
    evidence: str | None
    sentence: int | None = None
    worth: int = 0
    detail: str = ""


@dataclass(frozen=True, slots=True)
class BucketSum:
    """How many items a bucket holds, and what they weigh."""

    items: int
    tokens: Number


@dataclass(frozen=True, slots=True)
class Loss:
    """The items of the closed segment, those of most likely worth first, and their sums.

    `sentences` are those of the summary, which `Item.sentence` numbers.
    """

    items: tuple[Item, ...]
    buckets: Mapping[Bucket, BucketSum]
    table: Mapping[tuple[ItemKind, Bucket], BucketSum]
    sentences: tuple[str, ...]

    def of(self, bucket: Bucket) -> Iterator[Item]:
        """The items of one bucket, by worth."""
        return (item for item in self.items if item.bucket is bucket)


@dataclass(frozen=True, slots=True)
class Compaction:
    """One compaction of the main line, from 1. `closes` is None where the file starts at it."""

    number: int
    closes: int | None
    opens: int
    boundary: Boundary
    instructions: str | None
    summary: SummaryText | None
    before: Side | None
    after: Side | None
    reduction: Reduction
    call: CallCost
    file: FileGrowth
    carried_over: tuple[str, ...]
    put_back: tuple[PutBack, ...]
    micro_compacted: tuple[MicroCompacted, ...]
    loss: Loss | None
