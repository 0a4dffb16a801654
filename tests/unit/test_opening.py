"""Opening long sessions by a child process: the same session, cached or not, and nothing left behind."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from builders import sampler, written

from ccbrowse.core import opening
from ccbrowse.core.cache import Cache, open_session, structures
from ccbrowse.core.cache.structures import packed, unpacked
from ccbrowse.core.errors import CcbrowseError
from ccbrowse.core.lines import Growth
from ccbrowse.core.locate import SessionFile, session_file
from ccbrowse.core.opening import NotWanted, open_apart
from ccbrowse.core.report import session_json
from ccbrowse.core.session import Session


@pytest.fixture(autouse=True)
def every_session_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name in ((opening, "LONG"), (opening, "APART"), (structures, "LONG")):
        monkeypatch.setattr(module, name, 0)


@pytest.fixture
def file(tmp_path: Path) -> SessionFile:
    root = tmp_path / "projects"
    return session_file(written(sampler("2.1.181"), root), root)


def told(session: Session) -> object:
    """All that is said of a session."""
    rows = [list(segment.rows) for segment in session.segments]
    return rows, session.chain.branches, session_json(session, False)


def test_a_child_reads_the_session_that_this_process_would(file: SessionFile) -> None:
    session = open_apart(file, None, lambda: False)
    assert told(session) == told(Session(file))
    with file.path.open("ab") as growing:
        growing.write(b'{"type":"summary","summary":"grown","leafUuid":"x"}\n')
    assert session.refresh().growth is Growth.GROWN
    assert told(session) == told(Session(file))


def test_what_grew_while_the_child_read_is_read_here(file: SessionFile) -> None:
    data = packed(Session(file))
    assert data is not None
    with file.path.open("ab") as growing:
        growing.write(b'{"type":"custom-title","customTitle":"Grown"}\n')
    session = Session(file, start=unpacked(data, file))
    assert session.title.text == "Grown"
    assert told(session) == told(Session(file))


def test_where_no_child_can_be_had_it_is_read_here(
    file: SessionFile, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for program in (tmp_path / "none", Path("/bin/true")):
        monkeypatch.setattr(sys, "executable", str(program))
        assert told(open_apart(file, None, lambda: False)) == told(Session(file))


def test_one_that_is_not_wanted_any_more_ends_the_child(file: SessionFile) -> None:
    with pytest.raises(NotWanted):
        open_apart(file, None, lambda: True)


def test_a_file_that_is_gone_is_said_as_ever(file: SessionFile) -> None:
    file.path.unlink()
    with pytest.raises((OSError, CcbrowseError)):
        open_apart(file, None, lambda: False)


def test_the_child_keeps_what_it_read_for_the_next_start(
    file: SessionFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert file.root is not None
    sent = io.BytesIO()
    monkeypatch.setattr(sent, "close", lambda: None)
    opening.main(str(file.path), str(file.root), [str(file.root)], sent)
    start = unpacked(sent.getvalue(), file)
    assert start is not None
    cache = Cache(roots=[file.root])
    _, known = open_session(file, cache)
    cache.close()
    assert known is not None
    assert not known.is_worth_keeping
    monkeypatch.setattr(opening, "_from_child", lambda *words, **more: pytest.fail("it is known"))
    assert told(open_apart(file, [file.root], lambda: False)) == told(Session(file))
