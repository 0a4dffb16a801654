"""The session screen: what it opens at, what its keys do, what its panes show at each width."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from builders import DemoTree, sampler, write_demo, written
from driving import NOW, Driver, lines_of, opened, session_open, text_of, toasts, until
from textual.screen import Screen

from ccbrowse.tui.screens.dialogs import Offer, Pick
from ccbrowse.tui.screens.help import HelpPage
from ccbrowse.tui.screens.session import SessionScreen
from ccbrowse.tui.viewtypes import BoundaryRow, Divider, Entry, ForkRow, Role, Row
from ccbrowse.tui.widgets.detail import Detail
from ccbrowse.tui.widgets.fill import Fill
from ccbrowse.tui.widgets.status import StatusLine


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> DemoTree:
    """The demo's sessions; nothing here writes to them."""
    return write_demo(tmp_path_factory.mktemp("demo") / "projects", NOW)


@pytest.fixture(scope="module")
def sampled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A session with one of nearly everything."""
    return written(sampler("2.1.332"), tmp_path_factory.mktemp("sampled") / "projects")


def is_open(pilot: Driver, kind: type[Screen[Any]]) -> bool:
    """Whether a screen of this kind is on top."""
    return isinstance(pilot.app.screen, kind)


def row_under(screen: SessionScreen) -> Entry | BoundaryRow:
    """What the timeline's cursor is on."""
    assert screen.rows is not None
    row = screen.rows.row(screen.timeline.cursor)
    assert isinstance(row, Entry | BoundaryRow)
    return row


def rows_in(screen: SessionScreen) -> list[Row]:
    """All rows."""
    rows = screen.rows
    assert rows is not None
    return [rows.row(number) for number in range(len(rows))]


def entries(screen: SessionScreen, role: Role) -> list[Entry]:
    """All rows of a role."""
    return [row for row in rows_in(screen) if isinstance(row, Entry) and row.role is role]


async def test_it_opens_at_the_end_of_the_newest_segment_and_says_what_it_weighs(
    demo: DemoTree,
) -> None:
    async with session_open(demo.session("login").path) as (_, screen):
        assert screen.timeline.cursor == screen.timeline.count - 1
        assert screen.timeline.following
        status = text_of(screen.query_one(StatusLine))
        assert "Fix login flow › segment 4 of 4" in status
        assert "● LIVE following" in status
        assert "= of 200k" in status and "(by model)" in status
        assert [line.split()[0] for line in lines_of(screen.rail) if "→" in line] == ["1", "2", "3"]
        assert "“keep the tests”" in text_of(screen.rail)
        assert "├ 2 branches" in text_of(screen.rail)
        assert text_of(screen.query_one(Fill)).count("│") == 3 * len(
            [line for line in lines_of(screen.query_one(Fill)) if "│" in line]
        )


async def test_it_opens_at_a_segment_or_a_record_where_one_is_named(demo: DemoTree) -> None:
    path = demo.session("login").path
    async with session_open(path, segment=2) as (_, screen):
        row = row_under(screen)
        assert isinstance(row, BoundaryRow)
        assert row.title == "compact 1"
        assert not screen.timeline.following
        uuid = row.key
    async with session_open(path, uuid=uuid) as (_, screen):
        assert screen.timeline.cursor_key == uuid


async def test_braces_and_digits_go_to_boundaries(demo: DemoTree) -> None:
    async with session_open(demo.session("login").path) as (pilot, screen):
        titles = []
        for _ in range(3):
            await pilot.press("left_curly_bracket")
            row = row_under(screen)
            assert isinstance(row, BoundaryRow)
            titles.append(row.title)
        assert titles == ["compact 3", "compact 2", "compact 1"]
        await pilot.press("left_curly_bracket")
        assert screen.timeline.cursor <= 1
        await pilot.press("right_curly_bracket")
        assert row_under(screen).key == screen.timeline.source.key(screen.starts[1])
        await pilot.press("3")
        row = row_under(screen)
        assert isinstance(row, BoundaryRow) and row.title == "compact 2"
        await pilot.press("9")
        assert toasts(pilot) == ["there is no segment 9"]


