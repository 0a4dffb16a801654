"""The sessions screen: the table, its order and filter, the rail of projects, the preview."""

from __future__ import annotations

from pathlib import Path

import pytest
from builders import DemoTree, write_demo
from driving import NOW, lines_of, make_app, opened, sessions_open, text_of, toasts, until

from ccbrowse.tui.config import Settings
from ccbrowse.tui.screens.help import HelpPage
from ccbrowse.tui.screens.sessions import SessionsScreen
from ccbrowse.tui.widgets.lines import Lines
from ccbrowse.tui.widgets.prompt import PromptLine
from ccbrowse.tui.widgets.status import KeyBar, StatusLine
from ccbrowse.tui.widgets.table import TableHead


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> DemoTree:
    """The demo's sessions; nothing here writes to them."""
    return write_demo(tmp_path_factory.mktemp("demo") / "projects", NOW)


def titles(screen: SessionsScreen) -> list[str]:
    """The titles of the table, in its order."""
    listed = [screen.table.key_at(row) for row in range(screen.table.count)]
    return [str(screen.listing(key).title.text) for key in listed]


async def test_sessions_are_listed_newest_first_with_their_numbers(demo: DemoTree) -> None:
    async with sessions_open(demo.root) as (_, screen):
        assert titles(screen)[:4] == [session.title for session in demo.sessions[:4]]
        first, second, third, *_ = lines_of(screen.table)
        assert "● Fix login flow" in first
        assert " 212 " in first and " 4 " in first and "=" in first and "▇" in first
        assert "● Hunt a flaky test" in second
        assert "●" not in third
        uploads = next(line for line in lines_of(screen.table) if "Uploads that stall" in line)
        assert "⚠9" in uploads
        assert "12 sessions" in text_of(screen.query_one(StatusLine))
        assert "● 2 live" in text_of(screen.query_one(StatusLine))


async def test_the_preview_shows_both_ends_and_the_segments(demo: DemoTree) -> None:
    async with sessions_open(demo.root) as (_, screen):
        await until(lambda: "last " in text_of(screen.query_one(Lines)))
        first, last, facts = lines_of(screen.query_one(Lines))[:3]
        assert "refresh token" in first
        assert last.strip().startswith("last")
        assert "branch feature/refresh-tokens · 4 segments: 2 auto, 1 manual · 4 branches" in facts


async def test_rows_are_sorted_and_reversed(demo: DemoTree) -> None:
    async with sessions_open(demo.root) as (pilot, screen):
        newest = titles(screen)
        await pilot.press("s")
        assert titles(screen)[:2] == ["Fix login flow", "Migrate schema"]
        assert "turns↓" in text_of(screen.query_one(TableHead))
        await pilot.press("S")
        assert titles(screen)[-1] == "Fix login flow"
        assert "turns↑" in text_of(screen.query_one(TableHead))
        await pilot.press("S", "s", "s", "s")
        assert titles(screen) == sorted(titles(screen), key=str.casefold)
        await pilot.press("s")
        assert titles(screen) == newest


async def test_words_filter_title_and_project_while_they_are_typed(demo: DemoTree) -> None:
    async with sessions_open(demo.root) as (pilot, screen):
        await pilot.press("slash", *"EXPORT")
        await until(lambda: screen.table.count == 2)
        await pilot.press(*" links")
        await until(lambda: titles(screen) == ["Export rework, signed links"])
        await pilot.press("enter")
        await pilot.pause()
        assert screen.table.has_focus
        assert "1 of 12 sessions" in str(screen.query_one("#sessions").border_subtitle)
        await pilot.press("slash")
        await pilot.press("escape")
        await until(lambda: screen.table.count == 12)
        await pilot.press("slash", *"billing", "enter")
        await until(lambda: screen.table.count == 2)
        await pilot.press("escape")
        await until(lambda: screen.table.count == 12)
        await pilot.press("slash", *"nothing like it", "enter")
        await until(lambda: screen.table.count == 0)
        assert "No session fits." in text_of(screen.table)
        assert "esc takes the filter away" in text_of(screen.table)


async def test_the_filter_speaks_the_language_of_searches(demo: DemoTree) -> None:
    async with sessions_open(demo.root, size=(100, 30)) as (pilot, screen):
        await pilot.press("slash", *"flf")
        await until(lambda: titles(screen) == ["Fix login flow"])
        await pilot.press("ctrl+u", *"project:api !has:live segments>0")
        await until(lambda: titles(screen) == ["Rate limit by account"])
        prompt = screen.query_one(PromptLine)
        assert not prompt.has_class("-wrong")
        await pilot.press(*" has:hope")
        await until(lambda: prompt.has_class("-wrong"))
        told = text_of(screen.query_one(".wrong"))
        assert "^^^^^^^^" in told and "unknown `has:hope`" in told
        assert screen.table.count == 1, "what can be read goes on to count"
        await pilot.press("enter")
        await until(lambda: prompt.is_asking and prompt.has_class("-wrong"))
        await pilot.press(*["backspace"] * 9, "enter")
        await until(lambda: screen.table.has_focus)
        assert screen.table.count == 1


