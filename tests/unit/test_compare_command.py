"""`ccbrowse compare`: the table of two requests, captured ones and those of sessions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from requestrows import Rows, assistant, call, text, user

from ccbrowse.core.capture import reduction, side_of
from ccbrowse.core.estimate import tiktoken_counter
from ccbrowse.core.payload.canonical import compact_json
from ccbrowse.tui.cli import main

MANY = [user("Prune the pear tree"), assistant(text("Which one?"), call("c1")), user([text("All")])]
FEW = [user("We pruned.")]


def run(*args: object) -> int:
    """The exit code of a command."""
    with pytest.raises(SystemExit) as stopped:
        main([str(arg) for arg in args])
    return int(stopped.value.code or 0)


def tokens(*texts: str) -> int:
    return sum(tiktoken_counter().tally(each).tokens for each in texts)


@pytest.fixture
def bodies(tmp_path: Path) -> tuple[Path, Path]:
    """Two captured bodies."""
    before, after = tmp_path / "before.json", tmp_path / "after.json"
    before.write_text(json.dumps({"model": "m", "messages": MANY}))
    after.write_text(json.dumps({"model": "m", "messages": FEW}))
    return before, after


def test_a_side_counts_all_texts_as_string_or_blocks() -> None:
    side = side_of("x", MANY)
    expected = tokens("Prune the pear tree", "Which one?", "Read", '{"path":"c1"}', "All")
    assert (side.messages, side.tokens, side.bytes) == (3, expected, len(compact_json(MANY)))
    assert side.roles == ("user", "assistant", "user")
    assert side_of("x", [user("Hi")]).tokens == side_of("x", [user([text("Hi")])]).tokens


@pytest.mark.parametrize(
    ("before", "after", "share"),
    [
        (100, 25, 0.75),
        (10, 20, -1.0),
        (3, 1, 0.6667),
        (0, 5, None),
        (None, 5, None),
        (5, None, None),
    ],
)
def test_reductions(before: int | None, after: int | None, share: float | None) -> None:
    assert reduction(before, after) == share


def test_two_bodies(bodies: tuple[Path, Path], capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run("compare", *bodies, "--json") == 0
    found: dict[str, Any] = json.loads(capsysbinary.readouterr().out)
    assert list(found) == ["schema", "before", "after", "reduction"]
    assert found["schema"] == "ccbrowse.comparison/1"
    before, after = found["before"], found["after"]
    assert before["label"] == str(bodies[0])
    assert (before["messages"], after["messages"]) == (3, 1)
    assert before["body_bytes"] == bodies[0].stat().st_size
    assert (before["roles"], after["roles"]) == (["user", "assistant", "user"], ["user"])
    for name, share in found["reduction"].items():
        assert share == reduction(before[name], after[name])


def test_the_table_for_people(
    bodies: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("compare", *bodies) == 0
    out = capsys.readouterr().out
    rows = [line.split() for line in out.splitlines()]
    assert ["messages", "3", "1", "−66.7", "%"] in rows
    assert "roles   u a u  →  u" in out


def test_requests_of_a_session_around_a_boundary(
    tmp_path: Path, bodies: tuple[Path, Path], capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    rows = Rows()
    rows.user("Prune the pear tree")
    rows.reply("m1", text("Pruned."))
    rows.boundary()
    rows.summary("We pruned.")
    rows.user("Rake")
    rows.reply("m2", text("Raked."))
    folder = tmp_path / "projects" / "-orchard"
    folder.mkdir(parents=True)
    (folder / "5e55.jsonl").write_bytes(rows.data())
    root = folder.parent
    for one, two in (("5e55@before:1", "5e55@after:1"), ("5e55@reply:m1", "5e55@reply:m2")):
        assert run("compare", one, two, "--json", "--root", root) == 0
        found = json.loads(capsysbinary.readouterr().out)
        assert found["before"]["tokens"] == tokens("Prune the pear tree")
        assert found["after"]["tokens"] == tokens("We pruned.\n", "Rake")
        assert (found["before"]["body_bytes"], found["reduction"]["body_bytes"]) == (None, None)
    assert run("compare", bodies[0], f"{folder / '5e55.jsonl'}@after:1", "--json") == 0


@pytest.mark.parametrize(
    ("side", "code", "said"),
    [
        ("nowhere.json", 1, "no such file, nowhere.json"),
        ("{folder}/nonsense.json", 1, "neither JSON nor lines of JSON"),
        ("{folder}/before.json#4", 1, "no such entry"),
        ("deadbeef@before:1", 1, "no such session"),
        ("deadbeef@before:x", 1, "no such session"),
    ],
)
def test_what_cannot_be_compared_is_said_in_a_line(
    tmp_path: Path,
    bodies: tuple[Path, Path],
    capsys: pytest.CaptureFixture[str],
    side: str,
    code: int,
    said: str,
) -> None:
    (tmp_path / "nonsense.json").write_text("{\x1b[31m")
    root = tmp_path / "projects"
    root.mkdir()
    assert run("compare", side.format(folder=tmp_path), bodies[1], "--root", root) == code
    err = capsys.readouterr().err
    assert said in err
    assert len(err.splitlines()) == 1
    assert "\x1b" not in err


def test_recorded_pairs_around_a_boundary(
    shared: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """The table on bodies as they were sent: counted here once more, by other means."""
    recordings = sorted(shared.glob("recordings/*/s01*/requests"))
    if not recordings:
        pytest.skip("no recordings in ../shared")
    for folder in recordings:
        entries = [json.loads(line) for line in (folder / "index.jsonl").read_text().splitlines()]
        kinds = [entry["kind"] for entry in entries]
        at = kinds.index("compact")
        first = max(n for n in range(at) if kinds[n] == "main")
        second = min(n for n in range(at, len(kinds)) if kinds[n] == "main")
        paths = [folder / f"{entries[n]['n']:03d}.json" for n in (first, second)]
        assert run("compare", *paths, "--json") == 0
        found = json.loads(capsysbinary.readouterr().out)
        for side, n, path in zip(("before", "after"), (first, second), paths, strict=True):
            messages = json.loads(path.read_text())["messages"]
            assert found[side]["messages"] == entries[n]["messages"] == len(messages)
            assert found[side]["body_bytes"] == path.stat().st_size
            assert found[side]["bytes"] == len(
                json.dumps(messages, ensure_ascii=False, separators=(",", ":")).encode()
            )
            assert len(found[side]["roles"]) == len(messages)
        assert 0 < found["reduction"]["messages"] < 1
        assert 0 < found["reduction"]["tokens"] < 1
