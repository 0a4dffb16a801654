"""The shapes of synthetic sessions, held against what the client was seen to write in each era."""

from __future__ import annotations

from collections import defaultdict

import builders
import pytest
from builders import ERA_NAMES, Row, SessionBuilder, rows, sampler

ENVELOPE = {
    "parentUuid", "isSidechain", "userType", "cwd", "sessionId", "version", "gitBranch",
    "type", "uuid", "timestamp",
}  # fmt: skip
LATER = {"2.1.11": set[str](), "2.1.181": {"entrypoint"}, "2.1.332": {"entrypoint"}}
ANYWHERE = {"slug", "agentId"}

REPLY = {"message", "requestId"}
RESULT = {"message", "toolUseResult", "sourceToolAssistantUUID"}
SYNTHETIC = {"message", "isApiErrorMessage", "error"}
BOUNDARY = {"logicalParentUuid", "subtype", "content", "isMeta", "level", "compactMetadata"}
SUMMARY = {"message", "isVisibleInTranscriptOnly", "isCompactSummary"}

KEYS: dict[str, dict[str, set[str]]] = {
    "2.1.11": {
        "reply": REPLY,
        "synthetic": SYNTHETIC,
        "prompt": {"message", "thinkingMetadata", "todos"},
        "result": RESULT,
        "meta": {"message", "isMeta"},
        "command": {"message"},
        "summary": SUMMARY,
        "boundary": BOUNDARY,
    },
    "2.1.181": {
        "reply": REPLY | {"attributionAgent"},
        "synthetic": SYNTHETIC | {"requestId", "apiErrorStatus"},
        "prompt": {"message", "promptId", "permissionMode", "promptSource", "origin",
                   "interruptedMessageId"},
        "result": RESULT | {"promptId"},
        "meta": {"message", "promptId", "isMeta", "origin"},
        "command": {"message", "promptId", "origin"},
        "summary": SUMMARY | {"promptId"},
        "boundary": BOUNDARY,
        "attachment": {"attachment"},
        "turn_duration": {"subtype", "durationMs", "messageCount", "isMeta"},
        "local_command": {"subtype", "content", "level", "isMeta"},
    },
    "2.1.332": {
        "reply": REPLY | {"attributionAgent", "thinkingDurationMs", "thinkingDisplay",
                          "apiBlockIndex", "requestRef", "requestedModel", "promptCacheRequested",
                          "effort", "perTurnEffort", "madeBy", "toolInputStreamMs",
                          "isAbortedMidStream"},
        "synthetic": SYNTHETIC | {"requestId", "apiErrorStatus", "apiErrorType", "perTurnEffort",
                                  "failedResponseHadNoToolCall", "madeBy"},
        "prompt": {"message", "promptId", "permissionMode", "promptSource", "origin", "sentAtMs",
                   "rowSource", "turnOrigin", "turnPosition", "imagePasteIds",
                   "interruptedMessageId"},
        "result": RESULT | {"promptId", "permissionDecision", "sandboxed"},
        "meta": {"message", "promptId", "isMeta", "rowSource"},
        "command": {"message", "promptId", "rowSource"},
        "summary": SUMMARY | {"promptId", "turnPosition"},
        "boundary": BOUNDARY,
        "attachment": {"attachment", "rendered", "renderedRole"},
        "turn_duration": {"subtype", "durationMs", "messageCount", "isMeta"},
        "local_command": {"subtype", "content", "level", "isMeta", "commandRun"},
        "api_error": {"subtype", "level", "error", "retryInMs", "retryAttempt", "maxRetries",
                      "source"},
    },
}  # fmt: skip

METADATA = {
    "2.1.11": {"trigger", "preTokens"},
    "2.1.181": {"trigger", "preTokens", "durationMs", "preservedSegment", "preservedMessages",
                "postTokens"},
    "2.1.332": {"trigger", "preTokens", "durationMs", "preservedSegment", "preservedMessages",
                "postTokens", "cumulativeDroppedTokens"},
}  # fmt: skip

SIDE_TYPES = {
    "2.1.11": {"queue-operation", "file-history-snapshot", "custom-title"},
    "2.1.181": {"queue-operation", "file-history-snapshot", "custom-title", "agent-name",
                "last-prompt", "mode", "permission-mode"},
    "2.1.332": {"queue-operation", "file-history-snapshot", "custom-title", "agent-name",
                "last-prompt", "mode", "permission-mode", "api-request", "api-request-blob",
                "api-request-shape"},
}  # fmt: skip

