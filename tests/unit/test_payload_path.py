"""Which records a request holds: kept messages linked in, turns whole, what old clients forgot."""

from __future__ import annotations

from pathlib import Path

from requestrows import Rows, answer, assistant, call, text, user

from ccbrowse.core.payload import Unknown, compaction_call, replies


def opened() -> Rows:
    """A prompt, a reply, a second prompt and its reply."""
    rows = Rows()
    rows.user("Count the trees")
    rows.reply("m1", text("Forty."))
    rows.user("And the hives")
    rows.reply("m2", text("Six."))
    return rows


def test_a_request_ends_before_its_reply(tmp_path: Path) -> None:
    rows = opened()
    assert rows.sent(tmp_path, "m2") == [
        user("Count the trees"),
        assistant(text("Forty.")),
        user("And the hives"),
    ]


def test_replies_come_once_each_in_file_order(tmp_path: Path) -> None:
    rows = opened()
    rows.own_reply("No response requested.")
    rows.reply("m2", text("Six, I said."))
    with rows.session(tmp_path) as session:
        assert [reply.id for reply in replies(session)] == ["m1", "m2"]


def test_kept_messages_come_between_the_summary_and_the_rest(tmp_path: Path) -> None:
    rows = opened()
    kept = str(rows.leaf)
    rows.boundary([kept])
    rows.summary("We counted trees and hives.")
    rows.user("Plant one more")
    rows.reply("m3", text("Planted."))
    assert rows.sent(tmp_path, "m3") == [
        user("We counted trees and hives."),
        assistant(text("Six.")),
        user("Plant one more"),
    ]


def test_a_child_of_a_kept_message_does_not_lead_around_the_boundary(tmp_path: Path) -> None:
    rows = opened()
    kept = str(rows.leaf)
    rows.boundary([kept])
    rows.summary("We counted.")
    rows.user("Plant one more", after=kept)
    rows.reply("m3", text("Planted."))
    assert rows.sent(tmp_path, "m3")[0] == user("We counted.")
    assert len(rows.sent(tmp_path, "m3")) == 3


def test_kept_messages_that_only_a_segment_names(tmp_path: Path) -> None:
    rows = opened()
    tail = str(rows.leaf)
    head = rows.rows[-2]["uuid"]
    rows.boundary([tail])
    summary = f"{len(rows.rows):08x}-0000-4000-8000-000000000000"
    named = {"headUuid": head, "anchorUuid": summary, "tailUuid": tail}
    rows.rows[-1]["compactMetadata"] = {"trigger": "auto", "preservedSegment": named}
    rows.summary("We counted.")
    rows.reply("m3", text("Six it is."))
    assert rows.sent(tmp_path, "m3") == [
        user([text("We counted.\n"), text("And the hives")]),
        assistant(text("Six.")),
    ]


def test_summarised_from_here_the_kept_messages_come_first(tmp_path: Path) -> None:
    rows = opened()
    kept = [rows.rows[0]["uuid"], rows.rows[1]["uuid"]]
    boundary = f"{len(rows.rows):08x}-0000-4000-8000-000000000000"
    rows.boundary(kept, anchor=boundary)
    rows.summary("Then hives.", summarizeMetadata={"direction": "from"})
    rows.user("Plant one more")
    rows.reply("m3", text("Planted."))
    assert rows.sent(tmp_path, "m3") == [
        user("Count the trees"),
        assistant(text("Forty.")),
        user([text("Then hives.\n"), text("Plant one more")]),
    ]


def test_a_kept_list_holds_from_its_boundary_on_and_not_before(tmp_path: Path) -> None:
    rows = opened()
    rows.boundary([str(rows.leaf)])
    rows.summary("We counted.")
    rows.reply("m3", text("So we did."))
    assert rows.sent(tmp_path, "m2")[0] == user("Count the trees")


def parallel(version: str) -> Rows:
    """Two calls at once; the links pass by the first one's result."""
    rows = Rows(version)
    rows.side("queue-operation", operation="dequeue")
    rows.user("Read both")
    first = rows.reply("m1", call("c1"))
    second = rows.reply("m1", call("c2"))
    rows.result("c1", "one", after=first)
    rows.result("c2", "two", after=second)
    rows.reply("m2", text("Read."))
    return rows


BOTH = [
    user("Read both"),
    assistant(call("c1"), call("c2")),
    user([answer("c1", "one"), answer("c2", "two")]),
]


def test_parallel_calls_are_sent_with_all_results(tmp_path: Path) -> None:
    for version in ("2.1.11", "2.1.181"):
        assert parallel(version).sent(tmp_path, "m2") == BOTH


def test_a_new_process_of_an_old_client_forgets_what_hangs_beside_the_links(tmp_path: Path) -> None:
    rows = parallel("2.1.11")
    rows.side("queue-operation", operation="dequeue")
    rows.user("Again")
    rows.reply("m3", text("No."))
    assert rows.sent(tmp_path, "m3")[1:3] == [
        assistant(call("c2")),
        user([answer("c2", "two")]),
    ]


