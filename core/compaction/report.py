"""A compaction as the command line's JSON has it, and the words for what became of its segment."""

from collections.abc import Mapping
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
from ccbrowse.core.numbers import UNKNOWN, Number, Source, exact

SCHEMA = "ccbrowse.compaction/1"

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
            "boundary": exact(found.boundary.facts.post_tokens, Source.BOUNDARY).to_json(),
            "next_request": (found.after.api_input if found.after else UNKNOWN).to_json(),
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
