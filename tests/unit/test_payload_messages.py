"""What records become in a request: what is left out, how neighbours merge, where attachments go."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from requestrows import (
    Rows,
    answer,
    assistant,
    call,
    reminder,
    rendered,
    system,
    text,
    user,
)

from ccbrowse.core.payload import Unknown


def test_texts_that_meet_get_a_line_break_in_all_but_old_clients(tmp_path: Path) -> None:
    for version, joined in (("2.1.59", "First"), ("2.1.89", "First\n")):
        rows = Rows(version)
        rows.user("First")
        rows.user("Second")
        rows.reply("m1", text("Both."))
        assert rows.sent(tmp_path, "m1") == [user([text(joined), text("Second")])]


def test_a_lone_text_is_a_string_in_all_but_the_oldest_client(tmp_path: Path) -> None:
    for version, content in (("2.1.11", [text("Hi")]), ("2.1.59", "Hi")):
        rows = Rows(version)
        rows.user([text("Hi")])
        rows.reply("m1", text("Hello."))
        assert rows.sent(tmp_path, "m1") == [user(content)]


def test_results_come_first_in_the_message_they_stand_in(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("Read")
    rows.reply("m1", call("c1"))
    rows.user("And hurry")
    rows.result("c1", "one")
    rows.reply("m2", text("Done."))
    assert rows.sent(tmp_path, "m2")[-1] == user([answer("c1", "one"), text("And hurry")])


def test_an_image_gets_no_line_break(tmp_path: Path) -> None:
    image = {"type": "image", "source": {"type": "base64", "data": "AAAA"}}
    rows = Rows()
    rows.user([text("Look"), image])
    rows.user([text("[Image: source: pear.png]")])
    rows.reply("m1", text("A pear."))
    assert rows.sent(tmp_path, "m1") == [
        user([text("Look"), image, text("[Image: source: pear.png]")])
    ]


def test_api_errors_are_dropped_and_their_prompts_merged(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("Try")
    rows.own_reply("API Error: 529", failed=True)
    rows.user("Try again")
    rows.reply("m1", text("Done."))
    assert rows.sent(tmp_path, "m1") == [user([text("Try\n"), text("Try again")])]


def test_the_clients_own_placeholder_is_sent(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("Try")
    rows.own_reply("No response requested.")
    rows.user("Try again")
    rows.reply("m1", text("Done."))
    assert rows.sent(tmp_path, "m1")[1] == assistant(text("No response requested."))


def test_calls_without_results_and_results_without_calls_are_dropped(tmp_path: Path) -> None:
    rows = Rows()
    rows.result("c0", "from nowhere")
    rows.user("Read")
    rows.reply("m1", text("Reading."))
    rows.reply("m1", call("c1"))
    rows.user("[Request interrupted by user]")
    rows.reply("m2", text("Stopped."))
    assert rows.sent(tmp_path, "m2") == [
        user("Read"),
        assistant(text("Reading.")),
        user("[Request interrupted by user]"),
    ]


def test_of_two_results_of_one_call_one_is_sent(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("Read")
    called = rows.reply("m1", call("c1"))
    rows.result("c1", "stale")
    rows.result("c1", "fresh", after=called)
    rows.reply("m2", text("Done."))
    assert rows.sent(tmp_path, "m2")[-1] == user([answer("c1", "fresh")])


def test_empty_texts_are_dropped(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("")
    rows.user([text(""), text("Hi")])
    rows.reply("m1", text(""), text("Hello."))
    rows.user("Bye")
    rows.reply("m2", text("Bye."))
    assert rows.sent(tmp_path, "m2") == [user("Hi"), assistant(text("Hello.")), user("Bye")]


@pytest.mark.parametrize(
    ("more", "sent"),
    [
        ({"subtype": "local_command"}, True),
        ({"subtype": "local_command", "isDisplayOnly": True}, False),
        ({"subtype": "turn_duration"}, False),
    ],
)
def test_of_system_records_only_command_output_is_sent(
    tmp_path: Path, more: dict[str, Any], sent: bool
) -> None:
    rows = Rows()
    rows.user("Hi")
    rows.add("system", content="<local-command-stdout>ok</local-command-stdout>", **more)
    rows.reply("m1", text("Hello."))
    output = text("<local-command-stdout>ok</local-command-stdout>")
    assert rows.sent(tmp_path, "m1") == [user([text("Hi\n"), output]) if sent else user("Hi")]


def test_system_texts_are_collected_after_the_users_message(tmp_path: Path) -> None:
    rows = Rows("2.1.332")
    rows.user("Prune")
    rows.attachment("environment", rendered("system", "In the orchard"))
    rows.attachment("date", rendered("system", "Today is Monday"))
    rows.reply("m1", text("Pruned."))
    assert rows.sent(tmp_path, "m1") == [
        user("Prune"),
        system("In the orchard\n\nToday is Monday"),
    ]


def test_notes_move_up_before_the_prompt(tmp_path: Path) -> None:
    rows = Rows("2.1.332")
    rows.user("Prune")
    rows.attachment("remote_session_change", rendered("user", "Sign your work"))
    rows.reply("m1", text("Pruned."))
    assert rows.sent(tmp_path, "m1") == [
        user([text(reminder("Sign your work") + "\n"), text("Prune")])
    ]


def test_attachments_stop_at_a_result_and_at_a_dropped_error(tmp_path: Path) -> None:
    rows = Rows("2.1.332")
    rows.user("Read")
    rows.reply("m1", call("c1"))
    rows.result("c1", "one")
    rows.attachment("note", rendered("user", "Mind the gate"))
    rows.reply("m2", text("Read."))
    rows.user("Try")
    rows.own_reply("API Error: 529", failed=True)
    rows.user("Try again")
    rows.attachment("note", rendered("user", "Once more"))
    rows.reply("m3", text("Done."))
    assert rows.sent(tmp_path, "m3")[2] == user(
        [answer("c1", "one"), text(reminder("Mind the gate"))]
    )
    assert rows.sent(tmp_path, "m3")[-1] == user(
        [text("Try\n"), text(reminder("Once more") + "\n"), text("Try again")]
    )


def test_a_note_of_two_texts_that_opens_the_turn_is_two_messages(tmp_path: Path) -> None:
    rows = Rows("2.1.332")
    rows.user("Read")
    rows.reply("m1", text("Read."))
    rows.user("Next")
    rows.attachment("file", rendered("user", "Called", "Result"))
    rows.reply("m2", text("Done."))
    assert rows.sent(tmp_path, "m2")[2:] == [
        user(reminder("Called")),
        user([text(reminder("Result") + "\n"), text("Next")]),
    ]


def test_no_line_break_before_a_note_that_follows_a_system_text(tmp_path: Path) -> None:
    rows = Rows("2.1.332")
    rows.user("Prune")
    rows.attachment("instructions", rendered("user", "Rules"))
    rows.attachment("date", rendered("system", "Today is Monday"))
    rows.attachment("remote_session_change", rendered("user", "Sign"))
    rows.reply("m1", text("Pruned."))
    assert rows.sent(tmp_path, "m1")[0] == user(
        [text(reminder("Rules")), text(reminder("Sign") + "\n"), text("Prune")]
    )


def test_data_of_attachments_is_worded_as_role_system_by_2_1_181(tmp_path: Path) -> None:
    rows = Rows("2.1.181")
    rows.user("Prune")
    file = {"type": "text", "file": {"content": "pear\napple\n", "startLine": 1}}
    rows.attachment("file", filename="/orchard/trees.txt", content=file)
    rows.attachment("skill_listing", content="- graft: how to graft")
    rows.reply("m1", text("Pruned."))
    sent = rows.payload(tmp_path, "m1")
    assert list(sent.messages or ()) == [
        user("Prune"),
        system(
            'Called the Read tool with the following input: {"file_path":"/orchard/trees.txt"}\n'
            "Result of calling the Read tool:\n1\tpear\n2\tapple\n3\t\n\n"
            "The following skills are available for use with the Skill tool:\n\n"
            "- graft: how to graft"
        ),
    ]
    assert Unknown.CONTEXT_REMINDER in sent.unknown
    assert Unknown.ATTACHMENT_WORDING not in sent.unknown


def test_data_of_attachments_is_a_reminder_in_clients_before(tmp_path: Path) -> None:
    rows = Rows("2.1.129")
    rows.user("Prune")
    rows.attachment("skill_listing", content="- graft")
    rows.reply("m1", text("Pruned."))
    head = "The following skills are available for use with the Skill tool:"
    assert rows.sent(tmp_path, "m1") == [
        user([text(reminder(f"{head}\n\n- graft") + "\n"), text("Prune")])
    ]


@pytest.mark.parametrize("kind", ["task_reminder", "compact_file_reference", "diagnostics"])
def test_words_that_the_file_does_not_hold_are_said(tmp_path: Path, kind: str) -> None:
    rows = Rows("2.1.181")
    rows.user("Prune")
    rows.attachment(
        kind, content=[{"id": "4", "status": "pending", "subject": "Dig"}], filename="a"
    )
    rows.reply("m1", text("Pruned."))
    found = rows.payload(tmp_path, "m1")
    assert Unknown.ATTACHMENT_WORDING in found.unknown
    if kind == "task_reminder":
        assert list(found.messages or ())[-1] == system("[task_reminder]\n#4. [pending] Dig")


def test_a_prompt_queued_while_the_client_worked_is_sent(tmp_path: Path) -> None:
    rows = Rows("2.1.181")
    rows.user("Prune")
    rows.attachment("queued_command", prompt="And rake", commandMode="prompt")
    rows.reply("m1", text("Both."))
    assert rows.sent(tmp_path, "m1") == [user([text(reminder("And rake") + "\n"), text("Prune")])]


def test_a_snapshot_of_the_prompt_makes_prompt_and_tools_known(tmp_path: Path) -> None:
    rows = Rows("2.1.332")
    rows.user("Prune")
    rows.attachment("date", rendered("system", "Monday"))
    rows.attachment("prompt_snapshot", systemPrompt=["Be brief"], tools=[{"name": "Read"}])
    rows.reply("m1", text("Pruned."))
    found = rows.payload(tmp_path, "m1")
    assert found.unknown == (Unknown.CACHE_CONTROL,)
    assert len(found.messages or ()) == 2


def test_old_files_tell_of_no_reminder(tmp_path: Path) -> None:
    rows = Rows("2.1.11")
    rows.user("Prune")
    rows.reply("m1", text("Pruned."))
    assert set(rows.payload(tmp_path, "m1").unknown) == {
        Unknown.SYSTEM_PROMPT,
        Unknown.TOOLS,
        Unknown.CACHE_CONTROL,
        Unknown.REMINDERS,
        Unknown.CONTEXT_REMINDER,
    }


def test_results_that_may_have_been_sent_as_placeholders(tmp_path: Path) -> None:
    rows = Rows("2.1.11")
    rows.user("Read")
    rows.reply("m1", call("toolu_1"))
    rows.result("toolu_1", "a long list of trees")
    rows.reply("m2", text("Read."))
    assert Unknown.MICRO_COMPACTED not in rows.payload(tmp_path, "m2").unknown
    (tmp_path / "5e55" / "tool-results").mkdir(parents=True)
    (tmp_path / "5e55" / "tool-results" / "toolu_1.txt").write_text("a long list of trees")
    assert Unknown.MICRO_COMPACTED in rows.payload(tmp_path, "m2").unknown


def test_notifications_are_framed_by_newer_clients(tmp_path: Path) -> None:
    for version, framed in (("2.1.181", False), ("2.1.332", True)):
        rows = Rows(version)
        rows.user(
            "<task-notification>done</task-notification>", origin={"kind": "task-notification"}
        )
        rows.reply("m1", text("Good."))
        assert (Unknown.NOTIFICATION_FRAME in rows.payload(tmp_path, "m1").unknown) is framed


def test_odd_content_does_not_stop_it(tmp_path: Path) -> None:
    rows = Rows()
    rows.user(None)
    rows.user(["bare words", 7, {"type": "tool_result", "tool_use_id": ["list"]}, text("Hi")])
    rows.reply("m1", {"type": "tool_use", "id": {"an": "object"}}, {"no": "type"})
    rows.add("attachment", attachment="words", rendered=[{"content": 5}, "x"])
    rows.add("assistant", message="no mapping")
    rows.reply("m2", text("Done."))
    assert rows.sent(tmp_path, "m2")[0] == user(["bare words", 7, text("Hi")])
