"""What searches ask for: the items that no summary shows."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import lossy
import pytest
from builders import OPENING, Call, SessionBuilder, finish, turn

from ccbrowse.core.compaction import Bucket, ItemKind, compactions, lost_items
from ccbrowse.core.session import Session


def test_they_are_those_of_the_loss_views(tmp_path: Path) -> None:
    with closing(Session.open(lossy.write(tmp_path))) as session:
        found = list(lost_items(session))
        lost = [
            (each.closes, item.row, item.kind, item.label)
            for each in compactions(session)
            if each.loss is not None
            for item in sorted(each.loss.of(Bucket.NOT_FOUND), key=lambda item: item.row)
        ]
    assert [(each.segment, each.row, each.kind, each.label) for each in found] == lost
    assert {each.compaction for each in found} == {1, 2}
    assert lossy.LOST in [each.text for each in found]
    assert lossy.TOLD not in [each.text for each in found]


def test_only_what_is_wanted_is_looked_for(tmp_path: Path) -> None:
    with closing(Session.open(lossy.write(tmp_path))) as session:
        asked = list(lost_items(session, lambda text: "auditors" in text or "timeout" in text))
        assert not list(lost_items(session, lambda text: False))
    (found,) = asked
    assert (found.kind, found.text) == (ItemKind.USER_TEXT, lossy.LOST)


def test_long_texts_are_whole_and_files_carry_what_was_written(tmp_path: Path) -> None:
    b = SessionBuilder("2.1.181", seed="long")
    long = "Plant the pear behind the shed. " * 40 + "Water it with the blue can."
    written = Call(
        "Write", {"file_path": "/garden/plan.txt", "content": "rows of leek"}, "done", {}
    )
    turn(b, long, [written], say="So be it.")
    b.compact(f"{OPENING}\n\nNothing.", keep=0)
    with closing(Session.open(b.write(tmp_path))) as session:
        found = list(lost_items(session))
    assert [each.text for each in found if each.kind is ItemKind.USER_TEXT] == [long.strip()]
    (call,) = (each for each in found if each.kind is ItemKind.TOOL_CALL)
    assert "Write" in call.text and "/garden/plan.txt" in call.text and "leek" in call.text


@pytest.mark.parametrize(
    ("tool", "given", "label"),
    [
        (
            "TodoWrite",
            {"todos": [{"content": "dig", "status": "pending"}, {"content": "rake"}]},
            "TodoWrite dig; rake",
        ),
        ("AskUserQuestion", {"questions": [{"question": "Which?"}]}, "AskUserQuestion Which?"),
        ("mcp__shed__open", {"door": "left", "wide": 3}, "mcp__shed__open left"),
        ("ExitPlanMode", {}, "ExitPlanMode"),
    ],
)
def test_calls_are_labelled_by_what_they_say(
    tmp_path: Path, tool: str, given: dict[str, object], label: str
) -> None:
    b = SessionBuilder("2.1.181", seed="labels")
    turn(b, "Do it", [Call(tool, given, "ok", {})], say="Done.")
    b.compact(f"{OPENING}\n\nNothing.", keep=0)
    finish(b, say="On.")
    with closing(Session.open(b.write(tmp_path))) as session:
        labels = [each.label for each in lost_items(session) if each.kind is ItemKind.TOOL_CALL]
    assert labels == [label]
