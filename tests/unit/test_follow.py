"""A session's news: one event for each message, boundary, arm and subagent; and what became of the file."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import pytest
from logs import SESSION, START, STEP, Log, call

from ccbrowse.core.follow import SHORT, Event, Follower
from ccbrowse.core.lines import Chunk, read_chunks
from ccbrowse.core.session import Session


class Followed:
    """A log, the session of its file, and its follower."""

    def __init__(self, folder: Path, log: Log, from_start: bool = False) -> None:
        self.log, self.folder = log, folder
        self.session = Session.open(log.write(folder))
        self.follower = Follower(self.session, from_start)

    def news(self) -> list[Event]:
        """Write what the log has gained, and look."""
        self.log.write(self.folder)
        return list(self.follower.poll())


@pytest.fixture
def followed(tmp_path: Path) -> Iterator[Followed]:
    log = Log()
    log.user("u1", "Go on", None)
    log.reply("a1", "Done.", usage=(1, 2, 3, 4))
    follower = Followed(tmp_path / "p", log)
    yield follower
    follower.session.close()


def test_what_was_there_is_no_news(followed: Followed) -> None:
    assert followed.news() == []


def test_from_the_start_all_is_news_once(tmp_path: Path) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1")
    followed = Followed(tmp_path, log, from_start=True)
    assert [event.uuid for event in followed.news()] == ["u1", "a1"]
    assert followed.news() == []
    followed.session.close()


def test_a_message_is_told_with_its_place_and_cost(followed: Followed) -> None:
    followed.log.user("u2", "words\n and   more " * 100)
    followed.log.reply("a2", "Said.", usage=(5, 0, 0, 6))
    first, second = followed.news()
    assert (first.event, first.role, first.usage) == ("message", "user", None)
    assert first.text.startswith("words and more words")
    assert len(first.text) == SHORT
    assert second.to_json() == {
        "event": "message",
        "session_id": SESSION,
        "uuid": "a2",
        "segment": 1,
        "line": 4,
        "timestamp": "2026-02-02T02:40:04.000Z",
        "role": "assistant",
        "text": "Said.",
        "usage": {
            "input_tokens": 5,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "output_tokens": 6,
            "requests": 1,
            "untrusted_output_requests": 0,
        },
    }
    assert second.time == START + 4 * STEP


def test_a_boundary_and_its_summary_open_a_segment(followed: Followed) -> None:
    followed.log.boundary("B1")
    followed.log.summary("s1")
    told = [(event.event, event.segment, event.role) for event in followed.news()]
    assert told == [("boundary", 2, None), ("message", 2, "user")]


def test_other_records_are_no_news(followed: Followed) -> None:
    followed.log.system("x1")
    followed.log.side("mode", mode="plan")
    followed.log.again(1)
    assert followed.news() == []


def test_a_subagent_within_the_file_is_told_once_and_not_its_messages(followed: Followed) -> None:
    followed.log.user("x1", parent=None, isSidechain=True)
    assert [(event.event, event.text) for event in followed.news()] == [("subagent", "x1")]
    followed.log.reply("x2", isSidechain=True)
    assert followed.news() == []


def test_an_arm_that_is_left_is_news(followed: Followed) -> None:
    followed.log.user("u2")
    followed.news()
    followed.log.user("u3", parent="a1")
    events = followed.news()
    assert [(event.event, event.uuid) for event in events] == [("message", "u3"), ("branch", "u2")]
    assert events[1].text == "edited_prompt, 1 messages"
    assert followed.news() == []


def test_an_arm_that_is_taken_up_again_leaves_another(followed: Followed) -> None:
    followed.log.user("u2")
    followed.log.user("u3", parent="a1")
    followed.news()
    followed.log.user("u4", parent="u2")
    told = [(event.event, event.uuid) for event in followed.news()]
    assert told == [("message", "u4"), ("branch", "u3")]


def test_a_subagent_is_news_when_its_file_comes(followed: Followed) -> None:
    agent = Log("agent-a7")
    agent.user("x1", parent=None, isSidechain=True)
    path = agent.write(followed.folder / SESSION / "subagents")
    path.with_name("agent-a7.meta.json").write_bytes(
        b'{"agentType":"Explore","description":"Look"}'
    )
    [event] = followed.news()
    assert (event.event, event.text) == ("subagent", "Explore Look a7")
    assert followed.news() == []


def test_a_file_that_is_gone_is_told_once(followed: Followed) -> None:
    followed.session.file.path.unlink()
    assert [event.event for event in followed.follower.poll()] == ["removed"]
    assert list(followed.follower.poll()) == []


def test_a_file_put_in_its_place_is_told_whole(followed: Followed) -> None:
    other = Log()
    other.user("v1", "Another", None)
    followed.log = other
    told = [(event.event, event.uuid) for event in followed.news()]
    assert told == [("reset", None), ("message", "v1")]
    other.reply("b1")
    assert [event.uuid for event in followed.news()] == ["b1"]


def test_a_call_and_its_result_are_told_in_words(followed: Followed) -> None:
    followed.log.reply("a2", call("t1", "Bash", command="ls"))
    followed.log.result("r1", "t1")
    texts: list[Any] = [event.text for event in followed.news()]
    assert texts == ['Bash {"command":"ls"}', "ok"]


@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_what_is_no_file_for_a_while_is_gone_and_then_new(followed: Followed, kind: str) -> None:
    """A pipe in its place must not be opened: that would wait for ever."""
    path = followed.session.file.path
    path.unlink()
    if kind == "folder":
        path.mkdir()
    else:
        os.mkfifo(path)
    assert [event.event for event in followed.follower.poll()] == ["removed"]
    assert list(followed.follower.poll()) == []
    if kind == "folder":
        path.rmdir()
    else:
        path.unlink()
    followed.log.user("u2")
    followed.log.lines[0] = followed.log.lines[0].replace(b"Go on", b"No go")
    told = followed.news()
    assert told[0].event == "reset"
    assert [event.uuid for event in told[1:]] == ["u1", "a1", "u2"]


def test_after_an_error_in_the_middle_all_is_read_anew_and_nothing_told_twice(
    followed: Followed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that fails in the middle of what is new: the next look that succeeds has it all, once."""
    followed.log.user("u2")
    followed.log.user("u3")
    followed.log.write(followed.folder)
    before = list(followed.session.chain)

    def failing(file: BinaryIO, start: int) -> Iterator[Chunk]:
        for chunk in read_chunks(file, start):  # type: ignore[arg-type]  # an open file
            yield chunk
            raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr("ccbrowse.core.index.growing.read_chunks", failing)
        for _ in range(2):
            with pytest.raises(OSError, match="Input/output"):
                list(followed.follower.poll())
            assert list(followed.session.chain) == before
    told = [(event.event, event.uuid) for event in followed.follower.poll()]
    assert told == [
        ("reset", None),
        *(("message", uuid) for uuid in ("u1", "a1", "u2", "u3")),
    ]
    uuids = followed.session.index.uuids
    assert list(uuids) == ["u1", "a1", "u2", "u3"]
    assert list(followed.follower.poll()) == []


def test_a_record_that_cannot_be_read_is_passed_over(
    followed: Followed, monkeypatch: pytest.MonkeyPatch
) -> None:
    for uuid in ("u2", "u3", "u4"):
        followed.log.user(uuid)
    followed.log.write(followed.folder)
    record = Session.record

    def failing(session: Session, row: int) -> Mapping[str, Any]:
        if row == 3:
            raise OSError(errno.EIO, "Input/output error")
        return record(session, row)

    told: list[str | None] = []
    monkeypatch.setattr(Session, "record", failing)
    with pytest.raises(OSError, match="Input/output"):
        for event in followed.follower.poll():
            told.append(event.uuid)
    assert told == ["u2"]
    assert [event.uuid for event in followed.follower.poll()] == ["u4"]


def test_a_prompt_queued_while_the_client_worked_is_a_message(followed: Followed) -> None:
    followed.log.attachment("q1", type="queued_command", prompt="And this", commandMode="prompt")
    followed.log.attachment("x1")
    [event] = followed.news()
    assert (event.event, event.uuid, event.role, event.text) == (
        "message",
        "q1",
        "user",
        "And this",
    )
    assert (event.segment, event.line) == (1, 3)
