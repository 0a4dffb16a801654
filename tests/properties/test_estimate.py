"""Whatever the text and whatever the numbers: counts add up, and an estimate stays a number."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from ccbrowse.core.estimate import (
    CL100K,
    FAMILIES,
    Learned,
    Observation,
    TextCounts,
    count_text,
    count_texts,
    estimate,
    family,
    learn,
    tiktoken_counter,
)
from ccbrowse.core.estimate.factors import WIDEST

ANYTHING = st.text(st.characters(exclude_categories=()))  # half surrogates too
SIZES = st.integers(0, 10**9)


@st.composite
def sums(draw: st.DrawFn) -> TextCounts:
    """Sums that a text could have: nothing exceeds its characters."""
    chars = draw(SIZES)
    parts = [draw(st.integers(0, chars)) for _ in range(4)]
    high = parts[3]
    return TextCounts(
        tokens=draw(st.integers(min(chars, 1), 3 * chars)),
        chars=chars,
        bytes=chars + draw(st.integers(high, 3 * high)),
        lines=parts[0],
        digits=parts[1],
        spaces=parts[2],
        non_ascii=high,
        encoding=draw(st.sampled_from([CL100K, "ctok"])),
        guessed=draw(st.integers(0, chars)),
    )


@given(st.lists(ANYTHING, max_size=6))
def test_the_sums_of_texts_are_the_sums_of_each(texts: list[str]) -> None:
    counter = tiktoken_counter()
    each = [count_text(text, counter) for text in texts]
    whole = count_texts(texts, counter)
    assert whole == sum(each, TextCounts())
    assert whole.tokens == sum(map(counter.count, texts))
    joined = "".join(texts)
    assert whole.chars == len(joined)
    assert whole.bytes == len(joined.encode("utf-8", "surrogatepass"))
    assert whole.non_ascii == sum(not char.isascii() for char in joined)
    assert whole.digits == sum(char.isascii() and char.isdigit() for char in joined)
    assert whole.guessed == 0


@given(ANYTHING)
def test_a_token_is_a_byte_at_the_least(text: str) -> None:
    counts = count_text(text, tiktoken_counter())
    assert (counts.tokens > 0) == bool(text)
    assert counts.tokens <= counts.bytes


@given(
    sums(), st.none() | st.text() | st.from_regex(r"claude-[a-z]{0,6}-?[0-9]{1,3}(-[0-9]{1,9})?")
)
def test_an_estimate_is_a_sane_number_for_any_sums_and_model(
    counts: TextCounts, model: str | None
) -> None:
    found = estimate(counts, model)
    assert family(model) in FAMILIES
    assert found.raw == counts.tokens
    assert found.value == round(found.raw * found.factor)
    assert 0.4 <= found.factor <= 3
    assert 0 <= found.error <= WIDEST
    assert (found.error == 0) == (found.raw == 0)


@settings(max_examples=50)
@given(
    st.lists(st.tuples(sums(), st.integers(-(10**6), 10**10)), max_size=30),
    st.sampled_from(FAMILIES),
    sums(),
)
def test_nothing_that_is_learned_breaks_an_estimate(
    seen: list[tuple[TextCounts, int]], kind: str, text: TextCounts
) -> None:
    observations = [Observation(c, true) for c, true in seen if c.encoding == text.encoding]
    learned = learn(observations, kind)
    assert isinstance(learned, Learned)
    assert learned.n <= len(observations)
    assert 0 < learned.factor < float("inf")
    assert 0 <= learned.error <= WIDEST
    model = {"4.6-": "claude-opus-4-6", "4.7-4.9": "claude-opus-4-7", "5": "claude-opus-5"}[kind]
    found = estimate(text, model, learned)
    assert found.value >= 0
    assert 0 <= found.error <= WIDEST
