"""Families, the table of factors, and what it is worth on real tool results."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from statistics import median
from types import ModuleType
from typing import Any

import pytest

from ccbrowse.core.estimate import (
    CTOK,
    FAMILIES,
    UNKNOWN_ERROR,
    Estimate,
    TextCounts,
    count_text,
    estimate,
    family,
    least_error,
    tiktoken_counter,
)
from ccbrowse.core.estimate.factors import NEWER_ERROR, TABLE, TYPICAL, WIDEST, scale

MODELS = {"4.6-": "claude-opus-4-6", "4.7-4.9": "claude-opus-4-7", "5": "claude-opus-5"}


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("claude-opus-4-6", "4.6-"),
        ("claude-opus-4-5-20251101", "4.6-"),
        ("claude-haiku-4-5-20251001", "4.6-"),
        ("claude-opus-4-20250514", "4.6-"),
        ("claude-3-5-sonnet-20241022", "4.6-"),
        ("claude-3-7-sonnet@20250219", "4.6-"),
        ("claude-2.1", "4.6-"),
        ("opus-4-6", "4.6-"),
        ("claude-opus-4-7", "4.7-4.9"),
        ("claude-opus-4-7[1m]", "4.7-4.9"),
        ("us.anthropic.claude-opus-4-8-20260301-v1:0", "4.7-4.9"),
        ("CLAUDE-OPUS-4-9", "4.7-4.9"),
        ("claude-opus-4-12", "4.7-4.9"),
        ("claude-opus-5", "5"),
        ("claude-fable-5", "5"),
        ("claude-sonnet-5-20270101", "5"),
    ],
)
def test_a_measured_model_has_its_family(model: str, expected: str) -> None:
    assert (family(model), least_error(model)) == (expected, 0.0)


@pytest.mark.parametrize("model", ["claude-opus-5-5", "claude-saga-6", "claude-opus-12-1[1m]"])
def test_newer_models_take_the_newest_factors_with_a_wider_error(model: str) -> None:
    assert (family(model), least_error(model)) == ("5", NEWER_ERROR)


@pytest.mark.parametrize(
    "model", [None, "", "<synthetic>", "default", "opus", "claude", "gpt-5", "glm-4.6", "claude-²"]
)
def test_without_a_known_model_the_error_reaches_all_families(model: str | None) -> None:
    assert (family(model), least_error(model)) == ("5", UNKNOWN_ERROR)
    stated = estimate(TYPICAL, model)
    for other in MODELS.values():
        assert abs(estimate(TYPICAL, other).value / stated.value - 1) <= stated.error


def test_an_estimate_says_all_that_the_contract_asks() -> None:
    text = "def add(a, b):\n    return a + b\n" * 40
    found = estimate(count_text(text, tiktoken_counter()), "claude-opus-4-7")
    assert (found.raw, found.encoding, found.source) == (480, "cl100k_base", "table")
    assert found.value == round(found.raw * found.factor)
    assert 1.3 < found.factor < 1.8
    assert 0.05 < found.error < 0.15


def test_no_text_weighs_nothing_for_sure() -> None:
    assert estimate(TextCounts(), None) == Estimate(0, "cl100k_base", 0, 1.0, 0.0, "table")


def test_ctok_counts_are_taken_as_they_are() -> None:
    counts = TextCounts(tokens=1000, chars=2400, bytes=2400, encoding=CTOK)
    new, old = estimate(counts, "claude-opus-5"), estimate(counts, "claude-opus-4-6")
    assert (new.value, new.factor, new.encoding, new.error) == (1000, 1.0, CTOK, 0.01)
    assert (old.value, old.error) == (1000, 0.1)
    assert estimate(counts, None).error == UNKNOWN_ERROR


def test_what_was_guessed_widens_the_error() -> None:
    sure = TextCounts(tokens=1000, chars=4000, bytes=4000)
    half = TextCounts(tokens=1000, chars=4000, bytes=4000, guessed=2000)
    model = "claude-opus-5"
    assert estimate(half, model).error == pytest.approx(estimate(sure, model).error + 0.2, abs=1e-4)
    assert estimate(half, model).guessed == 2000


@pytest.mark.parametrize("kind", FAMILIES)
def test_larger_texts_are_known_better(kind: str) -> None:
    sizes = [TYPICAL]
    for _ in range(7):
        sizes.append(sizes[-1] + sizes[-1])
    errors = [scale(counts, kind).error for counts in sizes]
    factors = {round(scale(counts, kind).factor, 9) for counts in sizes}
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] > TABLE[kind].error
    assert len(factors) == 1


@pytest.mark.parametrize("kind", FAMILIES)
@pytest.mark.parametrize(
    "text", [" " * 9000, "....................\n" * 400, "7" * 9000, "┌─┐│" * 900]
)
def test_what_the_table_never_saw_has_a_wide_error_and_a_sane_factor(kind: str, text: str) -> None:
    found = scale(count_text(text, tiktoken_counter()), kind)
    assert 0.4 < found.factor < 3
    assert 0.1 < found.error <= WIDEST


@pytest.mark.parametrize(
    ("sentence", "true"),
    [  # by ctok 1.3, without frames; the same in all families
        ("今天天气很好,我们去公园散步吧。请把这个函数改成异步的。", 29),
        ("Привет! Исправь, пожалуйста, ошибку в функции входа.", 26),
        ("この関数を非同期に書き換えて、テストも追加してください。", 22),
    ],
)
def test_other_scripts_have_factors_of_their_own(sentence: str, true: int) -> None:
    counts = count_text(sentence * 40, tiktoken_counter())
    for model in MODELS.values():
        found = estimate(counts, model)
        assert found.error == 0.2
        assert abs(40 * true / found.value - 1) <= 0.2


# --- real tool results --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def fitting(root: Path) -> Any:
    """The script that makes the table."""
    spec = spec_from_file_location("fit_tokens", root / "tests" / "bench" / "fit_tokens.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up there
    spec.loader.exec_module(module)
    assert isinstance(module, ModuleType)
    return module


@pytest.fixture(scope="module")
def pairs(fitting: Any, shared: Path) -> Sequence[Any]:
    path = shared / "tokens" / "pairs.tsv"
    if not path.is_file():
        pytest.skip("no ../shared/tokens/pairs.tsv: the measured tool results are not here")
    found = fitting.read_pairs(path)
    assert isinstance(found, list)
    return found


@pytest.mark.parametrize("kind", FAMILIES)
def test_estimates_of_real_tool_results_hold_what_they_state(
    pairs: Sequence[Any], kind: str
) -> None:
    off, held = [], 0
    mine = [pair for pair in pairs if pair.family == kind]
    for pair in mine:
        found = estimate(pair.counts, MODELS[kind])
        off.append(abs(found.value / pair.true_tokens - 1))
        held += abs(pair.true_tokens - found.value) <= found.error * found.value
    assert median(off) < 0.04
    assert 0.75 < held / len(mine) < 0.85


def test_the_table_holds_for_texts_that_it_was_not_fitted_to(
    pairs: Sequence[Any], fitting: Any
) -> None:
    for kin in fitting.KIN:
        chosen = [pair for pair in pairs if pair.family in kin]
        trial = fitting.held_back(chosen, seed=7)
        for kind in kin:
            of_kind = [i for i, pair in enumerate(chosen) if pair.family == kind]
            own = fitting.part(trial, of_kind)
            assert median(own.errors) < 0.045, kind
            sizes = [chosen[i].counts.tokens for i in of_kind]
            assert 0.75 < fitting.coverage(own, sizes) < 0.85, kind


def test_the_table_in_the_code_is_the_one_that_the_script_makes(
    pairs: Sequence[Any], fitting: Any
) -> None:
    for kin in fitting.KIN:
        weights = fitting.fit_families([pair for pair in pairs if pair.family in kin])
        for kind in kin:
            assert TABLE[kind].weights == pytest.approx(weights[kind], abs=0.0006)
