"""Finding words in a session: the count that stands, what is folded, hidden or cut, patterns."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from builders import Call, SessionBuilder, Think, turn, written
from driving import Driver, lines_of, session_open, text_of, toasts, until
from textual.widgets import Input

from ccbrowse.core.text import SafeText
from ccbrowse.tui.screens.session import SessionScreen
from ccbrowse.tui.viewtypes import DETAIL_LIMIT, Entry
from ccbrowse.tui.widgets.prompt import PromptLine

LONG = "x " * (DETAIL_LIMIT // 2) + "the last vole" + " y" * 50


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Voles in a prompt, a reply, thinking, deep in a result, beyond what a detail shows, on an arm."""
    b = SessionBuilder("2.1.181", seed="voles", thinking_text=True)
    output = "\n".join(f"line {number}" for number in range(300)) + "\nvole 57\nend"
    call = Call("Bash", {"command": "count"}, output, {"stdout": output})
    turn(b, "Count the Voles", [call, Think("Perhaps a vole?")], say="No vole, I think.")
    left = turn(b, "The vole is withdrawn", say="A vole.")
    b.rewind(left)
    turn(b, "Read all", [Call("Bash", {"command": "cat"}, LONG, {"stdout": LONG})], say="Done.")
    return written(b, tmp_path / "projects")


async def find(pilot: Driver, screen: SessionScreen, *keys: str) -> None:
    """Type what to find, and wait until all of it is found."""
    await pilot.press("slash", *keys, "enter")
    await until(lambda: screen.is_found)
    await pilot.pause()


def row_under(screen: SessionScreen) -> Entry:
    assert screen.rows is not None
    row = screen.rows.row(screen.timeline.cursor)
    assert isinstance(row, Entry)
    return row


async def test_matches_are_gone_through_wherever_they_hide(path: Path) -> None:
    async with session_open(path) as (pilot, screen):
        await find(pilot, screen, *"VOLE")
        assert screen.matches_words.startswith(
            "1 of 5 · none below: from the top · 2 off this line"
        )
        assert "1 of 5" in str(screen.timeline.border_title)
        assert not screen.timeline.following and not toasts(pilot)
        await pilot.press("n")
        await until(lambda: "vole 57" in text_of(screen.detail))
        assert "vole 57" in row_under(screen).text, "the row shows what its result folds away"
        assert "2 of 5" in str(screen.detail.border_title)
        rows = screen.timeline.count
        await pilot.press("T")
        await until(lambda: screen.timeline.count < rows)
        await pilot.press("n")
        await until(lambda: "Perhaps a vole?" in row_under(screen).text)
        assert screen.shows_thinking, "what was hidden is shown for the match"
        await pilot.press("n", "n")
        await until(lambda: "around character 1,000,010" in text_of(screen.detail))
        assert "5 of 5" in screen.matches_words and "the last vole" in row_under(screen).text
        await pilot.press("n")
        assert "1 of 5 · from the top again" in screen.matches_words
        await pilot.press("N")
        assert "5 of 5 · from the end again" in screen.matches_words
        await pilot.press("escape")
        assert not screen.matches_words and str(screen.timeline.border_title) == "timeline"
        assert "the last vole" not in row_under(screen).text


async def test_patterns_case_and_words_and_what_is_wrong_with_them(path: Path) -> None:
    async with session_open(path, size=(80, 24)) as (pilot, screen):
        await pilot.press("slash", "alt+r", *"vole (")
        prompt = screen.query_one(PromptLine)
        await until(lambda: prompt.has_class("-wrong"))
        shown = text_of(pilot.app.screen.query_one(".wrong"))
        lines = [line.rstrip() for line in shown.split("\n")]
        assert lines[0].index("^") == len("/vole ")
        assert "bad pattern: missing )" in shown and "--regex" not in shown
        await pilot.press("enter")
        await until(lambda: prompt.is_asking and prompt.has_class("-wrong"))
        await pilot.press("backspace", *"5.", "enter")
        await until(lambda: screen.is_found)
        assert screen.matches_words.startswith("1 of 1")
        await find(pilot, screen, "alt+r", "alt+c", *"Voles")
        assert screen.matches_words.startswith("1 of 1")
        await find(pilot, screen, "alt+w", *"Vole")
        assert screen.matches_words == "not found"
        assert toasts(pilot)[-1] == "“Vole” is not in what is shown here"
        await pilot.press("slash")
        field = screen.query_one(Input)
        assert field.has_focus and field.value == "Vole"
        await pilot.click(prompt.query(".toggle").last())
        await pilot.press("enter")
        await until(lambda: screen.matches_words.startswith("1 of 1"))
        assert screen.is_found, "a click turns whole words off"
        assert SafeText("Voles") in "\n".join(lines_of(screen.timeline))


async def test_a_growing_session_is_sought_again(path: Path) -> None:
    async with session_open(path) as (pilot, screen):
        await find(pilot, screen, *"vole")
        assert screen.matches_words.startswith("1 of 5")
        await pilot.press("n")
        records = [json.loads(line) for line in path.read_bytes().splitlines()]
        last = [record for record in records if record["type"] == "assistant"][-1]
        new = last | {"uuid": "new-one", "parentUuid": last["uuid"], "type": "user"}
        new["message"] = {"role": "user", "content": "One more vole"}
        with path.open("a") as file:
            file.write(json.dumps(new) + "\n")
        await until(lambda: screen.matches_words.startswith("2 of 6"))
