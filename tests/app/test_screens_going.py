"""Going about in a session: back and forward, findings, marks that stay, places named, two compared."""

from __future__ import annotations

from pathlib import Path

import pytest
from builders import DemoTree, write_demo
from driving import NOW, lines_of, session_open, text_of, toasts, until
from logs import START, Log

from ccbrowse.core.text import SafeText
from ccbrowse.tui.screens.comparing import ComparingScreen
from ccbrowse.tui.viewmodels.comparing import LINES, Sameness, compared
from ccbrowse.tui.viewmodels.handing import code_blocks, copyable, place_command, resume_command
from ccbrowse.tui.viewmodels.items import FINDING
from ccbrowse.tui.viewtypes import Tone
from ccbrowse.tui.widgets.sidebyside import SideBySide
from ccbrowse.tui.widgets.status import StatusLine


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> DemoTree:
    """The demo's sessions; nothing here writes to them."""
    return write_demo(tmp_path_factory.mktemp("demo") / "projects", NOW)


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    """A session of many prompts, three of whose lines are damaged."""
    log = Log("aaaa0000-0000-4000-8000-000000000001")
    log.time = START
    before = None
    for number in range(90):
        log.user(
            f"user{number:04}", f"Weigh the pears of row {number}", before, cwd="/home/robin/o"
        )
        log.reply(f"said{number:04}", usage=(1000, 0, 0, 5))
        before = f"said{number:04}"
        if number in (20, 50, 80):
            log.raw(b"{half")
    return log.write(tmp_path / "projects" / "-home-robin-o")


async def test_back_and_forward_findings_places_and_marks(damaged: Path) -> None:
    async with session_open(damaged, size=(120, 30)) as (pilot, screen):
        line, rows = screen.timeline, screen.rows
        assert rows is not None
        end = line.cursor_key
        await pilot.press("g")
        await until(lambda: line.cursor == 0)
        await pilot.pause()
        first = line.cursor_key
        found = []
        for _ in range(3):
            await pilot.press("right_square_bracket")
            assert rows.outline.parts[line.cursor] == FINDING
            found.append(line.cursor)
            await pilot.pause()
        assert found == sorted(set(found))
        await pilot.press("right_square_bracket")
        assert toasts(pilot)[-1] == "no finding below; i lists all, notes too"
        await pilot.press("left_square_bracket")
        assert line.cursor == found[1]
        await pilot.pause()
        await pilot.press(*["left_parenthesis"] * 4)
        await until(lambda: line.cursor_key == first)
        await pilot.press("left_parenthesis")
        await until(lambda: line.cursor_key == end)
        await pilot.press("right_parenthesis", "alt+right")
        await until(lambda: line.cursor == found[0])

        for words, key in (
            ("user0007", "user0007"),
            ("1/user0031", "user0031"),
            ("line 1", "user0000"),
            ("2026-02-02 02:40:50", None),
        ):
            await pilot.press("colon", *words, "enter")
            await until(lambda key=key: key in (None, line.cursor_key))  # type: ignore[misc]  # bound now
        assert line.cursor_key.startswith(("user", "said")) and line.cursor > 0

        await pilot.press(
            "colon", *"user0040", "enter", "m", "a", "colon", *"user0041", "enter", "m", "b"
        )
        marks = dict(screen.lore.marks)
        assert sorted(marks) == ["user0040", "user0041"]
        await pilot.press("T", "t", "t", "e")
        await pilot.resize_terminal(80, 24)
        await pilot.press("g", "apostrophe", "a")
        await until(lambda: line.cursor_key == "user0040")
        assert screen.lore.marks == marks
        await pilot.press("D")
        await until(lambda: isinstance(pilot.app.screen, ComparingScreen))
        other = pilot.app.screen
        await until(lambda: "≠" in text_of(other.query_one(SideBySide)))
        [told] = [row for row in lines_of(other.query_one(SideBySide)) if row]
        assert " ".join(told.split()) == "Weigh the pears of row 40 ≠ Weigh the pears of row 41"
        assert "mark a and mark b" in text_of(other.query_one(StatusLine))
        await pilot.press("n")
        assert toasts(pilot)[-1] == "no other difference that way"
        await pilot.press("escape")
        await until(lambda: pilot.app.screen is screen)


async def test_two_segments_are_compared_by_their_boundaries(demo: DemoTree) -> None:
    async with session_open(demo.session("login").path) as (pilot, screen):
        await pilot.press("D")
        assert toasts(pilot)[-1] == "mark two rows with m and a letter, then compare them"
        await pilot.press("2", "m", "a", "3", "D")
        await until(lambda: isinstance(pilot.app.screen, ComparingScreen))
        pane = pilot.app.screen.query_one(SideBySide)
        await until(lambda: "turns" in text_of(pane))
        lines = lines_of(pane)
        turns = next(line for line in lines if line.lstrip().startswith("turns"))
        assert screen.reading is not None
        segments = screen.reading.session.segments
        assert turns.split() == [
            "turns",
            f"{segments[1].prompts}",
            "≠",
            "turns",
            f"{segments[2].prompts}",
        ]
        assert any("what was asked" in line and "│" in line for line in lines)


def test_lines_answer_one_another_and_words_that_differ_are_marked() -> None:
    view = compared(
        SafeText("a"),
        SafeText("one\ntwo pears\nthree\nfour"),
        SafeText("b"),
        SafeText("one\ntwo apples\nfour\nfive"),
    )
    assert [pair.sameness for pair in view.pairs] == [
        *(Sameness.SAME, Sameness.OTHER, Sameness.LEFT_ONLY, Sameness.SAME, Sameness.RIGHT_ONLY),
    ]  # fmt: skip
    assert [(piece.text, piece.tone) for piece in view.pairs[1].right] == [
        ("two ", Tone.PLAIN), ("apples", Tone.MARK),
    ]  # fmt: skip
    assert view.differing == 3
    apart = compared(SafeText("a"), SafeText("one two"), SafeText("b"), SafeText("quite another"))
    assert apart.pairs[0].sameness is Sameness.OTHER
    assert [piece.tone for piece in (*apart.pairs[0].left, *apart.pairs[0].right)] == [
        Tone.PLAIN
    ] * 2
    long = SafeText("\n".join(f"{number}" for number in range(LINES + 7)))
    pairs = compared(SafeText("a"), long, SafeText("b"), long).pairs
    assert len(pairs) == LINES + 1 and "7 more lines" in pairs[-1].left[0].text


def test_what_is_handed_over_is_quoted_and_harmless() -> None:
    assert (
        resume_command("id 1", "/a b", fork=True)
        == "cd '/a b' && claude --resume 'id 1' --fork-session"
    )
    assert place_command("abcd", 3, "u-1") == "ccbrowse 'abcd#3/u-1'"
    assert place_command("abcd", 0, "", "x1") == "ccbrowse abcd@agent:x1"
    assert copyable("x", "a\tb\x1b]52;c;x\x07\nc").text == "a\tb\nc"
    told = "Look:\n```py\nx = 1\n\ty\n```\nand\n~~~\nz\n~~~\nopen\n```\nlast"
    assert code_blocks(told) == ["x = 1\n\ty", "z", "last"]
