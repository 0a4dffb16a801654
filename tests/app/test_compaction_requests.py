"""The payload and the capture view of the compaction screen, and the export of the losses."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import lossy
import pytest
from driving import Driver, lines_of, session_open, text_of, toasts, until
from textual.widgets import Input

from ccbrowse.core.compaction.report import TWO_AFTERS
from ccbrowse.core.locate import session_file
from ccbrowse.core.payload import before_compaction
from ccbrowse.core.session import Session
from ccbrowse.tui.screens.compaction import CompactionScreen
from ccbrowse.tui.screens.dialogs import Confirm
from ccbrowse.tui.screens.export import ExportDialog
from ccbrowse.tui.widgets.detail import Detail
from ccbrowse.tui.widgets.entrylist import EntryList
from ccbrowse.tui.widgets.notes import Notes


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The session whose losses are known; nothing here writes to it."""
    return lossy.write(tmp_path_factory.mktemp("lossy") / "projects")


@asynccontextmanager
async def requests_open(
    path: Path, size: tuple[int, int] = (180, 50)
) -> AsyncIterator[tuple[Driver, CompactionScreen]]:
    """The payload view of the first compaction, once the requests are known."""
    async with session_open(path, size=size, segment=2) as (pilot, _):
        await pilot.press("P")
        await until(lambda: isinstance(pilot.app.screen, CompactionScreen))
        screen = pilot.app.screen
        assert isinstance(screen, CompactionScreen)
        await until(lambda: screen.requests is not None)
        await pilot.pause()
        yield pilot, screen


def pane(screen: CompactionScreen, name: str) -> EntryList:
    """One of the lists."""
    return screen.query_one(f"#{name}", EntryList)


def title(screen: CompactionScreen, name: str) -> str:
    """What stands in the frame of a list."""
    return pane(screen, name).border_title or ""


def sent_before(path: Path) -> list[dict[str, Any]]:
    """The messages of the request before the first compaction, to be changed at will."""
    session = Session(session_file(path))
    payload = before_compaction(session, 1)
    session.close()
    assert payload is not None and payload.messages is not None
    copied: list[dict[str, Any]] = json.loads(json.dumps(payload.messages))
    return copied


async def hold(pilot: Driver, screen: CompactionScreen, body: Path) -> None:
    """Open a captured file, and wait until it is held against the session."""
    await pilot.press("C")
    field = screen.query_one(Input)
    field.value = str(body)
    await pilot.press("enter")
    await until(lambda: screen.captured is not None)
    await pilot.pause()


async def test_the_two_requests_stand_side_by_side(path: Path) -> None:
    async with requests_open(path) as (_, screen):
        requests, found = screen.requests, screen.found
        assert requests is not None and found is not None
        assert requests.before is not None and requests.after is not None
        for name, request in (("before", requests.before), ("after", requests.after)):
            count = len(request.messages)
            assert title(screen, name) == (f"{name} · {count} messages · logged, verified ✓")
            assert pane(screen, name).count == count
        after = lines_of(pane(screen, "after"))
        assert "summary" in after[0] and after[0].startswith("+")
        kept = next(line for line in after if "One key, unused." in line)
        assert kept.startswith("=")
        before = lines_of(pane(screen, "before"))
        assert any(line.startswith("−") and lossy.LOST[:12] in line for line in before)


async def test_the_table_tells_both_figures_after_and_why(path: Path) -> None:
    async with requests_open(path) as (_, screen):
        found = screen.found
        assert found is not None and found.before is not None and found.after is not None
        told = text_of(screen.query_one("#figures", Notes))
        facts = found.boundary.facts
        for value in (facts.pre_tokens, facts.post_tokens):
            assert f"{value:,}=" in told
        for side in (found.before, found.after):
            assert f"{side.api_input.value:,}=" in told
            assert f"{side.message_tokens.value:,}≈" in told
            assert f"{side.messages:,}=" in told and f"{side.bytes:,}=" in told
        assert TWO_AFTERS.split(":")[0].split(";")[0] in " ".join(told.split())
        assert "−" in told and " %" in told


async def test_what_no_record_tells_is_named_for_an_older_client(tmp_path: Path) -> None:
    path = lossy.write(tmp_path / "projects", "2.1.181")
    async with requests_open(path) as (_, screen):
        told = text_of(screen.query_one("#figures", Notes))
        assert "in no record: system prompt, tools" in told
        assert "· rebuilt" in title(screen, "before")


