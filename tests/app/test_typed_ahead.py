"""Keys of a burst: each counts where it is meant, whatever the keys before it have opened."""

from __future__ import annotations

from pathlib import Path

from driving import session_open, sessions_open, until
from logs import START, Log
from textual import events
from textual.keys import _character_to_key

from ccbrowse.tui.app import CcbrowseApp
from ccbrowse.tui.screens.search import SearchScreen
from ccbrowse.tui.screens.session import SessionScreen
from ccbrowse.tui.screens.tour import TourPages
from ccbrowse.tui.widgets.prompt import PromptField


def burst(app: CcbrowseApp, *keys: str) -> None:
    """Keys all at once, as a terminal hands them over that was slow: `/pears` is six of them."""
    for key in keys:
        if len(key) > 1 and key[0] in "/:'m":
            burst(app, *key)
        elif len(key) == 1:
            app.post_message(events.Key(_character_to_key(key), key))
        else:
            app.post_message(events.Key(key, None))


def session(folder: Path) -> Path:
    """A session of thirty prompts."""
    log = Log("aaaa0000-0000-4000-8000-000000000001")
    log.time = START
    before = None
    for number in range(30):
        log.user(f"user{number:04}", f"Weigh the pears of row {number}", before)
        log.reply(f"said{number:04}", usage=(1000, 0, 0, 5))
        before = f"said{number:04}"
    return log.write(folder)


async def test_keys_behind_a_key_that_opens_something_are_meant_for_that(tmp_path: Path) -> None:
    async with session_open(session(tmp_path), size=(100, 30)) as (pilot, screen):
        app = screen.app
        assert isinstance(app, CcbrowseApp)
        line = screen.timeline
        burst(app, "ma", "k", "k")  # the letter is the dialog's, the moves are the timeline's again
        await until(lambda: line.cursor == line.count - 3)
        assert list(screen.lore.marks.values()) == ["a"]
        burst(app, "g", "j", "'a", "k")
        await until(lambda: line.cursor == line.count - 2)
        burst(app, "/row 7", "enter", "n", "N", "escape")
        await until(lambda: [field.value for field in screen.query(PromptField)] == ["row 7"])
        await until(lambda: line.has_focus and not screen.matches_words)
        burst(app, ":user0004", "enter", "j", "j")
        await until(lambda: line.cursor_key == "user0005")
        app.action_tour()
        burst(app, "enter", "enter", "enter", "enter", "g")
        await until(lambda: line.cursor == 0)
        assert not isinstance(app.screen, TourPages)
        await pilot.pause()


async def test_a_filter_and_what_is_typed_behind_it(tmp_path: Path) -> None:
    session(tmp_path / "-home-robin-o")
    async with sessions_open(tmp_path, size=(100, 30)) as (_pilot, screen):
        app = screen.app
        assert isinstance(app, CcbrowseApp)
        burst(app, "/zzz", "enter", "escape", "/pears", "enter", "enter")
        await until(lambda: isinstance(app.screen, SessionScreen))
        burst(app, "ctrl+f", *"row 11", "enter")
        await until(lambda: isinstance(app.screen, SearchScreen))
        found = app.screen
        assert isinstance(found, SearchScreen)
        await until(lambda: len(found.rows.hits) == 1)
