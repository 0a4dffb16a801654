"""The command as a whole: help, exits, errors in one line, roots, encodings, closed pipes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from commandline import CommandLine, Done, arguments, command, environment
from logs import Log

from ccbrowse.tui.cli.completion import SHELLS
from ccbrowse.tui.cli.group import COMMANDS, HIDDEN

ONE = "aaaa1111-0000-4000-8000-000000000001"
TWO = "aaaa2222-0000-4000-8000-000000000002"


@pytest.fixture
def ccbrowse(capsysbinary: pytest.CaptureFixture[bytes]) -> CommandLine:
    """The command line."""
    return CommandLine(capsysbinary)


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A client's folder with two sessions, words of every kind in them."""
    folder = tmp_path / "config"
    for name in (ONE, TWO):
        log = Log(name)
        log.user("u1", "Zwölf 水位 🌾 \ud83d", None, cwd="/home/robin/水位")
        log.reply("a1", usage=(1, 0, 0, 1))
        log.write(folder / "projects" / "-home-robin")
    return folder


def each_command() -> list[str]:
    """The commands that help names."""
    return [name for name in COMMANDS if name not in HIDDEN]


def test_help_names_every_command(ccbrowse: CommandLine) -> None:
    done = ccbrowse("--help")
    assert (done.code, done.err) == (0, "")
    named = {
        line.split()[0] for line in done.text.splitlines() if line.startswith("  ") and line.split()
    }
    assert set(each_command()) <= named


def test_help_names_the_options_of_the_app_and_cuts_no_sentence(ccbrowse: CommandLine) -> None:
    text = ccbrowse("--help").text
    for option in ("--plain", "--ascii", "--no-animation", "--theme", "--root", "--no-cache"):
        assert f"  {option}" in text
    assert text.count("...") == 1  # that of [ARGS]


@pytest.mark.parametrize("name", each_command())
def test_every_command_has_help(ccbrowse: CommandLine, name: str) -> None:
    for option in ("--help", "-h"):
        done = ccbrowse(name, option)
        assert (done.code, done.err) == (0, "")
        assert done.text.startswith(f"Usage: ccbrowse {name}")


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_the_version_is_that_of_the_package(ccbrowse: CommandLine, option: str) -> None:
    from importlib.metadata import version

    assert ccbrowse(option).text == f"ccbrowse {version('ccbrowse')}\n"


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("list", "--nonsense"), "--nonsense"),
        (("show",), "TARGET"),
        (("usage", "--by", "colour"), "colour"),
        (("completion", "tcsh"), "tcsh"),
        (("list", "colour:red"), "unknown key `colour:`"),
        (("list", "--root", ""), "needs a value"),
    ],
)
def test_wrong_usage_is_one_line_and_two(
    ccbrowse: CommandLine, config: Path, words: tuple[str, ...], part: str
) -> None:
    done = ccbrowse(*words) if "--root" in words else ccbrowse(*words, *_root(words, config))
    assert (done.code, done.out) == (2, b"")
    assert part in done.complaint


def _root(words: tuple[str, ...], config: Path) -> list[str]:
    return [] if words[0] == "completion" else ["--root", str(config)]


@pytest.mark.parametrize("name", ["show", "tail", "usage", "doctor"])
def test_what_is_not_there_is_one_line_and_one(
    ccbrowse: CommandLine, config: Path, name: str
) -> None:
    done = ccbrowse(name, "ffff0000", "--root", config)
    assert (done.code, done.out) == (1, b"")
    assert done.complaint == "ccbrowse: no such session, ffff0000, see them with `ccbrowse list`\n"


def test_an_ambiguous_prefix_names_the_candidates(ccbrowse: CommandLine, config: Path) -> None:
    done = ccbrowse("show", "aaaa", "--root", config)
    assert done.code == 1
    assert done.complaint.endswith(f"2 sessions begin so: {ONE} · {TWO}\n")


def test_a_hostile_target_is_safe_and_short_in_its_complaint(
    ccbrowse: CommandLine, config: Path
) -> None:
    done = ccbrowse("show", "\x1b[31m" + "x\n" * 5000, "--root", config)
    assert done.code == 1
    assert "\x1b" not in done.complaint
    assert len(done.err) < 1000


def test_where_there_are_no_roots_the_places_are_named(ccbrowse: CommandLine, home: Path) -> None:
    done = ccbrowse("list")
    assert (done.code, done.out) == (1, b"")
    assert str(home / ".claude" / "projects") in done.complaint
    assert str(home / ".config" / "claude" / "projects") in done.complaint
    assert "--root DIR" in done.complaint


def test_the_client_s_own_folders_are_read(
    ccbrowse: CommandLine, config: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / ".claude").symlink_to(config)
    assert len(ccbrowse("list", "--json").objects) == 2
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", f"{home / 'none'}, {config}")
    assert len(ccbrowse("list", "--json").objects) == 2
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home / "none"))
    done = ccbrowse("list")
    assert done.code == 1
    assert str(home / "none" / "projects") in done.complaint


@pytest.mark.parametrize("below", [".", "projects", "projects/-home-robin"])
def test_a_root_may_be_named_in_three_ways(ccbrowse: CommandLine, config: Path, below: str) -> None:
    done = ccbrowse("list", "--json", "--root", config / below)
    assert {each["session_id"] for each in done.objects} == {ONE, TWO}