eras = pytest.mark.parametrize("era", ERA_NAMES)


def sort_of(row: Row) -> str:
    """The row of the tables above that a record belongs to."""
    if row["type"] == "system":
        return "boundary" if row["subtype"] == "compact_boundary" else str(row["subtype"])
    if row["type"] != "user":
        model = row.get("message", {}).get("model")
        return "attachment" if model is None else "synthetic" if model == "<synthetic>" else "reply"
    content = row["message"]["content"]
    if row.get("isCompactSummary"):
        return "summary"
    if row.get("isMeta"):
        return "meta"
    if isinstance(content, list):
        return "result" if content[0]["type"] == "tool_result" else "prompt"
    return "command" if content.startswith("<") else "prompt"


def tree(source: SessionBuilder) -> list[Row]:
    """The records of a session that have a place in the tree."""
    return [row for row in rows(source) if "uuid" in row]


def replies(records: list[Row]) -> dict[str, list[Row]]:
    """The fragments of each message of the model."""
    found: dict[str, list[Row]] = defaultdict(list)
    for row in records:
        if sort_of(row) == "reply":
            found[row["message"]["id"]].append(row)
    return found


def input_side(row: Row) -> int:
    """What the request of a reply weighed."""
    usage = row["message"]["usage"]
    names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    return sum(usage[name] for name in names)


# --- keys


@eras
def test_every_record_of_the_tree_has_its_eras_envelope(era: str) -> None:
    wanted = ENVELOPE | LATER[era]
    assert [wanted - row.keys() for row in tree(sampler(era)) if not wanted <= row.keys()] == []


@eras
def test_no_record_has_a_field_that_its_era_does_not_know(era: str) -> None:
    strange: dict[str, set[str]] = defaultdict(set)
    for row in tree(sampler(era)):
        known = ENVELOPE | LATER[era] | ANYWHERE | KEYS[era][sort_of(row)]
        strange[sort_of(row)] |= row.keys() - known
    assert {sort: keys for sort, keys in strange.items() if keys} == {}


@eras
def test_the_sampler_holds_every_sort_of_record_that_is_listed(era: str) -> None:
    assert {sort_of(row) for row in tree(sampler(era))} == KEYS[era].keys()


@eras
def test_bookkeeping_is_of_the_eras_types_and_outside_the_tree(era: str) -> None:
    side = [row for row in rows(sampler(era)) if "uuid" not in row]
    assert {row["type"] for row in side} == SIDE_TYPES[era]
    assert all("parentUuid" not in row for row in side)


def test_the_oldest_era_puts_the_envelope_first_and_later_ones_last() -> None:
    old, new = (list(tree(sampler(era))[0]) for era in ("2.1.11", "2.1.181"))
    assert old.index("cwd") < old.index("message")
    assert new.index("cwd") > new.index("message")


@eras
def test_boundaries_say_what_their_era_says(era: str) -> None:
    metadata = [row["compactMetadata"] for row in tree(sampler(era)) if "compactMetadata" in row]
    assert [set(facts) for facts in metadata] == [METADATA[era]] * 2
    assert [facts["trigger"] for facts in metadata] == ["manual", "auto"]


# --- links


@eras
def test_parents_come_before_their_children_and_uuids_are_unique(era: str) -> None:
    seen: set[str] = set()
    for row in tree(sampler(era)):
        assert row["parentUuid"] is None or row["parentUuid"] in seen
        assert row["uuid"] not in seen
        seen.add(row["uuid"])


@eras
def test_only_the_first_prompts_and_boundaries_have_no_parent(era: str) -> None:
    roots = [sort_of(row) for row in tree(sampler(era)) if row["parentUuid"] is None]
    assert roots == ["prompt", "prompt", "boundary", "boundary"]  # the first was typed twice


@eras
def test_fragments_share_what_belongs_to_the_message(era: str) -> None:
    split = [rows for rows in replies(tree(sampler(era))).values() if len(rows) > 1]
    assert len(split) >= 5
    for fragments in split:
        about = [
            (r["requestId"], r["message"]["usage"], r["message"]["stop_reason"]) for r in fragments
        ]
        assert about == about[:1] * len(about)
        assert all(len(row["message"]["content"]) == 1 for row in fragments)
        links = [row["parentUuid"] for row in fragments[1:]]
        assert links == [row["uuid"] for row in fragments[:-1]]


