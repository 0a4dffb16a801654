"""How well the loss view knows what a summary shows: over 600 facts whose fate is known."""

from __future__ import annotations

import sys

import pytest
from lossfacts import Segment, Verdict, group, judge, rate, segments

LITERAL = ("file", "error", "identifier", "number")
LEAST = {**dict.fromkeys(LITERAL, 0.95), "sentence": 0.85}
"""What precision and recall of `in summary` must be at least."""


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, list[Verdict]]:
    """Each fact judged, those of held-out segments apart."""
    found: dict[bool, list[Verdict]] = {False: [], True: []}
    for segment in segments():
        root = tmp_path_factory.mktemp(segment.name)
        found[segment.held_out] += judge(segment, root)
    return found


def table(verdicts: list[Verdict]) -> dict[str, tuple[int, float, float]]:
    """By group of facts: how many there are, precision, recall."""
    rows = {}
    for name in LEAST:
        found = rate(v for v in verdicts if group(v.fact) == name)
        rows[name] = (found.facts, found.precision, found.recall)
    return rows


def show(title: str, rows: dict[str, tuple[int, float, float]]) -> str:
    """The table for people."""
    lines = [f"{title:12} facts precision recall"]
    lines += [f"{n:12} {c:5} {p:9.3f} {r:6.3f}" for n, (c, p, r) in rows.items()]
    return "\n".join(lines)


def wrong(verdicts: list[Verdict], name: str) -> list[str]:
    """The facts of a group that were judged wrongly, for the message of a failure."""
    return [
        f"{v.segment}: {'seen' if v.found else 'not seen'}, {v.fact.fate}: {v.fact.text} | {v.evidence}"
        for v in verdicts
        if group(v.fact) == name and v.found != v.fact.shown
    ]


def test_the_facts_are_many_and_of_all_kinds() -> None:
    all_segments: list[Segment] = segments()
    facts = [fact for segment in all_segments for fact in segment.facts]
    assert len(all_segments) >= 20
    assert len(facts) >= 300
    assert 3 * sum(s.held_out for s in all_segments) >= len(all_segments)
    fates = {
        "kept",
        "paraphrased",
        "changed_value",
        "common_word",
        "same_base",
        "dropped",
        "negated",
    }
    assert {fact.fate for fact in facts} == fates
    assert len({s.style for s in all_segments}) >= 6


@pytest.mark.parametrize("held_out", [False, True], ids=["tuned", "held-out"])
def test_precision_and_recall(
    verdicts: dict[bool, list[Verdict]], held_out: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    judged = verdicts[held_out]
    rows = table(judged)
    with capsys.disabled():
        sys.stdout.write("\n" + show("held out" if held_out else "tuned", rows) + "\n")
    for name, (_, precision, recall) in rows.items():
        assert precision >= LEAST[name], wrong(judged, name)
        assert recall >= LEAST[name], wrong(judged, name)


def test_a_fact_that_is_shown_has_its_sentence(verdicts: dict[bool, list[Verdict]]) -> None:
    for judged in verdicts.values():
        assert all(bool(v.evidence) == v.found for v in judged)
