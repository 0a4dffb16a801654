"""What real files hold that no one would expect, E-20 to E-37 of the catalogue: each is survived."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from logs import Log, Reading, Row, call, codes, encoded, line, names, segments

from ccbrowse.core.index import EMPTY, IMAGE, TYPED
from ccbrowse.core.library import Library
from ccbrowse.core.lines import Growth
from ccbrowse.core.locate import session_files
from ccbrowse.core.records import Image, Kind, Text, ToolResult, blocks
from ccbrowse.core.session import Session
from ccbrowse.core.texts import model_texts


def test_e20_a_persisted_output_is_the_result_that_stands_in_the_record(read_log: Reading) -> None:
    text = (
        "<persisted-output>\nOutput of 90000 characters, kept in: /gone/b1.txt\n</persisted-output>"
    )
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", call("t1"))
    content = [{"type": "tool_result", "tool_use_id": "t1", "content": text}]
    about = {"stdout": "…", "persistedOutputPath": "/gone/b1.txt", "persistedOutputSize": 90_000}
    log.user("r1", content, toolUseResult=about)
    session = read_log(log)
    assert list(model_texts(session.record(2))) == [text]
    assert session.record(2)["toolUseResult"] == about


def test_e21_an_empty_fragment_is_marked_and_stays_in_the_graph(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", "\n\n", message="m1")
    log.reply("a2", "Words", message="m1")
    log.linked("assistant", "a3", message={"id": "m2", "content": []})
    session = read_log(log)
    assert line(session) == "u1 a1 a2 a3"
    assert [bool(flags & EMPTY) for flags in session.index.flags] == [False, True, False, True]


def test_e22_a_session_of_side_records_alone_is_empty_and_not_listed(tmp_path: Path) -> None:
    log = Log()
    log.side("mode", mode="plan")
    log.side("summary", summary="Elsewhere", leafUuid="x")
    log.write(tmp_path / "p")
    (tmp_path / "p" / "0.jsonl").touch()
    sessions = [Session.open(file) for file in session_files(tmp_path)]
    assert [session.is_empty for session in sessions] == [True, True]
    library = Library([tmp_path])
    assert list(library.scan()) == []
    assert library.unreadable == []


def test_e23_a_file_of_another_tool_is_not_listed_and_does_not_crash(tmp_path: Path) -> None:
    folder = tmp_path / "p"
    folder.mkdir()
    pretty = json.dumps({"sessionId": "x", "messages": [{"type": "user"}]}, indent=2)
    (folder / "pretty.jsonl").write_text(pretty)
    stream = [{"type": "result", "subtype": "success"}, {"type": "init"}, {"type": "agent_message"}]
    (folder / "stream.jsonl").write_bytes(b"\n".join(encoded(row) for row in stream))
    assert list(Library([tmp_path]).scan()) == []
    shown = Session.open(folder / "pretty.jsonl")
    assert line(shown) == ""
    assert set(codes(shown)) == {"damaged_line", "not_a_transcript"}


def test_e24_a_file_that_shrinks_is_read_anew(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1")
    session = read_log(log)
    os.truncate(session.file.path, len(log.lines[0]) + 1)
    change = session.refresh()
    assert (change.growth, change.first_new_row) == (Growth.RESET, 0)
    assert line(session) == "u1"


def test_e24_another_file_under_the_name_is_read_anew(read_log: Reading) -> None:
    log, other = Log(), Log()
    log.user("u1", "One", None)
    session = read_log(log)
    assert session.record(0)["message"]["content"] == "One"
    other.user("v1", "Two", None)
    other.reply("a1")
    place = session.file.path.with_suffix(".new")
    place.write_bytes(other.data())
    place.replace(session.file.path)
    assert session.refresh().growth is Growth.RESET
    assert line(session) == "v1 a1"
    assert session.record(0)["message"]["content"] == "Two"


def test_e24_a_file_that_vanishes_leaves_what_was_read(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    session = read_log(log)
    session.file.path.unlink()
    assert session.refresh().growth is Growth.REMOVED
    assert session.removed
    assert line(session) == "u1"
    other = Log()
    other.user("v1", parent=None)
    other.write(session.file.path.parent)
    assert session.refresh().growth is Growth.RESET
    assert line(session) == "v1"
    assert not session.removed


def test_e25_a_line_of_many_megabytes_is_read(read_log: Reading) -> None:
    log = Log()
    log.user("u1", "x" * 5_000_000, None)
    log.reply("a1")
    session = read_log(log)
    assert line(session) == "u1 a1"
    assert session.index.length[0] > 5_000_000
    assert len(session.record(0)["message"]["content"]) == 5_000_000


def test_e26_the_window_follows_the_model_that_replied_last(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", model="claude-opus-4-8", usage=(1, 0, 0, 1))
    log.reply("a2", model="claude-sonnet-4-5-20250929", usage=(1, 0, 0, 1))
    session = read_log(log)
    assert session.models == ["claude-opus-4-8", "claude-sonnet-4-5-20250929"]
    assert session.window.value == 200_000


def test_e27_words_beside_a_result_are_a_persons(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", call("t1"), call("t2"))
    log.result("r1", "t1", text="Use tabs")
    log.result("r2", "t2", text="[Request interrupted by user for tool use]")
    session = read_log(log)
    assert session.prompts == 2
    assert [bool(flags & TYPED) for flags in session.index.flags] == [False, False, True, False]
    first, second = blocks(session.record(2))
    assert isinstance(first, ToolResult)
    assert second == Text("Use tabs")


@pytest.mark.parametrize(
    ("about", "kind"),
    [
        ({"type": "queued_command", "prompt": "And?", "commandMode": "prompt"}, "QUEUED_PROMPT"),
        ({"type": "queued_command", "prompt": "And?"}, "QUEUED_PROMPT"),
        ({"type": "queued_command", "prompt": "ls", "commandMode": "bash"}, "ATTACHMENT"),
        ({"type": "date", "date": "2026-02-02"}, "ATTACHMENT"),
    ],
)
def test_e28_a_prompt_that_only_an_attachment_tells_of(
    read_log: Reading, about: Row, kind: str
) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.attachment("x1", **about)
    log.reply("a1")
    session = read_log(log)
    assert Kind(session.index.kind[1]).name == kind
    assert session.prompts == (2 if kind == "QUEUED_PROMPT" else 1)
    assert line(session) == "u1 a1"


def test_e28_a_queued_notice_of_the_client_is_no_prompt(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    about = {"type": "queued_command", "prompt": "A task ended", "commandMode": "prompt"}
    log.linked("attachment", "x1", attachment=about, origin={"kind": "task-notification"})
    assert read_log(log).prompts == 1


def test_e29_a_summary_of_another_file_names_nothing_here(read_log: Reading) -> None:
    log = Log()
    log.side("summary", summary="Another conversation", leafUuid="elsewhere")
    log.user("u1", "Here", None)
    session = read_log(log)
    assert line(session) == "u1"
    assert session.title.text == "Here"


@pytest.mark.parametrize(
    "first",
    [
        {"type": "file-history-snapshot", "messageId": "u1"},
        {"type": "mode", "mode": "plan"},
        {"type": "never-heard-of"},
        {"type": "user", "uuid": "x1", "parentUuid": None, "isSidechain": True, "message": "x"},
    ],
    ids=lambda row: row["type"],
)
def test_e30_the_first_line_may_be_of_any_type(read_log: Reading, first: Row) -> None:
    log = Log()
    log.row(first)
    log.user("u1", parent=None)
    session = read_log(log)
    assert line(session) == "u1"
    assert not session.is_empty


@pytest.mark.parametrize("uuid", ["msg_01", "1", "Ünïcode ☃", "a b", "\ud83d", "x" * 500])
def test_e31_a_uuid_is_any_string(read_log: Reading, uuid: str) -> None:
    log = Log()
    log.user(uuid, parent=None)
    log.reply("a1")
    session = read_log(log)
    assert list(session.chain) == [0, 1]
    assert session.index.parent[1] == 0
    assert codes(session) == []


def test_e32_folders_links_and_files_that_cannot_be_read_are_passed_over(tmp_path: Path) -> None:
    root, away = tmp_path / "projects", tmp_path / "away"
    log = Log()
    log.user("u1", parent=None)
    log.write(root / "p")
    (root / "p" / "folder.jsonl").mkdir()
    os.mkfifo(root / "p" / "pipe.jsonl")
    away.mkdir()
    (away / "s.jsonl").write_bytes(log.data())
    (root / "p" / "link.jsonl").symlink_to(away / "s.jsonl")
    (root / "p" / "dangling.jsonl").symlink_to(root / "nowhere")
    (root / "linked").symlink_to(away)
    assert [file.session_id for file in session_files(root)] == [log.session_id]


@pytest.mark.skipif(os.geteuid() == 0, reason="this user may read everything")
def test_e32_a_file_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    log = Log()
    log.user("u1", parent=None)
    path = log.write(tmp_path / "p")
    path.chmod(0)
    library = Library([tmp_path])
    assert list(library.scan()) == []
    assert [unreadable.path for unreadable in library.unreadable] == [path]


def test_e33_control_characters_are_data(read_log: Reading) -> None:
    text = "\x1b[31mred\x07\x9b0m"
    log = Log()
    log.user("u1", text, None)
    session = read_log(log)
    assert session.record(0)["message"]["content"] == text
    assert codes(session) == []


def test_e34_secrets_stay_in_the_body_as_they_are(read_log: Reading) -> None:
    log = Log()
    log.user("u1", "password=hunter2", None)
    assert read_log(log).record(0)["message"]["content"] == "password=hunter2"


def test_e35_a_fork_is_known_by_where_it_was_copied_from(read_log: Reading) -> None:
    log = Log()
    for uuid, origin in (("n1", "o1"), ("n2", "o2")):
        source = {"sessionId": "parent", "messageUuid": origin}
        log.user(uuid, parent=log.before, forkedFrom=source, logicalParentUuid=None)
    log.boundary("n3", "o2", forkedFrom={"sessionId": "parent", "messageUuid": "o3"})
    session = read_log(log)
    assert session.index.facts.forked_from == ("parent", "o1")
    assert segments(session) == ["n1 n2", "n3"]
    assert session.index.row_of("o1") == 0
    assert codes(session) == []


def test_e35_an_empty_origin_is_no_fork(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None, forkedFrom=None)
    log.user("u2", forkedFrom={})
    session = read_log(log)
    assert session.index.facts.forked_from is None
    assert line(session) == "u1 u2"


@pytest.mark.parametrize("kind", ["custom-title", "content-replacement"])
def test_e36_a_side_record_with_a_uuid_is_no_node(read_log: Reading, kind: str) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.side(kind, uuid="x1", parentUuid="u1", customTitle="Named")
    log.reply("a1", parent="u1")
    session = read_log(log)
    assert line(session) == "u1 a1"
    assert names(session, session.chain.path) == "u1 a1"
    assert session.index.row_of("x1") is None
    assert session.chain.branches == ()


def test_e37_a_session_that_goes_on_elsewhere_says_where(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.side("continued-in", continuedInSessionId="next", timestamp="2026-02-02T00:00:00.000Z")
    session = read_log(log)
    assert session.index.facts.continued_in == "next"
    assert line(session) == "u1"


def test_an_image_is_an_image_with_its_size(read_log: Reading) -> None:
    source = {"type": "base64", "media_type": "image/png", "data": "aGVsbG8="}
    log = Log()
    log.user("u1", [{"type": "image", "source": source}], None)
    session = read_log(log)
    assert session.index.flags[0] & IMAGE
    assert blocks(session.record(0)) == (Image("image/png", 5, "aGVsbG8="),)
