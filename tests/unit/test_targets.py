"""What TARGET names: a session by path, id, prefix or `@latest`; a segment, subagent or record of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from logs import Log

from ccbrowse.core.errors import AmbiguousSession, NoSuchSession
from ccbrowse.core.targets import Target, find_session, parse_target, resolve

ONE = "aaaa1111-0000-4000-8000-000000000001"
TWO = "aaaa2222-0000-4000-8000-000000000002"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A root with two sessions, the second newer, with a subagent and two segments."""
    root = tmp_path / "projects"
    for age, name in enumerate((TWO, ONE)):
        log = Log(name)
        log.user("u1", parent=None)
        log.boundary("B1")
        log.summary("s1")
        os.utime(log.write(root / "p"), (1000 - age, 1000 - age))
    agent = Log("agent-a7")
    agent.user("x1", parent=None, isSidechain=True)
    agent.boundary("xB", isSidechain=True)
    agent.write(root / "p" / TWO / "subagents")
    return root


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("aaaa1111", Target("aaaa1111")),
        ("aaaa1111#2", Target("aaaa1111", segment=2)),
        ("@latest", Target("@latest")),
        ("@latest#1", Target("@latest", segment=1)),
        ("aaaa1111@agent:a7", Target("aaaa1111", agent="a7")),
        ("aaaa1111@agent:a7#3", Target("aaaa1111", agent="a7", segment=3)),
        ("aaaa1111#2/u-1", Target("aaaa1111", segment=2, uuid="u-1")),
        ("a/b.jsonl#2", Target("a/b.jsonl", segment=2)),
        ("a#b.jsonl", Target("a#b.jsonl")),
        ("aaaa#x", Target("aaaa#x")),
        ("", Target("")),
    ],
)
def test_a_target_is_taken_apart(text: str, target: Target) -> None:
    assert parse_target(text) == target


def test_a_file_whose_name_looks_like_a_part_is_a_path(tmp_path: Path) -> None:
    path = tmp_path / "odd#2"
    path.touch()
    assert parse_target(str(path)) == Target(str(path))


@pytest.mark.parametrize(
    ("name", "session"),
    [(ONE, ONE), ("aaaa1", ONE), ("aaaa2222-0", TWO), ("@latest", TWO)],
)
def test_a_session_by_id_prefix_or_age(root: Path, name: str, session: str) -> None:
    assert find_session(name, [root]).session_id == session


def test_a_session_by_path_knows_its_root(root: Path, tmp_path: Path) -> None:
    path = root / "p" / f"{ONE}.jsonl"
    assert find_session(str(path), [tmp_path / "x", root]).root == root
    assert find_session(str(path), []).root == root
    other = tmp_path / "elsewhere" / "backup.txt"
    other.parent.mkdir()
    other.write_bytes(path.read_bytes())
    assert find_session(str(other), []).session_id == "backup"


def test_a_path_may_start_at_the_home(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert find_session(f"~/projects/p/{ONE}.jsonl", []).session_id == ONE


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("bbbb", "ccbrowse list"),
        ("aaa", "4 characters"),
        ("nowhere/none.jsonl", "ccbrowse list"),
        ("none.jsonl", "ccbrowse list"),
        ("nowhere/none", "ccbrowse list"),
    ],
)
def test_what_names_no_session_says_what_to_try(root: Path, name: str, hint: str) -> None:
    with pytest.raises(NoSuchSession) as error:
        find_session(name, [root])
    assert hint in str(error.value)


def test_an_id_shorter_than_a_prefix_must_be_whole(root: Path) -> None:
    log = Log("aa")
    log.user("u1", parent=None)
    log.write(root / "p")
    assert find_session("aa", [root]).session_id == "aa"


def test_a_folder_is_no_session(root: Path) -> None:
    (root / "p" / "folder.jsonl").mkdir()
    with pytest.raises(NoSuchSession, match="not a session file"):
        find_session(str(root / "p" / "folder.jsonl"), [root])


def test_an_ambiguous_prefix_names_the_candidates(root: Path) -> None:
    with pytest.raises(AmbiguousSession) as error:
        find_session("aaaa", [root])
    assert error.value.candidates == (ONE, TWO)


def test_an_id_that_stands_in_two_folders_is_ambiguous_by_path(root: Path) -> None:
    log = Log(ONE)
    log.user("u1", parent=None)
    other = log.write(root / "q")
    with pytest.raises(AmbiguousSession) as error:
        find_session(ONE, [root])
    assert error.value.candidates == (str(root / "p" / f"{ONE}.jsonl"), str(other))


def test_without_sessions_there_is_no_latest(tmp_path: Path) -> None:
    with pytest.raises(NoSuchSession, match="no sessions under the roots"):
        find_session("@latest", [tmp_path])


def test_a_target_is_opened_with_its_part(root: Path) -> None:
    whole = resolve(ONE, [root])
    assert (whole.session.session_id, whole.segment, whole.uuid) == (ONE, None, None)
    part = resolve("aaaa1#2", [root])
    assert (part.session.session_id, part.segment) == (ONE, 2)
    record = resolve("aaaa1#2/s1", [root])
    assert (record.segment, record.uuid) == (2, "s1")
    agent = resolve("@latest@agent:a7#2", [root])
    assert (agent.session.agent_id, agent.segment) == ("a7", 2)


def test_a_record_is_named_by_the_start_of_its_uuid(tmp_path: Path) -> None:
    log = Log(ONE)
    for uuid in ("cafe0000-1", "cafe0001-1", "bead0000-1"):
        log.user(uuid)
    log.write(tmp_path / "p")
    assert resolve("aaaa1#1/bead", [tmp_path]).uuid == "bead0000-1"
    assert resolve("aaaa1#1/cafe0001", [tmp_path]).uuid == "cafe0001-1"
    for text, what in (("aaaa1#1/cafe", "2 records of it begin so"), ("aaaa1#1/bea", "begin so")):
        with pytest.raises(NoSuchSession, match=what):
            resolve(text, [tmp_path])


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("aaaa1#3", "no such segment"),
        ("aaaa1#0", "no such segment"),
        ("aaaa1@agent:a7", "no such subagent"),
        ("@latest@agent:a7#3", "no such segment"),
        ("aaaa1#1/none", "no such record"),
        ("", "no such session"),
        ("  ", "no such session"),
    ],
)
def test_a_part_that_is_not_there_is_named(root: Path, text: str, what: str) -> None:
    with pytest.raises(NoSuchSession, match=what):
        resolve(text, [root])
