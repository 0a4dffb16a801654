"""Items to rows and details: roles, words, outcomes, and no control of the data in any of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from builders import (
    ERA_NAMES,
    SessionBuilder,
    Workspace,
    finish,
    sampler,
    turn,
    write_demo,
    written,
)
from driving import NOW
from msgspec import Struct

from ccbrowse.core.session import Session
from ccbrowse.tui.reader.session import Reading
from ccbrowse.tui.viewmodels.entries import TOO_LARGE
from ccbrowse.tui.viewmodels.items import Choice
from ccbrowse.tui.viewmodels.lore import Lore
from ccbrowse.tui.viewmodels.source import SessionRows
from ccbrowse.tui.viewtypes import (
    BoundaryRow,
    DiffBlock,
    Divider,
    Entry,
    ForkRow,
    Outcome,
    Role,
    Row,
    Tone,
)

EVERYTHING = Choice(everything=True)


def rows_of(session: Session, choice: Choice = EVERYTHING) -> SessionRows:
    """All rows of a session, with its branches, findings and subagents."""
    reading = Reading(session, choice)
    news = reading.first()
    closer = reading.look_closer()
    assert closer is not None and news.step is not None
    lore = Lore(dict(news.boundaries), dict(closer.findings), closer.forks, dict(closer.agents))
    items = closer.step.items if closer.step.anew else news.step.items
    return SessionRows(session, items, lore)


def made(rows: SessionRows) -> list[Row]:
    return [rows.row(number) for number in range(len(rows))]


def words_in(value: object) -> Iterator[str]:
    """Every text within a view."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Struct):
        for each in value.__struct_fields__:
            yield from words_in(getattr(value, each))
    elif isinstance(value, tuple | list):
        for item in value:
            yield from words_in(item)


@pytest.fixture(params=ERA_NAMES)
def sampled(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SessionRows]:
    session = Session.open(written(sampler(request.param), tmp_path / "projects"))
    yield rows_of(session)
    session.close()


def test_every_item_has_a_row_a_detail_and_a_text(sampled: SessionRows) -> None:
    for number in range(len(sampled)):
        key = sampled.key(number)
        row = sampled.row(number)
        assert row.key == key
        view = sampled.detail(key)
        assert view is not None and view.key == key and view.title
        assert isinstance(row, Divider | BoundaryRow | ForkRow) or row.text or row.role is Role.NOTE
        assert sampled.text(key) or isinstance(row, Entry)


def test_roles_and_labels(sampled: SessionRows) -> None:
    entries = [row for row in made(sampled) if isinstance(row, Entry)]
    told = {(entry.role, str(entry.label)) for entry in entries}
    assert {
        (Role.PERSON, "you"),
        (Role.REPLY, "claude"),
        (Role.THINKING, "thinking"),
        (Role.TOOL, "Bash"),
        (Role.SUMMARY, "summary"),
        (Role.COMMAND, "command"),
        (Role.ERROR, "error"),
    } <= told
    agents = [entry for entry in entries if entry.role is Role.SUBAGENT]
    assert len(agents) == 1 and agents[0].opens
    queued = [entry for entry in entries if entry.role is Role.QUEUED]
    assert [entry.text for entry in queued] in ([], ["and this"])


def test_outcomes_of_calls(sampled: SessionRows) -> None:
    tools = [row for row in made(sampled) if isinstance(row, Entry) and row.role is Role.TOOL]
    by_words = {str(tool.text).split(" — ")[0]: tool for tool in tools}
    assert by_words["src/a.py"].outcome is Outcome.OK
    assert by_words["gone.py"].outcome is Outcome.FAILED
    assert by_words["ls"].outcome is Outcome.FAILED
    assert any(piece.tone is Tone.GOOD for piece in by_words["src/b.py"].facts)


def test_the_words_of_a_person_come_without_the_clients_tags(tmp_path: Path) -> None:
    b = SessionBuilder("2.1.332", seed="tags")
    turn(b, "<system-reminder>Mind the gap.</system-reminder>\nWhat I typed", say="Fine.")
    session = Session.open(written(b, tmp_path / "projects"))
    rows = rows_of(session, Choice())
    (prompt,) = [row for row in made(rows) if isinstance(row, Entry) and row.role is Role.PERSON]
    assert prompt.text == "What I typed"
    view = rows.detail(prompt.key)
    assert view is not None
    assert "Mind the gap." in "\n".join(words_in(view))
    session.close()


