"""Pictures of the compaction screen's three views, from a session whose losses are known.

After a wanted change: `pytest tests/snapshots --snapshot-update`, and look at the pictures.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import lossy
import pytest
from driving import Driver, make_app, opened, until
from textual.widgets import Input

from ccbrowse.core.locate import session_file
from ccbrowse.core.payload import before_compaction
from ccbrowse.core.session import Session
from ccbrowse.core.targets import Resolved
from ccbrowse.tui.app import CcbrowseApp
from ccbrowse.tui.config import Settings
from ccbrowse.tui.screens.compaction import CompactionScreen

Compare = Callable[..., bool]
SIZES = pytest.mark.parametrize(
    "size", [(80, 24), (120, 40), (180, 50)], ids=["80x24", "120x40", "180x50"]
)


@pytest.fixture
def path(home: Path) -> Path:
    """The session where a user's would be."""
    return lossy.write(home / ".claude" / "projects")


def app_at(path: Path, settings: Settings | None = None) -> CcbrowseApp:
    """The app at the boundary of the first compaction."""
    root = path.parent.parent
    return make_app(root, target=Resolved(Session(session_file(path)), 2), settings=settings)


async def at_losses(pilot: Driver) -> CompactionScreen:
    """The compaction screen, once the losses are known."""
    assert isinstance(pilot.app, CcbrowseApp)
    await opened(pilot.app)
    await pilot.press("L")
    screen = pilot.app.screen
    assert isinstance(screen, CompactionScreen)
    await until(lambda: screen.loss is not None)
    await pilot.pause()
    return screen


def losses(*keys: str) -> Callable[[Driver], Awaitable[None]]:
    """Open the losses, then press keys."""

    async def run(pilot: Driver) -> None:
        await at_losses(pilot)
        await pilot.press(*keys)
        await pilot.pause()

    return run


@SIZES
def test_losses(snap_compare: Compare, path: Path, size: tuple[int, int]) -> None:
    assert snap_compare(app_at(path), terminal_size=size, run_before=losses("j"))


def test_evidence(snap_compare: Compare, path: Path) -> None:
    assert snap_compare(app_at(path), terminal_size=(120, 40), run_before=losses("B"))


def test_facts_where_it_is_narrow(snap_compare: Compare, path: Path) -> None:
    run = losses("tab", "tab")
    assert snap_compare(app_at(path), terminal_size=(80, 24), run_before=run)


def test_losses_in_plain_signs(snap_compare: Compare, path: Path) -> None:
    app = app_at(path, Settings(ascii=True))
    assert snap_compare(app, terminal_size=(120, 40), run_before=losses("b"))


@SIZES
def test_payload(snap_compare: Compare, path: Path, size: tuple[int, int]) -> None:
    async def run(pilot: Driver) -> None:
        screen = await at_losses(pilot)
        await pilot.press("2")
        await until(lambda: screen.requests is not None)
        await pilot.pause()

    assert snap_compare(app_at(path), terminal_size=size, run_before=run)


@SIZES
def test_capture(
    snap_compare: Compare,
    path: Path,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    size: tuple[int, int],
) -> None:
    session = Session(session_file(path))
    payload = before_compaction(session, 1)
    session.close()
    assert payload is not None and payload.messages is not None
    messages = json.loads(json.dumps(payload.messages).replace("45 seconds", "90 seconds"))
    body = {"model": "claude-opus-5-5", "system": "Be brief.", "messages": messages[:-1]}
    monkeypatch.chdir(home)
    Path("body.json").write_text(json.dumps(body), encoding="utf-8")

    async def run(pilot: Driver) -> None:
        screen = await at_losses(pilot)
        await pilot.press("C")
        screen.query_one(Input).cursor_blink = False
        await pilot.press(*"body", "full_stop", *"json", "enter")
        await until(lambda: screen.captured is not None)
        await pilot.press("greater_than_sign")
        await pilot.pause()
        pilot.app.clear_notifications()
        await pilot.pause()

    assert snap_compare(app_at(path), terminal_size=size, run_before=run)


def test_export(snap_compare: Compare, path: Path) -> None:
    assert snap_compare(app_at(path), terminal_size=(80, 24), run_before=losses("x"))
