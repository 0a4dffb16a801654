"""The loss view: each item of the closed segment in one bucket, what shows it, and what is worth most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from builders import (
    HOSTILE,
    OPENING,
    Call,
    Say,
    SessionBuilder,
    Think,
    Workspace,
    finish,
    sampler,
    turn,
)

from ccbrowse.core.compaction import (
    Bucket,
    Compaction,
    Item,
    ItemKind,
    compaction,
    compaction_json,
    compactions,
)
from ccbrowse.core.compaction.decisions import take_decisions
from ccbrowse.core.export.loss import loss_markdown
from ccbrowse.core.session import Session

_OPENED: list[Session] = []
FILES = {"src/a.py": "def alpha():\n    return 1\n" * 4, "src/b.py": "BETA = 2\nGAMMA = 3\n" * 4}


@pytest.fixture(autouse=True)
def let_go() -> Iterator[None]:
    """Close what a test has opened."""
    yield
    while _OPENED:
        _OPENED.pop().close()


def opened(builder: SessionBuilder, root: Path) -> Session:
    """A built session, opened."""
    _OPENED.append(Session.open(builder.write(root), root))
    return _OPENED[-1]


def begun(era: str = "2.1.181", seed: str = "loss") -> tuple[SessionBuilder, Workspace]:
    """A session, and files to work on."""
    b = SessionBuilder(era, seed=seed)
    return b, Workspace(b.cwd, b.era, FILES)


def closed(b: SessionBuilder, root: Path, summary: str, **options: Any) -> Compaction:
    """The session's compaction, after one more turn."""
    b.compact(f"{OPENING}\n\n{summary}", **options)
    finish(b, say="Going on.")
    return compaction(opened(b, root), 1)


def items(found: Compaction, kind: ItemKind) -> list[Item]:
    """The items of one kind."""
    assert found.loss is not None
    return [item for item in found.loss.items if item.kind is kind]


def item(found: Compaction, kind: ItemKind, label: str) -> Item:
    """The only item of a kind whose label holds these words."""
    (one,) = [each for each in items(found, kind) if label in each.label]
    return one


# --- what is an item


def test_every_text_call_result_file_and_error_is_an_item(tmp_path: Path) -> None:
    b, space = begun()
    prompt = turn(
        b, "Change alpha", [Think("Hm."), Say("I will."), space.read("src/a.py")], say="Read."
    )
    b.work(space.edit("src/a.py", "return 1", "return 7"), space.bash("make", "boom", code=2))
    decided = b.reply(Say("We went with sevens instead of eights. The rest stays."))
    b.done()
    found = closed(b, tmp_path, "Nothing.", keep=0)
    assert found.loss is not None
    kinds = Counter(each.kind for each in found.loss.items)
    assert kinds == {
        ItemKind.USER_TEXT: 1,
        ItemKind.ASSISTANT_TEXT: 3,
        ItemKind.DECISION: 1,
        ItemKind.TOOL_CALL: 3,
        ItemKind.TOOL_RESULT: 2,
        ItemKind.ERROR: 1,
        ItemKind.FILE: 1,
    }
    assert item(found, ItemKind.USER_TEXT, "Change alpha").uuid == prompt
    (choice,) = items(found, ItemKind.DECISION)
    assert (choice.uuid, choice.label) == (
        decided.rows[0],
        "We went with sevens instead of eights.",
    )
    assert item(found, ItemKind.ASSISTANT_TEXT, "The rest stays").uuid == decided.rows[0]
    assert item(found, ItemKind.FILE, "src/a.py").detail == "changed"


def test_what_a_person_said_in_other_ways_is_theirs_too(tmp_path: Path) -> None:
    b, space = begun()
    b.prompt("Begin")
    call = b.reply(space.bash("sleep 1", "done")).calls[0]
    b.answer(call)
    b.queued_prompt("and never use tabs")
    refusal = Call("Bash", {"command": "rm"}, "Denied. The user said:\nnot that one", {}, True)
    b.work(refusal)
    b.shell("ls -la", "a.py")
    finish(b, say="Done.")
    found = closed(b, tmp_path, "Nothing.", keep=0)
    said = {each.label for each in items(found, ItemKind.USER_TEXT)}
    assert said == {"Begin", "and never use tabs", "not that one", "!ls -la"}


def test_what_was_given_to_a_command_is_a_persons_text(tmp_path: Path) -> None:
    b, _ = begun("2.1.11")
    turn(b, "Begin", say="Yes.")
    b.command_rows("review", "only the parser", "")
    finish(b, say="Done.")
    found = closed(b, tmp_path, "Nothing.")
    assert item(found, ItemKind.USER_TEXT, "parser").label == "/review only the parser"


def test_reminders_summaries_and_compact_commands_are_no_items(tmp_path: Path) -> None:
    b, _ = begun()
    turn(b, "First", say="One.")
    b.compact(f"{OPENING}\n\nOnce.", trigger="manual", instructions="keep it")
    turn(b, "Second", say="Two.")
    b.compact(f"{OPENING}\n\nTwice.", keep=0)
    finish(b, say="Three.")
    found = compaction(opened(b, tmp_path), 2)
    labels = [each.label for each in items(found, ItemKind.USER_TEXT)]
    assert labels == ["Second"]


