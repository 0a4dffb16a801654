"""Contents of messages as blocks, whatever shape the client gave them."""

from __future__ import annotations

import pytest

from ccbrowse.core.records import (
    Block,
    CompactFacts,
    Image,
    Other,
    Part,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    blocks,
    compact_facts,
    queued_blocks,
)
from ccbrowse.core.texts import compact_json, image_note, model_texts, part_text

PNG = {"type": "base64", "media_type": "image/png", "data": "aGVsbG8="}


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ("words", (Text("words"),)),
        (None, ()),
        ([], ()),
        (7, (Other("unknown", 7),)),
        (["bare", None], (Text("bare"),)),
        ({"type": "text", "text": "alone"}, (Text("alone"),)),
        ([{"type": "text"}], (Text(""),)),
        ([{"type": "text", "text": 7}], (Text(""),)),
        ([{"type": "thinking", "thinking": "hm", "signature": "x"}], (Thinking("hm"),)),
        ([{"type": "redacted_thinking", "data": "x"}], (Thinking(""),)),
        (
            [{"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls"}}],
            (ToolCall("t1", "Bash", {"command": "ls"}),),
        ),
        ([{"type": "server_tool_use", "input": "x"}], (ToolCall("", "", "x"),)),
        ([{"type": "mcp_tool_use", "id": 5, "name": None}], (ToolCall("", "", None),)),
        ([{"type": "new", "a": 1}], (Other("new", {"type": "new", "a": 1}),)),
        ([{"no": "type"}], (Other("unknown", {"no": "type"}),)),
        ([{"type": "image", "source": PNG}], (Image("image/png", 5, "aGVsbG8="),)),
        ([{"type": "document"}], (Image("document", 0, None),)),
        ([{"type": "image", "source": {"type": "url", "url": "x"}}], (Image("image", 0, None),)),
    ],
)  # fmt: skip
def test_any_content_is_blocks(content: object, found: tuple[Block, ...]) -> None:
    assert blocks({"message": {"content": content}}) == found


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        ("out", (Text("out"),)),
        (None, ()),
        ([{"type": "text", "text": "a"}, {"type": "image", "source": PNG}],
         (Text("a"), Image("image/png", 5, "aGVsbG8="))),
        ([{"type": "tool_reference", "tool_name": "x"}],
         (Other("tool_reference", {"type": "tool_reference", "tool_name": "x"}),)),
        ([{"type": "tool_use", "id": "t2"}], ()),
    ],
)  # fmt: skip
def test_a_result_has_parts(content: object, parts: tuple[Part, ...]) -> None:
    for kind in ("tool_result", "web_search_tool_result"):
        block = {"type": kind, "tool_use_id": "t1", "content": content, "is_error": True}
        assert blocks({"message": {"content": [block]}}) == (ToolResult("t1", parts, True),)


def test_only_true_makes_a_result_an_error() -> None:
    block = {"type": "tool_result", "content": "x", "is_error": "yes"}
    assert blocks({"message": {"content": [block]}}) == (ToolResult("", (Text("x"),), False),)


@pytest.mark.parametrize("record", [{}, {"message": None}, {"message": {}}])
def test_a_record_without_content_has_no_blocks(record: dict[str, object]) -> None:
    assert blocks(record) == ()


def test_a_message_may_be_its_own_content() -> None:
    assert blocks({"message": "words"}) == (Text("words"),)


def test_a_queued_prompt_is_blocks_too() -> None:
    assert queued_blocks({"attachment": {"prompt": "words"}}) == (Text("words"),)
    assert queued_blocks({"attachment": {"prompt": [{"type": "text", "text": "a"}]}}) == (
        Text("a"),
    )
    assert (
        queued_blocks({"attachment": {}})
        == queued_blocks({"attachment": []})
        == queued_blocks({})
        == ()
    )


def test_the_texts_of_a_record_are_what_a_model_reads() -> None:
    content = [
        {"type": "text", "text": "Look"},
        {"type": "thinking", "thinking": "hm"},
        {"type": "tool_use", "id": "t", "name": "Read", "input": {"path": "ä", "n": 1}},
        {"type": "tool_result", "content": [{"type": "text", "text": "out"}, {"type": "image"}]},
        {"type": "image", "source": PNG},
    ]
    found = list(model_texts({"type": "assistant", "message": {"content": content}}))
    assert found == ["Look", "hm", "Read", '{"path":"ä","n":1}', "out"]


def test_the_text_of_an_attachment_is_its_prompt() -> None:
    about = {"type": "queued_command", "prompt": "And?"}
    assert list(model_texts({"type": "attachment", "attachment": about})) == ["And?"]
    assert list(model_texts({"type": "attachment", "attachment": None})) == []
    assert list(model_texts({"type": "attachment", "attachment": {"type": "date"}})) == []


def test_parts_in_words() -> None:
    assert part_text(Text("a")) == "a"
    assert part_text(Image("image/png", 12_345, None)) == "[image/png, 12,345 bytes]"
    assert image_note(Image("", 0, None)) == "[image]"
    assert part_text(Other("x", {"a": [1]})) == '{"a":[1]}'


def test_any_value_is_json_on_one_line_or_what_python_calls_it() -> None:
    loop: list[object] = []
    loop.append(loop)
    assert compact_json("as it is") == "as it is"
    assert compact_json(None) == "null"
    assert compact_json(loop) == "[[...]]"


def test_facts_of_a_boundary_in_both_spellings() -> None:
    facts = compact_facts(
        {
            "trigger": "manual",
            "pre_tokens": 100,
            "post_tokens": 10.0,
            "duration_ms": 5,
            "cumulativeDroppedTokens": 90,
            "messagesSummarized": 7,
            "preservedSegment": {"headUuid": "h", "tailUuid": "t", "anchorUuid": "a"},
        }
    )
    assert facts == CompactFacts("manual", 100, 10, 5, 90, 7, (), "h", "t", "a", facts.raw)


def test_kept_messages_bound_themselves_where_no_segment_does() -> None:
    facts = compact_facts({"preservedMessages": {"uuids": ["a", 5, "b"], "anchorUuid": "s"}})
    assert (facts.kept, facts.head, facts.tail, facts.anchor) == (("a", "b"), "a", "b", "s")


@pytest.mark.parametrize("value", [True, "9", None, float("nan"), float("inf"), 1 << 70, -1e30])
def test_a_count_that_cannot_be_one_is_unknown(value: object) -> None:
    assert compact_facts({"preTokens": value}).pre_tokens is None
