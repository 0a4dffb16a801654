"""Abandoned arms: their leaves, where they left the line, what they hold, and why they were left."""

from __future__ import annotations

from logs import Log, Reading, call, line, names

from ccbrowse.core.chain import branch_rows
from ccbrowse.core.session import Session

Told = tuple[str, str | None, int, str]


def told(session: Session) -> list[Told]:
    """Leaf, fork, messages and kind of each branch."""
    uuids = session.index.uuids
    return [
        (uuids[b.leaf] or "", None if b.fork is None else uuids[b.fork], b.messages, b.kind.value)
        for b in session.chain.branches
    ]


def test_a_prompt_sent_again_before_any_reply_is_an_edited_prompt(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1")
    log.user("u2")
    log.user("u3", parent="a1")
    log.user("u4", parent="a1")
    session = read_log(log)
    assert told(session) == [
        ("u2", "a1", 1, "edited_prompt"),
        ("u3", "a1", 1, "edited_prompt"),
    ]


def test_an_edited_first_prompt_left_no_record(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.user("u2", parent=None)
    assert told(read_log(log)) == [("u1", None, 1, "edited_prompt")]


def test_an_arm_with_replies_is_a_rewind(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1")
    log.user("u2")
    log.reply("a2")
    log.user("u3")
    log.user("u4", parent="a1")
    assert told(read_log(log)) == [("u3", "a1", 3, "rewind")]


def test_an_arm_with_a_compaction_is_a_rewind_and_a_boundary_is_no_message(
    read_log: Reading,
) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1")
    log.boundary("B1")
    log.summary("s1")
    log.user("u2", parent="a1")
    assert told(read_log(log)) == [("s1", "a1", 1, "rewind")]


def test_rows_of_a_local_command_beside_the_line_are_a_leftover(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    caveat = "<local-command-caveat>Ignore.</local-command-caveat>"
    log.user("c1", caveat, isMeta=True)
    log.user("c2", "<command-name>/exit</command-name>")
    log.user("c3", "<local-command-stdout>Bye</local-command-stdout>")
    log.user("u2", parent="c1")
    session = read_log(log)
    assert line(session) == "u1 c1 u2"
    assert told(session) == [("c3", "c1", 2, "leftover")]


def test_a_failed_request_is_no_reply(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1")
    log.user("u2")
    log.reply("e1", "API Error", model="<synthetic>", isApiErrorMessage=True)
    log.user("u3", parent="a1")
    assert told(read_log(log)) == [("e1", "a1", 2, "edited_prompt")]


def test_an_arm_forks_at_the_last_chain_record_that_it_shares_with_the_line(
    read_log: Reading,
) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1")
    log.attachment("x1")
    log.system("x2")
    log.user("u2")
    log.user("u3", parent="x1")
    session = read_log(log)
    [branch] = told(session)
    assert branch == ("u2", "a1", 1, "edited_prompt")


def test_two_arms_with_a_common_stem_have_a_leaf_each(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1")
    log.user("v1")
    log.reply("v2")
    log.user("v3")
    log.user("w3", parent="v2")
    log.user("u2", parent="a1")
    session = read_log(log)
    assert told(session) == [("v3", "a1", 3, "rewind"), ("w3", "a1", 3, "rewind")]
    off = session.chain.off_chain
    assert names(session, off) == "v1 v2 v3 w3"
    arms = [names(session, branch_rows(session.index, row, set(off))) for row in (4, 5)]
    assert arms == ["v1 v2 v3", "v1 v2 w3"]


def test_a_turn_of_parallel_calls_is_one_arm(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.user("v1")
    log.reply("a1", call("t1"), message="m1")
    log.reply("a2", call("t2"), message="m1")
    log.result("r1", "t1", parent="a1")
    log.result("r2", "t2", parent="a2")
    log.reply("b1", parent="r1")
    log.user("u2", parent="u1")
    session = read_log(log)
    assert told(session) == [("b1", "u1", 6, "rewind")]
    off = session.chain.off_chain
    assert names(session, branch_rows(session.index, 6, set(off))) == "v1 a1 a2 r1 r2 b1"


def test_parallel_calls_that_were_left_there_end_in_their_last_result(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", call("t1"), message="m1")
    log.reply("a2", call("t2"), message="m1")
    log.result("r1", "t1", parent="a1")
    log.result("r2", "t2", parent="a2")
    log.user("u2", parent="u1")
    assert told(read_log(log)) == [("r2", "u1", 4, "rewind")]


def test_an_arm_that_is_a_circle_is_an_arm(read_log: Reading) -> None:
    log = Log()
    log.user("v1", parent="v2")
    log.user("v2", parent="v1")
    log.user("u1", parent=None)
    session = read_log(log)
    assert names(session, session.chain.off_chain) == "v1 v2"
    assert told(session) == [("v2", None, 2, "edited_prompt")]


def test_the_rows_of_an_arm_on_a_circle_of_other_records_end(read_log: Reading) -> None:
    log = Log()
    log.progress("x1", "x2")
    log.progress("x2", "x1")
    log.user("v1", parent="x2")
    log.user("u1", parent=None)
    session = read_log(log)
    assert told(session) == [("v1", None, 1, "edited_prompt")]
    assert branch_rows(session.index, 2, {2}) == [2]


def test_a_forward_link_within_an_arm_is_followed(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.user("v2", parent="v1")
    log.reply("v1", parent="u1")
    log.user("u2", parent="u1")
    session = read_log(log)
    [branch] = session.chain.branches
    assert branch.messages == 2
    assert names(session, branch_rows(session.index, branch.leaf, {1, 2})) == "v2 v1"


def test_the_leaves_stand_in_file_order(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    for number in range(5):
        log.user(f"v{number}", parent="u1")
    log.user("u2", parent="u1")
    assert [leaf for leaf, *_ in told(read_log(log))] == ["v0", "v1", "v2", "v3", "v4"]
