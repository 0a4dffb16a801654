"""Words of the list's filter that are not typed in full."""

from __future__ import annotations

import pytest

from ccbrowse.tui.viewmodels.fuzzy import is_meant

TITLE = "Fix login flow, signed links"


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("login", True),
        ("ogin fl", True),
        ("flf", True),
        ("fixflow", True),
        ("fsl", True),
        ("siglin", True),
        ("lgoin", True),
        ("logim", True),
        ("loggin", True),
        ("sined", True),
        ("f", True),
        ("z", False),
        ("lf", True),
        ("wolf", False),
        ("linkss", True),
        ("lnik", False),
        ("billing", False),
        ("nothing", False),
        ("flfl", True),
        ("xxlogin", False),
        ("[link", False),
    ],
)
def test_what_a_word_means(word: str, meant: bool) -> None:
    assert is_meant(word.casefold(), TITLE) is meant


def test_many_words_cost_little() -> None:
    assert not is_meant("a" * 200 + "b", "a " * 100_000)
