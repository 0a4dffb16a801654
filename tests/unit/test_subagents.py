"""Subagents: their files in each layout, who called them, and what they cost."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from logs import SESSION, Log, Reading, call, line

from ccbrowse.core.errors import NoSuchSession
from ccbrowse.core.session import Session
from ccbrowse.core.subagents import Subagent

Beside = Callable[..., Path]


@pytest.fixture
def beside(tmp_path: Path) -> Beside:
    """Writes a subagent's file, and what its meta file says of it."""
    folder = tmp_path / "projects" / "-home-robin-orchard" / SESSION / "subagents"

    def write(agent_id: str, log: Log, meta: object = None) -> Path:
        log.session_id = f"agent-{agent_id}"
        path = log.write(folder)
        if meta is not None:
            content = meta if isinstance(meta, bytes) else json.dumps(meta).encode()
            path.with_name(path.stem + ".meta.json").write_bytes(content)
        return path

    return write


def agent_log(uuid: str = "x", *, calls: str | None = None) -> Log:
    """A subagent's file: its prompt and its reply, which may call another."""
    log = Log()
    log.user(f"{uuid}1", "Look around", None, isSidechain=True, agentId=uuid)
    blocks = [call(calls, "Task")] if calls else ["Done."]
    log.reply(f"{uuid}2", *blocks, usage=(10, 0, 0, 1), isSidechain=True, agentId=uuid)
    return log


def calling(tool: str = "Agent") -> Log:
    """A session that calls a subagent."""
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", call("t1", tool, prompt="Look at it"), usage=(1, 0, 0, 1))
    return log


def test_a_subagents_file_is_a_line_of_its_own(read_log: Reading, beside: Beside) -> None:
    path = beside(
        "a7", agent_log(), {"agentType": "Explore", "description": "Look", "toolUseId": "t1"}
    )
    session = read_log(calling())
    [agent] = session.subagents()
    assert agent == Subagent(
        agent_id="a7",
        path=path,
        type="Explore",
        description="Look",
        spawned_by="t1",
        parent_agent=None,
        messages=2,
        segments=1,
        usage=agent.usage,
        updated=session.index.facts.updated,
        finished=True,
    )
    assert (agent.usage.input_tokens, agent.usage.requests) == (10, 1)
    assert session.usage_with_subagents.input_tokens == 11
    assert line(session) == "u1 a1"


def test_where_no_record_tells_who_called_the_prompt_does(
    read_log: Reading, beside: Beside
) -> None:
    for name in ("a7", "a8", "a9"):
        beside(name, agent_log(name))
    deep = Log()
    deep.user("d1", "Look deeper", None, isSidechain=True, agentId="b1")
    beside("b1", deep)
    other = agent_log("c1")
    other.reply("c3", call("t9", "Agent", prompt=" Look deeper"), isSidechain=True)
    beside("c1", other, {"toolUseId": "t0"})
    log = calling()
    log.reply("a2", call("t2", "Agent", prompt="Look around"), call("t3", prompt="Look around"))
    log.reply("a3", call("t5"), call("t4", "Task", prompt="Look around"), call("t6", "Agent"))
    session = read_log(log)
    found = {each.agent_id: (each.spawned_by, each.parent_agent) for each in session.subagents()}
    assert [found[name] for name in ("a7", "a8", "a9")] == [
        ("t2", None),
        ("t4", None),
        (None, None),
    ]
    assert found["b1"] == ("t9", "c1")


def test_without_a_meta_file_the_result_tells_who_called(read_log: Reading, beside: Beside) -> None:
    beside("a7", agent_log())
    log = calling("Task")
    log.result("r1", "t1", toolUseResult={"agentId": "a7", "status": "completed"})
    [agent] = read_log(log).subagents()
    assert (agent.spawned_by, agent.type, agent.description) == ("t1", None, None)


def test_without_either_progress_tells_who_called(read_log: Reading, beside: Beside) -> None:
    beside("a7", agent_log())
    log = calling("Task")
    log.linked("progress", "p1", data={"agentId": "a7"}, parentToolUseID="t1")
    assert [agent.spawned_by for agent in read_log(log).subagents()] == ["t1"]


def test_a_subagent_that_nobody_names_is_listed_all_the_same(
    read_log: Reading, beside: Beside
) -> None:
    beside("a7", agent_log())
    [agent] = read_log(calling()).subagents()
    assert (agent.spawned_by, agent.parent_agent) == (None, None)


@pytest.mark.parametrize("meta", [b"", b"{broken", b"[1]", b'"x"', b"[" * 9000, {"agentType": 5}])
def test_a_broken_meta_file_says_nothing(read_log: Reading, beside: Beside, meta: object) -> None:
    beside("a7", agent_log(), meta)
    [agent] = read_log(calling()).subagents()
    assert (agent.type, agent.description, agent.spawned_by) == (None, None, None)


