"""Tool calls in words: main arguments, outcomes, inputs as sheets; and the rarer rows of a session."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from exporting import FULL, SHORT, Sheet, exported

from ccbrowse.core.export import Form, segment
from ccbrowse.core.export.calls import (
    Sheet as TextSheet,
)
from ccbrowse.core.export.calls import diff, headline, input_sheets, language_of, outcome
from ccbrowse.core.records import Image, Text, ToolCall, ToolResult


def sheets(given: Any, name: str = "Any") -> list[tuple[str, str, str]]:
    return [(s.label, s.language, s.text) for s in input_sheets(ToolCall("1", name, given), FULL)]


@pytest.mark.parametrize(
    ("given", "cwd", "words"),
    [
        ({"file_path": "/a/b/c.py"}, "/a/b", "c.py"),
        ({"file_path": "/a/b/c.py"}, "/a/b/", "c.py"),
        ({"file_path": "/a/bc.py"}, "/a/b", "/a/bc.py"),
        ({"path": "C:\\a\\b.py"}, "C:\\a", "b.py"),
        ({"command": " ls ", "description": "list"}, "", "ls"),
        ({"unheard": [1]}, "", '{"unheard":[1]}'),
        ({"command": 5}, "", '{"command":5}'),
        ({}, "", ""),
        (None, "", ""),
        ("words", "", "words"),
        ([1, 2], "", "[1,2]"),
    ],
)
def test_a_headline_is_the_main_argument(given: Any, cwd: str, words: str) -> None:
    assert headline(ToolCall("1", "X", given), cwd) == words


@pytest.mark.parametrize(
    ("parts", "failed", "words"),
    [
        ((), False, "no output"),
        ((Text("  \n"),), False, "no output"),
        ((Text("one line\n"),), False, "one line"),
        ((Text("a\nb"), Text("c")), False, "3 lines"),
        ((Text("<tool_use_error>not there</tool_use_error>"),), True, "failed: not there"),
        ((), True, "failed: no words"),
        ((Image("image/png", 1_234, None),), False, "image/png, 1,234 bytes"),
    ],
)
def test_an_outcome_is_a_line_or_how_many(parts: Any, failed: bool, words: str) -> None:
    assert outcome(ToolResult("1", parts, failed), SHORT).strip("[]") == words


def test_inputs_are_sheets_of_what_they_are() -> None:
    assert sheets({"command": "ls", "timeout": 5}) == [
        ("command", "bash", "ls"),
        ("input", "json", '{\n  "timeout": 5\n}'),
    ]
    assert sheets({"file_path": "a/b.py", "content": "x = 1\n"}) == [
        ("input", "json", '{\n  "file_path": "a/b.py"\n}'),
        ("content", "python", "x = 1\n"),
    ]
    assert sheets({"prompt": "one\ntwo"}) == [("prompt", "markdown", "one\ntwo")]
    assert sheets([1]) == [("input", "json", "[\n  1\n]")]
    assert sheets(None) == sheets({}) == sheets("") == []


def test_edits_are_diffs_unless_they_are_odd() -> None:
    edits = [{"old_string": "a", "new_string": "b"}, {"old_string": "", "new_string": "c"}]
    got = sheets({"file_path": "x", "edits": edits})
    assert [label for label, _, _ in got] == ["input", "edit", "edit"]
    assert got[1] == ("edit", "diff", "@@ -1 +1 @@\n-a\n+b")
    odd = sheets({"edits": [*edits, "?"]})
    assert [label for label, _, _ in odd] == ["input"]
    assert sheets({"edits": "?"})[0][0] == "input"
    assert sheets({"old_string": 1, "new_string": "b"})[0][0] == "input"


def test_a_long_edit_is_all_old_lines_then_all_new_ones() -> None:
    old, new = (["same", *f"{side}\n".join(map(str, range(300))).split("\n")] for side in "ab")
    lines = diff("\n".join(old), "\n".join(new)).split("\n")
    assert lines == [f"-{line}" for line in old] + [f"+{line}" for line in new]
    assert diff("a", "a") == ""


@pytest.mark.parametrize(
    ("path", "name"),
    [("a.py", "python"), ("A.RS", "rust"), ("a", ""), ("a.zz", ""), (".ts", "typescript")],
)
def test_the_language_is_that_of_the_name(path: str, name: str) -> None:
    assert language_of(path) == name


def test_a_masked_secret_is_masked_in_a_diff_and_before_a_cut() -> None:
    options = type(FULL)(clean=lambda text: text.replace("hunter2\nhunter3", "[masked]"))
    given = {"old_string": "hunter2\nhunter3\nx", "new_string": "y"}
    (sheet,) = input_sheets(ToolCall("1", "Edit", given), options)
    assert sheet == TextSheet("edit", "diff", "@@ -1,2 +1 @@\n-[masked]\n-x\n+y")


def test_tools_of_the_server_and_micro_compactions_are_told(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.prompt("Look it up")
    found = {
        "type": "web_search_tool_result",
        "tool_use_id": "srv_1",
        "content": [{"type": "text", "text": "pears"}],
    }
    call = {
        "type": "server_tool_use",
        "id": "srv_1",
        "name": "web_search",
        "input": {"query": "fruit"},
    }
    sheet.reply(call, found, found | {"tool_use_id": "lost", "content": "plums"}, "Fruit.")
    facts = {"tokensSaved": 1_200, "compactedToolIds": ["a", "b"]}
    sheet.link("system", subtype="microcompact_boundary", microcompactMetadata=facts)
    sheet.reply("On.")
    session = sheet.open(tmp_path)
    short = exported(session, Form.MARKDOWN, SHORT)
    assert "- **web\\_search** `fruit` → pears\n" in short
    assert "- A result of a tool that the server ran → plums\n" in short
    assert short.count("pears") == 1
    assert "emptied for the model, 2 of them, 1,200 tokens saved. They are whole here." in short
    assert "pears" in exported(session, Form.HTML, FULL)


def test_a_subagent_is_exported_as_a_session_of_its_own(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.prompt("Ask a helper")
    path = sheet.write(tmp_path)
    helper = Sheet()
    helper.prompt("Count", isSidechain=True, agentId="abc1234")
    helper.reply("Four.", isSidechain=True, agentId="abc1234")
    folder = path.with_suffix("") / "subagents"
    folder.mkdir(parents=True)
    (folder / "agent-abc1234.jsonl").write_bytes(b"\n".join(helper.lines) + b"\n")
    agent = sheet.open(tmp_path).open_subagent("abc1234")
    text = exported(segment(agent), Form.MARKDOWN, SHORT)
    assert 'subagent: "abc1234"' in text and "> Four." in text