async def test_a_boundary_tells_its_numbers_and_the_summary_stands_beneath(demo: DemoTree) -> None:
    async with session_open(demo.session("login").path, segment=4) as (_, screen):
        row = row_under(screen)
        assert isinstance(row, BoundaryRow)
        assert row.trigger == "manual"
        assert row.before.endswith("=") and row.after.endswith("=")
        assert row.reduction.startswith("−") and row.duration.endswith("s")
        notes = ["".join(piece.text for piece in note) for note in row.notes]
        assert "“keep the tests”" in notes
        assert any(note.startswith("the next request weighed ") for note in notes)
        assert any(note.startswith("kept 6 messages") for note in notes)
        assert screen.rows is not None
        below = screen.rows.row(screen.timeline.cursor + 1)
        assert isinstance(below, Entry) and below.role is Role.SUMMARY
        assert not below.text.startswith("This session is being continued")


async def test_prompts_are_gone_through(sampled: Path) -> None:
    async with session_open(sampled) as (pilot, screen):
        await pilot.press("g")
        prompts = []
        for _ in range(3):
            await pilot.press("J")
            prompts.append(row_under(screen).key)
            assert isinstance(row_under(screen), Entry)
        assert len(set(prompts)) == 3
        await pilot.press("K")
        assert row_under(screen).key == prompts[1]


async def test_tools_are_shown_with_results_then_hidden_then_on_one_line(sampled: Path) -> None:
    async with session_open(sampled) as (pilot, screen):
        calls = len(entries(screen, Role.TOOL))
        assert calls > 8
        await pilot.press("t")
        assert any(entry.lines > 1 for entry in entries(screen, Role.TOOL))
        await pilot.press("t")
        await until(lambda: not entries(screen, Role.TOOL))
        assert len(entries(screen, Role.SUBAGENT)) == 1  # stays, as it opens something
        await pilot.press("t")
        await until(lambda: len(entries(screen, Role.TOOL)) == calls)
        assert all(entry.lines == 1 for entry in entries(screen, Role.TOOL))


async def test_thinking_and_the_clients_records_are_shown_on_demand(sampled: Path) -> None:
    async with session_open(sampled) as (pilot, screen):
        assert not entries(screen, Role.THINKING)  # there is a signature only
        await pilot.press("k")
        key = screen.timeline.cursor_key
        few = len(entries(screen, Role.NOTE))
        await pilot.press("e")
        await until(lambda: len(entries(screen, Role.NOTE)) > few + 10)
        assert len(entries(screen, Role.THINKING)) == 1
        assert screen.timeline.cursor_key == key
        await pilot.press("T")
        await until(lambda: not entries(screen, Role.THINKING))
        labels = {entry.label for entry in entries(screen, Role.NOTE)}
        assert {"custom-title", "last-prompt"} <= labels
        assert screen.timeline.cursor_key == key


async def test_enter_on_a_subagent_opens_its_conversation(sampled: Path) -> None:
    async with session_open(sampled) as (pilot, screen):
        (call,) = entries(screen, Role.SUBAGENT)
        assert call.opens
        assert "message" in "".join(piece.text for piece in call.facts)
        screen.timeline.go_to(call.key)
        await pilot.press("enter")
        inner = await opened(pilot.app)  # type: ignore[arg-type]  # the app of the tests
        assert inner is not screen
        (task,) = entries(inner, Role.PERSON)
        assert (task.label, task.text) == ("task", "Help me")
        status = text_of(inner.query_one(StatusLine))
        assert "Sampler › subagent › " in status
        await pilot.press("escape")
        assert pilot.app.screen is screen
        assert screen.timeline.cursor_key == call.key


async def test_branches_are_listed_and_opened(sampled: Path) -> None:
    async with session_open(sampled) as (pilot, screen):
        (fork,) = [row for row in rows_in(screen) if isinstance(row, ForkRow)]
        assert [arm.words for arm in fork.arms] == ["Change it"] and fork.goes_on == "Change both"
        await pilot.press("b")
        assert is_open(pilot, Pick)
        listed = text_of(pilot.app.screen.query_one("#pick"))
        assert "edited prompt" in listed and "rewind" in listed
        assert "Change it" in listed and "Read this" in listed
        await pilot.press("G", "enter")  # the prompt that was edited: its versions in the detail
        assert pilot.app.screen is screen
        (prompt,) = [row for row in entries(screen, Role.PERSON) if row.text == "Read this"]
        assert [piece.text for piece in prompt.facts] == ["edited 1×"]
        assert "Read [-tihs-]{+this+}" in text_of(screen.detail)
        screen.timeline.go_to(fork.key)
        await pilot.press("b")  # the only arm that left there, as a line of its own
        await until(lambda: pilot.app.screen is not screen)
        branch = pilot.app.screen
        assert isinstance(branch, SessionScreen)
        await until(lambda: branch.reading is not None)
        people = entries(branch, Role.PERSON)
        assert [entry.text for entry in people if not entry.dim] == ["Change it"]
        assert "Read this" in [entry.text for entry in people if entry.dim]
        assert any(
            isinstance(r, Divider) and "left the main line" in r.text for r in rows_in(branch)
        )
        assert branch.timeline.source.row(branch.timeline.cursor).key == people[-1].key
        assert not branch.rail.display
        await pilot.press("q")
        assert pilot.app.screen is screen


async def test_findings_are_listed_and_gone_to(demo: DemoTree) -> None:
    async with session_open(demo.session("uploads").path) as (pilot, screen):
        assert len(entries(screen, Role.FINDING)) == 9
        assert "⚠ 9 findings" in text_of(screen.rail)
        await pilot.press("i")
        assert isinstance(pilot.app.screen, Pick)
        assert "holds no record" in text_of(pilot.app.screen.query_one("#pick"))
        await pilot.press("j", "enter")
        row = row_under(screen)
        assert isinstance(row, Entry)
        assert row.role is Role.FINDING and row.text == "line 17 holds no record"
        assert "severity  error" in text_of(screen.detail)


async def test_colon_goes_to_segments_records_and_times(demo: DemoTree) -> None:
    async with session_open(demo.session("login").path) as (pilot, screen):
        await pilot.press("colon", "2", "enter")
        row = row_under(screen)
        assert isinstance(row, BoundaryRow) and row.title == "compact 1"
        uuid = screen.timeline.source.key(40).partition("#")[0]
        await pilot.press("colon", *uuid[:9], "enter")
        assert screen.timeline.cursor_key.startswith(uuid)
        entry = next(
            entry
            for entry in entries(screen, Role.PERSON)
            if entry.time and entry.time != row_under(screen).key
        )
        await pilot.press("colon", *entry.time, "enter")
        there = row_under(screen)
        assert isinstance(there, Entry) and there.time == entry.time
        before = screen.timeline.cursor
        await pilot.press("colon", *"zzzz", "enter")
        assert screen.timeline.cursor == before
        assert toasts(pilot) == ["nothing here is called zzzz"]


async def test_marks_are_set_shown_and_gone_to(demo: DemoTree) -> None:
    async with session_open(demo.session("login").path) as (pilot, screen):
        await pilot.press("K", "K")
        key = screen.timeline.cursor_key
        await pilot.press("m", "a")
        assert row_under(screen).mark == "a"
        await pilot.press("g", "apostrophe", "a")
        assert screen.timeline.cursor_key == key
        await pilot.press("apostrophe", "b")
        assert toasts(pilot) == ["no row is marked b"]
        await pilot.press("m", "escape")
        assert row_under(screen).mark == "a"


