"""`ccbrowse cache`, and the cache behind `list` and `doctor`."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from commandline import CommandLine
from logs import Log

from ccbrowse.core import library
from ccbrowse.core.cache import cache_folder


@pytest.fixture
def ccbrowse(capsysbinary: pytest.CaptureFixture[bytes]) -> CommandLine:
    """The command line."""
    return CommandLine(capsysbinary)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Two sessions."""
    root = tmp_path / "projects"
    for name in ("1111", "2222"):
        log = Log(f"{name}0000-0000-4000-8000-000000000001")
        log.user("u1", f"Prompt {name}", None)
        log.write(root / "p")
    return root


def never(*args: object) -> None:
    """Reads no session."""
    raise AssertionError("a session was read")


def test_the_list_comes_from_the_cache_the_second_time(
    ccbrowse: CommandLine, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = ccbrowse("list", "--json", "--root", root)
    assert (first.code, first.err, len(first.objects)) == (0, "", 2)
    with monkeypatch.context() as patch:
        patch.setattr(library, "Session", never)
        assert ccbrowse("list", "--json", "--root", root).out == first.out
    assert ccbrowse("list", "--json", "--no-cache", "--root", root).out == first.out


@pytest.mark.parametrize("how", ["--no-cache", "environment", "settings", "broken settings"])
def test_one_can_do_without(
    ccbrowse: CommandLine, root: Path, home: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    if how == "environment":
        monkeypatch.setenv("CCBROWSE_CACHE", "0")
    elif how != "--no-cache":
        folder = home / ".config" / "ccbrowse"
        folder.mkdir(parents=True)
        (folder / "config.toml").write_text("cache = " + ("false" if how == "settings" else ""))
    words = ["--no-cache"] if how == "--no-cache" else []
    assert ccbrowse("list", "--root", root, *words).code == 0
    assert "switched off" in ccbrowse("doctor", "--root", root, *words).text
    assert not cache_folder().exists()


def test_it_tells_where_it_lies_and_is_cleared(ccbrowse: CommandLine, root: Path) -> None:
    path = cache_folder() / "sessions.db"
    assert ccbrowse("cache").text == f"{path} (empty)\n"
    ccbrowse("list", "--root", root)
    told = ccbrowse("cache").text
    assert told.startswith(f"{path} (") and "kB, 2 sessions, 0 with" in told
    [facts] = ccbrowse("cache", "--json").objects
    assert facts["path"] == str(path) and facts["rows"]["listings"] == 2 and facts["bytes"] > 0
    assert told.strip() in ccbrowse("doctor", "--root", root).text
    assert ccbrowse("doctor", "--json", "--root", root).objects[0]["cache"]["rows"]["listings"] == 2
    assert ccbrowse("cache", "clear").text.startswith("removed ")
    assert ccbrowse("cache", "clear").text == f"nothing to remove, {cache_folder()}\n"
    assert ccbrowse("cache", "clear", "--json").objects[0]["freed"] == 0
    assert ccbrowse("cache", "clean").code == 2


def test_a_cache_that_cannot_be_used_is_one_line(ccbrowse: CommandLine, root: Path) -> None:
    plain = ccbrowse("list", "--no-cache", "--root", root)
    cache_folder().mkdir(parents=True)
    path = cache_folder() / "sessions.db"
    path.mkdir()
    done = ccbrowse("list", "--root", root)
    assert (done.code, done.out) == (0, plain.out)
    assert done.complaint.startswith("ccbrowse: the cache cannot be used (")
    path.rmdir()
    path.write_bytes(b"nonsense" * 500)
    assert "cannot be used: file is not a database" in ccbrowse("cache").text
    done = ccbrowse("list", "--root", root)
    assert done.complaint == f"ccbrowse: the cache was damaged, {path}, it is made anew\n"
    assert ccbrowse("list", "--root", root).err == ""


def test_the_plain_mode_lists_from_it_too(
    ccbrowse: CommandLine, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def talk(*words: str) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
        return ccbrowse("--plain", *words, "--root", root).text

    first = talk("--no-cache")
    assert "Prompt 1111" in first and not cache_folder().exists()
    assert talk() == first
    monkeypatch.setattr(library, "Session", never)
    assert talk() == first
