"""The desk that works out compactions: what it keeps, when it reads anew, how it is stopped."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import lossy
import pytest
from builders import OPENING, turn

from ccbrowse.core.errors import NoSuchSession
from ccbrowse.core.locate import session_file
from ccbrowse.core.session import Session
from ccbrowse.tui.reader import compaction as reader
from ccbrowse.tui.reader.compaction import Desk, Stopped
from ccbrowse.tui.reader.requests import Stands


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The session whose losses are known."""
    return lossy.write(tmp_path / "projects")


@pytest.fixture
def desk(path: Path) -> Iterator[Desk]:
    """A desk over it."""
    given = Session(session_file(path))
    made = Desk(given)
    yield made
    made.close()
    given.close()


def never() -> bool:
    """Nobody wants it to end."""
    return False


def test_results_are_kept_while_the_file_stays_the_same(desk: Desk) -> None:
    found = desk.loss(1, never)
    assert desk.figures(1, never) is desk.figures(1, never)
    assert desk.loss(1, never).loss is found.loss
    assert desk.requests(1, never) is desk.requests(1, never)
    assert desk.requests(2, never) is not desk.requests(1, never)


def test_figures_are_read_anew_when_the_file_grew_losses_are_not(path: Path) -> None:
    b = lossy.build()
    path = b.write(path.parent.parent / "other" / "projects")
    desk = Desk(Session(session_file(path)))
    found = desk.loss(1, never)
    turn(b, "Go on", say="On.")
    b.compact(f"{OPENING}\n\nOn it went.")
    with path.open("ab") as file:
        file.write(b.data())
    again = desk.loss(1, never)
    assert again is not found and again.loss is found.loss
    assert desk.figures(3, never).number == 3
    desk.close()
    desk.given.close()


def test_another_file_in_its_place_is_another_session(desk: Desk, path: Path) -> None:
    found = desk.loss(1, never)
    other = lossy.build("2.1.181").write(path.parent.parent.parent / "other" / "projects")
    path.write_bytes(other.read_bytes().replace(b"auditors", b"surveyors"))
    again = desk.loss(1, never)
    assert found.loss is not None and again.loss is not None
    assert any("surveyors" in item.label for item in again.loss.items)


def test_it_tells_how_far_it_is(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "_LET_OTHERS", (0.0, 0.0))
    shares: list[float] = []
    desk.loss(1, never, shares.append)
    assert len(shares) > 5 and shares == sorted(shares)
    assert 0 < shares[0] < 0.2 and shares[-1] <= 0.99


def test_it_stops_at_the_next_record(desk: Desk) -> None:
    desk.figures(1, never)
    asked = 0

    def soon() -> bool:
        nonlocal asked
        asked += 1
        return asked > 6

    with pytest.raises(Stopped):
        desk.loss(1, soon)
    assert asked == 7
    assert desk.loss(1, never).loss is not None


def test_a_closed_desk_gives_nothing_up_but_works_no_more(desk: Desk) -> None:
    desk.figures(1, never)
    desk.close()
    with pytest.raises(Stopped):
        desk.figures(1, never)


def test_a_number_that_is_not_there_is_an_error(desk: Desk) -> None:
    with pytest.raises(NoSuchSession, match="compactions 1 to 2"):
        desk.figures(3, never)


def test_messages_know_whether_they_stand_on_the_other_side(desk: Desk) -> None:
    requests = desk.requests(1, never)
    assert requests.before is not None and requests.after is not None
    said = [str(each.message["content"]) for each in requests.after.messages]
    by_words = dict(zip(said, requests.after.messages, strict=True))
    kept = next(each for words, each in by_words.items() if "k = 1" in words)
    assert kept.stands is Stands.WHOLE and kept.twin is not None
    assert requests.before.messages[kept.twin].message == kept.message
    last = next(each for words, each in by_words.items() if "One key, unused." in words)
    assert last.stands is Stands.WHOLE and last.twin is None  # the reply: in no request before
    summary = requests.after.messages[0]
    assert summary.stands is Stands.NOT and lossy.TOLD in said[0]
    assert all(each.bytes > 0 for each in requests.before.messages)
    assert sum(each.stands is not Stands.NOT for each in requests.before.messages) == 2


def test_entries_of_logs_are_named_by_their_number(desk: Desk, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(
        '{"messages":[{"role":"user","content":"a"}]}\n{"messages":[{"role":"user","content":"b"}]}\n',
        encoding="utf-8",
    )
    found = desk.captured(f"{log}#2", 1, never)
    assert found.capture.messages[0]["content"] == "b" and found.payload is None
    assert desk.capture == f"{log}#2"
    odd = tmp_path / "one#2"
    odd.write_text('{"messages":[{"role":"user","content":"c"}]}', encoding="utf-8")
    assert desk.captured(str(odd), 1, never).capture.messages[0]["content"] == "c"
