"""Back and forward like a browser: over rows, sessions, subagents, searches and the list."""

from __future__ import annotations

import pytest
from builders import DemoTree, write_demo
from driving import NOW, Driver, opened, sessions_open, toasts, until

from ccbrowse.tui.app import CcbrowseApp
from ccbrowse.tui.screens.compaction import CompactionScreen
from ccbrowse.tui.screens.search import SearchScreen
from ccbrowse.tui.screens.session import SessionScreen
from ccbrowse.tui.screens.sessions import SessionsScreen
from ccbrowse.tui.screens.trail import Stop, Trail, Visit


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> DemoTree:
    """The demo's sessions; nothing here writes to them."""
    return write_demo(tmp_path_factory.mktemp("demo") / "projects", NOW)


def test_a_trail_goes_back_and_forward_and_forgets_what_lay_ahead() -> None:
    stops = (Stop(), Stop())
    one, two, three = (Visit(stops[:1], "one"), Visit(stops, "two"), Visit(stops, "three"))
    trail = Trail()
    assert trail.step(-1, one) is None
    for visit in (one, one, two):
        trail.left(visit)
    assert trail.behind == [one, two], "a place that was left twice is one"
    assert trail.step(-1, three) == two and trail.step(-1, two) == one
    assert trail.step(-1, one) is None
    assert trail.step(1, one) == two and trail.step(1, two) == three
    assert trail.step(-1, three) == two
    trail.left(two)
    assert trail.step(1, one) is None, "another way was taken"


async def test_back_and_forward_over_sessions_and_screens(demo: DemoTree) -> None:
    async with sessions_open(demo.root, size=(120, 40)) as (pilot, lowest):
        app = pilot.app
        assert isinstance(app, CcbrowseApp)
        await pilot.press("left_parenthesis")
        assert toasts(pilot)[-1] == "no place before this one"
        await pilot.press("g", "enter")
        first = await opened(app)
        await pilot.press("1")
        row = first.timeline.cursor_key
        await pilot.press("L")
        await until(lambda: isinstance(app.screen, CompactionScreen))
        await pilot.press("escape", "escape", "j", "enter")
        second = await opened(app)
        names = [screen._file for screen in (first, second)]
        assert names[0] != names[1] and first is not second
        await back(pilot)
        assert app.screen is lowest and lowest.place == str(names[1].path if names[1] else "")
        await back(pilot)
        again = await opened(app)
        assert again is not first and again._file == names[0]
        await until(lambda: again.timeline.cursor_key == row)
        await back(pilot)  # a compaction's screen is not made again: its session stays
        await pilot.press("right_parenthesis", "right_parenthesis")
        assert app.screen is lowest
        await pilot.press("right_parenthesis")
        anew = await opened(app)
        assert anew._file == names[1]
        assert [type(screen) for screen in app.screen_stack] == [SessionsScreen, SessionScreen]
        await pilot.press("right_parenthesis")
        assert toasts(pilot)[-1] == "no place to go forward to"


async def test_back_to_a_search_and_forward_to_what_it_found(demo: DemoTree) -> None:
    async with sessions_open(demo.root, size=(120, 40)) as (pilot, _):
        app = pilot.app
        assert isinstance(app, CcbrowseApp)
        await pilot.press("ctrl+f", *"leeway", "enter")
        search = app.screen
        assert isinstance(search, SearchScreen)
        await until(lambda: search.progress.started and not search.progress.searching)
        await pilot.press("n", "n", "enter")
        found = await opened(app)
        await until(lambda: found.is_found)
        row, hit = found.timeline.cursor_key, search.hit_list.cursor
        await back(pilot)
        assert search.is_current
        assert search.hit_list.cursor == hit
        await pilot.press("right_parenthesis")
        again = await opened(app)
        await until(lambda: again.timeline.cursor_key == row)


async def back(pilot: Driver) -> None:
    """Go back, and wait until the screen is there."""
    await pilot.press("left_parenthesis")
    await pilot.pause()
