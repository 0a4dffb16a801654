"""JSONL that loads on its own: what is changed, what is not, and what the note says."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

from client_rules import loaded
from exporting import SESSION_ID, Sheet, uuid

from ccbrowse.core.export import (
    Form,
    Options,
    Part,
    branch,
    encoded,
    export,
    message_range,
    segment,
    whole,
)
from ccbrowse.core.session import Session


def lines(part: Part) -> list[dict[str, Any]]:
    """The records of a re-rooted part; the note is the first."""
    data = raw(part, Options(reroot=True, version="1.2.3"))
    assert data.endswith(b"\n")
    return [json.loads(line) for line in data.split(b"\n")[:-1]]


def raw(part: Part, options: Options) -> bytes:
    with closing(part.session):
        return b"".join(map(encoded, export(part, Form.JSONL, options)))


def links(rows: list[dict[str, Any]]) -> list[tuple[str, Any]]:
    return [(row["uuid"], row["parentUuid"]) for row in rows if "uuid" in row]


def test_lines_that_need_no_change_are_the_files_own_bytes(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.prompt("one")
    sheet.raw(b'{"type" : "mode","mode":"plan",  "odd":1.0E+02}')
    sheet.reply("two")
    part = segment(sheet.open(tmp_path))
    data = raw(part, Options(reroot=True)).split(b"\n")
    assert data[1:4] == sheet.lines
    note, books = json.loads(data[0]), json.loads(data[4])
    assert (note["type"], note["changed"], note["carried_along"], note["left_out"]) == (
        "ccbrowse-note", [], [], {}
    )  # fmt: skip
    assert books == {"type": "last-prompt", "leafUuid": uuid(2), "sessionId": SESSION_ID}
    assert data[5:] == [b""]


def test_the_first_record_of_a_range_has_no_parent(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.prompt("one")
    first = sheet.reply("two")
    last = sheet.prompt("three")
    sheet.reply("four")
    note, *rows = lines(message_range(sheet.open(tmp_path), first, last))
    assert links(rows) == [(first, None), (last, first)]
    assert {row["sessionId"] for row in rows} == {SESSION_ID}
    assert note["changed"] == [{"uuid": first, "field": "parentUuid", "was": uuid(1)}]
    assert note["part"]["scope"] == "range" and note["tool"] == "ccbrowse 1.2.3"


def test_what_hung_on_a_kept_message_hangs_on_the_summary(tmp_path: Path) -> None:
    """The kept message comes along beside the line, where the client puts it before what follows."""
    sheet = Sheet()
    sheet.prompt("one")  # 1
    kept = sheet.reply("two")  # 2
    sheet.boundary(
        preservedMessages={"anchorUuid": uuid(4), "uuids": [kept], "allUuids": [kept]},
        preservedSegment={"headUuid": kept, "anchorUuid": uuid(4), "tailUuid": kept},
    )  # 3 4
    sheet.prompt("three", parent=kept)  # 5
    sheet.reply("four")  # 6
    session = sheet.open(tmp_path)
    part = segment(session, 2)
    note, *rows = lines(part)
    assert links(rows) == [
        (uuid(3), None), (uuid(4), uuid(3)), (kept, uuid(4)), (uuid(5), uuid(4)), (uuid(6), uuid(5)),
    ]  # fmt: skip
    assert note["carried_along"] == [kept]
    data = raw(part, Options(reroot=True))
    assert loaded(data) == [uuid(3), uuid(4), kept, uuid(5), uuid(6)]
    (tmp_path / "again.jsonl").write_bytes(data)
    with closing(Session.open(tmp_path / "again.jsonl")) as again:
        assert [again.index.uuids[row] for row in again.chain] == [uuid(n) for n in (3, 4, 5, 6)]
        assert again.warnings() == [] and len(again.segments) == 1


def test_kept_messages_that_are_nowhere_are_not_named(tmp_path: Path) -> None:
    """A client would hang the line on a message that is not there."""
    sheet = Sheet()
    sheet.boundary(preservedMessages={"anchorUuid": uuid(2), "allUuids": ["gone"]})
    sheet.prompt("one")
    part = segment(sheet.open(tmp_path))
    note, *rows = lines(part)
    assert "preservedMessages" not in rows[0]["compactMetadata"]
    assert rows[0]["compactMetadata"]["preTokens"] == 21_000
    (change,) = note["changed"]
    assert change["field"] == "compactMetadata"
    assert change["was"]["preservedMessages"]["allUuids"] == ["gone"]


def test_damage_is_left_out_and_whole_records_in_it_are_lines_of_their_own(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.prompt("one")
    sheet.raw(b"half a li")
    sheet.reply("two")
    glued = sheet.lines.pop()
    sheet.raw(glued[:40] + glued)
    sheet.prompt("three \ud83c")
    sheet.raw(b'{"type":"mode","not":NaN}')
    sheet.reply("four")
    session = sheet.open(tmp_path)
    assert session.warnings()
    note, *rows = lines(whole(session))
    assert links(rows) == [(uuid(n), uuid(n - 1) if n > 1 else None) for n in (1, 2, 3, 4)]
    assert [row["type"] for row in rows].count("mode") == 1
    assert note["left_out"] == {"damaged lines": 1}


def test_a_gap_and_a_circle_are_closed(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.prompt("one", parent=uuid(4))  # 1: hangs on the last
    sheet.reply("two", parent="gone")  # 2
    sheet.prompt("three")  # 3
    sheet.reply("four")  # 4
    note, *rows = lines(whole(sheet.open(tmp_path)))
    assert links(rows) == [(uuid(n), uuid(n - 1) if n > 1 else None) for n in (1, 2, 3, 4)]
    assert {change["was"] for change in note["changed"]} == {uuid(4), "gone"}


def test_parallel_calls_keep_their_links(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.prompt("go")  # 1
    first = sheet.reply(sheet.call("A", {}, number=1))  # 2
    sheet.result("a", number=1)  # 3
    sheet.replies -= 1
    sheet.reply(sheet.call("B", {}, number=2), parent=first)  # 4
    sheet.result("b", number=2)  # 5
    sheet.reply("done")  # 6
    session = sheet.open(tmp_path)
    note, *rows = lines(whole(session))
    assert [row["uuid"] for row in rows[:-1]] == [uuid(n) for n in (1, 2, 3, 4, 5, 6)]
    assert note["changed"] == []
    # From inside the message the links cannot stay: all that is left stands in a row.
    note, *rows = lines(message_range(session, uuid(4), uuid(6)))
    assert links(rows) == [
        (uuid(4), None), (uuid(3), uuid(4)), (uuid(5), uuid(3)), (uuid(6), uuid(5)),
    ]  # fmt: skip


def test_branches_and_subagents_are_sessions_of_their_own(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.prompt("one")  # 1
    said = sheet.reply("two")  # 2
    sheet.prompt("left")  # 3
    left = sheet.reply("left too")  # 4
    sheet.tip = said
    sheet.prompt("kept")  # 5
    note, *rows = lines(branch(sheet.open(tmp_path), left))
    assert links(rows) == [(uuid(3), None), (left, uuid(3))]
    child = Sheet()
    child.prompt("help", isSidechain=True, agentId="a1")
    child.reply("helped", isSidechain=True, agentId="a1")
    folder = sheet.write(tmp_path).with_suffix("") / "subagents"
    folder.mkdir(parents=True)
    (folder / "agent-a1.jsonl").write_bytes(b"\n".join(child.lines) + b"\n")
    note, *rows = lines(whole(sheet.open(tmp_path).open_subagent("a1")))
    assert [row.get("isSidechain") for row in rows] == [False, False, None]
    assert note["changed"] == [] and "of its own" in note["sidechain_marks"]
    assert note["part"]["agent_id"] == "a1"


def test_a_call_whose_result_hangs_above_it_is_not_passed_by(tmp_path: Path) -> None:
    """What goes on behind such a result would lead around the call."""
    sheet = Sheet()
    asked = sheet.prompt("one")  # 1
    call = sheet.reply(sheet.call("A", {}))  # 2
    left = sheet.prompt("left")  # 3
    sheet.tip = asked
    result = sheet.result("a")  # 4
    leaf = sheet.prompt("left too")  # 5
    sheet.tip = None
    sheet.prompt("elsewhere")  # 6
    session = sheet.open(tmp_path)
    assert left not in [session.index.uuids[row] for row in branch(session, leaf).rows]
    note, *rows = lines(branch(session, leaf))
    assert links(rows) == [(asked, None), (call, asked), (result, call), (leaf, result)]
    assert note["changed"] == [{"uuid": result, "field": "parentUuid", "was": asked}]


def test_a_part_that_opens_with_a_boundary_does_not_lead_into_itself(tmp_path: Path) -> None:
    """The past that it names lies before the part; what stands further down would close a circle."""
    sheet = Sheet()
    sheet.link("progress", parent=uuid(5), data={})  # 1
    first = sheet.boundary()  # 2 3
    sheet.raw(sheet.lines[0])
    sheet.reply("one")  # 4
    sheet.boundary()  # 5 6
    part = whole(sheet.open(tmp_path))
    (tmp_path / "again.jsonl").write_bytes(raw(part, Options(reroot=True)))
    with closing(Session.open(tmp_path / "again.jsonl")) as again:
        assert [again.index.uuids[row] for row in again.chain] == [uuid(n) for n in range(2, 7)]
        assert again.warnings() == []
        (note, *_) = (json.loads(line) for line in again.file.path.read_bytes().splitlines())
    assert note["changed"] == [{"uuid": first, "field": "logicalParentUuid", "was": uuid(1)}]


def test_kept_ends_on_both_sides_of_a_boundary_are_named_without_what_follows(
    tmp_path: Path,
) -> None:
    """A client climbs from the tail to the head, and would take the boundary with it."""
    sheet = Sheet()
    head = sheet.prompt("one")  # 1
    sheet.reply("two")  # 2
    opened = sheet.boundary(preservedSegment={"headUuid": head, "tailUuid": uuid(6)})  # 3 4
    sheet.prompt("three", parent=head)  # 5
    sheet.reply("four")  # 6
    session = sheet.open(tmp_path)
    note, *rows = lines(whole(session))
    assert rows[2]["compactMetadata"]["preservedSegment"] == {
        "headUuid": head, "tailUuid": head, "anchorUuid": uuid(4),
    }  # fmt: skip
    assert opened in [change["uuid"] for change in note["changed"]]
    with closing(
        Session.open(tmp_path / "projects/-home-ada-orchard" / f"{SESSION_ID}.jsonl")
    ) as s:
        assert loaded(raw(segment(s), Options(reroot=True))) == [
            opened, uuid(4), head, uuid(5), uuid(6),
        ]  # fmt: skip


def test_of_two_records_of_one_name_on_a_line_each_row_has_its_own(tmp_path: Path) -> None:
    sheet = Sheet()
    first = sheet.prompt("one")
    line = sheet.lines.pop()
    sheet.raw(json.dumps({"type": "mode", "uuid": first, "mode": "plan"}).encode() + line)
    sheet.reply("two")
    session = sheet.open(tmp_path)
    row = session.index.row_of(first)
    assert row is not None and session.record(row)["message"]["content"] == "one"
    _, *rows = lines(whole(session))
    assert links(rows) == [(first, None), (uuid(2), first)]
    assert [each["type"] for each in rows] == ["user", "assistant", "last-prompt"]


def test_a_rewritten_record_has_its_last_words_at_its_first_place(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.prompt("one")
    sheet.reply("two")
    again = json.loads(sheet.lines[0])
    again |= {"parentUuid": uuid(2), "timestamp": "2026-04-01T00:00:00.000Z"}
    again["message"]["content"] = "one, in other words"
    sheet.raw(json.dumps(again).encode())
    session = sheet.open(tmp_path)
    assert [found.code for found in session.warnings()] == ["record_rewritten"]
    _, *rows = lines(whole(session))
    assert links(rows) == [(uuid(1), None), (uuid(2), uuid(1))]
    assert rows[0]["message"]["content"] == "one, in other words"
    assert rows[0]["timestamp"] == json.loads(sheet.lines[0])["timestamp"]


def test_masks_apply(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.prompt("the secret")
    part = segment(sheet.open(tmp_path))
    options = Options(reroot=True, clean=lambda text: text.replace("secret", "[masked]"))
    data = raw(part, options)
    assert b"the [masked]" in data and b"secret" not in data