@eras
def test_results_hang_off_their_calls(era: str) -> None:
    records = tree(sampler(era))
    calls = {
        block["id"]: row["uuid"]
        for row in records
        if sort_of(row) == "reply"
        for block in row["message"]["content"]
        if block["type"] == "tool_use"
    }
    results = [row for row in records if sort_of(row) == "result"]
    for row in results:
        call = calls.pop(row["message"]["content"][0]["tool_use_id"])
        assert row["parentUuid"] == row["sourceToolAssistantUUID"] == call
    assert calls == {}


def test_interleaved_results_stand_between_the_fragments_of_one_message() -> None:
    b = SessionBuilder("2.1.181")
    space = builders.Workspace(b.cwd, b.era)
    b.prompt("Two at once")
    reply = b.work(space.bash("one"), space.bash("two"), interleave=True)
    first, result, second, last = tree(b)[-4:]
    assert [first["uuid"], second["uuid"]] == reply.rows
    assert second["parentUuid"] == result["parentUuid"] == first["uuid"]
    assert last["parentUuid"] == second["uuid"]


def test_results_of_parallel_calls_can_come_in_another_order() -> None:
    b = SessionBuilder("2.1.332")
    space = builders.Workspace(b.cwd, b.era)
    b.prompt("Two at once")
    reply = b.work(space.bash("one"), space.bash("two"), order=(1, 0))
    sources = [row["sourceToolAssistantUUID"] for row in tree(b) if sort_of(row) == "result"]
    assert sources == reply.rows[::-1]


def test_a_call_stays_open_until_it_is_answered() -> None:
    b = SessionBuilder("2.1.332")
    b.prompt("Run it")
    call = b.reply(builders.Workspace(b.cwd, b.era).bash("sleep 9", "slept")).calls[0]
    assert [sort_of(row) for row in tree(b)][-1] == "reply"
    b.answer(call)
    assert tree(b)[-1]["message"]["content"][0]["tool_use_id"] == call.id


# --- compactions


@eras
def test_a_summary_follows_its_boundary(era: str) -> None:
    records = tree(sampler(era))
    for index, row in enumerate(records):
        if sort_of(row) != "boundary":
            continue
        assert row["logicalParentUuid"] == records[index - 1]["uuid"]
        after = records[index + 1 : index + 4]
        dated = era == "2.1.332" and row["compactMetadata"]["trigger"] == "auto"
        assert [sort_of(r) for r in after].index("summary") == (2 if dated else 0)
        assert after[0]["parentUuid"] == row["uuid"]


@eras
def test_kept_records_stand_above_their_boundary(era: str) -> None:
    records = tree(sampler(era))
    above: list[str] = []
    kept_by: list[int] = []
    for index, row in enumerate(records):
        kept = row.get("compactMetadata", {}).get("preservedMessages")
        if kept:
            ends = row["compactMetadata"]["preservedSegment"]
            summary = next(r["uuid"] for r in records[index:] if sort_of(r) == "summary")
            assert kept["uuids"] == kept["allUuids"] == above[-len(kept["uuids"]) :]
            assert (ends["headUuid"], ends["tailUuid"]) == (kept["uuids"][0], kept["uuids"][-1])
            assert kept["anchorUuid"] == ends["anchorUuid"] == summary
            kept_by.append(len(kept["uuids"]))
        above.append(row["uuid"])
    assert len(kept_by) == (0 if era == "2.1.11" else 2)


def test_command_rows_of_a_manual_compaction_are_older_than_its_boundary() -> None:
    records = tree(sampler("2.1.181"))
    at = next(i for i, row in enumerate(records) if sort_of(row) == "boundary")
    command = records[at + 3]
    assert "<command-args>keep the tests</command-args>" in command["message"]["content"]
    assert command["timestamp"] < records[at]["timestamp"]


def test_a_relinked_row_hangs_off_the_last_kept_one() -> None:
    b = SessionBuilder("2.1.181")
    builders.turn(b, "One", say="Two")
    boundary = b.compact("Summary", trigger="manual", relink=True)
    after = [row for row in tree(b) if row["parentUuid"] == boundary.kept[-1]]
    assert [sort_of(row) for row in after] == ["meta"]


