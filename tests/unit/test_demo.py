"""The demo as a whole: what is written where, that it is the same each time, and that it agrees."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import builders
import pytest
from builders import HOSTILE, DemoTree, Row, SessionBuilder, rows, sampler, write_demo

from ccbrowse.core.session import Session

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> DemoTree:
    return write_demo(tmp_path_factory.mktemp("demo") / "projects", NOW)


def contents(root: Path) -> dict[str, bytes]:
    """All files below a folder."""
    return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}


def canonical(value: object) -> bytes:
    """JSON as the client hashes it."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8", "backslashreplace")


# --- the tree


def test_the_same_moment_gives_the_same_bytes(demo: DemoTree, tmp_path: Path) -> None:
    again = write_demo(tmp_path, NOW)
    assert contents(again.root) == contents(demo.root)
    times = [path.path.stat().st_mtime for path in again.sessions]
    assert times == [path.path.stat().st_mtime for path in demo.sessions]


def test_writing_again_replaces_what_was_there(tmp_path: Path) -> None:
    write_demo(tmp_path, NOW)
    first = contents(tmp_path)
    write_demo(tmp_path, NOW)
    assert contents(tmp_path) == first


def test_it_is_small_and_quick(tmp_path: Path) -> None:
    started = time.process_time()
    tree = write_demo(tmp_path, NOW)
    assert time.process_time() - started < 1.5
    assert sum(map(len, contents(tree.root).values())) < 6_000_000


def test_a_dozen_sessions_in_four_projects_end_one_after_the_other(demo: DemoTree) -> None:
    assert len(demo.sessions) == 12
    assert len({session.path.parent for session in demo.sessions}) == 4
    ages = [NOW - session.updated for session in demo.sessions]
    assert ages == sorted(ages)
    assert timedelta(0) < ages[0] < timedelta(seconds=90)
    assert timedelta(days=30) < ages[-1] < timedelta(days=60)
    for session in demo.sessions:
        assert session.path.parent.name == builders.folder_name(session.cwd)
        assert session.path.stat().st_mtime == session.updated.timestamp()


def test_an_unknown_session_is_a_key_error(demo: DemoTree) -> None:
    assert demo.session("login").title == "Fix login flow"
    with pytest.raises(KeyError):
        demo.session("logout")


# --- what the core makes of it

KEYS = ("login", "flaky", "fork", "exports", "errors", "theme", "uploads", "docs", "schema",
        "hostile", "totals", "cleared")  # fmt: skip


@pytest.fixture(scope="module")
def opened(demo: DemoTree) -> Iterator[dict[str, Session]]:
    sessions = {session.key: Session.open(session.path) for session in demo.sessions}
    yield sessions
    for session in sessions.values():
        session.close()


@pytest.mark.parametrize("key", KEYS)
def test_a_reader_finds_what_was_told(demo: DemoTree, opened: dict[str, Session], key: str) -> None:
    told, read = demo.session(key), opened[key]
    assert read.title.text == told.title
    assert read.cwd == told.cwd
    assert read.prompts == told.prompts
    assert sum(segment.boundary is not None for segment in read.segments) == told.compactions


@pytest.mark.parametrize("key", KEYS)
def test_only_the_damaged_session_has_findings(opened: dict[str, Session], key: str) -> None:
    codes = {f.code for f in opened[key].findings if f.severity != "note"}
    damage = {
        "damaged_line", "damaged_line_recovered", "parent_missing", "nul_bytes", "invalid_utf8",
        "record_rewritten",
    }  # fmt: skip
    assert codes == (damage if key == "uploads" else set())


def test_the_long_session_looks_like_a_working_day(opened: dict[str, Session]) -> None:
    segments = opened["login"].segments
    triggers = [s.boundary.facts.trigger for s in segments if s.boundary]
    assert triggers == ["auto", "auto", "manual"]
    assert sum(segment.prompts for segment in segments) >= 200
    closes = [segment.context.close.value or 0 for segment in segments]
    opens = [segment.context.open.value or 0 for segment in segments]
    assert [round(close, -4) for close in closes] == [170_000, 170_000, 100_000, 150_000]
    assert max(opens) < 60_000
    assert all(segment.carried_over for segment in segments[1:])


