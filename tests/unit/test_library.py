"""All sessions under the roots: which are listed, in what order, and what cannot be read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from logs import START, STEP, Log

from ccbrowse.core.errors import Gone
from ccbrowse.core.index import NO_TIME
from ccbrowse.core.library import FILL_POINTS, Library, Listing, fill_curve, newest_first
from ccbrowse.core.session import Session


def write(root: Path, name: str, *, later: int = 0, project: str = "p") -> Path:
    """A session of one prompt."""
    log = Log(name)
    log.time = START + later
    log.user(f"{name}-u", f"Prompt of {name}", None)
    return log.write(root / project)


def ids(listings: list[Listing]) -> list[str]:
    """Their session ids."""
    return [listing.session_id for listing in listings]


def test_files_come_the_most_recently_written_first_each_once(tmp_path: Path) -> None:
    for age, name in enumerate(("old", "new", "middle")):
        os.utime(write(tmp_path, name), (1000 + age % 2 * 2 + age, 1000 + age % 2 * 2 + age))
    library = Library([tmp_path, tmp_path])
    assert [file.session_id for file in library.files()] == ["new", "middle", "old"]


def test_a_scan_lists_what_holds_a_message(tmp_path: Path) -> None:
    write(tmp_path, "one")
    write(tmp_path / "other", "two", project="q")
    empty = Log("empty")
    empty.side("mode", mode="plan")
    empty.write(tmp_path / "p")
    library = Library([tmp_path, tmp_path / "other"])
    assert sorted(ids(list(library.scan()))) == ["one", "two"]
    assert library.unreadable == []


def test_the_newest_record_counts_not_the_files_time(tmp_path: Path) -> None:
    os.utime(write(tmp_path, "a", later=3000), (1, 1))
    write(tmp_path, "b", later=1000)
    write(tmp_path, "c", later=2000)
    assert ids(newest_first(list(Library([tmp_path]).scan()))) == ["a", "c", "b"]


def test_a_session_without_times_is_sorted_by_its_files_time(tmp_path: Path) -> None:
    log = Log("timeless")
    log.user("u1", parent=None, timestamp=None)
    path = log.write(tmp_path / "p")
    newer = (START + 9 * STEP) // 1000
    os.utime(path, (newer, newer))
    write(tmp_path, "timed")
    found = newest_first(list(Library([tmp_path]).scan()))
    assert ids(found) == ["timeless", "timed"]
    assert found[0].updated == NO_TIME


def test_some_files_may_be_scanned_alone(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write(tmp_path, name)
    library = Library([tmp_path])
    wanted = [file for file in library.files() if file.session_id == "two"]
    assert ids(list(library.scan(wanted))) == ["two"]


def test_a_file_that_went_meanwhile_is_named_and_the_rest_listed(tmp_path: Path) -> None:
    gone = write(tmp_path, "gone")
    write(tmp_path, "here")
    library = Library([tmp_path])
    files = library.files()
    gone.unlink()
    assert ids(list(library.scan(files))) == ["here"]
    [unreadable] = library.unreadable
    assert unreadable.path == gone
    assert unreadable.reason == str(Gone(str(gone)))


def test_a_file_that_cannot_be_opened_is_named_with_the_systems_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path, "locked")

    def refuse(self: Path, *args: object, **kwargs: object) -> None:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "open", refuse)
    library = Library([tmp_path])
    assert list(library.scan()) == []
    assert [(u.path, u.reason) for u in library.unreadable] == [(path, "Permission denied")]


def test_what_could_not_be_read_is_found_out_anew_each_time(tmp_path: Path) -> None:
    library = Library([tmp_path / "none"])
    for _ in range(2):
        assert list(library.scan()) == []
        assert [unreadable.path for unreadable in library.unreadable] == [tmp_path / "none"]
    (tmp_path / "none").mkdir()
    assert list(library.scan()) == []
    assert library.unreadable == []


def test_sessions_of_a_folder_share_it(tmp_path: Path) -> None:
    library = Library([tmp_path])
    assert library.folder(tmp_path / "p") is library.folder(tmp_path / "p")
    assert library.folder(tmp_path / "p") is not library.folder(tmp_path / "q")


def test_two_projects_in_one_folder_are_two(tmp_path: Path) -> None:
    for name, cwd in (("one", "/home/robin/a_b"), ("two", "/home/robin/a.b")):
        log = Log(name)
        log.user("u1", parent=None, cwd=cwd)
        log.write(tmp_path / "-home-robin-a-b")
    found = {listing.session_id: listing.project for listing in Library([tmp_path]).scan()}
    assert found == {"one": "a_b", "two": "a.b"}


@pytest.mark.parametrize("count", [0, 1, FILL_POINTS, FILL_POINTS + 1, 1000])
def test_a_fill_curve_keeps_peaks_in_few_points(tmp_path: Path, count: int) -> None:
    log = Log()
    log.user("u", parent=None)
    for number in range(count):
        log.reply(f"a{number}", usage=(9999 if number == count // 2 else number + 1, 0, 0, 0))
    session = Session.open(log.write(tmp_path))
    curve = fill_curve(session)
    assert len(curve) == min(count, FILL_POINTS)
    assert count == 0 or max(curve) == 9999
    assert count < 2 or curve[-1] >= count


def test_a_damaged_session_says_so(tmp_path: Path) -> None:
    log = Log("broken")
    log.user("u1", parent=None)
    log.raw(b"{half")
    log.user("u2", parent="gone")
    log.user("u3", timestamp="2020-01-01T00:00:00.000Z")
    log.write(tmp_path / "p")
    [listing] = Library([tmp_path]).scan()
    assert listing.damaged
    assert listing.findings == 2


def test_subagents_are_counted_without_copies_and_the_unnamed(tmp_path: Path) -> None:
    log = Log("one")
    log.user("u1", parent=None)
    log.user("x1", parent=None, isSidechain=True)
    log.user("y1", parent=None, isSidechain=True, agentId="a1")
    log.write(tmp_path / "p")
    for name in ("agent-a7", "agent-acompact-1"):
        agent = Log(name)
        agent.user("z1", parent=None, isSidechain=True)
        agent.write(tmp_path / "p" / "one" / "subagents")
    [listing] = Library([tmp_path]).scan()
    assert listing.subagents == 2
