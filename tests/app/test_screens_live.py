"""Sessions that grow, compact, vanish and are replaced while one looks at them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from builders import SessionBuilder, Workspace, finish, turn, written
from driving import NOW, now_ms, session_open, sessions_open, text_of, toasts, until
from textual.app import App

from ccbrowse.tui.config import Settings
from ccbrowse.tui.screens.session import SessionScreen
from ccbrowse.tui.viewtypes import BoundaryRow, Entry, Outcome, Role
from ccbrowse.tui.widgets.status import StatusLine


@pytest.fixture
def builder() -> SessionBuilder:
    """A session that ends at the tests' time."""
    b = SessionBuilder("2.1.332", seed="live")
    turn(b, "Begin", say="Begun.")
    turn(b, "Go on", say="Gone on.")
    b.clock.end_at(NOW)
    return b


@pytest.fixture
def path(builder: SessionBuilder, tmp_path: Path) -> Path:
    """Its file, as it stands."""
    path = written(builder, tmp_path / "projects")
    builder.take()
    return path


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


def news(builder: SessionBuilder) -> bytes:
    """The lines that the session has gained."""
    builder.clock.end_at(NOW)
    return b"".join(builder.take().values())


def texts(screen: SessionScreen) -> list[str]:
    """The words of all rows."""
    rows = screen.rows
    assert rows is not None
    made = [rows.row(number) for number in range(len(rows))]
    return [row.text if isinstance(row, Entry) else getattr(row, "title", "") for row in made]


def status(screen: SessionScreen) -> str:
    return text_of(screen.query_one(StatusLine))


async def test_new_lines_appear_and_are_followed(builder: SessionBuilder, path: Path) -> None:
    async with session_open(path) as (_, screen):
        builder.prompt("A third thing")
        append(path, news(builder))
        await until(lambda: texts(screen)[-1] == "A third thing")
        assert screen.timeline.cursor == screen.timeline.count - 1
        assert screen.timeline.following and screen.timeline.unread == 0
        assert "3 turns" in str(screen.timeline.caption) or await _said(screen, "3 turns")


async def _said(screen: SessionScreen, words: str) -> bool:
    await until(lambda: words in str(screen.timeline.caption))
    return True


async def test_half_a_line_waits_for_its_rest(builder: SessionBuilder, path: Path) -> None:
    async with session_open(path) as (pilot, screen):
        before = texts(screen)
        builder.prompt("In two parts")
        data = news(builder)
        start = data.rindex(b"\n", 0, data.index(b"In two parts")) + 1 if b"\n" in data[:-1] else 0
        cut = (start + data.index(b"In two parts")) // 2
        append(path, data[:cut])
        await pilot.pause(0.5)
        assert texts(screen) == before
        append(path, data[cut:])
        await until(lambda: texts(screen)[-1] == "In two parts")


async def test_a_move_up_pauses_and_counts_what_comes_until_the_end_is_asked_for(
    builder: SessionBuilder, path: Path
) -> None:
    async with session_open(path) as (pilot, screen):
        await pilot.press("k")
        key = screen.timeline.cursor_key
        turn(builder, "Unread", say="Unread too.")
        append(path, news(builder))
        await until(lambda: screen.timeline.unread >= 2)
        await pilot.pause()
        assert screen.timeline.cursor_key == key
        assert f"❚❚ paused · {screen.timeline.unread} new ↓" in status(screen)
        await pilot.press("F")
        await pilot.pause()
        assert screen.timeline.following and screen.timeline.unread == 0
        assert screen.timeline.cursor == screen.timeline.count - 1
        assert "● LIVE following" in status(screen)
        await pilot.press("F")
        await pilot.pause()
        assert "❚❚ paused" in status(screen)
        await pilot.press("end")
        assert screen.timeline.following


async def test_a_call_runs_until_its_result_comes(builder: SessionBuilder, path: Path) -> None:
    space = Workspace(builder.cwd, builder.era, {"a.py": "x = 1\n"})
    async with session_open(path) as (_, screen):

        def calls() -> list[Entry]:
            assert screen.rows is not None
            rows = [screen.rows.row(number) for number in range(len(screen.rows))]
            return [row for row in rows if isinstance(row, Entry) and row.role is Role.TOOL]

        builder.prompt("Run it")
        call = builder.reply(space.bash("make", "all done")).calls[0]
        append(path, news(builder))
        await until(calls)
        assert calls()[0].outcome is Outcome.RUNNING
        row = screen.timeline.count - 1
        assert "○" in screen.timeline.strips_of(row)[0].text
        builder.answer(call)
        append(path, news(builder))
        await until(lambda: calls()[0].outcome is Outcome.OK)
        await until(lambda: "✓" in screen.timeline.strips_of(row)[0].text)
        assert "all done" in screen.timeline.strips_of(row)[0].text


async def test_a_compaction_is_a_row_and_a_toast_and_no_jump(
    builder: SessionBuilder, path: Path
) -> None:
    async with session_open(path) as (pilot, screen):
        await pilot.press("k")
        key = screen.timeline.cursor_key
        builder.compact("All of the above.")
        append(path, news(builder))
        await until(lambda: any(words.startswith("compact 1 · auto") for words in toasts(pilot)))
        assert screen.timeline.cursor_key == key
        assert screen.rows is not None
        rows = [screen.rows.row(number) for number in range(len(screen.rows))]
        (boundary,) = [row for row in rows if isinstance(row, BoundaryRow)]
        assert boundary.title == "compact 1"
        assert len(screen.starts) == 2
        await until(lambda: "segment 1 of 2" in status(screen))
        assert "now" in text_of(screen.rail)


