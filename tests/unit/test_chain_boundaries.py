"""Over boundaries: by the logical parent, then side files, then what was kept, then file order."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from logs import Log, Reading, codes, line, names, segments

from ccbrowse.core.chain import ResolvedBy
from ccbrowse.core.session import Session


def compacted(log: Log, *, logical: str | None = "a1", **options: object) -> Log:
    """Two messages, a boundary, its summary, and a prompt after it."""
    log.user("u1", parent=None)
    log.reply("a1")
    log.boundary("B1", logical, **options)  # type: ignore[arg-type]  # passed on as they are
    log.summary("s1")
    log.user("u2")
    return log


def resolved(session: Session, segment: int = 2) -> str:
    """How the boundary that opens a segment was resolved."""
    boundary = session.segment(segment).boundary
    assert boundary is not None
    return boundary.resolved_by.value


def test_a_boundary_continues_from_its_logical_parent(read_log: Reading) -> None:
    session = read_log(compacted(Log()))
    assert line(session) == "u1 a1 B1 s1 u2"
    assert segments(session) == ["u1 a1", "B1 s1 u2"]
    assert resolved(session) == "logicalParentUuid"
    assert codes(session) == []


def test_the_logical_parent_may_stand_before_the_last_record(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1")
    log.system("x1")
    log.boundary("B1", "a1")
    log.summary("s1")
    session = read_log(log)
    assert line(session) == "u1 a1 B1 s1"
    assert names(session, session.chain.path) == "u1 a1 B1 s1"


def test_an_arm_before_the_boundary_stays_beside_the_line(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1")
    log.user("u2")
    log.reply("a2", parent="u1", message="other")
    log.boundary("B1")
    log.summary("s1")
    session = read_log(log)
    assert line(session) == "u1 a2 B1 s1"
    assert names(session, session.chain.off_chain) == "a1 u2"


@pytest.mark.parametrize(
    ("logical", "found"), [("never written", ["logical_parent_missing"]), (None, [])]
)
def test_without_a_logical_parent_file_order_joins_the_parts(
    read_log: Reading, logical: str | None, found: list[str]
) -> None:
    session = read_log(compacted(Log(), logical=logical))
    assert line(session) == "u1 a1 B1 s1 u2"
    assert resolved(session) == "file_order"
    assert codes(session) == found


def test_a_logical_parent_that_comes_later_is_followed(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.boundary("B1", "a1")
    log.summary("s1")
    log.reply("a1", parent="u1")
    log.user("u2", parent="s1")
    session = read_log(log)
    assert line(session) == "u1 a1 B1 s1 u2"
    assert codes(session) == []


def test_a_logical_parent_below_its_boundary_makes_no_loop(read_log: Reading) -> None:
    log = compacted(Log(), logical="u2")
    session = read_log(log)
    assert line(session) == "u1 a1 B1 s1 u2"
    assert resolved(session) == "file_order"
    [found] = session.findings
    assert (found.code, found.severity, found.line) == ("logical_parent_loop", "warning", 3)


def test_a_boundary_that_names_itself_is_joined_by_file_order(read_log: Reading) -> None:
    session = read_log(compacted(Log(), logical="B1"))
    assert line(session) == "u1 a1 B1 s1 u2"
    assert codes(session) == ["logical_parent_loop"]


def test_a_file_may_start_at_a_boundary(read_log: Reading) -> None:
    log = Log()
    log.boundary("B1", "never written")
    log.summary("s1")
    log.user("u1")
    session = read_log(log)
    assert segments(session) == ["B1 s1 u1"]
    assert resolved(session, 1) == "none"
    [found] = session.findings
    assert (found.code, found.severity) == ("starts_at_boundary", "note")


def test_two_boundaries_in_a_row_make_a_segment_each(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.boundary("B1")
    log.boundary("B2")
    log.summary("s2")
    session = read_log(log)
    assert segments(session) == ["u1", "B1", "B2 s2"]
    assert [s.messages for s in session.segments] == [1, 0, 1]


def test_a_boundary_without_a_summary_and_a_summary_without_a_boundary(read_log: Reading) -> None:
    log = Log()
    log.summary("s0", None)
    log.user("u1")
    log.boundary("B1")
    log.user("u2")
    session = read_log(log)
    assert segments(session) == ["s0 u1", "B1 u2"]
    assert [s.summary for s in session.segments] == [0, None]


def test_a_boundary_may_be_the_last_record(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.boundary("B1", pre=700)
    session = read_log(log)
    assert segments(session) == ["u1", "B1"]
    assert session.segment(1).context.close.value == 700


def test_a_boundary_without_metadata_has_unknown_sizes(read_log: Reading) -> None:
    log = compacted(Log(), metadata=None)
    session = read_log(log)
    assert line(session) == "u1 a1 B1 s1 u2"
    boundary = session.segment(2).boundary
    assert boundary is not None
    facts = boundary.facts
    assert (facts.trigger, facts.pre_tokens, facts.post_tokens, facts.raw) == (None,) * 4


def test_a_summary_that_hangs_on_an_attachment_opens_the_segment(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.boundary("B1")
    log.attachment("x1")
    log.summary("s1")
    log.reply("a1")
    session = read_log(log)
    assert segments(session) == ["u1", "B1 s1 a1"]
    assert session.segment(2).summary == 3


def test_a_summary_that_hangs_on_a_record_before_the_boundary_follows_the_boundary(
    read_log: Reading,
) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1")
    log.boundary("B1")
    log.summary("s1", "a1")
    log.user("u2")
    session = read_log(log)
    assert segments(session) == ["u1 a1", "B1 s1 u2"]


def test_rows_of_a_resumed_process_that_go_round_the_boundary_are_put_after_it(
    read_log: Reading,
) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1")
    log.attachment("stale")
    log.boundary("B1", "a1")
    log.summary("s1")
    log.user("u2", parent="stale")
    log.reply("a2")
    session = read_log(log)
    assert segments(session) == ["u1 a1", "B1 s1 u2 a2"]
    [found] = session.findings
    assert (found.code, found.severity, found.line) == ("boundary_bypassed", "warning", 6)


def test_a_prompt_that_hangs_on_a_message_before_the_boundary_is_a_rewind(
    read_log: Reading,
) -> None:
    log = compacted(Log())
    log.user("u3", parent="a1")
    session = read_log(log)
    assert line(session) == "u1 a1 u3"
    assert names(session, session.chain.off_chain) == "B1 s1 u2"
    [branch] = session.chain.branches
    assert (branch.kind, branch.messages) == ("rewind", 2)


def test_command_rows_of_a_manual_compaction_stay_in_the_new_segment(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1")
    log.boundary("B1", trigger="manual")
    log.summary("s1")
    early = "2020-01-01T00:00:00.000Z"
    log.user("c1", "<local-command-caveat>x</local-command-caveat>", isMeta=True, timestamp=early)
    log.user("c2", "<command-name>/compact</command-name>", timestamp=early)
    log.user("c3", "<local-command-stdout>Compacted</local-command-stdout>", timestamp=early)
    log.user("u2")
    session = read_log(log)
    assert segments(session) == ["u1 a1", "B1 s1 c1 c2 c3 u2"]
    assert [s.prompts for s in session.segments] == [1, 1]
    found = {f.code: f.severity for f in session.findings}
    assert found == {"time_runs_backwards": "note"}


Beside = Callable[[Log, Log], Session]


@pytest.fixture
def read_beside(read_log: Reading, tmp_path: Path) -> Beside:
    """Opens a log whose folder holds another session, or whose session has a subagent's file."""
    folder = tmp_path / "projects" / "-home-robin-orchard"

    def read(log: Log, other: Log) -> Session:
        if other.session_id.startswith("agent-"):
            other.write(folder / log.session_id / "subagents")
        else:
            other.write(folder)
        return read_log(log)

    return read


