"""What the index knows of each record, and of the file as a whole."""

from __future__ import annotations

import pytest
from logs import Log, Reading, Row, call

from ccbrowse.core.index import (
    CALL,
    EMPTY,
    FAILED,
    IMAGE,
    INTERRUPT,
    META,
    MISSING,
    NONE,
    REPLAY,
    ROOT,
    SIDECHAIN,
    SILENT,
    TEXT,
    THINKING,
    TYPED,
)
from ccbrowse.core.records import Kind

IMAGE_BLOCK = {"type": "image", "source": {}}


@pytest.mark.parametrize(
    ("content", "flags"),
    [
        ("words", TEXT),
        ("", EMPTY),
        (" \n", EMPTY),
        (None, EMPTY),
        ([], EMPTY),
        ([{"type": "text", "text": "x"}], TEXT),
        ([{"type": "text", "text": "\n\n"}], EMPTY),
        ([{"type": "text"}], EMPTY),
        ([" "], EMPTY),
        (["x"], TEXT),
        ([{"type": "thinking", "thinking": "so"}], THINKING),
        ([{"type": "thinking", "thinking": ""}], THINKING | SILENT),
        ([{"type": "thinking", "thinking": None}], THINKING | SILENT),
        ([{"type": "redacted_thinking"}], THINKING | SILENT),
        ([{"type": "thinking", "thinking": ""}, call("t1")], THINKING | SILENT | CALL),
        ([{"type": "thinking", "thinking": "so"}, {"type": "redacted_thinking"}], THINKING),
        ([call("t1")], CALL),
        ([{"type": "server_tool_use", "id": "t1", "name": "web"}], CALL),
        ([IMAGE_BLOCK], IMAGE),
        ([{"type": "document"}], IMAGE),
        ([{"type": "never_heard_of"}], TEXT),
        ([{"type": "text", "text": "x"}, call("t1"), call("t2")], TEXT | CALL),
    ],
)
def test_flags_of_a_reply_tell_what_it_holds(
    read_log: Reading, content: object, flags: int
) -> None:
    log = Log()
    message = {"id": "m1", "model": "x", "content": content}
    log.linked("assistant", "a1", None, message=message)
    index = read_log(log).index
    assert index.flags[0] == flags
    assert index.kind_of(0) is Kind.ASSISTANT


@pytest.mark.parametrize(
    ("content", "fields", "kind", "flags"),
    [
        ("words", {}, Kind.PROMPT, TEXT),
        ("", {}, Kind.PROMPT, EMPTY),
        ([IMAGE_BLOCK], {}, Kind.PROMPT, IMAGE),
        ([IMAGE_BLOCK, "words"], {}, Kind.PROMPT, IMAGE | TEXT),
        ("note", {"isMeta": True}, Kind.META, TEXT | META),
        ("[Request interrupted by user]", {}, Kind.META, TEXT | INTERRUPT),
        ("x", {"isSidechain": True}, Kind.PROMPT, TEXT | SIDECHAIN),
        ("sum", {"isCompactSummary": True}, Kind.SUMMARY, TEXT),
        ([{"type": "tool_result", "tool_use_id": "t1"}], {}, Kind.RESULT, 0),
        ([{"type": "tool_result", "tool_use_id": "t1"}], {"isMeta": True}, Kind.RESULT, META),
        ([{"type": "tool_result", "tool_use_id": "t1", "is_error": True}], {}, Kind.RESULT, FAILED),
        ([{"type": "tool_result"}, "no"], {}, Kind.RESULT, TEXT | TYPED),
        ([{"tool_use_id": "t1"}, {"type": "text", "text": "<tick>"}], {}, Kind.RESULT, TEXT),
    ],
)
def test_flags_and_kind_of_a_user_record(
    read_log: Reading, content: object, fields: Row, kind: Kind, flags: int
) -> None:
    log = Log()
    log.user("u1", content, None, **fields)
    index = read_log(log).index
    assert index.kind_of(0) is kind
    assert index.flags[0] == flags


