import re

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from ccbrowse.core.text import cell_width, clip, display_text, fit, one_line

ANYTHING = st.text(st.characters(exclude_categories=()))  # half surrogates too
HOSTILE = st.text(
    st.sampled_from(
        "ab1;[]PX^_k\\m \t\r\n\x00\x07\x18\x1b\x7f\x85\x90\x98\x9b\x9c\x9d\x9f\u00ad\u0301\u200b"
        "\u200c\u200d\u200e\u2028\u202e\u2066\u20e3\u2665\u3164\ud83d\ude00\ufe0e\ufe0f\uffff漢"
        "\U0001f3f4\U0001f3fd\U0001f468\U000e0067\U000e007f"
    ),
    max_size=40,
)
STRINGS = ANYTHING | HOSTILE
FORBIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\u200e\u200f\ufeff\ud800-\udfff]"
)
WORD = st.text(st.characters(categories=["L", "N"], max_codepoint=0x2FF), min_size=1, max_size=8)
SEQUENCE = st.sampled_from(
    [
        "\x1b[31m",
        "\x1b[?25l",
        "\x9b2J",
        "\x1b]0;owned\x07",
        "\x1b]52;c;Zm9v\x1b\\",
        "\x1bP1q~\x1b\\",
        "\x1b_G1\x1b\\",
        "\x9d2;t\x9c",
        "\x1b(B",
        "\x1bc",
        "\x00",
        "\x08\x08",
        "\u202e",
    ]
)


@given(STRINGS, st.booleans(), st.integers(0, 9))
def test_nothing_that_moves_is_left_and_a_second_time_changes_nothing(
    raw: str, newlines: bool, tabs: int
) -> None:
    once = display_text(raw, newlines=newlines, tabs=tabs)
    assert FORBIDDEN.search(once.replace("\n", "") if newlines else once) is None
    assert display_text(once, newlines=newlines, tabs=tabs) == once
    once.encode()


@given(st.lists(st.tuples(WORD, SEQUENCE)))
def test_text_between_sequences_stays(parts: list[tuple[str, str]]) -> None:
    raw = "".join(word + sequence for word, sequence in parts)
    assert display_text(raw) == "".join(word for word, _ in parts)


@given(st.text(st.characters(categories=["L", "N", "P", "S"], max_codepoint=0x2FF)))
def test_plain_text_is_not_touched(raw: str) -> None:
    assert display_text(raw) is raw


@given(STRINGS, st.integers(-1, 30))
def test_lines_fit_their_cells(raw: str, cells: int) -> None:
    text = display_text(raw)
    cut = clip(text, cells)
    assert cell_width(cut) <= max(0, cells)
    if cells > 0 and cell_width(text) <= cells:
        assert cut == text
    else:
        assert text.startswith(cut.removesuffix("…"))
    line = one_line(raw, cells)
    assert cell_width(line) <= max(0, cells)
    assert "  " not in line


@given(HOSTILE)
def test_safe_text_is_as_wide_as_textual_draws_it(raw: str) -> None:
    text = display_text(raw)
    assert cell_width(text) == cell_len(text)


@given(HOSTILE, st.integers(0, 20), st.integers(0, 20))
def test_what_fits_is_the_longest_beginning_that_fits(raw: str, cells: int, start: int) -> None:
    text = display_text(raw)[start:]
    end = fit(text, cells)
    assert cell_width(text[:end]) <= cells
    assert end == len(text) or cell_width(text[: end + 1]) > cells
    assert fit("漢" + text, cells, start=1) == end + 1
