"""`ccbrowse export`: what it writes where, what it says on stderr, and what it refuses."""

from __future__ import annotations

import errno
import io
import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from exporting import SESSION_ID, Sheet, uuid

from ccbrowse.tui.cli import main

PROJECT = "-home-ada-orchard"


class Ran:
    """What a command wrote and how it ended."""

    def __init__(self, code: int, out: bytes, err: str) -> None:
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def sheet() -> Sheet:
    sheet = Sheet()
    sheet.side("custom-title", customTitle="Fix login flow")
    sheet.prompt("Look into /home/ada/orchard/notes.txt")
    said = sheet.reply({"type": "thinking", "thinking": "hm"}, "Done.")
    sheet.prompt("left behind")
    sheet.tip = said
    sheet.boundary("What was done.")
    sheet.prompt("Next")
    sheet.reply(sheet.call("Bash", {"command": "ls\tall"}))
    sheet.result("a\x1b[1mb\x1b[0m")
    return sheet


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to stand in."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def run(monkeypatch: pytest.MonkeyPatch, root: Path, *words: str, tty: bool = False) -> Ran:
    """Run `ccbrowse export`."""
    raw = io.BytesIO()
    out, err = io.TextIOWrapper(raw, encoding="utf-8"), io.StringIO()
    monkeypatch.setattr(out, "isatty", lambda: tty)
    with monkeypatch.context() as patch, pytest.raises(SystemExit) as end:
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        main(["export", *words, "--root", str(root / "projects")])
    out.flush()
    code = end.value.code
    return Ran(code if isinstance(code, int) else 0, raw.getvalue(), err.getvalue())


