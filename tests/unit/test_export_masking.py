"""What `ccbrowse export` says of masks and of its progress, and the options that choose both."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from exporting import Sheet

from ccbrowse.core.export import whole
from ccbrowse.core.redact import Redactor
from ccbrowse.tui.cli import masking, patience
from ccbrowse.tui.cli.output import say

TOKEN = "ghp_" + "R4nD0mTok3nWithout" + "Meaning0123456789x"


@pytest.fixture
def session(tmp_path: Path) -> Path:
    sheet = Sheet()
    sheet.side("custom-title", customTitle=f"Use {TOKEN}")  # line 1
    sheet.prompt("Nothing here")  # 2
    sheet.reply(f"The token is {TOKEN}, again {TOKEN}.", "In /home/ada/orchard/x")  # 3
    sheet.prompt("Ask ada@example.org")  # 4
    return sheet.write(tmp_path)


def export(session: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ccbrowse.tui", "export", str(session), *words],
        capture_output=True,
        text=True,
        cwd=session.parents[2],
        check=False,
    )


@pytest.mark.parametrize("form", ["markdown", "html", "text", "json", "jsonl"])
def test_a_dry_run_lists_lines_writes_nothing_and_shows_no_secret(session: Path, form: str) -> None:
    before = sorted(session.parents[2].rglob("*"))
    ran = export(session, "--dry-run", "--format", form, "-o", "out")
    assert ran.returncode == 0
    assert TOKEN not in ran.stdout + ran.stderr
    assert sorted(session.parents[2].rglob("*")) == before
    listed = [re.split(r" {2,}", line) for line in ran.stdout.splitlines()]
    assert listed[0] == ["line", "kind", "would become", "what it is"]
    token = [row for row in listed if row[1] == "github-token"]
    assert {row[2] for row in token} == {"[redacted:github-token#1]"}
    assert {row[3].split(",")[0] for row in token} == {"ghp_… (40 characters)"}
    assert "3" in {row[0] for row in token}
    assert {row[0] for row in listed[1:]} <= {"beside", "1", "3", "2", "4"}
    assert "4" not in {row[0] for row in listed if row[1] != "home-path"}
    assert ran.stderr.startswith("would mask: ") and "github token" in ran.stderr


def test_a_dry_run_that_finds_nothing_says_so(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.link("user", message={"content": "Hi"}, cwd="/srv/orchard")
    ran = export(sheet.write(tmp_path), "--dry-run")
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "nothing was found to mask\n")


def test_paths_may_stay_and_addresses_may_go(session: Path) -> None:
    def written(*words: str) -> str:
        ran = export(session, "-o", "-", *words)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    usual = written()
    assert "/home/ada" not in usual and "ada@example.org" in usual
    kept = written("--keep-paths")
    assert "/home/ada/orchard/x" in kept and TOKEN not in kept
    assert "ada@example.org" not in written("--emails")
    lines = written("--format", "jsonl", "--emails")
    assert "ada@example.org" not in lines and TOKEN not in lines
    assert TOKEN in written("--format", "jsonl")


def test_a_rerooted_part_goes_to_a_file(session: Path) -> None:
    ran = export(session, "--format", "jsonl", "--reroot", "-o", "part.jsonl")
    assert ran.returncode == 0 and "part.jsonl" in ran.stderr
    first = (session.parents[2] / "part.jsonl").read_text().splitlines()[0]
    assert json.loads(first)["type"] == "ccbrowse-note"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--reroot"], "--reroot makes JSONL"),
        (["--no-redact", "--dry-run"], "--no-redact leaves nothing"),
        (["--no-redact", "--emails"], "--no-redact leaves nothing"),
    ],
)
def test_what_does_not_go_together_is_wrong_usage(
    session: Path, words: list[str], said: str
) -> None:
    ran = export(session, *words)
    assert ran.returncode == 2 and said in ran.stderr and ran.stderr.count("\n") == 1


class Terminal(StringIO):
    """A stderr that a person looks at, or a pipe."""

    def __init__(self, looked_at: bool) -> None:
        super().__init__()
        self.looked_at = looked_at

    def isatty(self) -> bool:
        return self.looked_at


@pytest.mark.parametrize("looked_at", [True, False])
def test_a_long_export_says_how_far_it_is_to_a_person_alone(
    session: Path, monkeypatch: pytest.MonkeyPatch, looked_at: bool
) -> None:
    from ccbrowse.core.session import Session

    clock = iter(range(100))
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    monkeypatch.setattr(patience, "PATIENCE", 3600)
    terminal = Terminal(looked_at)
    monkeypatch.setattr(sys, "stderr", terminal)
    course = masking.Course(None)
    course.start(whole(Session.open(session)))
    for line in (2, 3, None, 4):
        course.at(line)
    course.close()
    course.close()
    said = terminal.getvalue().replace("\r\x1b[K", "|")
    assert said == ("|exporting… 0 %|exporting… 50 %|exporting… 99 %|" if looked_at else "")


def test_a_single_long_line_gives_a_sign_of_life_too(
    session: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each second that nothing else is said; it is wiped before anything is printed, and at the end."""
    from ccbrowse.core.session import Session

    monkeypatch.setattr(patience, "PATIENCE", 0.01)
    terminal = Terminal(True)
    monkeypatch.setattr(sys, "stderr", terminal)
    course = masking.Course(None)
    course.start(whole(Session.open(session)))
    wait_for(lambda: re.search(r"exporting… 0 %, \d+ s", terminal.getvalue()))
    course.close()
    assert terminal.getvalue().endswith("\r\x1b[K")
    with patience.waiting("reading…"):
        wait_for(lambda: re.search(r"reading… \d+ s", terminal.getvalue()))
        say("done")
    assert re.search(r"reading… \d+ s\r\x1b\[Kdone\n", terminal.getvalue())
    assert terminal.getvalue().endswith(("\n", "\r\x1b[K"))
    terminal = Terminal(False)
    monkeypatch.setattr(sys, "stderr", terminal)
    with patience.waiting("reading…"):
        time.sleep(0.05)
    assert terminal.getvalue() == ""


def wait_for(true: Callable[[], object]) -> None:
    """Until something is true; the test's own limit ends it."""
    while not true():
        time.sleep(0.005)


def test_a_short_export_says_nothing(session: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ccbrowse.core.session import Session

    terminal = Terminal(True)
    monkeypatch.setattr(sys, "stderr", terminal)
    course = masking.Course(Redactor())
    course.start(whole(Session.open(session)))
    course.at(2)
    assert course.clean(TOKEN) == "[redacted:github-token#1]"
    course.close()
    assert terminal.getvalue() == ""


def test_losses_are_masked_counted_and_safe_and_a_dry_run_writes_none(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.prompt(f"Never use {TOKEN} \x1b[31min /home/ada/orchard\x1b]0;x\x07 again, always ask.")
    sheet.reply("Understood.")
    sheet.boundary("All of it.")
    sheet.prompt("Next")
    session = sheet.write(tmp_path)
    before = sorted(session.parents[2].rglob("*"))
    dry = export(session, "--loss", "1", "--dry-run")
    assert dry.returncode == 0 and sorted(session.parents[2].rglob("*")) == before
    assert dry.stderr.startswith("would mask: ") and "github token" in dry.stderr
    assert TOKEN not in dry.stdout + dry.stderr
    for words in ((), ("--no-redact",)):
        ran = export(session, "--loss", "1", "-o", "-", *words)
        assert ran.stdout.startswith("# Compaction 1: ")
        assert (TOKEN in ran.stdout) is bool(words)
        assert "\x1b" not in ran.stdout and "\x07" not in ran.stdout
