"""The export dialog: part, format and target are chosen, a file is written, none is overwritten unasked."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Event

import pytest
from builders import sampler, written
from driving import Driver, session_open, text_of, toasts, until
from textual.widgets import Input

from ccbrowse.core.export import Written
from ccbrowse.tui.reader.exporting import Job
from ccbrowse.tui.screens.dialogs import Confirm
from ccbrowse.tui.screens.export import ExportDialog
from ccbrowse.tui.screens.session import SessionScreen


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A session with three segments; the working directory is an empty one."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return written(sampler("2.1.332"), tmp_path / "projects")


def dialog(pilot: Driver) -> ExportDialog:
    """The dialog on top."""
    screen = pilot.app.screen
    assert isinstance(screen, ExportDialog)
    return screen


def on_top(pilot: Driver, kind: type[object]) -> bool:
    return isinstance(pilot.app.screen, kind)


async def test_the_segment_is_written_as_markdown(path: Path) -> None:
    async with session_open(path, segment=2) as (pilot, _):
        await pilot.press("x")
        await pilot.pause()
        assert "(●) segment 2" in text_of(dialog(pilot).query_one("#scope"))
        assert dialog(pilot).query_one(Input).value == "./sampler.seg2.md"
        await pilot.press("ctrl+s")
        await until(lambda: on_top(pilot, SessionScreen))
        text = Path("sampler.seg2.md").read_text()
        assert "and this" in text and "Read this" not in text
        await until(lambda: bool(toasts(pilot)))  # said once the dialog has gone
        assert toasts(pilot)[-1].startswith(f"wrote {Path.cwd()}/sampler.seg2.md, ")


async def test_the_segment_is_written_as_lines_byte_for_byte(path: Path) -> None:
    async with session_open(path) as (pilot, _):
        await pilot.press("x")
        await pilot.pause()
        await pilot.press("right", "right", "right")
        assert dialog(pilot).query_one(Input).value == "./sampler.seg3.jsonl"
        assert dialog(pilot).query_one("#tools").disabled
        await pilot.press("ctrl+s")
        await until(lambda: on_top(pilot, SessionScreen))
    lines = Path("sampler.seg3.jsonl").read_bytes().splitlines()
    source = path.read_bytes().splitlines()
    assert lines and all(line in source for line in lines)
    assert json.loads(lines[0])["subtype"] == "compact_boundary"


async def test_a_file_that_is_there_is_replaced_only_when_asked_for(path: Path) -> None:
    target = Path("sampler.seg3.md")
    target.write_text("mine")
    async with session_open(path) as (pilot, screen):
        await pilot.press("x")
        await pilot.pause()
        await pilot.press("ctrl+s")
        await until(lambda: on_top(pilot, Confirm))
        await pilot.press("enter")
        await until(lambda: on_top(pilot, ExportDialog))
        assert target.read_text() == "mine"
        await pilot.press("ctrl+s")
        await until(lambda: on_top(pilot, Confirm))
        await pilot.press("y")
        await until(lambda: pilot.app.screen is screen)
        assert "Now" not in target.read_text()[:3] and target.read_text() != "mine"


async def test_a_chosen_range_and_the_whole_session_can_be_written(path: Path) -> None:
    async with session_open(path) as (pilot, screen):
        await pilot.press("g", "J", "v", "J", "x")
        await pilot.pause()
        scope = text_of(dialog(pilot).query_one("#scope"))
        assert "(●) chosen range" in scope and "( ) whole session" in scope
        dialog(pilot).query_one("#scope").focus()
        await pilot.press("left")
        assert dialog(pilot).query_one(Input).value == "./sampler.all.md"
        await pilot.press("right")
        await pilot.press("ctrl+s")
        await until(lambda: pilot.app.screen is screen)
        (written_file,) = Path().glob("sampler.from-*.md")
        text = written_file.read_text()
        assert "Read this" in text and "On it goes." not in text


async def test_what_cannot_be_written_is_said_and_the_dialog_stays(path: Path) -> None:
    async with session_open(path) as (pilot, screen):
        await pilot.press("x")
        await pilot.pause()
        field = dialog(pilot).query_one(Input)
        field.value = "no/such/folder/x.md"
        field.focus()
        await pilot.press("enter")
        await until(lambda: any("no such folder" in words for words in toasts(pilot)))
        assert on_top(pilot, ExportDialog)
        await pilot.press("escape")
        assert pilot.app.screen is screen
        assert list(Path().iterdir()) == []


async def test_options_are_chosen_by_keys_and_mouse(path: Path) -> None:
    async with session_open(path, size=(80, 24)) as (pilot, _):
        await pilot.press("x")
        await pilot.pause()
        await pilot.press("tab", "right")
        assert "(●) full" in text_of(dialog(pilot).query_one("#tools"))
        await pilot.press("left", "left")
        assert "(●) none" in text_of(dialog(pilot).query_one("#tools"))
        await pilot.click("#thinking", offset=(20, 0))
        assert "(●) written" in text_of(dialog(pilot).query_one("#thinking"))
        await pilot.click("#leave")
        await until(lambda: on_top(pilot, SessionScreen))


async def test_five_formats_masked_unless_said_otherwise_with_the_count(path: Path) -> None:
    """What would be masked is counted while one looks; JSONL is exact until something else is chosen."""
    async with session_open(path, segment=1) as (pilot, screen):
        await pilot.press("x")
        await pilot.pause()
        about = dialog(pilot).query_one("#about")
        await until(lambda: "would mask: " in text_of(about) and "home path" in text_of(about))
        forms = text_of(dialog(pilot).query_one("#form"))
        assert forms.split() == [
            "(●)",
            "Markdown",
            "(",
            ")",
            "HTML",
            "(",
            ")",
            "JSON",
            "(",
            ")",
            "JSONL",
            "(",
            ")",
            "text",
        ]
        assert "(●) masked" in text_of(dialog(pilot).query_one("#masks"))
        await pilot.press("right", "right", "right")
        assert "(●) as written" in text_of(dialog(pilot).query_one("#masks"))
        assert "Nothing is masked" in text_of(about)
        assert not dialog(pilot).query_one("#links").disabled
        dialog(pilot).query_one("#masks").focus()
        await pilot.press("right")
        assert "(●) masked" in text_of(dialog(pilot).query_one("#masks"))
        await until(lambda: "would mask: " in text_of(about))
        await pilot.press("ctrl+s")
        await until(lambda: pilot.app.screen is screen)
        await until(lambda: bool(toasts(pilot)))  # said once the dialog has gone
        assert "; masked: " in toasts(pilot)[-1] and "home path" in toasts(pilot)[-1]
    assert b"/home/robin" not in Path("sampler.seg1.jsonl").read_bytes()


async def test_a_part_is_copied_instead_of_written(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied: list[str] = []
    async with session_open(path, segment=2) as (pilot, screen):
        monkeypatch.setattr(pilot.app, "copy_to_clipboard", copied.append)
        await pilot.press("x")
        await pilot.pause()
        await pilot.press("ctrl+y")
        await until(lambda: pilot.app.screen is screen)
        await until(lambda: bool(toasts(pilot)))  # said once the dialog has gone
        assert toasts(pilot)[-1].startswith(f"copied {len(copied[0]):,} characters; ")
    assert "and this" in copied[0] and copied[0].startswith("---")
    assert list(Path().iterdir()) == []


async def test_escape_stops_a_long_one_and_nothing_is_left(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The job says how far it is; the first escape stops it, the second one leaves."""
    going, told = Event(), Event()
    write = Job.write

    def slow(job: Job, target: Path, *, force: bool = False) -> tuple[Written, ...]:
        outer = job._at

        def at(share: float) -> None:
            going.set()
            told.wait(30)
            outer(share)

        job._at = at
        return write(job, target, force=force)

    monkeypatch.setattr(Job, "write", slow)
    monkeypatch.setattr("ccbrowse.tui.screens.export._PAUSE", -1)
    async with session_open(path) as (pilot, screen):
        await pilot.press("x")
        await pilot.pause()
        await pilot.press("ctrl+s")
        await until(going.is_set)
        await pilot.press("ctrl+s", "ctrl+y")  # one at a time
        await pilot.press("escape")
        assert on_top(pilot, ExportDialog)
        told.set()
        await until(lambda: any("stopped; nothing was written" in each for each in toasts(pilot)))
        assert list(Path().iterdir()) == []
        await pilot.press("escape")
        await until(lambda: pilot.app.screen is screen)


async def test_what_a_compaction_lost_and_a_subagent_are_parts_too(path: Path) -> None:
    async with session_open(path, size=(80, 24), segment=3) as (pilot, screen):
        await pilot.press("x")
        await pilot.pause()
        scope = dialog(pilot).query_one("#scope")
        assert "( ) losses of compaction 2" in text_of(scope)
        scope.focus()
        await pilot.press("right", "right")
        assert dialog(pilot).query_one(Input).value == "./sampler.seg2.loss.md"
        assert dialog(pilot).query_one("#form").disabled
        await pilot.press("ctrl+s")
        await until(lambda: pilot.app.screen is screen)
    assert Path("sampler.seg2.loss.md").read_text().startswith("# Compaction 2: ")
