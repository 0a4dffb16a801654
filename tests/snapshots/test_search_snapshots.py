"""Pictures of the search screen, from the demo's sessions: hits, nothing searched yet, a bad query."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from builders import write_demo
from driving import NOW, Driver, make_app, until

from ccbrowse.tui.screens.search import SearchScreen
from ccbrowse.tui.screens.sessions import SessionsScreen

Compare = Callable[..., bool]
SIZES = pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])


@pytest.fixture
def root(home: Path) -> Path:
    """The demo's sessions where a user's would be."""
    folder = home / ".claude" / "projects"
    write_demo(folder, NOW)
    return folder


def typed(
    *keys: str, searches: bool = True, then: tuple[str, ...] = ()
) -> Callable[[Driver], Awaitable[None]]:
    """Open the screen and type; wait for the end of the search, where one is begun."""

    async def run(pilot: Driver) -> None:
        lowest = pilot.app.screen
        assert isinstance(lowest, SessionsScreen)
        await until(lambda: lowest.is_read)
        await pilot.press("ctrl+f", *keys)
        screen = pilot.app.screen
        assert isinstance(screen, SearchScreen)
        if searches:
            await until(lambda: screen.progress.started and not screen.progress.searching)
        await pilot.press(*then)
        await pilot.pause()

    return run


@SIZES
def test_hits(snap_compare: Compare, root: Path, size: tuple[int, int]) -> None:
    run = typed(*"project:api leeway", "enter", then=("J", "n", "n"))
    assert snap_compare(make_app(root), terminal_size=size, run_before=run)


@SIZES
def test_nothing_searched_yet(snap_compare: Compare, root: Path, size: tuple[int, int]) -> None:
    run = typed(searches=False)
    assert snap_compare(make_app(root), terminal_size=size, run_before=run)


@SIZES
def test_a_bad_query(snap_compare: Compare, root: Path, size: tuple[int, int]) -> None:
    run = typed(*"token", "enter", "slash", *"token has:hope", "enter")
    assert snap_compare(make_app(root), terminal_size=size, run_before=run)