async def test_the_rail_chooses_a_project(demo: DemoTree) -> None:
    async with sessions_open(demo.root) as (pilot, screen):
        rail = [line.split() for line in lines_of(screen.query_one("#projects"))[:3]]
        assert rail == [["▌(all)", "12"], ["api", "3"], ["web", "4"]]
        await pilot.press("h", "j")
        await until(lambda: screen.table.count == 3)
        assert "project" not in text_of(screen.query_one(TableHead))
        await pilot.press("enter")
        await pilot.pause()
        assert screen.table.has_focus
        await pilot.press("escape")
        await until(lambda: screen.table.count == 12)


async def test_only_live_sessions_on_demand(demo: DemoTree) -> None:
    async with sessions_open(demo.root) as (pilot, screen):
        await pilot.press("a")
        assert titles(screen) == ["Fix login flow", "Hunt a flaky test"]
        await pilot.press("a")
        assert screen.table.count == 12


async def test_enter_opens_and_back_returns_to_the_same_row(demo: DemoTree) -> None:
    async with sessions_open(demo.root) as (pilot, screen):
        await pilot.press("j", "j", "enter")
        session = await opened(pilot.app)  # type: ignore[arg-type]  # the app of the tests
        assert session.overview is not None
        assert session.overview.title == "Export rework, signed links"
        await pilot.press("escape")
        assert pilot.app.screen is screen
        assert screen.table.cursor == 2
        await pilot.click("#table", offset=(10, 4), times=2)
        session = await opened(pilot.app)  # type: ignore[arg-type]  # the app of the tests
        assert session.overview is not None and session.overview.title == titles(screen)[4]


async def test_titles_paths_and_resume_commands_are_copied(demo: DemoTree) -> None:
    async with sessions_open(demo.root) as (pilot, _):
        await pilot.press("y")
        assert pilot.app.clipboard == "Fix login flow"
        path = demo.session("login").path
        await pilot.press("Y", "j", "j", "enter")
        await until(lambda: len(toasts(pilot)) == 2)
        assert pilot.app.clipboard == str(path)
        await pilot.press("r")
        assert pilot.app.clipboard == f"cd /home/robin/acme/api && claude --resume {path.stem}"
        assert len(toasts(pilot)) == 3


async def test_hostile_titles_lose_their_controls_and_keep_their_brackets(demo: DemoTree) -> None:
    async with sessions_open(demo.root) as (pilot, screen):
        raw = demo.session("hostile").title
        assert "\x1b" in raw and "\u202e" in raw
        await pilot.press(*"j" * 9)
        await pilot.pause()
        row = next(line for line in lines_of(screen.table) if "[red]Odd" in line)
        assert "characters[/] txt." in row
        everything = "\n".join(text_of(widget) for widget in (screen.table, *screen.query(Lines)))
        assert not any(ord(sign) < 32 and sign != "\n" for sign in everything)
        assert "\u202e" not in everything


async def test_help_and_footer_tell_the_users_own_keys(demo: DemoTree) -> None:
    settings = Settings(keys={"sort": "f9", "help": "f2"})
    async with sessions_open(demo.root, settings=settings) as (pilot, screen):
        newest = titles(screen)
        assert "F9 sort" in text_of(screen.query_one(KeyBar)).replace("f9", "F9")
        await pilot.press("s")
        assert titles(screen) == newest
        await pilot.press("f9")
        assert titles(screen) != newest
        await pilot.press("f2")
        assert isinstance(pilot.app.screen, HelpPage)


async def test_a_click_in_the_footer_does_what_it_says(demo: DemoTree) -> None:
    async with sessions_open(demo.root) as (pilot, screen):
        newest = titles(screen)
        at = lines_of(screen.query_one(KeyBar))[0].index("sort")
        await pilot.click("#keys", offset=(at + 1, 0))
        await until(lambda: titles(screen) != newest)


@pytest.mark.parametrize("width", [80, 100, 140, 200])
async def test_a_row_fits_any_width(demo: DemoTree, width: int) -> None:
    async with sessions_open(demo.root, size=(width, 24)) as (_, screen):
        line = next(line for line in lines_of(screen.table) if "Uploads that stall" in line)
        assert "24k=" in line and "⚠9" in line
        head = lines_of(screen.query_one(TableHead))[0]
        assert head.index("context") + len("context") == line.index("24k=") + 4
        assert screen.query_one("#projects").display is (width >= 100)


async def test_an_empty_root_says_so_and_back_ends_the_app(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = app.screen
        assert isinstance(screen, SessionsScreen)
        await until(lambda: screen.is_read)
        await until(lambda: "There are no sessions yet in" in text_of(screen.table))
        assert "ccbrowse demo has some to try" in text_of(screen.table)
        await pilot.press("enter", "j", "y", "r", "R")
        assert app.screen is screen
        await pilot.press("q")
        await until(lambda: app._exit)
