"""The first minutes: the tour that is shown once, and what is said where there is nothing."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from builders import DemoTree, write_demo
from driving import NOW, make_app, sessions_open, text_of, until
from textual.screen import Screen
from textual.widgets import Static

from ccbrowse.core.text import SafeText
from ccbrowse.tui import touring
from ccbrowse.tui.app import CcbrowseApp
from ccbrowse.tui.commands import Command
from ccbrowse.tui.commands.keymap import NO_KEY
from ccbrowse.tui.config import Settings
from ccbrowse.tui.screens.rooms import ROOMS
from ccbrowse.tui.screens.tour import PAGES, TourPages, page_words
from ccbrowse.tui.viewmodels.listing import Wanted, why_none
from ccbrowse.tui.viewtypes import Line


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> DemoTree:
    """The demo's sessions; nothing here writes to them."""
    return write_demo(tmp_path_factory.mktemp("demo") / "projects", NOW)


def test_it_is_due_once_for_a_person(home: Path) -> None:
    assert touring.is_due({}) and not touring.is_due({"CI": "true"})
    touring.note_seen()
    assert touring.seen_file().is_relative_to(home) and not touring.is_due({})


def test_where_nothing_can_be_kept_it_is_shown_again(home: Path) -> None:
    (home / ".local").write_text("in the way")
    touring.note_seen()
    assert touring.is_due({})


def test_its_keys_are_those_in_use() -> None:
    known: set[type[Command]] = {command for commands in ROOMS.values() for command in commands}
    for _, said in PAGES:
        for _, commands, _ in said:
            assert set(commands) <= known
    words = page_words(PAGES[3][1], {"export": "f9", "copy.place": NO_KEY})
    assert words.startswith("f9 writes a segment") and "this very place" not in words


def shows(page: Screen[object], title: str) -> bool:
    """Whether the tour is at a page."""
    return any(title in str(each.content) for each in page.query("#tour-title").results(Static))


async def test_it_comes_on_top_once_and_again_when_asked_for(
    demo: DemoTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[bool] = []

    def run(app: CcbrowseApp, **how: object) -> None:
        shown.append(app.begins_with_tour)

    monkeypatch.setattr(CcbrowseApp, "run", run)
    monkeypatch.delenv("CI", raising=False)
    from ccbrowse.tui.app import run_app

    run_app([demo.root], settings=Settings())
    run_app([demo.root], settings=Settings(tour=False))
    assert shown == [True, False]

    app = make_app(demo.root)
    app.begins_with_tour = True
    async with app.run_test(size=(80, 24)) as pilot:
        await until(lambda: isinstance(app.screen, TourPages))
        assert not touring.is_due({})
        for title, _ in PAGES:
            await until(partial(shows, app.screen, title))
            await pilot.press("right")
        await until(lambda: not isinstance(app.screen, TourPages))
        await pilot.press("f2")
        await until(lambda: isinstance(app.screen, TourPages))
        await pilot.press("right", "left", "escape")
        await until(lambda: not isinstance(app.screen, TourPages))


def test_an_empty_list_says_why_and_what_to_do() -> None:
    def told(wanted: Wanted, *, read: bool, known: int) -> str:
        lines: list[Line] = why_none(wanted, [SafeText("~/.claude")], read=read, known=known)
        return "\n".join("".join(piece.text for piece in line) for line in lines)

    assert told(Wanted(), read=False, known=0) == "reading the sessions …"
    none = told(Wanted(), read=True, known=0)
    assert "There are no sessions yet in\n  ~/.claude\n" in none and "--root" in none
    filtered = told(Wanted(query="x", active=True, project="p"), read=True, known=3)
    assert "esc takes the filter away" in filtered and "a shows all" in filtered


async def test_only_live_sessions_where_none_is_says_so(tmp_path: Path) -> None:
    from logs import START, Log

    log = Log("aaaa0000-0000-4000-8000-000000000001")
    log.time = START
    log.user("u1", "Long ago", None, cwd="/home/robin/o")
    log.reply("a1", usage=(1000, 0, 0, 5))
    log.write(tmp_path / "projects" / "-home-robin-o")
    async with sessions_open(tmp_path / "projects", size=(80, 24)) as (pilot, screen):
        await pilot.press("a")
        await until(lambda: "No session fits." in text_of(screen.table))
        assert "a shows all" in text_of(screen.table)
        await pilot.press("a")
        await until(lambda: "Long ago" in text_of(screen.table))
