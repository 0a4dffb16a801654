"""What other files know: records in other sessions' files, parents in side files."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from logs import Log

from ccbrowse.core import neighbours
from ccbrowse.core.locate import agent_files, session_file
from ccbrowse.core.neighbours import Neighbours, heads_of, surroundings


def write(folder: Path, name: str, *uuids: str, age: int = 0) -> Path:
    """A session file with some records."""
    log = Log(name)
    for uuid in uuids:
        log.user(uuid, parent=log.before)
    path = log.write(folder)
    os.utime(path, (1_000_000 - age, 1_000_000 - age))
    return path


def test_the_oldest_other_file_that_holds_a_record(tmp_path: Path) -> None:
    own = write(tmp_path, "own", "x1", age=30)
    write(tmp_path, "young", "x1")
    old = write(tmp_path, "old", "x1", age=20)
    found = Neighbours(tmp_path).holder("x1", own)
    assert found is not None
    assert (found.session_id, found.file, found.uuid) == ("old", str(old), "x1")
    assert Neighbours(tmp_path).holder("x2", own) is None


def test_a_record_of_the_own_file_alone_is_nowhere_else(tmp_path: Path) -> None:
    own = write(tmp_path, "own", "x1")
    assert Neighbours(tmp_path).holder("x1", own) is None


def test_what_only_mentions_a_uuid_does_not_hold_it(tmp_path: Path) -> None:
    log = Log("other")
    log.user("u1", "They call it x1", None)
    log.user("u2", parent="x1")
    log.raw(b'{"type":"user","uuid":"x1')
    log.write(tmp_path)
    assert Neighbours(tmp_path).holder("x1", tmp_path / "own.jsonl") is None


def test_subagents_files_and_others_are_not_searched(tmp_path: Path) -> None:
    for name in ("agent-1", ".hidden", "journal"):
        write(tmp_path, name, "x1")
    (tmp_path / "folder.jsonl").mkdir()
    assert Neighbours(tmp_path).holder("x1", tmp_path / "own.jsonl") is None


def test_a_search_is_remembered(tmp_path: Path) -> None:
    around = Neighbours(tmp_path)
    path = write(tmp_path, "other", "x1")
    own = tmp_path / "own.jsonl"
    found = around.holder("x1", own)
    path.unlink()
    assert around.holder("x1", own) == found
    assert around.holder("x9", own) is None


def test_a_folder_that_is_not_there_holds_nothing(tmp_path: Path) -> None:
    assert Neighbours(tmp_path / "none").holder("x1", tmp_path / "own.jsonl") is None


def test_a_large_folder_is_searched_only_for_a_file_that_starts_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(neighbours, "SMALL_FOLDER", 10)
    write(tmp_path, "other", "x1")
    own = tmp_path / "own.jsonl"
    around = Neighbours(tmp_path)
    assert around.holder("x1", own, starts_there=False) is None
    assert around.holder("x1", own, starts_there=True) is not None


def test_a_folder_is_not_read_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbours, "MOST_READ", 10)
    write(tmp_path, "other", "x1", "x2")
    own = tmp_path / "own.jsonl"
    around = Neighbours(tmp_path)
    assert around.holder("x1", own) is not None
    assert around.holder("x2", own) is None
    assert around.holder("x1", own) is not None


def test_heads_are_those_of_readable_lines(tmp_path: Path) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.raw(b"", b"{broken", b"[" * 5000)
    log.user("u2")
    path = log.write(tmp_path)
    assert [head.uuid for head in heads_of(path)] == ["u1", "u2"]
    assert [head.uuid for head in heads_of(path, b'"u2"')] == ["u2"]
    assert list(heads_of(path, b"nowhere")) == []
    assert list(heads_of(tmp_path / "none")) == []


Parent = Callable[[str], str | None]


@pytest.fixture
def side_parent(tmp_path: Path) -> Parent:
    """Asks the side files of a session: two, one of them damaged."""
    own = write(tmp_path, "own", "u1")
    first, second = Log("agent-1"), Log("agent-2")
    first.user("x1", parent="u1")
    first.user("x2", parent=None)
    second.raw(b"{broken")
    second.user("y1", parent="x1")
    for log in (first, second):
        log.write(tmp_path / "own" / "subagents")
    file = session_file(own)
    return surroundings(own, lambda: agent_files(file), Neighbours(tmp_path)).side_parent


@pytest.mark.parametrize(
    ("uuid", "parent"), [("x1", "u1"), ("y1", "x1"), ("x2", None), ("u1", None), ("none", None)]
)
def test_parents_of_records_in_side_files(
    side_parent: Parent, uuid: str, parent: str | None
) -> None:
    assert side_parent(uuid) == parent


def test_side_files_are_read_once_and_not_before_they_are_asked(tmp_path: Path) -> None:
    asked = list[int]()

    def agents() -> list[object]:
        asked.append(1)
        return []

    around = surroundings(tmp_path / "own.jsonl", agents, Neighbours(tmp_path))  # type: ignore[arg-type]  # a generator does
    assert asked == []
    assert around.side_parent("x1") is around.side_parent("x2") is None
    assert asked == [1]
    assert around.elsewhere("x1", True) is None
