"""`ccbrowse compactions`: what stood before and after each compaction, and what became of the rest."""

from collections.abc import Iterable
from contextlib import closing
from textwrap import wrap

import click

from ccbrowse.core.compaction import (
    Bucket,
    BucketSum,
    Compaction,
    Item,
    ItemKind,
    Loss,
    Side,
    compaction,
    compaction_json,
    each_compaction,
)
from ccbrowse.core.compaction.report import (
    BUCKET_NAMES,
    KIND_NAMES,
    NOT_FOUND_MEANS,
    TWO_AFTERS,
)
from ccbrowse.core.errors import CcbrowseError
from ccbrowse.core.numbers import Number, Source, exact, signed
from ccbrowse.core.report import boundary_json
from ccbrowse.core.session import Session
from ccbrowse.core.targets import resolve
from ccbrowse.core.text import display_text, one_line
from ccbrowse.tui.cli.output import (
    cache_option,
    json_option,
    print_json,
    print_line,
    print_table,
    roots_option,
    roots_or_none,
)
from ccbrowse.tui.cli.patience import waiting
from ccbrowse.tui.cli.words import clock, duration, share_words, short_tokens, size

SHOWN = 15
"""Items of the list of what was not found."""

WIDTH = 96
"""Cells of one item."""

_ITEM_NAMES = {
    ItemKind.USER_TEXT: "you",
    ItemKind.DECISION: "decided",
    ItemKind.ASSISTANT_TEXT: "said",
    ItemKind.TOOL_CALL: "call",
    ItemKind.TOOL_RESULT: "result",
    ItemKind.ERROR: "error",
    ItemKind.FILE: "file",
}


@click.command("compactions")
@click.argument("target")
@click.argument("number", required=False, type=click.IntRange(min=1), metavar="[N]")
@json_option
@roots_option
@cache_option
@waiting("reading…")
def compactions(
    target: str,
    number: int | None,
    as_json: bool,
    named_roots: tuple[str, ...],
    no_cache: bool,
) -> None:
    """Show what each compaction cut: before, after, reduction, and what was kept, put back or lost.

    N is one of them, counted from 1 on the main line. A subagent's are those of TARGET@agent:ID.
    """
    found = resolve(target, roots_or_none(named_roots, [target]))
    with closing(found.session) as session:
        several = number is None and found.segment is None and _count_of(session) > 1
        shown = 0
        for each in _chosen(session, number, found.segment):
            if as_json:
                print_json(compaction_json(each, boundary_json(each.boundary)))
            else:
                print_line() if shown else None
                print_compaction(session, each, whole=not several)
            shown += 1
        if not shown and not as_json:
            print_line("never compacted")


def _count_of(session: Session) -> int:
    return sum(segment.boundary is not None for segment in session.segments)


def _chosen(session: Session, number: int | None, segment: int | None) -> Iterable[Compaction]:
    """The compaction asked for, that which opens the segment of the target, or all."""
    if number is not None:
        return [compaction(session, number)]
    if segment is None:
        return each_compaction(session)
    opening = [s.number for s in session.segments if s.boundary is not None]
    if segment not in opening:
        raise CcbrowseError(
            f"no compaction opens segment {segment}", session.session_id, "leave out the #"
        )
    return [compaction(session, opening.index(segment) + 1)]


def print_compaction(session: Session, found: Compaction, *, whole: bool) -> None:
    """A compaction for people; `whole` with the list of what was not found."""
    facts = found.boundary.facts
    head = [f"compaction {found.number}", one_line(facts.trigger or "unknown trigger", 20)]
    if found.boundary.kind.value != "full":
        head.append(found.boundary.kind.value.replace("_", " "))
    head += [clock(found.boundary.time), duration(facts.duration_ms)]
    closes = f"closes segment {found.closes}" if found.closes else "the file starts here"
    print_line("━━ " + " · ".join(head) + f" · {closes}, opens {found.opens}")
    if found.instructions:
        print_line(f"   instructions: {one_line(found.instructions, WIDTH)}")
    _print_figures(found)
    _print_around(session, found)
    if found.loss is not None:
        _print_buckets(found.loss)
        _print_lost(found, whole)


def _print_figures(found: Compaction) -> None:
    """The table of the requests before and after, and how much smaller the second is."""
    before, after, cut = found.before, found.after, found.reduction
    rows = [("", "before", "after", "reduction")]
    rows.append(
        (
            "messages",
            _count(before, "messages"),
            _count(after, "messages"),
            share_words(cut.messages),
        )
    )
    rows.append(
        ("message tokens", _texts(before), _texts(after), share_words(cut.message_tokens)),
    )
    rows.append(
        (
            "message bytes",
            size(before.bytes) if before else "–",
            size(after.bytes) if after else "–",
            share_words(cut.bytes),
        )
    )
    facts = found.boundary.facts
    rows.append(
        (
            "tokens by the boundary",
            signed(exact(facts.pre_tokens, Source.BOUNDARY)),
            signed(exact(facts.post_tokens, Source.BOUNDARY)),
            share_words(cut.boundary_tokens),
        )
    )
    rows.append(
        (
            "tokens by the requests",
            signed(before.api_input) if before else "–",
            signed(after.api_input) if after else "–",
            share_words(cut.api_input),
        )
    )
    print_table(rows, right=frozenset({1, 2}))
    _print_sources(before, after)
    _print_wrapped(TWO_AFTERS)


