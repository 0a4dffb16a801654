"""Whatever a file holds: a part put on a line of its own is the part, whole, to us and to the client."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest
from client_rules import loaded
from graphs import files
from hypothesis import HealthCheck, given, settings

from ccbrowse.core.export import Form, Options, Part, branch, encoded, export, segment, whole
from ccbrowse.core.export.relink import plan_of
from ccbrowse.core.index import SIDECHAIN
from ccbrowse.core.records import CHAIN_KINDS, REPLY_KINDS, Kind, ToolCall, blocks
from ccbrowse.core.session import Session

ROOT = Options(reroot=True)


def parts_of(session: Session) -> list[Part]:
    """The whole session, each segment and each branch."""
    uuids = session.index.uuids
    parts = [whole(session)]
    parts += [segment(session, each.number) for each in session.segments]
    parts += [branch(session, uuids[each.leaf] or "") for each in session.chain.branches]
    return parts


def chain_of(part: Part) -> list[str]:
    index = part.session.index
    return [index.uuids[row] or "" for row in part.rows if index.kind[row] in CHAIN_KINDS]


def rerooted(part: Part) -> bytes:
    return b"".join(map(encoded, export(part, Form.JSONL, ROOT)))


def check(part: Part, folder: Path) -> None:
    """A part read back: the same records in the same order, nothing repaired, all that a client needs."""
    data = rerooted(part)
    target = folder / "again" / part.session.file.path.name
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(data)
    want = chain_of(part)
    with closing(Session.open(target)) as again:
        got = [again.index.uuids[row] for row in again.chain]
        assert again.warnings() == []
    index = part.session.index
    joined_anew = any(index.flags[row] & SIDECHAIN for row in part.rows) or calls_twice(part)
    if part.branch or joined_anew:
        # The rows of an arm stand in file order; a subagent's are not joined to their message. Of two
        # calls under one id a result answers the one that came along.
        assert sorted(got, key=str) == sorted(want)
    else:
        assert got == want
    if want:
        newest = max((n for n, uuid in enumerate(want) if is_boundary(part, uuid)), default=0)
        assert set(want[newest:]) <= set(loaded(data))


def calls_twice(part: Part) -> bool:
    """Whether two messages of the file make a call under one id: no client does."""
    made: dict[str | None, int] = {}
    index = part.session.index
    for row in range(len(index)):
        if index.kind[row] in REPLY_KINDS:
            for block in blocks(part.session.record(row)):
                if isinstance(block, ToolCall):
                    name = index.message[row]
                    if made.setdefault(block.id, name) != name or name < 0:
                        return True
    return False


def is_boundary(part: Part, uuid: str) -> bool:
    row = part.session.index.row_of(uuid)
    return row is not None and part.session.index.kind[row] == Kind.BOUNDARY


@settings(max_examples=150, suppress_health_check=list(HealthCheck))
@given(lines=files(most=16))
def test_random_files(lines: list[bytes], tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"\n".join(lines) + b"\n")
    check_all(path, tmp_path)


def check_all(path: Path, folder: Path) -> None:
    with closing(Session.open(path)) as session:
        if session.segments:
            for part in parts_of(session):
                check(part, folder)


def shared_files(shared: Path, pattern: str) -> list[Path]:
    found = (path for path in shared.glob(pattern) if path.is_file())
    return sorted(path for path in found if "subagents" not in path.parts)


@pytest.mark.parametrize(
    "pattern", ["cases/*/projects/*/*.jsonl", "recordings/*/*/projects/*/*.jsonl"]
)
def test_given_files(shared: Path, tmp_path: Path, pattern: str) -> None:
    files_there = shared_files(shared, pattern)
    assert files_there
    for path in files_there:
        check_all(path, tmp_path)


def test_segments_of_recordings_keep_what_is_said_of_them(shared: Path, tmp_path: Path) -> None:
    """Prompts, calls, usage and times of a segment are those of the original; kept messages are loaded."""
    carried = 0
    for path in shared_files(shared, "recordings/2.1.*/s0[123]_*/projects/*/*.jsonl"):
        with closing(Session.open(path)) as session:
            for each in session.segments:
                carried += same_facts(segment(session, each.number), tmp_path / path.name)
    assert carried > 20


def same_facts(part: Part, target: Path) -> int:
    """Check a segment against itself read back; how many kept messages came along."""
    session, each = part.session, part.segments[0]
    target.write_bytes(data := rerooted(part))
    with closing(Session.open(target)) as again:
        (found,) = again.segments
        for fact in ("prompts", "tool_calls", "usage", "started", "ended"):
            assert getattr(found, fact) == getattr(each, fact)
        assert found.context.open == each.context.open
        assert found.context.peak == each.context.peak
    along = [session.index.uuids[row] for row in plan_of(part).carried]
    said = {uuid for uuid in along if uuid in chain_of(whole(session))}
    assert said <= set(loaded(data))
    return len(said)


def test_a_client_finds_no_link_that_leads_out(tmp_path: Path) -> None:
    """The judge of these tests is one: a file as it is fails where its chain is broken."""
    broken = json.dumps({"type": "user", "uuid": "a", "parentUuid": "gone", "message": {}})
    with pytest.raises(AssertionError, match="not in the file"):
        loaded(broken.encode())
