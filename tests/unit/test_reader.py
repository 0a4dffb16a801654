"""What workers do for the screens: glimpses, previews, weights, words found, the library followed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from builders import (
    Call,
    DemoTree,
    SessionBuilder,
    Think,
    sampler,
    turn,
    write_demo,
    written,
)
from driving import NOW

from ccbrowse.core.errors import BadQuery
from ccbrowse.core.locate import session_file
from ccbrowse.core.numbers import Source
from ccbrowse.core.records import Kind
from ccbrowse.core.session import Session
from ccbrowse.tui.reader import find, library
from ccbrowse.tui.reader.branch import BranchReading
from ccbrowse.tui.reader.find import Spot, find_spots
from ccbrowse.tui.reader.library import LibraryReading, read_prompts
from ccbrowse.tui.reader.session import Reading
from ccbrowse.tui.reader.tail import TAIL, TailView
from ccbrowse.tui.reader.weigh import weigh_items
from ccbrowse.tui.viewmodels.finding import LITERAL, How
from ccbrowse.tui.viewmodels.lore import Lore
from ccbrowse.tui.viewmodels.source import SessionRows


def never() -> bool:
    return False


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> DemoTree:
    return write_demo(tmp_path_factory.mktemp("demo") / "projects", NOW)


@pytest.fixture
def rows(demo: DemoTree) -> Iterator[SessionRows]:
    """The rows of the largest session."""
    session = Session.open(demo.session("login").path)
    step = Reading(session).first().step
    assert step is not None
    yield SessionRows(session, step.items, Lore())
    session.close()


def found(reading: Reading, needle: str, how: How = LITERAL) -> list[Spot]:
    spots: list[Spot] = []
    for batch in find_spots(reading, needle, how, never):
        spots += batch.found
    return spots


def test_every_match_names_the_item_that_shows_it(demo: DemoTree, rows: SessionRows) -> None:
    reading = Reading(Session.open(demo.session("login").path))
    spots = found(reading, "ALL TESTS PASS")
    plain = {
        key
        for key in map(rows.key, range(len(rows)))
        if "all tests pass" in rows.text(key).casefold()
    }
    assert {spot.key for spot in spots} == plain and len(plain) > 2
    assert all("all tests pass" in spot.words.casefold() for spot in spots)
    assert found(reading, "no such words anywhere") == []
    assert found(reading, "ALL TESTS PASS", How(case=True)) == []
    assert len(found(reading, r"all tests? pass(ed)?\b", How(regex=True))) == len(spots)
    assert found(reading, "all tests pas", How(word=True)) == []
    with pytest.raises(BadQuery):
        found(reading, "(", How(regex=True))
    reading.close()


def test_what_stands_beside_the_line_is_counted_not_shown(tmp_path: Path) -> None:
    b = SessionBuilder("2.1.181", seed="beside", thinking_text=True)
    call = Call("Bash", {"command": "ls vole"}, "vole.txt", {})
    turn(b, "A vole", [call, Think("Is it a vole?")], say="Yes.")
    left = turn(b, "The vole is withdrawn", say="A vole.")
    b.rewind(left)
    turn(b, "On", say="No more.")
    reading = Reading(Session.open(written(b, tmp_path / "projects")))
    (batch,) = find_spots(reading, "vole", LITERAL, never)
    assert (len(batch.found), batch.beside, batch.done) == (4, 2, True)
    marks = [spot.key.partition("#")[2] for spot in batch.found]
    assert marks == ["", "0", "t", "0"], "prompt, call, thinking, the call's result"
    assert batch.found[1].key == batch.found[3].key and batch.found[1].row < batch.found[3].row
    reading.close()


def test_a_search_ends_when_told_to_and_comes_in_batches(
    demo: DemoTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading = Reading(Session.open(demo.session("login").path))
    assert list(find_spots(reading, "e", LITERAL, lambda: True)) == []
    monkeypatch.setattr(find, "BATCH_SECONDS", 0.0)
    batches = list(find_spots(reading, "all tests pass", LITERAL, never))
    assert len(batches) > 2
    assert [batch.done for batch in batches] == [False] * (len(batches) - 1) + [True]
    reading.close()


def test_items_are_weighed_calls_with_their_results(rows: SessionRows) -> None:
    keys = [rows.key(n) for n in range(40) if rows.is_weighed(n)]
    session = rows.bodies
    assert isinstance(session, Session)
    weights = {
        key: n for batch in weigh_items(session, rows, keys, never) for key, n in batch.items()
    }
    assert list(weights) == keys
    assert all(n.source is Source.ESTIMATE and n.value for n in weights.values())
    read = next(key for key in keys if "#0" in key and len(rows.rows_behind(key)) == 2)
    alone = session.measure.rows(rows.rows_behind(read)[:1], None, session.segments)
    assert (weights[read].value or 0) > alone.value
    assert list(weigh_items(session, rows, keys, lambda: True)) == []


def test_the_end_of_a_large_file_is_there_before_the_rest(tmp_path: Path) -> None:
    b = SessionBuilder("2.1.181", seed="large")
    b.prompt("x" * TAIL)
    for number in range(5):
        turn(b, f"Late {number}", say="Answer.")
    path = written(b, tmp_path / "projects")
    tail = TailView(path, path.stat().st_size)
    rows = SessionRows(tail, tail.step.items, Lore())
    whole = Session.open(path)
    step = Reading(whole).first().step
    assert step is not None
    late = SessionRows(whole, step.items, Lore())
    keys = [rows.key(number) for number in range(len(rows))]
    assert keys[-10:] == [late.key(n) for n in range(len(late) - 10, len(late))]
    assert rows.row(len(rows) - 1) == late.row(len(late) - 1)
    assert len(rows) < len(late)
    tail.close()
    whole.close()


def test_prompts_of_both_ends_are_read(demo: DemoTree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "_PREVIEW_BYTES", 60_000)
    login = demo.session("login")
    prompts = read_prompts(session_file(login.path))
    assert prompts.key == str(login.path)
    assert "refresh token" in prompts.first
    session = Session.open(login.path)
    last = max(row for row in range(len(session.index)) if session.index.kind[row] == Kind.PROMPT)
    assert prompts.last and prompts.last in " ".join(str(session.record(last)).split())
    session.close()
    cleared = read_prompts(session_file(demo.session("cleared").path))
    assert cleared.first and not cleared.last


def test_the_library_is_read_in_batches_and_followed(tmp_path: Path) -> None:
    root = tmp_path / "projects"
    tree = write_demo(root, NOW)
    reading = LibraryReading([root])
    batches = list(reading.scan(never))
    assert batches[-1].done and not batches[0].done
    assert sum(len(batch.listings) for batch in batches) == len(tree.sessions)
    assert list(reading.scan(lambda: True)) == []
    path = tree.session("theme").path
    with path.open("ab") as file:
        file.write(b'{"type":"custom-title","customTitle":"Renamed","sessionId":"x"}\n')
    for _ in range(2):  # the second time from the session that is kept open
        batch = reading.follow({path, path.parent, root / "nothing.txt"})
        assert [listing.title.text for listing in batch.listings] == ["Renamed"]
        assert batch.new == () and batch.gone == ()
    copy = path.with_name("11111111-2222-4333-8444-555555555555.jsonl")
    copy.write_bytes(path.read_bytes())
    assert len(reading.follow({copy}).new) == 1
    assert reading.follow({copy}).new == ()
    copy.unlink()
    assert reading.follow({copy}).gone == (str(copy),)
    assert reading.follow({copy}).gone == ()
    reading.close()


def test_only_so_many_sessions_are_kept_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "OPEN_SESSIONS", 2)
    tree = write_demo(tmp_path / "projects", NOW)
    reading = LibraryReading([tree.root])
    for session in tree.sessions[:5]:
        assert len(reading.follow({session.path}).listings) == 1
    assert len(reading._open) == 2
    reading.close()


def test_a_reading_closes_when_the_last_reader_has_gone(tmp_path: Path) -> None:
    session = Session.open(written(sampler("2.1.332"), tmp_path / "projects"))
    reading = Reading(session)
    reading.first()
    with reading.use() as first:
        assert first
        reading.close()
        assert session.record(0)
        with reading.use() as second:
            assert not second
    assert session._bodies._file is None


def test_a_branch_is_read_as_it_stood(tmp_path: Path) -> None:
    session = Session.open(written(sampler("2.1.332"), tmp_path / "projects"))
    reading = Reading(session)
    reading.first()
    branch = session.chain.branches[0]
    beside = BranchReading(reading, branch.leaf)
    news = beside.first()
    assert news.step is not None and branch.leaf in news.step.items.rows
    assert news.overview is not None and news.overview.segments == 0
    assert beside.look_closer() is None and not beside.is_followed
    beside.close()
    with reading.use() as is_open:
        assert is_open
    reading.close()


def test_findings_branches_and_subagents_take_a_closer_look(demo: DemoTree) -> None:
    session = Session.open(demo.session("uploads").path)
    reading = Reading(session)
    news = reading.first()
    assert news.step is not None
    closer = reading.look_closer()
    assert closer is not None
    assert sum(len(found) for found in closer.findings.values()) == 9
    assert closer.step.anew and len(closer.step.items) > len(news.step.items)
    assert len(closer.listed) > 9
    assert reading.look_closer() is None
    reading.close()
    session = Session.open(demo.session("login").path)
    reading = Reading(session)
    news = reading.first()
    closer = reading.look_closer()
    assert closer is not None
    assert len(closer.agents) == 4 and all(agent.messages for agent in closer.agents.values())
    assert closer.forks.rewinds == 2 and len(closer.forks.edited) == 1
    assert not closer.forks.waits
    reading.close()
