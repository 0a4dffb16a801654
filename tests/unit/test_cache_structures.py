"""Structures in the cache: a session opened from them is the one that its file holds, grown or not."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from builders import write_demo
from driving import NOW
from logs import Log

from ccbrowse.core.cache import Cache, cache_folder, open_session, state, structures
from ccbrowse.core.chain import Chain
from ccbrowse.core.index import IndexedFile, SessionIndex
from ccbrowse.core.index.requests import RequestTable
from ccbrowse.core.index.saving import LAYOUT
from ccbrowse.core.library import Library, list_session
from ccbrowse.core.locate import session_file, session_files
from ccbrowse.core.report import session_json
from ccbrowse.core.session import Session

Facts = dict[str, Any]

NOT_KEPT = {"_parsing", "_looked_at", "_largest", "_number", "_roots", "_missing", "_first_children",
            "_before_unseen", "_off_chain", "_branches", "around", "index", "links",
            "_hanging", "_climbed"}  # fmt: skip
"""What is worked out when it is asked for, is no fact, or tells of how the file came to grow."""


@pytest.fixture(autouse=True)
def every_session_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(structures, "LONG", 0)
    monkeypatch.setattr(structures, "WORTH", (1, 1 << 60))
    monkeypatch.setattr("ccbrowse.core.cache.listings.Listings.long", 0)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_demo(tmp_path_factory.mktemp("demo") / "projects", NOW).root


def opened(path: Path) -> tuple[Session, bool]:
    """A session by way of the cache, and whether it was worth keeping; it is kept then."""
    cache = Cache()
    session, opening = open_session(session_file(path), cache)
    assert opening is not None
    kept = opening.is_worth_keeping
    if kept:
        opening.keep()
    cache.close()
    assert cache.trouble is None
    session.close()
    return session, kept


def plain(value: object) -> object:
    """An object as what it holds, and all that it holds alike."""
    if isinstance(value, SessionIndex | RequestTable):
        assert len(value.time if isinstance(value, SessionIndex) else value) >= 0
        assert not isinstance(value, SessionIndex) or value.rows is not None
    if isinstance(value, SessionIndex | RequestTable | Chain) or type(value).__name__ in (
        "LineNumbers", "Links"):  # fmt: skip
        return {name: plain(each) for name, each in vars(value).items() if name not in NOT_KEPT}
    return value


def facts_of(session: Session, told: bool) -> Facts:
    """All that is known of a session: how it is held, and what is `told` of it."""
    index: Any = plain(session.index)
    index.pop("facts")  # cut to what a title shows
    return {
        "json": session_json(session, False) if told else None,
        "listing": list_session(session, 0),
        "findings": session.findings,
        "index": index,
        "chain": plain(session.chain),
        "links": plain(session.chain.links),
        "title": session.title,
        "position": (session.indexed._position, session.indexed._taken_tail),
    }


def same(session: Session, path: Path, told: bool = True) -> None:
    """Hold a session against one that was read from its file."""
    fresh = Session.open(path)
    found, truth = facts_of(session, told), facts_of(fresh, told)
    fresh.close()
    session.close()
    for name, value in truth.items():
        assert found[name] == value, name


def cuts(data: bytes) -> list[int]:
    """Places where a file's reader may have stopped: ends of lines, amid a line, before an LF, the end."""
    ends = [place + 1 for place, byte in enumerate(data) if byte == 10]
    return sorted({ends[0], ends[-1] - 40, ends[len(ends) // 2] - 1, ends[-3], len(data)})


def test_a_session_of_any_kind_is_the_same_from_the_cache_as_it_grows(
    demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for file in session_files(demo):
        data = file.path.read_bytes()
        for number, cut in enumerate(cuts(data)):
            if number:
                with file.path.open("ab") as grown:
                    grown.write(data[file.path.stat().st_size : cut])
            else:
                os.truncate(file.path, cut)
            session, _ = opened(file.path)
            same(session, file.path, told=False)
            with monkeypatch.context() as patch:
                patch.setattr(IndexedFile, "_read_from", None)  # it would have to read
                session, kept = opened(file.path)
            assert not kept
            same(session, file.path, told=cut == len(data))
        assert file.path.read_bytes() == data


def long_session(folder: Path, lines: int = 40) -> Path:
    log = Log()
    log.user("u0", "Name it. " + "x" * 300 + " the secret word is quince", None)
    for number in range(lines):
        log.reply(f"a{number}", f"damson {number}", usage=(number, 1, 1, 1))
        log.user(f"u{number + 1}", "medlar")
    log.boundary("B", kept=["a3", "u4"], metadata=None)
    log.summary("s")
    log.row({"type": "summary", "summary": "t" * 190 + " " + "z" * 300 + "sloe", "leafUuid": "s"})
    return log.write(folder)


def test_only_what_was_appended_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = long_session(tmp_path / "p")
    opened(path)
    before = path.stat().st_size
    more = Log()
    more.user("new", "Go on", "s")
    with path.open("ab") as file:
        file.write(more.data())
    starts: list[int] = []
    read = IndexedFile._read_from

    def noted(self: IndexedFile, offset: int) -> bool:
        starts.append(offset)
        return read(self, offset)

    monkeypatch.setattr(IndexedFile, "_read_from", noted)
    session, kept = opened(path)
    assert starts == [before] and kept
    monkeypatch.undo()
    same(session, path)


@pytest.mark.parametrize(
    "how", ["shorter", "other bytes", "as long", "boundary", "replaced", "gone beside"]
)
def test_another_file_is_read_anew(tmp_path: Path, how: str) -> None:
    path = long_session(tmp_path / "p")
    opened(path)
    data = path.read_bytes()
    if how == "shorter":
        path.write_bytes(data[: len(data) // 2])
    elif how == "other bytes":
        path.write_bytes(data.replace(b"medlar", b"cherry") + data[-500:])
    elif how == "as long":  # its first and last bytes are the same
        path.write_bytes(data.replace(b'"u9"', b'"v9"'))
    elif how == "boundary":
        [line] = [line for line in data.split(b"\n") if b"compact_boundary" in line]
        path.write_bytes(data.replace(line, b"{}".ljust(len(line))) + data.split(b"\n")[0] + b"\n")
    elif how == "replaced":
        path.with_suffix(".new").write_bytes(data.replace(b"medlar", b"cherry"))
        path.with_suffix(".new").rename(path)
    else:
        side = tmp_path / "p" / path.stem / "subagents"
        agent = Log()
        agent.user("x1", parent="u1", isSidechain=True)
        agent.write(side)
    session, _ = opened(path)
    same(session, path)


def test_growth_that_is_not_worth_it_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(structures, "WORTH", (1000, 1000))
    path = long_session(tmp_path / "p")
    assert [opened(path)[1] for _ in range(2)] == [True, False]
    with path.open("ab") as file:
        file.write(b'{"type":"mode","mode":"plan"}\n')
    assert not opened(path)[1]
    with path.open("ab") as file:
        file.write(b'{"type":"mode","mode":"plan"}\n' * 40)
    assert [opened(path)[1] for _ in range(2)] == [True, False]


def test_no_word_of_a_message_is_kept(tmp_path: Path) -> None:
    opened(long_session(tmp_path / "p"))
    data = b"".join(path.read_bytes() for path in cache_folder().iterdir())
    assert b"Name it." in data and b"msg_a1" in data
    for word in (b"quince", b"damson", b"medlar", b"sloe"):
        assert word not in data


@pytest.mark.parametrize(
    ("column", "value"),
    [("data", b"\xc1"), ("data", "text"), ("stamp", b"?"), ("checksum", 1), ("around", b"?")],
)
def test_a_structure_that_was_tampered_with_is_read_anew(
    tmp_path: Path, column: str, value: object
) -> None:
    path = long_session(tmp_path / "p")
    opened(path)
    with closing(sqlite3.connect(cache_folder() / "sessions.db")) as db:
        db.execute(f"UPDATE structures SET {column} = ?", (value,))
        db.commit()
    session, _ = opened(path)
    same(session, path)


def test_a_structure_of_another_machine_is_read_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = long_session(tmp_path / "p")
    monkeypatch.setattr(structures, "LAYOUT", "sideways")
    opened(path)
    monkeypatch.setattr(structures, "LAYOUT", LAYOUT)
    session, kept = opened(path)
    assert kept
    same(session, path)


def test_a_list_keeps_the_structures_of_long_sessions_and_grows_from_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = long_session(tmp_path / "p")
    for _ in range(2):
        cache = Cache()
        found = list(Library([tmp_path], cache).scan())
        cache.close()
        assert cache.trouble is None
        assert found == list(Library([tmp_path]).scan())
        with path.open("ab") as file:
            file.write(path.read_bytes().split(b"\n")[0].replace(b'"u0"', b'"z"') + b"\n")
    with monkeypatch.context() as patch:
        patch.setattr(IndexedFile, "_start_anew", None)
        session, _ = opened(path)
    same(session, path)
    path.unlink()
    (tmp_path / "p").rmdir()
    cache = Cache()
    assert list(Library([tmp_path], cache).scan()) == []
    assert cache.read("SELECT * FROM structures") == []
    cache.close()


@pytest.mark.parametrize("most", [0, 1 << 30])
def test_structures_wait_until_all_is_listed_but_not_too_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr("ccbrowse.core.cache.listings.PUT_OFF", most)
    long_session(tmp_path / "p")
    cache = Cache()
    assert len(list(Library([tmp_path], cache).scan())) == 1
    assert len(cache.read("SELECT name FROM structures")) == (0 if most else 1)
    cache.close()
    assert state().rows["structures"] == 1


def test_a_short_session_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(structures, "LONG", 1 << 20)
    cache = Cache()
    session, opening = open_session(session_file(long_session(tmp_path / "p")), cache)
    session.close()
    cache.close()
    assert opening is None and not cache_folder().exists()
