"""Faults of ours: a worker's is a notice, any other ends with one line; neither tells what was read."""

from __future__ import annotations

import asyncio
import os
import pty
import select
import subprocess
import sys
from pathlib import Path
from stat import S_IMODE

import pytest
from builders import sampler, written
from driving import make_app, toasts, until
from textual.screen import Screen

from ccbrowse.core.locate import session_file
from ccbrowse.tui import crash
from ccbrowse.tui.app import CcbrowseApp
from ccbrowse.tui.reader.session import Reading
from ccbrowse.tui.screens.sessions import SessionsScreen

SECRET = "words of a transcript"


@pytest.fixture
def session(tmp_path: Path) -> Path:
    return written(sampler("2.1.181"), tmp_path / "projects")


def fail(*words: object, **named: object) -> None:
    said = SECRET
    raise ValueError(said)


def reports() -> list[Path]:
    return sorted(crash.reports_folder().glob("*.txt"))


async def test_a_fault_in_a_worker_is_a_notice_told_once(
    session: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app(session.parent.parent)
    app.survives = True
    monkeypatch.setattr("ccbrowse.tui.screens.sessions.SessionsScreen.action_sort", fail)
    async with app.run_test() as pilot:
        for _ in range(2):
            app.run_worker(lambda: fail(), thread=True, exit_on_error=True)
            await until(lambda: toasts(pilot))
            await pilot.pause()
        (told,) = toasts(pilot)
        assert "ValueError" in told
        assert str(reports()[0]) in told.replace("\n", "")
        assert SECRET not in told
        assert app.is_running
    (report,) = reports()
    text = report.read_text(encoding="utf-8")
    assert "test_faults.py:" in text
    assert "in fail" in text
    assert SECRET not in text
    assert S_IMODE(report.stat().st_mode) == 0o600


async def test_a_session_that_a_fault_keeps_from_opening_is_left(
    session: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Reading, "first", fail)
    app = CcbrowseApp([], session_file(session))
    app.survives = True
    async with app.run_test() as pilot:
        await until(lambda: toasts(pilot))
        await until(lambda: isinstance(app.screen, SessionsScreen))


async def test_any_other_fault_ends_the_app_with_a_line_and_an_exit_code() -> None:
    app = make_app()
    app.survives = True
    async with app.run_test() as pilot:
        await pilot.pause()
        app.call_later(fail)
        await until(lambda: app.fault)
    assert app.return_code == 1
    assert "ValueError" in app.fault
    assert SECRET not in app.fault
    assert "\n" not in app.fault


def test_a_report_names_what_a_fault_came_from(monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        try:
            fail()
        except ValueError as error:
            raise KeyError(SECRET) from error
    except KeyError as error:
        text = crash.report_of(error)
        monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
        assert crash.write_report(error) is None
    assert text.index("KeyError") < text.index("ValueError")
    assert SECRET not in text
    assert "no report could be kept" in crash.told(ValueError(SECRET), None)


def test_only_the_newest_reports_are_kept() -> None:
    folder = crash.reports_folder()
    folder.mkdir(parents=True)
    for number in range(crash.KEPT + 5):
        (folder / f"2020{number:02}.txt").touch()
    newest = crash.write_report(ValueError())
    assert len(reports()) == crash.KEPT
    assert reports()[-1] == newest


async def test_who_is_gone_gets_no_answer(session: Path) -> None:
    app = make_app(target=None)
    async with app.run_test() as pilot:
        asker, asked, answers = Screen[None](), Screen[str](), list[str | None]()
        await app.push_screen(asker)
        app.push_screen(asked, answers.append)
        await pilot.pause()
        asked.dismiss("heard")
        await until(lambda: answers)
        again = Screen[str]()
        app.push_screen(again, answers.append)
        await pilot.pause()
        again.dismiss("too late")
        await app.pop_screen() if app.screen is asker else app._screen_stacks["_default"].remove(
            asker
        )
        await asyncio.sleep(0.05)
        assert answers == ["heard"]


def test_bytes_that_are_no_text_do_not_end_the_app(session: Path) -> None:
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "ccbrowse.tui", "--root", str(session.parent.parent)]
    process = subprocess.Popen(
        command, stdin=slave, stdout=slave, stderr=slave, start_new_session=True
    )
    os.close(slave)
    try:
        assert b"Sampler" in read_until(master, b"Sampler")
        os.write(master, b"\xff\x1b[M \xe0\xe0\xfe")
        read_until(master, b"a second of silence", 1)
        os.write(master, b"\x11")
        said = read_until(master, b"the end of the terminal")
        assert process.wait(20) == 0, said
    finally:
        process.kill()
        process.wait()
        os.close(master)


def read_until(terminal: int, words: bytes, silence: float = 60) -> bytes:
    """What a program writes up to some words, its end, or so many seconds of silence."""
    shown = b""
    while words not in shown and select.select([terminal], [], [], silence)[0]:
        try:
            shown += os.read(terminal, 65536)
        except OSError:
            break
    return shown
