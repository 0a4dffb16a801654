"""The search screen: hits by session and segment, opened where they stand, found again as they were."""

from __future__ import annotations

import shutil
from pathlib import Path

import lossy
import pytest
from builders import Say, SessionBuilder, Think, finish, turn
from driving import Driver, lines_of, make_app, opened, sessions_open, text_of, toasts, until
from textual.widgets import Input

from ccbrowse.core.locate import session_file
from ccbrowse.core.search.child import SearchChild
from ccbrowse.core.session import Session
from ccbrowse.core.targets import Resolved
from ccbrowse.tui.screens.search import SearchScreen
from ccbrowse.tui.screens.session import SessionScreen
from ccbrowse.tui.viewtypes import Entry
from ccbrowse.tui.widgets.prompt import PromptLine
from ccbrowse.tui.widgets.status import StatusLine


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A session with a word in every place, and one that was compacted."""
    folder = tmp_path / "projects"
    b = SessionBuilder("2.1.181", seed="otters", cwd="/home/robin/acme/zoo", thinking_text=True)
    turn(b, "Where is the otter?", [Think("An otter swims.")], say="The otter is in the river.")
    left = turn(b, "The otter is withdrawn", say="So be it, no otter.")
    b.rewind(left)
    b.prompt("Ask a helper")
    b.subagent(
        "Help", "Look for it", lambda child: (child.reply(Say("One otter seen.")), "One.")[1]
    )
    finish(b, say="Seen.")
    b.title("Animals of the river")
    b.write(folder)
    lossy.write(folder)
    return folder


async def search(pilot: Driver, *keys: str) -> SearchScreen:
    """Type a search, and wait for its end."""
    await pilot.press(*keys, "enter")
    screen = pilot.app.screen
    assert isinstance(screen, SearchScreen)
    await until(lambda: screen.progress.started and not screen.progress.searching)
    await pilot.pause()
    return screen


async def open_at(pilot: Driver, screen: SearchScreen, words: str) -> SessionScreen:
    """Open the hit that shows some words; wait until it is found there."""
    rows = lines_of(screen.hit_list)
    screen.hit_list.move_to(next(n for n, row in enumerate(rows) if words in row))
    await pilot.press("enter")
    session = pilot.app.screen
    assert isinstance(session, SessionScreen)
    await until(lambda: session.is_found and session.matches_words)
    await pilot.pause()
    return session


def words_under(session: SessionScreen) -> str:
    assert session.rows is not None
    row = session.rows.row(session.timeline.cursor)
    assert isinstance(row, Entry)
    return row.text


async def test_hits_open_where_they_stand_and_are_found_again(root: Path) -> None:
    async with sessions_open(root) as (pilot, _):
        await pilot.press("ctrl+f")
        await pilot.pause()
        assert "what to type" in text_of(pilot.app.screen.query_one("#hits"))
        screen = await search(pilot, *"OTTER")
        lines = [line.strip("▌ ") for line in lines_of(screen.hit_list) if line.strip()]
        assert lines[0].startswith("Animals of the river  zoo · ") and "6 hits" in lines[0]
        places = [line for line in lines if line.startswith(("segment", "off the", "subagent"))]
        assert [place.split("  ")[0].split()[0] for place in places] == [
            "segment",
            "off",
            "subagent",
        ]
        status = text_of(screen.query_one(StatusLine))
        assert "6 hits in 1 session" in status and "2 sessions searched" in status
        assert "1 of 6" in str(screen.hit_list.border_subtitle)
        assert "Where is the otter?" in text_of(screen.query_one("#hit"))

        session = await open_at(pilot, screen, "An otter swims.")
        assert "An otter swims." in words_under(session) and "2 of 3" in session.matches_words
        await pilot.press("escape")
        assert pilot.app.screen is screen and "2 of 6" in str(screen.hit_list.border_subtitle)
        session = await open_at(pilot, screen, "no otter")
        assert "no otter" in words_under(session), "an arm is opened by itself"
        await pilot.press("escape")
        session = await open_at(pilot, screen, "One otter seen.")
        assert "One otter seen." in words_under(session) and session.lore.in_agent
        await pilot.press("ctrl+f")
        assert pilot.app.screen is screen, "the key leads back to the hits"
        at = screen.hit_list.cursor_key
        await pilot.press("escape")
        assert pilot.app.screen is not screen
        await pilot.press("ctrl+f")
        await pilot.pause()
        assert pilot.app.screen is screen and screen.hit_list.cursor_key == at
        assert len(screen.rows.hits) == 6
        await pilot.press("n")
        assert toasts(pilot)[-1] == "this is the last hit"
        await pilot.click("#hits", offset=(12, 3))
        await until(lambda: isinstance(pilot.app.screen, SessionScreen))
        await pilot.press("q")
        await until(lambda: pilot.app.screen is screen)
        shutil.rmtree(root)
        await pilot.press("enter")
        await until(lambda: "No such file" in toasts(pilot)[-1])
        assert pilot.app.screen is screen


async def test_losses_conditions_and_what_cannot_be_read(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: SearchChild) -> None:
        raise OSError("no more processes")

    monkeypatch.setattr(SearchChild, "__init__", refuse)
    monkeypatch.setattr(SearchChild, "__del__", lambda self: None, raising=False)
    async with sessions_open(root, size=(80, 24)) as (pilot, _):
        await pilot.press("ctrl+f")
        await pilot.pause()
        screen = await search(pilot, *"lost:auditors")
        assert len(screen.rows.hits) == 1, "without a child process it searches by itself"
        await pilot.press("slash", *"otter has:hope")
        prompt = screen.query_one(PromptLine)
        await until(lambda: prompt.has_class("-wrong"))
        shown = text_of(screen.query_one(".wrong"))
        assert "unknown `has:hope`" in shown and "has: compact branch" in shown
        assert shown.startswith(" " * len("/otter ") + "^" * len("has:hope") + " unknown")
        await pilot.press("enter")
        await until(lambda: prompt.is_asking)
        assert len(screen.rows.hits) == 1, "what was found stays"
        field = screen.query_one(Input)
        field.value = "otter project:nowhere"
        screen = await search(pilot)
        assert "nothing found for “otter project:nowhere”" in text_of(screen.hit_list)
        await pilot.press("slash")
        screen.query_one(Input).value = "porject:zoo otter"
        await search(pilot)
        assert "did you mean `project:`" in text_of(screen.hit_list)


async def test_what_is_sought_in_a_session_is_searched_everywhere(root: Path) -> None:
    path = next(p for p in root.rglob("*.jsonl") if "-zoo" in str(p) and "agent" not in p.name)
    app = make_app(root, target=Resolved(Session(session_file(path, root))))
    async with app.run_test(size=(120, 40)) as pilot:
        session = await opened(app)
        await pilot.press("slash", *"otter", "enter")
        await until(lambda: session.is_found)
        await pilot.press("ctrl+f")
        await until(lambda: isinstance(app.screen, SearchScreen))
        screen = app.screen
        assert isinstance(screen, SearchScreen)
        await until(lambda: screen.progress.started and not screen.progress.searching)
        assert len(screen.rows.hits) == 6
