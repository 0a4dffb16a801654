"""Records from the future: a clock that was wrong makes no session live for ever, nor the newest."""

from __future__ import annotations

import os
from pathlib import Path

from logs import Log

from ccbrowse.core.library import Library
from ccbrowse.core.session import AHEAD, is_live
from ccbrowse.tui.cli import words
from ccbrowse.tui.viewmodels import figures

NOW = 1_780_000_000_000


def test_a_record_that_is_ahead_by_more_than_clocks_differ_is_not_live() -> None:
    assert is_live(NOW + AHEAD, NOW)
    assert not is_live(NOW + AHEAD + 1, NOW)


def test_what_is_to_come_has_no_age() -> None:
    assert (words.age(NOW + 5_000, NOW), words.age(NOW + 3_600_000, NOW)) == ("0s", "–")
    assert (figures.age(NOW + 5_000, NOW), figures.age(NOW + 3_600_000, NOW)) == ("now", "–")


def test_a_session_from_the_future_is_as_new_as_its_file(tmp_path: Path) -> None:
    for name, stamp, written in (
        ("aaaa", "9999-12-31T23:00:00.000Z", 1_700_000_000),
        ("bbbb", "2024-01-01T00:00:00.000Z", 1_704_067_200),
    ):
        log = Log(name)
        log.user("u1", "Water the trees", None, timestamp=stamp)
        os.utime(log.write(tmp_path / "projects" / "p"), (written, written))
    listings = sorted(
        Library([tmp_path / "projects"]).scan(), key=lambda each: each.sort_key, reverse=True
    )
    assert [each.session_id for each in listings] == ["bbbb", "aaaa"]
    assert not listings[1].live
