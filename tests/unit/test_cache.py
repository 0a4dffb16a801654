"""The cache of listings: what it says is what the files say, whatever became of them, or of itself."""

from __future__ import annotations

import os
import pickle
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from stat import S_IMODE
from typing import Any

import platformdirs
import pytest
from logs import Log
from msgspec.structs import replace

from ccbrowse.core import library as library_module
from ccbrowse.core.cache import Cache, cache_folder, clear, state
from ccbrowse.core.cache.maker import NOT_OF_IT
from ccbrowse.core.library import Library, Listing
from ccbrowse.core.listing import list_session, pack
from ccbrowse.core.locate import SessionFile
from ccbrowse.core.session import LIVE_FOR, Folder, Session

ONE = "11110000-0000-4000-8000-000000000001"
TWO = "22220000-0000-4000-8000-000000000002"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Two sessions of a project, one of another, and one that holds no message."""
    root = tmp_path / "projects"
    for name, project in ((ONE, "p"), (TWO, "p"), ("3333", "q")):
        session(name).write(root / project)
    empty = Log("empty")
    empty.side("mode", mode="plan")
    empty.write(root / "p")
    return root


def session(name: str, prompt: str = "Water the trees") -> Log:
    log = Log(name)
    log.user("u1", prompt, None)
    log.reply("a1", usage=(10, 20, 30, 40))
    return log


def agent(folder: Path, name: str, parent: str | None = None, owner: str = ONE) -> Path:
    """A subagent's file."""
    log = Log(owner)
    log.user(f"{name}-u", "Help", parent, isSidechain=True)
    path = folder / f"agent-{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(log.data())
    return path


def scanned(root: Path, folder: Path | None = None) -> list[Listing]:
    """All listings with the cache, as a new process would find them; trouble is none."""
    cache = Cache(folder, [root])
    found = list(Library([root], cache).scan())
    cache.close()
    assert cache.trouble is None
    return found


