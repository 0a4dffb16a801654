"""A short storm: it blows, it sees what breaks, and its steps can be written down and gone through again.

`make storm` goes on for as long as it is told.
"""

from __future__ import annotations

from random import Random

import pytest
from gusts import Step, gusts, read, written
from storming import Broke, Round, Seen, blow

from ccbrowse.tui.screens.sessions import SessionsScreen


def test_the_app_stands_a_short_storm() -> None:
    seen = Seen()
    steps = [step for step in gusts(Random("smoke"), 40) if step[0] != "rest"]
    blow(Round(11, tuple(steps), all_of_them=False), seen)
    assert seen.steps > 20 and len(seen.screens) > 2 and seen.keys


@pytest.mark.parametrize("fault", ["raises", "writes"])
def test_what_breaks_is_seen(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(screen: SessionsScreen) -> None:
        if fault == "raises":
            raise ValueError("a fault of ours")
        (screen._roots[0] / "note").write_text("x")

    monkeypatch.setattr(SessionsScreen, "action_sort", wrong)
    monkeypatch.setattr("storming._Blowing._target", lambda self, random: None)
    with pytest.raises((ValueError, Broke, PermissionError)):
        blow(Round(5, (("key", "s"), ("rest", 0.1)), all_of_them=False), Seen())


def test_steps_are_read_as_they_were_written() -> None:
    steps: list[Step] = gusts(Random("written"), 300)
    assert read(written(steps)) == steps
    assert gusts(Random("written"), 300) == steps
