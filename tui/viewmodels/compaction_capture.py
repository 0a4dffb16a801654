"""A captured request beside the rebuilt one: what was read, what it was held against, block by block."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from ccbrowse.core.capture import Block, Capture
from ccbrowse.core.payload import Payload
from ccbrowse.core.payload.canonical import compact_json
from ccbrowse.core.records import Text, ToolCall, ToolResult, blocks
from ccbrowse.core.text import SafeText, display_text, one_line
from ccbrowse.tui.viewmodels import figures, tools
from ccbrowse.tui.viewmodels.compaction import unknown_words
from ccbrowse.tui.viewmodels.compaction_payload import block_views, describe
from ccbrowse.tui.viewmodels.diffs import edit_diffs
from ccbrowse.tui.viewtypes import (
    DetailBlock,
    DetailView,
    Entry,
    Line,
    LinesBlock,
    Outcome,
    Piece,
    Tone,
    line,
)


class Found(Enum):
    """What the records know of a captured block."""

    EQUAL = "equal"
    DIFFERENT = "different"
    MISSING = "missing"
    """It was sent, and the rebuilt request does not have it."""
    EXTRA = "extra"
    """The rebuilt request has it, and it was not sent."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A block of the captured request and its counterpart; one of them may be None."""

    found: Found
    sent: Block | None
    rebuilt: Block | None

    @property
    def block(self) -> Block | None:
        """The block that stands for both: the one that was sent, where there is one."""
        return self.sent if self.sent is not None else self.rebuilt


_LOOKS = {
    Found.EQUAL: (SafeText("="), SafeText("equal"), Tone.MUTED),
    Found.DIFFERENT: (SafeText("±"), SafeText("different"), Tone.WARN),
    Found.MISSING: (SafeText("−"), SafeText("not rebuilt"), Tone.BAD),
    Found.EXTRA: (SafeText("+"), SafeText("not sent"), Tone.TOOL),
}
SIGNS = SafeText("= equal · ± different · − not rebuilt · + not sent")
HINT = SafeText(
    "C opens a captured request: a body as JSON, FILE.har#N, or a line of a log FILE.jsonl#N"
)
_NO_TWIN = SafeText("no request of this session is like it: nothing to hold it against")
SENT, REBUILT = SafeText("as it was sent"), SafeText("as it is rebuilt")


def capture_lines(
    source: str, capture: Capture, payload: Payload | None, by_id: bool, share: float
) -> tuple[Line, ...]:
    """What was read, what it is held against, and what only the capture tells."""
    size = figures.byte_size(capture.body_bytes)
    count = figures.counted(len(capture.messages), "message")
    model = SafeText(f" · {one_line(capture.model, 40)}") if capture.model else SafeText("")
    lines = [
        line(
            (one_line(source, 200), Tone.STRONG),
            (SafeText(f"  {count} · {size}{model}"), Tone.MUTED),
        )
    ]
    if payload is None:
        lines.append(line((_NO_TWIN, Tone.WARN)))
    else:
        how = SafeText("by the answer's id" if by_id else f"{100 * share:.0f} % of its blocks")
        reply = one_line(payload.reply or "no reply yet", 40)
        words = SafeText(f"it is the request of {reply}, {one_line(payload.source.value, 20)}")
        lines.append(line(words, (SafeText(f" · known by {how}"), Tone.MUTED)))
    beside = _beside(capture)
    if beside:
        lines.append(line((SafeText("in the body alone: "), Tone.MUTED), beside))
    if payload is not None and payload.unknown:
        words = unknown_words([word.value for word in payload.unknown])
        lines.append(line((SafeText("in no record: "), Tone.WARN), (words, Tone.MUTED)))
    return tuple(lines)


def _beside(capture: Capture) -> SafeText:
    """The sizes of what only a captured body holds."""
    parts: list[SafeText] = []
    if capture.system_bytes:
        parts.append(SafeText(f"system prompt {figures.byte_size(capture.system_bytes)}"))
    if capture.tools_bytes:
        parts.append(SafeText(f"tools {figures.byte_size(capture.tools_bytes)}"))
    return SafeText(", ".join(parts))


def tally(compared: Sequence[Compared]) -> SafeText:
    """``blocks · 120 equal · 2 different · 3 not rebuilt``"""
    counts = Counter(each.found for each in compared)
    parts: list[SafeText] = [SafeText("blocks")]
    for found, (_, word, _tone) in _LOOKS.items():
        if counts[found]:
            parts.append(SafeText(f"{counts[found]:,} {word}"))
    return SafeText(" · ".join(parts))


def compared_entry(number: int, each: Compared, cwd: str) -> Entry:
    """A block as a row; its sign stands in the gutter, its number is that of its message."""
    sign, word, tone = _LOOKS[each.found]
    block = each.block
    assert block is not None
    found = blocks({"message": {"content": [block.content]}})
    role, label, words = describe(block.role, found, cwd)
    size = Piece(SafeText(f"  {_sizes(each)}"), Tone.MUTED)
    facts = [size] if each.found is Found.EQUAL else [Piece(word, tone), size]
    return Entry(
        key=str(number),
        role=role,
        label=label,
        text=words,
        time=SafeText(f"{block.message + 1:>4d}"),
        facts=tuple(facts),
        outcome=Outcome.NONE,
        mark=sign,
    )


def _sizes(each: Compared) -> SafeText:
    sizes: list[SafeText] = [
        figures.byte_size(len(compact_json(block.content)))
        for block in (each.sent, each.rebuilt)
        if block is not None
    ]
    return SafeText(" → ".join(sizes)) if each.found is Found.DIFFERENT else sizes[0]


def compared_view(key: str, each: Compared) -> DetailView:
    """A block in full; where the two differ, what differs, and then both."""
    sign, word, tone = _LOOKS[each.found]
    block = each.block
    assert block is not None
    title = line(
        (SafeText(f"{sign} {word}"), tone),
        SafeText(f"  message {block.message + 1:,} · {one_line(block.role, 20)}"),
    )
    return DetailView(key, title, blocks=tuple(_in_full(each)))


def _in_full(each: Compared) -> Iterator[DetailBlock]:
    if each.found is Found.DIFFERENT and each.sent is not None and each.rebuilt is not None:
        # Compared as an edit would be: from what is rebuilt to what was sent.
        texts = {"old_string": _plain(each.rebuilt), "new_string": _plain(each.sent)}
        yield from edit_diffs(ToolCall("", "Edit", texts), None)
    for block, name in ((each.sent, SENT), (each.rebuilt, REBUILT)):
        if block is None or (each.found is Found.EQUAL and block is each.rebuilt):
            continue
        yield LinesBlock((line((name, Tone.TOOL)),))
        yield from block_views(blocks({"message": {"content": [block.content]}}))


def _plain(block: Block) -> str:
    """A block as text (raw), for comparing."""
    found = blocks({"message": {"content": [block.content]}})
    match found[0] if found else None:
        case Text(text=text):
            return text
        case ToolResult() as result:
            return tools.result_text(result)
    return compact_json(block.content).decode("utf-8", "replace")


def nothing_words(only_differences: bool) -> SafeText:
    """What stands where no block is listed."""
    return display_text("nothing differs" if only_differences else "no blocks")
