"""`ccbrowse show`, `usage`, `doctor` and `tail` in words."""

from __future__ import annotations

import errno
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from commandline import CommandLine
from logs import SESSION, Log, call

from ccbrowse.core.findings import CODES
from ccbrowse.core.follow import Event, Follower


@pytest.fixture
def ccbrowse(capsysbinary: pytest.CaptureFixture[bytes]) -> CommandLine:
    """The command line."""
    return CommandLine(capsysbinary)


@pytest.fixture
def log() -> Log:
    """A session with a bit of everything."""
    log = Log()
    log.side("custom-title", customTitle="Named\x1b[31m it")
    log.user("u1", "First", None)
    log.reply("a1", call("t1", "Agent"), usage=(10, 0, 990, 5))
    log.result("r1", "t1")
    log.user("v1", "Withdrawn")
    log.user("u2", "Second", "r1")
    log.boundary("B1", trigger="manual", pre=1200, post=300, kept=["u2"])
    log.again(7, uuid="B1", timestamp="2026-02-02T02:41:00.000Z")
    log.summary("s1")
    log.user("u3", parent="never written")
    log.reply("a2", usage=(50, 0, 0, 7), stop=None)
    return log


@pytest.fixture
def path(log: Log, tmp_path: Path) -> Path:
    """Where the session is, with a subagent."""
    agent = Log("agent-a7")
    agent.user("x1", parent=None, isSidechain=True)
    folder = tmp_path / "projects" / "-home-robin-orchard"
    at = agent.write(folder / SESSION / "subagents")
    at.with_name("agent-a7.meta.json").write_bytes(b'{"agentType":"Explore","description":"Look"}')
    return log.write(folder)


def test_an_outline_tells_what_there_is(ccbrowse: CommandLine, path: Path) -> None:
    done = ccbrowse("show", path)
    assert (done.code, done.err) == (0, "")
    assert b"\x1b" not in done.out
    text = done.text
    assert text.startswith("Named it\n")
    for part in (
        SESSION,
        "/home/robin/orchard",
        "client 2.1.181",
        "claude-opus-4-8 · 7 messages",
        "context now 50= of 1,000,000 (table)",
        "segment 1  2026-02-02 02:40  2 turns · 4 messages · 1 tool calls · lines 2–6",
        "context 1.0k= → peak 1.0k= → close 1.2k=",
        "━━ compact · manual · 1,200= → 300= · kept 1",
        "1 requests · input 50 · cache created 0 · read 0 · output",
        "1 abandoned arms: 1 edited prompt",
        "subagent a7  Explore Look · 1 messages",
        "warning parent_missing: line",
    ):
        assert part in text, part


def test_several_targets_are_shown_one_after_the_other(ccbrowse: CommandLine, path: Path) -> None:
    done = ccbrowse("show", path, SESSION[:8], "--root", path.parents[1])
    one = ccbrowse("show", path).text
    assert done.text == one + "\n" + one


