"""What real files hold that no one would expect, E-1 to E-19 of the catalogue: each is survived."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from logs import Log, Reading, call, codes, encoded, line, names, segments

from ccbrowse.core.index import NO_TIME, REPLAY
from ccbrowse.core.records import Kind
from ccbrowse.core.report import session_json
from ccbrowse.core.session import Session


def test_e01_a_replayed_uuid_keeps_its_place_and_gives_its_last_content(read_log: Reading) -> None:
    log = Log()
    log.user("u1", "First words", None)
    log.reply("a1", usage=(1, 2, 3, 4))
    log.user("u2")
    message = {"role": "user", "content": "Last words"}
    log.again(1, message=message)
    log.again(2)
    session = read_log(log)
    assert line(session) == "u1 a1 u2"
    assert session.record(0)["message"]["content"] == "Last words"
    assert session.usage.requests == 1
    assert [bool(flags & REPLAY) for flags in session.index.flags] == [False] * 3 + [True] * 2
    found = {f.code: (f.severity.value, f.line) for f in session.findings}
    assert found == {"record_rewritten": ("warning", 4), "record_replayed": ("note", 5)}


def test_e02_objects_glued_on_one_line_are_all_read(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1")
    log.user("u2")
    log.lines[:2] = [log.lines[0] + log.lines[1]]
    session = read_log(log)
    assert line(session) == "u1 a1 u2"
    assert list(session.index.line) == [1, 1, 2]
    assert session.record(1)["uuid"] == "a1"
    assert session.index.bad_lines == []
    assert codes(session) == ["damaged_line_recovered"]


def test_e02_glued_lines_beside_blank_ones_keep_every_row_on_its_line(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1")
    log.user("u2")
    log.lines = [log.lines[0] + log.lines[1], b"", log.lines[2]]
    session = read_log(log)
    assert list(session.index.line) == [1, 1, 3]
    assert [session.record(row)["uuid"] for row in range(3)] == ["u1", "a1", "u2"]


@pytest.mark.parametrize(
    ("damaged", "found"),
    [
        (b'{"type":"user","uuid":"half","mess', "damaged_line"),
        (b"\0" * 64, "damaged_line"),
        (b"[1, 2]", "damaged_line"),
        (b"}{", "damaged_line"),
    ],
    ids=["half", "nuls", "array", "braces"],
)
def test_e03_a_broken_line_in_the_middle_does_not_end_the_file(
    read_log: Reading, damaged: bytes, found: str
) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.raw(damaged)
    log.reply("a1", parent="u1")
    session = read_log(log)
    assert line(session) == "u1 a1"
    assert session.index.bad_lines == [2]
    assert session.index.kind[1] == Kind.BAD
    assert [(f.code, f.severity.value, f.line) for f in session.findings] == [(found, "error", 2)]
    assert session.raw(1) == damaged
    assert session.record(1) == {}


def test_e03_nul_bytes_before_a_record_are_taken_out(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1")
    log.lines[1] = b"\0" * 32 + log.lines[1]
    session = read_log(log)
    assert line(session) == "u1 a1"
    assert session.record(1)["uuid"] == "a1"
    assert codes(session) == ["nul_bytes"]


def test_e03_a_half_last_line_is_no_damage(read_log: Reading, tmp_path: Path) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1")
    path = log.write(tmp_path)
    path.write_bytes(path.read_bytes()[:-40])
    session = Session.open(path)
    assert line(session) == "u1"
    assert (session.index.incomplete_tail, session.lines, session.index.lines) == (True, 2, 1)
    assert session.findings == []


def test_e03_a_record_that_only_lacks_its_line_feed_is_taken_in(tmp_path: Path) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1")
    path = log.write(tmp_path)
    path.write_bytes(path.read_bytes()[:-1])
    session = Session.open(path)
    assert line(session) == "u1 a1"
    assert not session.index.incomplete_tail


def test_e04_a_lone_surrogate_is_read_and_can_be_encoded(read_log: Reading) -> None:
    log = Log()
    log.user("u1", "half \ud83d of a face", None, gitBranch="b\udc00")
    log.side("custom-title", customTitle="t\ud800")
    session = read_log(log)
    assert line(session) == "u1"
    assert session.record(0)["message"]["content"] == "half \ud83d of a face"
    assert session.title.text == "t\ufffd"
    assert session.index.facts.git_branch == "b\ufffd"
    json.dumps(session_json(session), ensure_ascii=False).encode()
    assert codes(session) == []


def test_e05_a_parent_that_only_a_side_file_holds(read_log: Reading, tmp_path: Path) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1")
    log.user("u2", parent="x1")
    side = Log("agent-acompact-0123456789abcdef")
    side.user("x1", parent="a1", isSidechain=True)
    side.write(tmp_path / "projects" / "-home-robin-orchard" / log.session_id / "subagents")
    session = read_log(log)
    assert line(session) == "u1 a1 u2"
    assert codes(session) == ["parent_in_side_file"]


def test_e06_a_parent_that_is_nowhere_is_a_gap(read_log: Reading) -> None:
    log = Log()
    log.progress("x1", "nowhere")
    log.user("u1", parent="x1")
    log.user("u2", parent="nowhere")
    session = read_log(log)
    assert line(session) == "u1 u2"
    assert [(f.code, f.line) for f in session.findings] == [
        ("parent_missing", 1),
        ("parent_missing", 3),
    ]


def test_e07_a_parent_later_in_the_file(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.result("r1", "t1", parent="a1")
    log.reply("a1", call("t1"), parent="u1")
    log.user("u2", parent="r1")
    session = read_log(log)
    assert line(session) == "u1 a1 r1 u2"
    assert codes(session) == []


def test_e08_a_circle_of_parents_ends(read_log: Reading) -> None:
    log = Log()
    for uuid, parent in (("u1", "u3"), ("u2", "u1"), ("u3", "u2")):
        log.user(uuid, parent=parent)
    session = read_log(log)
    assert line(session) == "u1 u2 u3"
    assert codes(session) == ["parent_loop"]


def test_e09_several_roots_are_all_kept(read_log: Reading) -> None:
    log = Log()
    for uuid in ("u1", "u2", "u3"):
        log.user(uuid, parent=None)
    session = read_log(log)
    assert line(session) == "u3"
    assert names(session, session.chain.off_chain) == "u1 u2"


@pytest.mark.parametrize("stamp", ["yesterday", "", None, 17, "2026-13-45T99:99:99Z", "+12"])
def test_e10_a_time_that_cannot_be_read_is_no_time(read_log: Reading, stamp: object) -> None:
    log = Log()
    log.user("u1", parent=None, timestamp=stamp)
    log.reply("a1")
    session = read_log(log)
    assert line(session) == "u1 a1"
    assert session.index.time[0] == NO_TIME
    assert session.index.facts.started == session.index.time[1]


def test_e10_times_that_run_backwards_do_not_reorder(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None, timestamp="2026-02-02T10:00:00.000Z")
    log.reply("a1", timestamp="2026-02-02T09:00:00.000Z")
    log.user("u2", timestamp="2026-02-02T08:00:00.000Z")
    session = read_log(log)
    assert line(session) == "u1 a1 u2"
    [found] = session.findings
    assert (found.code, found.severity, found.line) == ("time_runs_backwards", "note", 2)
    assert session.index.facts.started < session.index.facts.updated


def test_e11_rows_of_a_manual_compaction_are_older_than_their_boundary(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.boundary("B1", trigger="manual")
    log.summary("s1")
    log.user("c1", "<command-name>/compact</command-name>", timestamp="2026-01-01T00:00:00.000Z")
    session = read_log(log)
    assert segments(session) == ["u1", "B1 s1 c1"]
    assert session.segment(2).prompts == 0


@pytest.mark.parametrize("logical", ["missing", None, "u2", "B1"])
def test_e12_a_logical_parent_that_is_no_help(read_log: Reading, logical: str | None) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.boundary("B1", logical)
    log.summary("s1")
    log.user("u2")
    assert segments(read_log(log)) == ["u1", "B1 s1 u2"]


def test_e13_boundaries_and_summaries_do_not_come_in_pairs(read_log: Reading) -> None:
    log = Log()
    log.boundary("B1", None)
    log.user("u1")
    log.summary("s1")
    log.boundary("B2")
    log.boundary("B3")
    session = read_log(log)
    assert segments(session) == ["B1 u1 s1", "B2", "B3"]
    assert [segment.summary for segment in session.segments] == [2, None, None]


@pytest.mark.parametrize(
    "metadata",
    [None, {}, [], "auto", 5, {"trigger": 7, "preTokens": "many", "preservedMessages": []}],
)
def test_e14_a_boundary_with_odd_metadata_has_unknown_sizes(
    read_log: Reading, metadata: object
) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.boundary("B1", metadata=metadata)
    session = read_log(log)
    boundary = session.segment(2).boundary
    assert boundary is not None
    facts = boundary.facts
    assert (facts.trigger, facts.pre_tokens, facts.kept) == (None, None, ())
    assert facts.raw == (metadata if isinstance(metadata, dict) else None)


def test_e14_unknown_keys_of_the_metadata_are_kept(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.boundary("B1", metadata={"trigger": "idle", "precomputed": [1, {"x": None}]})
    boundary = read_log(log).segment(2).boundary
    assert boundary is not None
    assert boundary.facts.trigger == "idle"
    assert boundary.facts.raw == {"trigger": "idle", "precomputed": [1, {"x": None}]}


def test_e15_records_of_another_session_are_kept(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None, sessionId="before")
    log.reply("a1", sessionId="before")
    log.user("u2")
    session = read_log(log)
    assert line(session) == "u1 a1 u2"
    assert session.record(0)["sessionId"] == "before"
    assert session.session_id == log.session_id


def test_e16_the_message_id_of_a_snapshot_is_no_uuid(read_log: Reading) -> None:
    log = Log()
    log.side("file-history-snapshot", messageId="u1", snapshot={}, isSnapshotUpdate=False)
    log.user("u1", parent=None)
    log.side("file-history-delta", messageId="u1", snapshotMessageId="u1")
    log.reply("a1")
    session = read_log(log)
    assert line(session) == "u1 a1"
    assert session.index.rows == {"u1": 1, "a1": 3}
    assert codes(session) == []


@pytest.mark.parametrize(
    "message",
    [
        "only words",
        None,
        7,
        [],
        {},
        {"content": None},
        {"content": 12},
        {"content": [None, 5, "bare", {"no": "type"}, {"type": None}, {"type": "text"}]},
        {"content": [{"type": "text", "text": {"deep": 1}}]},
    ],
)
@pytest.mark.parametrize("kind", ["user", "assistant"])
def test_e17_a_message_of_any_shape_stands_on_the_line(
    read_log: Reading, kind: str, message: object
) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.linked(kind, "x1", message=message)
    log.linked(kind, "x2", message=message)
    session = read_log(log)
    assert line(session) == "u1 x1 x2"
    assert session.record(1).get("message") == message
    assert codes(session) == []
    assert session.text_tokens(session.segment(1)).value >= 0


def test_e17_a_record_without_a_message_stands_on_the_line(read_log: Reading) -> None:
    log = Log()
    log.linked("user", "x1", None)
    log.linked("assistant", "x2")
    assert line(read_log(log)) == "x1 x2"


@pytest.mark.parametrize("result", ["Error: no", ["a"], {"agentId": 5}, {"agentId": "a1"}, 1, None])
def test_e18_a_tool_result_of_any_type_is_opaque(read_log: Reading, result: object) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", call("t1", "Task"))
    log.result("r1", "t1", toolUseResult=result)
    session = read_log(log)
    assert line(session) == "u1 a1 r1"
    told = {"a1": "t1"} if result == {"agentId": "a1"} else {}
    assert session.index.agent_calls == told


def test_e19_calls_and_results_without_each_other_are_named(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", call("t1"), call("t2"))
    log.result("r1", "t1")
    log.result("r2", "t9")
    session = read_log(log)
    assert line(session) == "u1 a1 r1 r2"
    assert session.open_calls() == ["t2"]
    assert session.unpaired_results() == ["r2"]


def test_e19_a_call_beside_the_line_is_not_open(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", call("t1"))
    log.result("x1", "t8", parent="a1")
    log.user("u2", parent="u1")
    session = read_log(log)
    assert session.open_calls() == []
    assert session.unpaired_results() == []


def test_a_whole_record_of_a_damaged_line_is_the_record_that_is_shown(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1")
    stub = encoded(json.loads(log.lines[1]))[:60]
    log.lines[1] = stub + log.lines[1]
    session = read_log(log)
    assert line(session) == "u1 a1"
    assert session.record(1)["uuid"] == "a1"
    assert session.index.bad_lines == []
    assert codes(session) == ["damaged_line_recovered"]
