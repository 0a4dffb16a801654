"""Lines that are not quite JSON: what is read of them, and how it had to be read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ccbrowse.core.errors import BadLine
from ccbrowse.core.records import Oddity, decode, decode_odd
from ccbrowse.core.records.repair import MAX_DEPTH, MAX_SALVAGE, is_utf8

USER = b'{"type":"user","uuid":"u1","sessionId":"s","parentUuid":null}'


def test_a_healthy_line_is_decoded_whole() -> None:
    assert decode(USER) == json.loads(USER)


@pytest.mark.parametrize(
    ("line", "value"),
    [
        (b'{"a":"\\ud83d"}', {"a": "\ud83d"}),
        (b'\xef\xbb\xbf{"a":1}', {"a": 1}),
        (b'{"a":123456789012345678901234567890}', {"a": 123456789012345678901234567890}),
        (b'  {"a":1}\r', {"a": 1}),
        (b'{"a":"tab\there"}', {"a": "tab\there"}),
        (b'\0\0{"a":1}\0', {"a": 1}),
        (b'{"a":"\xff"}', {"a": "\ufffd"}),
    ],
    ids=["surrogate", "bom", "big", "blanks", "control", "nul", "utf8"],
)
def test_what_a_strict_decoder_refuses_is_decoded(line: bytes, value: dict[str, Any]) -> None:
    assert decode(line) == value


@pytest.mark.parametrize("line", [b"", b"{", b"[1]", b'"x"', b"3", b"null", b"{} {}", b"\0"])
def test_a_line_that_holds_no_record_is_bad(line: bytes) -> None:
    with pytest.raises(BadLine, match=r"holds no record|not JSON"):
        decode(line)


@pytest.mark.parametrize(
    ("line", "oddity"),
    [
        (b'{"type":"user","a":NaN}', Oddity.NOT_STRICT),
        (b'{"type":"user","a":"\t"}', Oddity.NOT_STRICT),
        (b'{"type":"user","a":"\\udc00"}', None),
        (b'{"type":"user","a":1234567890123456789012}', None),
        (b'{"type":"user","a":"\xc3"}', Oddity.INVALID_UTF8),
        (b'\0{"type":"user"}', Oddity.NUL_BYTES),
        (b'\xef\xbb\xbf{"type":"user"}', None),
        (b'{"type":"user","a":' + b"[" * 5000 + b"]" * 5000 + b"}", Oddity.TOO_DEEP),
        (b'{"type":"us' + USER, Oddity.SALVAGED),
    ],
    ids=["nan", "control", "surrogate", "big", "utf8", "nul", "bom", "deep", "salvaged"],
)
def test_how_a_line_had_to_be_read_is_told(line: bytes, oddity: Oddity | None) -> None:
    found, told = decode_odd(line)
    assert told == oddity
    assert [record["type"] for record in found] == ["user"]


@pytest.mark.parametrize("line", [b"", b"{", b"[1]", b"nothing at all", b'{"type":"user"'])
def test_of_a_lost_line_nothing_is_found(line: bytes) -> None:
    assert decode_odd(line) == ([], None)


def test_deep_nesting_is_cut_and_what_stands_around_it_stays() -> None:
    deep: bytes = b'{"deep":' + b'{"a":[' * 3000 + b'"]}\\""' + b"]}" * 3000
    record = decode(deep + b',"after":"}]"}')
    assert record["after"] == "}]"
    value, depth = record["deep"], 1
    while not isinstance(value, str):
        value = value["a"] if isinstance(value, dict) else value[0]
        depth += 1
    assert value == "(nested too deep)"
    assert depth == MAX_DEPTH


def test_nesting_that_can_be_kept_is_kept() -> None:
    line = b'{"a":' + b"[" * 150 + b"]" * 150 + b"}"
    assert decode(line) == json.loads(line)


def test_deep_nesting_in_a_broken_line_is_a_bad_line() -> None:
    with pytest.raises(BadLine):
        decode(b"[" * 100_000)
    assert decode_odd(b'{"a":' * 20_000) == ([], None)


def test_whole_records_are_found_inside_a_damaged_line_in_order() -> None:
    other = USER.replace(b"u1", b"u2")
    found, oddity = decode_odd(b'{"type":"assi' + USER + b"garbage" + other + b'{"type":"us')
    assert [record["uuid"] for record in found] == ["u1", "u2"]
    assert oddity is Oddity.SALVAGED


def test_an_object_that_is_no_record_is_not_taken_for_one() -> None:
    assert decode_odd(b'{"broken" {"type":"text","text":"x"}') == ([], None)
    assert decode_odd(b'{"broken" {"type":7,"sessionId":"s"}') == ([], None)


def test_a_search_in_a_damaged_line_ends() -> None:
    assert decode_odd(b'{"' * 1000 + USER) == ([], None)
    assert decode_odd(b'{"x' + b" " * MAX_SALVAGE + USER) == ([], None)


def test_utf8_is_told_from_other_bytes() -> None:
    for line, good in (
        (b"plain", True),
        ("hä".encode(), True),
        (b"\xff", False),
        (b"\xed\xa0\x80", False),
        (b"", True),
    ):
        assert is_utf8(line, 0, len(line)) is good
        assert is_utf8(b"\xff" + line + b"\xff", 1, 1 + len(line)) is good


@pytest.mark.parametrize("before", range(4090, 4100))
def test_a_character_may_lie_across_the_pieces_that_are_looked_at(before: int) -> None:
    whole = b"x" * before + "€".encode() + b"x" * 9000
    assert is_utf8(whole, 0, len(whole))
    for cut in (1, 2):
        # A character that is cut off stays so, though the rest of another one follows further on.
        line = whole[: before + cut] + b"x" * 9000 + "€".encode()[cut:] + b"x" * 9000
        assert not is_utf8(line, 0, len(line))
