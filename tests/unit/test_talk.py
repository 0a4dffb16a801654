"""The talk index: what it knows of files as they come, grow, change and go; and that no hit is lost."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from stat import S_IMODE

import pytest
from logs import Log, call

from ccbrowse.core.cache import Cache, clear, state
from ccbrowse.core.library import Library
from ccbrowse.core.query import Query
from ccbrowse.core.search import ALL_FIELDS, Field, Hit, newest_first, parse_query, search_sessions
from ccbrowse.core.search import engine as engine_module
from ccbrowse.core.search import one as one_module
from ccbrowse.core.search import scan as scan_module
from ccbrowse.core.search.known import Known
from ccbrowse.core.session import Session
from ccbrowse.core.talk import Talk, fill, triples
from ccbrowse.core.talk import store as store_module
from ccbrowse.core.talk.words import extract

ONE, TWO = "11110000-0000-4000-8000-000000000001", "22220000-0000-4000-8000-000000000002"
TALK = frozenset({Field.USER, Field.ASSISTANT, Field.SUMMARY, Field.TITLE})


def session(name: str, prompt: str = "Where does the badger live?", own: str = "") -> Log:
    """A prompt, a reply with a call, its result, another prompt, and a name; `own` begins its uuids."""
    own = own or name[0]
    log = Log(name)
    log.user(f"{own}u1", prompt, None)
    log.reply(f"{own}a1", "In a sett, says the otter", call(f"{own}c1", command="echo badger"))
    given = {"type": "tool_result", "tool_use_id": f"{own}c1", "content": "badger"}
    log.user(f"{own}r1", [given])
    log.user(f"{own}u2", [{"type": "text", "text": 'A "quoted\\path"\nand Straße'}])
    log.side("custom-title", customTitle="All about mustelids", sessionId=name)
    return log


@dataclass
class Place:
    """A root with two sessions, and a folder for the caches of it."""

    root: Path
    folder: Path

    @property
    def one(self) -> Path:
        return self.root / "p" / f"{ONE}.jsonl"

    def listed(self) -> Library:
        """List all, as the indexer does it."""
        cache = Cache(self.folder, [self.root])
        library = Library([self.root], cache, placing=True)
        list(library.scan())
        cache.close()
        return library

    def filled(self) -> Talk:
        """List all, and bring the index up to date."""
        placed = self.listed().placed
        talk = Talk(self.folder, [self.root])
        fill(talk, Cache(self.folder, [self.root]), [self.root], placed)
        return talk

    def hits(self, text: str, *, known: bool = True, fields: frozenset[Field] = TALK) -> list[Hit]:
        """A search with what the caches know, or without."""
        knows = Known(Cache(self.folder, [self.root]), Talk(self.folder, [self.root]))
        files = newest_first(Library([self.root]).files(), knows if known else None)
        query = Query((), ((None, text),))
        return list(search_sessions(query, files, fields=fields, known=knows if known else None))

    def check(self, *texts: str) -> None:
        """Both searches find the same."""
        for text in texts:
            for fields in (TALK, ALL_FIELDS):
                plain = self.hits(text, known=False, fields=fields)
                assert self.hits(text, fields=fields) == plain, text


@pytest.fixture
def place(tmp_path: Path) -> Place:
    root = tmp_path / "projects"
    for name in (ONE, TWO):
        session(name).write(root / "p")
    helper = Log(ONE)
    helper.user("h1", "Look for the ferret", None, isSidechain=True, agentId="h")
    agent = root / "p" / ONE / "subagents" / "agent-h.jsonl"
    agent.parent.mkdir(parents=True)
    agent.write_bytes(helper.data())
    return Place(root, tmp_path / "cache")


WORDS = (
    "badger",
    "BADGER",
    "otter",
    "ferret",
    "mustelid",
    'a "quoted\\p',
    "STRASSE",
    "xyzzy",
    "ot",
)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sessions that are read whole."""
    names: list[str] = []

    def counted(*words: object) -> Session:
        names.append(str(words[0]))
        return Session(*words)  # type: ignore[arg-type]  # handed through

    monkeypatch.setattr(one_module, "Session", counted)
    return names


