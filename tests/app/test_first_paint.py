"""What is on the screen first where a session is asked for: its end; the list beneath comes later."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import pytest
from builders import sampler, written
from driving import make_app, until

from ccbrowse.core.locate import session_file
from ccbrowse.tui.reader.session import News, Reading
from ccbrowse.tui.screens import session_work, sessions
from ccbrowse.tui.screens.session import SessionScreen
from ccbrowse.tui.screens.sessions import SessionsScreen
from ccbrowse.tui.widgets.status import KeyBar
from ccbrowse.tui.widgets.table import SessionTable


async def test_the_end_of_a_session_is_painted_first_and_the_list_beneath_made_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = written(sampler("2.1.181"), tmp_path / "projects")
    monkeypatch.setattr(session_work, "LARGE", 1_000)
    monkeypatch.setattr(sessions, "_WAKES_AFTER", 600.0)
    go, first = Event(), Reading.first

    def waits(reading: Reading) -> News:
        go.wait(20)
        return first(reading)

    monkeypatch.setattr(Reading, "first", waits)
    app = make_app(session.parent.parent)
    app.target = session_file(session)
    async with app.run_test() as pilot:
        screen, beneath = app.screen, app.screen_stack[0]
        assert isinstance(screen, SessionScreen) and isinstance(beneath, SessionsScreen)
        listed: SessionsScreen = beneath
        assert screen.timeline.count and screen.reading is None
        assert not beneath.query(SessionTable)
        await pilot.press("escape")
        go.set()
        await until(lambda: app.screen is listed and listed.is_read and listed.table.count)
        assert app.focused is beneath.table
        assert beneath.query_one(KeyBar)
