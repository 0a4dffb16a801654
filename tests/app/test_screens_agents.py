"""Subagents on the session screen: opened at any depth, live, in the background, the client's own."""

from __future__ import annotations

from pathlib import Path

from builders import Say, SessionBuilder, finish, turn, written
from driving import opened, session_open, text_of, until
from logs import Log, call

from ccbrowse.core.session import Session
from ccbrowse.tui.screens.dialogs import Pick
from ccbrowse.tui.screens.session import SessionScreen
from ccbrowse.tui.viewtypes import Entry, Outcome, Role
from ccbrowse.tui.widgets.status import StatusLine


def subagents(screen: SessionScreen) -> list[Entry]:
    """The rows of calls that ran a subagent."""
    rows = screen.rows
    assert rows is not None
    made = [rows.row(number) for number in range(len(rows))]
    return [row for row in made if isinstance(row, Entry) and row.role is Role.SUBAGENT]


async def test_subagents_open_at_any_depth_and_live(tmp_path: Path) -> None:
    root = tmp_path / "projects"
    b = SessionBuilder("2.1.332", seed="agents")
    turn(b, "Hello", say="Hello.")
    b.prompt("Ask around")
    outer = b.launch("Look", "Look around", background=True)
    finish(b, say="It is on its way.")
    inner = outer.builder.launch("Dig", "Dig deeper")
    outer.builder.land(inner, "Nothing there.")
    path = written(b, root)
    side = path.with_suffix("") / "subagents"
    own = next(
        file for file in side.glob("agent-*.jsonl") if str(inner.builder.agent_id) in file.name
    )
    (side / "agent-aprompt_suggestion-0a1b2c.jsonl").write_bytes(own.read_bytes())
    (side / "agent-acompact-0a1b2c.jsonl").write_bytes(own.read_bytes())
    session = Session.open(path)
    newest = max(agent.updated for agent in session.subagents())
    session.close()
    async with session_open(path, now=lambda: newest + 5_000) as (pilot, screen):
        (row,) = subagents(screen)
        assert row.outcome is Outcome.RUNNING and row.opens
        assert row.text == "general-purpose: Look (background)"
        facts = "".join(piece.text for piece in row.facts)
        assert facts.startswith("running · 3 messages, ")
        foot = text_of(screen.rail)
        assert "◆ 2 subagents · " in foot and "· overhead, 1 agent · " in foot
        assert "1 copy by a compaction" in foot and "· all " in foot and ", main " in foot

        outer.builder.reply(Say("Half of it is done."))
        written(b, root)
        await until(lambda: "4 messages" in "".join(p.text for p in subagents(screen)[0].facts))
        assert subagents(screen)[0].outcome is Outcome.OK

        await pilot.press("A")
        assert isinstance(pilot.app.screen, Pick)
        listed = text_of(pilot.app.screen.query_one("#pick"))
        assert "subagent  general-purpose: Look" in listed
        assert "overhead  prompt suggestion" in listed and "overhead  compaction's copy" in listed
        await pilot.press("escape")

        screen.timeline.go_to(row.key)
        await pilot.press("enter")
        first = await opened(pilot.app)  # type: ignore[arg-type]  # the app of the tests
        (deeper,) = subagents(first)
        assert deeper.text == "general-purpose: Dig" and deeper.opens
        first.timeline.go_to(deeper.key)
        await pilot.press("enter")
        second = await opened(pilot.app)  # type: ignore[arg-type]  # the app of the tests
        assert second is not first
        rows = second.rows
        assert rows is not None
        assert any("Dig deeper" in str(getattr(rows.row(n), "text", "")) for n in range(len(rows)))
        assert text_of(second.query_one(StatusLine)).count("› subagent ›") == 2


async def test_subagents_in_the_sessions_own_file_open_from_their_call(tmp_path: Path) -> None:
    log = Log()
    log.user("u1", "Ask", None)
    log.reply("a1", call("t1", "Task", prompt="Look around"), usage=(1, 0, 0, 1))
    log.user("x1", "Look around", None, isSidechain=True)
    log.reply("x2", "I looked.", usage=(10, 0, 0, 1), isSidechain=True)
    log.result("r1", "t1", parent="a1")
    log.reply("a2", "Done.", usage=(1, 0, 0, 1))
    path = log.write(tmp_path / "projects" / "-home-robin-orchard")
    async with session_open(path) as (pilot, screen):
        (row,) = subagents(screen)
        assert row.opens
        screen.timeline.go_to(row.key)
        await pilot.press("enter")
        await until(lambda: pilot.app.screen is not screen)
        inner = pilot.app.screen
        assert isinstance(inner, SessionScreen)
        await until(lambda: inner.reading is not None)
        assert "I looked." in text_of(inner.timeline)
        assert "in the session's own file" in text_of(inner.query_one(StatusLine))
