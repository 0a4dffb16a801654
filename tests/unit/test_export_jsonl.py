"""JSONL: which lines a part has, byte for byte."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from exporting import Sheet, copied, lines_of, uuid

from ccbrowse.core.errors import NoSuchSession
from ccbrowse.core.export import Options, branch, message_range, segment, whole
from ccbrowse.core.session import Session


def test_the_whole_session_is_the_file_whatever_it_holds(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.prompt("one")
    sheet.raw(b"")
    sheet.raw(b'{"type": "mode"  ,"x":1.0E+02, "y": "\\u00e9"}\r')
    sheet.raw(b"\x00\x00 not a record \xff")
    sheet.reply("two")
    path = sheet.write(tmp_path)
    with path.open("ab") as file:
        file.write(b'{"type":"user","half')
    assert copied(Session.open(path)) == path.read_bytes()


def test_a_segment_has_its_records_what_hangs_on_them_and_the_books_between(
    tmp_path: Path,
) -> None:
    sheet = Sheet()
    sheet.side("mode", mode="default")  # 1: before the first
    sheet.prompt("one")  # 2
    sheet.side("mode", mode="plan")  # 3
    sheet.raw(b"damaged")  # 4
    said = sheet.reply("two")  # 5
    sheet.link("system", subtype="turn_duration", durationMs=12)  # 6: hangs on the reply
    sheet.side("last-prompt", lastPrompt="one")  # 7: between the segments
    sheet.tip = said
    sheet.boundary()  # 8 9
    sheet.side("unknown-books", z=1)  # 10
    sheet.reply("three")  # 11
    sheet.side("custom-title", customTitle="Apples")  # 12: after the last
    session = sheet.open(tmp_path)
    assert copied(segment(session, 1)) == lines_of(sheet, [2, 3, 4, 5, 6])
    assert copied(segment(session, 2)) == lines_of(sheet, [8, 9, 10, 11])


def test_branches_sidechains_and_replays_are_not_a_segments(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.prompt("one")  # 1
    said = sheet.reply("two")  # 2
    sheet.prompt("left behind")  # 3
    left = sheet.reply("left too")  # 4
    sheet.link("system", subtype="turn_duration", durationMs=1)  # 5: hangs on the branch
    sheet.side("mode", mode="plan")  # 6: keeps books wherever it stands
    sheet.tip = said
    sheet.prompt("kept")  # 7
    tip = sheet.tip
    sheet.prompt("a helper's", isSidechain=True, parentUuid=None)  # 8
    sheet.lines.append(sheet.lines[0])  # 9: the first record again
    sheet.tip = tip
    sheet.reply("kept too")  # 10
    session = sheet.open(tmp_path)
    assert copied(segment(session, 1)) == lines_of(sheet, [1, 2, 6, 7, 10])
    assert copied(branch(session, left)) == lines_of(sheet, [3, 4, 5])


def test_a_range_has_the_records_from_one_end_to_the_other(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.prompt("one")  # 1
    first = sheet.reply("two")  # 2
    sheet.link("progress", data={"type": "bash_progress"})  # 3: the line runs through it
    sheet.side("mode", mode="plan")  # 4
    sheet.boundary()  # 5 6
    last = sheet.prompt("three")  # 7
    sheet.reply("four")  # 8
    session = sheet.open(tmp_path)
    assert copied(message_range(session, first, last)) == lines_of(sheet, range(2, 8))


def test_two_records_on_one_line_are_one_line(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.prompt("one")
    sheet.reply("two")
    sheet.prompt("three")
    glued = sheet.lines[1] + sheet.lines[2]
    sheet.lines[1:] = [glued]
    session = sheet.open(tmp_path)
    assert len(session.index) == 3
    assert copied(segment(session, 1)) == lines_of(sheet, [1, 2])


def test_where_segments_interleave_books_go_with_the_one_that_goes_on(tmp_path: Path) -> None:
    sheet = Sheet()
    first = sheet.prompt("one")  # 1
    sheet.tip = uuid(4)  # the reply, which is written after the boundary that it stands before
    sheet.boundary()  # 2 3
    summary = sheet.tip
    sheet.side("mode", mode="of the second")  # 4
    assert sheet.reply("two", parent=first) == uuid(4)  # 5
    sheet.side("mode", mode="of the second too")  # 6: the first is over
    sheet.reply("three", parent=summary)  # 7
    session = sheet.open(tmp_path)
    assert copied(segment(session, 1)) == lines_of(sheet, [1, 5])
    assert copied(segment(session, 2)) == lines_of(sheet, [2, 3, 4, 6, 7])


def test_masking_writes_only_those_lines_anew_that_hold_something(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.prompt("the word is swordfish")
    sheet.raw(b"swordfish on a damaged line \xff")
    sheet.raw(b'{"type":"user"   ,"n": 1.0E+02}')
    sheet.raw(b"")
    sheet.reply("fine")
    session = sheet.open(tmp_path)
    options = Options(clean=lambda text: text.replace("swordfish", "[masked]"))
    got = copied(session, options).split(b"\n")
    assert json.loads(got[0])["message"]["content"] == "the word is [masked]"
    assert got[1] == b"[masked] on a damaged line \xff"
    assert got[2:5] == [sheet.lines[2], b"", sheet.lines[4]]
    assert b"swordfish" not in copied(segment(session, 1), options)


def test_a_short_value_is_masked_by_its_key(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.reply(sheet.call("Login", {"password": "pear"}))
    session = sheet.open(tmp_path)
    options = Options(
        clean=lambda text: text.replace('"password": "pear"', '"password": "[masked]"')
    )
    record = json.loads(copied(session, options))
    assert record["message"]["content"][0]["input"] == {"password": "[masked]"}


def test_a_session_without_messages_has_a_file_but_no_segment(tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.side("summary", summary="Nothing", leafUuid=uuid(9))
    session = sheet.open(tmp_path)
    assert copied(whole(session)) == lines_of(sheet, [1])
    with pytest.raises(NoSuchSession, match="holds no message"):
        segment(session)
