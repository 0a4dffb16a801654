"""Leaving dialogs: by the mouse alone, once, and never what is beneath them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from builders import sampler, written
from driving import Driver, make_app, session_open, until
from textual import events
from textual.command import CommandList
from textual.screen import Screen
from textual.widgets import Input, Static

from ccbrowse.core.locate import session_file
from ccbrowse.tui.reader.session import Reading
from ccbrowse.tui.screens.help import HelpPage
from ccbrowse.tui.screens.modal import Modal
from ccbrowse.tui.screens.openers import open_file
from ccbrowse.tui.screens.palette import Palette
from ccbrowse.tui.screens.session import SessionScreen
from ccbrowse.tui.screens.sessions import SessionsScreen
from ccbrowse.tui.widgets.prompt import PromptLine

DIALOGS = {
    "question_mark": "esc leaves",
    "b": "esc leaves",
    "x": "esc leaves",
    "f2": "Leave",
    "R": "Cancel",
}


@pytest.fixture
def session(tmp_path: Path) -> Path:
    return written(sampler("2.1.181"), tmp_path / "projects")


def place_of(pilot: Driver, words: str) -> tuple[int, int]:
    """Where words stand on the screen."""
    for y, strip in enumerate(pilot.app.screen._compositor.render_strips()):
        if words in strip.text:
            return strip.text.index(words) + 1, y
    raise AssertionError(f"{words} is not on the screen")


async def drawn(pilot: Driver, kind: type[Screen[Any]]) -> None:
    """Wait until a screen of a kind is on top, and can be clicked."""
    await until(lambda: isinstance(pilot.app.screen, kind))
    await pilot.pause()


async def test_a_dialog_is_left_by_what_says_so_and_by_a_click_beside_it(session: Path) -> None:
    async with session_open(session, size=(100, 40)) as (pilot, screen):
        for key, words in DIALOGS.items():
            for place in (words, None):
                await pilot.press(key)
                await drawn(pilot, Modal)
                await pilot.click(offset=place_of(pilot, place) if place else (0, 39))
                await until(lambda: pilot.app.screen is screen)
        await pilot.press("apostrophe")
        await drawn(pilot, Modal)
        await pilot.click(offset=(0, 0))
        await until(lambda: pilot.app.screen is screen)
        await pilot.press("ctrl+p")
        await drawn(pilot, Palette)
        await pilot.click(offset=(0, 39))
        await until(lambda: pilot.app.screen is screen)


async def test_two_answers_at_once_close_one_dialog(session: Path) -> None:
    async with session_open(session) as (pilot, screen):
        await pilot.press("question_mark")
        page = pilot.app.screen
        assert isinstance(page, HelpPage)
        page.dismiss(None)
        page.dismiss(None)
        await pilot.pause()
        assert pilot.app.screen is screen
        pilot.app.action_command_palette()
        palette = pilot.app.screen
        assert isinstance(palette, Palette)
        palette.dismiss()
        palette.dismiss()
        pilot.app.action_command_palette()
        pilot.app.screen.dismiss()
        await pilot.pause()
        assert pilot.app.screen is screen
        screen.leave()
        screen.leave()
        await until(lambda: isinstance(pilot.app.screen, SessionsScreen))
        assert pilot.app.is_running


async def test_a_screen_left_before_all_of_it_is_there_ends_nothing(session: Path) -> None:
    app = make_app(session.parent.parent)
    async with app.run_test() as pilot:
        below = app.screen
        for make in (lambda: SessionScreen(open_file(session_file(session))), lambda: HelpPage(())):
            for turns in range(12):  # of the loop, until it is left
                screen = make()
                app.push_screen(screen)
                for _ in range(turns):
                    await asyncio.sleep(0)
                screen.remove()
                app.pop_screen()
                await pilot.pause()
                assert app.screen is below
    assert app._exception is None


async def test_a_session_that_cannot_be_opened_is_left_and_not_what_is_above_it(
    session: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    screens: list[str] = []

    def fails(reading: Reading) -> None:
        app.call_from_thread(app.action_tour)  # whatever was opened meanwhile
        screens.extend(type(screen).__name__ for screen in app.screen_stack)
        raise OSError(5, "no disk")

    monkeypatch.setattr(Reading, "first", fails)
    app = make_app(session.parent.parent)
    app.target = session_file(session)
    async with app.run_test():
        await until(lambda: screens and isinstance(app.screen, SessionsScreen))
        assert screens[-2:] == [SessionScreen.__name__, "TourPages"]
        assert app.screen_stack == [app.screen]


@pytest.mark.parametrize("event", [events.MouseDown, events.MouseMove, events.MouseUp])
async def test_the_mouse_over_what_is_being_removed_ends_nothing(
    event: type[events.MouseEvent], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app()
    async with app.run_test() as pilot:
        going = Static("going", markup=False)
        await app.screen.mount(going)
        await pilot.pause()
        x, y = going.region.offset
        monkeypatch.setattr(going, "_parent", None)  # its removal has begun
        going.refresh()
        assert app._driver is not None
        app._driver.process_message(event(None, x, y, 0, 0, 1, False, False, False, x, y))
        await pilot.pause()
        monkeypatch.undo()
        assert app._exception is None


async def test_what_is_pasted_is_harmless() -> None:
    app = make_app()
    async with app.run_test() as pilot:
        await pilot.press("slash")
        await until(lambda: isinstance(app.focused, Input))
        app.post_message(events.Paste("a\x1b]0;owned\x07b\u202ec\x9b31md"))
        await until(lambda: app.query_one(Input).value)
        assert app.query_one(Input).value == "abcd"


async def test_a_prompt_of_a_screen_that_was_left_is_not_asked(session: Path) -> None:
    async with session_open(session) as (pilot, screen):
        screen.leave()
        await until(lambda: pilot.app.screen is not screen and not screen.is_attached)
        await screen.action_find()
        assert pilot.app._exception is None


async def test_two_that_ask_at_once_share_one_line(session: Path) -> None:
    async with session_open(session) as (pilot, screen):
        await asyncio.gather(screen.action_find(), screen.action_go_to())
        await pilot.pause()
        assert len(screen.query(PromptLine)) == 1 and screen.query_one(PromptLine).is_asking


async def test_the_palette_bears_keys_before_its_list_is_laid_out(session: Path) -> None:
    async with session_open(session) as (pilot, _):
        await pilot.press("ctrl+p")
        await drawn(pilot, Palette)
        await until(lambda: pilot.app.screen.query_one(CommandList).option_count)
        listed = pilot.app.screen.query_one(CommandList)
        for key in ("pageup", "pagedown"):
            listed._index_to_line.clear()
            await pilot.press(key)
        assert pilot.app._exception is None


async def test_what_was_to_be_done_after_the_next_paint_is_not_done_on_a_screen_that_is_left(
    session: Path,
) -> None:
    async with session_open(session) as (pilot, screen):
        done: list[str] = []
        screen.call_after_refresh(done.append, "here")
        await until(lambda: done)
        screen.leave()
        await until(lambda: not screen.is_attached)
        screen._call_here(done.append, "gone")
        assert done == ["here"] and pilot.app._exception is None
