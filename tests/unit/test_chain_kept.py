"""Messages that a boundary kept: they stay where they are, and the line goes on after the boundary."""

from __future__ import annotations

import pytest
from logs import Log, Reading, codes, line, names, segments

from ccbrowse.core.session import Session


def keeping(log: Log, on: str, **metadata: object) -> Log:
    """A prompt and a reply that a boundary keeps, its summary, and a prompt that hangs on `on`."""
    log.user("u1", parent=None)
    log.reply("a1")
    log.user("u2")
    log.reply("a2")
    log.boundary("B1", "a2", metadata={"trigger": "auto", **metadata})
    log.summary("s1", "B1")
    log.user("u3", parent=on)
    return log


def carried(session: Session, number: int = 2) -> str:
    """The uuids that a segment's boundary kept."""
    return names(session, session.segment(number).carried_over)


MESSAGES = {"preservedMessages": {"anchorUuid": "s1", "uuids": ["u2", "a2"]}}
ALL = {"preservedMessages": {"anchorUuid": "s1", "uuids": ["a2"], "allUuids": ["a1", "u2", "a2"]}}
SEGMENT = {"preservedSegment": {"headUuid": "a1", "anchorUuid": "s1", "tailUuid": "a2"}}


@pytest.mark.parametrize(
    ("metadata", "on", "kept"),
    [
        (MESSAGES, "a2", "u2 a2"),
        (MESSAGES, "u2", "u2 a2"),
        (ALL, "a1", "a1 u2 a2"),
        (SEGMENT, "a2", "a1 u2 a2"),
        (SEGMENT, "u2", "a1 u2 a2"),
        (SEGMENT, "a1", "a1 u2 a2"),
    ],
    ids=["messages", "messages-first", "all", "tail", "between", "head"],
)
def test_a_record_on_a_kept_message_continues_after_the_boundary(
    read_log: Reading, metadata: dict[str, object], on: str, kept: str
) -> None:
    session = read_log(keeping(Log(), on, **metadata))
    assert segments(session) == ["u1 a1 u2 a2", "B1 s1 u3"]
    assert carried(session) == kept
    [found] = session.findings
    assert (found.code, found.severity, found.line) == ("kept_relinked", "note", 7)


def test_preserved_messages_are_asked_before_the_preserved_segment(read_log: Reading) -> None:
    both = {**SEGMENT, "preservedMessages": {"uuids": ["a2"]}}
    session = read_log(keeping(Log(), "a1", **both))
    assert line(session) == "u1 a1 u3"
    assert names(session, session.chain.off_chain) == "u2 a2 B1 s1"


def test_kept_messages_stay_where_they_are_and_stand_once(read_log: Reading) -> None:
    session = read_log(keeping(Log(), "s1", **ALL))
    assert line(session) == "u1 a1 u2 a2 B1 s1 u3"
    assert carried(session) == "a1 u2 a2"
    assert codes(session) == []


def test_kept_messages_that_are_off_the_line_are_not_carried_over(read_log: Reading) -> None:
    log = keeping(Log(), "s1", preservedMessages={"uuids": ["u2", "a2", "gone"]})
    log.user("u4", parent=None)
    log.again(5, uuid="B2", logicalParentUuid="u4")
    log.summary("s2", "B2")
    session = read_log(log)
    assert segments(session) == ["u4", "B2 s2"]
    assert carried(session) == ""


def test_a_kept_segment_whose_ends_no_links_join_is_both_ends(read_log: Reading) -> None:
    apart = {"headUuid": "u2", "tailUuid": "a1"}
    session = read_log(keeping(Log(), "s1", preservedSegment=apart))
    assert carried(session) == "u2 a1"


def test_a_kept_segment_of_which_one_end_is_missing_is_the_other(read_log: Reading) -> None:
    for ends in ({"headUuid": "a2"}, {"tailUuid": "a2"}):
        session = read_log(keeping(Log(), "s1", preservedSegment=ends))
        assert carried(session) == "a2"


def test_a_kept_segment_does_not_reach_over_a_boundary(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.boundary("B1")
    log.reply("a1")
    ends = {"headUuid": "u1", "tailUuid": "a1"}
    log.boundary("B2", metadata={"preservedSegment": ends})
    log.summary("s2")
    assert carried(read_log(log), 3) == "u1 a1"


def test_of_several_boundaries_that_kept_it_the_newest_counts(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.boundary("B1", kept=["u1"])
    log.summary("s1")
    log.boundary("B2", "s1", kept=["u1"])
    log.summary("s2")
    log.user("u2", parent="u1")
    session = read_log(log)
    assert segments(session) == ["u1", "B1 s1", "B2 s2 u2"]


def test_a_second_boundary_may_follow_on_a_kept_message(read_log: Reading) -> None:
    log = keeping(Log(), "a2", **MESSAGES)
    log.reply("a3")
    log.boundary("B2", "a3", kept=["u3", "a3"])
    log.summary("s2")
    log.user("u4", parent="a3")
    session = read_log(log)
    assert segments(session) == ["u1 a1 u2 a2", "B1 s1 u3 a3", "B2 s2 u4"]


def test_where_the_boundary_has_no_summary_yet_the_line_goes_on_from_the_boundary(
    read_log: Reading,
) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.boundary("B1", kept=["u1"])
    log.user("u2", parent="u1")
    log.summary("s1", "B1")
    log.user("u3", parent="u2")
    assert line(read_log(log)) == "u1 B1 u2 u3"


def test_a_fork_translates_kept_uuids_by_their_copies(read_log: Reading) -> None:
    log = Log()
    log.user("n1", parent=None, forkedFrom={"sessionId": "old", "messageUuid": "o1"})
    log.reply("n2", forkedFrom={"sessionId": "old", "messageUuid": "o2"})
    log.boundary("n3", None, kept=["o2"], forkedFrom={"sessionId": "old", "messageUuid": "o3"})
    log.summary("n4", forkedFrom={"sessionId": "old", "messageUuid": "o4"})
    log.user("u1", parent="n2")
    session = read_log(log)
    assert segments(session) == ["n1 n2", "n3 n4 u1"]
    assert codes(session) == ["kept_relinked"]
    assert session.index.facts.forked_from == ("old", "o1")
