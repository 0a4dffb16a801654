"""A disk that does not answer: the app does, and shows the session once it comes."""

from __future__ import annotations

from pathlib import Path

import pytest
from builders import sampler, written
from disks import Disk, broken
from driving import opened, sessions_open, toasts, until

from ccbrowse.core.session import Session
from ccbrowse.tui.app import CcbrowseApp
from ccbrowse.tui.screens.help import HelpPage
from ccbrowse.tui.screens.sessions import SessionsScreen


async def test_keys_are_answered_while_the_disk_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(sampler("2.1.332"), tmp_path / "projects")
    async with sessions_open(path.parent.parent) as (pilot, _):
        app = pilot.app
        assert isinstance(app, CcbrowseApp)
        disk = Disk(monkeypatch, tmp_path)
        disk.holds(path)
        await pilot.press("enter")
        await pilot.press("question_mark")
        await until(lambda: isinstance(app.screen, HelpPage))
        assert not disk.go.is_set()
        await pilot.press("escape")
        disk.go.set()
        screen = await opened(app)
        assert screen.reading is not None
        assert len(screen.reading.session.segments) == 3


async def test_a_disk_that_breaks_is_a_notice_and_the_list_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(sampler("2.1.332"), tmp_path / "projects")
    async with sessions_open(path.parent.parent) as (pilot, screen):

        def fail(session: Session, *words: object, **named: object) -> None:
            raise broken(path)

        with monkeypatch.context() as patch:
            patch.setattr(Session, "__init__", fail)
            await pilot.press("enter")
            await until(lambda: any("Input/output error" in each for each in toasts(pilot)))
            await until(lambda: pilot.app.screen is screen)
        assert isinstance(pilot.app.screen, SessionsScreen)
        await pilot.press("enter")
        app = pilot.app
        assert isinstance(app, CcbrowseApp)
        await opened(app)