@pytest.mark.parametrize(
    ("kind", "fields", "expected"),
    [
        ("assistant", {"message": {"model": "<synthetic>"}}, Kind.ERROR),
        ("assistant", {"message": {"model": "x"}, "isApiErrorMessage": True}, Kind.ERROR),
        ("system", {"subtype": "compact_boundary"}, Kind.BOUNDARY),
        ("system", {"subtype": "microcompact_boundary"}, Kind.MICRO_BOUNDARY),
        ("system", {"subtype": "turn_duration"}, Kind.SYSTEM),
        ("system", {}, Kind.SYSTEM),
        ("attachment", {"attachment": {"type": "date"}}, Kind.ATTACHMENT),
        ("attachment", {}, Kind.ATTACHMENT),
        ("progress", {}, Kind.PROGRESS),
        ("novelty", {}, Kind.LINK),
        ("mode", {}, Kind.SIDE),
        ("api-request-blob", {"parentUuid": 5}, Kind.REQUEST),
    ],
)
def test_each_type_of_record_has_its_kind(
    read_log: Reading, kind: str, fields: Row, expected: Kind
) -> None:
    log = Log()
    if expected is Kind.REQUEST:
        log.side(kind, hash="x")
    else:
        log.linked(kind, "x1", None, **fields)
    assert read_log(log).index.kind_of(0) is expected


def test_an_unknown_type_is_a_link_only_with_a_uuid_and_a_parent(read_log: Reading) -> None:
    log = Log()
    log.row({"type": "novelty", "uuid": "x1"})
    log.row({"type": "novelty", "parentUuid": None})
    log.row({"type": "novelty", "uuid": "x2", "parentUuid": None})
    kinds = [Kind(kind) for kind in read_log(log).index.kind]
    assert kinds == [Kind.SIDE, Kind.SIDE, Kind.LINK]


def test_rows_know_their_line_and_place(read_log: Reading) -> None:
    log = Log()
    log.user("u1", "ä", None)
    log.raw(b"")
    log.reply("a1")
    session = read_log(log)
    index = session.index
    assert list(index.line) == [1, 3]
    assert list(index.offset) == [0, len(log.lines[0]) + 2]
    assert [session.raw(row) for row in range(2)] == [log.lines[0], log.lines[2]]
    assert index.uuid(1) == "a1"


