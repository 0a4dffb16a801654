"""What a compaction lost and kept, as Markdown: a table of sums, then every item."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ccbrowse.core.compaction import Bucket, Compaction, Loss
from ccbrowse.core.compaction.report import BUCKET_NAMES, KIND_NAMES, NOT_FOUND_MEANS, TWO_AFTERS
from ccbrowse.core.export.commonmark import code
from ccbrowse.core.numbers import Source, exact, signed


def loss_markdown(
    found: Compaction, clean: Callable[[str], str] = lambda text: text
) -> Iterator[str]:
    """What a compaction lost and kept, as Markdown, piece by piece; each piece ends its lines.

    `clean` is applied to every text of the session's, so that an export can mask what is in it.
    """
    facts = found.boundary.facts
    trigger = facts.trigger or "unknown trigger"
    yield f"# Compaction {found.number}: what became of segment {found.closes or '–'}\n\n"
    yield f"- trigger: {_span(clean(trigger))}, {found.boundary.kind.value.replace('_', ' ')}\n"
    if found.instructions:
        yield f"- instructions: {_span(clean(found.instructions))}\n"
    yield f"- by the boundary: {_stated(facts.pre_tokens)} → {_stated(facts.post_tokens)} tokens\n"
    if found.before and found.after:
        before, after = found.before.api_input, found.after.api_input
        yield f"- by the requests before and after: {signed(before)} → {signed(after)} tokens\n"
        yield f"- {TWO_AFTERS}\n"
    yield f"- the compaction itself: {signed(found.call.tokens)} tokens\n\n"
    if found.loss is None:
        yield "There is no segment before it in this file.\n"
        return
    yield from _table(found.loss)
    for bucket in (Bucket.NOT_FOUND, Bucket.IN_SUMMARY, Bucket.PUT_BACK, Bucket.KEPT):
        yield from _section(found.loss, bucket, clean)


def _table(loss: Loss) -> Iterator[str]:
    yield "| items (tokens) | " + " | ".join(BUCKET_NAMES.values()) + " |\n"
    yield "|---|" + "---:|" * len(BUCKET_NAMES) + "\n"
    for kind, name in KIND_NAMES.items():
        cells = [loss.table.get((kind, bucket)) for bucket in BUCKET_NAMES]
        if any(cells):
            shown = [f"{c.items} ({signed(c.tokens, error=False)})" if c else "–" for c in cells]
            yield f"| {name} | " + " | ".join(shown) + " |\n"
    sums = [loss.buckets[bucket] for bucket in BUCKET_NAMES]
    yield (
        "| all | "
        + " | ".join(f"{c.items} ({signed(c.tokens, error=False)})" for c in sums)
        + " |\n\n"
    )


def _section(loss: Loss, bucket: Bucket, clean: Callable[[str], str]) -> Iterator[str]:
    items = list(loss.of(bucket))
    if not items:
        return
    yield f"## {BUCKET_NAMES[bucket].capitalize()} ({len(items)})\n\n"
    if bucket is Bucket.NOT_FOUND:
        yield f"{NOT_FOUND_MEANS}\n\n"
    for item in items:
        yield f"- {KIND_NAMES[item.kind]}: {_span(clean(item.label))}"
        if item.evidence:
            yield f"\n  - {_span(clean(item.evidence))}"
        yield "\n"
    yield "\n"


def _stated(tokens: int | None) -> str:
    """A figure of the boundary's."""
    return signed(exact(tokens, Source.BOUNDARY))


def _span(text: str) -> str:
    """A text of any length on one line, where nothing in it acts."""
    return code(" ".join(text.split()))