def test_a_call_without_result_runs_only_while_the_session_lives(tmp_path: Path) -> None:
    b = SessionBuilder("2.1.332", seed="runs")
    space = Workspace(b.cwd, b.era, {})
    b.prompt("Run")
    b.reply(space.bash("make", "never seen"))
    session = Session.open(written(b, tmp_path / "projects"))
    rows = rows_of(session, Choice())
    last = rows.row(len(rows) - 1)
    assert isinstance(last, Entry) and last.outcome is Outcome.NONE
    assert [piece.text for piece in last.facts] == ["no result"]
    rows.lore.live = True
    last = rows.row(len(rows) - 1)
    assert isinstance(last, Entry) and last.outcome is Outcome.RUNNING
    session.close()


def test_a_row_too_large_says_how_large_and_is_not_read(tmp_path: Path) -> None:
    b = SessionBuilder("2.1.332", seed="large")
    b.prompt("x" * (TOO_LARGE + 1))
    finish(b, say="Long.")
    session = Session.open(written(b, tmp_path / "projects"))
    rows = rows_of(session, Choice())
    entry = rows.row(1)
    assert isinstance(entry, Entry)
    assert entry.text == "2.0 MB, too large to be shown in a row"
    view = rows.detail(entry.key)
    assert view is not None
    assert any(word.startswith("first 1.0M of 2.0M characters") for word in words_in(view))
    session.close()


def test_odd_records_make_rows_too(tmp_path: Path) -> None:
    base = {"isSidechain": False, "sessionId": "s", "timestamp": "2026-03-03T11:00:00.000Z"}
    odd: list[dict[str, Any]] = [
        {"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": "none"}]}},
        {"type": "user", "message": {"content": [7, None, "plain", {"type": "text", "text": 5}]}},
        {
            "type": "assistant",
            "message": {"content": [{"type": "tool_use"}, {"type": "odd", "x": 1}]},
        },
        {"type": "assistant", "message": {"content": "words"}},
        {"type": "assistant", "message": None},
        {"type": "system", "subtype": 7, "content": ["x"]},
        {"type": "attachment", "attachment": "no mapping"},
        {"type": "nobody-knows", "payload": [1, {"deep": None}]},
        {"type": "system", "subtype": "compact_boundary", "compactMetadata": "no mapping"},
    ]
    lines, before = [], None
    for number, record in enumerate(odd):
        uuid = f"00000000-0000-4000-8000-{number:012}"
        lines.append(json.dumps({**base, **record, "uuid": uuid, "parentUuid": before}))
        before = uuid
    lines += ['{"type": "mode", "mode": {"odd": 1}}', "not json at all"]
    path = tmp_path / "11111111-1111-4111-8111-111111111111.jsonl"
    path.write_text("\n".join(lines) + "\n")
    session = Session.open(path)
    rows = rows_of(session)
    assert len(made(rows)) >= len(odd)
    for number in range(len(rows)):
        assert rows.detail(rows.key(number)) is not None
        rows.text(rows.key(number))
    labels = [str(row.label) for row in made(rows) if isinstance(row, Entry)]
    assert "nobody-knows" in labels and "damaged" in labels
    session.close()


def test_nothing_of_a_hostile_session_reaches_a_view_uncleaned(tmp_path: Path) -> None:
    tree = write_demo(tmp_path / "projects", NOW)
    for name in ("hostile", "uploads"):
        session = Session.open(tree.session(name).path)
        rows = rows_of(session)
        rows.lore.full = True
        for number in range(len(rows)):
            key = rows.key(number)
            for text in (*words_in(rows.row(number)), *words_in(rows.detail(key)), rows.text(key)):
                assert not any((ord(c) < 32 and c != "\n") or 0x7F <= ord(c) < 0xA0 for c in text)
                assert not any(
                    c in text for c in "\u202a\u202b\u202d\u202e\u2066\u2067\u2068\ud83d"
                )
        session.close()


def test_rows_of_a_file_that_is_gone_or_replaced_stay_harmless(tmp_path: Path) -> None:
    b = SessionBuilder("2.1.332", seed="gone")
    turn(b, "Here", say="There.")
    path = written(b, tmp_path / "projects")
    session = Session.open(path)
    rows = rows_of(session, Choice())
    session.close()
    path.unlink()
    entry = rows.row(1)
    assert isinstance(entry, Entry) and entry.text == "not in the file any more"
    assert rows.text(entry.key) == ""
    path.write_bytes(b"{}\n")
    session.refresh()
    assert not rows.is_current
    assert rows.detail(entry.key) is None and rows.record(entry.key) == {}
    assert isinstance(rows.row(1), Entry)


def test_an_edits_detail_is_a_diff_first(sampled: SessionRows) -> None:
    edits = [
        row
        for row in made(sampled)
        if isinstance(row, Entry) and row.label in ("Write", "MultiEdit")
    ]
    assert edits
    for edit in edits:
        view = sampled.detail(edit.key)
        assert view is not None and isinstance(view.blocks[0], DiffBlock)
        assert not any(word == "content" for word in words_in(view.blocks[1:]))