def test_what_was_carried_over_before_can_be_lost_later(tmp_path: Path) -> None:
    b, _ = begun()
    turn(b, "First", say="Kept once.")
    b.compact(f"{OPENING}\n\nOnce.", keep=1)
    turn(b, "Second", say="Two.")
    b.compact(f"{OPENING}\n\nTwice.", keep=0)
    finish(b, say="Three.")
    first, second = compactions(opened(b, tmp_path))
    assert item(first, ItemKind.ASSISTANT_TEXT, "Kept once").bucket is Bucket.KEPT
    assert item(second, ItemKind.ASSISTANT_TEXT, "Kept once").bucket is Bucket.NOT_FOUND


def test_an_error_in_a_result_that_did_not_fail_is_an_item_of_its_own(tmp_path: Path) -> None:
    b, space = begun()
    turn(b, "Run", [space.bash("make", "start\nKeyError: 'ttl'\nend")], say="It failed.")
    found = closed(b, tmp_path, "`KeyError: 'ttl'` was seen.", keep=0)
    assert item(found, ItemKind.ERROR, "KeyError").bucket is Bucket.IN_SUMMARY
    assert item(found, ItemKind.ERROR, "KeyError").tokens.value == 0
    assert len(items(found, ItemKind.TOOL_RESULT)) == 1


@pytest.mark.parametrize(
    ("text", "decisions"),
    [
        ("I decided to use Redis. It is fast.", ["I decided to use Redis."]),
        ("Decision: no cookies.", ["Decision: no cookies."]),
        ("We'll go with option B.", ["We'll go with option B."]),
        ("Shall we go with B?", []),
        ("The tests pass.", []),
        ("It returns a list rather than a set.", []),
        ("```\nwe decided(x)\n```", []),
    ],
)
def test_decisions_are_told_from_reports(text: str, decisions: list[str]) -> None:
    assert take_decisions(text)[0] == decisions


# --- which bucket


def test_kept_is_what_was_carried_over(tmp_path: Path) -> None:
    b, space = begun()
    turn(b, "First", [space.read("src/a.py")], say="Old.")
    turn(b, "Second", [space.read("src/b.py")], say="New.")
    found = closed(b, tmp_path, "First, second, old and new: src/a.py.", keep=1)
    assert found.loss is not None
    kept = {each.uuid for each in found.loss.of(Bucket.KEPT)}
    assert kept == set(found.carried_over)
    assert item(found, ItemKind.ASSISTANT_TEXT, "New.").bucket is Bucket.KEPT
    assert item(found, ItemKind.FILE, "src/a.py").bucket is Bucket.IN_SUMMARY


def test_put_back_is_what_stands_there_again_word_for_word(tmp_path: Path) -> None:
    b, space = begun()
    turn(b, "Look", [space.read("src/a.py"), space.read("src/b.py", limit=2)], say="Seen.")
    b.work(space.edit("src/b.py", "BETA = 2", "BETA = 9"))
    finish(b, say="Changed.")
    found = closed(b, tmp_path, "Nothing.", keep=0, files=[("src/b.py", space.files["src/b.py"])])
    assert item(found, ItemKind.FILE, "src/b.py").bucket is Bucket.PUT_BACK
    assert item(found, ItemKind.FILE, "src/b.py").evidence == "put back: src/b.py"
    assert item(found, ItemKind.TOOL_CALL, "Edit").bucket is Bucket.PUT_BACK
    assert item(found, ItemKind.TOOL_CALL, "Read " + b.cwd + "/src/b.py").bucket is Bucket.PUT_BACK
    assert item(found, ItemKind.FILE, "src/a.py").bucket is Bucket.NOT_FOUND
    results = {each.label: each.bucket for each in items(found, ItemKind.TOOL_RESULT)}
    assert results[f"Read {b.cwd}/src/a.py"] is Bucket.NOT_FOUND
    assert results[f"Read {b.cwd}/src/b.py"] is Bucket.PUT_BACK


def test_an_old_reading_of_a_file_that_has_changed_is_not_put_back(tmp_path: Path) -> None:
    b, space = begun()
    turn(b, "Look", [space.read("src/b.py")], say="Seen.")
    found = closed(b, tmp_path, "Nothing.", keep=0, files=[("src/b.py", "BETA = 5\n")])
    assert item(found, ItemKind.FILE, "src/b.py").bucket is Bucket.PUT_BACK
    assert items(found, ItemKind.TOOL_RESULT)[0].bucket is Bucket.NOT_FOUND


