"""Where the line ends, and what is joined to it where links tell too little."""

from __future__ import annotations

import json

import pytest
from logs import Log, Reading, call, codes, line, names, segments


def talk(log: Log, *numbers: int) -> Log:
    """A prompt and a reply for each number."""
    for number in numbers:
        log.user(f"u{number}", **({"parent": None} if number == 1 else {}))
        log.reply(f"a{number}")
    return log


@pytest.mark.parametrize("kind", ["attachment", "from-the-future"])
def test_a_root_of_another_type_ends_no_conversation(read_log: Reading, kind: str) -> None:
    log = talk(Log(), 1)
    log.linked(kind, "z1", None)
    log.linked(kind, "z2")
    session = read_log(log)
    assert line(session) == "u1 a1"
    log.user("u2", parent="a1")
    with session.file.path.open("ab") as file:
        file.write(log.lines[-1] + b"\n")
    session.refresh()
    assert line(session) == "u1 a1 u2"


def test_what_was_written_after_those_that_hang_on_it_does_not_end_the_line(
    read_log: Reading,
) -> None:
    log = talk(Log(), 1, 2)
    log.boundary("B1")
    log.summary("s1")
    log.user("u3")
    log.lines.reverse()
    session = read_log(log)
    assert line(session) == "u1 a1 u2 a2 B1 s1 u3"
    assert codes(session, notes=False) == []


def test_a_prompt_that_waits_for_its_parent_stays_on_the_line(read_log: Reading) -> None:
    log = talk(Log(), 1)
    log.user("u2", parent="x1")
    log.attachment("x1", "a1")
    assert line(read_log(log)) == "u1 a1 u2"


@pytest.mark.parametrize("above", ["a1", "z"])
def test_a_circle_ends_at_the_newest_record(read_log: Reading, above: str) -> None:
    log = Log()
    log.user("u1", parent="a2")
    log.reply("a1", parent="u1" if above == "a1" else "gone")
    log.user("u2")
    log.reply("a2")
    assert line(read_log(log)) == "u1 a1 u2 a2"


@pytest.mark.parametrize("kind", ["attachment", "from-the-future"])
def test_what_says_nothing_is_no_rival_of_a_reply(read_log: Reading, kind: str) -> None:
    log = talk(Log(), 1)
    log.linked(kind, "x1", "u1")
    session = read_log(log)
    assert line(session) == "u1 a1"
    talk(log, 2)
    assert line(read_log(log)) == "u1 a1 u2 a2"
    assert session.chain.branches == ()


def test_a_reply_that_an_attachment_leads_to_is_a_rival(read_log: Reading) -> None:
    log = talk(Log(), 1)
    log.attachment("x1", "u1")
    log.reply("a2")
    session = read_log(log)
    assert (line(session), names(session, session.chain.off_chain)) == ("u1 a2", "a1")


def test_a_record_that_names_no_parent_follows_the_one_before_it(read_log: Reading) -> None:
    log = talk(Log(), 1, 2, 3)
    for number, odd in ((0, {}), (2, {}), (4, {"parentUuid": 7})):
        row = {k: v for k, v in json.loads(log.lines[number]).items() if k != "parentUuid"}
        log.lines[number] = json.dumps(row | odd).encode()
    session = read_log(log)
    assert line(session) == "u1 a1 u2 a2 u3 a3"
    assert codes(session) == ["parent_unnamed"] * 2


@pytest.mark.parametrize("boundary", [True, False])
def test_a_summary_without_a_parent_goes_on_from_what_it_sums_up(
    read_log: Reading, boundary: bool
) -> None:
    log = talk(Log(), 1)
    if boundary:
        log.boundary("B1")
    log.summary("s1", None)
    talk(log, 2)
    session = read_log(log)
    assert segments(session) == (["u1 a1", "B1 s1 u2 a2"] if boundary else ["u1 a1 s1 u2 a2"])
    assert codes(session) == ["parent_unnamed"]


def test_a_file_may_start_with_a_summary(read_log: Reading) -> None:
    log = Log()
    log.summary("s1", None)
    log.user("u1")
    session = read_log(log)
    assert (line(session), codes(session)) == ("s1 u1", [])


def test_a_boundary_after_a_message_that_another_kept_follows_that_one(read_log: Reading) -> None:
    log = talk(Log(), 1, 2)
    log.boundary("B1", kept=["a2"])
    log.summary("s1")
    log.boundary("B2", "a2", kept=["a2"])
    log.summary("s2")
    log.user("u3", parent="a2")
    session = read_log(log)
    assert segments(session) == ["u1 a1 u2 a2", "B1 s1", "B2 s2 u3"]
    assert [names(session, s.carried_over) for s in session.segments] == ["", "a2", "a2"]
    assert session.chain.off_chain == []


def test_an_abandoned_compaction_is_one_arm_with_what_it_sums_up(read_log: Reading) -> None:
    log = talk(Log(), 1, 2)
    log.boundary("B1")
    log.summary("s1")
    talk(log, 3)
    log.user("v2", parent="a1")
    session = read_log(log)
    (arm,) = session.chain.branches
    assert names(session, [arm.leaf, arm.fork or 0]) == "a3 a1"
    assert names(session, session.chain.off_chain) == "u2 a2 B1 s1 u3 a3"


def test_what_goes_on_from_a_reply_without_a_rival_goes_with_it(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.system("x1")
    log.reply("a1", call("t1"), parent="u1")
    log.result("r1", "t1")
    log.attachment("x2")
    log.system("x3")
    log.reply("a2", call("t2"))
    log.result("r2", "t2")
    log.reply("a3")
    log.user("u2", parent="x1")
    session = read_log(log)
    assert line(session) == "u1 a1 r1 a2 r2 a3 u2"
    assert [session.chain.stretch_of(row) for row in session.chain] == [0] * 7
    assert session.chain.branches == ()


def test_a_reply_to_a_result_beside_the_line_is_on_it_where_a_system_record_went_on(
    read_log: Reading,
) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", call("t1"))
    log.system("x1")
    talk(log, 2)
    session = read_log(log)
    log.result("r1", "t1", parent="a1")
    log.reply("b1")
    log.user("u3", parent="a2")
    with session.file.path.open("ab") as file:
        file.write(b"\n".join([*log.lines[-3:], b""]))
    session.refresh()
    assert line(session) == line(read_log(log)) == "u1 a1 r1 b1 u2 a2 u3"


def test_two_that_answer_one_result_are_rivals(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.system("x1")
    log.reply("a1", call("t1"), parent="u1")
    log.result("r1", "t1")
    log.reply("b1")
    log.reply("b2", parent="r1")
    log.user("u2", parent="x1")
    session = read_log(log)
    assert line(session) == "u1 a1 r1 u2"
    assert names(session, session.chain.off_chain) == "b1 b2"


def test_a_reply_below_what_leads_to_a_prompt_has_that_for_a_rival(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.system("x1")
    log.attachment("x2")
    log.reply("a1")
    log.user("u2", parent="x1")
    session = read_log(log)
    assert (line(session), names(session, session.chain.off_chain)) == ("u1 u2", "a1")
