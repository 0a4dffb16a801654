"""A tool call in full: each tool's input and outcome in its own form, and kept outputs from their folder."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from builders import SessionBuilder, Workspace, finish, written
from laying import lines_of, told

from ccbrowse.core.kept import Kept, kept_name, read_kept
from ccbrowse.core.locate import session_file
from ccbrowse.core.records import Image, Other, Part, Text, ToolCall, ToolResult
from ccbrowse.core.session import Session
from ccbrowse.tui.reader.session import Reading
from ccbrowse.tui.viewmodels.answers import Answer
from ccbrowse.tui.viewmodels.inputs import input_blocks
from ccbrowse.tui.viewmodels.lore import Lore
from ccbrowse.tui.viewmodels.results import result_blocks
from ccbrowse.tui.viewmodels.source import SessionRows
from ccbrowse.tui.viewtypes import CodeBlock, Entry, Role, Tone


def answer(
    name: str,
    given: dict[str, Any],
    *parts: Part | str,
    extra: object = None,
    failed: bool = False,
    lore: Lore | None = None,
) -> Answer:
    """A call with its result."""
    whole = tuple(Text(part) if isinstance(part, str) else part for part in parts)
    result = ToolResult("t1", whole, failed)
    return Answer(ToolCall("t1", name, given), result, extra, "/home/robin/api", lore or Lore())


def outcome(name: str, given: dict[str, Any], *parts: Part | str, **more: Any) -> list[str]:
    """What is said of a result."""
    return told(result_blocks(answer(name, given, *parts, **more)))


def test_a_command_has_its_exit_and_its_streams_apart() -> None:
    streams = {"stdout": "built\n", "stderr": "old flag\n", "interrupted": False, "isImage": False}
    assert outcome("Bash", {"command": "make"}, "built\nold flag", extra=streams) == [
        "exit  success", "stdout", "built", "stderr", "old flag",
    ]  # fmt: skip
    note = {**streams, "stdout": "", "stderr": "", "returnCodeInterpretation": "No matches found"}
    said = outcome("Bash", {"command": "grep x"}, extra=note)
    assert said == ["exit  success (No matches found)", "result", "(no output)"]
    stopped = {**streams, "interrupted": True}
    assert outcome("Bash", {"command": "sleep"}, "built", extra=stopped)[0] == "exit  interrupted"


def test_a_failed_command_names_its_exit_code() -> None:
    said = outcome("Bash", {"command": "make"}, "Exit code 2\nno rule", extra="Error", failed=True)
    assert said == ["exit  2", "stdout and stderr, as they came", "no rule"]
    said = outcome("Edit", {}, "<tool_use_error>Not found.</tool_use_error>", failed=True)
    assert said == ["failed", "Not found."]


def test_a_refusal_tells_the_persons_reason() -> None:
    words = "The user doesn't want to proceed with this tool use. To tell you how, the user said:\nNot now"
    assert outcome("Bash", {"command": "rm"}, words, failed=True) == ["you refused it", "Not now"]


def test_colours_of_a_command_are_tones_and_nothing_else_of_it_is_left() -> None:
    raw = "\x1b[31mFAILED\x1b[0m a\n\x1b[1;32mok\x1b[m\x1b[2J \x1b]0;title\x07end"
    made = answer("Bash", {"command": "t"}, "x", extra={"stdout": raw, "stderr": ""})
    laid = lines_of(result_blocks(made))
    toned = [
        (piece.text, piece.tone) for each in laid for piece in each if piece.tone is not Tone.MUTED
    ]
    assert ("FAILED", Tone.BAD) in toned and ("ok", Tone.GOOD) in toned
    assert (" end", Tone.PLAIN) in toned


def test_a_file_is_read_with_its_range_and_numbers() -> None:
    text = "    12→x = 1\n    13→\n    14→y = 2\n\n<system-reminder>\nMind it.\n</system-reminder>"
    file = {"file": {"startLine": 12, "numLines": 3, "totalLines": 90}, "type": "text"}
    made = list(result_blocks(answer("Read", {"file_path": "a.py"}, text, extra=file)))
    said = told(made)
    assert said[0] == "lines  12–14 of 90"
    assert said[1:4] == ["12  x = 1", "13", "14  y = 2"]
    assert "written by the client" in said[4] and "Mind it." in said[6]
    (code,) = [block for block in made if isinstance(block, CodeBlock)]
    assert (code.language, code.first_line) == ("python", 12)
    assert outcome("Read", {"file_path": "a"}, "not numbered")[-1] == "not numbered"


def test_an_image_stands_as_its_type_and_size() -> None:
    file = {"file": {"dimensions": {"originalWidth": 64, "originalHeight": 48}}, "type": "image"}
    said = outcome("Read", {"file_path": "a.png"}, Image("image/png", 1_234, "AA=="), extra=file)
    assert said == ["picture  64 × 48 pixels", "[image/png, 1,234 bytes]"]


def test_hits_stand_under_their_files() -> None:
    text = "/home/robin/api/a.py:3:x = 1\n/home/robin/api/a.py:9:x = 2\n/home/robin/api/b.py:1:x"
    said = outcome("Grep", {"pattern": "x"}, text, extra={"mode": "content", "filenames": []})
    assert said == ["3 lines", "a.py", "     3  x = 1", "     9  x = 2", "b.py", "     1  x"]
    names = {"mode": "files_with_matches", "filenames": ["/home/robin/api/a.py", "/else/b.py"]}
    assert outcome("Grep", {}, "a\nb", extra=names) == ["2 files", "· a.py", "· /else/b.py"]
    assert outcome("Grep", {}, "No matches found")[-1] == "No matches found"


def test_files_found_are_a_list_and_say_whether_there_were_more() -> None:
    extra = {"filenames": ["/home/robin/api/src/a.py"], "numFiles": 1, "truncated": True}
    assert outcome("Glob", {"pattern": "*"}, "x", extra=extra) == [
        "1 file (there were more)", "· src/a.py",
    ]  # fmt: skip


def test_a_list_of_tasks_shows_states_and_what_changed() -> None:
    old = [
        {"content": "Read", "status": "in_progress"},
        {"content": "Write", "status": "pending"},
        {"content": "Wait", "status": "pending"},
    ]
    new = [
        {"content": "Read", "status": "completed"},
        {"content": "Write", "status": "pending"},
        {"content": "Test", "status": "in_progress"},
    ]
    said = outcome("TodoWrite", {"todos": new}, "ok", extra={"oldTodos": old, "newTodos": new})
    assert said == [
        "✓ Read  was in progress", "○ Write", "● Test  new", "– Wait  taken off",
    ]  # fmt: skip
    waiting = told(input_blocks(ToolCall("t", "TodoWrite", {"todos": new}), Lore()))
    assert waiting == ["✓ Read", "○ Write", "● Test"]


def test_pages_found_are_titles_with_addresses() -> None:
    page = {"title": "A title", "url": "https://a.example/x"}
    extra = {"query": "q", "results": [{"tool_use_id": "s", "content": [page]}, "In short."]}
    said = outcome("WebSearch", {"query": "q"}, "Links: …", extra=extra)
    assert said == ["1 page", "· A title", "  https://a.example/x", "In short."]
    served = Other("web_search_result", {"type": "web_search_result", **page})
    assert outcome("web_search", {"query": "q"}, served)[1:] == [
        "· A title",
        "  https://a.example/x",
    ]


def test_a_page_fetched_tells_the_servers_answer() -> None:
    extra = {"code": 200, "codeText": "OK", "bytes": 48_213, "durationMs": 1_840, "url": "u"}
    said = outcome("WebFetch", {"url": "u"}, "Because.", extra=extra)
    assert said == ["answer  200 OK", "size    48.2 kB", "took    1.8 s", "result", "Because."]


def test_a_subagents_report_stands_with_what_it_took() -> None:
    extra = {
        "agentId": "a7",
        "status": "completed",
        "totalDurationMs": 61_000,
        "totalToolUseCount": 4,
    }
    said = outcome("Agent", {"prompt": "Look"}, "Nothing there.", extra=extra)
    assert said[:4] == ["agent      a7", "status     completed", "took       61 s", "tool uses  4"]
    assert said[4:] == ["report", "Nothing there."]
    given = {"subagent_type": "Explore", "description": "Look", "prompt": "Look well", "name": "ada",
             "team_name": "reviewers", "run_in_background": True}  # fmt: skip
    asked = told(input_blocks(ToolCall("t", "Agent", given), Lore()))
    assert asked == [
        "type  Explore", "name  ada", "team  reviewers", "task  Look", "runs  in the background",
        "prompt", "Look well",
    ]  # fmt: skip


def test_questions_plans_and_answers() -> None:
    options = [{"label": "Both", "description": "all of it"}, {"label": "None"}]
    given = {"questions": [{"question": "Which?", "options": options}]}
    asked = told(input_blocks(ToolCall("t", "AskUserQuestion", given), Lore()))
    assert asked == ["? Which?", "  · Both  all of it", "  · None"]
    said = outcome("AskUserQuestion", given, "x", extra={"answers": {"Which?": "Both"}})
    assert said == ["you answered", "Which?", "› Both"]
    plan = told(input_blocks(ToolCall("t", "ExitPlanMode", {"plan": "# Do\n- it"}), Lore()))
    assert plan == ["plan", "# Do", "- it"]
    rendered = told(
        input_blocks(ToolCall("t", "ExitPlanMode", {"plan": "# Do\n- it"}), Lore(rendered=True))
    )
    assert rendered == ["plan", "Do", "• it"]
    assert outcome("ExitPlanMode", {}, "User has approved") == ["you agreed to the plan"]


def test_any_other_call_says_what_it_was_given_and_what_came() -> None:
    given = {"command": ["a", "b"], "depth": 2, "message": "long " * 20}
    asked = told(input_blocks(ToolCall("t", "mcp__x__y", given), Lore()), 200)
    assert asked == [("long " * 20).strip(), 'command  ["a","b"]', "depth    2"]
    assert outcome("mcp__x__y", given, "done") == ["result", "done"]
    assert outcome("mcp__x__y", given) == ["result", "(no output)"]
    assert told(input_blocks(ToolCall("t", "odd", ["x"]), Lore()))[1:-1] == ['  "x"']


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """A session with one kept output beside it."""
    path = tmp_path / "projects" / "-a" / "0a.jsonl"
    folder = path.with_suffix("") / "tool-results"
    folder.mkdir(parents=True)
    path.write_bytes(b"{}\n")
    (folder / "big.txt").write_text("all of it\nto the end\n")
    return path


KEPT = "<persisted-output>\nOutput too large (59.0KB). Full output saved to: {}\n\nPreview:\nall\n"


def test_a_kept_output_is_read_from_the_sessions_own_folder(session: Path) -> None:
    lore = Lore(kept=partial(read_kept, session_file(session)))
    where = "/home/robin/.claude/projects/-a/0a/tool-results/big.txt"
    said = outcome("Bash", {"command": "x"}, KEPT.format(where), lore=lore)
    assert said[:2] == [
        "kept in  tool-results/big.txt, 21 B",
        "whole output, from the session's folder",
    ]
    assert said[2:5] == ["all of it", "to the end", "what the model got of it"]
    gone = outcome("Bash", {"command": "x"}, KEPT.format("/else/other.txt"), lore=lore)
    assert gone[0] == "kept in  tool-results/other.txt, not in the session's folder"
    child = session.with_suffix("") / "subagents" / "agent-a7.jsonl"
    child.parent.mkdir()
    child.write_bytes(b"{}\n")
    assert read_kept(session_file(child), "big.txt", 100).content == "all of it\nto the end\n"


def test_a_pager_gets_the_kept_output_whole_and_the_record_where_that_is_shown(
    tmp_path: Path,
) -> None:
    b = SessionBuilder("2.1.332", seed="kept")
    space = Workspace(b.cwd, b.era, {})
    b.prompt("Log")
    long = "\n".join(f"row {number}" for number in range(9_000))
    b.work(b.long_output(space.bash("cat log", long), long))
    finish(b, say="Long.")
    read = Session.open(written(b, tmp_path / "projects"))
    reading = Reading(read)
    news = reading.first()
    assert news.step is not None
    lore = Lore(kept=partial(read_kept, read.file))
    rows = SessionRows(read, news.step.items, lore)
    made = [rows.row(number) for number in range(len(rows))]
    (bash,) = [row for row in made if isinstance(row, Entry) and row.role is Role.TOOL]
    assert "kept in a file" in f"{bash.text} {''.join(piece.text for piece in bash.facts)}"
    assert rows.text(bash.key).endswith("row 8998\nrow 8999")
    view = rows.detail(bash.key)
    assert view is not None and "row 8999" in told(view.blocks)
    lore.raw = True
    assert '"tool_use_id"' in rows.text(bash.key)
    raw = rows.detail(bash.key)
    assert raw is not None and any('"tool_use_id"' in words for words in told(raw.blocks, 200))
    read.close()


@pytest.mark.parametrize(
    "path",
    ["/etc/passwd", "../../../secret.txt", "..", ".", "", "a\0b", "link.txt", "C:\\x\\secret.txt"],
)
def test_no_other_file_is_read_whatever_a_record_says(session: Path, path: str) -> None:
    secret = session.parent / "secret.txt"
    secret.write_text("secret")
    (session.with_suffix("") / "tool-results" / "link.txt").symlink_to(secret)
    name = kept_name("", {"persistedOutputPath": path})
    if name is not None:
        assert read_kept(session_file(session), name, 100).content is None
    assert read_kept(session_file(session), path, 100) == Kept(path, 0, None)


def test_no_folder_of_outputs_elsewhere_is_followed(session: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    other.write_bytes(b"{}\n")
    other.with_suffix("").mkdir()
    (other.with_suffix("") / "tool-results").symlink_to(session.with_suffix("") / "tool-results")
    assert read_kept(session_file(other), "big.txt", 100).content is None


@pytest.mark.parametrize(
    "value", [None, 1, "text", [1], {"file": 3}, {"newTodos": "x", "answers": 2}]
)
@pytest.mark.parametrize(
    "name", ["Bash", "Read", "Grep", "Glob", "TodoWrite", "WebSearch", "WebFetch", "Task", "AskUserQuestion",
             "ExitPlanMode", "Edit", ""],
)  # fmt: skip
def test_odd_copies_of_results_are_shown_all_the_same(name: str, value: object) -> None:
    made = answer(name, {"todos": value, "questions": value}, "words", extra=value)
    assert list(result_blocks(made)) or name == "TodoWrite"
    list(input_blocks(made.call, Lore()))
    json.dumps(value)
