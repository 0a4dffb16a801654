"""Roots with what should not be there, and on disks that are slow or fail: what every command does."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from stat import S_IFCHR

import pytest
from commandline import CommandLine, Done
from disks import Disk
from logs import Log, call

IDS = tuple(f"{n}{n}{n}{n}0000-0000-4000-8000-000000000001" for n in range(1, 4))
_OBEYED = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
HOSTILE_NAMES = (
    "line\nbreak",
    "\x1b[31mred\x1b[0m",
    "bell\x07\x1b]0;title\x07",
    "\u202egnp.exe",
    "-rf",
    "a b'c\"d$(e)`f`;g",
    "<b>[red]x[@click=x]",
)


@pytest.fixture
def ccbrowse(capsysbinary: pytest.CaptureFixture[bytes]) -> CommandLine:
    """The command line."""
    return CommandLine(capsysbinary)


def a_log(name: str) -> Log:
    log = Log(name)
    log.user("u1", f"Prompt of {name}: find the needle", None)
    log.reply("a1", call("t1", "Bash", command="ls"), usage=(1, 2, 3, 4))
    log.result("r1", "t1")
    log.boundary("B1")
    log.summary("s1")
    for number in range(40):
        log.user(f"u{number + 2}", f"And then {number}? " + "words " * 30)
        log.reply(f"b{number}", "So.", usage=(1, 2, 3, 4))
    return log


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Three sessions in two projects."""
    root = tmp_path / "projects"
    for name, folder in zip(IDS, ("-home-ada-one", "-home-ada-one", "-home-ada-two"), strict=True):
        a_log(name).write(root / folder)
    return root


def every_command(ccbrowse: CommandLine, root: Path, target: str | Path) -> list[Done]:
    """All commands that read, in words and as JSON."""
    where = ("--root", root)
    calls: list[tuple[str | Path, ...]] = [
        ("list",), ("list", "--json"), ("show", target), ("show", target, "--json"),
        ("usage",), ("usage", "--by", "project", "--json"), ("search", "needle"),
        ("search", "n..dle", "--regex", "--json"), ("doctor",), ("doctor", "--json"),
        ("doctor", "--report"), ("payload", target, "--next", "--counts"), ("compactions", target),
        *(("export", target, "--all", "-o", "-", "--format", form)
          for form in ("markdown", "html", "json", "text")),
    ]  # fmt: skip
    return [ccbrowse(*words, *where) for words in calls]


def all_are_well(ran: list[Done]) -> None:
    for done in ran:
        text = done.out.decode() + done.err
        assert done.code == 0, text
        assert _OBEYED.search(text.replace("\t", " ")) is None
        assert "Traceback" not in text


def test_pipes_devices_links_and_folders_that_are_called_sessions_are_not_opened(
    ccbrowse: CommandLine, root: Path, tmp_path: Path
) -> None:
    """A pipe would wait for ever, a device never end; a link out of the root is another's file."""
    folder = root / "-home-ada-one"
    away = a_log("99990000-0000-4000-8000-000000000001").write(tmp_path / "away")
    os.mkfifo(folder / "pipe.jsonl")
    (folder / "folder.jsonl").mkdir()
    (folder / "zero.jsonl").symlink_to("/dev/zero")
    (folder / "random.jsonl").symlink_to("/dev/random")
    (folder / "out.jsonl").symlink_to(away)
    (folder / "round.jsonl").symlink_to(folder / "round.jsonl")
    (root / "linked").symlink_to(away.parent)
    (root / "up").symlink_to(root)
    side = folder / IDS[0]
    (side / "subagents").mkdir(parents=True)
    os.mkfifo(side / "subagents" / "agent-a1.jsonl")
    (side / "subagents" / "agent-a2.jsonl").symlink_to(away)
    (side / "subagents" / "up").symlink_to(folder)
    if os.geteuid() == 0:
        with suppress(PermissionError):  # a container may not make one
            os.mknod(folder / "device.jsonl", 0o600 | S_IFCHR, os.makedev(1, 5))
    ran = every_command(ccbrowse, root, IDS[0])
    all_are_well(ran)
    assert {each["session_id"] for each in ran[1].objects} == set(IDS)
    assert len(ran[1].objects) == 3
    assert "9999" not in "".join(done.text for done in ran)
    for name in ("pipe.jsonl", "zero.jsonl", "folder.jsonl"):
        refused = ccbrowse("show", folder / name, "--root", root)
        assert refused.code == 1 and "only regular files are read" in refused.complaint


