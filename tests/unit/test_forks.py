"""Which of two files wrote the records that they share: one answer, whoever asks."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from builders import ERA_NAMES, SessionBuilder, turn, written

from ccbrowse.core.forks import first_ids, head_of, wrote_first
from ccbrowse.core.index import SessionIndex, index_file
from ccbrowse.core.query import parse_search
from ccbrowse.core.relatives import relatives_of
from ccbrowse.core.search import search_sessions
from ccbrowse.core.session import Session

File = tuple[SessionIndex, Path]


def read(path: Path) -> File:
    """A file as `wrote_first` takes it."""
    return index_file(path), path


def pair(root: Path, era: str, *, marked: bool, grown: bool) -> tuple[Path, Path]:
    """A session and its fork; `grown`: both went on after it, the source first."""
    source = SessionBuilder(era, seed="source")
    turn(source, "Begin with quinces", say="Begun.")
    fork = source.fork("fork", marked=marked)
    if grown:
        turn(source, "Further", say="Here.")
        turn(fork, "Elsewhere", say="There.")
    return written(source, root), written(fork, root)


@pytest.mark.parametrize("era", ERA_NAMES)
@pytest.mark.parametrize("marked", [False, True])
def test_links_and_search_take_the_same_file_for_the_source(
    tmp_path: Path, era: str, marked: bool
) -> None:
    source, fork = pair(tmp_path / "projects", era, marked=marked, grown=True)
    assert wrote_first(read(source), read(fork))
    assert not wrote_first(read(fork), read(source))
    with Session.open(fork) as session:
        assert [each.path for each in relatives_of(session) if each.older] == [source]
        files = [session.file, Session.open(source).file]
    for order in (files, files[::-1]):
        hits = list(search_sessions(parse_search("quinces"), order))
        assert {hit.session_id for hit in hits} == {source.stem}


def test_of_files_that_are_alike_the_one_written_earlier_was_first(tmp_path: Path) -> None:
    one, two = tmp_path / "b.jsonl", tmp_path / "a.jsonl"
    builder = SessionBuilder(ERA_NAMES[0], seed="alike")
    turn(builder, "Begin", say="Begun.")
    for path, when in ((one, 1_700_000_000), (two, 1_700_000_100)):
        path.write_bytes(builder.data())
        os.utime(path, (when, when))
    assert wrote_first(read(one), read(two)) and not wrote_first(read(two), read(one))
    os.utime(
        two, (1_700_000_000, 1_700_000_000)
    )  # then the name decides, so that one answer stands
    assert wrote_first(read(two), read(one)) and not wrote_first(read(one), read(two))


def test_the_first_ids_are_those_of_the_first_records(tmp_path: Path) -> None:
    source, fork = pair(tmp_path / "projects", ERA_NAMES[-1], marked=False, grown=False)
    ids = first_ids(head_of(source))
    assert ids and set(ids) & set(first_ids(head_of(fork)))
    assert first_ids(head_of(tmp_path / "gone.jsonl")) == []
