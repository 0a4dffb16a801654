"""The facade: a session opened, asked, followed and closed."""

from __future__ import annotations

from pathlib import Path

import pytest
from logs import SESSION, START, STEP, Log, Reading, call

from ccbrowse.core.errors import Gone, NoSuchSession
from ccbrowse.core.library import Listing, list_session
from ccbrowse.core.locate import session_file
from ccbrowse.core.session import LIVE_FOR, Folder, Session


@pytest.fixture
def log() -> Log:
    """Two segments, an arm beside the first."""
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", usage=(1, 2, 3, 4))
    log.system("x1")
    log.user("v1")
    log.user("u2", parent="x1")
    log.boundary("B1")
    log.summary("s1")
    return log


def test_a_session_is_opened_by_path_or_by_file(log: Log, tmp_path: Path) -> None:
    path = log.write(tmp_path / "p")
    for session in (
        Session.open(path),
        Session.open(session_file(path)),
        Session.open(path, tmp_path),
    ):
        assert session.session_id == SESSION
        assert session.messages == 4
        session.close()


def test_a_session_that_is_not_there_is_none(tmp_path: Path) -> None:
    with pytest.raises(NoSuchSession):
        Session.open(tmp_path / "none.jsonl")


def test_a_session_that_went_since_it_was_found_is_gone(log: Log, tmp_path: Path) -> None:
    file = session_file(log.write(tmp_path))
    file.path.unlink()
    with pytest.raises(Gone):
        Session.open(file)


def test_a_body_that_went_is_gone(log: Log, tmp_path: Path) -> None:
    session = Session.open(log.write(tmp_path))
    session.file.path.unlink()
    with pytest.raises(Gone):
        session.record(0)


def test_a_body_at_hand_outlives_its_file(read_log: Reading, log: Log) -> None:
    session = read_log(log)
    assert session.record(0)["uuid"] == "u1"
    session.file.path.unlink()
    assert session.record(1)["uuid"] == "a1"


def test_rows_belong_to_segments(read_log: Reading, log: Log) -> None:
    session = read_log(log)
    numbers = [session.segment_of(row) for row in range(len(session.index))]
    assert numbers == [1, 1, 1, None, 1, 2, 2]
    log.user("u3")
    log.write(session.file.folder)
    session.refresh()
    assert session.segment_of(7) == 2


@pytest.mark.parametrize("number", [0, 3, -1])
def test_a_segment_that_is_not_there_is_named_with_those_that_are(
    read_log: Reading, log: Log, number: int
) -> None:
    with pytest.raises(NoSuchSession, match="segments 1 to 2"):
        read_log(log).segment(number)


def test_a_session_without_segments_says_so(read_log: Reading) -> None:
    with pytest.raises(NoSuchSession, match="it has none"):
        read_log(Log()).segment(1)


def test_the_same_file_read_again_changes_nothing(read_log: Reading, log: Log) -> None:
    session = read_log(log)
    segments = session.segments
    change = session.refresh()
    assert (change.growth.value, change.first_new_row) == ("same", 7)
    assert session.segments is segments


def test_a_session_is_live_for_a_while_after_its_newest_record(read_log: Reading, log: Log) -> None:
    session = read_log(log)
    newest = START + 7 * STEP
    assert session.is_live(newest)
    assert session.is_live(newest + LIVE_FOR)
    assert not session.is_live(newest + LIVE_FOR + 1)
    assert not read_log(Log()).is_live(0)


def test_a_session_with_a_message_is_not_empty(read_log: Reading, log: Log) -> None:
    assert not read_log(log).is_empty
    only = Log()
    only.boundary("B1", None)
    only.system("x1")
    assert read_log(only).is_empty


def test_text_tokens_are_an_estimate_with_its_error(read_log: Reading) -> None:
    log = Log()
    log.user("u1", "one two three " * 200, None)
    log.reply("a1", "four five six " * 100, call("t1", "Bash", command="ls -l"), usage=(1, 1, 1, 1))
    log.user("u2", "more " * 100)
    session = read_log(log)
    tokens = session.text_tokens(session.segment(1))
    assert tokens.raw > 900
    assert tokens.value > tokens.raw
    assert 0 < tokens.error < 0.5
    assert session.text_tokens(session.segment(1)) == tokens


def test_the_window_is_that_of_the_model_that_replied_last(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    for number, model in enumerate(("claude-opus-4-8", "claude-sonnet-4-5")):
        log.reply(f"a{number}", model=model, usage=(1, 0, 0, 1))
    assert read_log(log).window.value == 200_000


def test_the_window_follows_a_model_that_comes_again(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    models = ("claude-opus-4-8", "claude-sonnet-4-5", "claude-opus-4-8")
    for number, model in enumerate(models):
        log.reply(f"a{number}", model=model, usage=(1, 0, 0, 1))
    assert read_log(log).window.value == 1_000_000


def test_a_record_without_a_uuid_is_not_in_the_chain(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", message="m1")
    log.row({"type": "assistant", "parentUuid": "a1", "message": {"id": "m1", "content": []}})
    log.user("u2", parent="a1")
    session = read_log(log)
    assert [session.index.uuids[row] for row in session.chain] == ["u1", "a1", "u2"]
    assert session.chain.off_chain == []


def test_a_listing_says_of_a_session_what_the_session_says(read_log: Reading, log: Log) -> None:
    log.side("custom-title", customTitle="Named")
    session = read_log(log)
    listing: Listing = list_session(session, now=START)
    assert listing.title == session.title
    assert listing.messages == session.messages == 4
    assert (listing.turns, listing.segments, listing.branches) == (2, 2, 1)
    assert listing.compactions == {"auto": 1, "manual": 0}
    assert (listing.started, listing.updated) == (START + STEP, START + 7 * STEP)
    assert listing.bytes == len(log.data())
    assert listing.context_now == session.context_now
    assert listing.usage == session.usage
    assert listing.fill == (6,)
    assert listing.findings == 0
    assert listing.live


def test_an_odd_trigger_is_counted_under_its_own_name(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.boundary("B1", trigger="idle")
    log.boundary("B2", metadata={})
    compactions = list_session(read_log(log)).compactions
    assert compactions == {"auto": 0, "manual": 0, "idle": 1, "unknown": 1}


def test_sessions_of_a_folder_share_what_is_around_them(log: Log, tmp_path: Path) -> None:
    path = log.write(tmp_path / "p")
    agent = Log("agent-old1")
    agent.user("x1", parent=None, isSidechain=True, sessionId=SESSION)
    agent.write(tmp_path / "p")
    folder = Folder(path.parent)
    session = Session(session_file(path), folder)
    assert session.folder is folder
    assert [a.agent_id for a in folder.agents_of(session.file)] == ["old1"]
    assert [a.agent_id for a in folder.listed_agents(session.file)] == ["old1"]
    assert folder.loose_agents is folder.loose_agents