def _print_sources(before: Side | None, after: Side | None) -> None:
    """How the two requests are known, and what no record tells of them."""
    sources = {side.source for side in (before, after) if side}
    print_line(f"   requests: {' and '.join(sorted(sources)) or 'unknown'}")
    unknown = dict.fromkeys(word for side in (before, after) if side for word in side.unknown)
    if unknown:
        _print_wrapped(
            "not known of them: " + ", ".join(word.replace("_", " ") for word in unknown)
        )
    if after is None:
        print_line("   no request has followed yet")


def _print_wrapped(text: str) -> None:
    for part in wrap(text, WIDTH):
        print_line(f"   {display_text(part)}")


def _count(side: Side | None, name: str) -> str:
    return f"{getattr(side, name):,}" if side else "–"


def _texts(side: Side | None) -> str:
    return signed(side.message_tokens) if side else "–"


def _print_around(session: Session, found: Compaction) -> None:
    """The call itself, the summary, the file, and what was kept and put back."""
    basis = found.call.basis.value.replace("_", " ")
    print_line(f"   the compaction itself: {signed(found.call.tokens)} tokens ({basis})")
    if found.summary is not None:
        print_line(f"   summary: {signed(found.summary.tokens)} tokens")
    file = found.file
    print_line(
        f"   file: {file.lines:,} lines, {size(file.bytes)} before; {file.added_lines} lines, "
        f"{size(file.added_bytes)} appended"
    )
    if found.carried_over:
        kept = len(found.carried_over)
        print_line(f"   kept: {kept:,} {'message' if kept == 1 else 'messages'}, as they were")
    for each in found.put_back:
        what = "named only" if each.is_reference else signed(each.tokens)
        print_line(
            f"   put back: {one_line(each.type.replace('_', ' '), 24)} {one_line(each.label, 60)} · {what}"
        )
    for micro in found.micro_compacted:
        sure = "was" if micro.certain else "may have been"
        print_line(f"   a result {sure} emptied for the model: {display_text(micro.uuid)}")


def _print_buckets(loss: Loss) -> None:
    """Kind by bucket: how many items, and what they weigh."""
    buckets = list(BUCKET_NAMES)
    rows = [("what became of it", "before", *BUCKET_NAMES.values(), "")]
    for kind, name in KIND_NAMES.items():
        cells = [loss.table.get((kind, bucket)) for bucket in buckets]
        if any(cells):
            rows.append((name, _cell_of(cells), *(_cell(cell) for cell in cells), ""))
    sums: list[BucketSum | None] = [loss.buckets[bucket] for bucket in buckets]
    rows.append(("all", _cell_of(sums), *(_cell(cell) for cell in sums), ""))
    print_line()
    print_table(rows, right=frozenset(range(1, 6)))


def _cell(cell: BucketSum | None) -> str:
    if cell is None or not cell.items:
        return "–"
    return f"{cell.items} · {short_tokens(cell.tokens)}" if cell.tokens.value else str(cell.items)


def _cell_of(cells: list[BucketSum | None]) -> str:
    """What all buckets hold together."""
    known = [cell for cell in cells if cell is not None]
    tokens = sum(cell.tokens.value or 0 for cell in known)
    whole = BucketSum(sum(c.items for c in known), Number(tokens, Source.ESTIMATE, None))
    return _cell(whole)


def _print_lost(found: Compaction, whole: bool) -> None:
    """The items that were not found, the likely most worth first; the same one once."""
    assert found.loss is not None
    lost: dict[tuple[ItemKind, str], list[Item]] = {}
    for item in found.loss.of(Bucket.NOT_FOUND):
        lost.setdefault((item.kind, item.label), []).append(item)
    if not lost:
        return
    shown = len(lost) if whole else SHOWN
    print_line()
    print_line(f"not found · {found.loss.buckets[Bucket.NOT_FOUND].items} · by worth")
    for (kind, label), items in list(lost.items())[:shown]:
        times = f" {len(items)}×" if len(items) > 1 else ""
        tokens = short_tokens(items[0].tokens) if items[0].tokens.value else ""
        print_line(f"  {_ITEM_NAMES[kind]:8} {one_line(label, WIDTH)}{times}  {tokens}".rstrip())
    if len(lost) > shown:
        print_line(
            f"  … and {len(lost) - shown} more: `ccbrowse compactions TARGET {found.number}`"
        )
    print_line(f"  {NOT_FOUND_MEANS}")