def test_names_of_files_and_folders_are_hostile_text(ccbrowse: CommandLine, tmp_path: Path) -> None:
    root = tmp_path / "projects"
    for number, name in enumerate(HOSTILE_NAMES):
        log = a_log(f"{number}")
        path = log.write(root / f"-x-{name}".replace("/", "-"))
        path.rename(path.with_name(f"{name}.jsonl"))
    folder = root / os.fsdecode(b"-bytes\xff")
    folder.mkdir()
    (folder / os.fsdecode(b"bad\xfe.jsonl")).write_bytes(a_log("bad").data())
    # The whole root is in what each of these prints: one target does.
    first = HOSTILE_NAMES[0]
    ran = every_command(ccbrowse, root, root / f"-x-{first}" / f"{first}.jsonl")
    all_are_well(ran)
    assert len(ran[1].objects) == len(HOSTILE_NAMES) + 1
    for name in HOSTILE_NAMES[1:]:
        all_are_well([ccbrowse("show", root / f"-x-{name}" / f"{name}.jsonl")])


def test_a_disk_that_fails_in_the_middle_of_a_file_takes_no_other_with_it(
    ccbrowse: CommandLine, root: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    path = root / "-home-ada-one" / f"{IDS[0]}.jsonl"
    disk = Disk(monkeypatch, root)
    disk.fails_at(path, 3_000)
    for words in (("list", "--json", "--no-cache"), ("usage", "--json"), ("doctor", "--no-cache")):
        done = ccbrowse(*words, "--root", root)
        assert done.code == 0
        assert "Input/output error" in done.complaint and path.name in done.err
    listed = ccbrowse("list", "--json", "--no-cache", "--root", root).objects
    assert {each["session_id"] for each in listed} == {IDS[1], IDS[2]}
    for form in ("markdown", "html", "json", "jsonl", "text"):
        done = ccbrowse("export", path, "--all", "--format", form, "-o", f"x.{form}")
        assert done.code == 1 and "Input/output error" in done.complaint
    assert [each.name for each in tmp_path.iterdir()] == ["projects"]
    disk.heals()
    assert len(ccbrowse("list", "--json", "--no-cache", "--root", root).objects) == 3
    assert ccbrowse("export", path, "--all", "-o", "x.md").code == 0


def test_a_disk_that_fails_while_bodies_are_read_leaves_no_half_export(
    ccbrowse: CommandLine, root: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The index is made; then the disk goes: what stands there already stays as it was."""
    monkeypatch.chdir(tmp_path)
    path = root / "-home-ada-one" / f"{IDS[0]}.jsonl"
    target = tmp_path / "x.md"
    target.write_text("old")
    Disk(monkeypatch, root).loses(path, 9_000)
    done = ccbrowse("export", path, "--all", "-o", target, "--force")
    assert done.code == 1 and "Input/output error" in done.complaint
    assert target.read_text() == "old"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["projects", "x.md"]


def test_a_slow_disk_gives_the_same_answers(
    ccbrowse: CommandLine, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words: list[tuple[str | Path, ...]] = [
        ("list", "--json", "--no-cache", "--root", root),
        ("show", IDS[0], "--json", "--root", root),
        ("search", "needle", "--json", "--root", root),
        ("export", IDS[0], "--all", "-o", "-", "--root", root),
    ]
    quick = [ccbrowse(*each) for each in words]
    disk = Disk(monkeypatch, root)
    disk.is_slow(0.003)
    slow = [ccbrowse(*each) for each in words]
    assert [done.code for done in slow] == [0] * len(words)
    assert [_timeless(done.out) for done in slow] == [_timeless(done.out) for done in quick]


def _timeless(out: bytes) -> bytes:
    """Without what the clock decides."""
    return re.sub(rb'"live":(?:true|false)', b"", out)
