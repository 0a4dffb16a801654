"""`ccbrowse compactions`: its objects, its text, its exits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from builders import HOSTILE, OPENING, Call, Say, SessionBuilder, Workspace, finish, turn

from ccbrowse.tui.cli import main
from ccbrowse.tui.demo.agents import Launching

KEYS = {
    *("schema", "number", "closes", "opens", "boundary", "summary", "before", "after", "reduction"),
    *("call", "file", "buckets", "items"),
}


class Done:
    """How the command ended, and what it said."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def objects(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]


class Runner:
    """Runs `ccbrowse compactions` in this process, below one root."""

    def __init__(self, root: Path, capture: pytest.CaptureFixture[str]) -> None:
        self.root, self.capture = root, capture

    def __call__(self, *words: str | Path) -> Done:
        with pytest.raises(SystemExit) as end:
            main(["compactions", *map(str, words), "--root", str(self.root)])
        assert isinstance(end.value.code, int)
        out, err = self.capture.readouterr()
        return Done(end.value.code, out, err)


def work(child: Launching) -> str:
    """A subagent that compacts."""
    child.reply(Say("Seeking."))
    child.compact(f"{OPENING}\n\nSought so far.")
    child.reply(Say("Seeking on."))
    return "Found."


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A session with two compactions, and a subagent with one."""
    b = SessionBuilder("2.1.181", seed="cli")
    space = Workspace(b.cwd, b.era, {"src/a.py": "x = 1\n" * 9})
    turn(b, "Never rename \x1b[31mthe table", [space.read("src/a.py")], say="I will not.")
    turn(b, "The limit is 25 MB", [space.bash("make", "KeyError: 'ttl'", code=1)], say="Set.")
    b.compact(
        f"{OPENING}\n\n- Limit of 25 MB.", trigger="manual", instructions="keep \x07limits", keep=0
    )
    b.prompt("Ask a helper")
    b.subagent("Help", "Help me", work)
    finish(b, say="Helped.")
    b.compact(f"{OPENING}\n\nAll of it.")
    return b.write(tmp_path)


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Runner:
    """The command."""
    return Runner(tmp_path, capsys)


def test_one_object_for_each_compaction(run: Runner, path: Path) -> None:
    done = run(path, "--json")
    assert done.code == 0
    assert [o["number"] for o in done.objects] == [1, 2]
    assert all(set(o) >= KEYS for o in done.objects)
    first, second = done.objects
    assert first["schema"] == "ccbrowse.compaction/1"
    assert first["boundary"]["trigger"] == "manual"
    assert first["boundary"]["metadata"]["trigger"] == "manual"
    assert first["instructions"] == "keep \x07limits"
    assert second["after"] is None
    buckets = {bucket: 0 for bucket in first["buckets"]}
    for item in first["items"]:
        buckets[item["bucket"]] += 1
    assert buckets == {name: first["buckets"][name]["items"] for name in buckets}
    assert first["items"][0]["label"].startswith("Never rename")
    shown = next(item for item in first["items"] if "25 MB" in item["label"])
    assert (shown["bucket"], shown["evidence"]) == ("in_summary", "Limit of 25 MB.")


def test_one_of_them_by_number_or_by_segment(run: Runner, path: Path) -> None:
    assert [o["number"] for o in run(path, "2", "--json").objects] == [2]
    name = path.stem
    assert [o["number"] for o in run(f"{name}#3", "--json").objects] == [2]


def test_those_of_a_subagent(run: Runner, path: Path) -> None:
    agent = next(path.with_suffix("").glob("subagents/*.jsonl")).stem.removeprefix("agent-")
    (found,) = run(f"{path.stem}@agent:{agent}", "--json").objects
    assert found["summary"]["text"].endswith("Sought so far.")


def test_the_text_for_people(run: Runner, path: Path) -> None:
    out = run(path).out
    assert "━━ compaction 1 · manual" in out
    assert "instructions: keep limits" in out
    for words in (
        "messages",
        "message tokens",
        "message bytes",
        "by the boundary",
        "by the requests",
    ):
        assert words in out
    assert "no request has followed yet" in out
    assert "what became of it" in out
    assert "not found ·" in out
    assert "Not found means that no matching words" in out
    assert not set("\x1b\x07") & set(out)


def test_the_longest_list_is_cut_unless_it_was_asked_for(run: Runner, tmp_path: Path) -> None:
    b = SessionBuilder("2.1.181", seed="many")
    for number in range(40):
        turn(b, f"Wish number {number} about mice", say="Yes.")
    for _ in range(2):
        b.compact(f"{OPENING}\n\nNothing.", keep=0)
        turn(b, "On", say="Yes.")
    path = b.write(tmp_path)
    assert "… and " in run(path).out
    assert "Wish number 39 about mice" in run(path, "1").out


def test_a_session_that_was_never_compacted(run: Runner, tmp_path: Path) -> None:
    b = SessionBuilder("2.1.181", seed="short")
    turn(b, "Hello", say="Hello.")
    path = b.write(tmp_path)
    assert run(path).out == "never compacted\n"
    done = run(path, "--json")
    assert (done.code, done.out) == (0, "")
    none = run(path, "1")
    assert (none.code, none.err.count("\n")) == (1, 1)
    assert "never compacted" in none.err


def test_wrong_numbers_and_targets_are_one_line(run: Runner, path: Path) -> None:
    for words, code in (
        ((path, "3"), 1),
        ((path, "0"), 2),
        (("nobody",), 1),
        ((path.stem + "#1",), 1),
    ):
        done = run(*words)
        assert done.code == code, words
        assert done.err.startswith("ccbrowse: ")
        assert done.err.count("\n") == 1
        assert done.out == ""


def test_hostile_texts_reach_no_terminal(run: Runner, tmp_path: Path) -> None:
    b = SessionBuilder("2.1.181", seed="hostile")
    for text in HOSTILE.values():
        turn(b, text, [Call("Read", {"file_path": f"/x/{text[:40]}.py"}, text, {})], say=text)
    b.compact(f"{OPENING}\n\n" + "\n".join(HOSTILE.values()), keep=0)
    finish(b, say="On.")
    out = run(b.write(tmp_path)).out
    assert not any((ord(c) < 32 and c != "\n") or 127 <= ord(c) < 160 for c in out)
