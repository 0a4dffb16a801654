"""Driving the app in tests: wait for what workers bring, and read what is on the screen.

`import driving` works in every test. The clock stands still at `NOW`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from textual.pilot import Pilot
from textual.widget import Widget

from ccbrowse.core.locate import session_file
from ccbrowse.core.session import Session
from ccbrowse.core.targets import Resolved
from ccbrowse.tui.app import CcbrowseApp
from ccbrowse.tui.config import Settings
from ccbrowse.tui.screens.session import SessionScreen
from ccbrowse.tui.screens.sessions import SessionsScreen

NOW = datetime(2026, 3, 3, 12, 0, tzinfo=UTC)
"""The time in every test that looks at a screen."""

Driver = Pilot[None]


def now_ms() -> int:
    """`NOW` in milliseconds."""
    return int(NOW.timestamp() * 1000)


def make_app(
    *roots: Path,
    target: Resolved | None = None,
    settings: Settings | None = None,
    now: Callable[[], int] = now_ms,
) -> CcbrowseApp:
    """The app over some roots, with the default settings and the clock of the tests."""
    return CcbrowseApp(roots, target, settings=settings or Settings(), now=now)


async def until(what: Callable[[], object], seconds: float = 60) -> None:
    """Wait until something is true; fail where it does not come."""
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            raise AssertionError("it did not come within the time")
        await asyncio.sleep(0.01)


@asynccontextmanager
async def session_open(
    path: Path,
    *,
    size: tuple[int, int] = (160, 48),
    segment: int | None = None,
    uuid: str | None = None,
    settings: Settings | None = None,
    now: Callable[[], int] = now_ms,
) -> AsyncIterator[tuple[Driver, SessionScreen]]:
    """The app at one session, once it is open and its subagents and findings are known."""
    target = Resolved(Session(session_file(path)), segment, uuid)
    app = make_app(target=target, settings=settings, now=now)
    async with app.run_test(size=size) as pilot:
        screen = await opened(app)
        await pilot.pause()
        yield pilot, screen


async def opened(app: CcbrowseApp) -> SessionScreen:
    """The session's screen on top, once it is read."""
    await until(lambda: isinstance(app.screen, SessionScreen))
    screen = app.screen
    assert isinstance(screen, SessionScreen)
    await until(lambda: screen.reading is not None and screen.looked)
    return screen


async def settled(app: CcbrowseApp) -> None:
    """Wait until the session on top says all it will: what is in view is weighed, the others are known."""
    screen, lowest = await opened(app), app.screen_stack[0]
    assert screen.reading is not None
    if screen.reading.is_followed:
        others = lowest if isinstance(lowest, SessionsScreen) else None
        await until(lambda: others is None or others.is_read)
        await until(lambda: screen.learned_from == (len(others.triggers) if others else 0))
    await until(lambda: screen.is_weighed)


@asynccontextmanager
async def sessions_open(
    *roots: Path, size: tuple[int, int] = (160, 48), settings: Settings | None = None
) -> AsyncIterator[tuple[Driver, SessionsScreen]]:
    """The app at the list of sessions, once all are read."""
    app = make_app(*roots, settings=settings)
    async with app.run_test(size=size) as pilot:
        screen = app.screen
        assert isinstance(screen, SessionsScreen)
        await until(lambda: screen.is_read)
        await pilot.pause()
        yield pilot, screen


def lines_of(widget: Widget) -> list[str]:
    """The lines of a widget as text, borders left out."""
    return [widget.render_line(y).text.rstrip() for y in range(widget.content_size.height)]


def text_of(widget: Widget) -> str:
    """The lines of a widget as one text."""
    return "\n".join(lines_of(widget))


def toasts(pilot: Driver) -> list[str]:
    """What was said at the edge of the screen and is still there."""
    return [note.message for note in pilot.app._notifications]
