"""`ccbrowse search`: its objects, its text, its exits, and what it makes of a query."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import lossy
import pytest
from builders import START, Call, Say, SessionBuilder, finish, turn

from ccbrowse.tui.cli import main

KEYS = {
    *("schema", "session_id", "file", "uuid", "segment", "line", "field", "snippet"),
    *("on_main_line", "agent_id"),
}


class Done:
    """How a command ended, and what it said."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def objects(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]


class Runner:
    """Runs `ccbrowse search` in this process, below one root."""

    def __init__(self, root: Path, capture: pytest.CaptureFixture[str]) -> None:
        self.root, self.capture = root, capture

    def __call__(self, *words: str | Path) -> Done:
        with pytest.raises(SystemExit) as end:
            main(["search", *map(str, words), "--root", str(self.root)])
        assert isinstance(end.value.code, int)
        out, err = self.capture.readouterr()
        return Done(end.value.code, out, err)


@pytest.fixture
def two(tmp_path: Path) -> list[Path]:
    """Two sessions, the older one compacted, with a subagent."""
    root = tmp_path / "projects"
    old = SessionBuilder("2.1.181", seed="old", cwd="/home/robin/acme/web")
    turn(old, "Count the voles [all]", say="There are 3 voles: \x1b[31mred\x1b[0m.")
    old.compact("Voles were counted.", trigger="manual")
    old.prompt("Ask a helper")
    old.subagent("Help", "Seek voles", _help)
    finish(old, say="No more voles.")
    new = SessionBuilder(
        "2.1.181", seed="new", cwd="/home/robin/acme/api", start=START.replace(year=2027)
    )
    call = Call("Read", {"file_path": "/home/robin/vole.py"}, "x = 1", {})
    turn(new, "Open a file", [call], say="Opened.")
    return [new.write(root), old.write(root)]


def _help(child: Any) -> str:
    child.reply(Say("Voles sought."))
    return "Sought."


@pytest.fixture
def run(two: list[Path], tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Runner:
    return Runner(tmp_path / "projects", capfd)


# --- objects ------------------------------------------------------------------------------------


def test_objects_have_the_keys_of_the_contract_newest_session_first(
    run: Runner, two: list[Path]
) -> None:
    done = run("VOLE", "--json")
    assert done.code == 0 and done.err == ""
    assert all(set(hit) >= KEYS and hit["schema"] == "ccbrowse.hit/1" for hit in done.objects)
    ids = [hit["session_id"] for hit in done.objects]
    assert list(dict.fromkeys(ids)) == [path.stem for path in two]
    assert [hit["field"] for hit in done.objects[:2]] == ["tool", "file"]
    places = {(hit["uuid"], hit["field"]) for hit in done.objects if hit["uuid"]}
    assert len(places) == len([hit for hit in done.objects if hit["uuid"]])


def test_segments_lines_and_subagents_are_told(run: Runner, two: list[Path]) -> None:
    hits = {hit["snippet"]: hit for hit in run("vole", two[1], "--json").objects}
    assert hits["No more voles."]["segment"] == 2
    assert hits["No more voles."]["on_main_line"] is True
    sought = hits["Voles sought."]
    assert sought["agent_id"] and sought["segment"] is None and sought["on_main_line"] is False
    lines = Path(sought["file"]).read_text().splitlines()
    assert json.loads(lines[sought["line"] - 1])["uuid"] == sought["uuid"]


# --- choosing -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("part", "said"), [("@agent:nope", "no such subagent"), ("#9", "no such segment")]
)
def test_a_part_that_is_not_there_is_said_and_no_answer_without_hits(
    run: Runner, two: list[Path], part: str, said: str
) -> None:
    done = run("vole", f"{two[1]}{part}")
    assert (done.code, done.out) == (1, "")
    assert said in done.err and done.err.count("\n") == 1


def test_targets_narrow_the_search(run: Runner, two: list[Path]) -> None:
    every = run("vole", "--json").objects
    assert run("vole", two[0].stem[:8], "--json").objects == [
        hit for hit in every if hit["session_id"] == two[0].stem
    ]
    second = run("vole", f"{two[1].stem}#2", "--json").objects
    assert {hit["segment"] for hit in second} == {2}
    agent = next(hit["agent_id"] for hit in every if hit["agent_id"])
    hers = run("vole", f"{two[1].stem}@agent:{agent}", "--json").objects
    assert {hit["agent_id"] for hit in hers} == {agent}
    assert run("vole", "nosuch").code == 1


def test_fields_case_and_patterns(run: Runner) -> None:
    assert {hit["field"] for hit in run("vole", "--in", "file, tool", "--json").objects} == {
        "file",
        "tool",
    }
    assert run("VOLE", "--case", "--json").objects == []
    assert run("vol", "--word", "--json").objects == []
    assert run("vole", "--word", "--in", "file", "--json").objects
    (hit,) = run(r"\d voles?:", "--regex", "--json").objects
    assert hit["snippet"].startswith("There are 3 voles:")