async def test_items_ranges_and_places_are_copied(sampled: Path) -> None:
    async with session_open(sampled) as (pilot, screen):
        await pilot.press("g", "J")
        row = row_under(screen)
        assert isinstance(row, Entry)
        await pilot.press("y")
        assert pilot.app.clipboard == row.text
        await pilot.press("Y")
        await until(lambda: is_open(pilot, Pick))
        menu = text_of(pilot.app.screen.query_one("#pick"))
        for name in ("text", "id of the record", "file and line", "this place, to share", "resume"):
            assert name in menu
        await pilot.press("j", "j", "enter")
        await until(lambda: pilot.app.screen is screen)
        assert pilot.app.clipboard.startswith(f"{sampled}:")
        await pilot.press("Y", "j", "j", "j", "enter")
        await until(lambda: "this place" in toasts(pilot)[-1])
        number = screen.segment_at_cursor
        assert pilot.app.clipboard == f"ccbrowse '{sampled.stem}#{number}/{row.key}'"
        await pilot.press("v", "j", "j", "y")
        assert pilot.app.clipboard.startswith(f"{row.text}\n\n")
        assert toasts(pilot)[-1] == "copied 3 items"
        await pilot.press("escape")
        assert not screen.timeline.chosen
        await pilot.press("r")
        assert pilot.app.clipboard == f"cd /home/robin/acme/api && claude --resume {sampled.stem}"


