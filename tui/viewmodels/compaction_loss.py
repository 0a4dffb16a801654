"""The losses of a compaction: their table, the list of a cell of it, the summary with its matches."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ccbrowse.core.compaction import Bucket, BucketSum, Compaction, Item, ItemKind, Loss
from ccbrowse.core.compaction.report import BUCKET_NAMES, KIND_NAMES
from ccbrowse.core.index import SessionIndex
from ccbrowse.core.numbers import Number
from ccbrowse.core.text import SafeText, display_text, one_line
from ccbrowse.tui.viewmodels import figures
from ccbrowse.tui.viewtypes import NOTHING, Entry, Line, Outcome, Piece, Role, Tone, line

BUCKETS = tuple(BUCKET_NAMES)
"""The buckets in the order of the table's columns; the column before them holds all."""

TONES = {
    Bucket.KEPT: Tone.GOOD,
    Bucket.PUT_BACK: Tone.TOOL,
    Bucket.IN_SUMMARY: Tone.PLAIN,
    Bucket.NOT_FOUND: Tone.BAD,
}
NOT_FOUND_WORDS = SafeText("no matching words in the summary; the model may still infer it")

_NAMES = {bucket: display_text(name) for bucket, name in BUCKET_NAMES.items()}


@dataclass(frozen=True, slots=True)
class LossCell:
    """What a kind and a bucket hold: tokens with their sign, and how many items."""

    tokens: SafeText
    items: int
    weight: int
    """Tokens as a number, for bars."""
    tone: Tone


@dataclass(frozen=True, slots=True)
class LossRow:
    """One line of the table: all of the segment, or one kind. The first cell is what stood before."""

    kind: ItemKind | None
    name: SafeText
    cells: tuple[LossCell, ...]


@dataclass(frozen=True, slots=True)
class LossTable:
    """The table kind × bucket; `names` are those of its columns."""

    names: tuple[SafeText, ...]
    rows: tuple[LossRow, ...]


COLUMNS = (SafeText("before"), *(_NAMES[bucket] for bucket in BUCKETS))
EMPTY = LossTable(COLUMNS, ())


def loss_table(loss: Loss) -> LossTable:
    """The table of what became of a segment: kinds that it has, then all of it."""
    rows: list[LossRow] = []
    for kind, name in KIND_NAMES.items():
        sums = [loss.table.get((kind, bucket)) for bucket in BUCKETS]
        if any(sums):
            rows.append(_row(kind, display_text(name), sums))
    rows.append(_row(None, SafeText("all"), [loss.buckets.get(bucket) for bucket in BUCKETS]))
    return LossTable(COLUMNS, tuple(rows))


def _row(kind: ItemKind | None, name: SafeText, sums: Sequence[BucketSum | None]) -> LossRow:
    cells = [_cell(each, TONES[bucket]) for each, bucket in zip(sums, BUCKETS, strict=True)]
    known = [each for each in sums if each is not None]
    items = sum(each.items for each in known)
    weight = sum(each.tokens.value or 0 for each in known)
    before = LossCell(_tokens(weight, known), items, weight, Tone.STRONG)
    return LossRow(kind, name, (before, *cells))


def _cell(each: BucketSum | None, tone: Tone) -> LossCell:
    if each is None or not each.items:
        return LossCell(display_text(figures.NO_NUMBER), 0, 0, Tone.MUTED)
    weight = each.tokens.value or 0
    return LossCell(_tokens(weight, [each]), each.items, weight, tone)


def _tokens(weight: int, sums: Sequence[BucketSum]) -> SafeText:
    """A sum in short; nothing where items weigh nothing of their own, as files do."""
    if not weight or not sums:
        return NOTHING
    return figures.short_tokens(Number(weight, sums[0].tokens.source))


