"""Learning from a session's own usage: it finds the truth, is not fooled, and knows how sure it is."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from statistics import median

import pytest

from ccbrowse.core.estimate import (
    CTOK,
    ENOUGH,
    FAMILIES,
    Learned,
    Observation,
    TextCounts,
    estimate,
    learn,
)
from ccbrowse.core.estimate.factors import scale
from ccbrowse.core.estimate.learning import SMALLEST

MODEL = "claude-opus-5"


def some_text(random: Random) -> TextCounts:
    """Sums like those of a tool result: a few hundred to a few thousand tokens of code."""
    tokens = round(random.lognormvariate(7, 0.8)) + SMALLEST
    chars = round(tokens * random.uniform(3, 4.2))
    return TextCounts(
        tokens=tokens,
        chars=chars,
        bytes=chars,
        lines=round(chars * random.uniform(0.01, 0.03)),
        digits=round(chars * random.uniform(0.01, 0.08)),
        spaces=round(chars * random.uniform(0.12, 0.28)),
    )


def session(
    seed: int, size: int, truth: Callable[[TextCounts, Random], float]
) -> list[Observation]:
    random = Random(seed)
    texts = [some_text(random) for _ in range(size)]
    return [Observation(text, max(0, round(truth(text, random)))) for text in texts]


def quantile(values: list[float], share: float) -> float:
    return sorted(values)[int(share * len(values))]


def noisy(factor: float, noise: float) -> Callable[[TextCounts, Random], float]:
    return lambda text, random: text.tokens * factor * random.gauss(1, noise)


def with_outliers(factor: float) -> Callable[[TextCounts, Random], float]:
    def truth(text: TextCounts, random: Random) -> float:
        hidden = random.choice([-0.6, 0.8, 3.0]) * text.tokens if random.random() < 0.2 else 0
        return text.tokens * factor * random.gauss(1, 0.05) + hidden

    return truth


@pytest.mark.parametrize("kind", FAMILIES)
@pytest.mark.parametrize("factor", [0.9, 2.2])
def test_a_changed_factor_is_learned_from_twenty_requests(kind: str, factor: float) -> None:
    off = []
    for seed in range(40):
        learned = learn(session(seed, 20, noisy(factor, 0.04)), kind)
        assert (learned.source, learned.n) == ("session", 20)
        off.append(abs(learned.factor / factor - 1))
    assert median(off) < 0.012
    assert quantile(off, 0.9) < 0.03


def test_hidden_text_and_cleared_results_do_not_mislead_it() -> None:
    off = [
        abs(learn(session(seed, 25, with_outliers(2.2)), "5").factor / 2.2 - 1)
        for seed in range(40)
    ]
    assert median(off) < 0.015
    assert quantile(off, 0.9) < 0.04


@pytest.mark.parametrize("seed", range(5))
def test_it_comes_closer_with_every_request(seed: int) -> None:
    observations = session(seed, 400, noisy(2.2, 0.1))
    off = [abs(learn(observations[:n], "5").factor / 2.2 - 1) for n in (0, 5, 400)]
    assert off == sorted(off, reverse=True)
    assert off[-1] < 0.012


@pytest.mark.parametrize(
    ("basis", "truth"),
    [
        ("tokens", lambda text, _: text.tokens * 1.9),
        ("chars", lambda text, _: text.chars / 2.1),
        ("table", lambda text, _: text.tokens * scale(text, "5").factor * 1.3),
    ],
)
def test_it_finds_out_what_the_truth_follows(
    basis: str, truth: Callable[[TextCounts, Random], float]
) -> None:
    learned = learn(session(1, 20, truth), "5")
    assert learned.basis == basis
    for each in session(2, 20, truth):
        found = estimate(each.counts, MODEL, learned)
        assert found.value == pytest.approx(each.true_tokens, rel=0.01)
        assert found.source == "session"


@pytest.mark.parametrize("noise", [0.03, 0.2])
def test_the_stated_error_holds_the_truth_in_four_of_five_texts(noise: float) -> None:
    held = []
    for seed in range(30):
        learned = learn(session(seed, 40, noisy(1.9, noise)), "5")
        for each in session(1000 + seed, 40, noisy(1.9, noise)):
            found = estimate(each.counts, MODEL, learned)
            held.append(abs(each.true_tokens - found.value) <= found.error * found.value)
    assert 0.75 < sum(held) / len(held) < 0.9


def test_little_is_no_lesson() -> None:
    observations = session(3, ENOUGH - 1, noisy(2.2, 0))
    learned = learn(observations, "5")
    assert (learned.source, learned.n) == ("table", 0)
    assert estimate(observations[0].counts, MODEL, learned) == estimate(
        observations[0].counts, MODEL
    )
    assert [round(learn([], kind).factor, 1) for kind in FAMILIES] == [1.3, 1.6, 1.5]


def test_three_that_agree_against_the_table_are_believed_with_care() -> None:
    few, many = (learn(session(4, n, noisy(2.2, 0.01)), "5") for n in (3, 40))
    assert few.factor == pytest.approx(2.2, rel=0.1)
    assert few.error > 2 * many.error


@pytest.mark.parametrize(
    ("tokens", "true", "guessed"),
    [
        (SMALLEST - 1, 160, 0),  # mostly frame
        (1000, 0, 0),  # nothing grew
        (1000, -500, 0),  # a compaction between
        (1000, 9000, 0),  # an image between
        (1000, 200, 0),  # a result cleared away
        (1000, 1500, 7),  # not really counted
    ],
)
def test_what_tells_nothing_is_left_out(tokens: int, true: int, guessed: int) -> None:
    useless = Observation(TextCounts(tokens=tokens, chars=3600, bytes=3600, guessed=guessed), true)
    good = session(5, 10, noisy(1.5, 0.02))
    assert learn([useless] * 9, "5").n == 0
    assert learn([*good, *[useless] * 9], "5") == learn(good, "5")


def test_the_order_of_requests_does_not_matter() -> None:
    observations = session(6, 25, with_outliers(1.4))
    forward, backward = learn(observations, "4.6-"), learn(observations[::-1], "4.6-")
    assert forward.factor == pytest.approx(backward.factor, rel=1e-9)
    assert forward.error == pytest.approx(backward.error, rel=1e-9)


# --- the library as teacher ---------------------------------------------------------------------


def taught(factor: float) -> Learned:
    return learn(session(7, 60, noisy(factor, 0.04)), "5", source="library")


def test_a_new_session_starts_with_what_the_library_knows() -> None:
    library = taught(2.2)
    assert (library.source, library.n) == ("library", 60)
    assert learn([], "5", library) is library
    few = learn(session(8, 4, noisy(2.2, 0.04)), "5", library)
    assert few.source == "session"
    assert few.factor == pytest.approx(2.2, rel=0.03)
    found = estimate(session(9, 1, noisy(2.2, 0))[0].counts, MODEL, library)
    assert found.source == "library"
    assert found.factor == pytest.approx(2.2, rel=0.1)


def test_a_session_overrules_the_library() -> None:
    learned = learn(session(10, 30, noisy(1.5, 0.04)), "5", taught(2.2))
    assert learned.factor == pytest.approx(1.5, rel=0.03)


def test_a_factor_serves_its_own_family_and_counter_alone() -> None:
    library = taught(2.2)
    text = session(11, 1, noisy(1, 0))[0].counts
    assert estimate(text, "claude-opus-4-6", library) == estimate(text, "claude-opus-4-6")
    assert learn([], "4.6-", library).source == "table"
    by_ctok = TextCounts(tokens=900, chars=2000, bytes=2000, encoding=CTOK)
    assert estimate(by_ctok, MODEL, library).factor == 1.0
    assert learn([Observation(by_ctok, 910)], "5", library).encoding == CTOK


def test_a_model_never_measured_is_known_once_it_has_been_seen() -> None:
    observations = session(12, 25, noisy(1.8, 0.04))
    text = observations[0].counts
    unknown = "claude-saga-7"
    before, after = estimate(text, unknown), estimate(text, unknown, learn(observations, "5"))
    assert before.error >= 0.12 > after.error
    assert after.factor == pytest.approx(1.8, rel=0.1)