@pytest.fixture
def scanned(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, object]]:
    """The files that are looked through, and the parts of them."""
    found: list[tuple[str, object]] = []
    real = scan_module.candidates

    def counted(path: str, spelling: object, cancelled: object, parts: object = None) -> object:
        found.append((Path(path).name, parts))
        return real(path, spelling, cancelled, parts)  # type: ignore[arg-type]  # handed through

    monkeypatch.setattr(one_module, "candidates", counted)
    return found


def test_a_search_of_what_was_said_reads_only_the_parts_that_can_hold_it(
    place: Place, opened: list[str], scanned: list[tuple[str, object]]
) -> None:
    place.filled()
    assert place.hits("xyzzy") == []
    assert scanned == []
    assert [hit.agent_id for hit in place.hits("ferret")] == ["h"]
    assert [name for name, _ in scanned] == ["agent-h.jsonl"]
    scanned.clear()
    hits = place.hits("otter")
    assert [(hit.uuid, hit.line, hit.segment) for hit in hits] == [("2a1", 2, 1), ("1a1", 2, 1)]
    assert all(parts for _, parts in scanned)
    assert opened == [], "nothing was read whole to place the hits"
    place.check(*WORDS)


def test_hits_in_everything_are_placed_without_reading_sessions_whole(
    place: Place, opened: list[str]
) -> None:
    place.filled()
    hits = place.hits("badger", fields=ALL_FIELDS)
    assert [hit.field for hit in hits] == [Field.USER, Field.TOOL, Field.RESULT] * 2
    assert opened == []


def grow(place: Place) -> None:
    log = session(ONE)
    log.user("u3", "A marten came")
    place.one.write_bytes(log.data())


def half(place: Place) -> None:
    """Half of a record more: an unfinished line."""
    with place.one.open("ab") as file:
        file.write(b'{"type":"user","uuid":"u9","message":{"role":"user","content":"marten"}')


def whole_tail(place: Place) -> None:
    log = session(ONE)
    log.user("u3", "A marten came")
    place.one.write_bytes(log.data()[:-1])


def rewrite(place: Place) -> None:
    place.one.write_bytes(session(ONE, "A marten asks").data())
    os.utime(place.one, (1, 1))


def shrink(place: Place) -> None:
    place.one.write_bytes(place.one.read_bytes()[:300])


def remove(place: Place) -> None:
    place.one.unlink()


def another_file(place: Place) -> None:
    """Another file of the same size and time in its place."""
    status, new = place.one.stat(), place.one.with_suffix(".new")
    new.write_bytes(place.one.read_bytes().replace(b"otter", b"marte"))
    os.utime(new, ns=(status.st_atime_ns, status.st_mtime_ns))
    new.rename(place.one)


def new_session(place: Place) -> None:
    session("3333", "A marten is new").write(place.root / "q")


def new_agent(place: Place) -> None:
    log = Log(TWO)
    log.user("h1", "The marten helps", None, isSidechain=True, agentId="n")
    agent = place.root / "p" / TWO / "subagents" / "agent-n.jsonl"
    agent.parent.mkdir(parents=True)
    agent.write_bytes(log.data())


def new_name(place: Place) -> None:
    folder = place.root / "p" / TWO
    folder.mkdir()
    (folder / "custom-title.json").write_text('{"customTitle": "The marten"}')


def copy(place: Place) -> None:
    """A fork that begins with the records of another session."""
    fork = session("4444", own="1")
    fork.user("f1", "The marten forks")
    fork.write(place.root / "p")


