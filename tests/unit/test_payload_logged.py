"""Logged requests: lists of hashes, each met by its message; and what is done where rows are missing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from requestrows import Row, Rows, answer, assistant, call, system, text, user

from ccbrowse.core.payload import PayloadSource, Unknown, all_payloads
from ccbrowse.core.payload.canonical import compact_json, message_hash

MARK = {"type": "ephemeral"}


class Logged(Rows):
    """A session whose client logs its requests."""

    def __init__(self) -> None:
        super().__init__("2.1.332")
        self.side("api-request-shape", shapeHash="f" * 64, shape={"system": [], "tools": []})

    def blob(self, message: Row) -> str:
        """A message that stands in no record, as the client logs it."""
        content = message["content"]
        blocks = [text(content)] if isinstance(content, str) else content
        name = message_hash(message)
        self.side("api-request-blob", hash=name, message={**message, "content": blocks})
        return name

    def request(
        self, name: str, tail: Sequence[str], base: str | None = None, keep: int = 0, **more: object
    ) -> None:
        """A request row."""
        link = {} if base is None else {"base": base}
        self.side(
            "api-request", id=name, shapeHash="f" * 64, keep=keep, tail=list(tail), **link, **more
        )


def two_requests() -> Logged:
    """A prompt with parallel calls, then a second request that builds on the first."""
    rows = Logged()
    rows.user("Read both")
    rows.request("r1", [message_hash(user("Read both")), rows.blob(system("Monday"))])
    first = rows.reply("m1", text("Reading."), call("c1"), requestRef="r1")
    second = rows.reply("m1", call("c2"), requestRef="r1")
    rows.result("c1", "one", after=first)
    rows.result("c2", "two", after=second)
    said = assistant(text("Reading."), call("c1"), call("c2"))
    results = user([answer("c1", "one"), answer("c2", "two")])
    rows.request("r2", [message_hash(said), message_hash(results)], "r1", 2)
    rows.reply("m2", text("Read."), requestRef="r2")
    return rows


SENT = [
    user("Read both"),
    system("Monday"),
    assistant(text("Reading."), call("c1"), call("c2")),
    user([answer("c1", "one"), answer("c2", "two")]),
]


def test_messages_are_found_by_their_hashes_and_verified(tmp_path: Path) -> None:
    found = two_requests().payload(tmp_path, "m2")
    assert (found.source, found.verified) == (PayloadSource.LOGGED, True)
    assert list(found.messages or ()) == SENT
    assert found.unknown == ()
    assert found.counts.bytes == len(compact_json(SENT))


def test_all_requests_in_order_are_those_asked_for_alone(tmp_path: Path) -> None:
    rows = two_requests()
    with rows.session(tmp_path) as session:
        found = list(all_payloads(session))
        counted = list(all_payloads(session, with_messages=False))
    assert [list(each.messages or ()) for each in found] == [SENT[:2], SENT]
    assert [each.counts for each in found] == [each.counts for each in counted]
    assert [each.messages for each in counted] == [None, None]


def test_a_base_keeps_no_more_than_is_said(tmp_path: Path) -> None:
    rows = two_requests()
    rows.user("Start over")
    rows.request("r3", [message_hash(user("Start over"))], "r2", 1)
    rows.reply("m3", text("So be it."), requestRef="r3")
    assert rows.sent(tmp_path, "m3") == [SENT[0], user("Start over")]


def test_request_rows_may_come_in_any_order_between_others(tmp_path: Path) -> None:
    rows = two_requests()
    side = [row for row in rows.rows if row["type"].startswith("api-request")]
    rows.rows = [row for row in rows.rows if not row["type"].startswith("api-request")]
    rows.rows[2:2] = side[::-1]
    assert rows.sent(tmp_path, "m2") == SENT


def test_cache_marks_go_where_the_request_says(tmp_path: Path) -> None:
    rows = two_requests()
    place = ["messages", 1, "content", 0]
    marks = [{"path": ["system", 0], "value": MARK}, {"path": place, "value": MARK}]
    for row in rows.rows:
        if row.get("id") == "r2":
            row["cacheControl"] = marks
    marked = {"role": "system", "content": [{**text("Monday"), "cache_control": MARK}]}
    found = rows.payload(tmp_path, "m2")
    assert list(found.messages or ()) == [SENT[0], marked, *SENT[2:]]
    assert found.counts.bytes == len(compact_json(list(found.messages or ())))


def test_a_prompt_and_the_record_beside_it_are_one_message(tmp_path: Path) -> None:
    rows = Logged()
    image = {"type": "image", "source": {"type": "base64", "data": "AAAA"}}
    rows.user([text("Look"), image])
    rows.user([text("[Image: source: pear.png]")], isMeta=True)
    both = user([text("Look"), image, text("[Image: source: pear.png]")])
    rows.request("r1", [message_hash(both)])
    rows.reply("m1", text("A pear."), requestRef="r1")
    assert rows.sent(tmp_path, "m1") == [both]


def test_neighbours_within_a_run_are_one_message(tmp_path: Path) -> None:
    rows = Logged()
    for words in ("One", "Two", "Three"):
        rows.user([text(words)])
    pair = user([text("Two"), text("Three")])
    rows.request("r1", [message_hash(user("One")), message_hash(pair)])
    rows.reply("m1", text("Yes."), requestRef="r1")
    assert rows.sent(tmp_path, "m1") == [user("One"), pair]


def test_a_message_that_hangs_elsewhere_is_found_too(tmp_path: Path) -> None:
    rows = Logged()
    asked = rows.user("Prune")
    rows.reply("m1", text("The pear?"))
    rows.user("Yes")
    rows.user("Rake", after=asked)
    lost = [user("Prune"), assistant(text("The pear?")), user("Yes")]
    rows.request("r1", [message_hash(message) for message in lost])
    rows.reply("m2", text("Raked."), requestRef="r1")
    found = rows.payload(tmp_path, "m2")
    assert found.verified is True
    assert list(found.messages or ()) == lost


def without(rows: Logged, kind: str, name: str | None = None) -> Logged:
    """The session without the rows of a type (with an id)."""
    rows.rows = [
        row for row in rows.rows if row["type"] != kind or (name and row.get("id") != name)
    ]
    return rows


@pytest.mark.parametrize(
    ("kind", "name"), [("api-request-blob", None), ("api-request", "r1"), ("api-request", "r2")]
)
def test_where_rows_are_missing_the_request_is_rebuilt_and_that_is_said(
    tmp_path: Path, kind: str, name: str | None
) -> None:
    found = without(two_requests(), kind, name).payload(tmp_path, "m2")
    assert (found.source, found.verified) == (PayloadSource.REBUILT, None)
    assert Unknown.REQUEST_LOG in found.unknown
    assert list(found.messages or ()) == [SENT[0], *SENT[2:]]


def test_a_blob_with_another_message_than_its_hash_is_not_taken(tmp_path: Path) -> None:
    rows = two_requests()
    for row in rows.rows:
        if row["type"] == "api-request-blob":
            row["message"] = system("Tuesday")
    assert rows.payload(tmp_path, "m2").source is PayloadSource.REBUILT


def test_a_list_that_keeps_more_than_there_is_is_not_taken(tmp_path: Path) -> None:
    rows = two_requests()
    for row in rows.rows:
        if row.get("id") == "r2":
            row["keep"] = 7
    assert rows.payload(tmp_path, "m2").source is PayloadSource.REBUILT


def test_lists_that_build_on_each_other_in_a_circle_end(tmp_path: Path) -> None:
    rows = two_requests()
    for row in rows.rows:
        if row.get("id") == "r1":
            row |= {"base": "r2", "keep": 1}
    assert rows.payload(tmp_path, "m2").source is PayloadSource.REBUILT


def test_without_the_shape_row_prompt_and_tools_are_unknown(tmp_path: Path) -> None:
    found = without(two_requests(), "api-request-shape").payload(tmp_path, "m2")
    assert found.source is PayloadSource.LOGGED
    assert found.unknown == (Unknown.SYSTEM_PROMPT, Unknown.TOOLS)


def test_a_reply_that_names_no_request_was_not_logged(tmp_path: Path) -> None:
    rows = two_requests()
    for row in rows.rows:
        row.pop("requestRef", None)
    found = rows.payload(tmp_path, "m2")
    assert found.source is PayloadSource.REBUILT
    assert Unknown.REQUEST_LOG not in found.unknown


def test_rows_with_keys_in_another_order_are_read_too(tmp_path: Path) -> None:
    rows = two_requests()
    rows.rows = [
        dict(reversed(row.items())) if row["type"].startswith("api-request") else row
        for row in rows.rows
    ]
    assert rows.sent(tmp_path, "m2") == SENT