async def test_a_message_that_stays_is_found_on_the_other_side_and_read(path: Path) -> None:
    async with requests_open(path) as (pilot, screen):
        before, after = pane(screen, "before"), pane(screen, "after")
        assert screen.at == "before" and before.cursor == before.count - 1
        await pilot.press("k", "j")
        twin = after.cursor_key
        assert screen.requests is not None and screen.requests.after is not None
        assert screen.requests.after.messages[int(twin)].twin == before.cursor
        await pilot.press("enter")
        assert screen.at == "message"
        shown = text_of(screen.query_one("#message", Detail))
        assert f"message {before.count}" in shown
        await pilot.press("escape", "tab", "g")
        assert screen.at == "after"
        shown = text_of(screen.query_one("#message", Detail))
        assert "message 1 · user" in shown and lossy.TOLD in shown
        await pilot.press("y")
        assert lossy.SUMMARY.strip() in pilot.app.clipboard


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_narrow_screens_show_one_pane_after_another(
    path: Path, size: tuple[int, int]
) -> None:
    async with requests_open(path, size) as (pilot, screen):
        for name in ("before", "after", "message"):
            assert screen.at == name
            assert screen.query_one(f"#{name}").region.width >= min(78, size[0] // 2 - 2)
            await pilot.press("tab")
        assert screen.at == "before"


async def test_views_are_chosen_by_digits_and_the_file_is_read_once(path: Path) -> None:
    async with requests_open(path) as (pilot, screen):
        requests = screen.requests
        await pilot.press("1")
        assert screen.at == "items"
        await until(lambda: screen.loss is not None)
        await pilot.press("3")
        assert "C opens a captured request" in text_of(screen.query_one("#captured", Notes))
        await pilot.press("2")
        await pilot.pause()
        assert screen.at == "before" and screen.requests is requests


async def test_a_captured_request_is_held_against_the_rebuilt_one(
    path: Path, tmp_path: Path
) -> None:
    messages = sent_before(path)
    changed = next(m for m in messages if lossy.TOLD in str(m["content"]))
    changed["content"] = str(changed["content"]).replace("45", "90")
    missing = {"role": "user", "content": "A note that stands in no record."}
    body = tmp_path / "body.json"
    given = {"model": "claude-made-up", "system": "Be brief.", "messages": [*messages, missing]}
    body.write_text(json.dumps(given), encoding="utf-8")
    async with requests_open(path) as (pilot, screen):
        await hold(pilot, screen, body)
        told = text_of(screen.query_one("#captured", Notes))
        assert str(body) in told and "claude-made-up" in told
        assert "it is the request of msg_" in told and "system prompt" in told
        told = title(screen, "pairs")
        assert "1 different" in told and "1 not rebuilt" in told
        lines = lines_of(pane(screen, "pairs"))
        assert sum(line.startswith("=") for line in lines) > 10
        await pilot.press("greater_than_sign")
        lines = lines_of(pane(screen, "pairs"))
        assert [line[0] for line in lines if line.strip()] == ["±", "−"]
        shown = text_of(screen.query_one("#pair", Detail))
        assert f"+ {lossy.TOLD.replace('45', '90')}" in shown and f"- {lossy.TOLD}" in shown
        await pilot.press("j", "y")
        assert pilot.app.clipboard == "A note that stands in no record."


async def test_a_capture_of_another_conversation_is_shown_alone(path: Path, tmp_path: Path) -> None:
    body = tmp_path / "other.json"
    body.write_text(json.dumps({"messages": [{"role": "user", "content": "Elsewhere."}]}), "utf-8")
    async with requests_open(path) as (pilot, screen):
        await hold(pilot, screen, body)
        told = text_of(screen.query_one("#captured", Notes))
        assert "no request of this session is like it" in told
        assert "1 not rebuilt" in title(screen, "pairs")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "No such file"),
        ("never JSON", "neither JSON nor lines of JSON"),
        ("{}", "no request"),
    ],
)
async def test_what_is_no_capture_is_said(
    path: Path, tmp_path: Path, content: str | None, words: str
) -> None:
    body = tmp_path / "odd.json"
    if content is not None:
        body.write_text(content, "utf-8")
    async with requests_open(path) as (pilot, screen):
        await pilot.press("C")
        screen.query_one(Input).value = str(body)
        await pilot.press("enter")
        await until(lambda: toasts(pilot))
        assert words in toasts(pilot)[0]
        assert screen.captured is None


async def test_the_losses_are_written_and_nothing_is_overwritten_unasked(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    target = tmp_path / "sessions-that-end-too-late.seg1.loss.md"
    async with session_open(path, segment=2) as (pilot, _):
        await pilot.press("L")
        screen = pilot.app.screen
        assert isinstance(screen, CompactionScreen)
        await until(lambda: screen.loss is not None)
        await pilot.press("x")
        assert isinstance(pilot.app.screen, ExportDialog)
        await pilot.press("ctrl+s")
        await until(target.exists)
        await until(lambda: pilot.app.screen is screen)
        await until(lambda: any(note.startswith("wrote ") for note in toasts(pilot)))
        text = target.read_text(encoding="utf-8")
        assert lossy.LOST in text and "## Not found" in text and "\x1b" not in text
        target.write_text("mine", encoding="utf-8")
        await pilot.press("x", "ctrl+s")
        await until(lambda: isinstance(pilot.app.screen, Confirm))
        await pilot.press("n")
        await until(lambda: isinstance(pilot.app.screen, ExportDialog))
        await pilot.press("escape")
        await until(lambda: pilot.app.screen is screen)
        assert target.read_text(encoding="utf-8") == "mine"
        assert isinstance(pilot.app.screen, CompactionScreen)


async def test_the_export_waits_for_the_losses(path: Path) -> None:
    async with requests_open(path) as (pilot, screen):
        assert screen.loss is None
        await pilot.press("x")
        assert toasts(pilot) == ["the losses are still being looked for"]
