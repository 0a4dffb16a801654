"""The mouse alone: everything that is on the screen and does something does it when it is clicked."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from builders import DemoTree, write_demo
from driving import NOW, Driver, opened, session_open, sessions_open, text_of, until
from textual import events
from textual.widgets import Input

from ccbrowse.core.text import cell_width
from ccbrowse.tui.commands import Command, Help
from ccbrowse.tui.screens.base import Paned
from ccbrowse.tui.screens.compaction import CAPTURE, LOSS, PAYLOAD, CompactionScreen
from ccbrowse.tui.screens.export import ExportDialog
from ccbrowse.tui.screens.help import HelpPage
from ccbrowse.tui.screens.palette import Palette
from ccbrowse.tui.screens.search import SearchScreen
from ccbrowse.tui.screens.session import SessionScreen
from ccbrowse.tui.screens.sessions import SessionsScreen
from ccbrowse.tui.widgets.losstable import LossGrid
from ccbrowse.tui.widgets.oneof import OneOf
from ccbrowse.tui.widgets.prompt import PromptLine
from ccbrowse.tui.widgets.status import KeyBar


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> DemoTree:
    return write_demo(tmp_path_factory.mktemp("mouse") / "projects", NOW)


class Mouse:
    """Clicks on words where they stand on the screen."""

    def __init__(self, pilot: Driver) -> None:
        self._pilot = pilot

    def place(self, words: str) -> tuple[int, int] | None:
        for y, strip in enumerate(self._pilot.app.screen._compositor.render_strips()):
            if words in strip.text:
                return cell_width(strip.text[: strip.text.index(words)]), y
        return None

    async def click(self, words: str, *, times: int = 1, into: int = 0) -> None:
        """Wait until they are there, and click on them."""
        await until(lambda: self.place(words) is not None)
        await self._pilot.pause()
        place = self.place(words)
        assert place is not None
        await self._pilot.click(offset=(place[0] + into, place[1]), times=times)

    async def wheel(self, x: int, y: int, lines: int) -> None:
        """Turn the wheel somewhere."""
        driver = self._pilot.app._driver
        assert driver is not None
        kind = events.MouseScrollDown if lines > 0 else events.MouseScrollUp
        for _ in range(abs(lines)):
            driver.process_message(kind(None, x, y, 0, 0, 0, False, False, False, x, y))
        await self._pilot.pause()

    async def turn_to(self, words: str) -> None:
        """Turn the wheel in the middle until words are in view."""
        await self._pilot.pause()
        width, height = self._pilot.app.size
        for _ in range(200):
            if self.place(words) is not None:
                return
            await self.wheel(width // 2, height // 2, 1)

    async def comes(self, screen: type) -> None:
        """Wait until a screen is on top."""
        await until(lambda: isinstance(self._pilot.app.screen, screen))


@contextmanager
def recorded(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What screens are asked to do, instead of doing it."""
    done: list[str] = []

    async def do(screen: Paned, command: type[Command]) -> None:
        done.append(command.id)

    with monkeypatch.context() as patch:
        patch.setattr(Paned, "do", do)
        yield done


