"""Usage over many files: each request once, under the file, project, day or model that it belongs to."""

from __future__ import annotations

from datetime import timedelta, timezone
from pathlib import Path

import pytest
from logs import START, Log

from ccbrowse.core.session import Session
from ccbrowse.core.totals import By, Source, source_of, totals


def source(log: Log, folder: Path) -> Source:
    """The requests of a log."""
    session = Session.open(log.write(folder))
    found = source_of(session)
    session.close()
    return found


def session(
    name: str, *requests: tuple[str, int], cwd: str = "/home/robin/api", later: int = 0
) -> Log:
    """A session with requests: message ids and input tokens."""
    log = Log(name)
    log.time = START + later
    log.user(f"{name}-u", parent=None, cwd=cwd)
    for message, tokens in requests:
        log.reply(f"{name}-{message}", message=message, usage=(tokens, 0, 0, 1), cwd=cwd)
    return log


def sums(sources: list[Source], by: By) -> dict[str, tuple[int, int, int]]:
    """Input tokens, requests and sessions by group."""
    return {
        total.key: (total.usage.input_tokens, total.usage.requests, total.sessions)
        for total in totals(sources, by)
    }


@pytest.fixture
def sources(tmp_path: Path) -> list[Source]:
    """A session, another that holds a request of it, and one of another project."""
    logs = (
        session("two", ("m2", 20), ("m1", 10), later=5000),
        session("one", ("m1", 10)),
        session("three", ("m3", 40), cwd="/home/robin/web"),
    )
    return [source(log, tmp_path) for log in logs]


def test_a_request_of_two_files_belongs_to_the_older_session(sources: list[Source]) -> None:
    assert sums(sources, By.SESSION) == {"one": (10, 1, 1), "two": (20, 1, 1), "three": (40, 1, 1)}
    assert sums(sources[::-1], By.SESSION) == sums(sources, By.SESSION)


def test_a_project_is_the_sum_over_its_sessions(sources: list[Source]) -> None:
    assert sums(sources, By.PROJECT) == {"api": (30, 2, 2), "web": (40, 1, 1)}


def test_a_model_is_the_sum_over_its_requests(tmp_path: Path) -> None:
    log = Log("one")
    log.user("u1", parent=None)
    log.reply("a1", model="opus", usage=(1, 0, 0, 0))
    log.reply("a2", model="sonnet", usage=(2, 0, 0, 0))
    log.linked("assistant", "a3", message={"id": "m3", "usage": {"input_tokens": 4}})
    assert sums([source(log, tmp_path)], By.MODEL) == {
        "opus": (1, 1, 1),
        "sonnet": (2, 1, 1),
        "unknown": (4, 1, 1),
    }


@pytest.mark.parametrize(
    ("hours", "days"),
    [(0, ["2026-03-04"]), (-8, ["2026-03-03"]), (9, ["2026-03-04"])],
)
def test_a_day_is_that_of_the_users_zone(tmp_path: Path, hours: int, days: list[str]) -> None:
    log = Log("one")
    log.user("u1", parent=None)
    log.reply("a1", usage=(1, 0, 0, 1), timestamp="2026-03-04T05:21:00.000Z")
    zone = timezone(timedelta(hours=hours))
    found = totals([source(log, tmp_path)], By.DAY, zone)
    assert [total.key for total in found] == days


def test_each_request_stands_under_its_own_day(tmp_path: Path) -> None:
    log = Log("one")
    log.user("u1", parent=None)
    log.reply("a1", usage=(1, 0, 0, 1), timestamp="2026-03-04T23:59:00.000Z")
    log.reply("a2", usage=(2, 0, 0, 1), timestamp="2026-03-05T00:01:00.000Z")
    log.reply("a3", usage=(4, 0, 0, 1), timestamp=None)
    assert sums([source(log, tmp_path)], By.DAY) == {
        "2026-03-04": (1, 1, 1),
        "2026-03-05": (2, 1, 1),
        "unknown": (4, 1, 1),
    }


def test_a_marked_copy_belongs_to_the_session_that_it_was_copied_from(tmp_path: Path) -> None:
    fork = Log("a-fork")
    origin = {"sessionId": "z-original", "messageUuid": "z-original-m1"}
    fork.user("f1", parent=None, forkedFrom={**origin, "messageUuid": "z-original-u"})
    fork.reply("f2", message="m1", usage=(10, 0, 0, 1), forkedFrom=origin)
    fork.reply("f3", message="m9", usage=(1, 0, 0, 1))
    original = session("z-original", ("m1", 10), later=9000)
    found = sums([source(fork, tmp_path), source(original, tmp_path)], By.SESSION)
    assert found == {"a-fork": (1, 1, 1), "z-original": (10, 1, 1)}


def test_a_copy_whose_original_is_gone_still_counts(tmp_path: Path) -> None:
    fork = Log("a-fork")
    origin = {"sessionId": "gone", "messageUuid": "x"}
    fork.reply("f1", parent=None, usage=(10, 0, 0, 1), forkedFrom=origin)
    assert sums([source(fork, tmp_path)], By.SESSION) == {"a-fork": (10, 1, 1)}


def test_subagents_count_under_their_session_and_compactions_copies_do_not(tmp_path: Path) -> None:
    log = session("one", ("m1", 10))
    for name in ("agent-a7", "agent-acompact-0123"):
        agent = Log(name)
        agent.user("x1", parent=None, isSidechain=True)
        agent.reply("x2", message=f"of-{name}", usage=(100, 0, 0, 1), isSidechain=True)
        agent.write(tmp_path / "one" / "subagents")
    assert sums([source(log, tmp_path)], By.SESSION) == {"one": (110, 2, 1)}


def test_inline_sidechains_count_too(tmp_path: Path) -> None:
    log = session("one", ("m1", 10))
    log.reply("x1", parent=None, message="m2", usage=(7, 0, 0, 1), isSidechain=True)
    assert sums([source(log, tmp_path)], By.PROJECT) == {"api": (17, 2, 1)}


def test_no_sessions_are_no_sums() -> None:
    assert totals([], By.DAY) == []
