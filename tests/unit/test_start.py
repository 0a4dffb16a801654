"""The plain start: what it takes upon itself, and what it leaves to click."""

from __future__ import annotations

import subprocess
import sys

import pytest
from commandline import environment

from ccbrowse.tui.cli.group import COMMANDS
from ccbrowse.tui.cli.start import Asked, plainly

ID = "8f14e45f-ceea-467f-a0e6-1b2c3d4e5f60"


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ([], Asked(None, ())),
        ([ID], Asked(ID, ())),
        (["@latest"], Asked("@latest", ())),
        (["a/b.jsonl#2"], Asked("a/b.jsonl#2", ())),
        (["--root", "x", "--root", "y"], Asked(None, ("x", "y"))),
        (["--root", "x", ID], Asked(ID, ("x",))),
        ([ID, "--root", "x"], Asked(ID, ("x",))),
        (["--root"], None),
        (["--root", ""], None),
        (["--root", "--ascii"], None),
        (["--root=x"], None),
        (["--plain"], None),
        (["-h"], None),
        (["--", ID], None),
        ([""], None),
        ([ID, ID], None),
        (["lsit"], None),
        (["list", ID], None),
        (["--root", "x", "list"], None),
    ],
)
def test_a_target_and_roots_are_heard_and_nothing_else(
    words: list[str], asked: Asked | None
) -> None:
    assert plainly(words) == asked


@pytest.mark.parametrize("name", COMMANDS)
def test_no_command_is_taken_for_a_target(name: str) -> None:
    assert plainly([name]) is None


def test_a_shell_that_asks_what_may_come_next_is_clicks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_CCBROWSE_COMPLETE", "bash_complete")
    assert plainly([]) is None


def test_the_app_is_loaded_without_click() -> None:
    code = (
        "import sys; before = set(sys.modules)\n"  # a count of lines loads some of its own
        "import ccbrowse.tui.cli, ccbrowse.tui.app, ccbrowse.tui.screens.session\n"
        "late = ('click', 'sqlite3', 'ccbrowse.core.search', 'pygments', 'markdown_it', 'tiktoken')\n"
        "print(*(name for name in late if name in sys.modules and name not in before))"
    )
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == []
