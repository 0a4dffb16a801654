"""The context window of a session: looked up by model, unless the session shows or someone says more."""

from __future__ import annotations

import pytest

from ccbrowse.core.windows import Window, WindowSource, window_of


@pytest.mark.parametrize(
    ("model", "value"),
    [
        ("claude-opus-4-5-20251101", 200_000),
        ("claude-opus-4-6", 200_000),
        ("claude-opus-4-7", 1_000_000),
        ("claude-opus-4-8", 1_000_000),
        ("claude-opus-4-10", 1_000_000),
        ("claude-opus-4-1-20250805", 200_000),
        ("claude-sonnet-4-20250514", 200_000),
        ("claude-sonnet-4-5-20250929", 200_000),
        ("claude-sonnet-4-6", 200_000),
        ("claude-sonnet-5", 1_000_000),
        ("claude-opus-5-5", 1_000_000),
        ("claude-fable-5", 1_000_000),
        ("claude-haiku-4-5-20251001", 200_000),
        ("claude-haiku-5", 200_000),
        ("us.anthropic.claude-opus-4-7-v1:0", 1_000_000),
        ("claude-3-5-sonnet-20241022", 200_000),
        ("claude-3-opus-20240229", 200_000),
        ("claude-3-haiku-20240307", 200_000),
        ("claude-2.1", 200_000),
    ],
)
def test_a_known_model_has_the_window_of_the_table(model: str, value: int) -> None:
    assert window_of(model, 0) == Window(value, WindowSource.TABLE)


@pytest.mark.parametrize("model", [None, "", "gpt-7", "claude", "opus"])
def test_of_an_unknown_model_the_window_is_unknown(model: str | None) -> None:
    assert window_of(model, 200_000) == Window(None, WindowSource.UNKNOWN)


@pytest.mark.parametrize("model", ["claude-haiku-4-5", "gpt-7", None])
def test_a_request_above_the_small_window_tells_of_the_large_one(model: str | None) -> None:
    assert window_of(model, 200_001) == Window(1_000_000, WindowSource.SEEN)


def test_what_the_user_states_counts_most() -> None:
    window = window_of("claude-opus-4-8", 900_000, setting=400_000)
    assert window.to_json() == {"value": 400_000, "source": "setting"}


def test_sources_have_the_contracts_names() -> None:
    assert {source.value for source in WindowSource} == {
        "setting",
        "usage>200k",
        "table",
        "unknown",
    }
