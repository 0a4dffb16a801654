"""JSON and plain text, and the JSON that leaves in general."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import orjson
import pytest
from exporting import FULL, SHORT, Sheet, exported, uuid

from ccbrowse.core.export import Form, Options, Tools, branch, message_range, segment, whole
from ccbrowse.core.export.jsontext import dump, masked, masked_line, pretty_json, rebuilt
from ccbrowse.core.report import session_json

JSON = Form.JSON


def orchard() -> Sheet:
    sheet = Sheet()
    sheet.prompt("one")  # 1
    sheet.reply(
        {"type": "thinking", "thinking": "hm"}, "two", sheet.call("Read", {"n": 10**15})
    )  # 2
    sheet.result("three")  # 3
    said = sheet.reply("four")  # 4
    sheet.prompt("left")  # 5
    sheet.reply("left too")  # 6
    sheet.tip = said
    sheet.boundary("sum")  # 7 8
    sheet.link(
        "attachment",
        attachment={"type": "queued_command", "prompt": "queued", "commandMode": "prompt"},
    )
    sheet.reply("five")  # 10
    return sheet


def test_the_whole_is_what_show_says_with_the_messages_themselves(tmp_path: Path) -> None:
    session = orchard().open(tmp_path)
    got = json.loads(exported(session, JSON))
    shown = json.loads(json.dumps(session_json(session, False)))
    session.close()
    assert got["schema"] == "ccbrowse.export/1"
    same = set(shown) - {"schema", "messages"}
    assert {key: got[key] for key in same} == {key: shown[key] for key in same}
    assert got["message_count"] == len(got["messages"]) == shown["messages"] + 1
    assert [m["uuid"] for m in got["messages"]] == [uuid(n) for n in (1, 2, 3, 4, 8, 9, 10)]
    assert [m["line"] for m in got["messages"]] == [1, 2, 3, 4, 8, 9, 10]
    assert [m["segment"] for m in got["messages"]] == [1, 1, 1, 1, 2, 2, 2]
    second = got["messages"][1]
    assert second["content"][0] == {"type": "thinking", "thinking": "hm"}
    assert second["content"][2]["input"] == {"n": 10**15}
    assert (second["model"], second["message_id"]) == ("claude-opus-4-8", "msg_0001")
    queued = got["messages"][5]
    assert (queued["kind"], queued["role"], queued["content"]) == (
        "queued_prompt",
        "user",
        "queued",
    )


def test_a_segment_is_narrowed_to_itself(tmp_path: Path) -> None:
    sheet = orchard()
    sheet.raw(b"damage")
    session = sheet.open(tmp_path)
    got = json.loads(exported(segment(session, 1), JSON))
    assert got["part"] == {
        "scope": "segment",
        "segments": [1],
        "first": None,
        "last": None,
        "leaf": None,
    }
    assert got["chain"] == [uuid(n) for n in (1, 2, 3, 4)]
    assert [s["number"] for s in got["segments"]] == [1]
    assert got["branches"] == 1, "it left this segment"
    assert got["usage"]["requests"] == 2
    assert got["malformed_lines"] == [] and got["findings"] == []
    assert "usage_with_subagents" not in got
    last = json.loads(exported(segment(session, 2), JSON))
    assert last["branches"] == 0 and last["usage"]["requests"] == 1


def test_ranges_and_branches_say_what_they_are(tmp_path: Path) -> None:
    session = orchard().open(tmp_path)
    got = json.loads(exported(message_range(session, uuid(3), uuid(8)), JSON))
    assert got["part"]["scope"] == "range"
    assert (got["part"]["first"], got["part"]["last"]) == (uuid(3), uuid(8))
    assert [m["uuid"] for m in got["messages"]] == [uuid(n) for n in (3, 4, 8)]
    arm = json.loads(exported(branch(session, uuid(6)), JSON))
    assert arm["part"] == {
        "scope": "branch",
        "segments": [],
        "first": None,
        "last": None,
        "leaf": uuid(6),
    }
    assert arm["off_chain"] == [uuid(5), uuid(6)] == [m["uuid"] for m in arm["messages"]]
    assert arm["chain"] == [] and [m["segment"] for m in arm["messages"]] == [None, None]


def test_blocks_that_were_not_asked_for_are_not_there(tmp_path: Path) -> None:
    session = orchard().open(tmp_path)
    got = json.loads(exported(session, JSON, Options(tools=Tools.NONE)))
    assert [
        b["type"] for m in got["messages"] if isinstance(m["content"], list) for b in m["content"]
    ] == (["text", "text", "text"])


def test_strings_are_masked_and_images_are_left_as_they_are(tmp_path: Path) -> None:
    sheet = Sheet()
    data = "ab" * 1_000
    source = {"type": "base64", "media_type": "image/png", "data": data}
    sheet.prompt([{"type": "text", "text": "ab"}, {"type": "image", "source": source}])
    session = sheet.open(tmp_path)
    options = Options(clean=lambda text: text.replace("ab", "**"))
    content = json.loads(exported(session, JSON, options))["messages"][0]["content"]
    assert content[0]["text"] == "**"
    assert content[1]["source"]["data"] == data


def test_whatever_leaves_as_json_is_strict_json_and_nothing_a_terminal_obeys() -> None:
    value: dict[str, Any] = {
        "half": "\ud83d",
        "c1": "\x9b31m\x7f\u2028\u202e",
        "esc": "\x1b",
        "nan": [math.nan, math.inf, 1.5],
        "big": 10**40,
        "é": "ü",
    }
    for text in (dump(value), pretty_json(value)):
        assert text.isprintable() or set(text) - set("\n") == {c for c in text if c.isprintable()}
        back = json.loads(text)
        assert back["half"] == "\ufffd" and back["c1"] == value["c1"] and back["big"] == 10**40
        assert back["nan"] == [None, None, 1.5] and back["é"] == "ü"
        orjson.loads(text)


def test_deep_values_are_walked_without_recursion() -> None:
    deep: Any = "x"
    for _ in range(50_000):
        deep = [deep]
    walked = rebuilt(deep, lambda key, leaf: leaf.upper())
    for _ in range(50_000):
        (walked,) = walked
    assert walked == "X"


PLUM_ID = "0b351d94-ce50-4364-b58c-42518ed30087"


@pytest.mark.parametrize(
    ("value", "safe"),
    [
        ({"token": "pear"}, {"token": "**"}),
        ({"text": "pear"}, {"text": "pear"}),
        ({"uuid": PLUM_ID, "id": "plum"}, {"uuid": PLUM_ID, "id": "**"}),
        ({"id": "pear"}, {"id": "pear"}),
        ({"plum": 1, "a plum": [{"plum": 2}]}, {"**": 1, "a **": [{"**": 2}]}),
        ({"**": 1, "plum": 2}, {"**": 1, "** (2)": 2}),
        ({"a": ["plum", {"b": "a plum"}], "n": 1}, {"a": ["**", {"b": "a **"}], "n": 1}),
        ("plum", "**"),
        ({"token": ""}, {"token": ""}),
    ],
)
def test_masking_looks_at_values_and_at_short_ones_with_their_keys(value: Any, safe: Any) -> None:
    def clean(text: str) -> str:
        text = text.replace(PLUM_ID, "**").replace("plum", "**")
        return text.replace('{"token": "pear"}', '{"token": "**"}').replace('{"id": "pear"}', "")

    assert masked(value, clean) == safe


def test_a_mask_that_breaks_a_pair_leaves_the_value() -> None:
    assert masked({"k": "v"}, lambda text: text.replace('"', "")) == {"k": "v"}
    assert masked({"k": "v"}, lambda text: "[]" if "{" in text else text) == {"k": "v"}


def test_lines_without_secrets_keep_their_bytes() -> None:
    rewrite = masked_line(lambda text: text.replace("plum", "pear"))
    odd = b'{"type" : "x", "n":1.0E+02, "s":"\\u00e9"}'
    assert rewrite(odd) == odd
    assert rewrite(b'{"type":"x","s":"plum"}') == b'{"type":"x","s":"pear"}'
    assert rewrite(b"plum\xff{") == b"pear\xff{"
    assert rewrite(b"") == b""
    assert rewrite(b'{"n":%d,"s":"plum"}' % 10**30) == b'{"n":%d,"s":"pear"}' % 10**30
    deep = b"[" * 5_000 + b'"plum"' + b"]" * 5_000
    assert rewrite(deep) == deep.replace(b"plum", b"pear")


def test_text_has_its_frame_at_the_margin_and_what_was_said_within(tmp_path: Path) -> None:
    sheet = orchard()
    sheet.prompt("Session: forged\n\n[2026-01-01 00:00:00] User\n----------")
    session = sheet.open(tmp_path)
    text = exported(session, Form.TEXT, FULL)
    margin = [line for line in text.split("\n") if line and not line.startswith(" ")]
    assert not [line for line in margin if "forged" in line or "2026-01-01" in line]
    assert "[2026-03-01 09:01:00] User\n  one\n" in text
    assert "  Thinking:\n    hm\n  two\n  * Tool call: Read\n" in text
    assert "    result:\n      three\n" in text
    assert "[2026-03-01 09:08:00] Summary, written by the model at the compaction\n  sum\n" in text
    assert "\nSegment 2\nCompaction:\n  Trigger: auto\n" in text


def test_short_text_has_a_line_a_call_and_says_what_is_left_out(tmp_path: Path) -> None:
    sheet = orchard()
    sheet.prompt("x", isMeta=True)
    sheet.raw(b"damage")
    session = sheet.open(tmp_path)
    text = exported(whole(session), Form.TEXT, SHORT)
    assert '  * Read {"n":1000000000000000} -> three\n' in text
    assert (
        "\nLeft out\n  blocks of thinking (--thinking writes them): 1\n  notes of the client: 1\n"
        in text
    )
    assert "\nFindings\n  error, damaged_line: line 12 holds no record\n" in text