def test_the_newest_segment_goes_to_a_file_named_by_the_title(
    sheet: Sheet, here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet.write(tmp_path)
    ran = run(monkeypatch, tmp_path, SESSION_ID[:6])
    assert (ran.code, ran.out) == (0, b"")
    (file,) = here.iterdir()
    assert file.name == "fix-login-flow.seg2.md"
    assert ran.err.startswith("fix-login-flow.seg2.md, ")
    text = file.read_text()
    assert 'part: "segment 2 of 2"' in text and "- **Bash** `ls all` → ab\n" in text
    again = run(monkeypatch, tmp_path, SESSION_ID)
    assert again.code == 1 and "the file exists" in again.err
    file.write_text("mine")
    assert run(monkeypatch, tmp_path, SESSION_ID, "--force").code == 0
    assert file.read_text() == text


def test_parts_and_formats_go_to_stdout(
    sheet: Sheet, here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = sheet.write(tmp_path).read_bytes()

    def out(*words: str) -> str:
        ran = run(monkeypatch, tmp_path, *words, "-o", "-")
        assert ran.code == 0, ran.err
        return ran.out.decode()

    assert out(SESSION_ID, "--all", "--format", "jsonl").encode() == source
    assert 'part: "segment 1 of 2"' in out(f"{SESSION_ID}#1")
    assert 'part: "segment 1 of 2"' in out(SESSION_ID, "--segment", "1")
    assert "left behind" in out(SESSION_ID, "--branch", uuid(3))
    assert f"messages {uuid(1)} to {uuid(2)}" in out(SESSION_ID, "--range", f"{uuid(1)}..{uuid(2)}")
    assert out(SESSION_ID, "--format", "html").startswith("<!DOCTYPE html>")
    assert out(SESSION_ID, "--format", "text").startswith("Session: ")
    told = json.loads(out(SESSION_ID, "--format", "json", "--all"))
    assert told["messages"][1]["content"][0]["type"] == "thinking"
    assert "hm" not in out(SESSION_ID, "--all") and "> hm" in out(SESSION_ID, "--all", "--thinking")
    assert "```bash" in out(SESSION_ID, "--tools", "full")
    assert not list(here.iterdir())


def test_what_was_masked_is_said_and_home_paths_are_by_default(
    sheet: Sheet, here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet.write(tmp_path)
    masked = run(monkeypatch, tmp_path, SESSION_ID, "--all", "-o", "-")
    assert b"/home/ada" not in masked.out and b"~/orchard/notes.txt" in masked.out
    assert "masked: 1 home path" in masked.err
    plain = run(monkeypatch, tmp_path, SESSION_ID, "--all", "-o", "-", "--no-redact")
    assert b"/home/ada/orchard/notes.txt" in plain.out and "nothing was masked" in plain.err
    lines = run(monkeypatch, tmp_path, SESSION_ID, "--format", "jsonl", "-o", "-")
    assert "nothing was masked" in lines.err
    lines = run(
        monkeypatch, tmp_path, SESSION_ID, "--format", "jsonl", "-o", "-", "--redact", "--all"
    )
    assert b"/home/ada" not in lines.out and len(lines.out.split(b"\n")) == len(sheet.lines) + 1
    none = run(monkeypatch, tmp_path, SESSION_ID, "-o", "-")
    assert "nothing was found to mask" in none.err


def test_a_terminal_is_given_no_control_character_of_the_lines(
    sheet: Sheet, here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet.raw('{"type":"x","s":"a\x9b1mb\x7f"} é\x1b[2J'.encode())
    source = sheet.write(tmp_path).read_bytes()
    words = (SESSION_ID, "--all", "--format", "jsonl", "-o", "-")
    assert run(monkeypatch, tmp_path, *words).out == source
    shown = run(monkeypatch, tmp_path, *words, tty=True).out.decode()
    assert '{"type":"x","s":"a\\u009b1mb\\u007f"} é\\u001b[2J\n' in shown
    assert all(sign.isprintable() or sign == "\n" for sign in shown)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["nobody"], 1, "no such session"),
        ([SESSION_ID, "--segment", "9"], 1, "segments 1 to 2"),
        ([SESSION_ID, "--segment", "0"], 2, "0 is not in the range"),
        ([SESSION_ID, "--segment", "1", "--all"], 2, "choose one of --segment"),
        ([SESSION_ID, "--range", "x"], 2, "takes UUID..UUID"),
        ([SESSION_ID, "--range", f"{uuid(2)}..{uuid(1)}"], 2, "ends before it starts"),
        ([SESSION_ID, "--range", f"{uuid(2)}..nope"], 1, "no such message"),
        ([SESSION_ID, "--branch", "nope"], 1, "no such message"),
        ([SESSION_ID, "--loss", "1", "--format", "html"], 2, "--loss writes Markdown"),
        ([SESSION_ID, "--format", "pdf"], 2, "pdf"),
        ([SESSION_ID, "-o", "no/such/file.md"], 1, "no such folder"),
        ([SESSION_ID, "-o", "."], 1, "not a file"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    sheet: Sheet,
    here: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    code: int,
    said: str,
) -> None:
    sheet.write(tmp_path)
    ran = run(monkeypatch, tmp_path, *words)
    assert (ran.code, ran.out) == (code, b"")
    assert said in ran.err and ran.err.startswith("ccbrowse: ") and ran.err.count("\n") == 1
    assert not list(here.iterdir())


def test_pages_are_named_with_the_reason(
    sheet: Sheet, here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ccbrowse.core.export.pages.MOST_ELEMENTS", 60)
    sheet.write(tmp_path)
    ran = run(monkeypatch, tmp_path, SESSION_ID, "--all", "--format", "html", "-o", "x.html")
    assert ran.code == 0 and ran.out == b""
    told = ran.err.splitlines()
    assert [line.split(",")[0] for line in told[:2]] == ["x.html", "x.2.html"]
    assert "in 3 pages that lead to each other: a browser takes long over more in one" in told
    assert {path.name for path in here.iterdir()} == {"x.html", "x.2.html", "x.3.html"}


@pytest.mark.parametrize("form", ["markdown", "html"])
@pytest.mark.parametrize(
    ("failing", "said"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "make room there"),
        (OSError(errno.EIO, "Input/output error"), "choose another"),
    ],
    ids=["full", "broken"],
)
def test_a_disk_that_fails_is_told_with_the_file_that_was_asked_for(
    sheet: Sheet,
    here: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    form: str,
    failing: OSError,
    said: str,
) -> None:
    sheet.write(tmp_path)

    def fail(descriptor: int) -> None:
        raise failing

    with monkeypatch.context() as patch:
        patch.setattr("ccbrowse.core.export.writing.os.fsync", fail)
        ran = run(monkeypatch, tmp_path, SESSION_ID, "--format", form, "-o", "x.out")
    assert ran.code == 1
    assert ran.err.startswith(f"ccbrowse: {failing.strerror}, x.out, {said}")
    assert ran.err.count("\n") == 1 and ".part" not in ran.err
    assert list(here.iterdir()) == []


def test_a_file_over_the_limit_is_told_and_leaves_nothing(
    sheet: Sheet, here: Path, tmp_path: Path
) -> None:
    """The system itself refuses to write on."""
    for _ in range(300):
        sheet.prompt("words " * 2_000)
    path = sheet.write(tmp_path)
    words = [sys.executable, "-m", "ccbrowse.tui", "export", str(path), "-o", "x.md"]
    limited = f"ulimit -f 1000; exec {shlex.join(words)}"
    ran = subprocess.run(["sh", "-c", limited], capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert ran.stderr.splitlines()[-1].startswith("ccbrowse: File too large, x.md, choose another")
    assert list(here.iterdir()) == []


def test_nothing_is_written_under_a_root_nor_over_the_session(
    sheet: Sheet, here: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = sheet.write(tmp_path)
    before = source.read_bytes()
    inside = run(monkeypatch, tmp_path, SESSION_ID, "-o", str(source.parent / "x.md"))
    assert inside.code == 1 and "where sessions are read" in inside.err
    (here / "link").symlink_to(source.parent)
    # Where the client keeps it, though nobody named that folder as one to read.
    (here / "projects").mkdir()
    elsewhere = run(monkeypatch, here, str(source), "-o", str(source.parent.parent / "x.md"))
    assert elsewhere.code == 1 and "where sessions are read" in elsewhere.err
    linked = run(monkeypatch, tmp_path, SESSION_ID, "-o", "link/x.md", "--force")
    assert linked.code == 1 and "where sessions are read" in linked.err
    copy = here / "copy.jsonl"
    copy.write_bytes(before)
    own = run(monkeypatch, tmp_path, str(copy), "-o", "copy.jsonl", "--force", "--all")
    assert own.code == 1 and "the session itself" in own.err
    assert source.read_bytes() == copy.read_bytes() == before
    assert list(source.parent.iterdir()) == [source]
