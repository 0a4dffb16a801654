"""The figures of a compaction: before and after, what it cost, what the file gained, what was put back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from builders import ERA_NAMES, OPENING, Call, Say, SessionBuilder, Workspace, finish, turn

from ccbrowse.core.compaction import CallBasis, Compaction, compaction, compactions
from ccbrowse.core.errors import NoSuchSession
from ccbrowse.core.numbers import Source
from ccbrowse.core.session import Session
from ccbrowse.tui.demo.agents import Launching

SUMMARY = f"{OPENING}\n\n1. The parser in src/parser.py was rewritten.\n"


_OPENED: list[Session] = []


@pytest.fixture(autouse=True)
def let_go() -> Iterator[None]:
    """Close what a test has opened."""
    yield
    while _OPENED:
        _OPENED.pop().close()


def opened(source: SessionBuilder | Path, root: Path) -> Session:
    """A built session, or its file, opened."""
    path = source if isinstance(source, Path) else source.write(root)
    _OPENED.append(Session.open(path, root))
    return _OPENED[-1]


def talk(era: str, seed: str = "figures") -> SessionBuilder:
    """A session with one turn of work."""
    b = SessionBuilder(era, seed=seed)
    space = Workspace(b.cwd, b.era, {"src/parser.py": "def parse(text):\n    return text\n" * 5})
    turn(b, "Rewrite the parser", [space.read("src/parser.py")], say="Rewritten.")
    return b


@pytest.mark.parametrize("era", ERA_NAMES)
def test_before_and_after_are_the_requests_beside_the_boundary(era: str, tmp_path: Path) -> None:
    b = talk(era)
    told = b.compact(SUMMARY, keep=1)
    finish(b, say="Going on.")
    found = compaction(opened(b, tmp_path), 1)
    assert found.before is not None
    assert found.after is not None
    assert (found.number, found.closes, found.opens) == (1, 1, 2)
    assert found.before.boundary_tokens.value == told.pre_tokens
    assert found.after.boundary_tokens.value == told.post_tokens
    assert found.before.api_input.source is Source.USAGE
    assert found.before.message_tokens.source is Source.ESTIMATE
    assert found.before.source == ("logged" if b.log else "rebuilt")
    assert found.reduction.messages == pytest.approx(
        1 - found.after.messages / found.before.messages, abs=1e-4
    )
    if told.post_tokens is None:
        assert found.reduction.boundary_tokens is None
        assert found.after.boundary_tokens.source is Source.UNKNOWN


def test_a_synthetic_reply_of_zero_usage_is_no_after(tmp_path: Path) -> None:
    b = talk("2.1.11")
    b.compact(SUMMARY, trigger="manual", instructions="keep the tests")
    b.resume()
    found = compaction(opened(b, tmp_path), 1)
    assert found.after is None
    assert found.reduction.api_input is None
    assert found.instructions == "keep the tests"


def test_without_instructions_there_are_none(tmp_path: Path) -> None:
    b = talk("2.1.181")
    b.compact(SUMMARY, trigger="manual")
    turn(b, "/compact is a word here: keep nothing", say="Yes.")
    assert compaction(opened(b, tmp_path), 1).instructions is None


def test_a_file_that_starts_at_a_boundary_closes_nothing(tmp_path: Path) -> None:
    b = talk("2.1.181")
    b.compact(SUMMARY)
    turn(b, "Go on", say="Yes.")
    twin = b.fork("twin")
    turn(twin, "Elsewhere", say="Here.")
    found = compaction(opened(twin, tmp_path), 1)
    assert found.closes is None
    assert found.opens == 1
    assert found.before is None
    assert found.loss is None


def test_a_number_that_is_none_is_an_error(tmp_path: Path) -> None:
    b = talk("2.1.181")
    session = opened(b, tmp_path)
    assert compactions(session) == []
    with pytest.raises(NoSuchSession, match="never compacted"):
        compaction(session, 1)


# --- the file


def test_what_the_compaction_appended_to_the_file(tmp_path: Path) -> None:
    b = talk("2.1.332")
    b.compact(
        SUMMARY,
        trigger="manual",
        instructions="short",
        files=[("src/parser.py", "x = 1\n")],
        named=["src/lexer.py"],
    )
    turn(b, "Next", say="Done.")
    path = b.write(tmp_path)
    lines = path.read_bytes().split(b"\n")
    at = next(n for n, line in enumerate(lines) if b"compact_boundary" in line)
    prompt = next(n for n, line in enumerate(lines) if b'"content":"Next"' in line and n > at)
    own = [
        n
        for n in range(at, prompt)
        if json.loads(lines[n])["type"] in ("system", "user", "attachment")
    ]
    found = compaction(opened(path, tmp_path), 1)
    assert found.file.lines == at
    assert found.file.bytes == sum(len(line) + 1 for line in lines[:at])
    assert found.file.added_lines == len(own)
    assert found.file.added_bytes == sum(len(lines[n]) + 1 for n in own)


def test_what_was_put_back_and_what_was_only_named(tmp_path: Path) -> None:
    b = talk("2.1.181")
    b.compact(SUMMARY, files=[("src/parser.py", "x = 1\n")], named=["src/lexer.py"])
    finish(b, say="Yes.")
    found = compaction(opened(b, tmp_path), 1)
    files = [(each.label, each.is_reference, bool(each.content)) for each in found.put_back]
    assert files == [("src/parser.py", False, True), ("src/lexer.py", True, False)]
    assert found.put_back[0].tokens.source is Source.ESTIMATE


ATTACHMENTS: list[tuple[dict[str, Any], str, str]] = [
    (
        {"type": "plan_file_reference", "planFilePath": "/p/plan.md", "planContent": "1. a"},
        "plan",
        "1. a",
    ),
    (
        {
            "type": "invoked_skills",
            "skills": [{"name": "sql", "path": "/s", "content": "Use SQL."}],
        },
        "skill sql",
        "Use SQL.",
    ),
    (
        {"type": "nested_memory", "path": "/p/CLAUDE.md", "content": {"content": "Be kind."}},
        "/p/CLAUDE.md",
        "Be kind.",
    ),
    ({"type": "todo_reminder", "content": [{"content": "Write it"}]}, "tasks", "Write it"),
    ({"type": "edited_text_file", "filename": "/p/a.py", "snippet": "x = 1"}, "/p/a.py", "x = 1"),
]


@pytest.mark.parametrize(("attachment", "label", "content"), ATTACHMENTS)
def test_plans_skills_memory_and_tasks_are_put_back_too(
    attachment: dict[str, Any], label: str, content: str, tmp_path: Path
) -> None:
    b = talk("2.1.181")
    b.compact(SUMMARY)
    b.attach(**{("kind" if key == "type" else key): value for key, value in attachment.items()})
    finish(b, say="Yes.")
    found = compaction(opened(b, tmp_path), 1)
    assert [(each.label, each.content) for each in found.put_back] == [(label, content)]


def test_listings_dates_and_odd_attachments_put_nothing_back(tmp_path: Path) -> None:
    b = talk("2.1.332")
    b.compact(SUMMARY)
    b.attach("file", filename=7, content=[1, 2])
    b.attach("nested_memory", content=None)
    finish(b, say="Yes.")
    assert compaction(opened(b, tmp_path), 1).put_back == ()


# --- kinds


def test_a_partial_compaction_keeps_what_stood_before(tmp_path: Path) -> None:
    b = talk("2.1.181")
    chosen = turn(b, "A detour", say="Taken.")
    b.summarize_from(chosen, "The detour led nowhere.")
    turn(b, "Back again", say="Here.")
    found = compaction(opened(b, tmp_path), 1)
    assert found.boundary.kind.value == "partial_from"
    assert found.boundary.facts.messages_summarized == 2
    assert len(found.carried_over) > 2


def test_two_compactions_at_once(tmp_path: Path) -> None:
    b = talk("2.1.181")
    b.compact(SUMMARY, trigger="manual")
    b.compact(SUMMARY, trigger="manual")
    turn(b, "Next", say="Done.")
    first, second = compactions(opened(b, tmp_path))
    assert (first.closes, second.closes) == (1, 2)
    assert second.loss is not None
    assert first.after is not None
    assert second.after is not None
    assert first.after.reply == second.after.reply


def test_a_subagent_has_compactions_of_its_own(tmp_path: Path) -> None:
    b = SessionBuilder("2.1.181", seed="agent")
    b.prompt("Ask a helper")

    def work(child: Launching) -> str:
        child.reply(Say("Helping."))
        child.compact(f"{OPENING}\n\nHelped so far.")
        child.reply(Say("Helping on."))
        return "Helped."

    b.subagent("Help", "Help me", work)
    finish(b, say="Helped.")
    session = opened(b, tmp_path)
    (agent,) = session.subagents()
    assert compactions(session) == []
    child = session.open_subagent(agent.agent_id)
    _OPENED.append(child)
    assert len(compactions(child)) == 1


# --- the call


def test_the_call_is_estimated_where_nothing_tells_of_it(tmp_path: Path) -> None:
    b = talk("2.1.181")
    told = b.compact(SUMMARY)
    finish(b, say="Yes.")
    call = compaction(opened(b, tmp_path), 1).call
    assert call.basis is CallBasis.ESTIMATE
    assert call.tokens.source is Source.ESTIMATE
    assert call.tokens.error
    assert call.tokens.value is not None
    assert call.tokens.value > told.pre_tokens


def cost_state(tokens: int) -> bytes:
    """A row of the client's totals."""
    usage = {"m": {"inputTokens": 4, "outputTokens": tokens - 4, "cacheReadInputTokens": 0}}
    return (
        json.dumps({"type": "cost-state", "modelUsage": usage}, separators=(",", ":")).encode()
        + b"\n"
    )


def test_the_call_is_derived_from_the_growth_of_totals(tmp_path: Path) -> None:
    b = talk("2.1.332")
    b.raw(cost_state(50_000))
    told = b.compact(SUMMARY)
    cost = told.pre_tokens + 2_000
    b.raw(cost_state(50_000 + cost))
    finish(b, say="Yes.")
    call = compaction(opened(b, tmp_path), 1).call
    assert call.basis is CallBasis.COST_STATE
    assert (call.tokens.value, call.tokens.source) == (cost, Source.USAGE)


def test_a_growth_that_cannot_be_one_call_is_not_taken_for_it(tmp_path: Path) -> None:
    b = talk("2.1.332")
    b.raw(cost_state(50_000))
    b.compact(SUMMARY)
    b.raw(cost_state(5_000_000))
    finish(b, say="Yes.")
    assert compaction(opened(b, tmp_path), 1).call.basis is CallBasis.ESTIMATE


def test_the_call_is_read_from_the_file_of_the_summarising_call(tmp_path: Path) -> None:
    b = talk("2.1.11")
    b.compact(SUMMARY)
    finish(b, say="Yes.")
    path = b.write(tmp_path)
    said = "<analysis>Well.</analysis>\n<summary>1. The parser in src/parser.py was rewritten.</summary>"
    usage = {"input_tokens": 3, "cache_read_input_tokens": 27_000, "output_tokens": 997}
    row = {
        "type": "assistant",
        "uuid": "a",
        "parentUuid": None,
        "message": {"id": "m", "role": "assistant", "content": said, "usage": usage},
    }
    side = path.with_suffix("") / "subagents" / "agent-acompact-0123456789abcdef.jsonl"
    side.parent.mkdir(parents=True)
    side.write_text(json.dumps(row) + "\n", encoding="utf-8")
    found: Compaction = compaction(opened(path, tmp_path), 1)
    assert found.call.basis is CallBasis.SIDE_FILE
    assert found.call.tokens.value == 28_000


