"""Numbers, sizes and times as the screens write them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from ccbrowse.core.index import NO_TIME
from ccbrowse.core.numbers import UNKNOWN, Number, Source
from ccbrowse.tui.viewmodels import figures

SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000
NOON = int(datetime(2026, 3, 3, 12, 5, 41, tzinfo=UTC).timestamp() * 1000)


def test_each_count_carries_the_sign_of_its_source() -> None:
    assert figures.tokens(Number(151_004, Source.USAGE)) == "151,004="
    assert figures.tokens(Number(98_214, Source.BOUNDARY)) == "98,214="
    assert figures.tokens(Number(6_120, Source.ESTIMATE, 0.04)) == "6,120≈"
    assert figures.tokens(UNKNOWN) == "–"
    assert figures.short_tokens(Number(4_099, Source.ESTIMATE, 0.04)) == "4.1k≈"
    assert figures.short_tokens(UNKNOWN) == "–"


@pytest.mark.parametrize(
    ("value", "short", "tenths"),
    [
        (0, "0", "0"),
        (999, "999", "999"),
        (1_000, "1.0k", "1.0k"),
        (9_949, "9.9k", "9.9k"),
        (9_950, "10k", "9.9k"),
        (167_040, "167k", "167.0k"),
        (999_499, "999k", "999.5k"),
        (999_950, "1.0M", "1.00M"),
        (1_234_567, "1.2M", "1.23M"),
    ],
)
def test_counts_in_short(value: int, short: str, tenths: str) -> None:
    assert figures.short(value) == short
    assert figures.tenths(value) == tenths


def test_windows_are_named_in_round_words_where_they_are_round() -> None:
    assert [figures.window_size(n) for n in (200_000, 1_000_000, 123_456)] == [
        "200k",
        "1M",
        "123,456",
    ]


def test_a_reduction_is_a_share_and_nothing_where_a_side_is_not_known() -> None:
    assert figures.reduction(98_214, 22_040) == "−78 %"
    assert figures.reduction(100, 150) == "+50 %"
    assert figures.reduction(None, 5) == ""
    assert figures.reduction(0, 5) == ""
    assert figures.reduction(5, None) == ""


@pytest.mark.parametrize(
    ("milliseconds", "words", "short"),
    [
        (-5, "0.0 s", "0s"),
        (900, "0.9 s", "0s"),
        (41 * SECOND, "41 s", "41s"),
        (119 * SECOND, "119 s", "119s"),
        (2 * MINUTE, "2 m", "2m"),
        (HOUR + 12 * MINUTE, "1 h 12 m", "1h12m"),
        (3 * DAY + 4 * HOUR, "3 d 4 h", "3d4h"),
    ],
)
def test_durations(milliseconds: int, words: str, short: str) -> None:
    assert figures.span(milliseconds) == words
    assert figures.short_span(milliseconds) == short


@pytest.mark.parametrize(
    ("passed", "words"),
    [
        (-HOUR, "–"),
        (-30 * SECOND, "now"),
        (59 * SECOND, "now"),
        (2 * MINUTE, "2m"),
        (59 * MINUTE, "59m"),
        (HOUR, "1h"),
        (23 * HOUR, "23h"),
        (DAY, "1d"),
        (13 * DAY, "13d"),
        (14 * DAY, "2w"),
        (800 * DAY, "2y"),
    ],
)
def test_ages(passed: int, words: str) -> None:
    assert figures.age(NOON - passed, NOON) == words


def test_what_has_no_time_has_no_words_for_it() -> None:
    assert figures.age(NO_TIME, NOON) == "–"
    for told in (figures.clock, figures.day, figures.stamp):
        assert told(NO_TIME) == ""
        assert told(1 << 61) == ""


def test_local_times() -> None:
    assert figures.clock(NOON) == "12:05"
    assert figures.day(NOON) == "Tue 3 March 2026"
    assert figures.stamp(NOON) == "2026-03-03 12:05:41"


def test_sizes_and_counts() -> None:
    sizes = [figures.byte_size(n) for n in (812, 4_100, 30_400_000, 2_100_000_000)]
    assert sizes == ["812 B", "4.1 kB", "30.4 MB", "2.1 GB"]
    assert figures.counted(1, "turn") == "1 turn"
    assert figures.counted(1_200, "turn") == "1,200 turns"
    assert figures.counted(2, "branch", "branches") == "2 branches"
