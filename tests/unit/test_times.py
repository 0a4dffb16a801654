"""Timestamps of records: to milliseconds and back, and the span of many."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ccbrowse.core.index import NO_TIME, iso
from ccbrowse.core.records.times import milliseconds, span_of, times_of

MOMENT = 1_767_323_045_678
STAMP = "2026-01-02T03:04:05.678Z"


def test_a_stamp_of_the_client_is_milliseconds_and_back() -> None:
    assert milliseconds(STAMP) == MOMENT
    assert iso(MOMENT) == STAMP


@pytest.mark.parametrize(
    ("stamp", "moment"),
    [
        ("2026-01-02T03:04:05Z", MOMENT - 678),
        ("2026-01-02T03:04:05.678", MOMENT),
        ("2026-01-02T04:04:05.678+01:00", MOMENT),
        ("2026-01-02T03:04:05.678499Z", MOMENT),
        ("1970-01-01T00:00:00Z", 0),
    ],
)
def test_other_forms_of_a_time_are_read_as_well(stamp: str, moment: int) -> None:
    assert milliseconds(stamp) == moment


@pytest.mark.parametrize(
    "stamp",
    ["", "now", "2026-02-30T00:00:00Z", "1969-12-31T23:59:59Z", "0001-01-01T00:00:00+14:00",
     "9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59-14:00"],
)  # fmt: skip
def test_what_is_no_time_of_a_session_is_no_time(stamp: str) -> None:
    assert milliseconds(stamp) == NO_TIME


def test_no_time_is_written_as_none() -> None:
    assert iso(NO_TIME) is None
    assert milliseconds(None) == NO_TIME


@given(st.datetimes(datetime(1970, 1, 1), datetime(2100, 1, 1)))
def test_every_moment_comes_back(moment: datetime) -> None:
    time = round(moment.replace(tzinfo=UTC).timestamp() * 1000)
    stamp = iso(time)
    assert stamp is not None
    assert len(stamp) == len(STAMP)
    assert milliseconds(stamp) == time


STAMPS = st.lists(
    st.none()
    | st.integers(0, 4_000_000_000_000).map(iso)
    | st.sampled_from(["", "zzzz", STAMP, "2026-01-02T03:04:05Z", "?" * 24, "9" * 24, "2026-01-02"])
)


@given(STAMPS)
def test_the_span_is_that_of_the_times_that_can_be_read(stamps: list[str | None]) -> None:
    times = [time for time in times_of(stamps) if time != NO_TIME]
    assert span_of(stamps) == ((min(times), max(times)) if times else None)
