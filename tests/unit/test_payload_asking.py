"""The questions: around a compaction, what comes next, sizes; in order and alone."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import builders
import pytest
from requestrows import Rows, assistant, text, user

from ccbrowse.core.errors import NoSuchSession
from ccbrowse.core.payload import (
    Payloads,
    after_compaction,
    all_payloads,
    before_compaction,
    next_payload,
    payload_of,
    replies,
    reply_after,
    reply_before,
    reply_of,
)
from ccbrowse.core.payload.canonical import compact_json
from ccbrowse.core.payload.replies import parse_version
from ccbrowse.core.session import Session


def compacted() -> Rows:
    """A reply before a compaction, and one after it."""
    rows = Rows()
    rows.user("Count the trees")
    rows.reply("m1", text("Forty."))
    rows.boundary()
    rows.summary("We counted.")
    rows.user("Plant one")
    rows.reply("m2", text("Planted."))
    return rows


def test_the_requests_around_a_compaction(tmp_path: Path) -> None:
    with compacted().session(tmp_path) as session:
        before, after = before_compaction(session, 1), after_compaction(session, 1)
    assert before is not None and after is not None
    assert (before.reply, before.segment) == ("m1", 1)
    assert (after.reply, after.segment) == ("m2", 2)
    assert list(after.messages or ()) == [user([text("We counted.\n"), text("Plant one")])]


def test_there_may_be_no_request_before_or_after(tmp_path: Path) -> None:
    rows = compacted()
    rows.rows = rows.rows[2:4]
    with rows.session(tmp_path) as session:
        assert before_compaction(session, 1) is None
        assert after_compaction(session, 1) is None


def test_a_compaction_that_follows_at_once_is_passed(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("Count")
    rows.reply("m1", text("Forty."))
    for _ in range(2):
        rows.boundary()
        rows.summary("We counted.")
    rows.user("Plant")
    rows.reply("m2", text("Planted."))
    with rows.session(tmp_path) as session:
        around = [(reply_before(session, n), reply_after(session, n)) for n in (1, 2)]
    assert [(b.id if b else "", a.id if a else "") for b, a in around] == [("m1", "m2")] * 2


def test_what_was_summed_up_from_a_message_on_counts_as_before(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("Count")
    kept = [rows.rows[0]["uuid"], rows.reply("m1", text("Forty."))]
    rows.user("And hives")
    rows.reply("m2", text("Six."))
    boundary = f"{len(rows.rows):08x}-0000-4000-8000-000000000000"
    rows.boundary(kept, anchor=boundary)
    rows.rows[-1]["logicalParentUuid"] = kept[-1]
    rows.summary("Then hives.", summarizeMetadata={"direction": "from"})
    rows.user("Plant")
    rows.reply("m3", text("Planted."))
    with rows.session(tmp_path) as session:
        before, after = reply_before(session, 1), reply_after(session, 1)
    assert (before and before.id, after and after.id) == ("m2", "m3")


@pytest.mark.parametrize("number", [0, 2])
def test_a_compaction_that_is_not_there(tmp_path: Path, number: int) -> None:
    with compacted().session(tmp_path) as session, pytest.raises(NoSuchSession, match="1 to 1"):
        reply_before(session, number)


def test_a_reply_that_is_not_there(tmp_path: Path) -> None:
    with compacted().session(tmp_path) as session, pytest.raises(NoSuchSession):
        reply_of(session, "m9")


def test_next_holds_the_newest_reply_too(tmp_path: Path) -> None:
    with compacted().session(tmp_path) as session:
        found = next_payload(session)
    assert found.reply is None
    assert list(found.messages or ())[-1] == assistant(text("Planted."))


def test_next_follows_the_leaf_that_the_client_named_last(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("Count")
    first = rows.reply("m1", text("Forty."))
    rows.user("And hives")
    rows.reply("m2", text("Six."))
    rows.side("last-prompt", lastPrompt="Count", leafUuid=first)
    with rows.session(tmp_path) as session:
        assert len(next_payload(session).messages or ()) == 2
    rows.user("After all", after=rows.rows[3]["uuid"])
    with rows.session(tmp_path) as session:
        assert len(next_payload(session).messages or ()) == 5


@pytest.mark.parametrize("leaf", [None, "nowhere", 5])
def test_next_does_without_a_leaf_that_is_not_there(tmp_path: Path, leaf: object) -> None:
    rows = compacted()
    rows.side("last-prompt", lastPrompt="Count", leafUuid=leaf)
    with rows.session(tmp_path) as session:
        assert list(next_payload(session).messages or ())[-1] == assistant(text("Planted."))


def test_next_of_a_session_without_messages(tmp_path: Path) -> None:
    rows = Rows()
    rows.side("mode", mode="normal")
    with rows.session(tmp_path) as session:
        assert next_payload(session).counts.bytes == len(b"[]")


def test_a_client_that_was_updated_on_the_way(tmp_path: Path) -> None:
    rows = Rows("2.1.59")
    rows.user("One")
    rows.user("Two")
    rows.reply("m1", text("Yes."))
    rows.version = "2.1.181"
    rows.user("Three")
    rows.reply("m2", text("Yes."))
    with rows.session(tmp_path) as session:
        found = [list(each.messages or ()) for each in all_payloads(session)]
    assert found[0] == [user([text("One"), text("Two")])]
    assert found[1][0] == user([text("One\n"), text("Two")])


@pytest.mark.parametrize("era", builders.ERA_NAMES)
def test_in_order_alone_and_counted_are_the_same(tmp_path: Path, era: str) -> None:
    """Work is kept from one request to the next: it must not show."""
    session = Session.open(builders.written(builders.sampler(era), tmp_path))
    whole = list(all_payloads(session))
    counted = list(all_payloads(session, with_messages=False))
    backwards = Payloads(session)
    alone = [backwards.of(reply) for reply in reversed(list(replies(session)))][::-1]
    one = [payload_of(session, reply) for reply in replies(session)]
    session.close()
    assert len(whole) > 5
    assert [each.counts for each in counted] == [each.counts for each in whole]
    for first, second, third in zip(whole, alone, one, strict=True):
        assert first == second == third
        messages = list(first.messages or ())
        assert first.counts.messages == len(messages)
        assert first.counts.bytes == len(compact_json(messages))


@pytest.mark.parametrize(
    ("name", "version"),
    [("2.1.332", (2, 1, 332)), ("2.2.0-rc.1", (2, 2, 0)), ("1.0+x", (1, 0)), ("dev", ()), ("", ())],
)
def test_versions(name: str, version: tuple[int, ...]) -> None:
    assert parse_version(name) == version


@pytest.mark.parametrize("with_messages", [True, False])
def test_all_requests_need_no_more_memory_than_one(tmp_path: Path, with_messages: bool) -> None:
    rows = Rows()
    for number in range(300):
        rows.user(f"{number} " + "pear " * 400)
        rows.reply(f"m{number}", text("plum " * 400))
    with rows.session(tmp_path) as session:
        written = sum(len(line) for line in rows.data().splitlines())
        tracemalloc.start()
        given = sum(
            each.counts.bytes for each in all_payloads(session, with_messages=with_messages)
        )
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert given > 100 * written
    assert peak < 6 * written