async def test_a_rewind_is_a_mark_and_a_toast(builder: SessionBuilder, path: Path) -> None:
    async with session_open(path) as (pilot, screen):
        left = builder.leaf
        assert left is not None
        turn(builder, "One way", say="Taken.")
        append(path, news(builder))
        await until(lambda: "One way" in texts(screen))
        builder.go_back(left)
        turn(builder, "Another way", say="Better.")
        append(path, news(builder))
        await until(lambda: "the conversation was rewound; b lists its branches" in toasts(pilot))
        assert "One way" not in texts(screen) and "Another way" in texts(screen)
        assert any(words.startswith("rewound here") for words in texts(screen))


async def test_a_subagent_is_told_and_can_be_opened(
    builder: SessionBuilder, path: Path, tmp_path: Path
) -> None:
    async with session_open(path) as (pilot, screen):
        builder.prompt("Ask a helper")
        builder.subagent("Help", "Help me", lambda child: _finished(child))
        builder.clock.end_at(NOW)
        taken = builder.take()
        for name, data in taken.items():
            target = path.parent / name
            target.parent.mkdir(parents=True, exist_ok=True)
            append(target, data)
        for name, data in builder.metas().items():
            (path.parent / name).write_bytes(data)
        await until(lambda: any(words.startswith("subagent · Help") for words in toasts(pilot)))
        rows = screen.rows
        assert rows is not None
        calls = [rows.row(n) for n in range(len(rows))]
        (call,) = [row for row in calls if isinstance(row, Entry) and row.role is Role.SUBAGENT]
        assert call.opens


def _finished(child: Any) -> str:
    finish(child, say="Helped.")
    return "Helped."


async def test_a_removed_file_keeps_its_last_state_and_a_notice(
    builder: SessionBuilder, path: Path
) -> None:
    async with session_open(path) as (pilot, screen):
        before = texts(screen)
        path.rename(path.with_suffix(".away"))
        await until(lambda: "✗ file removed" in status(screen))
        await until(lambda: toasts(pilot) == ["the file was removed; what was read stays"])
        assert texts(screen) == before
        assert "Gone on." in text_of(screen.detail)
        path.with_suffix(".away").rename(path)
        await until(lambda: "✗ file removed" not in status(screen))
        assert texts(screen) == before


async def test_a_replaced_file_is_read_anew_and_the_place_kept(
    builder: SessionBuilder, path: Path
) -> None:
    async with session_open(path) as (pilot, screen):
        await pilot.press("g", "J", "J")
        key = screen.timeline.cursor_key
        lines = path.read_bytes().split(b"\n")
        kept = [line for line in lines if line and b"Begun." not in line]
        copy = path.with_suffix(".new")
        copy.write_bytes(b"\n".join(kept) + b"\n")
        copy.replace(path)
        await until(lambda: "the file was written anew; it is read again" in toasts(pilot))
        await until(lambda: "Begun." not in texts(screen))
        assert screen.timeline.cursor_key == key
        assert "Go on" in texts(screen)


async def test_a_file_cut_short_is_read_anew(builder: SessionBuilder, path: Path) -> None:
    async with session_open(path) as (_, screen):
        data = path.read_bytes()
        cut = data.index(b"\n", data.index(b'"Begin"')) + 1
        os.truncate(path, cut)
        await until(lambda: texts(screen)[-1] == "Begin")
        append(path, data[cut:])
        await until(lambda: texts(screen)[-1] == "Gone on.")


@pytest.mark.parametrize("forced", ["setting", "environment"])
async def test_files_are_polled_where_events_do_not_come(
    builder: SessionBuilder, path: Path, monkeypatch: pytest.MonkeyPatch, forced: str
) -> None:
    if forced == "environment":
        monkeypatch.setenv("WATCHFILES_FORCE_POLLING", "true")
    settings = Settings(polling=True if forced == "setting" else None)
    async with session_open(path, settings=settings) as (_, screen):
        builder.prompt("Seen by looking")
        append(path, news(builder))
        await until(lambda: texts(screen)[-1] == "Seen by looking")


async def test_a_session_that_rests_is_not_called_live(path: Path) -> None:
    later = now_ms() + 3_600_000
    async with session_open(path, now=lambda: later) as (pilot, screen):
        assert "LIVE" not in status(screen)
        await pilot.press("k")
        await pilot.pause()
        assert "paused" not in status(screen)


async def test_the_list_follows_new_grown_and_removed_sessions(
    builder: SessionBuilder, path: Path
) -> None:
    root = path.parents[1]
    async with sessions_open(root) as (pilot, screen):
        assert screen.table.count == 1
        other = SessionBuilder("2.1.332", seed="other", cwd="/home/robin/elsewhere")
        turn(other, "Something new", say="Indeed.")
        other.clock.end_at(NOW)
        second = written(other, root)
        await until(lambda: screen.table.count == 2)
        assert toasts(pilot) == ["new session · Something new"]
        assert "elsewhere" in text_of(screen.query_one("#projects"))
        turn(builder, "And more", say="More.")
        append(path, news(builder))
        await until(lambda: any(" 3 " in line for line in text_of(screen.table).split("\n")))
        second.unlink()
        await until(lambda: screen.table.count == 1)


async def test_threads_end_with_the_app(path: Path) -> None:
    import threading

    before = set(threading.enumerate())
    async with session_open(path) as (pilot, _):
        await pilot.press("k")
        assert isinstance(pilot.app, App)
    left = [t for t in threading.enumerate() if t not in before and "asyncio" not in t.name]
    assert left == []