async def all_hints(pilot: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    """Click on every key that the bottom line shows; each of two keys does its own."""
    await pilot.pause()
    screen = pilot.app.screen
    assert isinstance(screen, Paned)
    bar = screen.query_one(KeyBar)
    words = text_of(bar)
    hints = [hint for hint in (*bar._view.hints, bar._view.last) if hint and hint.name in words]
    assert len(hints) > 1 and hints[-1].command == Help.id
    with recorded(monkeypatch) as done:
        for hint in hints:
            at = words.index(f"{hint.keys} {hint.name}") + 1 if hint.name else 0
            first, _, second = hint.keys.partition(" ")
            places = [at, at + len(hint.keys) + 1, *([at + len(first) + 1] if second else [])]
            wanted = [hint.command, hint.command, *([hint.other] if second else [])]
            for x in places:
                await pilot.click(offset=(x, pilot.app.size.height - 1))
            await until(lambda: len(done) >= len(wanted))  # noqa: B023  # it is waited for here
            assert done == wanted, hint
            done.clear()


async def test_from_the_list_to_what_a_compaction_lost_and_back_and_out(
    demo: DemoTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with sessions_open(demo.root, size=(140, 44)) as (pilot, sessions):
        mouse, app = Mouse(pilot), pilot.app
        await all_hints(pilot, monkeypatch)
        # the list: a project, all again, a column, a row
        await mouse.click("(all)")
        await mouse.click(demo.session("uploads").title)
        await until(lambda: sessions.chosen is not None)
        assert sessions.chosen is not None
        assert sessions.chosen.session_id == demo.session("uploads").session_id
        before = sessions.table.cursor_key
        await mouse.wheel(60, 10, 3)
        assert sessions.table.cursor_key == before
        await mouse.click(demo.session("login").title, times=2)
        session = await opened(app)  # type: ignore[arg-type]  # it is ours
        await until(lambda: session.starts)
        await all_hints(pilot, monkeypatch)
        # a segment on the rail, the curve, a row, its detail
        await mouse.click("1 ", into=0)
        await until(lambda: session.segment_at_cursor == 1)
        await mouse.click("LIVE" if mouse.place("LIVE") else "paused")
        await pilot.click("#fill", offset=(100, 3))
        await pilot.click("#timeline", offset=(20, 3))
        await pilot.click("#detail", offset=(5, 5))
        assert session.at == "detail"
        await pilot.click("#timeline", offset=(20, 3), times=2)
        # what a compaction lost, from the bottom line
        await mouse.click("L loss")
        await mouse.comes(CompactionScreen)
        losses = app.screen
        assert isinstance(losses, CompactionScreen)
        await until(lambda: losses.found is not None and losses.found.loss is not None)
        await all_hints(pilot, monkeypatch)
        for words, view in (("Payload", PAYLOAD), ("3 Capture", CAPTURE), ("1 Loss", LOSS)):
            await mouse.click(words)
            await until(lambda: losses.view == view)  # noqa: B023  # it is waited for here
        grid = losses.query_one(LossGrid)
        await pilot.click(grid, offset=(25, 3))
        assert losses.at == "grid"
        await pilot.click("#items", offset=(5, 1), times=2)  # to the original
        await until(lambda: app.screen is session)
        # back by the top line, and out by the app's name
        await mouse.click(" › ", into=-2)
        await until(lambda: app.screen is sessions)
        await mouse.click("ccbrowse")
        await mouse.comes(Palette)
        await mouse.turn_to("Quit")
        await mouse.click("Quit")
        await until(lambda: app._exit)


async def test_where_one_pane_is_seen_help_leads_to_every_command(demo: DemoTree) -> None:
    size = (80, 24)
    async with session_open(demo.session("login").path, size=size) as (pilot, session):
        mouse, app = Mouse(pilot), pilot.app
        await pilot.click("#timeline", offset=(20, 3), times=2)
        await until(lambda: session.at != "timeline" or app.screen is not session)
        if app.screen is session:
            await mouse.click(" › ", into=4)  # the title: to the timeline
            await until(lambda: session.at == "timeline")
        else:  # it was a boundary, whose losses were opened
            await mouse.click(" › ", into=-2)
            await until(lambda: app.screen is session)
        await mouse.click("segment ")
        await until(lambda: session.at == "rail")
        await pilot.click("#rail", offset=(3, 1))
        await mouse.click("? help")
        await mouse.comes(HelpPage)
        page = app.screen.query_one("#help")
        await mouse.wheel(30, 10, 5)
        assert page.scroll_offset.y > 0
        await mouse.click("ctrl+p finds")
        await mouse.comes(Palette)
        await mouse.turn_to("Export")
        await mouse.click("Export")
        await mouse.comes(ExportDialog)
        await mouse.click("JSONL")
        form = app.screen.query_one("#form", OneOf)
        assert form.chosen == 3
        await pilot.pause()
        target = app.screen.query_one("#target", Input)
        target.value = str(demo.root.parent / "segment.jsonl")
        await pilot.click("#write")
        await until(lambda: app.screen is session)
        assert Path(target.value).stat().st_size


async def test_words_are_sought_and_left_by_the_mouse(demo: DemoTree) -> None:
    async with sessions_open(demo.root, size=(100, 30)) as (pilot, _):
        mouse, app = Mouse(pilot), pilot.app
        await mouse.click(demo.session("login").title, times=2)
        session = await opened(app)  # type: ignore[arg-type]  # it is ours
        await mouse.click("/ find")
        await until(lambda: isinstance(app.focused, Input))
        line = session.query_one(PromptLine)
        assert app.focused is not None
        app.post_message(events.Paste("the"))
        await until(lambda: session.query_one(Input).value == "the")
        await mouse.click("Aa")
        await mouse.click("Aa")
        await pilot.click(line.query_one(".sign"))
        await until(lambda: session.is_found)
        assert session.matches_words
        await mouse.click("/ find")
        await until(lambda: line.is_asking)
        await pilot.click("#timeline", offset=(10, 3))
        await until(lambda: not line.is_asking)
        assert session.matches_words
        # all sessions
        await mouse.click("? help")
        await mouse.click("ctrl+p finds")
        await mouse.comes(Palette)
        await mouse.turn_to("Search all")
        await mouse.click("Search all")
        await mouse.comes(SearchScreen)
        found = app.screen
        assert isinstance(found, SearchScreen)
        await until(lambda: found.rows.hits)
        await pilot.pause()
        await pilot.click("#hits", offset=(10, 3), times=2)
        await until(lambda: isinstance(app.screen, SessionScreen) and app.screen is not session)
        await asyncio.sleep(0)
        await mouse.click(" › ", into=-2)
        await until(lambda: app.screen is found)
        await mouse.click("ccbrowse")
        await until(lambda: app.screen is session)
        assert isinstance(app.screen_stack[0], SessionsScreen)