def test_the_long_session_has_arms_and_subagents(opened: dict[str, Session]) -> None:
    session = opened["login"]
    kinds = sorted(branch.kind for branch in session.chain.branches)
    assert kinds == ["edited_prompt", "edited_prompt", "rewind", "rewind"]
    agents = session.subagents()
    assert len(agents) == 4
    assert sum(agent.parent_agent is not None for agent in agents) == 1
    assert sum(agent.segments == 2 for agent in agents) == 1


@pytest.mark.parametrize("key", [key for key in KEYS if key != "uploads"])
def test_the_model_answers_only_when_it_is_asked(demo: DemoTree, key: str) -> None:
    records = {row["uuid"]: row for row in rows(demo.session(key).path) if "uuid" in row}
    for row in records.values():
        if row["type"] != "assistant" or row["message"]["model"] == "<synthetic>":
            continue
        above = records[row["parentUuid"]]
        while above["type"] not in ("user", "assistant"):
            if "queued_command" in str(above.get("attachment")):
                break
            above = records[above["parentUuid"]]
        else:
            same = above.get("message", {}).get("id") == row["message"]["id"]
            assert above["type"] == "user" or same


def test_a_command_is_still_running(opened: dict[str, Session]) -> None:
    assert len(opened["flaky"].open_calls()) == 1


def test_the_fork_names_its_source(demo: DemoTree) -> None:
    source, copies = demo.session("exports"), rows(demo.session("fork").path)
    copied = [row for row in copies if "forkedFrom" in row]
    originals = {row["uuid"]: row for row in rows(source.path) if "uuid" in row}
    assert copied and all(row["sessionId"] == demo.session("fork").session_id for row in copied)
    assert all(row["forkedFrom"]["sessionId"] == source.session_id for row in copied)
    assert all(row["forkedFrom"]["messageUuid"] in originals for row in copied)
    assert copied[0]["subtype"] == "compact_boundary"


def test_kept_replies_count_nothing_in_a_fork() -> None:
    b = SessionBuilder("2.1.181")
    builders.turn(b, "One", say="Two")
    kept = b.compact("Summary").kept
    twin = rows(b.fork("twin"))
    moved = [row for row in twin if row["uuid"] in kept]
    assert [row["uuid"] for row in twin[2 : 2 + len(kept)]] == list(kept)
    assert moved[0]["parentUuid"] == twin[1]["uuid"]
    assert moved[0]["message"]["usage"]["cache_creation_input_tokens"] == 0


def test_the_oldest_era_keeps_the_old_session_id_in_a_fork() -> None:
    b = SessionBuilder("2.1.11")
    builders.turn(b, "One", say="Two")
    twin = b.fork("twin")
    builders.turn(twin, "Three", say="Four")
    owners = [row["sessionId"] for row in rows(twin) if "uuid" in row]
    assert owners == [b.session_id] * 2 + [twin.session_id] * 2


def test_hostile_text_reaches_the_file_unchanged(demo: DemoTree) -> None:
    prompts = [
        row["message"]["content"]
        for row in rows(demo.session("hostile").path)
        if row["type"] == "user" and isinstance(row["message"]["content"], str)
    ]
    for name, text in HOSTILE.items():
        assert f"Show {name}: {text}" in prompts


# --- the request log


def sent_messages(records: list[Row]) -> dict[str, list[str]]:
    """The hashes of the messages of each request, by the request's id."""
    requests: dict[str, list[str]] = {}
    for row in records:
        if row["type"] == "api-request":
            base = requests[row["base"]] if "base" in row else []
            assert row["keep"] <= len(base)
            requests[row["id"]] = base[: row["keep"]] + row["tail"]
    return requests


