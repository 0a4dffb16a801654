"""What belongs to the line though it hangs beside it: fragments, results, replies that a row passes by."""

from __future__ import annotations

from logs import Log, Reading, call, line, names, segments


def test_fragments_stand_together_and_results_follow_in_file_order(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", call("t1"), message="m1")
    log.result("r1", "t1")
    log.reply("a2", call("t2"), message="m1", parent="a1")
    log.reply("a3", call("t3"), message="m1")
    log.result("r3", "t3")
    log.result("r2", "t2", parent="a2")
    log.reply("b1", parent="r2")
    session = read_log(log)
    assert line(session) == "u1 a1 a2 a3 r1 r3 r2 b1"
    assert session.chain.branches == ()
    assert session.unpaired_results() == []


def test_a_parallel_call_beside_the_path_belongs_with_its_result(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", call("t1"), message="m1")
    log.reply("a2", call("t2"), message="m1")
    log.result("r1", "t1", parent="a1")
    log.result("r2", "t2", parent="a2")
    log.reply("b1", parent="r1")
    session = read_log(log)
    assert line(session) == "u1 a1 a2 r1 r2 b1"
    assert session.chain.off_chain == []


def test_a_result_that_stands_before_its_call_in_the_file_follows_it(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.result("r1", "t1", parent="a1")
    log.reply("a1", call("t1"), parent="u1")
    log.reply("b1", parent="r1")
    assert line(read_log(log)) == "u1 a1 r1 b1"


def test_several_results_in_one_record_follow_their_calls(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", call("t1"), call("t2"))
    log.result("r1", "t1", "t2")
    log.reply("b1")
    session = read_log(log)
    assert line(session) == "u1 a1 r1 b1"
    assert session.segment(1).tool_calls == 2


def test_the_result_of_a_call_on_an_abandoned_arm_stays_with_it(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", call("t1"))
    log.result("r1", "t1")
    log.user("u2", parent="u1")
    session = read_log(log)
    assert line(session) == "u1 u2"
    assert names(session, session.chain.off_chain) == "a1 r1"


def test_a_second_result_of_the_same_call_belongs_too(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", call("t1"))
    log.result("r1", "t1")
    log.result("r2", "t1", parent="a1")
    log.user("u2", parent="r1")
    assert line(read_log(log)) == "u1 a1 r1 r2 u2"


def test_a_reply_whose_only_rival_is_a_system_record_belongs(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", parent="u1")
    log.system("x1", parent="u1")
    log.user("u2", parent="x1")
    session = read_log(log)
    assert line(session) == "u1 a1 u2"
    assert session.chain.branches == ()


def test_with_progress_as_its_rival_a_reply_belongs_too(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", call("t1"), parent="u1")
    log.progress("x1", parent="u1")
    log.result("r1", "t1", parent="a1")
    log.user("u2", parent="x1")
    assert line(read_log(log)) == "u1 a1 r1 u2"


def test_a_reply_whose_rival_is_a_prompt_is_an_arm(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", parent="u1")
    log.user("u2", parent="u1")
    session = read_log(log)
    assert line(session) == "u1 u2"
    assert names(session, session.chain.off_chain) == "a1"


def test_a_prompt_that_a_system_record_passes_by_is_an_arm(read_log: Reading) -> None:
    log = Log()
    log.reply("a1", parent=None)
    log.user("u1", parent="a1")
    log.system("x1", parent="a1")
    log.user("u2", parent="x1")
    session = read_log(log)
    assert line(session) == "a1 u2"
    assert names(session, session.chain.off_chain) == "u1"


def test_a_late_fragment_after_a_boundary_stays_with_its_message(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", message="m1")
    log.boundary("B1", "a1")
    log.summary("s1")
    log.reply("a2", message="m1", parent="a1")
    log.user("u2", parent="s1")
    session = read_log(log)
    assert segments(session) == ["u1 a1 a2", "B1 s1 u2"]


def test_a_message_parted_by_a_boundary_stands_in_both_segments(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", message="m1")
    log.boundary("B1", "a1")
    log.reply("a2", message="m1")
    log.reply("a3", message="m1", parent="u1")
    log.user("u2", parent="a2")
    session = read_log(log)
    assert segments(session) == ["u1 a1 a3", "B1 a2 u2"]


def test_replies_without_a_message_id_are_each_on_their_own(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    for uuid in ("a1", "a2"):
        log.linked("assistant", uuid, "u1", message={"role": "assistant", "content": "Done."})
    session = read_log(log)
    assert line(session) == "u1 a2"
    assert names(session, session.chain.off_chain) == "a1"