CHANGES = [
    *(grow, half, whole_tail, rewrite, shrink, remove, another_file),
    *(new_session, new_agent, new_name, copy),
]


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_becomes_of_the_files_no_hit_is_lost(
    place: Place, change: Callable[[Place], None]
) -> None:
    place.filled()
    change(place)
    place.check(*WORDS, "marten", "marte")
    place.filled()
    place.check(*WORDS, "marten", "marte")
    place.listed()
    place.check("marten", "otter")


def test_a_line_that_was_half_there_is_found_when_it_is_whole(place: Place) -> None:
    place.one.write_bytes(session(ONE).data())
    half(place)
    place.filled()
    with place.one.open("ab") as file:
        file.write(b"}\n")
    place.check("marten")
    place.filled()
    place.check("marten")


def test_of_a_file_that_grew_only_the_end_is_read(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.filled()
    size = place.one.stat().st_size
    grow(place)
    starts: list[int] = []
    monkeypatch.setattr(
        "ccbrowse.core.talk.filling.extract",
        lambda path, start: starts.append(start) or extract(path, start),  # type: ignore[func-returns-value]  # None, so the other
    )
    talk = place.filled()
    assert starts == [size]
    assert talk.covered(["marten"]).parts(str(place.one)) == [(size, place.one.stat().st_size)]
    place.filled()
    assert len(starts) == 1, "nothing has changed since"


def rows(place: Place, sql: str) -> int:
    with closing(sqlite3.connect(place.folder / "talk.db")) as db:
        return int(db.execute(sql).fetchone()[0])


def test_what_is_gone_is_forgotten_but_not_what_cannot_be_seen(place: Place) -> None:
    place.filled().close()
    assert rows(place, "SELECT count(*) FROM files") == 3
    hidden = place.root.rename(place.root.with_name("away"))
    place.filled().close()
    assert rows(place, "SELECT count(*) FROM files") == 3, "the root cannot be read"
    hidden.rename(place.root)
    place.one.unlink()
    place.filled().close()
    one = "WHERE CAST(path AS TEXT) LIKE '%/1111%'"
    assert rows(place, f"SELECT count(*) FROM files {one}") == 1, (
        "the subagent's file is there still"
    )
    assert rows(place, f"SELECT count(*) FROM looks {one}") == 0
    assert rows(place, f"SELECT count(*) FROM places {one}") == 0
    assert rows(place, "SELECT count(*) FROM places") == 1


def test_blocks_that_are_gone_do_not_pile_up(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "_FEW", 3)
    for turn in range(6):
        place.one.write_bytes(session(ONE, f"Turn number{turn}").data())
        os.utime(place.one, (turn + 1, turn + 1))
        place.filled().close()
        place.check(f"number{turn}", "otter")
    assert rows(place, "SELECT seq FROM sqlite_sequence") <= 7
    assert rows(place, "SELECT count(*) FROM blocks") == 3


def test_no_message_can_be_read_in_it_and_nobody_else_may(place: Place) -> None:
    place.filled().close()
    files = [path for path in place.folder.iterdir() if path.name.startswith("talk.db")]
    assert files
    for path in files:
        data = path.read_bytes()
        assert b"badger live" not in data and b"mustelids" not in data.replace(b"about mus", b"")
        assert S_IMODE(path.stat().st_mode) == 0o600


def test_two_that_fill_it_at_once_lose_nothing_and_add_nothing_twice(place: Place) -> None:
    place.filled().close()
    grow(place)
    path = os.fsencode(place.one)
    first, second = (Talk(place.folder, [place.root]) for _ in range(2))
    before = first.positions()[path][1]
    new = extract(str(place.one), before.offset)
    first.keep([(path, before, new)])
    second.keep([(path, before, new)])
    second.keep([(path, None, extract(str(place.one)))])
    first.keep([(path, before, new)])
    assert first.trouble is None and second.trouble is None
    assert rows(place, "SELECT count(*) FROM blocks") == 3
    place.check(*WORDS, "marten")


def test_a_full_disk_is_one_line_and_searches_go_on(place: Place) -> None:
    many = " ".join(f"{number * 7919 % 99991:x}q" for number in range(9000))
    session("5555", many).write(place.root / "p")
    talk = Talk(place.folder, [place.root])
    assert talk.usable
    talk.read("PRAGMA max_page_count = 1")  # as many as there are
    place.listed()
    fill(talk, Cache(place.folder, [place.root]), [place.root])
    assert talk.trouble is not None and "cannot be written" in talk.trouble
    assert talk.trouble.count("\n") == 0
    place.check(*WORDS)


def test_a_damaged_index_is_made_anew(place: Place) -> None:
    place.filled().close()
    (place.folder / "talk.db").write_bytes(b"nonsense" * 1000)
    place.check(*WORDS)
    talk = place.filled()
    assert talk.trouble is None
    assert place.hits("xyzzy") == [] and talk.covered(["otter"])


def test_odd_rows_are_no_harm(place: Place) -> None:
    place.filled().close()
    with closing(sqlite3.connect(place.folder / "talk.db")) as db:
        db.execute("UPDATE files SET stamp = x'00'")
        db.execute("UPDATE places SET data = x'c1'")
        db.execute("UPDATE looks SET newest = 'soon'")
        db.execute("UPDATE blocks SET start = 'here' WHERE id = 1")
        db.commit()
    place.check(*WORDS)


def test_a_folder_that_cannot_be_used_is_done_without(place: Place) -> None:
    place.folder.write_text("a file is in its way")
    place.check(*WORDS)
    talk = Talk(place.folder, [place.root])
    fill(talk, Cache(place.folder, [place.root]), [place.root])
    assert talk.trouble is not None and "talk.db" in talk.trouble


def test_it_is_cleared_and_counted_with_the_cache(place: Place) -> None:
    place.filled().close()
    size = (place.folder / "talk.db").stat().st_size
    assert state(place.folder).bytes >= size
    clear(place.folder)
    assert not place.folder.exists()


def test_a_session_is_judged_by_its_conditions_from_the_cache(
    place: Place, opened: list[str]
) -> None:
    place.filled()
    knows = Known(Cache(place.folder, [place.root]), Talk(place.folder, [place.root]))
    files = Library([place.root]).files()
    query = parse_query("otter messages>3")
    assert len(list(search_sessions(query, files, fields=TALK, known=knows))) == 2
    assert not list(
        search_sessions(parse_query("otter messages>9"), files, fields=TALK, known=knows)
    )
    assert opened == []


def test_talk_is_a_scope_of_its_own(place: Place) -> None:
    place.filled()
    knows = Known(Cache(place.folder, [place.root]), Talk(place.folder, [place.root]))
    files = newest_first(Library([place.root]).files())
    for known in (None, knows):
        hits = list(search_sessions(parse_query("talk:badger"), files, known=known))
        assert [hit.field for hit in hits] == [Field.USER] * 2
        titles = list(search_sessions(parse_query("talk:mustelids"), files, known=known))
        assert [hit.field for hit in titles] == [Field.TITLE] * 2


def test_triples_of_words() -> None:
    assert triples("The  Sea") == ["the", "sea"]
    assert triples("a b") == [] and triples("ab") == []
    assert triples("Straße") == ["str", "tra", "ras", "ass", "sse"]
    assert triples("x\0yza") == ["yza"]
    assert triples("\ud800abc") == ["abc"]
    assert len(triples("abcdefghij" * 20 + "klmnopqrstuvwxyz0123456789")) == 24


def test_a_word_that_stands_nowhere_is_not_looked_for_in_sessions_at_all(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.filled()
    names: list[str] = []
    real = one_module.OneSession

    def counted(file: object, *words: object) -> object:
        names.append(getattr(file, "session_id", ""))
        return real(file, *words)  # type: ignore[arg-type]  # handed through

    monkeypatch.setattr(engine_module, "OneSession", counted)
    place.hits("xyzzy")
    assert names == [ONE], "only the one with files beside it"
