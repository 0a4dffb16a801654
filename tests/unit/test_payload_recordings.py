"""Requests against the recorded ones: how many are equal in each client version, logged ones to the letter.

The comparison is that of `../shared/checks/check.py`: blocks, roles and order, reminders aside.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from ccbrowse.core.payload import (
    PayloadSource,
    all_payloads,
    compaction_call,
    reply_after,
    reply_before,
)
from ccbrowse.core.payload.rebuilt import Rebuilder
from ccbrowse.core.payload.replies import replies
from ccbrowse.core.session import Session

Messages = list[dict[str, Any]]
Compare = Callable[[Messages], Any]

MOST_DIFFER = {"2.1.11": 3, "2.1.59": 1, "2.1.181": 1}
"""Main requests that may differ in all recordings of a version; the package's docstring says why."""

MOST_CALLS_DIFFER = {"2.1.11": 2, "2.1.59": 2, "2.1.89": 2, "2.1.332": 2}
"""The same for the requests that asked for a summary."""


@pytest.fixture(scope="module")
def checks(shared: Path) -> Iterator[Any]:
    """The shared check's module."""
    spec = spec_from_file_location("shared_check", shared / "checks" / "check.py")
    assert spec and spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    sys.modules.pop("shared_check", None)


@pytest.fixture(scope="module")
def recordings(shared: Path) -> list[Path]:
    """The recorded scenarios."""
    found = sorted(
        path.parent.parent for path in shared.glob("recordings/*/*/requests/index.jsonl")
    )
    if not found:
        pytest.skip("no recordings in ../shared")
    return found


def name_of(recording: Path) -> str:
    return f"{recording.parent.name}/{recording.name}"


def requests_of(recording: Path, kind: str) -> Iterator[tuple[int, str, str]]:
    """The answered requests of a kind: number, session and the reply's id."""
    for line in (recording / "requests" / "index.jsonl").read_text().splitlines():
        entry = json.loads(line)
        reply = entry.get("reply") or {}
        if entry["kind"] == kind and reply.get("id") and reply.get("status") == 200:
            yield entry["n"], entry["session"], reply["id"]


def body(recording: Path, number: int) -> Messages:
    found: Messages = json.loads((recording / "requests" / f"{number:03d}.json").read_text())[
        "messages"
    ]
    return found


def sessions_of(recording: Path) -> Iterator[Session]:
    for path in sorted((recording / "projects").glob("*/*.jsonl")):
        session = Session.open(path)
        yield session
        session.close()


def test_requests_are_equal_to_the_recorded_ones(checks: Any, recordings: list[Path]) -> None:
    equal, logged, differ, letter = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for recording in recordings:
        made: dict[tuple[str, str], Any] = {}
        anywhere: dict[str, Any] = {}
        for session in sessions_of(recording):
            for payload in all_payloads(session):
                made[session.session_id, payload.reply or ""] = payload
                anywhere.setdefault(payload.reply or "", payload)
        for number, session_id, reply in requests_of(recording, "main"):
            found = made.get((session_id, reply)) or anywhere.get(reply)
            if found is None:
                continue
            version, wire = recording.parent.name, body(recording, number)
            mine = list(found.messages)
            same = checks.loose(mine) == checks.loose(wire)
            (equal if same else differ)[version] += 1
            if found.source is PayloadSource.LOGGED:
                logged[version] += 1
                letter[version] += mine == wire
    assert all(count <= MOST_DIFFER.get(version, 0) for version, count in differ.items()), differ
    assert equal.total() / (equal + differ).total() >= 0.985
    assert logged == letter


def test_without_their_log_requests_are_rebuilt_as_well(
    checks: Any, recordings: list[Path]
) -> None:
    """The rules hold for the newest client too, seams and attachments included."""
    sure = total = 0
    for recording in recordings:
        if recording.parent.name != "2.1.332":
            continue
        wire = {reply: number for number, _, reply in requests_of(recording, "main")}
        for session in sessions_of(recording):
            rebuilder = Rebuilder(session)
            for reply in replies(session):
                mine = list(rebuilder.request(reply).messages or ())
                sent = body(recording, wire[reply.id])
                assert checks.loose(mine) == checks.loose(sent), (name_of(recording), reply.id)
                total += 1
                sure += shapes(mine) == shapes(sent)
    if not total:
        pytest.skip("no recordings of 2.1.332 in ../shared")
    assert sure / total > 0.9


def shapes(messages: Messages) -> list[tuple[str, list[tuple[str, bool]]]]:
    """Roles, kinds of blocks and seams; the empty messages that the log alone holds left out."""
    found = []
    for message in messages:
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        seams = [(b["type"], str(b.get("text", "")).endswith("\n")) for b in blocks]
        if blocks:
            found.append((message["role"], seams))
    return found


def test_requests_for_summaries_are_equal_but_for_the_instruction(
    checks: Any, recordings: list[Path]
) -> None:
    differ = Counter[str]()
    for recording in recordings:
        asked = {
            number: checks.loose(body(recording, number))[:-1]
            for number, _, _ in requests_of(recording, "compact")
        }
        made = []
        for session in sessions_of(recording):
            for number in range(1, sum(s.boundary is not None for s in session.segments) + 1):
                made.append(checks.loose(list(compaction_call(session, number).messages or ())))
        differ[recording.parent.name] += sum(blocks not in made for blocks in asked.values())
    most = MOST_CALLS_DIFFER
    assert all(count <= most.get(version, 0) for version, count in differ.items()), differ


def test_the_requests_around_a_compaction_are_the_recorded_ones(recordings: list[Path]) -> None:
    for recording in recordings:
        main = list(requests_of(recording, "main"))
        for session in sessions_of(recording):
            calls = [n for n, asker, _ in requests_of(recording, "compact")
                     if asker == session.session_id]  # fmt: skip
            own = [(n, reply) for n, asker, reply in main
                   if asker == session.session_id and reply in session.index.messages]  # fmt: skip
            if len(calls) != sum(s.boundary is not None for s in session.segments):
                continue  # a fork holds copies of boundaries
            for number, call in enumerate(calls, 1):
                before = [reply for n, reply in own if n < call][-1:]
                after = [reply for n, reply in own if n > call][:1]
                first, second = reply_before(session, number), reply_after(session, number)
                assert ([first.id] if first else []) == before, (name_of(recording), number)
                assert ([second.id] if second else []) == after, (name_of(recording), number)
