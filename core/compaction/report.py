"""The contract's object of a compaction, and its losses as Markdown for the export."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ccbrowse.core.compaction.model import (
    Bucket,
    Compaction,
    Item,
    ItemKind,
    Loss,
    PutBack,
    Side,
)
from ccbrowse.core.numbers import Number, Source

SCHEMA = "ccbrowse.compaction/1"

SIGNS = {Source.USAGE: "=", Source.BOUNDARY: "=", Source.ESTIMATE: "≈", Source.UNKNOWN: "–"}

KIND_NAMES = {
    ItemKind.USER_TEXT: "user text",
    ItemKind.DECISION: "decisions",
    ItemKind.ASSISTANT_TEXT: "assistant text",
    ItemKind.TOOL_CALL: "tool calls",
    ItemKind.TOOL_RESULT: "tool results",
    ItemKind.ERROR: "errors",
    ItemKind.FILE: "files",
}
"""The kinds of items as people read them, in the order of the table."""

BUCKET_NAMES = {
    Bucket.KEPT: "kept",
    Bucket.PUT_BACK: "put back",
    Bucket.IN_SUMMARY: "in summary",
    Bucket.NOT_FOUND: "not found",
}

NOT_FOUND_MEANS = (
    "Not found means that no matching words stand in the summary; the model may still infer it."
)

TWO_AFTERS = (
    "Two figures are true after a compaction. The boundary counts the summary, the kept messages and what "
    "was put back; the next request weighs all that is sent: system prompt, tools and reminders again."
)


def compaction_json(found: Compaction, boundary: Mapping[str, Any]) -> dict[str, Any]:
    """The object of `compactions --json`; `boundary` is that of `show --json`."""
    return {
        "schema": SCHEMA,
        "number": found.number,
        "closes": found.closes,
        "opens": found.opens,
        "boundary": dict(boundary),
        "instructions": found.instructions,
        "summary": found.summary
        and {
            "uuid": found.summary.uuid,
            "text": found.summary.text,
            "tokens": found.summary.tokens.to_json(),
        },
        "before": found.before and _side(found.before),
        "after": found.after and _side(found.after),
        "reduction": {
            "messages": found.reduction.messages,
            "bytes": found.reduction.bytes,
            "message_tokens": found.reduction.message_tokens,
            "api_input": found.reduction.api_input,
            "boundary_tokens": found.reduction.boundary_tokens,
        },
        "after_figures": {
            "boundary": number_json(found.boundary.facts.post_tokens, Source.BOUNDARY),
            "next_request": (found.after.api_input if found.after else _UNKNOWN).to_json(),
            "explanation": TWO_AFTERS,
        },
        "call": {"tokens": found.call.tokens.to_json(), "basis": found.call.basis.value},
        "file": {
            "lines": found.file.lines,
            "bytes": found.file.bytes,
            "added_lines": found.file.added_lines,
            "added_bytes": found.file.added_bytes,
        },
        "carried_over": list(found.carried_over),
        "put_back": [_put_back(each) for each in found.put_back],
        "micro_compacted": [
            {"uuid": each.uuid, "call_id": each.call_id, "certain": each.certain}
            for each in found.micro_compacted
        ],
        "buckets": _buckets(found.loss),
        "items": [_item(item) for item in found.loss.items] if found.loss else [],
        "not_found_means": NOT_FOUND_MEANS,
    }


_UNKNOWN = Number(None, Source.UNKNOWN)


def number_json(value: int | None, source: Source) -> dict[str, object]:
    """A stated value as a number; unknown where there is none."""
    return (_UNKNOWN if value is None else Number(value, source)).to_json()


def _side(side: Side) -> dict[str, Any]:
    return {
        "reply": side.reply,
        "source": side.source,
        "messages": side.messages,
        "bytes": side.bytes,
        "message_tokens": side.message_tokens.to_json(),
        "api_input": side.api_input.to_json(),
        "boundary_tokens": side.boundary_tokens.to_json(),
        "unknown": list(side.unknown),
    }


def _put_back(each: PutBack) -> dict[str, Any]:
    return {
        "uuid": each.uuid,
        "type": each.type,
        "label": each.label,
        "path": each.path,
        "tokens": each.tokens.to_json(),
        "reference": each.is_reference,
    }


def _buckets(loss: Loss | None) -> dict[str, Any]:
    none: dict[str, Any] = {"items": 0, "tokens": Number(0, Source.ESTIMATE, 0.0).to_json()}
    if loss is None:
        return {bucket.value: none for bucket in Bucket}
    return {
        bucket.value: {"items": each.items, "tokens": each.tokens.to_json()}
        for bucket, each in loss.buckets.items()
    }


def _item(item: Item) -> dict[str, Any]:
    return {
        "uuid": item.uuid,
        "kind": item.kind.value,
        "label": item.label,
        "tokens": item.tokens.to_json(),
        "bucket": item.bucket.value,
        "evidence": item.evidence,
        "detail": item.detail,
    }


def loss_markdown(
    found: Compaction, clean: Callable[[str], str] = lambda text: text
) -> Iterator[str]:
    """What a compaction lost and kept, as Markdown, piece by piece; each piece ends its lines.

    `clean` is applied to every text of the session's, so that an export can mask what is in it.
    """
    facts = found.boundary.facts
    trigger = facts.trigger or "unknown trigger"
    yield f"# Compaction {found.number}: what became of segment {found.closes or '–'}\n\n"
    yield f"- trigger: {_code(clean(trigger))}, {found.boundary.kind.value.replace('_', ' ')}\n"
    if found.instructions:
        yield f"- instructions: {_code(clean(found.instructions))}\n"
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
            shown = [f"{c.items} ({signed(c.tokens)})" if c else "–" for c in cells]
            yield f"| {name} | " + " | ".join(shown) + " |\n"
    sums = [loss.buckets[bucket] for bucket in BUCKET_NAMES]
    yield "| all | " + " | ".join(f"{c.items} ({signed(c.tokens)})" for c in sums) + " |\n\n"


def _section(loss: Loss, bucket: Bucket, clean: Callable[[str], str]) -> Iterator[str]:
    items = list(loss.of(bucket))
    if not items:
        return
    yield f"## {BUCKET_NAMES[bucket].capitalize()} ({len(items)})\n\n"
    if bucket is Bucket.NOT_FOUND:
        yield f"{NOT_FOUND_MEANS}\n\n"
    for item in items:
        yield f"- {KIND_NAMES[item.kind]}: {_code(clean(item.label))}"
        if item.evidence:
            yield f"\n  - {_code(clean(item.evidence))}"
        yield "\n"
    yield "\n"


def signed(number: Number) -> str:
    """A number in full with its sign: `98,214=`, `812≈`, `–`."""
    if number.value is None:
        return SIGNS[Source.UNKNOWN]
    return f"{number.value:,}{SIGNS[number.source]}"


def _stated(value: int | None) -> str:
    return signed(_UNKNOWN if value is None else Number(value, Source.BOUNDARY))


_TICKS = re.compile("`+")


def _code(text: str) -> str:
    """A text on one line that acts on nothing: a code span longer than any run of ticks in it."""
    flat = " ".join(text.split())
    ticks = "`" * (1 + max((len(run) for run in _TICKS.findall(flat)), default=0))
    pad = " " if flat.startswith("`") or flat.endswith("`") or not flat else ""
    return f"{ticks}{pad}{flat}{pad}{ticks}"