async def test_resuming_asks_first(sampled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[object] = []
    async with session_open(sampled) as (pilot, screen):
        monkeypatch.setattr(pilot.app, "suspend_and_run", ran.append)
        await pilot.press("R")
        assert is_open(pilot, Offer)
        await pilot.press("enter")  # the button in focus changes nothing
        assert pilot.app.screen is screen and not ran
        called: list[tuple[list[str], str | None]] = []
        monkeypatch.setattr("subprocess.run", lambda words, cwd, check: called.append((words, cwd)))
        monkeypatch.setattr(pilot.app, "suspend_and_run", lambda run: run() or True)
        await pilot.press("R", "r", "R", "f", "R", "escape")
        resume = ["claude", "--resume", sampled.stem]
        assert called == [(resume, None), ([*resume, "--fork-session"], None)]


async def test_the_item_is_given_to_pager_and_editor(
    sampled: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shown = tmp_path / "shown"
    monkeypatch.setenv("PAGER", f"cp -t {tmp_path}")
    monkeypatch.setenv("VISUAL", "no-such-editor")
    async with session_open(sampled) as (pilot, screen):
        monkeypatch.setattr(pilot.app, "suspend_and_run", lambda run: run() or True)
        await pilot.press("g", "J", "o")
        row = row_under(screen)
        assert isinstance(row, Entry)
        copy = tmp_path / "item.txt"
        assert copy.read_text() == f"{row.text}\n"
        assert copy.stat().st_mode & 0o077 == 0
        await pilot.press("O")
        assert toasts(pilot)[-1].startswith("no-such-editor: ")
        assert not shown.exists()


async def test_the_detail_shows_edits_as_diffs_and_results_whole(sampled: Path) -> None:
    async with session_open(sampled) as (pilot, screen):
        edit = next(entry for entry in entries(screen, Role.TOOL) if entry.label == "MultiEdit")
        screen.timeline.go_to(edit.key)
        await pilot.pause()
        text = text_of(screen.detail)
        assert "MultiEdit src/a.py" in text
        assert "1 - x" in text and "1 + w" in text
        bash = next(entry for entry in entries(screen, Role.TOOL) if entry.text.startswith("ls"))
        screen.timeline.go_to(bash.key)
        await pilot.pause()
        text = text_of(screen.detail)
        assert re.search(r"exit +2", text) and "stdout and stderr, as they came" in text
        assert "uuid" in text and "model" in text
        await pilot.press("u")
        assert '"parentUuid"' in text_of(screen.detail)
        await pilot.press("u")
        assert '"parentUuid"' not in text_of(screen.detail)


async def test_a_large_item_is_shown_by_a_worker_and_cut_with_its_size_said(
    tmp_path: Path,
) -> None:
    b = sampler("2.1.181")
    b.prompt("long " * 300_000)
    path = written(b, tmp_path / "projects")
    async with session_open(path) as (pilot, screen):
        assert screen.timeline.cursor == screen.timeline.count - 1
        await until(lambda: "long long" in text_of(screen.detail))
        await pilot.press("l", "G")
        await until(lambda: "first 1.0M of 1.5M characters" in text_of(screen.detail))


@pytest.mark.parametrize(
    ("width", "seen"),
    [(160, "rail timeline detail"), (120, "rail timeline"), (80, "timeline")],
)
async def test_as_many_panes_as_there_is_room_for(demo: DemoTree, width: int, seen: str) -> None:
    async with session_open(demo.session("login").path, size=(width, 30)) as (pilot, screen):
        panes = ("rail", "timeline", "detail")

        def in_view() -> str:
            return " ".join(p for p in panes if screen.query_one(f"#{p}").region.width)

        assert in_view() == seen
        key = screen.timeline.cursor_key
        await pilot.press("l")
        await pilot.pause()
        assert screen.detail.has_focus
        expected = {160: "rail timeline detail", 120: "timeline detail", 80: "detail"}
        assert in_view() == expected[width]
        assert screen.detail.key == key
        await pilot.press("tab")
        await pilot.pause()
        assert screen.rail.has_focus and "rail" in in_view()
        await pilot.press("escape")
        await pilot.pause()
        assert screen.timeline.has_focus and in_view() == seen
        assert screen.timeline.cursor_key == key
        await pilot.press("z")
        await pilot.pause()
        assert in_view() == "timeline"
        await pilot.press("z")
        await pilot.pause()
        assert in_view() == seen


async def test_one_pane_names_its_place_in_the_top_line(demo: DemoTree) -> None:
    async with session_open(demo.session("login").path, size=(90, 24)) as (pilot, screen):
        await pilot.press("enter")
        await pilot.pause()
        assert "segment 4 of 4 › detail" in text_of(screen.query_one(StatusLine))
        assert isinstance(screen.focused, Detail)


async def test_the_rail_leads_the_timeline_and_follows_it(demo: DemoTree) -> None:
    async with session_open(demo.session("login").path) as (pilot, screen):
        assert screen.rail.cursor_key == "4"
        await pilot.press("h", "k", "k")
        await pilot.pause()
        row = row_under(screen)
        assert isinstance(row, BoundaryRow) and row.title == "compact 1"
        await pilot.press("enter", "right_curly_bracket")
        await pilot.pause()
        assert screen.rail.cursor_key == "3"


async def test_the_mouse_chooses_rows_segments_and_keys(demo: DemoTree) -> None:
    async with session_open(demo.session("login").path) as (pilot, screen):
        await pilot.click("#timeline", offset=(20, 1))
        first = screen.timeline.cursor
        assert first < screen.timeline.count - 5
        await pilot.click("#rail", offset=(6, 1))
        await pilot.pause()
        assert screen.segment_at_cursor == 1
        await pilot.click("#keys", offset=(1, 0))
        await until(lambda: screen.segment_at_cursor == 1 and screen.timeline.cursor < first)


async def test_the_help_page_tells_every_command(demo: DemoTree) -> None:
    async with session_open(demo.session("theme").path) as (pilot, screen):
        await pilot.press("question_mark")
        page = pilot.app.screen
        assert isinstance(page, HelpPage)
        detail = page.query_one(Detail)
        told = "\n".join(line.text for row in range(detail.count) for line in detail.strips_of(row))
        single = [c for c in screen.commands if all(c is not each.pair for each in screen.commands)]
        for command in single:
            assert command.help in told
        await pilot.press("escape")
        assert pilot.app.screen is screen