def test_a_relative_root_gives_absolute_paths(
    ccbrowse: CommandLine, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(config.parent)
    for each in ccbrowse("list", "--json", "--root", "config").objects:
        assert each["root"] == str(config / "projects")
        assert Path(each["file"]).is_absolute()


def test_a_path_needs_no_roots(ccbrowse: CommandLine, config: Path) -> None:
    path = config / "projects" / "-home-robin" / f"{ONE}.jsonl"
    for words in (("show", path), ("show", f"{path}#1"), ("usage", path), ("doctor", path)):
        done = ccbrowse(*words)
        assert (done.code, done.err) == (0, "")


def test_options_may_stand_before_the_command(ccbrowse: CommandLine, config: Path) -> None:
    done = ccbrowse("--root", str(config), "list", "--json")
    assert len(done.objects) == 2


def test_without_a_terminal_the_app_is_a_list_or_an_outline(
    ccbrowse: CommandLine, config: Path
) -> None:
    assert ccbrowse("--root", config).out == ccbrowse("list", "--root", config).out
    shown = ccbrowse(ONE, "--root", config)
    assert shown.out == ccbrowse("show", ONE, "--root", config).out


def test_the_demo_without_a_terminal_is_its_list(ccbrowse: CommandLine) -> None:
    done = ccbrowse("demo")
    assert done.code == 0
    assert "Fix login flow" in done.text
    assert len(done.text.splitlines()) == 13


@pytest.mark.parametrize("shell", SHELLS)
def test_completion_prints_the_script_of_a_shell(ccbrowse: CommandLine, shell: str) -> None:
    done = ccbrowse("completion", shell)
    assert done.code == 0
    assert "_CCBROWSE_COMPLETE" in done.text


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("ccbrowse us", "usage"),
        ("ccbrowse list --so", "--sort"),
    ],
)
def test_completion_knows_commands_and_options(words: str, offered: str) -> None:
    about = {
        "_CCBROWSE_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    done = command(env=about)
    assert f"plain,{offered}" in done.text.splitlines()


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_what_a_terminal_cannot_show_is_replaced(config: Path, encoding: str) -> None:
    about = {"PYTHONUTF8": "0", "PYTHONIOENCODING": encoding, "LC_ALL": "C", "LANG": "C"}
    for words in (["list"], ["show", ONE], ["doctor"]):
        done = command(*words, "--root", config, env=about)
        assert (done.code, done.err) == (0, "")
        assert done.out.decode(encoding)
    done = command("list", "--json", "--root", config, env=about)
    assert {each["title"] for each in done.objects} == {"Zwölf 水位 🌾 \ufffd"}


@pytest.mark.parametrize("words", [("list",), ("show", ONE, "--json")])
def test_a_closed_pipe_ends_without_a_word(config: Path, words: tuple[str, ...]) -> None:
    many = " ".join(["x"] * 100)
    log = Log(ONE)
    for number in range(3000):
        log.user(f"u{number}-{many}", parent=log.before)
    log.write(config / "projects" / "-home-robin")
    with subprocess.Popen(
        [*arguments(*words), "--root", str(config)],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.read(1)
        child.stdout.close()
        assert child.stderr.read() == b""
        assert child.wait() == 0


def test_a_closed_output_is_done_without(config: Path) -> None:
    words = " ".join([*map(_quoted, arguments("list", "--root", config)), ">&-"])
    done = subprocess.run(["/bin/sh", "-c", words], env=environment(), capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")


def _quoted(word: str) -> str:
    return "'" + word.replace("'", "'\\''") + "'"


def test_a_full_disk_is_one_line(config: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no /dev/full")
    with full.open("wb") as out:
        done = subprocess.run(
            [*arguments("list"), "--root", str(config)],
            env=environment(),
            stdout=out,
            stderr=subprocess.PIPE,
        )
    told = Done(done.returncode, b"", done.stderr.decode())
    assert told.code == 1
    assert "No space left" in told.complaint


def test_a_folder_that_went_under_our_feet_is_one_line(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    code = (
        f"import os; os.chdir({str(gone)!r}); os.rmdir({str(gone)!r});"
        "from ccbrowse.tui.cli import main; main(['list', '--root', 'x'])"
    )
    done = subprocess.run([sys.executable, "-c", code], env=environment(), capture_output=True)
    told = Done(done.returncode, done.stdout, done.stderr.decode())
    assert told.code == 1
    assert told.complaint


def test_a_command_imports_no_screen(config: Path) -> None:
    code = (
        "import sys, json; from ccbrowse.tui.cli import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit: print(json.dumps(sorted(sys.modules)))"
    )
    for words in (["list"], ["show", ONE], ["usage"], ["doctor"], ["--version"]):
        root = [] if words == ["--version"] else ["--root", str(config)]
        done = subprocess.run(
            [sys.executable, "-c", code, *words, *root], env=environment(), capture_output=True
        )
        modules = set(json.loads(done.stdout.splitlines()[-1]))
        assert not {"textual", "rich"} & modules
        assert "ccbrowse.tui.cli" in modules


def test_nothing_is_written_but_in_the_cache(config: Path, tmp_path: Path) -> None:
    before = {p: p.lstat().st_mtime_ns for p in tmp_path.rglob("*")}
    work = tmp_path / "work"
    work.mkdir()
    home = Path(os.environ["HOME"])
    known = set(home.rglob("*"))
    for words in (["list"], ["show", ONE], ["usage"], ["doctor"]):
        assert command(*words, "--root", config, cwd=work).code == 0
    assert {p: p.lstat().st_mtime_ns for p in before} == before
    assert list(work.iterdir()) == []
    written = {p for p in set(home.rglob("*")) - known if p.is_file()}
    assert all("cache" in str(path).lower() for path in written)
