"""Segments: what stands between two boundaries, with the numbers that the file has."""

from __future__ import annotations

import pytest
from logs import START, STEP, Log, Reading, Row, call, segments

from ccbrowse.core.index import NO_TIME
from ccbrowse.core.numbers import Number, Source
from ccbrowse.core.segments import Context
from ccbrowse.core.session import Session


def number(value: int | None, source: str) -> Number:
    """A number without an error."""
    return Number(value, Source(source))


def two_segments(**boundary: object) -> Log:
    """Two prompts with replies, a compaction between them."""
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", call("t1"), usage=(10, 0, 90, 5))
    log.result("r1", "t1", text="And be quick")
    log.reply("a2", usage=(10, 0, 290, 5))
    log.reply("a3", usage=(10, 0, 190, 5))
    log.boundary("B1", **boundary)  # type: ignore[arg-type]  # passed on as they are
    log.summary("s1")
    log.user("u2")
    log.reply("a4", usage=(1, 40, 0, 5))
    return log


def test_a_segment_tells_what_it_holds(read_log: Reading) -> None:
    log = two_segments()
    first, second = read_log(log).segments
    assert (first.number, second.number) == (1, 2)
    assert (first.messages, second.messages) == (5, 3)
    assert (first.prompts, second.prompts) == (2, 1)
    assert (first.tool_calls, second.tool_calls) == (1, 0)
    assert (first.first_line, first.last_line) == (1, 5)
    assert (second.first_line, second.last_line) == (6, 9)
    assert (first.first_byte, first.last_byte) == (0, sum(map(len, log.lines[:5])) + 4)
    assert second.last_byte == len(log.data()) - 1
    assert (first.started, first.ended) == (START + STEP, START + 5 * STEP)
    assert (second.started, second.ended) == (START + 6 * STEP, START + 9 * STEP)
    assert (first.boundary, first.summary) == (None, None)
    assert second.summary == 6


def test_context_opens_with_the_first_request_and_closes_with_the_boundary(
    read_log: Reading,
) -> None:
    session = read_log(two_segments(pre=350))
    assert [segment.context for segment in session.segments] == [
        Context(number(100, "usage"), number(300, "usage"), number(350, "boundary")),
        Context(number(41, "usage"), number(41, "usage"), number(41, "usage")),
    ]


def test_without_pre_tokens_the_last_request_closes_the_context(read_log: Reading) -> None:
    context = read_log(two_segments(pre=None)).segment(1).context
    assert context.close == number(200, "usage")


def test_a_segment_without_requests_has_an_unknown_context(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.boundary("B1", pre=90)
    log.boundary("B2", pre=None)
    unknown = number(None, "unknown")
    contexts = [segment.context for segment in read_log(log).segments]
    assert contexts == [
        Context(unknown, unknown, number(90, "boundary")),
        Context(unknown, unknown, unknown),
        Context(unknown, unknown, unknown),
    ]


def test_a_request_that_weighs_nothing_does_not_open_the_context(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", usage=(0, 0, 0, 9))
    log.reply("a2", usage=(5, 0, 0, 9))
    context = read_log(log).segment(1).context
    assert context.open == context.peak == context.close == number(5, "usage")


def now(session: Session) -> tuple[int | None, str]:
    """What a session weighs now, and how that is known."""
    return session.context_now.value, session.context_now.source.value


def test_a_session_weighs_what_its_last_request_weighed(read_log: Reading) -> None:
    assert now(read_log(two_segments())) == (41, "usage")


@pytest.mark.parametrize(("post", "expected"), [(77, (77, "boundary")), (None, (None, "unknown"))])
def test_after_a_newer_boundary_a_session_weighs_what_that_left(
    read_log: Reading, post: int | None, expected: tuple[int | None, str]
) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", usage=(10, 0, 0, 5))
    log.boundary("B1", post=post)
    log.summary("s1")
    log.user("u2")
    assert now(read_log(log)) == expected


def test_a_session_without_records_weighs_what_nobody_knows(read_log: Reading) -> None:
    assert now(read_log(Log())) == (None, "unknown")


def test_a_request_beside_the_line_does_not_weigh(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", usage=(10, 0, 0, 5))
    log.user("u2")
    log.reply("a2", usage=(500, 0, 0, 5))
    log.user("u3", parent="a1")
    assert now(read_log(log)) == (10, "usage")


@pytest.mark.parametrize(
    ("summary", "kind"),
    [
        ({}, "full"),
        ({"summarizeMetadata": {"direction": "from"}}, "partial_from"),
        ({"summarizeMetadata": {"direction": "up_to"}}, "partial_up_to"),
        ({"summarizeMetadata": {"direction": 5}}, "full"),
        ({"summarizeMetadata": None}, "full"),
    ],
)
def test_a_summary_names_what_it_covers(read_log: Reading, summary: Row, kind: str) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.boundary("B1")
    log.summary("s1", **summary)
    boundary = read_log(log).segment(2).boundary
    assert boundary is not None
    assert boundary.kind.value == kind


def test_what_is_sent_before_the_summary_was_chosen_from_there(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    kept = {"anchorUuid": "B1", "uuids": ["u1"]}
    log.boundary("B1", metadata={"trigger": "manual", "preservedMessages": kept})
    log.summary("s1")
    boundary = read_log(log).segment(2).boundary
    assert boundary is not None
    assert boundary.kind.value == "partial_from"


def test_a_boundary_tells_all_that_its_record_states(read_log: Reading) -> None:
    metadata = {
        "trigger": "manual",
        "preTokens": 100,
        "postTokens": 20,
        "durationMs": 1500,
        "cumulativeDroppedTokens": 80,
        "messagesSummarized": 7,
        "preservedSegment": {"headUuid": "u1", "tailUuid": "u1"},
    }
    log = Log()
    log.user("u1", parent=None)
    log.boundary("B1", metadata=metadata)
    session = read_log(log)
    boundary = session.segment(2).boundary
    assert boundary is not None
    facts = boundary.facts
    assert (boundary.uuid, boundary.logical_parent, boundary.time) == ("B1", "u1", START + 2 * STEP)
    assert (facts.trigger, facts.pre_tokens, facts.post_tokens) == ("manual", 100, 20)
    assert (facts.duration_ms, facts.dropped_tokens, facts.messages_summarized) == (1500, 80, 7)
    assert boundary.preserved == ("u1",)
    assert facts.raw == metadata


def test_a_segment_of_other_records_alone_has_its_place(read_log: Reading) -> None:
    log = Log()
    log.system("x1", None)
    log.attachment("x2")
    log.boundary("B1")
    session = read_log(log)
    assert segments(session) == ["", "B1"]
    first = session.segment(1)
    assert (first.first_line, first.last_line, first.messages) == (1, 2, 0)


def test_a_segment_without_times_has_none(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None, timestamp=None)
    segment = read_log(log).segment(1)
    assert (segment.started, segment.ended) == (NO_TIME, NO_TIME)


def test_segments_follow_a_session_that_compacts(read_log: Reading) -> None:
    log = two_segments()
    whole = log.lines
    log.lines = whole[:5]
    session = read_log(log)
    assert session.segment(1).context.close == number(200, "usage")
    log.lines = whole[:7]
    log.write(session.file.folder)
    session.refresh()
    assert segments(session) == ["u1 a1 r1 a2 a3", "B1 s1"]
    assert session.segment(1).context.close == number(1000, "boundary")
    log.lines = whole
    log.write(session.file.folder)
    session.refresh()
    assert segments(session) == ["u1 a1 r1 a2 a3", "B1 s1 u2 a4"]
    assert now(session) == (41, "usage")
