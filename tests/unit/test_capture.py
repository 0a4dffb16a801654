"""Captured requests: read whatever they are wrapped in, without what must not be kept; joined, aligned."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from requestrows import Row, Rows, answer, assistant, call, reminder, system, text, user

from ccbrowse.core.capture import (
    NoCapture,
    Presence,
    align,
    join,
    read_capture,
    read_captures,
)

KEY = "sk-ant-" + "api03-" + "x" * 20
MESSAGES = [user("Prune"), assistant(text("The pear?")), user([text("Yes")])]
BODY: Row = {
    "model": "claude-opus-4-8",
    "system": [text("Be brief")],
    "tools": [{"name": "Read"}],
    "metadata": {"user_id": "account-7"},
    "messages": MESSAGES,
}
ANSWER = {"id": "msg_01abc", "type": "message", "content": [text("Pruned.")]}
STREAM = 'event: message_start\ndata: {"message":{"id":"msg_01abc","role":"assistant"}}\n'
HEADERS = [{"name": "x-api-key", "value": KEY}, {"name": "Cookie", "value": "session=" + KEY}]


def har(*bodies: Any) -> Row:
    """A HAR whose entries send these bodies."""
    entries = [
        {
            "request": {
                "method": "POST",
                "url": "https://api.example/v1/messages?key=" + KEY,
                "headers": HEADERS,
                "postData": {"mimeType": "application/json", "text": json.dumps(body)},
            },
            "response": {"content": {"mimeType": "text/event-stream", "text": STREAM}},
        }
        for body in bodies
    ]
    return {"log": {"version": "1.2", "entries": entries}}


def wrote(folder: Path, name: str, value: Any) -> Path:
    path = folder / name
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


@pytest.mark.parametrize(
    "value",
    [
        BODY,
        MESSAGES,
        {"schema": "ccbrowse.payload/1", "messages": MESSAGES, "counts": {}},
        {"request": {"headers": HEADERS, "body": BODY}},
        {"request": {"headers": HEADERS, "body": json.dumps(BODY)}},
        {"request_body": json.dumps(BODY), "response": ANSWER},
        {"kwargs": {"additional_args": {"complete_input_dict": BODY}}},
    ],
)
def test_a_body_is_found_in_what_it_is_wrapped_in(tmp_path: Path, value: Any) -> None:
    found = read_capture(wrote(tmp_path, "before.json", value))
    assert list(found.messages) == MESSAGES


def test_the_size_is_that_of_the_file(tmp_path: Path) -> None:
    path = wrote(tmp_path, "before.json", BODY)
    found = read_capture(path)
    assert (found.body_bytes, found.model, found.reply) == (
        path.stat().st_size,
        BODY["model"],
        None,
    )
    assert found.system_bytes == len(b'[{"type":"text","text":"Be brief"}]')
    assert found.tools_bytes == len(b'[{"name":"Read"}]')


def test_entries_of_a_har_are_numbered_from_one(tmp_path: Path) -> None:
    other = {**BODY, "messages": [user("Other")]}
    path = wrote(tmp_path, "all.har", har({"no": "messages"}, BODY, other))
    found = read_capture(path, 2)
    assert (list(found.messages), found.reply) == (MESSAGES, "msg_01abc")
    assert found.body_bytes == len(json.dumps(BODY))
    assert found.label == f"{path}#2"
    assert [list(each.messages) for each in read_captures(path)] == [MESSAGES, other["messages"]]
    with pytest.raises(NoCapture, match="choose one with #N: 2, 3"):
        read_capture(path)
    with pytest.raises(NoCapture, match="no request body"):
        read_capture(path, 1)
    with pytest.raises(NoCapture, match="it has entries 1 to 3"):
        read_capture(path, 9)


def test_a_har_of_one_request_needs_no_number(tmp_path: Path) -> None:
    found = read_capture(wrote(tmp_path, "one.har", har({"no": "messages"}, BODY)))
    assert list(found.messages) == MESSAGES


def test_a_log_has_a_request_a_line(tmp_path: Path) -> None:
    lines = [{"event": "start"}, {"request": {"body": BODY}, "response": {"body": STREAM}}]
    path = wrote(tmp_path, "log.jsonl", "\n".join(map(json.dumps, lines)) + "\nnot json\n")
    found = read_capture(path)
    assert (found.label, found.reply) == (f"{path}#2", "msg_01abc")
    assert found.body_bytes == len(json.dumps(lines[1]))
    assert read_capture(path, 2) == found


@pytest.mark.parametrize("wrapped", [har(BODY), {"request": {"headers": HEADERS, "body": BODY}}])
def test_nothing_else_of_a_request_is_kept(tmp_path: Path, wrapped: Row) -> None:
    shown = repr(read_capture(wrote(tmp_path, "x.har", wrapped)))
    assert KEY not in shown
    assert "account-7" not in shown
    assert "api.example" not in shown


@pytest.mark.parametrize(
    "value",
    ["", "nonsense", "\x00\x01", "{}", "[]", "7", '{"messages": "none"}', '{"messages": []}',
     '{"messages": [{"role": 5, "content": "x"}]}', '{"log": {"entries": []}}', "[" * 100_000],
)  # fmt: skip
def test_nonsense_is_said_to_be_no_capture(tmp_path: Path, value: str) -> None:
    with pytest.raises(NoCapture, match=r"x\.json"):
        read_capture(wrote(tmp_path, "x.json", value))


def session_rows() -> Rows:
    """A session of two requests; the second goes on from the first."""
    rows = Rows()
    rows.user("Prune")
    rows.reply("msg_01", text("The pear?"))
    rows.user("Yes")
    rows.reply("msg_02", text("Pruned."))
    return rows


@pytest.mark.parametrize(("answered", "by_id"), [("msg_02", True), ("msg_77", False)])
def test_a_capture_finds_its_reply(tmp_path: Path, answered: str, by_id: bool) -> None:
    value = {"request": {"body": BODY}, "response": {"id": answered}}
    found = read_capture(wrote(tmp_path, "x.json", value))
    with session_rows().session(tmp_path) as session:
        joined = join(found, session)
    assert joined is not None
    assert (joined.reply.id, joined.by_id, joined.share) == ("msg_02", by_id, 1.0)


def test_reminders_do_not_keep_a_capture_from_its_reply(tmp_path: Path) -> None:
    noted = [
        user([text(reminder("Today is Monday")), text("Prune")]),
        *MESSAGES[1:],
        system("Note"),
    ]
    found = read_capture(wrote(tmp_path, "x.json", {"messages": noted}))
    with session_rows().session(tmp_path) as session:
        joined = join(found, session)
    assert joined is not None and joined.reply.id == "msg_02"


def test_a_capture_of_another_session_finds_none(tmp_path: Path) -> None:
    other = read_capture(wrote(tmp_path, "x.json", {"messages": [user("Dig"), user("Yes")]}))
    with session_rows().session(tmp_path) as session:
        assert join(other, session) is None


def test_blocks_stand_side_by_side(tmp_path: Path) -> None:
    left = [user([text("Prune\n"), text(reminder("Monday"))]), assistant(call("c1"))]
    right = [user("Prune"), assistant(call("c1")), user([answer("c1", "one")])]
    pairs = align(left, right)
    assert [pair.presence for pair in pairs] == [
        Presence.BOTH,
        Presence.LEFT,
        Presence.BOTH,
        Presence.RIGHT,
    ]
    assert pairs[1].left and pairs[1].left.content == text(reminder("Monday"))
    assert pairs[2].right and (pairs[2].right.message, pairs[2].right.role) == (1, "assistant")
    assert pairs[3].left is None


def test_cache_marks_do_not_keep_blocks_apart() -> None:
    marked = {**text("Prune"), "cache_control": {"type": "ephemeral"}}
    assert [pair.presence for pair in align([user([marked])], [user("Prune")])] == [Presence.BOTH]
