"""The main line of any graph of records: it ends, covers each record once, and grows as it is read."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from graphs import cuts, files, joined
from hypothesis import example, given, settings
from hypothesis import strategies as st
from logs import Log

from ccbrowse.core.chain import branch_rows
from ccbrowse.core.index import REPLAY
from ccbrowse.core.records import CHAIN_KINDS
from ccbrowse.core.report import session_json
from ccbrowse.core.session import Session


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A new path for each file, in one folder a file: none has neighbours."""
    folder = tmp_path_factory.mktemp("graphs")
    return (folder / str(number) / "p" / "s.jsonl" for number in itertools.count())


def opened(path: Path, data: bytes) -> Session:
    """The session of a file with this content."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return Session.open(path)


def told(session: Session) -> dict[str, Any]:
    """Everything that `show` tells of a session, and the paths behind it."""
    return {
        **session_json(session, with_text_tokens=False),
        "path": [session.index.uuids[row] for row in session.chain.path],
        "carried": [segment.carried_over for segment in session.segments],
    }


def missing_and_new() -> list[bytes]:
    """A parent that was missing comes together with a record whose parent is."""
    log = Log()
    log.user("r0", parent="r1")
    log.user("r1", parent="gone")
    log.user("r2", parent="r0")
    return log.lines


def new_root() -> list[bytes]:
    """A file that starts at a boundary, and a root of its own after it."""
    log = Log()
    log.boundary("r0", None)
    log.user("r1", parent=None)
    return log.lines


def left_sidechain() -> list[bytes]:
    """A sidechain record on the line, which then leaves it."""
    log = Log()
    log.user("r0", parent=None)
    log.reply("r1", isSidechain=True)
    log.user("r2")
    log.reply("r3", parent="r0")
    return log.lines


def awaited() -> list[bytes]:
    """A boundary whose logical parent is written after it."""
    log = Log()
    log.user("r0", parent=None)
    log.boundary("r1", "r2")
    log.user("r2", parent="r0")
    log.user("r3", parent="r1")
    return log.lines


@settings(max_examples=150)
@given(files(), st.data())
@example(missing_and_new(), [247])
@example(new_root(), [330])
@example(left_sidechain(), [980])
@example(awaited(), [600])
def test_a_session_that_grew_is_the_one_read_at_once(
    paths: Iterator[Path], lines: list[bytes], more: st.DataObject | list[int]
) -> None:
    data, path = joined(lines), next(paths)
    at = more if isinstance(more, list) else more.draw(cuts(len(data)))
    start, *stops = [*at, len(data)]
    grown = opened(path, data[:start])
    for begin, end in itertools.pairwise([start, *stops]):
        assert told(grown)["bytes"] == begin  # asked now, so that nothing is found out too early
        with path.open("ab") as file:
            file.write(data[begin:end])
        grown.refresh()
    whole = Session.open(path)
    shown = told(grown), told(whole)
    grown.close()
    whole.close()
    assert shown[0] == shown[1]


def in_two_stretches() -> list[bytes]:
    """A message whose fragments stand on both sides of a boundary, and one beside the line."""
    log = Log()
    log.reply("r0", parent=None, message="m0")
    log.boundary("r1", "r0")
    log.reply("r2", message="m0")
    log.reply("r3", message="m0", parent="r0")
    log.user("r4", parent="r2")
    return log.lines


def circle_beside() -> list[bytes]:
    """An arm that is a circle, and one that hangs on a circle of other records."""
    log = Log()
    log.user("r0", parent="r1")
    log.user("r1", parent="r0")
    log.progress("r2", "r3")
    log.progress("r3", "r2")
    log.user("r4", parent="r2")
    log.user("r5", parent=None)
    return log.lines


@settings(max_examples=150)
@given(files(most=30))
@example(in_two_stretches())
@example(circle_beside())
def test_each_record_stands_once_in_the_chain_or_beside_it(
    paths: Iterator[Path], lines: list[bytes]
) -> None:
    session = opened(next(paths), joined(lines))
    index, chain = session.index, session.chain
    on, off = list(chain), chain.off_chain
    wanted = [
        row
        for row in range(len(index))
        if index.kind[row] in CHAIN_KINDS
        and not index.flags[row] & REPLAY
        and not index.is_sidechain(row)
    ]
    assert sorted([*on, *off]) == wanted
    assert [row for segment in session.segments for row in segment.rows] == list(chain)
    assert [bool(flag) for flag in chain.on_line] == [
        row in set(chain) for row in range(len(index))
    ]
    assert [
        row
        for row in chain.path
        if index.kind[row] in CHAIN_KINDS and row not in set(chain) and not index.is_sidechain(row)
    ] == []
    assert len(set(chain.path)) == len(chain.path)
    leaves = [branch.leaf for branch in chain.branches]
    assert len(set(leaves)) == len(leaves)
    arms = {row for leaf in leaves for row in branch_rows(index, leaf, set(off))}
    assert arms == set(off)
    session.close()


@settings(max_examples=60)
@given(files(most=30))
def test_what_a_segment_tells_is_true_of_its_rows(
    paths: Iterator[Path], lines: list[bytes]
) -> None:
    session = opened(next(paths), joined(lines))
    index = session.index
    for number, segment in enumerate(session.segments, 1):
        assert segment.number == number
        assert segment.messages == len(segment.rows) - (segment.boundary is not None)
        assert segment.boundary is None or segment.rows[0] == segment.boundary.row
        assert (segment.boundary is not None) == (number > 1 or segment.boundary is not None)
        assert segment.first_line <= segment.last_line <= index.lines
        assert 0 <= segment.first_byte < segment.last_byte <= index.size
        if segment.rows:
            assert segment.first_line == min(index.line[row] for row in segment.rows)
            assert segment.last_line == max(index.line[row] for row in segment.rows)
        assert segment.usage.requests == len(set(segment.requests))
        assert segment.prompts >= 0
        assert segment.started <= segment.ended
    assert session.messages == sum(index.kind[row] != 8 for row in session.chain)
    session.close()
