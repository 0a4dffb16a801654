"""The list of sessions: roots, projects and their worktrees, groups, sorting by mouse, the clean-up."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from driving import NOW, lines_of, now_ms, sessions_open, text_of, toasts, until
from logs import Log

from ccbrowse.core.library import Library
from ccbrowse.core.listing import Listing
from ccbrowse.core.retention import Retention
from ccbrowse.core.text import SafeText
from ccbrowse.core.worktrees import Worktree
from ccbrowse.tui.config import Settings
from ccbrowse.tui.screens.dialogs import Pick
from ccbrowse.tui.viewmodels.groups import Group, grouped
from ccbrowse.tui.viewmodels.listing import (
    Order,
    Wanted,
    choose,
    columns_for,
    order_at,
    preview,
    row_line,
    view_of,
)
from ccbrowse.tui.viewmodels.shelves import Places, Shelf, rail_items, root_labels
from ccbrowse.tui.viewmodels.unread import count_words, foot_words
from ccbrowse.tui.viewtypes import NOTHING, Line
from ccbrowse.tui.widgets.choices import Choices
from ccbrowse.tui.widgets.table import TableHead

DAY = 86_400_000
SESSIONS = (
    ("work", "aaaa", "/home/robin/mill", 0, "Grind the flour"),
    ("work", "bbbb", "/home/robin/mill/.claude/worktrees/wheel", 1, "Mend the wheel"),
    ("work", "cccc", "/home/robin/barn", 3, "Count the hay"),
    ("home", "dddd", "/home/robin/mill", 40, "Sweep the mill"),
)
"""Root, id, folder, days ago, prompt."""


@pytest.fixture(scope="module")
def roots(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two roots, one of which a client cleans up after 20 days; files are as old as their records."""
    top = tmp_path_factory.mktemp("roots")
    for root, name, cwd, days, prompt in SESSIONS:
        log = Log(f"{name}0000-0000-4000-8000-000000000001")
        log.time = now_ms() - days * DAY - 5_000_000
        log.user("u1", prompt, None, cwd=cwd)
        log.reply("a1", usage=(1000 + days, 0, 0, 1))
        path = log.write(top / root / "projects" / cwd.replace("/", "-"))
        written = NOW.timestamp() - (days + 15) * 86_400
        os.utime(path, (written, written))
    (top / "work" / "settings.json").write_text('{"cleanupPeriodDays": 20}')
    return top / "work" / "projects", top / "home" / "projects"


@pytest.fixture(scope="module")
def listings(roots: tuple[Path, Path]) -> list[Listing]:
    return list(Library(roots).scan())


@pytest.fixture
def places(roots: tuple[Path, Path]) -> Places:
    worktrees = {"/home/robin/mill/.claude/worktrees/wheel": Worktree("mill", "wheel")}
    return Places(root_labels(roots, {roots[0]: "work"}), worktrees, Retention({roots[0]: 20}))


def text(line: Line) -> str:
    return "".join(piece.text for piece in line)


def test_the_rail_puts_worktrees_beside_their_project_and_projects_below_their_root(
    listings: list[Listing], places: Places, roots: tuple[Path, Path]
) -> None:
    items = rail_items(listings, places)
    told = [" ".join(text(item.line).split()) for item in items]
    assert told == [
        "(all) 4",
        "work 3",
        "mill 2",
        "@wheel 1",
        "barn 1",
        f"{told[5][:-2]} 1",
        "mill 1",
    ]
    one = replace(places, labels={roots[0]: "work"})
    assert [Shelf.of_key(item.key) for item in rail_items(listings[:3], one)] == [
        Shelf(), Shelf(project="mill"), Shelf(project="mill", worktree="wheel"), Shelf(project="barn"),
    ]  # fmt: skip

    def titles(shelf: Shelf) -> list[str]:
        wanted = Wanted(project=shelf.key)
        return [each.title.text for each in choose(listings, wanted, now_ms(), places)]

    work = str(roots[0])
    assert titles(Shelf(work, "mill")) == ["Grind the flour", "Mend the wheel"]
    assert titles(Shelf(work, "mill", "wheel")) == ["Mend the wheel"]
    assert titles(Shelf(str(roots[1]))) == ["Sweep the mill"]
    assert places.name(Shelf(work, "mill", "wheel").key) == "work › mill › wheel"


def test_groups_keep_the_order_that_was_asked_for(listings: list[Listing], places: Places) -> None:
    newest = choose(listings, Wanted(), now_ms(), places)
    by_date, dates = grouped(newest, Group.DATE, now_ms(), places)
    assert [each.title.text[:5] for each in by_date] == ["Grind", "Mend ", "Count", "Sweep"]
    assert dates == {
        0: "today · 1 session",
        1: "yesterday · 1 session",
        2: "in the last 7 days · 1 session",
        3: "January 2026 · 1 session",
    }
    heavy = choose(listings, Wanted(order=Order.CONTEXT), now_ms(), places)
    by_project, names = grouped(heavy, Group.PROJECT, now_ms(), places)
    assert names[1] == "barn · work · 1 session" and list(names) == [0, 1, 2, 3]
    assert by_project[0].title.text == "Sweep the mill"
    assert grouped(newest, Group.NONE, now_ms(), places) == (newest, {})