def test_facts_choose_sessions_and_scopes_places(run: Runner, two: list[Path]) -> None:
    assert {hit["session_id"] for hit in run("vole has:compact", "--json").objects} == {two[1].stem}
    assert {hit["field"] for hit in run("assistant:voles", "--json").objects} == {"assistant"}
    assert run('"has:compact"', "--json").code == 1, "in quotes it is text"


def test_what_compactions_lost_is_a_scope(run: Runner, tmp_path: Path) -> None:
    path = lossy.write(tmp_path / "projects")
    (hit,) = run("lost:auditors", "--json").objects
    assert (hit["session_id"], hit["segment"], hit["field"]) == (path.stem, 1, "user")
    assert run("lost:auditors project:nowhere", "--json").code == 1
    assert run("lost:handshake", "--json").code == 1, "the summary tells it"


def test_words_that_look_like_a_key_are_told_where_nothing_is_found(run: Runner) -> None:
    done = run("porject:api voles")
    assert (done.code, done.out) == (1, "")
    assert done.err == "no hits; `porject:` was taken as words, did you mean `project:`\n"


def test_signs_are_text(run: Runner) -> None:
    for query in ("[all]", "s [a", "voles ["):
        (hit,) = [h for h in run(query, "--json").objects if h["field"] == "user"]
        assert "voles [all]" in hit["snippet"]


# --- exits --------------------------------------------------------------------------------------


def test_no_hit_is_exit_one_with_nothing_on_stdout(run: Runner) -> None:
    assert (run("capybara").code, run("capybara").out) == (1, "")
    assert run("capybara").err == "no hits\n"
    assert (run("capybara", "--json").code, run("capybara", "--json").err) == (1, "")


@pytest.mark.parametrize(
    "words",
    [
        ("",),
        (" ",),
        ("has:compact",),
        ("(", "--regex"),
        ("(a+)+b", "--regex"),
        ("x", "--in", "body"),
        ("x", "--in", ","),
        ("!lost:x",),
        ("x after:soon",),
    ],
)
def test_wrong_usage_is_one_clear_line(run: Runner, words: tuple[str, ...]) -> None:
    done = run(*words)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("ccbrowse: ")
    assert done.err.count("\n") == 1
    assert "Traceback" not in done.err


def test_a_file_that_cannot_be_read_is_named_and_the_rest_searched(
    run: Runner, two: list[Path]
) -> None:
    folder = two[1].with_suffix("") / "subagents"
    (agent,) = folder.glob("agent-*.jsonl")
    agent.unlink()
    os.mkfifo(agent)
    done = run("vole", "--json")
    assert done.code == 0, "a pipe is no session file and blocks nothing"
    assert all(not hit["agent_id"] for hit in done.objects)


def test_a_pattern_that_took_too_long_is_said(
    run: Runner, two: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ccbrowse.core.search.patterns.SECONDS", -1.0)
    row = {"type": "user", "uuid": "u", "parentUuid": None, "message": {"content": "y" * 20_000}}
    with two[0].open("a") as file:
        file.write(json.dumps(row) + "\n")
    done = run(r"[uv]\d\d", two[0], "--regex", "--json")
    assert done.code == 1
    assert "took too long on 1 text" in done.err


# --- for people ---------------------------------------------------------------------------------


def test_text_is_grouped_by_session(run: Runner, two: list[Path]) -> None:
    lines = run("voles").out.splitlines()
    heads = [line for line in lines if not line.startswith("  ")]
    assert heads == [f"Count the voles [all]  {two[1].stem}"]
    place, shown = lines[1].split("  ")[1].split("/"), lines[1]
    assert place[0] == "#1" and len(place[1]) == 8 and "  line 2  user  " in shown
    assert any("@agent:" in line for line in lines)
    assert "\x1b" not in "\n".join(lines)


def test_a_terminal_gets_the_match_marked_and_no_sequence_of_the_data(
    run: Runner, two: list[Path]
) -> None:
    command = [sys.executable, "-m", "ccbrowse.tui", "search", "voles:", str(two[1])]
    shown = on_terminal(command, {})
    assert b"There are 3 \x1b[1;4mvoles:\x1b[0m" in shown
    assert b"\x1b[31m" not in shown
    assert b"\x1b" not in on_terminal(command, {"NO_COLOR": "1"})


def on_terminal(command: list[str], more: dict[str, str]) -> bytes:
    """What a command writes to a terminal."""
    reader, writer = pty.openpty()
    with subprocess.Popen(command, stdout=writer, stdin=writer, env={**os.environ, **more}) as done:
        os.close(writer)
        shown = bytearray()
        try:
            while block := os.read(reader, 65536):
                shown += block
        except OSError:
            pass
        os.close(reader)
    assert done.returncode == 0
    return bytes(shown)
