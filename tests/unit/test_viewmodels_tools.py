"""What a tool call says on one line, what came of it, and its diff."""

from __future__ import annotations

from typing import Any

import pytest

from ccbrowse.core.records import Image, Text, ToolCall, ToolResult
from ccbrowse.tui.viewmodels import tools
from ccbrowse.tui.viewmodels.diffs import MOST_LINES, edit_diffs
from ccbrowse.tui.viewtypes import Change


def call(name: str, **known: Any) -> ToolCall:
    return ToolCall("toolu_1", name, known)


def result(text: str, failed: bool = False) -> ToolResult:
    return ToolResult("toolu_1", (Text(text),), failed)


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (call("Read", file_path="/w/src/a.py"), "src/a.py"),
        (call("Read", file_path="/w/src/a.py", offset=10, limit=31), "src/a.py:10–40"),
        (call("Read", file_path="/elsewhere/a.py", offset=10), "/elsewhere/a.py:10"),
        (call("Edit", file_path="/w/a.py", old_string="x", new_string="y"), "a.py"),
        (call("Bash", command="ls -la\n"), "ls -la"),
        (call("Bash", command="cat <<E\nx\nE"), "cat <<E …"),
        (call("Grep", pattern="ttl", path="/w/src"), "“ttl” in src"),
        (call("Grep", pattern="ttl"), "“ttl”"),
        (call("Glob", pattern="**/*.py"), "**/*.py"),
        (call("Task", subagent_type="reviewer", description="Look"), "reviewer: Look"),
        (call("WebFetch", url="https://a.example", prompt="Why?"), "https://a.example"),
        (
            call(
                "TodoWrite",
                todos=[{"status": "completed"}, {"status": "in_progress", "content": "B"}],
            ),
            "1 of 2 done · B",
        ),
        (call("TaskCreate", subject="Write tests", description="All"), "Write tests"),
        (call("TaskUpdate", taskId="4", status="in_progress"), "#4 in progress"),
        (call("AskUserQuestion", questions=[{"question": "Which?"}]), "Which?"),
        (call("mcp__tracker__list", state="open"), '{"state":"open"}'),
        (call("Unknown"), ""),
        (ToolCall("t", "Odd", [1, "two"]), '[1,"two"]'),
        (ToolCall("t", "Odd", None), ""),
        (call("Read", file_path=7), '{"file_path":7}'),
    ],
)
def test_headlines(made: ToolCall, words: str) -> None:
    assert tools.headline(made, "/w") == words


def test_names_of_servers_are_left_out() -> None:
    assert tools.name_of("mcp__tracker__list_issues") == "list_issues"
    assert tools.name_of("Bash") == "Bash"
    assert tools.name_of("") == "tool"


@pytest.mark.parametrize(
    ("made", "given", "words"),
    [
        (call("Read"), result("a\nb\nc"), "3 lines"),
        (call("Grep"), result("a:1:x"), "1 hit"),
        (call("Grep"), result("Found 3 files\na\nb\nc"), "Found 3 files"),
        (call("Grep"), result("No matches found"), "nothing found"),
        (call("Glob"), result("a.py\nb.py"), "2 files"),
        (call("Glob"), result("No files found"), "nothing found"),
        (call("Bash", command="date"), result("2026\n"), "2026"),
        (call("Bash", command="ls"), result("a\nb"), "2 lines"),
        (
            call("Bash", command="pytest -q"),
            result("..\n==== 31 passed in 2s ===="),
            "31 passed in 2s",
        ),
        (call("Bash", command="true"), result(""), ""),
        (call("Bash", command="cat x"), result("Exit code 1\ncat: x: gone", True), "cat: x: gone"),
        (call("Bash", command="make test"), result("Exit code 2\n..\n1 failed", True), "1 failed"),
        (call("Bash", command="exit 3"), result("Exit code 3", True), "Exit code 3"),
        (
            call("Read"),
            result("<tool_use_error>No such file.</tool_use_error>", True),
            "No such file.",
        ),
        (call("Read"), result("", True), "failed"),
        (
            call("Bash", command="cat x"),
            result("<persisted-output>\nOutput too large (59.0KB). Full output saved to: x"),
            "59.0KB in a file",
        ),
        (call("Bash"), result("<persisted-output>\nOutput of 9 characters"), "kept in a file"),
        (call("Edit"), result("The file was changed."), ""),
    ],
)
def test_verdicts(made: ToolCall, given: ToolResult, words: str) -> None:
    assert tools.verdict(made, given) == words


def test_a_result_of_images_says_how_many() -> None:
    shown = ToolResult("t", (Image("image/png", 4, None), Image("image/png", 4, None)), False)
    assert tools.verdict(call("Read"), shown) == "2 images"


def test_edited_lines_come_from_the_patch_or_from_what_was_written() -> None:
    patch = {"structuredPatch": [{"lines": [" a", "-b", "+c", "+d"]}, "odd", {"lines": 7}]}
    assert tools.edited_lines(call("Edit"), patch) == (2, 1)
    assert tools.edited_lines(call("Write", content="a\nb\n"), {"structuredPatch": []}) == (2, 0)
    assert tools.edited_lines(call("Edit", old_string="x"), "Error") is None


def test_a_patch_gives_a_diff_with_the_files_line_numbers() -> None:
    patch = {
        "structuredPatch": [
            {
                "oldStart": 40,
                "newStart": 41,
                "lines": [" same", "-old\x1b[31m", "+new", "\\ No newline"],
            }
        ]
    }
    (block,) = edit_diffs(call("Edit"), patch)
    shown = [(line.change, line.text, line.number) for line in block.lines[1:]]
    assert shown == [
        (Change.SAME, "same", 41),
        (Change.REMOVED, "old", 41),
        (Change.ADDED, "new", 42),
    ]
    assert block.lines[0].change is Change.SKIPPED


def test_texts_are_compared_where_there_is_no_patch() -> None:
    (block,) = edit_diffs(call("Edit", old_string="a\nb\nc", new_string="a\nB\nc"), None)
    assert [(line.change.value, line.text) for line in block.lines] == [
        (" ", "a"),
        ("-", "b"),
        ("+", "B"),
        (" ", "c"),
    ]
    edits = [{"old_string": "x", "new_string": "y"}, "odd", {"old_string": "p", "new_string": "q"}]
    assert len(edit_diffs(call("MultiEdit", edits=edits), None)) == 2
    (block,) = edit_diffs(call("Write", content="one\ntwo"), {})
    assert [(line.change, line.number) for line in block.lines] == [
        (Change.ADDED, 1),
        (Change.ADDED, 2),
    ]
    assert edit_diffs(call("Bash", command="ls"), None) == []


def test_long_diffs_are_cut_and_say_so() -> None:
    (block,) = edit_diffs(call("Write", content="x\n" * (MOST_LINES + 50)), None)
    assert len(block.lines) == MOST_LINES
    assert block.cut
    (block,) = edit_diffs(call("Edit", old_string="a\n" * 3_000, new_string="b\n" * 10), None)
    assert {line.change for line in block.lines} == {Change.ADDED, Change.REMOVED}
