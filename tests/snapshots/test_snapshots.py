"""Pictures of the screens, from the demo's sessions at a time that stands still.

After a wanted change: `pytest tests/snapshots --snapshot-update`, and look at the pictures.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from builders import write_demo
from driving import NOW, Driver, make_app, settled, until
from textual.widgets import Input

from ccbrowse.core.locate import session_file
from ccbrowse.core.session import Session
from ccbrowse.core.targets import Resolved
from ccbrowse.tui.app import CcbrowseApp
from ccbrowse.tui.config import Settings
from ccbrowse.tui.screens import session_compaction
from ccbrowse.tui.screens.session import SessionScreen
from ccbrowse.tui.screens.sessions import SessionsScreen
from ccbrowse.tui.widgets.lines import Lines
from ccbrowse.tui.widgets.timeline import Timeline

Compare = Callable[..., bool]
SMALL, LARGE = (80, 24), (160, 48)
SIZES = pytest.mark.parametrize("size", [SMALL, LARGE], ids=["80x24", "160x48"])


@pytest.fixture
def root(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The demo's sessions where a user's would be; forecasts are not put off."""
    monkeypatch.setattr(session_compaction, "_FORESEE_EVERY", 0.0)
    folder = home / ".claude" / "projects"
    write_demo(folder, NOW)
    return folder


def at_session(
    root: Path, project: str, name: str, settings: Settings | None = None
) -> CcbrowseApp:
    """The app at the session whose title is that."""
    for path in sorted((root / project).glob("*.jsonl")):
        session = Session(session_file(path, root))
        if session.title.text == name:
            return make_app(root, target=Resolved(session), settings=settings)
        session.close()
    raise LookupError(name)


def then(*keys: str) -> Callable[[Driver], Awaitable[None]]:
    """Wait until the session is read and weighed, then press keys."""

    async def run(pilot: Driver) -> None:
        assert isinstance(pilot.app, CcbrowseApp)
        await settled(pilot.app)
        for key in ("", *keys):
            await pilot.press(*filter(None, [key]))
            await pilot.pause()
            # How high the rows out of view are is guessed from those that were seen on the way.
            for pane in pilot.app.screen.query(Timeline):
                pane.styles.scrollbar_size_vertical = 0
            if isinstance(pilot.app.screen, SessionScreen):
                await settled(pilot.app)
        for field in pilot.app.screen.query(Input):
            field.cursor_blink = False
        await pilot.pause()

    return run


LOGIN = ("-home-robin-acme-api", "Fix login flow")


@SIZES
def test_sessions(snap_compare: Compare, root: Path, size: tuple[int, int]) -> None:
    async def run(pilot: Driver) -> None:
        screen = pilot.app.screen
        assert isinstance(screen, SessionsScreen)
        await until(lambda: screen.is_read)
        await pilot.press("j", "j", "j")
        await until(lambda: "last" in screen.query_one(Lines).render_line(1).text)
        await pilot.pause()

    assert snap_compare(make_app(root), terminal_size=size, run_before=run)


@SIZES
def test_session(snap_compare: Compare, root: Path, size: tuple[int, int]) -> None:
    app = at_session(root, *LOGIN)
    assert snap_compare(app, terminal_size=size, run_before=then())


@SIZES
def test_boundary(snap_compare: Compare, root: Path, size: tuple[int, int]) -> None:
    app = at_session(root, *LOGIN)
    assert snap_compare(app, terminal_size=size, run_before=then("3"))


def test_two_panes(snap_compare: Compare, root: Path) -> None:
    app = at_session(root, *LOGIN)
    assert snap_compare(app, terminal_size=(120, 36), run_before=then("k", "k", "l"))


def test_findings(snap_compare: Compare, root: Path) -> None:
    app = at_session(root, "-home-robin-acme-web", "Uploads that stall")
    assert snap_compare(app, terminal_size=LARGE, run_before=then("g"))


def test_hostile_text(snap_compare: Compare, root: Path) -> None:
    app = at_session(root, "-home-robin-notes", "[red]Odd\x1b[31m characters[/] \u202etxt.")
    assert snap_compare(app, terminal_size=LARGE, run_before=then("g"))


def test_plain_signs(snap_compare: Compare, root: Path) -> None:
    app = at_session(root, *LOGIN, settings=Settings(ascii=True))
    assert snap_compare(app, terminal_size=(120, 36), run_before=then("3"))


def test_branches(snap_compare: Compare, root: Path) -> None:
    app = at_session(root, *LOGIN)
    assert snap_compare(app, terminal_size=SMALL, run_before=then("b"))


def test_export(snap_compare: Compare, root: Path) -> None:
    app = at_session(root, *LOGIN)
    assert snap_compare(app, terminal_size=SMALL, run_before=then("x"))


def test_help(snap_compare: Compare, root: Path) -> None:
    app = at_session(root, *LOGIN)
    assert snap_compare(app, terminal_size=LARGE, run_before=then("question_mark"))


NARROW_AND_MIDDLE = pytest.mark.parametrize("size", [SMALL, (120, 40)], ids=["80x24", "120x40"])


@NARROW_AND_MIDDLE
def test_fork(snap_compare: Compare, root: Path, size: tuple[int, int]) -> None:
    app = at_session(root, *LOGIN)
    assert snap_compare(app, terminal_size=size, run_before=then("4", "K", "K", "K", "k"))


@NARROW_AND_MIDDLE
def test_versions(snap_compare: Compare, root: Path, size: tuple[int, int]) -> None:
    app = at_session(root, *LOGIN)
    assert snap_compare(app, terminal_size=size, run_before=then("b", "G", "enter", "l"))


@NARROW_AND_MIDDLE
def test_a_failed_command(snap_compare: Compare, root: Path, size: tuple[int, int]) -> None:
    app = at_session(root, *LOGIN)
    keys = ("4", "K", "K", "K", "K", "K", "K", "J", "j", "j", "j", "l")
    assert snap_compare(app, terminal_size=size, run_before=then(*keys))


def test_markdown(snap_compare: Compare, root: Path) -> None:
    app = at_session(root, *LOGIN)
    assert snap_compare(app, terminal_size=(120, 40), run_before=then("w"))


def test_raw_record(snap_compare: Compare, root: Path) -> None:
    app = at_session(root, *LOGIN)
    assert snap_compare(app, terminal_size=SMALL, run_before=then("4", "K", "u"))


def test_subagents(snap_compare: Compare, root: Path) -> None:
    app = at_session(root, *LOGIN)
    assert snap_compare(app, terminal_size=(120, 40), run_before=then("A"))