def test_a_logical_parent_in_a_side_file_leads_back_to_the_main_file(read_beside: Beside) -> None:
    side = Log("agent-acompact-0123456789abcdef")
    side.user("x1", parent="a1", isSidechain=True)
    side.reply("x2", isSidechain=True)
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1")
    log.user("u2")
    log.boundary("B1", "x2")
    log.summary("s1")
    session = read_beside(log, side)
    assert segments(session) == ["u1 a1", "B1 s1"]
    assert resolved(session) == "side_file"


def test_a_parent_in_a_side_file_is_climbed_through(read_beside: Beside) -> None:
    side = Log("agent-aprompt_suggestion-0123456789abcdef")
    side.user("x1", parent="a1", isSidechain=True)
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1")
    log.user("lost", parent="a1")
    log.user("u2", parent="x1")
    session = read_beside(log, side)
    assert line(session) == "u1 a1 u2"
    [found] = session.findings
    assert (found.code, found.severity, found.line) == ("parent_in_side_file", "note", 4)


def test_a_circle_in_a_side_file_ends(read_beside: Beside) -> None:
    side = Log("agent-a1")
    side.user("x1", parent="x2", isSidechain=True)
    side.user("x2", parent="x1", isSidechain=True)
    log = Log()
    log.user("u1", parent=None)
    log.user("u2", parent="x1")
    session = read_beside(log, side)
    assert line(session) == "u1 u2"
    assert codes(session) == ["parent_missing"]


