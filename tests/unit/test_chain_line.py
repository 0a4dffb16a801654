"""The main line, rule by rule: from the newest record back over parents to the first."""

from __future__ import annotations

from logs import Log, Reading, call, codes, line, names


def test_the_line_goes_from_the_newest_record_back_over_parents(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1")
    log.user("u2")
    session = read_log(log)
    assert line(session) == "u1 a1 u2"
    assert session.chain.off_chain == []
    assert codes(session) == []


def test_an_arm_left_by_a_rewind_is_beside_the_line(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1")
    log.user("u2")
    log.reply("a2")
    log.user("u3", parent="a1")
    session = read_log(log)
    assert line(session) == "u1 a1 u3"
    assert names(session, session.chain.off_chain) == "u2 a2"


def test_the_newest_record_is_the_last_of_the_file_not_the_latest_in_time(
    read_log: Reading,
) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", timestamp="2030-01-01T00:00:00.000Z")
    log.user("u2", parent="u1", timestamp="2020-01-01T00:00:00.000Z")
    assert line(read_log(log)) == "u1 u2"


def test_a_record_that_comes_again_does_not_move_the_end_of_the_line(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1")
    log.user("u2")
    log.again(1)
    session = read_log(log)
    assert line(session) == "u1 a1 u2"
    assert codes(session) == ["record_replayed"]


def test_a_sidechain_record_is_never_the_end_of_the_line(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1")
    log.user("x1", "Look around", None, isSidechain=True)
    log.reply("x2", isSidechain=True)
    session = read_log(log)
    assert line(session) == "u1 a1"
    assert session.chain.off_chain == []


def test_bookkeeping_behind_the_last_record_does_not_end_the_line(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1")
    log.side("last-prompt", lastPrompt="Go on", leafUuid="u1")
    log.side("custom-title", uuid="t1", parentUuid="u1", customTitle="Named")
    assert line(read_log(log)) == "u1 a1"


def test_records_of_other_types_carry_links_but_are_not_in_the_chain(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.attachment("x1")
    log.progress("x2")
    log.system("x3")
    log.linked("novelty", "x4")
    log.reply("a1")
    log.system("x5")
    session = read_log(log)
    assert line(session) == "u1 a1"
    assert names(session, session.chain.path) == "u1 x1 x2 x3 x4 a1 x5"
    assert codes(session) == []


def test_a_micro_boundary_is_no_boundary(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.system("m1", subtype="microcompact_boundary", microcompactMetadata={"trigger": "auto"})
    log.reply("a1")
    session = read_log(log)
    assert line(session) == "u1 a1"
    assert len(session.segments) == 1


def test_a_parent_that_comes_later_in_the_file_is_found(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.user("r1", parent="a1")
    log.reply("a1", parent="u1")
    log.reply("a2", parent="r1")
    session = read_log(log)
    assert line(session) == "u1 a1 r1 a2"
    assert codes(session) == []


def test_a_parent_that_was_never_written_is_joined_by_file_order(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1")
    log.user("u2", parent="never written")
    session = read_log(log)
    assert line(session) == "u1 a1 u2"
    [found] = session.findings
    assert (found.code, found.severity, found.line) == ("parent_missing", "warning", 3)
    assert found.uuid == "u2"


def test_a_first_record_whose_parent_is_missing_starts_the_line(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent="never written")
    log.reply("a1")
    session = read_log(log)
    assert line(session) == "u1 a1"
    assert codes(session) == ["parent_missing"]


def test_a_circle_of_parents_is_cut_and_joined_by_file_order(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", parent="a2")
    log.reply("a2", parent="a1")
    session = read_log(log)
    assert line(session) == "u1 a1 a2"
    [found] = session.findings
    assert (found.code, found.severity, found.line) == ("parent_loop", "warning", 2)


def test_a_record_that_is_its_own_parent_is_cut_loose(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", parent="a1")
    session = read_log(log)
    assert line(session) == "u1 a1"
    assert codes(session) == ["parent_loop"]


def test_a_link_back_into_the_line_does_not_name_a_record_twice(read_log: Reading) -> None:
    log = Log()
    log.user("r0", parent=None)
    log.user("r1", parent="r6")
    log.user("r2", parent="r1")
    log.attachment("r3", "never written")
    log.user("r4", parent="r5")
    log.user("r5", parent="never written")
    log.progress("r6", "r5")
    log.user("r8", parent="r6")
    assert sorted(line(read_log(log)).split()) == ["r0", "r1", "r2", "r4", "r5", "r8"]


def test_of_several_roots_the_line_has_that_of_its_end(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1")
    log.user("u2", parent=None)
    log.reply("a2")
    session = read_log(log)
    assert line(session) == "u2 a2"
    assert names(session, session.chain.off_chain) == "u1 a1"
    [branch] = session.chain.branches
    assert branch.fork is None


def test_records_of_several_session_ids_are_one_conversation(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None, sessionId="another")
    log.reply("a1")
    assert line(read_log(log)) == "u1 a1"


def test_rows_on_the_path_know_their_place(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.user("u2", parent="u1")
    log.user("u3", parent="u1")
    chain = read_log(log).chain
    assert list(chain.place) == [0, -1, 1]
    assert list(chain.on_line) == [1, 0, 1]


def test_an_empty_file_has_no_line(read_log: Reading) -> None:
    session = read_log(Log())
    assert line(session) == ""
    assert list(session.segments) == []
    assert session.chain.branches == ()


def test_a_file_without_links_has_no_line(read_log: Reading) -> None:
    log = Log()
    log.side("mode", mode="plan")
    session = read_log(log)
    assert line(session) == ""
    assert session.is_empty


def test_a_call_without_a_result_ends_the_line(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", call("t1"))
    session = read_log(log)
    assert line(session) == "u1 a1"
    assert session.open_calls() == ["t1"]
