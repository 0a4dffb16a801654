"""The library's door: the names that `ccbrowse.core` offers, what it loads, and what README says of it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from builders import ERA_NAMES, SessionBuilder, turn, written

import ccbrowse.core as core
from ccbrowse.core import CcbrowseError, Gone, Session, find_roots, resolve, session_files


def test_every_public_name_is_there_and_is_listed() -> None:
    assert set(core.__all__) <= set(dir(core))
    for name in core.__all__:
        assert getattr(core, name).__module__.startswith("ccbrowse.core.")
    with pytest.raises(AttributeError, match="no attribute 'Sesion'"):
        core.Sesion  # type: ignore[attr-defined]  # noqa: B018


def test_the_door_loads_nothing_before_it_is_asked_for() -> None:
    code = (
        "import json, sys, ccbrowse.core\n"
        "print(json.dumps([name for name in sys.modules if name.startswith('ccbrowse.core.')]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == []


def test_a_program_finds_opens_and_leaves_a_session(tmp_path: Path) -> None:
    builder = SessionBuilder(ERA_NAMES[-1], seed="door")
    turn(builder, "Count the beans.", say="Done.")
    path = written(builder, tmp_path / "projects")
    (root,) = find_roots([tmp_path])
    (file,) = session_files(root)
    with Session.open(file) as session:
        assert (session.messages, len(session.segments)) == (2, 1)
    assert resolve(f"{session.session_id}#1", [root]).segment == 1
    path.unlink()
    with pytest.raises(Gone) as gone:
        Session.open(file)
    assert isinstance(gone.value, CcbrowseError)


def test_what_readme_offers_is_there(root: Path) -> None:
    text = (root / "README.md").read_text(encoding="utf-8")
    section = text.split("## As a library")[1].split("\n## ")[0]
    named = set(re.findall(r"\b([a-z]+)\.([A-Za-z_]+)\(", section)) - {("session", "raw")}
    rooms = {(room, name) for room, name in named if room not in {"session", "file"}}
    assert len(rooms) >= 8
    for room, name in rooms:
        assert hasattr(import_module(f"ccbrowse.core.{room}"), name), f"{room}.{name}"
    methods = {name for room, name in named if room == "session"}
    assert methods and all(hasattr(Session, name) for name in methods)