def list_title(loss: Loss, kind: ItemKind | None, bucket: Bucket | None, count: int) -> SafeText:
    """``not found · 17 · by worth``"""
    where: SafeText = _NAMES[bucket] if bucket is not None else SafeText("all items")
    what = SafeText(f" · {display_text(KIND_NAMES[kind])}") if kind is not None else NOTHING
    return SafeText(f"{where}{what} · {count:,} · by worth")


def chosen_items(loss: Loss, kind: ItemKind | None, bucket: Bucket | None) -> list[int]:
    """The numbers of the items of a cell, those of most likely worth first."""
    return [
        number
        for number, item in enumerate(loss.items)
        if (kind is None or item.kind is kind) and (bucket is None or item.bucket is bucket)
    ]


_ROLES = {
    ItemKind.USER_TEXT: (Role.PERSON, SafeText("you")),
    ItemKind.DECISION: (Role.REPLY, SafeText("decided")),
    ItemKind.ASSISTANT_TEXT: (Role.REPLY, SafeText("claude")),
    ItemKind.TOOL_CALL: (Role.TOOL, SafeText("call")),
    ItemKind.TOOL_RESULT: (Role.RESULT, SafeText("result")),
    ItemKind.ERROR: (Role.ERROR, SafeText("error")),
    ItemKind.FILE: (Role.SUBAGENT, SafeText("file")),
}


def item_entry(number: int, item: Item, index: SessionIndex, cwd: str, with_bucket: bool) -> Entry:
    """An item as a row of the list; its key is its number among the losses."""
    role, label = _ROLES[item.kind]
    words = near(item.label, cwd)
    if item.kind is ItemKind.TOOL_CALL and words.startswith(item.detail):
        label, words = one_line(item.detail, 20), words[len(item.detail) :]
    facts: list[Piece] = []
    if with_bucket:
        tone = TONES[item.bucket]
        facts.append(Piece(_NAMES[item.bucket], Tone.MUTED if tone is Tone.PLAIN else tone))
    if item.kind is ItemKind.FILE and item.detail:
        facts.append(Piece(one_line(item.detail, 20), Tone.MUTED))
    if item.tokens.value:
        facts.append(Piece(figures.short_tokens(item.tokens), Tone.MUTED))
    joined = [facts[0]] if facts else []
    joined += [Piece(SafeText(f"  {fact.text}"), fact.tone) for fact in facts[1:]]
    return Entry(
        key=str(number),
        role=role,
        label=label,
        text=one_line(words.strip(), 300),
        time=figures.clock(index.time[item.row]) if item.row < len(index) else NOTHING,
        facts=tuple(joined),
        outcome=Outcome.NONE,
    )


def near(words: str, cwd: str) -> str:
    """A label with the paths of the working directory as seen from there (raw)."""
    inside = cwd.rstrip("/\\")
    return words.replace(f"{inside}/", "") if len(inside) > 1 else words


def verdict(item: Item, cwd: str) -> tuple[Line, ...]:
    """Where an item went and what shows it, and the item in full."""
    words = line((one_line(near(item.label, cwd), 300), Tone.STRONG))
    return _verdict(item), words


def _verdict(item: Item) -> Line:
    shown = one_line(item.evidence or "", 300)
    match item.bucket:
        case Bucket.KEPT:
            return line((SafeText("kept: it stands after the boundary as it was"), Tone.GOOD))
        case Bucket.PUT_BACK:
            return line((shown, Tone.TOOL), (SafeText(": sent again in full"), Tone.MUTED))
        case Bucket.IN_SUMMARY:
            head = (SafeText("in the summary: "), Tone.MUTED)
            return line(head, (SafeText(f"“{shown}”"), Tone.TOOL))
    return line((NOT_FOUND_WORDS, Tone.MUTED))


def item_text(item: Item) -> SafeText:
    """An item for the clipboard: its label, where it went, and what shows it."""
    parts: list[SafeText] = [display_text(item.label), _NAMES[item.bucket]]
    if item.evidence:
        parts.append(display_text(item.evidence))
    return SafeText("\n".join(parts))


