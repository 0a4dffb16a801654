"""The contract's JSON, key by key, on the demo's sessions."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import contract
import pytest
from builders import DemoTree, write_demo
from commandline import CommandLine

from ccbrowse.core.records import Kind
from ccbrowse.core.session import Session

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
Objects = list[dict[str, Any]]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> DemoTree:
    """The demo's sessions."""
    return write_demo(tmp_path_factory.mktemp("contract") / "projects", NOW)


@pytest.fixture
def ccbrowse(capsysbinary: pytest.CaptureFixture[bytes]) -> CommandLine:
    """The command line."""
    return CommandLine(capsysbinary)


def none_wrong(shape: contract.Shape, objects: Objects) -> bool:
    """Asserts that each object has a shape."""
    for number, each in enumerate(objects):
        assert list(contract.wrong(shape, each, f"object {number}")) == []
    return bool(objects)


def stamps(root: Path) -> dict[Path, tuple[int, int]]:
    """Size and time of all that lies below a folder."""
    return {p: (p.lstat().st_size, p.lstat().st_mtime_ns) for p in root.rglob("*")}


@pytest.fixture(scope="module")
def shown(demo: DemoTree) -> Iterator[Objects]:
    """What `show` prints of each session of the demo."""
    with pytest.MonkeyPatch.context() as patch:
        out = bytearray()
        patch.setattr("ccbrowse.tui.cli.show.print_json", lambda value: out.extend(_line(value)))
        from ccbrowse.tui.cli import main

        with pytest.raises(SystemExit):
            main(["show", "--json", *(str(session.path) for session in demo.sessions)])
    yield [json.loads(line) for line in out.decode().splitlines()]


def _line(value: dict[str, Any]) -> bytes:
    from ccbrowse.tui.cli.output import to_json

    return to_json(value) + b"\n"


def test_list_prints_a_listing_for_each_session(ccbrowse: CommandLine, demo: DemoTree) -> None:
    done = ccbrowse("list", "--json", "--root", demo.root)
    assert done.code == 0
    assert done.err == ""
    assert none_wrong(contract.LISTING, done.objects)
    assert [each["session_id"] for each in done.objects] == [s.session_id for s in demo.sessions]


def test_show_prints_a_session_for_each_target(shown: Objects, demo: DemoTree) -> None:
    assert none_wrong(contract.SESSION, shown)
    assert [each["session_id"] for each in shown] == [s.session_id for s in demo.sessions]


def test_every_kind_of_part_was_looked_at(shown: Objects) -> None:
    segments = [segment for each in shown for segment in each["segments"]]
    assert any(segment["boundary"] for segment in segments)
    assert any(segment["carried_over"] for segment in segments)
    for key in ("branch_leaves", "off_chain", "subagents", "findings", "malformed_lines"):
        assert any(each[key] for each in shown), key
    sources = {segment["context"]["close"]["source"] for segment in segments}
    assert {"usage", "boundary"} <= sources


def test_show_and_list_say_the_same(ccbrowse: CommandLine, shown: Objects, demo: DemoTree) -> None:
    listed = {
        each["file"]: each for each in ccbrowse("list", "--json", "--root", demo.root).objects
    }
    for each in shown:
        listing = listed[each["file"]]
        for key in ("title", "title_source", "messages", "bytes", "usage", "models", "started"):
            assert listing[key] == each[key]
        triggers = [s["boundary"]["trigger"] for s in each["segments"] if s["boundary"]]
        assert sum(listing["compactions"].values()) == len(triggers)
        assert listing["segments"] == len(each["segments"])


def test_paths_are_absolute_and_below_their_root(shown: Objects, demo: DemoTree) -> None:
    for each in shown:
        path = Path(each["file"])
        assert path.is_absolute()
        assert path.parent.name == each["folder"]
        assert path.is_relative_to(demo.root)


def test_numbers_of_a_segment_agree_with_the_file(shown: Objects) -> None:
    for each in shown:
        data = Path(each["file"]).read_bytes()
        for segment in each["segments"]:
            lines = data[: segment["last_byte"]].count(b"\n") + 1
            assert lines == segment["last_line"]
            assert data[: segment["first_byte"]].count(b"\n") + 1 == segment["first_line"]
        assert sum(segment["messages"] for segment in each["segments"]) == each["messages"]
        assert sum(segment["prompts"] for segment in each["segments"]) == each["user_prompts"]
        assert [uuid for segment in each["segments"] for uuid in segment["uuids"]] == each["chain"]


@pytest.mark.parametrize("by", ["session", "project", "day", "model"])
def test_usage_prints_a_total_for_each_group(
    ccbrowse: CommandLine, demo: DemoTree, by: str
) -> None:
    done = ccbrowse("usage", "--by", by, "--json", "--root", demo.root)
    assert done.code == 0
    assert none_wrong(contract.TOTAL, done.objects)
    assert {each["by"] for each in done.objects} == {by}
    keys = [each["key"] for each in done.objects]
    assert keys == sorted(set(keys))
    if by == "session":
        assert set(keys) <= {session.session_id for session in demo.sessions}
    if by == "day":
        assert all(datetime.fromisoformat(key) for key in keys)


