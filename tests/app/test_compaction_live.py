"""The compaction screen while the session grows: what follows the compaction, and further ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from builders import OPENING, SessionBuilder, finish, turn
from driving import session_open, text_of, toasts, until

from ccbrowse.tui.screens.compaction import CompactionScreen
from ccbrowse.tui.widgets.detail import Detail
from ccbrowse.tui.widgets.status import StatusLine


@pytest.fixture
def building() -> SessionBuilder:
    """A session that was compacted a moment ago; nothing has followed yet."""
    b = SessionBuilder("2.1.332", seed="live")
    turn(b, "Plant the leeks", say="They stand in rows.")
    turn(b, "Water them", say="Done.")
    b.prompt("Go on")
    b.compact(f"{OPENING}\n\nLeeks were planted and watered.", keep=0)
    return b


async def test_what_follows_appears_and_further_compactions_are_told(
    tmp_path: Path, building: SessionBuilder
) -> None:
    root = tmp_path / "projects"
    path = building.write(root)
    async with session_open(path, size=(180, 48), segment=2) as (pilot, _):
        await pilot.press("L")
        await until(lambda: isinstance(pilot.app.screen, CompactionScreen))
        screen = pilot.app.screen
        assert isinstance(screen, CompactionScreen)
        await until(lambda: screen.loss is not None)
        top = screen.query_one(StatusLine)
        assert "= request" not in text_of(top)
        await pilot.press("j")
        item = screen.item_at_cursor

        finish(building, say="Now I rake.")
        building.write(root)
        await until(lambda: screen.found is not None and screen.found.after is not None)
        await until(lambda: "= request" in text_of(top))
        assert screen.loss is not None
        assert screen.item_at_cursor == item

        turn(building, "Rake", say="Raked.")
        building.compact(f"{OPENING}\n\nRaked as well.", keep=0)
        building.write(root)
        await until(lambda: "compact 1 of 2" in text_of(top))
        await until(lambda: any("compaction 2 came" in said for said in toasts(pilot)))
        await pilot.press("}")
        await until(lambda: screen.found is not None and screen.found.number == 2)
        await until(lambda: screen.loss is not None)
        assert "closes segment 2" in text_of(screen.query_one("#facts", Detail))


async def test_the_request_that_follows_is_listed_when_it_comes(
    tmp_path: Path, building: SessionBuilder
) -> None:
    root = tmp_path / "projects"
    path = building.write(root)
    async with session_open(path, size=(180, 48), segment=2) as (pilot, _):
        await pilot.press("P")
        await until(lambda: isinstance(pilot.app.screen, CompactionScreen))
        screen = pilot.app.screen
        assert isinstance(screen, CompactionScreen)
        await until(lambda: screen.requests is not None)
        assert screen.requests is not None and screen.requests.after is None
        finish(building, say="Now I rake.")
        building.write(root)
        await until(lambda: screen.requests is not None and screen.requests.after is not None)


async def test_a_file_written_anew_without_compactions_closes_the_screen(
    tmp_path: Path, building: SessionBuilder
) -> None:
    path = building.write(tmp_path / "projects")
    async with session_open(path, segment=2) as (pilot, session):
        await pilot.press("L")
        await until(lambda: isinstance(pilot.app.screen, CompactionScreen))
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join(lines[:6]))
        await until(lambda: pilot.app.screen is session)