def test_a_summary_of_the_end_only_keeps_what_was_before() -> None:
    b = SessionBuilder("2.1.181")
    builders.turn(b, "First", say="One")
    asked = builders.turn(b, "Second", say="Two")
    before = b.links[asked]
    boundary = b.summarize_from(asked, "Summary")
    records = {row["uuid"]: row for row in tree(b)}
    metadata = records[boundary.uuid]["compactMetadata"]
    assert metadata["preservedMessages"]["anchorUuid"] == boundary.uuid
    assert boundary.kept[-1] == before == records[boundary.uuid]["logicalParentUuid"]
    assert metadata["messagesSummarized"] == 2
    assert records[boundary.summary]["summarizeMetadata"]["direction"] == "from"
    assert "isVisibleInTranscriptOnly" not in records[boundary.summary]


# --- usage


@eras
def test_the_context_grows_with_the_conversation_and_falls_at_a_boundary(era: str) -> None:
    b = SessionBuilder(era)
    for number in range(4):
        builders.turn(b, f"Question {number} " * 40, say="An answer of some length. " * 30)
    b.compact("Short.")
    for number in range(3):
        builders.turn(b, f"More {number}", say="Another answer.")
    boundary = next(i for i, row in enumerate(tree(b)) if sort_of(row) == "boundary")
    before = [input_side(row) for row in tree(b)[:boundary] if sort_of(row) == "reply"]
    after = [input_side(row) for row in tree(b)[boundary:] if sort_of(row) == "reply"]
    assert before == sorted(before) and len(set(before)) == 4
    assert after == sorted(after) and after[0] < before[-1]
    metadata = tree(b)[boundary]["compactMetadata"]
    assert before[-1] < metadata["preTokens"] < before[-1] + 400


@eras
def test_what_one_request_weighed_is_what_the_next_one_finds_in_the_cache(era: str) -> None:
    b = SessionBuilder(era)
    b.prompt("Go")
    for _ in range(3):
        b.work(builders.Workspace(b.cwd, b.era).bash("ls", "a\nb\nc"))
    asked = [row for row in tree(b) if sort_of(row) == "reply"]
    cached = [row["message"]["usage"]["cache_read_input_tokens"] for row in asked]
    assert cached == [0, *(input_side(row) for row in asked[:-1])]


@eras
def test_the_cache_is_cold_after_a_pause(era: str) -> None:
    b = SessionBuilder(era)
    builders.turn(b, "Go", say="Gone.")
    b.clock.tick(3_600)
    builders.turn(b, "Again", say="Gone again.")
    last = tree(b)[-1 if era == "2.1.11" else -2]
    assert last["message"]["usage"]["cache_read_input_tokens"] == 0


@eras
def test_cache_writes_are_split_by_lifetime(era: str) -> None:
    for row in tree(sampler(era)):
        usage = row.get("message", {}).get("usage")
        if usage:
            assert sum(usage["cache_creation"].values()) == usage["cache_creation_input_tokens"]


def test_early_clients_write_a_reply_before_they_know_its_end() -> None:
    old = [r["message"] for r in tree(sampler("2.1.11")) if sort_of(r) == "reply"]
    new = [r["message"] for r in tree(sampler("2.1.181")) if sort_of(r) == "reply"]
    assert {message["stop_reason"] for message in old} == {None}
    assert max(message["usage"]["output_tokens"] for message in old) <= 8
    assert {message["stop_reason"] for message in new} == {"tool_use", "end_turn"}


@eras
def test_newer_clients_keep_only_the_signature_of_thinking(era: str) -> None:
    thoughts = [
        block
        for row in tree(sampler(era))
        if sort_of(row) == "reply"
        for block in row["message"]["content"]
        if block["type"] == "thinking"
    ]
    assert [block["thinking"] for block in thoughts] == ["Which first?" if era == "2.1.11" else ""]
    assert all(len(block["signature"]) > 100 for block in thoughts)


def test_made_up_replies_count_nothing() -> None:
    made_up = [row for row in tree(sampler("2.1.181")) if sort_of(row) == "synthetic"]
    assert len(made_up) == 3  # an error, what came before an interruption, the reply on resume
    assert {input_side(row) for row in made_up} == {0}
    assert sorted(row["isApiErrorMessage"] for row in made_up) == [False, False, True]