# --- micro-compaction


def test_results_that_a_record_says_were_emptied(tmp_path: Path) -> None:
    b = SessionBuilder("2.1.181", seed="micro")
    b.prompt("Look")
    call = Call("Bash", {"command": "ls"}, "a.py", {"stdout": "a.py"}, False)
    reply = b.reply(call)
    result = b.answer(reply.calls[0])
    name = reply.calls[0].id
    boundary = {
        "type": "system",
        "subtype": "microcompact_boundary",
        "content": "Context microcompacted",
    }
    about = {"trigger": "auto", "tokensSaved": 9, "compactedToolIds": [name, "toolu_unknown"]}
    b.tree(boundary, extra={"microcompactMetadata": about})
    finish(b, say="Done.")
    b.compact(SUMMARY)
    finish(b, say="Yes.")
    (found,) = compaction(opened(b, tmp_path), 1).micro_compacted
    assert (found.uuid, found.call_id, found.certain) == (result, name, True)


def test_results_that_may_have_been_emptied(tmp_path: Path) -> None:
    b = SessionBuilder("2.1.11", seed="maybe")
    b.prompt("Look")
    call = Call("Bash", {"command": "ls"}, "a.py", {"stdout": "a.py"}, False)
    reply = b.reply(call)
    result = b.answer(reply.calls[0])
    finish(b, say="Done.")
    b.compact(SUMMARY)
    path = b.write(tmp_path)
    saved = path.with_suffix("") / "tool-results" / f"{reply.calls[0].id}.txt"
    saved.parent.mkdir(parents=True)
    saved.write_text("a.py", encoding="utf-8")
    (found,) = compaction(opened(path, tmp_path), 1).micro_compacted
    assert (found.uuid, found.certain) == (result, False)
