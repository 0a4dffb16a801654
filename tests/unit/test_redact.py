"""The table that redaction is judged by: secrets found per kind and context, harmless texts changed."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable

import pytest
from lookalikes import harmless
from made_places import every_secret, placed
from made_secrets import Planted, planted

from ccbrowse.core.redact import Redactor

SEED = 20
RECALL = 0.98
FALSE_POSITIVES = 0.01


def survives(one: Planted, text: str) -> bool:
    """Whether half of the secret, or of a line of it, can still be read."""
    lines = [line for line in one.shown.split("\n") if len(line) >= 16] or [one.shown]
    return any(line[: len(line) // 2] in text or line[len(line) // 2 :] in text for line in lines)


def table(title: str, rows: Iterable[tuple[str, int, int]]) -> str:
    """Lines of name, number, caught, share."""
    lines = [f"\n{title:<28} {'all':>6} {'masked':>7} {'share':>8}"]
    lines += [f"{name:<28} {every:>6} {hit:>7} {hit / every:>8.3f}" for name, every, hit in rows]
    return "\n".join(lines)


def shares(every: Counter[str], hit: Counter[str]) -> list[tuple[str, int, int]]:
    rows = [(name, every[name], hit[name]) for name in sorted(every)]
    return [*rows, ("ALL", every.total(), hit.total())]


def test_secrets_of_every_kind_are_masked_in_every_context() -> None:
    kinds, contexts = Counter[str](), Counter[str]()
    by_kind, by_context = Counter[str](), Counter[str]()
    missed = []
    for one in every_secret(SEED):
        kinds[one.kind] += 1
        contexts[one.context] += 1
        if survives(one, Redactor().redact(one.text)):
            missed.append(one)
        else:
            by_kind[one.kind] += 1
            by_context[one.context] += 1
    sys.stdout.write(table("secrets by context", shares(contexts, by_context)))
    sys.stdout.write(table("secrets by kind", shares(kinds, by_kind)))
    assert kinds.total() >= 1400
    assert len(kinds) >= 180
    assert len(contexts) >= 20
    assert 1 - len(missed) / kinds.total() >= RECALL, missed[:5]
    assert min(by_context[name] / contexts[name] for name in contexts) >= RECALL - 0.03
    assert min(by_kind[name] / kinds[name] for name in kinds) >= 0.75


def test_harmless_texts_stay_as_they_are() -> None:
    every, changed = Counter[str](), Counter[str]()
    examples: dict[str, str] = {}
    for one in harmless(SEED, 2400):
        every[one.kind] += 1
        if Redactor().redact(one.text) != one.text:
            changed[one.kind] += 1
            examples[one.kind] = one.text
    sys.stdout.write(table("harmless texts", shares(every, changed)))
    assert every.total() >= 2000
    assert changed.total() / every.total() <= FALSE_POSITIVES, examples


def test_the_table_is_the_same_for_the_same_seed() -> None:
    assert list(planted(3)) == list(planted(3))
    assert list(placed(3)) == list(placed(3))
    assert list(harmless(3, 50)) == list(harmless(3, 50))
    assert next(planted(3)) != next(planted(4))


def test_the_judge_sees_what_is_left() -> None:
    one = Planted("token", "prose", "the token abcdefgh12345678", "abcdefgh12345678")
    assert survives(one, one.text)
    assert survives(one, "the token [redacted:token#1]12345678")
    assert not survives(one, "the token [redacted:token#1]")


@pytest.mark.parametrize("seed", [101, 102])
def test_other_seeds_do_as_well(seed: int) -> None:
    results: dict[bool, int] = defaultdict(int)
    for one in every_secret(seed):
        results[survives(one, Redactor().redact(one.text))] += 1
    assert results[True] <= (1 - RECALL) * results[False]