def test_a_subagent_of_a_subagent_knows_its_parent(read_log: Reading, beside: Beside) -> None:
    beside("a7", agent_log("x", calls="t7"), {"toolUseId": "t1"})
    beside("a8", agent_log("y"), {"toolUseId": "t7"})
    beside("a9", agent_log("z"), {"parentAgentId": "a8"})
    agents = {agent.agent_id: agent for agent in read_log(calling()).subagents()}
    parents = {name: agent.parent_agent for name, agent in agents.items()}
    assert parents == {"a7": None, "a8": "a7", "a9": "a8"}
    assert agents["a8"].spawned_by == "t7"


def test_a_result_within_a_subagents_file_names_its_child(
    read_log: Reading, beside: Beside
) -> None:
    inner = agent_log("x", calls="t7")
    inner.result("x3", "t7", toolUseResult={"agentId": "a8"}, isSidechain=True)
    beside("a7", inner)
    beside("a8", agent_log("y"))
    agents = {agent.agent_id: agent for agent in read_log(calling()).subagents()}
    assert (agents["a8"].spawned_by, agents["a8"].parent_agent) == ("t7", "a7")


def test_copies_that_a_compaction_made_are_left_out_of_every_count(
    read_log: Reading, beside: Beside
) -> None:
    beside("acompact-0123456789abcdef", agent_log())
    session = read_log(calling())
    assert session.subagents() == []
    assert session.usage_with_subagents == session.usage


@pytest.mark.parametrize(
    ("agent_id", "internal"),
    [
        ("aprompt_suggestion-0123456789abcdef", True),
        ("a0123456789abcdef", False),
        ("abc1234", False),
        ("abc-def", False),
        ("reviewer-1", False),
    ],
)
def test_the_clients_own_agents_are_told_apart(
    read_log: Reading, beside: Beside, agent_id: str, internal: bool
) -> None:
    beside(agent_id, agent_log())
    assert [agent.internal for agent in read_log(calling()).subagents()] == [internal]


def test_a_subagent_may_compact(read_log: Reading, beside: Beside) -> None:
    log = agent_log()
    log.boundary("xB", isSidechain=True)
    log.summary("xs", isSidechain=True)
    beside("a7", log)
    session = read_log(calling())
    [agent] = session.subagents()
    assert (agent.segments, agent.messages) == (2, 3)
    opened = session.open_subagent("a7")
    assert line(opened) == "x1 x2 xB xs"
    assert (opened.agent_id, opened.session_id) == ("a7", "agent-a7")
    assert opened.usage.requests == 1
    assert opened.subagents() == []
    assert opened.title.text == "Look around"


def test_a_subagent_that_is_not_there_is_none(read_log: Reading) -> None:
    with pytest.raises(NoSuchSession, match="no such subagent"):
        read_log(calling()).open_subagent("a7")


def test_subagents_files_are_read_again_where_they_grew(read_log: Reading, beside: Beside) -> None:
    log = agent_log()
    path = beside("a7", log)
    session = read_log(calling())
    [before] = session.subagents()
    log.reply("x3", usage=(5, 0, 0, 1), isSidechain=True)
    path.write_bytes(log.data())
    [after] = session.subagents()
    assert (before.messages, after.messages) == (2, 3)
    assert after.usage.input_tokens == 15
    path.with_suffix(".new").write_bytes(agent_log().data())
    path.with_suffix(".new").replace(path)
    assert [agent.messages for agent in session.subagents()] == [2]
    beside("a8", agent_log("y"))
    assert [agent.agent_id for agent in session.subagents()] == ["a7", "a8"]
    path.unlink()
    assert [agent.agent_id for agent in session.subagents()] == ["a8"]


def test_inline_sidechains_are_subagents_of_the_main_file(read_log: Reading) -> None:
    log = calling("Task")
    log.user("x1", "Look around", None, isSidechain=True)
    log.reply("x2", usage=(10, 0, 0, 1), isSidechain=True)
    log.user("y1", "Look elsewhere", None, isSidechain=True, agentId="a8")
    log.system("z1", None, isSidechain=True)
    session = read_log(log)
    first, second = session.subagents()
    assert (first.agent_id, first.named, first.inline) == ("x1", False, True)
    assert (first.messages, first.usage.input_tokens) == (2, 10)
    assert (second.agent_id, second.named, second.messages) == ("a8", True, 1)
    assert {first.path, second.path} == {session.file.path}
    assert session.usage_with_subagents.input_tokens == 11


def test_subagents_of_the_older_layout_are_found_by_the_session_that_they_name(
    read_log: Reading, tmp_path: Path
) -> None:
    folder = tmp_path / "projects" / "-home-robin-orchard"
    for name, session_id in (("agent-1", SESSION), ("agent-2", "another")):
        log = Log(session_id)
        log.user("x1", parent=None, isSidechain=True)
        log.session_id = name
        log.write(folder)
    empty = Log("agent-3")
    empty.raw(b"{broken", b'{"type":"user"}')
    empty.write(folder)
    session = read_log(calling())
    assert [agent.agent_id for agent in session.subagents()] == ["1"]
    assert line(session.open_subagent("1")) == "x1"


def test_a_file_opened_as_a_session_is_no_subagent(tmp_path: Path) -> None:
    log = agent_log()
    log.session_id = "agent-a7"
    session = Session.open(log.write(tmp_path))
    assert line(session) == ""
    assert [agent.agent_id for agent in session.subagents()] == ["x"]
