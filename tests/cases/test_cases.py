"""The given cases: faults that readers of these files have had, each read as the case expects it."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from caseproof import Case, Facts, complaints, counters, joined, play

from ccbrowse.core.index import iso
from ccbrowse.core.library import Library, list_session, newest_first
from ccbrowse.core.lines import Growth
from ccbrowse.core.records import Kind
from ccbrowse.core.report import listing_json, session_json
from ccbrowse.core.session import Session
from ccbrowse.core.totals import By, source_of, totals
from ccbrowse.tui.cli.words import clock

GIVEN = Path(__file__).parent / "given"
CASES = {folder.name: Case(folder) for folder in sorted(GIVEN.iterdir()) if folder.is_dir()}
LIVE = [name for name, case in CASES.items() if case.steps]


def those_with(*keys: str) -> list[str]:
    """The cases that expect one of these of all their sessions together."""
    return [name for name, case in CASES.items() if any(key in case.expect for key in keys)]


def shown(path: Path) -> Facts:
    """What `show` says of a session, without the estimates."""
    session = Session.open(path)
    try:
        return json.loads(json.dumps(session_json(session, with_text_tokens=False)))  # type: ignore[no-any-return]  # an object
    finally:
        session.close()


def test_the_cases_are_there() -> None:
    assert len(CASES) == 72
    assert len(LIVE) == 7


@pytest.mark.parametrize("name", CASES)
def test_each_session_of_a_case_is_read_as_expected(name: str) -> None:
    case = CASES[name]
    assert case.sessions
    for expected in case.sessions:
        found = shown(case.folder / expected["file"])
        assert joined(complaints(expected, found)) == "", case.facts["what_happens"]


@pytest.mark.parametrize("name", CASES)
def test_what_is_listed_agrees_with_what_is_shown(name: str) -> None:
    case = CASES[name]
    for expected in case.sessions:
        session = Session.open(case.folder / expected["file"])
        listing, found = listing_json(list_session(session)), session_json(session, False)
        session.close()
        for key in ("session_id", "title", "messages", "context_tokens_now", "usage", "branches"):
            assert listing[key] == found[key], key
        assert listing["segments"] == len(found["segments"])
        assert listing["subagents"] == len(found["subagents"])
        above = [each for each in found["findings"] if each["severity"] != "note"]
        assert listing["findings"] == len(above)


def listed(case: Case) -> list[str]:
    """The session ids that a list shows, newest first."""
    return [listing.session_id for listing in newest_first(list(Library([case.root]).scan()))]


@pytest.mark.parametrize("name", those_with("n_sessions", "must_not_list", "list_order"))
def test_a_list_shows_what_is_a_session(name: str) -> None:
    case, ids = CASES[name], listed(CASES[name])
    wanted = case.expect.get("n_sessions", len(ids))
    extra = case.expect.get("n_sessions_allowed_extra_marked_empty", 0)
    assert wanted <= len(ids) <= wanted + extra
    assert not set(case.expect.get("must_not_list", [])) & set(ids)
    assert case.expect.get("list_order", ids) == ids


def test_what_holds_no_message_is_not_listed_though_it_might_be_marked_empty() -> None:
    [name] = those_with("n_sessions_allowed_extra_marked_empty")
    assert listed(CASES[name]) == [expected["sessionId"] for expected in CASES[name].sessions]
    hidden = [
        file
        for file in Library([CASES[name].root]).files()
        if file.session_id not in listed(CASES[name])
    ]
    assert hidden
    for file in hidden:
        session = Session.open(file)
        assert session.is_empty
        session.close()


@pytest.mark.parametrize("name", those_with("n_project_folders"))
def test_projects_are_told_by_what_the_records_say(name: str) -> None:
    case = CASES[name]
    listings = list(Library([case.root]).scan())
    assert len({listing.file.folder for listing in listings}) == case.expect["n_project_folders"]
    wanted = {expected["sessionId"]: expected["cwd"] for expected in case.sessions}
    assert {listing.session_id: listing.cwd for listing in listings} == wanted


@pytest.mark.parametrize("name", those_with("project_usage"))
def test_a_project_counts_each_request_once(name: str) -> None:
    case, sources = CASES[name], []
    for expected in case.sessions:
        session = Session.open(case.folder / expected["file"])
        sources.append(source_of(session))
        session.close()
    for by in (By.PROJECT, By.SESSION):
        found = totals(sources, by)
        summed = {
            key: sum(counters(total.usage.to_json())[key] for total in found)
            for key in case.expect["project_usage"]
        }
        assert summed == case.expect["project_usage"]


@pytest.mark.parametrize(
    "name", [n for n, c in CASES.items() if any("queued_prompts" in s for s in c.sessions)]
)
def test_a_prompt_that_was_queued_is_known_as_one(name: str) -> None:
    case = CASES[name]
    for expected in case.sessions:
        session = Session.open(case.folder / expected["file"])
        index = session.index
        queued = [
            index.uuids[row] for row in session.chain.path if index.kind[row] == Kind.QUEUED_PROMPT
        ]
        session.close()
        assert queued == expected["queued_prompts"]


@pytest.fixture
def zone(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[str]:
    """A time zone that is the user's for a while."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield request.param
    monkeypatch.undo()
    time.tzset()


