"""What few sessions hold: prompts sent meanwhile with images, replaced results, replies that say nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from requestrows import Rows, answer, assistant, call, reminder, text, user

from ccbrowse.core.compaction import compactions
from ccbrowse.core.payload import Unknown, compaction_call

IMAGE = {"type": "image", "source": {"type": "base64", "data": "AAAA", "media_type": "image/png"}}


def test_what_was_typed_meanwhile_goes_as_a_reminder_beside_the_results(tmp_path: Path) -> None:
    rows = Rows("2.1.129")
    rows.user("Prune")
    rows.reply("m1", call("c1"))
    rows.result("c1", "pruned")
    rows.attachment("queued_command", prompt=[text("And"), text("rake"), IMAGE])
    rows.reply("m2", text("Both."))
    found = rows.payload(tmp_path, "m2")
    assert list(found.messages or ())[-1] == user(
        [answer("c1", "pruned"), text(reminder("And\nrake")), IMAGE]
    )
    assert Unknown.ATTACHMENT_WORDING in found.unknown


def test_a_queue_of_nothing_is_nothing(tmp_path: Path) -> None:
    rows = Rows("2.1.129")
    rows.user("Prune")
    for prompt in (None, [], [{"type": "text"}], 7):
        rows.attachment("queued_command", prompt=prompt)
    rows.reply("m1", text("Pruned."))
    assert rows.sent(tmp_path, "m1") == [user("Prune")]


def test_an_image_named_in_a_prompt_is_sent(tmp_path: Path) -> None:
    rows = Rows("2.1.129")
    rows.user("Look at @pear.png")
    file = {"base64": "AAAA", "type": "image/png", "originalSize": 3}
    rows.attachment("file", filename="/pear.png", content={"type": "image", "file": file})
    rows.reply("m1", text("A pear."))
    call_of_it, image = rows.sent(tmp_path, "m1")
    assert call_of_it["content"].startswith("<system-reminder>\nCalled the Read tool")
    assert image == user([IMAGE, text("Look at @pear.png")])


@pytest.mark.parametrize("kind", ["command_permissions", "hook_cancelled", "already_read_file"])
def test_bookkeeping_is_not_unknown_wording(tmp_path: Path, kind: str) -> None:
    rows = Rows("2.1.129")
    rows.user("Prune")
    rows.attachment(kind, content="x")
    rows.reply("m1", text("Pruned."))
    assert Unknown.ATTACHMENT_WORDING not in rows.payload(tmp_path, "m1").unknown


def test_a_replaced_result_is_what_the_model_saw(tmp_path: Path) -> None:
    rows = Rows("2.1.89")
    rows.user("Read both")
    rows.reply("m1", call("c1"), call("c2"))
    rows.result("c1", "a very long text")
    rows.result("c2", "short", after=rows.rows[1]["uuid"])
    told = [{"kind": "tool-result", "toolUseId": "c1", "replacement": "<persisted-output>"}]
    rows.side("content-replacement", replacements=[*told, {"toolUseId": 4}, "x"])
    rows.side("content-replacement", replacements=None)
    rows.reply("m2", text("Read."))
    found = rows.payload(tmp_path, "m2")
    assert list(found.messages or ())[-1] == user(
        [answer("c1", "<persisted-output>"), answer("c2", "short")]
    )
    assert Unknown.MICRO_COMPACTED not in found.unknown


THOUGHT = {"type": "thinking", "thinking": "Hm.", "signature": "sig"}


@pytest.mark.parametrize(
    "blocks", [[THOUGHT], [text(" \n")], [THOUGHT, text("")], [{"type": "redacted_thinking"}]]
)
def test_a_reply_that_was_broken_off_before_its_first_word_is_not_sent(
    tmp_path: Path, blocks: list[dict[str, Any]]
) -> None:
    rows = Rows("2.1.129")
    rows.user("Prune")
    for block in blocks:
        rows.reply("m1", block)
    rows.user([text("[Request interrupted by user]")])
    rows.user("Go on")
    rows.reply("m2", THOUGHT)
    rows.reply("m2", text("Pruned."))
    rows.user("Thanks")
    rows.reply("m3", text("Welcome."))
    first, reply, _ = rows.sent(tmp_path, "m3")
    assert [each["text"].strip() for each in first["content"]] == [
        "Prune",
        "[Request interrupted by user]",
        "Go on",
    ]
    assert reply == assistant(THOUGHT, text("Pruned."))


def test_what_is_for_the_screen_alone_is_not_sent(tmp_path: Path) -> None:
    rows = Rows("2.1.129")
    rows.user("Prune")
    rows.reply("m1", call("c9"), isVirtual=True)
    rows.result("c9", "seen", isVirtual=True)
    rows.reply("m2", text("Pruned."))
    assert rows.sent(tmp_path, "m2") == [user("Prune")]


def test_a_plan_goes_back_without_what_the_client_put_into_it(tmp_path: Path) -> None:
    rows = Rows("2.1.129")
    rows.user("Plan")
    plan = call("c1", "ExitPlanMode")
    plan["input"] = {"plan": "dig", "planFilePath": "/plan.md", "allowedPrompts": []}
    rows.reply("m1", plan)
    rows.result("c1", "User has approved your plan")
    rows.reply("m2", text("I dig."))
    sent = rows.sent(tmp_path, "m2")
    assert sent[1]["content"][0]["input"] == {"allowedPrompts": []}


def test_of_a_compaction_up_to_a_message_only_what_stands_before_it_was_sent(
    tmp_path: Path,
) -> None:
    rows = Rows("2.1.181")
    rows.user("One")
    rows.reply("m1", text("First."))
    kept = [rows.user("Two"), rows.reply("m2", text("Second."))]
    rows.boundary(kept)
    rows.summary("So far.", summarizeMetadata={"messagesSummarized": 2, "direction": "up_to"})
    rows.user("Three")
    rows.reply("m3", text("Third."))
    with rows.session(tmp_path) as session:
        asked = compaction_call(session, 1)
        (found,) = compactions(session)
    assert list(asked.messages or ()) == [user("One"), assistant(text("First."))]
    assert found.boundary.kind.value == "partial_up_to"
    assert rows.sent(tmp_path, "m3") == [
        user([text("So far.\n"), text("Two")]),
        assistant(text("Second.")),
        user("Three"),
    ]


def test_compactions_in_a_row_leave_the_newest_summary_and_what_it_kept(tmp_path: Path) -> None:
    rows = Rows("2.1.181")
    rows.user("One")
    first = rows.reply("m1", text("First."))
    rows.boundary([first])
    rows.summary("Summary one.")
    rows.boundary()
    rows.summary("Summary two.")
    rows.user("Two")
    rows.reply("m2", text("Second."))
    again = rows.reply("m2", call("c1"))
    kept = [again, rows.result("c1", "done")]
    rows.boundary(kept)
    rows.summary("Summary three.")
    rows.reply("m3", text("Third."))
    assert rows.sent(tmp_path, "m2") == [user([text("Summary two.\n"), text("Two")])]
    assert rows.sent(tmp_path, "m3") == [
        user("Summary three."),
        assistant(text("Second."), call("c1")),
        user([answer("c1", "done")]),
    ]