def test_every_way_to_group_sums_up_to_the_same(ccbrowse: CommandLine, demo: DemoTree) -> None:
    sums = []
    for by in ("session", "project", "day", "model"):
        objects = ccbrowse("usage", "--by", by, "--json", "--root", demo.root).objects
        sums.append({key: sum(each["usage"][key] for each in objects) for key in contract.USAGE})
    assert sums[0]["requests"] > 500
    assert sums == [sums[0]] * 4


def test_usage_of_segments_and_subagents_is_theirs_alone(
    ccbrowse: CommandLine, demo: DemoTree
) -> None:
    login = str(demo.session("login").path)
    (shown,) = ccbrowse("show", "--json", login).objects
    parts = [f"{login}#{each['number']}" for each in shown["segments"]]
    parts += [f"{login}@agent:{each['agent_id']}" for each in shown["subagents"]]
    wanted = [each["usage"] for each in (*shown["segments"], *shown["subagents"])]
    objects = ccbrowse("usage", "--json", *parts).objects
    keys = [part.replace(login, shown["session_id"]) for part in parts]
    assert {each["key"]: each["usage"] for each in objects} == dict(zip(keys, wanted, strict=True))
    done = ccbrowse("usage", f"{login}#99")
    assert (done.code, "no such segment" in done.complaint) == (1, True)


def test_doctor_of_a_segment_tells_what_is_wrong_on_its_lines(
    ccbrowse: CommandLine, demo: DemoTree
) -> None:
    exports = str(demo.session("exports").path)
    found = []
    for number in range(1, 5):
        _, *told = ccbrowse("doctor", "--json", f"{exports}#{number}").objects
        found += [(number, each["code"]) for each in told]
    assert found == [(1, "time_runs_backwards"), (3, "kept_relinked")]


def test_doctor_prints_its_report_then_findings(ccbrowse: CommandLine, demo: DemoTree) -> None:
    done = ccbrowse("doctor", "--json", "--root", demo.root)
    assert done.code == 0
    report, *findings = done.objects
    assert none_wrong(contract.REPORT, [report])
    assert none_wrong(contract.TOLD_FINDING, findings)
    assert report["roots"] == [str(demo.root)]
    known = {session.session_id: str(session.path) for session in demo.sessions}
    assert all(known[each["session_id"]] == each["file"] for each in findings)
    assert {each["severity"] for each in findings} == {"note", "warning", "error"}


def test_tail_prints_an_event_for_each_piece_of_news(
    ccbrowse: CommandLine, demo: DemoTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(time, "sleep", interrupt)
    login = demo.session("login")
    done = ccbrowse("tail", "--from-start", "--json", login.path)
    assert done.code == 130
    assert none_wrong(contract.EVENT, done.objects)
    kinds = {each["event"] for each in done.objects}
    assert kinds == {"message", "boundary", "branch", "subagent"}
    session = Session.open(login.path)
    told = [each["uuid"] for each in done.objects if each["event"] in ("message", "boundary")]
    index = session.index
    queued = [row for row in range(len(index)) if index.kind[row] == Kind.QUEUED_PROMPT]
    assert queued
    assert sorted(told) == sorted(
        index.uuids[row] or "" for row in [*session.chain, *session.chain.off_chain, *queued]
    )
    session.close()


def test_nothing_is_written_below_a_root(ccbrowse: CommandLine, demo: DemoTree) -> None:
    before = stamps(demo.root)
    for words in (["list"], ["usage"], ["doctor"], ["show", demo.session("uploads").path]):
        assert ccbrowse(*words, "--root", demo.root).code == 0
    assert stamps(demo.root) == before


@pytest.mark.parametrize(
    ("shape", "value", "complaint"),
    [
        ({"a": int}, {}, "x lacks a"),
        ({"a": int}, {"a": True}, "x.a is True, no int"),
        ([str], ["a", 5], "x[1] is 5, no str"),
        (("a", "b"), "c", "x is 'c', none of what it may be"),
        ((int, None), "c", "x is 'c', none of what it may be"),
        ({"a": int}, [], "x is [], no object"),
        ([str], "a", "x is 'a', no list"),
    ],
)
def test_what_is_not_of_its_shape_is_seen(
    shape: contract.Shape, value: object, complaint: str
) -> None:
    assert list(contract.wrong(shape, value, "x")) == [complaint]


def test_what_is_of_its_shape_passes() -> None:
    shape = {"a": (int, None), "b": [float], "c": ("x",)}
    assert list(contract.wrong(shape, {"a": None, "b": [1, 2.5], "c": "x", "more": 1}, "")) == []
