"""`ccbrowse list`: the sessions as a table, filtered and sorted."""

from __future__ import annotations

from pathlib import Path

import pytest
from commandline import CommandLine
from logs import START, Log


@pytest.fixture
def ccbrowse(capsysbinary: pytest.CaptureFixture[bytes]) -> CommandLine:
    """The command line."""
    return CommandLine(capsysbinary)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Three sessions of two projects."""
    root = tmp_path / "projects"
    for number, (name, project) in enumerate((("aaaa", "api"), ("bbbb", "api"), ("cccc", "web"))):
        log = Log(f"{name}0000-0000-4000-8000-00000000000{number}")
        log.time = START + number * 10_000
        log.user("u1", f"Prompt {name} [bold]x[/]\x1b[31m", None, cwd=f"/home/robin/{project}")
        log.reply("a1", usage=(3000 - number * 1000, 0, 0, 1))
        for boundary in range(2 - number):
            log.boundary(f"B{boundary}", trigger="auto")
            log.summary(f"s{boundary}")
        if number == 1:
            log.raw(b"{half")
        log.write(root / f"-home-robin-{project}")
    return root


def ids(text: str) -> list[str]:
    """The beginnings of the ids of a table's rows."""
    return [row[:4] for row in text.splitlines()[1:]]


def test_a_table_names_each_session_newest_first(ccbrowse: CommandLine, root: Path) -> None:
    done = ccbrowse("list", "--root", root)
    assert (done.code, done.err) == (0, "")
    head, *rows = done.text.splitlines()
    assert head.split() == ["id", "age", "turns", "seg", "context", "project", "title"]
    assert ids(done.text) == ["cccc", "bbbb", "aaaa"]
    assert "1.0k=" in rows[0]
    assert "web" in rows[0]
    assert rows[1].endswith("⚠1")


def test_what_comes_from_files_is_safe_to_print(ccbrowse: CommandLine, root: Path) -> None:
    done = ccbrowse("list", "--root", root)
    assert b"\x1b" not in done.out
    assert "Prompt cccc [bold]x[/]" in done.text


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("cccc",), ["cccc"]),
        (("project:api",), ["bbbb", "aaaa"]),
        (("prompt", "segments>1"), ["bbbb", "aaaa"]),
        (("has:damage",), ["bbbb"]),
        (("!has:damage",), ["cccc", "aaaa"]),
        (("trigger:auto", "segments=3"), ["aaaa"]),
        (("nowhere",), []),
        (("--sort", "started"), ["cccc", "bbbb", "aaaa"]),
        (("--sort", "segments"), ["aaaa", "bbbb", "cccc"]),
        (("--sort", "size"), ["aaaa", "bbbb", "cccc"]),
        (("--sort", "tokens"), ["cccc", "bbbb", "aaaa"]),
    ],
)
def test_filters_and_sorting(
    ccbrowse: CommandLine, root: Path, words: tuple[str, ...], expected: list[str]
) -> None:
    done = ccbrowse("list", *words, "--root", root)
    assert done.code == 0
    assert ids(done.text) == expected
    objects = ccbrowse("list", *words, "--json", "--root", root).objects
    assert [each["session_id"][:4] for each in objects] == expected


def test_no_session_is_said_in_words_and_no_json(ccbrowse: CommandLine, tmp_path: Path) -> None:
    assert ccbrowse("list", "--root", tmp_path).text == "no sessions\n"
    assert ccbrowse("list", "--json", "--root", tmp_path).out == b""


def test_a_filter_that_cannot_be_read_is_wrong_usage(ccbrowse: CommandLine, root: Path) -> None:
    done = ccbrowse("list", "segments>many", "--root", root)
    assert (done.code, done.out) == (2, b"")
    assert "needs a number" in done.complaint


def test_an_unknown_sort_is_wrong_usage(ccbrowse: CommandLine, root: Path) -> None:
    done = ccbrowse("list", "--sort", "colour", "--root", root)
    assert (done.code, done.out) == (2, b"")
    assert "colour" in done.complaint


def test_several_roots_are_read_together(ccbrowse: CommandLine, root: Path, tmp_path: Path) -> None:
    log = Log("dddd0000-0000-4000-8000-000000000009")
    log.time = START + 90_000
    log.user("u1", parent=None)
    log.write(tmp_path / "other" / "projects" / "p")
    done = ccbrowse("list", "--root", root, "--root", tmp_path / "other")
    assert ids(done.text) == ["dddd", "cccc", "bbbb", "aaaa"]
    one = ccbrowse("list", "--root", root / "-home-robin-web")
    assert ids(one.text) == ["cccc"]


def test_what_cannot_be_read_is_told_and_the_rest_listed(
    ccbrowse: CommandLine, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = Path.open

    def refuse(self: Path, *args: object, **kwargs: object) -> object:
        if self.name.startswith("bbbb"):
            raise PermissionError(13, "Permission denied", str(self))
        return plain(self, *args, **kwargs)  # type: ignore[call-overload]  # as it was called

    monkeypatch.setattr(Path, "open", refuse)
    done = ccbrowse("list", "--root", root)
    assert ids(done.text) == ["cccc", "aaaa"]
    assert "could not read" in done.complaint
    assert "Permission denied" in done.complaint
