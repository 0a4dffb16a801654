"""Compactions of the recorded sessions: figures against the requests that were really sent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ccbrowse.core.compaction import Bucket, CallBasis, Compaction, compactions
from ccbrowse.core.numbers import Source
from ccbrowse.core.session import Session

SAME_TOTALS = 0.12
"""How far an estimated call may be off; the recordings' counts are characters by a factor."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A compaction of a recording, with what its requests weighed."""

    name: str
    found: Compaction
    requests: list[dict[str, Any]]


def input_side(usage: dict[str, int]) -> int:
    """What a request weighed."""
    names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    return sum(usage[name] for name in names)


@pytest.fixture(scope="module")
def recorded(shared: Path) -> list[Recorded]:
    """Every compaction of every recording."""
    return list(_recorded(shared / "recordings"))


def _recorded(root: Path) -> Iterator[Recorded]:
    for index in sorted(root.glob("*/*/requests/index.jsonl")):
        scenario = index.parents[1]
        rows = [json.loads(line) for line in index.read_text(encoding="utf-8").splitlines()]
        for path in sorted(scenario.glob("projects/*/*.jsonl")):
            session = Session.open(path)
            name = f"{scenario.parent.name}/{scenario.name}"
            for found in compactions(session):
                yield Recorded(name, found, rows)
            session.close()


def by_reply(each: Recorded, reply: str) -> dict[str, Any] | None:
    """The recorded request that a reply answered."""
    rows = each.requests
    return next((row for row in rows if row.get("reply", {}).get("id") == reply), None)


def test_there_are_many(recorded: list[Recorded]) -> None:
    assert len(recorded) >= 50


def test_the_api_weights_are_those_of_the_recorded_requests(recorded: list[Recorded]) -> None:
    checked = 0
    for each in recorded:
        for side in (each.found.before, each.found.after):
            row = by_reply(each, side.reply) if side else None
            if side is None or row is None or side.api_input.value is None:
                continue
            assert side.api_input.source is Source.USAGE
            assert side.api_input.value == input_side(row["reply"]["usage"]), each.name
            checked += 1
    assert checked >= 80


def test_two_figures_after_one_compaction(recorded: list[Recorded]) -> None:
    found = next(e.found for e in recorded if e.name == "2.1.332/s01_fastapi10")
    assert found.before is not None
    assert found.after is not None
    assert found.before.boundary_tokens.value == 17_505
    assert found.after.boundary_tokens.value == 3_598
    assert found.after.boundary_tokens.source is Source.BOUNDARY
    assert found.after.api_input.value == 15_410
    assert found.before.messages == 54
    assert found.after.messages == 6
    assert found.reduction.boundary_tokens == pytest.approx(0.7945, abs=1e-4)
    assert found.reduction.api_input == pytest.approx(0.1192, abs=1e-4)


def test_the_cost_of_the_call_itself(recorded: list[Recorded]) -> None:
    derived = estimated = 0
    for each in recorded:
        if each.found.before is None:
            continue
        # these scenarios add an offset to the usage of main requests alone
        if each.name.endswith(("s02_auto", "s03_chain", "s09_errors")):
            continue
        row = by_reply(each, each.found.before.reply)
        at = each.requests.index(row) if row else None
        calls = [r for r in each.requests[at:] if r["kind"] == "compact"] if at is not None else []
        if not calls:
            continue
        usage = calls[0]["reply"]["usage"]
        spent = input_side(usage) + usage["output_tokens"]
        call = each.found.call
        assert call.tokens.value is not None
        if call.basis is CallBasis.ESTIMATE:
            assert call.tokens.value == pytest.approx(spent, rel=call.tokens.error or 0), each.name
            estimated += 1
        else:
            assert call.tokens.value == spent, each.name
            derived += 1
    assert derived >= 6
    assert estimated >= 8


def test_kept_is_exactly_what_the_boundary_names(recorded: list[Recorded]) -> None:
    for each in recorded:
        if each.found.loss is None:
            continue
        kept = {item.uuid for item in each.found.loss.of(Bucket.KEPT)}
        assert kept <= set(each.found.boundary.preserved), each.name
        carried = [i for i in each.found.loss.items if i.uuid in each.found.carried_over]
        assert all(item.bucket is Bucket.KEPT for item in carried), each.name


def test_what_was_put_back_is_that_of_the_rows(recorded: list[Recorded]) -> None:
    found = next(e.found for e in recorded if e.name == "2.1.332/s04_tools")
    files = [(each.label, each.is_reference) for each in found.put_back if "file" in each.type]
    assert files == [("big.txt", True), ("main.py", False)]
    assert found.loss is not None
    states = {
        item.label.rsplit("/", 1)[-1]: item.bucket
        for item in found.loss.items
        if item.kind == "file"
    }
    assert states["main.py"] is Bucket.PUT_BACK
    assert states["big.txt"] is Bucket.IN_SUMMARY


def test_instructions_are_those_that_were_typed(recorded: list[Recorded]) -> None:
    said = {e.found.instructions for e in recorded if e.name.endswith("s07_micro")}
    assert said == {"keep the dumps' last rows"}
