"""Screens at the edges: nothing to show, no room, files that cannot be read, many of everything."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

import pytest
from builders import SessionBuilder, sampler, turn, write_demo, written
from driving import (
    NOW,
    make_app,
    opened,
    session_open,
    sessions_open,
    text_of,
    toasts,
    until,
)

from ccbrowse.tui.config import Settings
from ccbrowse.tui.reader import tail
from ccbrowse.tui.screens.session import SessionScreen
from ccbrowse.tui.screens.sessions import SessionsScreen
from ccbrowse.tui.widgets.status import StatusLine

KEYS = (
    *("j", "k", "g", "G", "left_curly_bracket", "right_curly_bracket", "J", "K", "3", "n", "N"),
    *("t", "T", "e", "F", "v", "v", "y", "Y", "r", "z", "z", "h", "l", "l", "tab", "shift+tab"),
    *("ctrl+d", "ctrl+u", "space", "pageup", "home", "end", "enter"),
)


@pytest.mark.parametrize(
    "content",
    [b"", b"\n\n", b'{"type":"summary","summary":"Only this","leafUuid":"x"}\n', b"\x00\x00{{{\n"],
    ids=["empty", "blank", "side-records", "damage"],
)
async def test_every_key_is_harmless_where_there_is_nothing(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "projects" / "-a" / "11111111-1111-4111-8111-111111111111.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    async with session_open(path) as (pilot, screen):
        for key in KEYS:
            await pilot.press(key)
            if pilot.app.screen is not screen:
                await pilot.press("escape")
        await pilot.pause()
        assert pilot.app.screen is screen
        assert screen.timeline.count <= 1


@pytest.mark.parametrize("size", [(80, 24), (40, 10), (20, 5), (8, 3)])
async def test_every_key_is_harmless_where_there_is_no_room(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    path = written(sampler("2.1.181"), tmp_path / "projects")
    async with session_open(path, size=size) as (pilot, screen):
        for key in KEYS:
            await pilot.press(key)
            while pilot.app.screen is not screen:
                await pilot.press("escape")
        await pilot.resize_terminal(160, 48)
        await pilot.pause()
        assert "Sampler" in text_of(screen.query_one(StatusLine))
        await pilot.resize_terminal(*size)
        await pilot.pause()
        assert screen.timeline.count > 10


@pytest.mark.parametrize("plain", [False, True])
async def test_plain_signs_are_all_there_is_in_ascii_mode(tmp_path: Path, plain: bool) -> None:
    b = SessionBuilder("2.1.332", seed="plain")
    turn(b, "Plain words", say="Plain answer.")
    b.compact("A summary.")
    turn(b, "More", say="Indeed.")
    path = written(b, tmp_path / "projects")
    async with session_open(path, settings=Settings(ascii=plain)) as (_, screen):
        await until(lambda: screen.is_weighed)
        seen = "".join(text_of(widget) for widget in screen.query("*") if widget.id)
        assert seen.isascii() is plain


async def test_a_session_that_cannot_be_read_is_said_and_left(tmp_path: Path) -> None:
    root = tmp_path / "projects"
    path = written(sampler("2.1.181"), root)
    async with sessions_open(root) as (pilot, screen):
        path.unlink()
        await pilot.press("enter")
        await until(lambda: any("the file is gone" in words for words in toasts(pilot)))
        await until(lambda: pilot.app.screen is screen)


async def test_a_folder_that_vanishes_ends_no_screen(tmp_path: Path) -> None:
    path = written(sampler("2.1.181"), tmp_path / "projects")
    async with session_open(path) as (pilot, screen):
        shutil.rmtree(path.parent)
        await until(lambda: "file removed" in text_of(screen.query_one(StatusLine)))
        await pilot.press("k", "k", "h", "l")
        assert screen.timeline.count > 10


async def test_the_end_of_a_large_session_is_shown_before_the_rest_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ccbrowse.tui.screens import session_work

    monkeypatch.setattr(session_work, "LARGE", 1_000)
    monkeypatch.setattr(tail, "TAIL", 60_000)
    root = tmp_path / "projects"
    tree = write_demo(root, NOW)
    app = make_app(root)
    async with app.run_test(size=(160, 48)) as pilot:
        listed = app.screen
        assert isinstance(listed, SessionsScreen)
        await until(lambda: listed.table.count)
        seen, seen_title = list[int](), list[str]()
        original = SessionScreen.on_glimpsed

        def noted(self: SessionScreen, message: object) -> None:
            original(self, message)  # type: ignore[arg-type]  # the very message
            seen.append(self.timeline.count)
            seen_title.append(str(self.timeline.border_title))
            self.timeline.action_move(-2)
            seen.append(hash(self.timeline.cursor_key))

        monkeypatch.setattr(SessionScreen, "on_glimpsed", noted)
        await pilot.press("enter")
        screen = await opened(app)
        assert screen.overview is not None
        assert screen.overview.title == tree.sessions[0].title
        assert 0 < seen[0] < screen.timeline.count
        assert "being read" in seen_title[0]
        assert str(screen.timeline.border_title) == "timeline"
        assert hash(screen.timeline.cursor_key) == seen[1]


def _is_another(screen: SessionScreen, before: object) -> bool:
    return screen.rows is not before


async def test_a_toggle_keeps_the_place_and_the_rail(tmp_path: Path) -> None:
    path = written(sampler("2.1.332"), tmp_path / "projects")
    async with session_open(path, segment=2) as (pilot, screen):
        key = screen.timeline.cursor_key
        for toggle in ("t", "t", "t", "T", "T", "e", "e"):
            before = screen.rows
            await pilot.press(toggle)
            if toggle != "t":
                await until(partial(_is_another, screen, before))
            await pilot.pause(0.2)
            assert screen.timeline.cursor_key == key
            assert screen.segment_at_cursor == 2


async def test_the_palette_finds_and_runs_commands(tmp_path: Path) -> None:
    path = written(sampler("2.1.332"), tmp_path / "projects")
    async with session_open(path) as (pilot, screen):
        await pilot.press("ctrl+p")
        await until(lambda: pilot.app.screen is not screen)
        await pilot.press(*"boundary before")
        await pilot.pause(0.5)
        await pilot.press("enter")
        await until(lambda: pilot.app.screen is screen)
        await until(lambda: screen.timeline.cursor == screen.starts[-1])


async def test_another_theme_is_drawn_at_once(tmp_path: Path) -> None:
    path = written(sampler("2.1.332"), tmp_path / "projects")
    settings = Settings(theme="textual-light")
    async with session_open(path, settings=settings) as (pilot, screen):
        await until(lambda: screen.is_weighed)
        await pilot.pause()
        light = screen.timeline.render_line(0)
        pilot.app.theme = "ccbrowse"
        await pilot.pause()
        dark = screen.timeline.render_line(0)
        assert light.text == dark.text
        assert [s.style for s in light] != [s.style for s in dark]
