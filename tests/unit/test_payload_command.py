"""`ccbrowse payload`: one object a request, text for people, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from requestrows import Rows, assistant, text, user

from ccbrowse.tui.cli import main

KEYS = ["schema", "reply", "segment", "source", "verified", "messages", "counts", "unknown"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A session of two segments, in a project's folder."""
    rows = Rows()
    rows.user("Count the trees")
    rows.reply("m1", text("Forty \ud83d of\x1b[31m them."))
    rows.boundary()
    rows.summary("We counted.")
    rows.user("Plant one")
    rows.reply("m2", text("Planted."))
    folder = tmp_path / "projects" / "-orchard"
    folder.mkdir(parents=True)
    path = folder / "5e55.jsonl"
    path.write_bytes(rows.data())
    return path


def run(*args: object) -> int:
    """The exit code of a command."""
    with pytest.raises(SystemExit) as stopped:
        main([str(arg) for arg in args])
    return int(stopped.value.code or 0)


def printed(capsys: pytest.CaptureFixture[bytes]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_all_is_one_object_a_reply(file: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run("payload", file, "--all", "--json") == 0
    first, second = printed(capsysbinary)
    assert list(first) == KEYS
    assert (first["schema"], first["reply"], first["segment"]) == ("ccbrowse.payload/1", "m1", 1)
    assert first["messages"] == [user("Count the trees")]
    assert first["counts"]["bytes"] == len(b'[{"role":"user","content":"Count the trees"}]')
    assert (second["source"], second["verified"], second["counts"]["messages"]) == (
        "rebuilt",
        None,
        1,
    )


def test_a_target_with_a_segment_is_that_segment(
    file: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert run("payload", "5e55#2", "--all", "--json", "--root", file.parents[1]) == 0
    assert [each["reply"] for each in printed(capsysbinary)] == ["m2"]


@pytest.mark.parametrize(
    ("asked", "reply"),
    [
        (("--reply", "m2"), "m2"),
        (("--before", "1"), "m1"),
        (("--after", "1"), "m2"),
        (("--next",), None),
    ],
)
def test_one_request(
    file: Path,
    capsysbinary: pytest.CaptureFixture[bytes],
    asked: tuple[str, ...],
    reply: str | None,
) -> None:
    assert run("payload", file, *asked, "--json", "--counts") == 0
    (found,) = printed(capsysbinary)
    assert found["reply"] == reply
    assert "messages" not in found


def test_lone_surrogates_keep_the_length(
    file: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert run("payload", file, "--next", "--json") == 0
    (found,) = printed(capsysbinary)
    again = json.dumps(found["messages"], ensure_ascii=False, separators=(",", ":"))
    assert len(again.encode()) == found["counts"]["bytes"]


def test_text_for_people_obeys_no_escape(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_bytes(b"\n".join(file.read_bytes().split(b"\n")[:2]) + b"\n")
    assert run("payload", file, "--next") == 0
    out = capsys.readouterr().out
    assert "next request · not sent yet · rebuilt · 2 messages" in out
    assert "   2 assistant Forty" in out
    assert "\x1b" not in out
    assert "not known: system prompt, tools, cache control" in out


def test_a_file_holds_json_and_is_not_overwritten(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "next.json"
    assert run("payload", file, "--next", "-o", target) == 0
    assert json.loads(target.read_text())["messages"][-1] == assistant(text("Planted."))
    assert run("payload", file, "--next", "-o", target) == 1
    assert run("payload", file, "--all", "-o", target, "--force") == 0
    assert len(target.read_text().splitlines()) == 2
    assert "the file exists" in capsys.readouterr().err


def test_nothing_is_written_under_a_root(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = file.parents[1]
    before = sorted(root.rglob("*"))
    assert run("payload", file, "--next", "-o", root / "x.json", "--root", root) == 1
    assert run("payload", file, "--next", "-o", file, "--force") == 1
    assert sorted(root.rglob("*")) == before
    assert "nothing is written where sessions are read" in capsys.readouterr().err


@pytest.mark.parametrize("asked", [(), ("--next", "--all"), ("--before", "1", "--after", "1")])
def test_one_question_at_a_time(file: Path, asked: tuple[str, ...]) -> None:
    assert run("payload", file, *asked) == 2


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("--reply", "m9"), "ccbrowse: no such reply, 5e55"),
        (("--after", "3"), "ccbrowse: no such compaction, 3 of 5e55"),
    ],
)
def test_what_is_not_there(
    file: Path, asked: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("payload", file, *asked) == 1
    assert capsys.readouterr().err.startswith(said)


def test_no_request_after_a_compaction_yet(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_bytes(b"\n".join(file.read_bytes().split(b"\n")[:4]) + b"\n")
    assert run("payload", file, "--after", "1") == 1
    assert "no request after compaction 1" in capsys.readouterr().err