def test_parents_are_rows(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.user("u2", parent="u1")
    log.user("u3", parent="gone")
    log.user("u4", parent="u5")
    log.user("u5", parent="u1")
    index = read_log(log).index
    assert list(index.parent) == [ROOT, 0, MISSING, 4, 0]
    assert index.missing_parents() == {2: "gone"}
    assert index.row_of("u5") == 4
    assert index.row_of("gone") is None


def test_calls_and_results_are_joined(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", call("t1", "Read"), call("t2", "Grep"))
    log.result("r1", "t1")
    log.result("r2", "t2")
    log.result("r3", "t1")
    index = read_log(log).index
    assert list(index.peer) == [NONE, 2, 1, 1, 1]
    assert index.results_of(1) == [2, 3, 4]
    assert index.results_of(0) == index.results_of(2) == []
    assert index.tool_name(1) == "Read"
    assert index.tool_name(0) == ""
    assert index.more_calls == {1: ["t1", "t2"]}
    assert index.unanswered == {}


def test_results_that_come_first_are_joined_when_their_call_comes(read_log: Reading) -> None:
    log = Log()
    log.result("r1", "t1", parent=None)
    log.result("r2", "t1")
    log.reply("a1", call("t1"))
    index = read_log(log).index
    assert list(index.peer) == [2, 2, 0]
    assert index.results_of(2) == [0, 1]
    assert index.early_results == {}


def test_a_call_without_an_id_is_a_call_all_the_same(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", {"type": "tool_use", "name": "Bash"})
    session = read_log(log)
    assert session.index.tool_name(1) == "Bash"
    assert session.segment(1).tool_calls == 1
    assert session.open_calls() == []


def test_fragments_share_a_message(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", message="m1")
    log.reply("a2", message="m2")
    log.reply("a3", message="m1")
    log.again(2)
    index = read_log(log).index
    assert index.fragments_of(1) == index.fragments_of(3) == [1, 3]
    assert index.fragments_of(2) == [2]
    assert index.fragments_of(0) == [0]
    assert index.message[4] == index.message[1]


def test_a_repeat_points_to_the_record_that_it_repeats(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", call("t1"))
    log.again(1)
    log.again(1)
    index = read_log(log).index
    assert [bool(flags & REPLAY) for flags in index.flags] == [False, False, True, True]
    assert list(index.peer)[2:] == [0, 0]
    assert [index.content_row(row) for row in range(4)] == [3, 1, 2, 3]
    assert index.uuids == ["u1", "a1", "u1", "u1"]


def test_another_record_under_a_known_uuid_is_a_new_link(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.attachment("x1", "u1")
    log.reply("a1", parent="x1")
    log.attachment("x1", "a1")
    log.attachment("x1", "a1")
    log.user("u2", parent="x1")
    index = read_log(log).index
    assert [bool(flags & REPLAY) for flags in index.flags] == [False] * 4 + [True, False]
    assert index.parent[2] == 1
    assert index.parent[5] == 3


def test_facts_of_the_file(read_log: Reading) -> None:
    log = Log()
    log.side("custom-title", customTitle=" ")
    log.side("custom-title", customTitle="First name")
    log.side("custom-title", customTitle="Second name")
    log.side("ai-title", aiTitle="A title")
    log.side("ai-title", aiTitle="")
    log.side("summary", summary="Sum", leafUuid="u1")
    log.side("relocated", relocatedCwd="/moved")
    log.side("continued-in", continuedInSessionId="next")
    log.user("u1", "<command-name>/init</command-name>", None, gitBranch="main")
    log.user("u2", "First prompt", cwd="/home/robin/sub", gitBranch="topic")
    log.user("u3", "Second prompt", version="2.1.200", gitBranch="")
    log.reply("a1", model="one")
    log.reply("a2", model="two")
    log.reply("a3", model="one")
    facts = read_log(log).index.facts
    assert (facts.custom_title, facts.ai_title) == ("Second name", "A title")
    assert facts.summaries == [("Sum", "u1")]
    assert (facts.relocated, facts.continued_in) == ("/moved", "next")
    assert (facts.cwd, facts.last_cwd) == ("/home/robin/orchard", "/home/robin/orchard")
    assert facts.git_branch == "topic"
    assert list(facts.versions) == ["2.1.181", "2.1.200"]
    assert [name for name in facts.models if name] == ["one", "two"]
    assert (facts.first_command, facts.first_prompt) == (
        "<command-name>/init</command-name>",
        "First prompt",
    )


def test_the_first_prompt_of_a_subagent_in_the_file_is_not_the_sessions(
    read_log: Reading,
) -> None:
    log = Log()
    log.user("x1", "Do this part", None, isSidechain=True, agentId="a1")
    log.user("u1", "The real prompt", None)
    index = read_log(log).index
    assert index.facts.first_prompt == "The real prompt"
    assert index.sidechain_agents == {0: "a1"}
    assert index.is_sidechain(0)
    assert not index.is_sidechain(1)


def test_progress_tells_which_call_runs_a_subagent(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", call("t1", "Task"))
    log.linked("progress", "p1", data={"agentId": "a7"}, parentToolUseID="t1")
    log.linked("progress", "p2", data={"agentId": "a8"})
    assert read_log(log).index.agent_calls == {"a7": "t1"}


def test_the_result_of_another_tool_names_no_subagent(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", call("t1", "Bash"), call("t2", "Agent"))
    log.result("r1", "t1", toolUseResult={"agentId": "no"})
    log.result("r2", "t2", toolUseResult={"agentId": "yes"})
    index = read_log(log).index
    assert "no" not in index.agent_calls
    assert index.agent_calls == {"yes": "t2"}