def test_a_bare_reference_counts_as_in_the_summary(tmp_path: Path) -> None:
    b, space = begun()
    turn(b, "Look", [space.read("src/a.py")], say="Seen.")
    found = closed(b, tmp_path, "Nothing.", keep=0, named=["src/a.py"])
    file = item(found, ItemKind.FILE, "src/a.py")
    assert file.bucket is Bucket.IN_SUMMARY
    assert file.evidence is not None
    assert "src/a.py" in file.evidence
    assert items(found, ItemKind.TOOL_RESULT)[0].bucket is Bucket.NOT_FOUND


def test_what_the_summary_shows_comes_with_its_sentence(tmp_path: Path) -> None:
    b, _ = begun()
    turn(b, "The limit must be 25 MB", say="Set.")
    turn(b, "Never rename the table", say="No.")
    found = closed(b, tmp_path, "- Uploads: limit of 25 MB.\n- The table may be renamed.", keep=0)
    limit = item(found, ItemKind.USER_TEXT, "25 MB")
    assert (limit.bucket, limit.evidence) == (Bucket.IN_SUMMARY, "Uploads: limit of 25 MB.")
    assert found.loss is not None
    assert limit.sentence is not None
    assert found.loss.sentences[limit.sentence] == limit.evidence
    assert item(found, ItemKind.USER_TEXT, "rename").bucket is Bucket.NOT_FOUND


def test_without_a_summary_nothing_is_found(tmp_path: Path) -> None:
    b, _ = begun()
    turn(b, "Remember the milk", say="Yes.")
    b.compact("", keep=0)
    finish(b, say="On.")
    found = compaction(opened(b, tmp_path), 1)
    assert found.loss is not None
    assert {each.bucket for each in found.loss.items} == {Bucket.NOT_FOUND}


@pytest.mark.parametrize("era", ["2.1.11", "2.1.181", "2.1.332"])
def test_sums_agree_with_the_items(era: str, tmp_path: Path) -> None:
    for found in compactions(opened(sampler(era), tmp_path)):
        assert found.loss is not None
        for bucket, total in found.loss.buckets.items():
            inside = list(found.loss.of(bucket))
            assert total.items == len(inside)
            assert total.tokens.value == sum(each.tokens.value or 0 for each in inside)
        whole = sum(total.items for total in found.loss.buckets.values())
        assert whole == len(found.loss.items)
        assert sum(cell.items for cell in found.loss.table.values()) == whole


# --- the order of worth


def test_instructions_come_first_small_talk_last(tmp_path: Path) -> None:
    b, space = begun()
    turn(b, "yes, go on", [space.read("src/a.py"), space.bash("make", "x", code=1)], say="Right.")
    turn(b, "What is this?", [space.edit("src/b.py", "BETA = 2", "BETA = 4")], say="A constant.")
    turn(b, "You must never touch src/b.py", say="I decided to keep off it.")
    found = closed(b, tmp_path, "Nothing.", keep=0)
    assert found.loss is not None
    order = [(each.kind, each.label[:14]) for each in found.loss.of(Bucket.NOT_FOUND)]
    places = {label: at for at, (_, label) in enumerate(order)}
    assert order[0] == (ItemKind.USER_TEXT, "You must never")
    assert order[-1] == (ItemKind.USER_TEXT, "yes, go on")
    assert places["What is this?"] < places["I decided to k"]
    kinds = [kind for kind, _ in order]
    assert kinds.index(ItemKind.DECISION) < kinds.index(ItemKind.ERROR) < kinds.index(ItemKind.FILE)


# --- the object and the Markdown


def test_the_object_has_all_keys(tmp_path: Path) -> None:
    b, space = begun()
    turn(b, "Look", [space.read("src/a.py")], say="Seen.")
    shown = compaction_json(closed(b, tmp_path, "Nothing."), {"uuid": "b"})
    assert set(shown) >= {
        *("schema", "number", "closes", "opens", "boundary", "summary", "before", "after"),
        *("reduction", "call", "file", "buckets", "items", "instructions"),
    }
    assert shown["schema"] == "ccbrowse.compaction/1"
    assert set(shown["buckets"]) == {"kept", "put_back", "in_summary", "not_found"}
    side = {
        "reply",
        "source",
        "messages",
        "bytes",
        "message_tokens",
        "api_input",
        "boundary_tokens",
    }
    assert side <= set(shown["before"])
    assert set(shown["reduction"]) == side - {"reply", "source"}
    assert {"uuid", "kind", "label", "tokens", "bucket", "evidence"} <= set(shown["items"][0])


def test_losses_as_markdown_are_safe_and_cleaned(tmp_path: Path) -> None:
    b, _ = begun()
    hostile = "".join(HOSTILE.values())[:80]
    turn(b, f"Keep ``` and | and <b> {hostile} and hunter2", say="Yes.")
    found = closed(b, tmp_path, "Nothing.", keep=0)
    text = "".join(loss_markdown(found, lambda words: words.replace("hunter2", "•••")))
    assert text.startswith("# Compaction 1: what became of segment 1\n")
    assert "hunter2" not in text
    assert "````Keep ``` and | and <b>" in text
    assert "| user text | – | – | – | 1 (" in text
    assert "no matching words" in text