def test_a_logical_parent_in_another_sessions_file_ends_the_line_there(read_beside: Beside) -> None:
    other = Log("0ther000-0000-4000-8000-000000000002")
    other.user("o1", parent=None)
    other.reply("o2")
    log = Log()
    log.user("lost", parent=None)
    log.boundary("B1", "o2")
    log.summary("s1")
    session = read_beside(log, other)
    assert segments(session) == ["B1 s1"]
    assert resolved(session, 1) == "other_file"
    source = session.continues_from
    assert source is not None
    assert (source.session_id, source.uuid) == (other.session_id, "o2")
    assert Path(source.file).stem == other.session_id
    assert [(f.code, f.severity) for f in session.findings] == [
        ("logical_parent_in_other_file", "note")
    ]
    assert names(session, session.chain.off_chain) == "lost"


def test_of_several_files_that_hold_the_logical_parent_the_oldest_counts(
    read_beside: Beside, tmp_path: Path
) -> None:
    folder = tmp_path / "projects" / "-home-robin-orchard"
    for number, age in ((1, 10), (2, 20)):
        copy = Log(f"c0py000{number}-0000-4000-8000-000000000000")
        copy.user("o1", parent=None)
        os.utime(copy.write(folder), (1_000_000 - age, 1_000_000 - age))
    log = Log()
    log.boundary("B1", "o1")
    session = read_beside(log, Log("agent-a1"))
    assert session.continues_from is not None
    assert session.continues_from.session_id.startswith("c0py0002")


def test_a_uuid_that_other_files_only_mention_is_missing(read_beside: Beside) -> None:
    other = Log("0ther000-0000-4000-8000-000000000002")
    other.user("o1", "They spoke of gone-1", None)
    log = compacted(Log(), logical="gone-1")
    session = read_beside(log, other)
    assert resolved(session) == "file_order"
    assert session.continues_from is None


def test_where_nothing_else_helps_a_kept_record_tells_what_came_before(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1")
    log.user("beside", parent=None)
    log.boundary("B1", "never written", kept=["u1", "a1"])
    log.summary("s1")
    session = read_log(log)
    assert segments(session) == ["u1 a1", "B1 s1"]
    assert resolved(session) == ResolvedBy.PRESERVED.value == "preserved"


def test_each_way_over_a_boundary_has_the_contracts_name() -> None:
    told = "logicalParentUuid side_file other_file preserved file_order none"
    assert {way.value for way in ResolvedBy} == set(told.split())


def test_a_boundary_that_is_written_again_says_what_it_says_last(read_log: Reading) -> None:
    log = compacted(Log(), kept=["u1"])
    session = read_log(log)
    meta = {"trigger": "manual", "preTokens": 9, "preservedMessages": {"uuids": ["a1"]}}
    log.again(3, compactMetadata=meta, logicalParentUuid="u1")
    log.reply("a2", parent="u2")
    with session.file.path.open("ab") as file:
        file.write(b"\n".join([*log.lines[-2:], b""]))
    session.refresh()
    for each in (session, read_log(log)):
        assert segments(each) == ["u1 a1", "B1 s1 u2 a2"]
        boundary = each.segment(2).boundary
        assert boundary is not None
        assert (boundary.facts.trigger, boundary.facts.pre_tokens) == ("manual", 9)
        assert names(each, each.segment(2).carried_over) == "a1"
        assert codes(each) == ["record_rewritten"]


def test_a_boundary_that_names_only_a_parent_continues_from_it(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1")
    log.user("v1", parent="u1")
    log.linked("system", "B1", "a1", subtype="compact_boundary")
    log.summary("s1")
    session = read_log(log)
    assert segments(session) == ["u1 a1", "B1 s1"]
    assert names(session, session.chain.off_chain) == "v1"