def fresh(root: Path) -> list[Listing]:
    return list(Library([root]).scan())


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the sessions that are read, in their order."""
    names: list[str] = []

    def counted(file: SessionFile, folder: Folder) -> Session:
        names.append(file.session_id)
        return Session(file, folder)

    monkeypatch.setattr(library_module, "Session", counted)
    return names


def test_what_has_not_changed_is_not_read_again(root: Path, reads: list[str]) -> None:
    first = scanned(root)
    assert len(first) == 3 and len(reads) == 4
    reads.clear()
    assert scanned(root) == first
    assert reads == []


def append(root: Path) -> None:
    with (root / "p" / f"{ONE}.jsonl").open("ab") as file:
        file.write(session("x").lines[0].replace(b'"u1"', b'"u2"') + b"\n")


def rewrite(root: Path) -> None:
    """The same size, another content and time."""
    path = root / "p" / f"{ONE}.jsonl"
    path.write_bytes(path.read_bytes().replace(b"Water the trees", b"Prune the roses"))
    os.utime(path, (1, 1))


def replace_file(root: Path) -> None:
    """Another file of the same size and time."""
    path = root / "p" / f"{ONE}.jsonl"
    status, new = path.stat(), path.with_suffix(".new")
    new.write_bytes(path.read_bytes().replace(b"Water the trees", b"Prune the roses"))
    os.utime(new, ns=(status.st_atime_ns, status.st_mtime_ns))
    new.rename(path)


def truncate(root: Path) -> None:
    path = root / "p" / f"{ONE}.jsonl"
    path.write_bytes(path.read_bytes()[:-5])


def begin_to_talk(root: Path) -> None:
    (root / "p" / "empty.jsonl").write_bytes(session("empty").data())


def name_beside(root: Path) -> None:
    side = root / "p" / ONE
    side.mkdir()
    (side / "custom-title.json").write_text('{"customTitle": "Named beside"}')


def call_subagent(root: Path) -> None:
    agent(root / "p" / ONE / "subagents" / "deep", "a7")


def call_subagent_of_old(root: Path) -> None:
    agent(root / "p", "a7")


CHANGES = (
    append,
    rewrite,
    replace_file,
    truncate,
    begin_to_talk,
    name_beside,
    call_subagent,
    call_subagent_of_old,
)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: str(change.__name__))
def test_a_change_is_seen_and_nothing_else_is_read(
    root: Path, reads: list[str], change: Callable[[Path], None]
) -> None:
    before = scanned(root)
    reads.clear()
    change(root)
    after = scanned(root)
    assert len(reads) == 1
    assert after == fresh(root) != before
    reads.clear()
    assert scanned(root) == after
    assert reads == []


def test_a_side_file_that_links_depend_on_is_watched(tmp_path: Path, reads: list[str]) -> None:
    log = session(ONE)
    log.user("u2", parent="in-the-side-file")
    log.write(tmp_path / "p")
    side = agent(tmp_path / "p" / ONE / "subagents", "a7")
    [before] = scanned(tmp_path)
    assert before.findings == 1
    head = Log(ONE)
    head.user("in-the-side-file", "Help", "a1", isSidechain=True)
    with side.open("ab") as file:
        file.write(head.data())
    [after] = scanned(tmp_path)
    assert after.findings == 0
    reads.clear()
    assert scanned(tmp_path) == [after] and reads == []


def test_side_files_that_nothing_depends_on_cost_no_reading(root: Path, reads: list[str]) -> None:
    side = agent(root / "p" / ONE / "subagents", "a7")
    before = scanned(root)
    reads.clear()
    with side.open("ab") as file:
        file.write(session("x").lines[1] + b"\n")
    assert scanned(root) == before == fresh(root)
    assert reads[:-4] == []


def test_another_session_that_holds_what_a_boundary_names_is_watched(tmp_path: Path) -> None:
    log = Log(ONE)
    log.user("u1", parent=None)
    log.boundary("B", "far")
    log.summary("s")
    log.write(tmp_path / "p")
    assert [each.findings for each in scanned(tmp_path)] == [1]
    other = session(TWO)
    other.user("far")
    other.write(tmp_path / "p")
    assert sorted(each.findings for each in scanned(tmp_path)) == [0, 0]
    assert scanned(tmp_path) == fresh(tmp_path)


def rows(table: str = "listings") -> int:
    return state().rows.get(table, 0)


def test_what_is_gone_leaves_and_what_cannot_be_looked_at_stays(root: Path, tmp_path: Path) -> None:
    scanned(root)
    assert rows() == 4
    (root / "p" / f"{ONE}.jsonl").unlink()
    assert len(scanned(root)) == 2 and rows() == 3
    (root / "q" / "3333.jsonl").unlink()
    assert len(scanned(root)) == 1 and rows() == 2
    root.rename(tmp_path / "away")
    assert scanned(root) == [] and rows() == 2
    (tmp_path / "away").rename(root)
    (root / "p").rename(tmp_path / "p")
    assert scanned(root) == [] and rows() == 0


def test_a_folder_that_cannot_be_listed_keeps_its_rows(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scanned(root)
    listed = os.scandir

    def refuse(folder: Path) -> object:
        if folder == root / "p":
            raise PermissionError(13, "Permission denied", str(folder))
        return listed(folder)

    monkeypatch.setattr(os, "scandir", refuse)
    assert len(scanned(root)) == 1
    assert rows() == 4


def test_the_rows_of_other_roots_stay(root: Path, tmp_path: Path) -> None:
    other = tmp_path / "projects-of-another"
    session("4444").write(other / "p")
    scanned(root)
    scanned(other)
    assert rows() == 5
    assert len(scanned(root)) == 3 and rows() == 5


def test_whether_a_session_is_live_is_told_by_the_clock_of_now(
    root: Path, monkeypatch: pytest.MonkeyPatch, reads: list[str]
) -> None:
    [*_, last] = scanned(root)
    reads.clear()
    for since, live in ((LIVE_FOR, True), (LIVE_FOR + 1, False)):
        monkeypatch.setattr(library_module, "now_ms", lambda since=since: last.updated + since)
        assert {each.live for each in scanned(root)} == {live}
    assert reads == []


def test_folder_and_files_are_the_owners_alone(root: Path, home: Path) -> None:
    before = os.umask(0)
    try:
        cache = Cache()
        list(Library([root], cache).scan())
        for path in (home / ".cache").rglob("*"):
            assert S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path
        assert {path.suffix for path in cache_folder().iterdir()} == {".db", ".db-wal", ".db-shm"}
        cache.close()
        cache_folder().chmod(0o755)
        cache.path.chmod(0o644)
        scanned(root)
        assert S_IMODE(cache_folder().stat().st_mode) == 0o700
        assert S_IMODE(cache.path.stat().st_mode) == 0o600
    finally:
        os.umask(before)


def test_messages_are_not_kept(tmp_path: Path) -> None:
    log = Log(ONE)
    log.user("u1", "Name it. " + "x" * 300 + " the secret word is quince", None)
    log.reply("a1", "The answer is damson.")
    log.result("r1", "call", text="a word beside: medlar")
    log.write(tmp_path / "p")
    scanned(tmp_path)
    data = b"".join(path.read_bytes() for path in cache_folder().iterdir())
    assert b"Name it." in data
    for word in (b"quince", b"damson", b"medlar"):
        assert word not in data


def test_what_is_gone_leaves_no_trace(root: Path) -> None:
    session("4444", "Find the medlars").write(root / "p")
    scanned(root)
    path = cache_folder() / "sessions.db"
    assert b"Find the medlars" in path.read_bytes()
    (root / "p" / "4444.jsonl").unlink()
    scanned(root)
    assert [each.name for each in cache_folder().iterdir()] == ["sessions.db"]
    assert b"Find the medlars" not in path.read_bytes()


def garbage(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 64)


def no_database(path: Path) -> None:
    path.write_bytes(b"hello" * 1000)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


def other_tables(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("DROP TABLE listings")
        db.execute("CREATE TABLE listings (something)")
        db.commit()


@pytest.mark.parametrize("damage", [garbage, no_database, cut, other_tables])
def test_a_broken_cache_is_made_anew_and_said_once(
    root: Path, damage: Callable[[Path], None], reads: list[str]
) -> None:
    scanned(root)
    path = cache_folder() / "sessions.db"
    damage(path)
    cache = Cache()
    assert list(Library([root], cache).scan()) == fresh(root)
    cache.close()
    assert cache.trouble == f"the cache was damaged, {path}, it is made anew"
    reads.clear()
    assert len(scanned(root)) == 3
    assert reads == []


@pytest.mark.parametrize("version", [0, 99])
def test_a_cache_of_another_version_is_made_anew_without_a_word(
    root: Path, version: int, reads: list[str]
) -> None:
    scanned(root)
    with closing(sqlite3.connect(cache_folder() / "sessions.db")) as db:
        db.execute("DROP TABLE agents")
        db.execute(f"PRAGMA user_version = {version}")
    reads.clear()
    assert scanned(root) == fresh(root)
    assert len(reads) == 8
    assert scanned(root) == fresh(root)
    assert len(reads) == 12


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("data", b"\xc1garbage"),
        ("data", pickle.dumps("a pickle")),
        ("data", "text"),
        ("around", b"?"),
        ("stamp", 7),
        ("checksum", 1),
        ("depends", 2),
    ],
)
def test_a_row_that_was_tampered_with_is_read_anew(root: Path, column: str, value: object) -> None:
    scanned(root)
    with closing(sqlite3.connect(cache_folder() / "sessions.db")) as db:
        db.execute(f"UPDATE listings SET {column} = ?", (value,))
        db.commit()
    assert scanned(root) == fresh(root)


def test_code_that_has_changed_believes_nothing(
    root: Path, monkeypatch: pytest.MonkeyPatch, reads: list[str]
) -> None:
    scanned(root)
    reads.clear()
    monkeypatch.setattr("ccbrowse.core.cache.stamps.maker", lambda: 1)
    scanned(root)
    assert len(reads) == 4


def test_the_code_that_is_looked_at_is_what_reads_sessions() -> None:
    code = "import sys, ccbrowse.core.library; print(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    rooms = {
        name.split(".")[2] for name in done.stdout.split() if name.startswith("ccbrowse.core.")
    }
    assert {"index", "chain", "records", "session", "listing"} <= rooms
    assert not rooms & NOT_OF_IT


@pytest.mark.parametrize("odd", [{"cwd": "lone \ud800 half"}, {"turns": 1 << 70}])
def test_what_cannot_be_packed_is_read_each_time(
    root: Path, monkeypatch: pytest.MonkeyPatch, reads: list[str], odd: dict[str, Any]
) -> None:
    monkeypatch.setattr(library_module, "list_session", lambda s: replace(list_session(s), **odd))
    found = scanned(root)
    assert pack(found[0]) is None
    assert scanned(root) == found
    assert len(reads) == 7


def test_a_path_that_is_no_utf8_is_kept(tmp_path: Path, reads: list[str]) -> None:
    folder = tmp_path / os.fsdecode(b"p\xff")
    session(ONE).write(folder)
    assert scanned(tmp_path) == scanned(tmp_path)
    assert len(reads) == 1


@pytest.mark.parametrize("kind", ["a file", "a folder", "a pipe", "a link"])
def test_where_there_can_be_no_cache_it_is_said_and_all_is_read(
    root: Path, tmp_path: Path, kind: str
) -> None:
    folder = tmp_path / "cache"
    if kind == "a file":
        folder.write_bytes(b"")
    else:
        folder.mkdir()
        path = folder / "sessions.db"
        if kind == "a folder":
            path.mkdir()
        elif kind == "a pipe":
            os.mkfifo(path)
        else:
            path.symlink_to(tmp_path / "elsewhere")
    for _ in range(2):
        cache = Cache(folder)
        assert list(Library([root], cache).scan()) == fresh(root)
        assert cache.trouble is not None and "\n" not in cache.trouble
        assert cache.trouble.startswith("the cache cannot be used (")
        cache.close()
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_said(root: Path, tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    folder.mkdir(mode=0o500)
    cache = Cache(folder)
    assert list(Library([root], cache).scan()) == fresh(root)
    assert cache.trouble is not None and "Permission denied" in cache.trouble


def test_nothing_is_written_below_a_root(root: Path, tmp_path: Path) -> None:
    for folder in (root / "cache", tmp_path / "link"):
        if folder.name == "link":
            folder.symlink_to(root)
        cache = Cache(folder, [root])
        assert list(Library([root], cache).scan()) == fresh(root)
        assert cache.trouble is not None and "a folder that is read" in cache.trouble
    assert not (root / "cache").exists()


def test_a_cache_that_another_holds_is_said_and_what_it_lacks_is_read(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scanned(root)
    monkeypatch.setattr("ccbrowse.core.cache.store.WAIT", 0.01)
    append(root)
    with closing(sqlite3.connect(cache_folder() / "sessions.db")) as other:
        other.execute("BEGIN IMMEDIATE")
        cache = Cache()
        assert list(Library([root], cache).scan()) == fresh(root)
        cache.close()
        assert cache.trouble is not None and "is in use by another program" in cache.trouble
    assert scanned(root) == fresh(root)


@pytest.mark.parametrize("named", [None, "", " ", "/somewhere"])
def test_it_lies_among_the_users_caches(monkeypatch: pytest.MonkeyPatch, named: str | None) -> None:
    if named is not None:
        monkeypatch.setenv("XDG_CACHE_HOME", named)
    assert cache_folder() == platformdirs.user_cache_path("ccbrowse")


def test_clearing_removes_the_files_and_tells_their_size(root: Path) -> None:
    assert clear() == 0
    scanned(root)
    assert state().bytes > 0
    (cache_folder() / "not ours").touch()
    assert clear() > 0
    assert [path.name for path in cache_folder().iterdir()] == ["not ours"]
    assert state().rows == {} and state().trouble is None
    assert len(scanned(root)) == 3


def test_the_state_of_a_cache_that_is_none_says_why(root: Path) -> None:
    scanned(root)
    no_database(cache_folder() / "sessions.db")
    assert state().trouble == "file is not a database"