def test_an_empty_session_has_an_outline_too(ccbrowse: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "empty.jsonl"
    path.touch()
    text = ccbrowse("show", path).text
    assert text.startswith("(no title)\n")
    assert "no model · 0 messages · 0 B" in text
    assert "context now –\n" in text


def test_many_findings_are_cut_with_a_word_where_the_rest_is(
    ccbrowse: CommandLine, tmp_path: Path
) -> None:
    log = Log()
    for number in range(25):
        log.user(f"u{number}", parent=f"gone{number}")
    text = ccbrowse("show", log.write(tmp_path)).text
    assert text.count("warning parent_missing") == 20
    assert text.endswith(f"… and 5 more: ccbrowse doctor {SESSION}\n")


def test_a_target_that_is_not_there_is_one_line(ccbrowse: CommandLine, path: Path) -> None:
    done = ccbrowse("show", "none.jsonl", "--root", path.parents[1])
    assert (done.code, done.out) == (1, b"")
    assert "no such session" in done.complaint
    done = ccbrowse("show", f"{SESSION}#9", "--root", path.parents[1])
    assert done.code == 1
    assert "segments 1 to 2" in done.complaint


def test_usage_in_words_says_what_is_not_to_be_trusted(ccbrowse: CommandLine, path: Path) -> None:
    done = ccbrowse("usage", path, "--by", "model")
    head, row, note = done.text.splitlines()
    assert head.split()[-1] == "model"
    assert row.split() == ["2", "60", "0", "990", "12≥", "1", "claude-opus-4-8"]
    assert note.startswith("≥ some clients did not keep")
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", usage=(1, 2, 3, 4))
    exact = ccbrowse("usage", log.write(path.parents[2] / "exact")).text
    assert exact.splitlines()[1].split()[:5] == ["1", "1", "2", "3", "4="]
    assert len(exact.splitlines()) == 2


def test_usage_of_nothing_is_said(ccbrowse: CommandLine, tmp_path: Path) -> None:
    assert ccbrowse("usage", "--root", tmp_path).text == "no requests\n"


def test_usage_passes_over_what_it_cannot_read(
    ccbrowse: CommandLine, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    really_open = Path.open

    def refuse(self: Path, *args: Any, **kwargs: Any) -> Any:
        if self == path:
            raise PermissionError(13, "Permission denied", str(self))
        return really_open(self, *args, **kwargs)

    monkeypatch.setattr(Path, "open", refuse)
    for command in ("usage", "doctor"):
        done = ccbrowse(command, path)
        assert done.code == 0
        assert "Permission denied" in done.complaint
    assert ccbrowse("doctor", path, "--strict").code == 1
    told = [each for each in ccbrowse("doctor", path, "--json").objects if "code" in each]
    assert [each["code"] for each in told] == ["file_unreadable"]
    assert told[0]["message"] == "the file could not be read: Permission denied"


def test_doctor_tells_how_it_reads_and_what_it_found(ccbrowse: CommandLine, path: Path) -> None:
    done = ccbrowse("doctor", path)
    assert done.code == 0
    for part in ("version", "python", "roots", "sessions", "token counter", "warning "):
        assert part in done.text
    assert f"{SESSION[:8]}:10  parent_missing: line 10 names a parent" in done.text


@pytest.mark.parametrize("codes", [("parent_missing", 1), ("record_replayed", 0)])
def test_strict_fails_for_what_is_more_than_a_note(
    ccbrowse: CommandLine, tmp_path: Path, codes: tuple[str, int]
) -> None:
    log = Log()
    log.user("u1", parent="gone" if codes[1] else None)
    log.again(1)
    path = log.write(tmp_path)
    done = ccbrowse("doctor", path, "--strict")
    assert done.code == codes[1]
    assert codes[0] in done.text
    assert ccbrowse("doctor", path).code == 0


def test_doctor_explains_every_code(ccbrowse: CommandLine) -> None:
    text = ccbrowse("doctor", "--codes").text
    for code in CODES:
        assert f"\n{code} " in text
    objects = ccbrowse("doctor", "--codes", "--json").objects
    assert [each["code"] for each in objects] == list(CODES)
    assert {each["schema"] for each in objects} == {"ccbrowse.code/1"}


def test_tail_prints_what_comes_until_it_is_stopped(
    ccbrowse: CommandLine, log: Log, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def happenings() -> Iterator[None]:
        log.user("u4", "Third\n\x1b[31mprompt")
        log.boundary("B2")
        log.write(path.parent)
        yield
        path.unlink()
        yield

    steps = happenings()

    def sleep(seconds: float) -> None:
        try:
            next(steps)
        except StopIteration:
            raise KeyboardInterrupt from None

    monkeypatch.setattr(time, "sleep", sleep)
    done = ccbrowse("tail", path)
    assert (done.code, done.err) == (130, "\n")  # so that the prompt does not follow the ^C
    assert b"\x1b" not in done.out
    lines = [line.split(maxsplit=2) for line in done.text.splitlines()]
    assert [line[2] for line in lines[:2]] == ["#2   user       Third prompt", "#3   boundary"]
    assert lines[2] == ["–", "removed"]


def test_tail_says_once_what_cannot_be_read_and_goes_on(
    ccbrowse: CommandLine, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that fails for a while is named once each time it does; the session is still followed."""
    poll = Follower.poll
    failing = [False, True, True, False, True]

    def flaky(follower: Follower) -> Iterator[Event]:
        if failing.pop(0):
            raise OSError(errno.EIO, "Input/output error", str(path))
        yield from poll(follower)

    def wait(seconds: float) -> None:
        if not failing:
            raise KeyboardInterrupt

    monkeypatch.setattr(Follower, "poll", flaky)
    monkeypatch.setattr(time, "sleep", wait)
    done = ccbrowse("tail", path)
    assert done.code == 130
    assert (
        done.err.split("\n")[:2]
        == [f"ccbrowse: Input/output error, {path}, still following it"] * 2
    )
    assert not done.err.split("\n", 2)[2].strip()


def test_show_says_how_much_stands_in_an_unfinished_last_line(
    ccbrowse: CommandLine, log: Log, tmp_path: Path
) -> None:
    path = log.write(tmp_path)
    assert "not finished" not in ccbrowse("show", path).text
    with path.open("ab") as file:
        file.write(b'{"type":"user","message":' + b"x" * 4_000)
    assert "the last line is not finished: 4.0 kB not read yet" in ccbrowse("show", path).text
