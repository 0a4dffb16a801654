"""Where sessions lie: roots, session files, and the files beside a session."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ccbrowse.core.errors import NoRoots
from ccbrowse.core.locate import (
    agent_files,
    find_roots,
    is_session_name,
    loose_agent_files,
    project_folders,
    session_file,
    session_files,
)


def touch(path: Path) -> Path:
    """An empty file, its folders made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


def test_without_a_word_the_two_usual_places_are_roots(tmp_path: Path) -> None:
    usual = tmp_path / ".claude" / "projects"
    other = tmp_path / ".config" / "claude" / "projects"
    usual.mkdir(parents=True)
    assert find_roots(environ={}, home=tmp_path) == [usual]
    other.mkdir(parents=True)
    assert find_roots(environ={}, home=tmp_path) == [usual, other]


def test_the_configured_folders_are_roots_instead(tmp_path: Path) -> None:
    (tmp_path / ".claude" / "projects").mkdir(parents=True)
    for name in ("a", "b"):
        (tmp_path / name / "projects").mkdir(parents=True)
    value = f"{tmp_path}/a, {tmp_path}/b ,{tmp_path}/none,"
    roots = find_roots(environ={"CLAUDE_CONFIG_DIR": value}, home=tmp_path)
    assert roots == [tmp_path / "a" / "projects", tmp_path / "b" / "projects"]


@pytest.mark.parametrize("value", ["", " ", " , "])
def test_an_empty_configuration_is_none(tmp_path: Path, value: str) -> None:
    usual = tmp_path / ".claude" / "projects"
    usual.mkdir(parents=True)
    assert find_roots(environ={"CLAUDE_CONFIG_DIR": value}, home=tmp_path) == [usual]


def test_a_named_folder_may_be_one_of_three_things(tmp_path: Path) -> None:
    projects = tmp_path / "projects"
    project = projects / "-home-robin"
    project.mkdir(parents=True)
    for named in (projects, tmp_path, f"{tmp_path}/"):
        assert find_roots([named], {}, tmp_path) == [projects]
    assert find_roots([project], {}, tmp_path) == [project]
    assert find_roots([tmp_path, projects], {}, tmp_path) == [projects]


def test_a_project_called_projects_in_a_projects_folder_is_not_entered(tmp_path: Path) -> None:
    inner = tmp_path / "projects" / "projects"
    inner.mkdir(parents=True)
    assert find_roots([tmp_path / "projects"], {}, tmp_path) == [tmp_path / "projects"]


def test_a_named_folder_may_start_at_the_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sessions").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path))
    assert find_roots(["~/sessions"]) == [tmp_path / "sessions"]


def test_where_there_is_none_the_error_says_where_it_looked(tmp_path: Path) -> None:
    with pytest.raises(NoRoots) as error:
        find_roots(environ={}, home=tmp_path)
    assert error.value.tried == (
        str(tmp_path / ".claude" / "projects"),
        str(tmp_path / ".config" / "claude" / "projects"),
    )
    with pytest.raises(NoRoots) as error:
        find_roots([tmp_path / "none"], {}, tmp_path)
    assert error.value.tried == (str(tmp_path / "none"),)
    assert "--root" in str(error.value)


def test_the_sessions_of_a_root_by_folder_and_name(tmp_path: Path) -> None:
    for name in ("b/2", "b/1", "a/3"):
        touch(tmp_path / f"{name}.jsonl")
    touch(tmp_path / "b" / "1" / "subagents" / "agent-x.jsonl")
    found = list(session_files(tmp_path))
    assert [(f.folder.name, f.session_id) for f in found] == [("a", "3"), ("b", "1"), ("b", "2")]
    assert [f.has_side for f in found] == [False, True, False]
    assert {f.root for f in found} == {tmp_path}
    assert found[1].side_folder == tmp_path / "b" / "1"


def test_a_root_may_be_one_projects_folder(tmp_path: Path) -> None:
    touch(tmp_path / "1.jsonl")
    [found] = session_files(tmp_path)
    assert (found.root, found.folder) == (tmp_path, tmp_path)


@pytest.mark.parametrize(
    ("name", "is_session"),
    [
        ("5e55.jsonl", True),
        ("any name.jsonl", True),
        ("agent-5e55.jsonl", False),
        (".hidden.jsonl", False),
        ("journal.jsonl", False),
        ("history.jsonl", False),
        ("5e55.jsonl.bak", False),
        ("5e55.json", False),
        ("5e55.JSONL", False),
    ],
)
def test_names_of_sessions(name: str, is_session: bool) -> None:
    assert is_session_name(name) is is_session


def test_a_link_to_a_file_within_the_root_is_followed(tmp_path: Path) -> None:
    real = touch(tmp_path / "a" / "1.jsonl")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "2.jsonl").symlink_to(real)
    assert [f.session_id for f in session_files(tmp_path)] == ["1", "2"]


def test_a_root_that_is_not_there_holds_nothing(tmp_path: Path) -> None:
    assert list(session_files(tmp_path / "none")) == []


def test_a_folder_that_cannot_be_listed_is_named(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    whole = [(folder.path, folder.error) for folder in project_folders(tmp_path)]
    assert whole == [(tmp_path, None), (tmp_path / "a", None)]
    [folder] = project_folders(tmp_path / "none")
    assert folder.path == tmp_path / "none"
    assert isinstance(folder.error, FileNotFoundError)


def test_a_session_by_its_path_whatever_its_name(tmp_path: Path) -> None:
    path = touch(tmp_path / "r" / "f" / "agent-x.txt")
    file = session_file(path)
    assert (file.root, file.folder, file.session_id) == (
        tmp_path / "r",
        tmp_path / "r" / "f",
        "agent-x",
    )
    assert session_file(path, tmp_path).root == tmp_path
    assert file.stamp.size == 0


def test_a_path_that_is_no_regular_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        session_file(tmp_path / "none.jsonl")
    os.mkfifo(tmp_path / "pipe.jsonl")
    for path in (tmp_path, tmp_path / "pipe.jsonl"):
        with pytest.raises(IsADirectoryError):
            session_file(path)


def test_subagents_lie_at_any_depth_below_the_session(tmp_path: Path) -> None:
    session = session_file(touch(tmp_path / "p" / "s1.jsonl"))
    below = tmp_path / "p" / "s1" / "subagents"
    touch(below / "agent-b.jsonl")
    touch(below / "agent-b.meta.json")
    touch(below / "workflows" / "run1" / "agent-a.jsonl")
    touch(below / "workflows" / "run1" / "journal.jsonl")
    touch(below / "agent-c.txt")
    (below / "agent-d.jsonl").mkdir()
    (below / "agent-e.jsonl").symlink_to(below / "agent-b.jsonl")
    found = agent_files(session)
    assert [agent.agent_id for agent in found] == ["b", "a"]
    assert [agent.meta for agent in found] == [below / "agent-b.meta.json", None]


def test_subagents_of_the_older_layout_lie_beside_the_sessions(tmp_path: Path) -> None:
    touch(tmp_path / "s1.jsonl")
    touch(tmp_path / "agent-2.jsonl")
    touch(tmp_path / "agent-1.jsonl")
    assert [agent.agent_id for agent in loose_agent_files(tmp_path)] == ["1", "2"]
    assert loose_agent_files(tmp_path / "none") == []