def test_a_fork_of_a_print_mode_session_starts_with_the_copies(tmp_path: Path) -> None:
    rows = parallel("2.1.11")
    del rows.rows[0]
    rows.side("queue-operation", operation="dequeue")
    rows.user("Again")
    rows.reply("m3", text("No."))
    assert rows.sent(tmp_path, "m3")[1] == assistant(call("c2"))


def test_newer_clients_do_not_forget_and_interactive_ones_have_no_such_mark(tmp_path: Path) -> None:
    for version, printed in (("2.1.89", True), ("2.1.11", False)):
        rows = parallel(version)
        if not printed:
            rows.rows[0] = {"type": "file-history-snapshot", "messageId": "x", "snapshot": {}}
        rows.side("queue-operation", operation="dequeue")
        rows.user("Again")
        rows.reply("m3", text("No."))
        assert rows.sent(tmp_path, "m3")[:3] == BOTH


def test_a_reply_written_twice_is_sent_once(tmp_path: Path) -> None:
    rows = Rows("2.1.11")
    asked = rows.user("Read one")
    rows.reply("m1", text("Reading."), call("c1"))
    rows.result("c1", "one")
    rows.reply("m1", text("Reading."), after=asked)
    rows.reply("m1", call("c1"))
    rows.result("c1", "one")
    rows.reply("m2", text("Read."))
    assert rows.sent(tmp_path, "m2") == [
        user("Read one"),
        assistant(text("Reading."), call("c1")),
        user([answer("c1", "one")]),
    ]


def test_a_branch_holds_its_own_records_alone(tmp_path: Path) -> None:
    rows = opened()
    rows.user("And the pears", after=rows.rows[1]["uuid"])
    rows.reply("m3", text("Nine."))
    assert rows.sent(tmp_path, "m3")[-1] == user("And the pears")
    assert rows.payload(tmp_path, "m2").segment is None
    assert rows.payload(tmp_path, "m3").segment == 1


def test_a_parent_that_is_missing_is_said(tmp_path: Path) -> None:
    rows = opened()
    assert Unknown.HISTORY not in rows.payload(tmp_path, "m2").unknown
    rows.rows[0]["parentUuid"] = "gone"
    assert Unknown.HISTORY in rows.payload(tmp_path, "m2").unknown


def test_links_in_a_circle_end(tmp_path: Path) -> None:
    rows = opened()
    rows.rows[0]["parentUuid"] = rows.rows[2]["uuid"]
    assert len(rows.sent(tmp_path, "m2")) == 3


def test_a_fork_that_starts_with_kept_copies_says_what_it_does_not_know(tmp_path: Path) -> None:
    rows = Rows()
    boundary = rows.boundary()
    rows.summary("We counted.")
    kept = rows.reply("m1", text("Six."))
    named = {"anchorUuid": rows.rows[1]["uuid"], "uuids": [kept], "allUuids": [kept]}
    rows.rows[0]["compactMetadata"] = {"preservedMessages": named}
    rows.user("Plant one more")
    rows.reply("m2", text("Planted."))
    assert rows.rows[0]["uuid"] == boundary
    assert Unknown.HISTORY in rows.payload(tmp_path, "m1").unknown
    assert Unknown.HISTORY not in rows.payload(tmp_path, "m2").unknown
    assert rows.sent(tmp_path, "m2")[1] == assistant(text("Six."))


def test_the_request_for_a_summary_holds_all_but_what_was_kept(tmp_path: Path) -> None:
    rows = opened()
    rows.boundary([str(rows.leaf)])
    rows.summary("We counted.")
    with rows.session(tmp_path) as session:
        found = compaction_call(session, 1)
    assert list(found.messages or ()) == [
        user("Count the trees"),
        assistant(text("Forty.")),
        user("And the hives"),
    ]
    assert Unknown.INSTRUCTION in found.unknown


def test_newer_clients_do_not_ask_for_a_summary_of_an_unanswered_prompt(tmp_path: Path) -> None:
    rows = opened()
    for row in rows.rows:
        row["version"] = rows.version = "2.1.332"
    rows.boundary([str(rows.leaf)])
    rows.summary("We counted.")
    with rows.session(tmp_path) as session:
        found = compaction_call(session, 1)
    assert list(found.messages or ())[-1] == assistant(text("Six."))


def test_output_of_a_command_that_the_resuming_client_passed_by(tmp_path: Path) -> None:
    rows = Rows()
    rows.side("queue-operation", operation="dequeue")
    rows.user("Count")
    rows.reply("m1", text("Forty."))
    typed = rows.user("<command-name>/compact</command-name>")
    rows.add("system", subtype="local_command", content="<local-command-stdout>No.</x>")
    rows.side("queue-operation", operation="dequeue")
    rows.leaf = typed
    rows.own_reply("No response requested.")
    rows.user("Go on")
    rows.reply("m2", text("On."))
    assert rows.sent(tmp_path, "m2")[2:] == [
        user("<command-name>/compact</command-name>"),
        assistant(text("No response requested.")),
        user([text("<local-command-stdout>No.</x>\n"), text("Go on")]),
    ]
    rows.side("queue-operation", operation="dequeue")
    rows.user("More")
    rows.reply("m3", text("Yes."))
    assert user("Go on") in rows.sent(tmp_path, "m3")