[DATED] = those_with("dates")


@pytest.mark.parametrize("zone", CASES[DATED].expect["dates"], indirect=True)
def test_dates_are_those_of_the_users_zone(zone: str) -> None:
    case = CASES[DATED]
    wanted = case.expect["dates"][zone]
    session = Session.open(case.folder / case.sessions[0]["file"])
    last = max(session.index.time)
    assert clock(last) == wanted
    assert iso(last) == iso(session.index.facts.updated)
    source = source_of(session)
    session.close()
    assert [total.key for total in totals([source], By.DAY)] == [wanted[:10]]
    assert datetime.fromtimestamp(last / 1000).strftime("%Y-%m-%d %H:%M") == wanted


@pytest.mark.parametrize("name", LIVE)
def test_a_session_that_is_watched_is_read_as_expected_at_each_step(
    name: str, tmp_path: Path
) -> None:
    case = Case(shutil.copytree(GIVEN / name, tmp_path / name))
    watched = Session.open(case.folder / case.sessions[0]["file"])
    for number, step in enumerate(case.steps):
        play(case.folder, step)
        growth = watched.refresh().growth
        expected = step.get("expect", {})
        if "listed" in expected:
            assert set(listed(case)) == set(expected["listed"])
        if "n_sessions" in expected:
            assert len(listed(case)) == expected["n_sessions"]
        if not watched.file.path.exists():
            assert growth is Growth.REMOVED
            continue
        now = session_json(watched, with_text_tokens=False)
        assert joined(at_step(expected, now)) == "", f"step {number}"
        assert json.loads(json.dumps(now)) == shown(watched.file.path), f"step {number}"
    watched.close()


def at_step(expected: Facts, found: Facts) -> Iterator[str]:
    """What is not as a step expects it."""
    tail = {found["lines"]} if found["incomplete_tail"] else set()
    now = {
        "chain": found["chain"],
        "malformed_lines": [line for line in found["malformed_lines"] if line not in tail],
        "n_segments": len(found["segments"]),
        "context_tokens_now": found["context_tokens_now"],
        "branches": found["branches"],
        "messages": found["messages"],
        "segment_usage": [counters(segment["usage"]) for segment in found["segments"]],
        "subagents": len(found["subagents"]),
        "open_tool_calls": len(found["open_calls"]),
    }
    for key, value in now.items():
        if key in expected and expected[key] != value:
            yield f"{key}: {value!r} instead of {expected[key]!r}"


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("k01", {"chain": []}),
        ("k01", {"segments": []}),
        ("k01", {"title": "Another"}),
        ("k01", {"messages": 0}),
        ("k01", {"session_id": "x"}),
        ("c05", {"branches": 1}),
        ("c09", {"off_chain": []}),
        ("c03", {"findings": []}),
        ("c14", {"forked_from": None}),
        ("c20", {"branch_leaves": []}),
        ("k07", {"continues_from": None}),
        ("p05", {"malformed_lines": []}),
        ("p05", {"updated": "2020-01-01T00:00:00.000Z"}),
        ("p06", {"incomplete_tail": False}),
        ("l09", {"open_calls": []}),
        ("t06", {"subagents": []}),
        ("t08", {"models": []}),
        ("t10", {"context_tokens_now": 1}),
    ],
    ids=lambda value: value if isinstance(value, str) else next(iter(value)),
)
def test_what_is_not_as_expected_is_seen(name: str, change: Facts) -> None:
    [case] = [case for key, case in CASES.items() if key.startswith(f"{name}-")]
    expected = case.sessions[-1]
    found = shown(case.folder / expected["file"])
    assert joined(complaints(expected, found)) == ""
    assert joined(complaints(expected, {**found, **change})) != ""