# The summary with its matches


@dataclass(frozen=True, slots=True)
class Span:
    """Where a sentence of the summary stands in a line of it, and which one it is."""

    start: int
    end: int
    sentence: int


@dataclass(frozen=True, slots=True)
class SummaryLine:
    """A line of the summary; `spans` are the sentences in it that show something, in order, apart."""

    text: SafeText
    heading: bool
    spans: tuple[Span, ...] = ()


_HEADING = re.compile(r"\s{0,3}#{1,6} |\s*\*\*[^*]{1,80}\*\*:?\s*$|\d{1,2}\. [^.!?]{1,60}:\s*$")


def summary_lines(text: str, loss: Loss | None) -> tuple[SummaryLine, ...]:
    """The summary line by line, with the sentences that items were found in."""
    safe: SafeText = display_text(text, newlines=True)
    spans = _spans(safe, loss) if loss is not None else []
    lines: list[SummaryLine] = []
    start, at = 0, 0
    for words in safe.split("\n"):
        end = start + len(words)
        here: list[Span] = []
        while at < len(spans) and spans[at].start < end:
            low, high = max(start, spans[at].start), min(end, spans[at].end)
            low += len(safe[low:high]) - len(safe[low:high].lstrip())
            if low < high:
                here.append(Span(low - start, high - start, spans[at].sentence))
            if spans[at].end > end:
                break
            at += 1
        lines.append(SummaryLine(SafeText(words), bool(_HEADING.match(words)), tuple(here)))
        start = end + 1
    return tuple(lines)


def _spans(safe: SafeText, loss: Loss) -> list[Span]:
    """Where the sentences that are evidence stand in the text, in order and apart.

    Sentences were freed of Markdown's signs and line breaks, so that only letters and digits are
    compared. One that is not found again is left out.
    """
    wanted = {item.sentence for item in loss.items}
    places = [place for place, sign in enumerate(safe) if sign.isalnum()]
    letters = "".join(safe[place] for place in places)
    found: list[Span] = []
    after = 0
    for number, raw in enumerate(loss.sentences):
        sentence = "".join(filter(str.isalnum, display_text(raw)))
        begin = letters.find(sentence, after) if sentence else -1
        if begin >= 0:
            after = begin + len(sentence)
            if number in wanted:
                end = places[after - 1] + 1
                while end < len(safe) and not safe[end].isspace() and not safe[end].isalnum():
                    end += 1
                found.append(Span(places[begin], end, number))
    return found


def losses_line(found: Compaction) -> Line:
    """For the boundary's row: ``summary 6.1k≈ · kept 9 · put back 4 files · not found 17 » L``."""
    loss = found.loss
    parts: list[Piece] = []
    if found.summary is None:
        parts.append(Piece(SafeText("no summary"), Tone.WARN))
    else:
        parts.append(Piece(SafeText(f"summary {figures.short_tokens(found.summary.tokens)}")))
    kept = len(found.carried_over)
    parts.append(
        Piece(SafeText(f"kept {kept:,}"), Tone.GOOD) if kept else Piece(SafeText("kept nothing"))
    )
    if count := sum(not each.is_reference for each in found.put_back):
        files = all(each.type == "file" for each in found.put_back if not each.is_reference)
        what = figures.counted(count, "file") if files else SafeText(f"{count:,}")
        parts.append(Piece(SafeText(f"put back {what}"), Tone.TOOL))
    if loss is not None and (lost := loss.buckets[Bucket.NOT_FOUND].items):
        parts.append(Piece(SafeText(f"not found {lost:,}"), Tone.BAD))
    joined: list[Piece] = []
    for part in parts:
        joined += [Piece(SafeText(" · ")), part] if joined else [part]
    return (*joined, Piece(SafeText("  » L"), Tone.TOOL))
