"""Forks in other files: told from both sides, siblings left out, strangers unread."""

from __future__ import annotations

from pathlib import Path

import pytest
from builders import ERA_NAMES, OPENING, SessionBuilder, turn, written

from ccbrowse.core.relatives import Relative, relatives_of
from ccbrowse.core.session import Session


def told(path: Path) -> list[tuple[str, bool]]:
    """The relatives of a session: their ids, and whether they are its source."""
    session = Session.open(path)
    found = relatives_of(session)
    for relative in found:
        assert isinstance(relative, Relative)
        other = Session.open(relative.path)
        assert other.index.row_of(relative.uuid) is not None
        other.close()
        assert session.chain.on_line[relative.row]
    session.close()
    return [(relative.session_id, relative.older) for relative in found]


@pytest.mark.parametrize("era", ERA_NAMES)
@pytest.mark.parametrize("compacted", [False, True])
@pytest.mark.parametrize("marked", [False, True])
def test_a_fork_and_its_source_know_each_other(
    tmp_path: Path, era: str, compacted: bool, marked: bool
) -> None:
    root = tmp_path / "projects"
    b = SessionBuilder(era, seed="source")
    turn(b, "Begin", say="Begun.")
    if compacted:
        b.compact(f"{OPENING}\n\nBegun.")
        turn(b, "Go on", say="Gone on.")
    twin, other = b.fork("twin", marked=marked), b.fork("other", marked=marked)
    turn(b, "Further", say="Here.")
    turn(twin, "Elsewhere", say="There.")
    turn(other, "Else", say="Where.")
    stranger = SessionBuilder(era, seed="stranger")
    turn(stranger, "Nothing of that", say="No.")
    source, first, second, alone = (written(x, root) for x in (b, twin, other, stranger))
    assert sorted(told(source)) == sorted([(first.stem, False), (second.stem, False)])
    assert told(first) == [(source.stem, True)]
    assert told(second) == [(source.stem, True)]
    assert told(alone) == []


def test_a_source_that_cannot_be_read_is_none(tmp_path: Path) -> None:
    root = tmp_path / "projects"
    b = SessionBuilder("2.1.332", seed="source")
    turn(b, "Begin", say="Begun.")
    twin = b.fork("twin")
    turn(twin, "Elsewhere", say="There.")
    source, fork = written(b, root), written(twin, root)
    session = Session.open(fork)
    source.unlink()
    source.symlink_to(tmp_path / "nowhere")
    assert relatives_of(session) == ()
    session.close()