def test_a_session_that_the_client_removes_soon_is_marked(
    listings: list[Listing], places: Places
) -> None:
    by_title = {each.title.text: each for each in listings}
    rows = {
        name: text(row_line(view_of(each, now_ms(), places), columns_for(100, one_project=False)))
        for name, each in by_title.items()
    }
    assert "Grind the flour" in rows["Grind the flour"] and " 5d left " in rows["Grind the flour"]
    assert " 2d left " in rows["Count the hay"] and "left" not in rows["Sweep the mill"]
    assert "mill @wheel · w" in rows["Mend the wheel"]
    told = text(preview(by_title["Grind the flour"], NOTHING, NOTHING, now_ms(), places)[-1])
    assert told.startswith("the client keeps it 5 more days · ") and told.endswith(" · work")
    due = replace(places, retention=Retention({by_title["Grind the flour"].file.root: 1}))
    told = text(preview(by_title["Grind the flour"], NOTHING, NOTHING, now_ms(), due)[-1])
    assert told.startswith("the client removes it at its next start · ")
    long = replace(places, retention=Retention({by_title["Grind the flour"].file.root: 90}))
    told = text(preview(by_title["Grind the flour"], NOTHING, NOTHING, now_ms(), long)[-1])
    assert told.endswith(" · the client keeps it 75 more days")


def test_each_columns_name_sorts_by_it() -> None:
    columns = columns_for(120, one_project=False)
    found = [order_at(x, columns) for x in range(130)]
    assert list(dict.fromkeys(found)) == [
        Order.TITLE, None, Order.AGE, Order.TURNS, Order.SEGMENTS, Order.CONTEXT,
    ]  # fmt: skip


async def test_the_list_is_grouped_and_sorted_by_keys_and_by_mouse(
    roots: tuple[Path, Path],
) -> None:
    async with sessions_open(*roots, size=(120, 30)) as (pilot, screen):
        await until(lambda: "5d left" in text_of(screen.table))
        rail = lines_of(screen.query_one("#projects"))
        assert [line.split()[:1] for line in rail[2:5]] == [["mill"], ["@wheel"], ["barn"]]
        await pilot.press("j", "H", "H")
        await until(lambda: "by date" in str(screen.query_one("#sessions").border_title))
        lines = lines_of(screen.table)
        assert lines[0] == "  today · 1 session" and "Grind the flour" in lines[1]
        assert lines[3] == "  yesterday · 1 session" and lines[4].startswith(" ▌  Mend the wheel")
        await pilot.press("j")
        assert "Count the hay" in lines_of(screen.table)[7] and lines_of(screen.table)[7][1] == "▌"
        await pilot.press("H")
        head = screen.query_one(TableHead)
        names = lines_of(head)[0]
        await pilot.click(head, offset=(names.index("context") + 1, 0))
        await until(lambda: lines_of(screen.table)[0].startswith("    Sweep the mill"))
        await pilot.click(head, offset=(names.index("context") + 1, 0))
        await until(lambda: "Grind the flour" in lines_of(screen.table)[0])
        assert "context↑" in lines_of(head)[0]


async def test_what_could_not_be_read_is_counted_told_and_forgotten_once_it_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = []
    for name in ("aaaa", "bbbb"):
        log = Log(f"{name}0000-0000-4000-8000-000000000001")
        log.time = now_ms() - 5_000_000
        log.user("u1", f"Prompt of {name}", None)
        log.reply("a1")
        paths.append(log.write(tmp_path / "-home-robin-mill"))
    plain, shut = Path.open, True

    def refuse(self: Path, *args: object, **kwargs: object) -> object:
        if shut and self.name.startswith("bbbb"):
            raise PermissionError(13, "Permission denied", str(self))
        return plain(self, *args, **kwargs)  # type: ignore[call-overload]  # as it was called

    monkeypatch.setattr(Path, "open", refuse)
    settings = Settings(polling=True)
    async with sessions_open(tmp_path, size=(80, 24), settings=settings) as (pilot, screen):
        frame = screen.query_one("#sessions")
        assert frame.border_subtitle == "1 session · ⚠ 1 file not read (i tells)"
        await pilot.press("i")
        dialog = pilot.app.screen
        assert isinstance(dialog, Pick)
        told = text_of(dialog.query_one(Choices))
        assert f"{paths[1].name}  Permission denied" in told
        await pilot.press("enter")
        assert toasts(pilot) == ["copied the path"]
        shut = False
        paths[1].touch()
        await until(lambda: frame.border_subtitle == "2 sessions")
        await pilot.press("i")
        dialog = pilot.app.screen
        assert "all files could be read" in str(dialog.query_one(Choices).border_subtitle)


def test_while_files_are_read_the_top_line_counts_them() -> None:
    assert count_words(0, 0, 0, read=False) == "reading …"
    assert count_words(36, 40, 1500, read=False) == "reading 40 of 1,500 files …"
    assert count_words(1200, 1500, 1500, read=True) == "1,200 sessions"
    assert foot_words(3, 9, 0, SafeText("i")) == "3 of 9 sessions"
    assert foot_words(9, 9, 2, SafeText("")) == "9 sessions · ⚠ 2 files not read"
