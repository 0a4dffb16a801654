"""Heads of records: what the index needs of a line, whatever types its fields have."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec import UNSET, DecodeError, Raw

from ccbrowse.core.records.heads import (
    ABSENT,
    BlockHead,
    Head,
    MessageHead,
    UsageHead,
    agent_of_result,
    decode_brief,
    decode_head,
    full_head,
    lenient_head,
    splits_up,
    undecoded,
)

WHOLE: dict[str, Any] = {
    "parentUuid": "p1",
    "logicalParentUuid": "l1",
    "isSidechain": True,
    "isMeta": True,
    "isCompactSummary": True,
    "isApiErrorMessage": True,
    "type": "user",
    "subtype": "s",
    "uuid": "u1",
    "timestamp": "2026-01-02T03:04:05.678Z",
    "sessionId": "s1",
    "agentId": "a1",
    "version": "2.1.181",
    "cwd": "/home/robin",
    "gitBranch": "main",
    "requestId": "req_1",
    "attachment": {"type": "queued_command", "commandMode": "prompt"},
    "origin": {"kind": "human"},
    "forkedFrom": {"sessionId": "s0", "messageUuid": "m0"},
    "summarizeMetadata": {"direction": "from"},
    "data": {"type": "agent_progress", "agentId": "a1"},
    "parentToolUseID": "t0",
    "customTitle": "c",
    "aiTitle": "a",
    "summary": "s",
    "leafUuid": "l",
    "relocatedCwd": "/r",
    "continuedInSessionId": "s2",
    "message": {
        "id": "m1",
        "model": "claude",
        "stop_reason": "end_turn",
        "content": [
            "bare",
            None,
            {"type": "text", "text": "words"},
            {"type": "tool_use", "id": "t1", "name": "Bash"},
            {"type": "tool_result", "tool_use_id": "t1", "is_error": True},
        ],
        "usage": {
            "input_tokens": 1,
            "cache_creation_input_tokens": 2,
            "cache_read_input_tokens": 3,
            "output_tokens": 4,
        },
    },
}


def test_both_ways_to_a_head_agree() -> None:
    quick, slow = decode_head(json.dumps(WHOLE).encode()), lenient_head(WHOLE)
    assert isinstance(quick.message, MessageHead)
    assert isinstance(quick.message.content, list)
    for block in quick.message.content:
        if isinstance(block, BlockHead):
            block.is_error = bool(block.is_error)
    assert slow == quick


def test_a_field_of_another_type_is_left_out_of_the_lenient_head() -> None:
    odd = {name: 7 for name in WHOLE if name != "type"}
    assert lenient_head({"type": "user", **odd}) == Head(
        type="user",
        isSidechain=False,
        isMeta=False,
        isCompactSummary=False,
        isApiErrorMessage=False,
    )


@pytest.mark.parametrize("kind", [None, 7, ["user"], {}])
def test_without_a_type_there_is_no_record(kind: object) -> None:
    assert lenient_head({"type": kind}) is None
    assert lenient_head({}) is None
    with pytest.raises(DecodeError):
        decode_brief(json.dumps({"type": kind}).encode())


def test_a_parent_that_is_null_is_told_from_none_at_all() -> None:
    for row, parent in (({"parentUuid": None}, None), ({}, UNSET)):
        record = {"type": "user", **row}
        slow = lenient_head(record)
        assert slow is not None
        assert slow.parentUuid is decode_brief(json.dumps(record).encode()).parentUuid is parent


@pytest.mark.parametrize(
    ("usage", "counters"),
    [
        ({"input_tokens": True, "output_tokens": 2.5}, UsageHead()),
        ({"input_tokens": "7", "cache_read_input_tokens": 3}, UsageHead(cache_read_input_tokens=3)),
        ([1], None),
    ],
)
def test_counters_of_other_types_are_unknown(usage: object, counters: UsageHead | None) -> None:
    head = lenient_head({"type": "assistant", "message": {"usage": usage, "content": 5}})
    assert head is not None
    assert head.message == MessageHead(usage=counters)


def test_a_fork_s_zeroed_usage_may_keep_its_details() -> None:
    split = {"ephemeral_5m_input_tokens": 5, "ephemeral_1h_input_tokens": 0}
    for usage, details in (
        ({"input_tokens": 0}, False),
        ({"input_tokens": 0, "cache_creation": split}, True),
        ({"cache_creation": dict.fromkeys(split, 0)}, False),
        ({"cache_creation": 7}, False),
    ):
        line = json.dumps({"type": "assistant", "message": {"usage": usage}}).encode()
        assert splits_up(line) is details
    assert not splits_up(b'{"message": "words"}')
    assert not splits_up(b"")


def test_a_lone_surrogate_becomes_a_character_that_can_be_encoded() -> None:
    head = lenient_head({"type": "user", "cwd": "/a\ud800", "message": "b\udfff"})
    assert head is not None
    assert (head.cwd, head.message) == ("/a\ufffd", "b\ufffd")


def test_a_second_look_survives_what_only_the_first_could_skip() -> None:
    line = b'{"type":"user","uuid":"u1","customTitle":5,"toolUseResult":{"agentId":"a1"}}'
    head = full_head(line)
    assert (head.uuid, head.customTitle) == ("u1", None)
    assert agent_of_result(head) == "a1"


@pytest.mark.parametrize("result", [b"5", b'"x"', b'{"agentId":5}', b"[]", b"{}"])
def test_a_result_without_a_subagent_names_none(result: bytes) -> None:
    assert agent_of_result(Head(type="user", toolUseResult=Raw(result))) is None
    assert agent_of_result(Head(type="user")) is None


def test_an_undecoded_field_gives_its_value() -> None:
    assert undecoded(Raw(b'{"a":[1]}')) == {"a": [1]}
    assert undecoded(ABSENT) is None
