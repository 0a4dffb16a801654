"""Pictures of the list under headings, of two segments compared, of the tour, of a list without sessions."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from builders import write_demo
from driving import NOW, Driver, make_app, now_ms, opened, until
from logs import Log

from ccbrowse.core.locate import session_file
from ccbrowse.core.session import Session
from ccbrowse.core.targets import Resolved
from ccbrowse.tui.app import CcbrowseApp
from ccbrowse.tui.config import Settings
from ccbrowse.tui.screens.comparing import ComparingScreen
from ccbrowse.tui.screens.sessions import SessionsScreen
from ccbrowse.tui.screens.tour import TourPages
from ccbrowse.tui.widgets.lines import Lines

Compare = Callable[..., bool]
Run = Callable[[Driver], Awaitable[None]]
SIZES = pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
DAY = 86_400


@pytest.fixture
def root(home: Path) -> Path:
    """The demo's sessions where a user's would be."""
    folder = home / ".claude" / "projects"
    write_demo(folder, NOW)
    return folder


@pytest.fixture
def other(home: Path) -> Path:
    """A second root: a project with a worktree, cleaned up after 20 days."""
    folder = home / "work" / ".claude"
    for number, cwd in enumerate(("/home/robin/mill", "/home/robin/mill/.claude/worktrees/wheel")):
        log = Log(f"{number:04}0000-0000-4000-8000-000000000001")
        log.time = now_ms() - (number + 1) * 1000 * DAY - 5_000_000
        log.user("u1", ("Grind the flour", "Mend the wheel")[number], None, cwd=cwd)
        log.reply("a1", usage=(4200, 0, 0, 1))
        path = log.write(folder / "projects" / cwd.replace("/", "-"))
        written = NOW.timestamp() - (16 + number) * DAY
        os.utime(path, (written, written))
    (folder / "settings.json").write_text('{"cleanupPeriodDays": 20}')
    return folder / "projects"


def then(*keys: str) -> Run:
    """Press keys once all is read, and wait for the preview."""

    async def run(pilot: Driver) -> None:
        screen = pilot.app.screen
        assert isinstance(screen, SessionsScreen)
        await until(lambda: screen.is_read)
        await pilot.pause()
        await pilot.press(*keys)
        preview = screen.query_one(Lines)
        await until(lambda: not screen.table.count or "first" in preview.render_line(0).text)
        await until(
            lambda: len(pilot.app.screen_stack) < 2 or isinstance(pilot.app.screen, TourPages)
        )
        await pilot.pause()

    return run


@SIZES
def test_grouped(snap_compare: Compare, root: Path, other: Path, size: tuple[int, int]) -> None:
    settings = Settings(roots=(("home", str(root)), ("work", str(other))), time="absolute")
    app = make_app(root, other, settings=settings)
    assert snap_compare(app, terminal_size=size, run_before=then("H", "H", "G"))


@SIZES
def test_tour(snap_compare: Compare, root: Path, size: tuple[int, int]) -> None:
    app = make_app(root)
    assert snap_compare(app, terminal_size=size, run_before=then("f2", "right"))


def test_nothing_fits(snap_compare: Compare, root: Path) -> None:
    app = make_app(root, settings=Settings(theme="ccbrowse-contrast"))
    keys = ("slash", *"zebra", "enter")
    assert snap_compare(app, terminal_size=(80, 24), run_before=then(*keys))


@SIZES
def test_compared(snap_compare: Compare, root: Path, size: tuple[int, int]) -> None:
    async def run(pilot: Driver) -> None:
        assert isinstance(pilot.app, CcbrowseApp)
        await opened(pilot.app)
        await pilot.press("2", "m", "a", "3", "m", "b", "D")
        await until(lambda: isinstance(pilot.app.screen, ComparingScreen))
        await pilot.pause()

    path = next(
        each for each in sorted((root / "-home-robin-acme-api").glob("*.jsonl"))
        if each.stat().st_size > 2_000_000
    )  # fmt: skip
    app = make_app(root, target=Resolved(Session(session_file(path, root))))
    assert snap_compare(app, terminal_size=size, run_before=run)