def known_messages(records: list[Row]) -> dict[str, str]:
    """The role of each message that blobs or rows give, by its hash."""
    known: dict[str, str] = {}

    def add(role: str, content: str | list[Row]) -> str:
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        value = hashlib.sha256(canonical({"role": role, "content": blocks})).hexdigest()
        known[value] = role
        return value

    replies: dict[str, list[Row]] = {}
    run: list[Row] = []
    for row in records:
        if row["type"] == "api-request-blob":
            assert add(row["message"]["role"], row["message"]["content"]) == row["hash"]
        elif row["type"] == "assistant":
            replies.setdefault(row["message"]["id"], []).extend(row["message"]["content"])
            run = []
        elif row["type"] == "user":
            content = row["message"]["content"]
            add("user", content)
            run = [*run, *content] if isinstance(content, list) else []
            add("user", run)
    for blocks in replies.values():
        add("assistant", blocks)
    return known


def requests_of(records: list[Row]) -> list[list[str]]:
    """The messages' roles of every request; fails where a hash is of no known message."""
    known = known_messages(records)
    return [[known[value] for value in values] for values in sent_messages(records).values()]


def test_every_logged_request_can_be_read_again() -> None:
    requests = requests_of(rows(sampler("2.1.332")))
    assert len(requests) >= 15
    assert all(request[0] == "user" for request in requests)


@pytest.mark.parametrize("key", ["login", "flaky", "errors"])
def test_the_logs_of_the_demo_can_be_read_again(demo: DemoTree, key: str) -> None:
    records = rows(demo.session(key).path)
    roles = requests_of(records)
    answered = {row["requestRef"] for row in records if "requestRef" in row}
    assert answered == sent_messages(records).keys()
    for request in roles:
        said = [role for role in request if role != "system"]
        assert said[-1] == "user"
        assert all(one != two for one, two in pairwise(said))


def test_parallel_results_are_one_message() -> None:
    b = SessionBuilder("2.1.332")
    space = builders.Workspace(b.cwd, b.era)
    b.prompt("Go")
    b.work(space.bash("one"), space.bash("two"), order=(1, 0))
    b.reply(builders.Say("Both."))
    assert requests_of(rows(b))[-1] == ["user", "system", "assistant", "user"]


def test_a_rewind_sends_what_was_before_it() -> None:
    b = SessionBuilder("2.1.332")
    builders.turn(b, "One", say="Two")
    left = builders.turn(b, "Three", say="Four")
    b.rewind(left)
    builders.turn(b, "Five", say="Six")
    requests = list(sent_messages(rows(b)).values())
    assert requests[2][:-1] == requests[1][:-1]
    assert requests[2][-1] != requests[1][-1]


# --- damage


def test_damage_is_what_it_says() -> None:
    lines = {}
    for kind in ("half", "cut", "stub", "nul", "utf8"):
        b = SessionBuilder("2.1.181")
        b.prompt("A prompt of some length")
        whole = b.data().split(b"\n")
        b.damage(kind)
        data = b.data()
        lines[kind] = data.removeprefix(b"\n".join(whole[:-2]) + b"\n")
        whole_line = whole[-2]
    assert (
        whole_line.startswith(lines["half"].rstrip(b"\n")) and lines["half"].endswith(b"}") is False
    )
    assert lines["cut"] + b"\n" == lines["half"]
    assert lines["stub"].endswith(whole_line + b"\n") and lines["stub"].startswith(whole_line[:70])
    assert lines["nul"] == b"\0" * 512 + whole_line + b"\n"
    with pytest.raises(UnicodeDecodeError):
        lines["utf8"].decode()


def test_glued_records_share_a_line() -> None:
    b = SessionBuilder("2.1.11")
    b.prompt("One")
    b.reply(builders.Say("Two"))
    count = b.data().count(b"\n")
    b.damage("glued")
    assert b.data().count(b"\n") == count - 1
    assert b.data().count(b'}{"parentUuid"') == 1


def test_a_lone_surrogate_becomes_an_escape() -> None:
    b = SessionBuilder("2.1.11")
    b.prompt("half \ud83d only")
    assert b"half \\ud83d only" in b.data()


def test_a_replay_repeats_records_byte_for_byte() -> None:
    b = SessionBuilder("2.1.11")
    builders.turn(b, "One", say="Two")
    lines = b.data().splitlines()
    b.replay(2)
    assert b.data().splitlines()[len(lines) :] == lines[-2:]
