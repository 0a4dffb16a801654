"""The session of the demo that goes on: whole lines, only inside its tree, always the same."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from builders import LiveSession, Row, grow, write_demo

from ccbrowse.core.session import Session

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


@pytest.fixture
def live(tmp_path: Path) -> LiveSession:
    return grow(write_demo(tmp_path / "projects", NOW))


def parsed(data: bytes) -> list[Row]:
    return [json.loads(line) for line in data.split(b"\n") if line]


def test_steps_only_append_whole_lines_but_for_one_that_is_still_written(live: LiveSession) -> None:
    before = live.path.read_bytes()
    halves = 0
    for _ in range(60):
        live.step()
        after = live.path.read_bytes()
        assert after.startswith(before)
        halves += not after.endswith(b"\n")
        before = after
    live.settle()
    assert live.path.read_bytes().endswith(b"}\n")
    assert parsed(live.path.read_bytes())
    assert 5 <= halves <= 12


def test_it_compacts_within_minutes_and_goes_on(live: LiveSession) -> None:
    steps = Counter(live.step() for _ in range(400))
    assert steps["compaction"] >= 3
    assert {"prompt", "call", "result", "reply", "done", "agent"} < steps.keys()
    live.settle()
    session = Session.open(live.path)
    assert len(session.segments) == 4 + steps["compaction"]
    assert [f.code for f in session.findings if f.severity != "note"] == []


def test_a_call_is_seen_before_its_result(live: LiveSession) -> None:
    steps = [live.step() for _ in range(30)]
    at = steps.index("call")
    assert steps[at + 1] == "result"


def test_a_subagents_file_appears_and_grows(live: LiveSession) -> None:
    folder = live.path.with_suffix("") / "subagents"
    known = set(folder.glob("*.jsonl"))
    while live.step() != "agent":
        pass
    (new,) = set(folder.glob("*.jsonl")) - known
    meta = new.with_suffix("").with_suffix(".meta.json")
    assert json.loads(meta.read_bytes())["finished"] is False
    size = new.stat().st_size
    live.step()
    assert new.stat().st_size > size
    while live.step() != "result":
        pass
    assert json.loads(meta.read_bytes())["finished"] is True
    assert all(parsed(new.read_bytes()))


def test_nothing_but_its_own_files_changes(live: LiveSession) -> None:
    root = live.path.parents[1]
    own = live.path.stem
    others = {p: p.read_bytes() for p in root.rglob("*") if p.is_file() and own not in str(p)}
    for _ in range(80):
        live.step()
    after = {p: p.read_bytes() for p in root.rglob("*") if p.is_file() and own not in str(p)}
    assert after == others
    assert [path.name for path in root.parent.iterdir()] == ["projects"]


def test_the_same_steps_write_the_same_bytes(tmp_path: Path) -> None:
    grown = []
    for name in ("one", "two"):
        live = grow(write_demo(tmp_path / name, NOW))
        for _ in range(120):
            live.step()
        live.settle()
        grown.append(live.path.read_bytes())
    assert grown[0] == grown[1]


def test_a_clock_of_ones_own_is_followed(tmp_path: Path) -> None:
    moments = iter(NOW + timedelta(seconds=n) for n in range(1_000))
    live = grow(write_demo(tmp_path, NOW), lambda: next(moments))
    size = live.path.stat().st_size
    for _ in range(50):
        live.step()
    live.settle()
    new = parsed(live.path.read_bytes()[size:])
    times = [datetime.fromisoformat(row["timestamp"]) for row in new if "timestamp" in row]
    assert min(times) >= NOW - timedelta(seconds=1)
    assert max(times) <= NOW + timedelta(seconds=51)
