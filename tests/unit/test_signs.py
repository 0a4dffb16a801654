import pytest
from rich.cells import cell_len

from ccbrowse.core.text import SafeText
from ccbrowse.tui.signs import ASCII, UNICODE, resample, sparkline


def test_every_plain_sign_is_ascii_and_as_wide_as_the_other() -> None:
    for name in UNICODE.__struct_fields__:
        sign, plain = getattr(UNICODE, name), getattr(ASCII, name)
        if isinstance(sign, str):
            assert plain.isascii(), name
            assert len(plain) == cell_len(sign) == len(sign), name


def test_texts_keep_their_width_and_words_in_plain_signs() -> None:
    text = SafeText("“98,214=” → 22,040≈ · −78 % – ▁▄█ 漢字")
    plain = ASCII.text(text)
    assert plain == '"98,214=" > 22,040~ - -78 % - _:# 漢字'
    assert cell_len(plain) == cell_len(text)
    assert UNICODE.text(text) is text


@pytest.mark.parametrize(
    ("values", "columns", "fitted"),
    [
        ([1, 9, 2, 3], 2, [9, 3]),
        ([1, 2], 4, [1, 1, 2, 2]),
        ([5], 3, [5, 5, 5]),
        ([], 3, []),
        ([1, 2], 0, []),
    ],
)
def test_resample_keeps_peaks(values: list[int], columns: int, fitted: list[int]) -> None:
    assert resample(values, columns) == fitted


def test_sparkline_fills_its_cells() -> None:
    assert sparkline([0, 50, 100], 3) == "▁▄█"
    assert sparkline([25, 100, 400], 3, scale=200) == "▁▄█"
    assert sparkline([0, 0], 2) == "▁▁"
    assert sparkline([], 4) == "    "
    assert len(sparkline(range(1000), 6)) == 6
