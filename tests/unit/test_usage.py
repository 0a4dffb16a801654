"""Requests counted once: by their id, from their last record, each number with what it is worth."""

from __future__ import annotations

import pytest
from logs import Log, Reading, Row, call, counters

from ccbrowse.core.usage import NO_USAGE, Usage


def usage(session_usage: Usage) -> tuple[int, ...]:
    """Input, cache creation, cache read, output, requests."""
    return (
        session_usage.input_tokens,
        session_usage.cache_creation_input_tokens,
        session_usage.cache_read_input_tokens,
        session_usage.output_tokens,
        session_usage.requests,
    )


def test_fragments_of_one_message_are_one_request_and_the_last_counts(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", message="m1", requestId="q1", usage=(3, 20, 100, 1), stop=None)
    log.reply("a2", message="m1", requestId="q1", usage=(3, 20, 100, 1), stop=None)
    log.reply("a3", message="m1", requestId="q1", usage=(3, 20, 100, 57))
    session = read_log(log)
    assert usage(session.usage) == (3, 20, 100, 57, 1)
    assert session.usage.untrusted_requests == 0
    assert session.context_now.value == 123


def test_the_last_record_counts_field_by_field_as_it_stands(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", message="m1", usage=(9, 9, 9, 9))
    log.reply("a2", message="m1", usage=(1, 2, 3, 0))
    assert usage(read_log(log).usage) == (1, 2, 3, 0, 1)


def test_one_message_under_two_request_ids_is_two_requests(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", message="m1", requestId="q1", usage=(1, 0, 0, 1))
    log.reply("a2", message="m1", requestId="q2", usage=(2, 0, 0, 2))
    assert usage(read_log(log).usage) == (3, 0, 0, 3, 2)


@pytest.mark.parametrize("fields", [{}, {"requestId": "q1"}])
def test_without_a_message_id_each_record_is_a_request(read_log: Reading, fields: Row) -> None:
    log = Log()
    log.user("u1", parent=None)
    for uuid in ("a1", "a2"):
        message = {"model": "x", "content": [], "usage": counters(5, 0, 0, 1)}
        log.linked("assistant", uuid, message=message, **fields)
    assert usage(read_log(log).usage) == (10, 0, 0, 2, 2)


def test_without_a_request_id_the_message_id_is_enough(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", message="m1", usage=(1, 0, 0, 1))
    log.user("u2")
    log.reply("a2", message="m1", usage=(1, 0, 0, 8))
    assert usage(read_log(log).usage) == (1, 0, 0, 8, 1)


@pytest.mark.parametrize(
    "message",
    [
        {"model": "<synthetic>", "usage": counters(1, 1, 1, 1)},
        {"model": "x"},
        {"model": "x", "usage": None},
        {"model": "x", "usage": counters()},
        {"model": "x", "usage": {}},
        {"model": "x", "usage": {"input_tokens": None}},
        {"model": "x", "usage": "many"},
    ],
)
def test_what_cost_nothing_is_no_request(read_log: Reading, message: Row) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.linked("assistant", "a1", message={"id": "m1", "content": [], **message})
    session = read_log(log)
    assert session.usage == NO_USAGE
    assert session.context_now.value is None
    assert session.context_now.source == "unknown"


def test_a_zeroed_copy_does_not_wipe_out_what_was_counted(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", message="m1", usage=(1, 2, 3, 4))
    log.reply("a2", message="m1", usage=(0, 0, 0, 0))
    log.reply("a3", message="m2", usage=(0, 0, 0, 0))
    session = read_log(log)
    assert usage(session.usage) == (1, 2, 3, 4, 1)
    assert list(session.index.request) == [-1, 0, 0, -1]


def test_a_request_that_has_details_but_no_sums_is_one(read_log: Reading) -> None:
    split = {"ephemeral_5m_input_tokens": 700, "ephemeral_1h_input_tokens": 0}
    log = Log()
    log.user("u1", parent=None)
    about = {**counters(), "cache_creation": split}
    log.linked("assistant", "a1", message={"id": "m1", "model": "x", "usage": about})
    assert usage(read_log(log).usage) == (0, 0, 0, 0, 1)


def test_details_repeat_what_is_counted_already(read_log: Reading) -> None:
    about = {
        **counters(1, 700, 3, 4),
        "cache_creation": {"ephemeral_5m_input_tokens": 500, "ephemeral_1h_input_tokens": 200},
        "output_tokens_details": {"thinking_tokens": 3},
        "iterations": [{"type": "message", "input_tokens": 99}],
        "server_tool_use": {"web_search_requests": 5},
    }
    log = Log()
    log.user("u1", parent=None)
    log.linked("assistant", "a1", message={"id": "m1", "model": "x", "usage": about})
    assert usage(read_log(log).usage) == (1, 700, 3, 4, 1)


def test_output_is_not_trusted_where_no_record_says_why_it_stopped(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", "A long answer " * 50, message="m1", usage=(1, 0, 0, 2), stop=None)
    log.reply("a2", message="m2", usage=(1, 0, 0, 40), stop=None)
    log.reply("a3", message="m2", usage=(1, 0, 0, 40))
    session = read_log(log)
    assert session.usage.untrusted_requests == 1
    output = session.output_of(session.segment(1))
    assert output.source == "estimate"
    assert output.value is not None
    assert output.value > 40 + 100
    assert output.error is not None
    assert 0 < output.error < 1


def test_output_is_exact_where_every_request_ended(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", usage=(1, 0, 0, 40))
    session = read_log(log)
    output = session.output_of(session.segment(1))
    assert (output.value, output.source, output.error) == (40, "usage", None)


def test_branches_count_in_the_file_and_not_on_the_line(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", usage=(1, 0, 0, 1))
    log.user("u2", parent="u1")
    log.reply("a2", usage=(10, 0, 0, 10))
    session = read_log(log)
    assert usage(session.usage) == (11, 0, 0, 11, 2)
    assert usage(session.usage_main_line) == (10, 0, 0, 10, 1)
    assert usage(session.segment(1).usage) == (10, 0, 0, 10, 1)


def test_inline_sidechains_are_counted_apart(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", usage=(1, 0, 0, 1))
    log.user("x1", parent=None, isSidechain=True)
    log.reply("x2", usage=(100, 0, 0, 100), isSidechain=True)
    session = read_log(log)
    assert usage(session.usage) == (1, 0, 0, 1, 1)
    assert usage(session.usage_with_subagents) == (101, 0, 0, 101, 2)


def test_a_replayed_record_is_not_counted_twice(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", message="m1", usage=(1, 0, 0, 1))
    log.again(2)
    assert usage(read_log(log).usage) == (1, 0, 0, 1, 1)


def test_each_segment_sums_its_own_requests(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", call("t1"), usage=(1, 0, 0, 1))
    log.result("r1", "t1")
    log.reply("a2", usage=(2, 0, 0, 2))
    log.boundary("B1")
    log.summary("s1")
    log.reply("a3", usage=(4, 0, 0, 4))
    session = read_log(log)
    assert [usage(segment.usage) for segment in session.segments] == [
        (3, 0, 0, 3, 2),
        (4, 0, 0, 4, 1),
    ]
    assert session.usage == session.segment(1).usage + session.segment(2).usage


def test_usage_as_the_contract_prints_it() -> None:
    assert Usage(1, 2, 3, 4, 5, 6).to_json() == {
        "input_tokens": 1,
        "cache_creation_input_tokens": 2,
        "cache_read_input_tokens": 3,
        "output_tokens": 4,
        "requests": 5,
        "untrusted_output_requests": 6,
    }
