"""Changed paths to changed sessions; events and looks that tell of changes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ccbrowse.core import watch
from ccbrowse.core.errors import Gone
from ccbrowse.core.watch import SessionChanged, changed_sessions, changes, is_polling_wanted, poll


class Watching:
    """Gathers in a thread what a source of changes yields."""

    def __init__(self, source: Callable[[threading.Event], Iterator[set[Path]]]) -> None:
        self.stop = threading.Event()
        self.batches: list[set[Path]] = []
        self._thread = threading.Thread(target=self._run, args=(source,))
        self._thread.start()

    def _run(self, source: Callable[[threading.Event], Iterator[set[Path]]]) -> None:
        for batch in source(self.stop):
            self.batches.append(batch)

    @property
    def seen(self) -> set[Path]:
        return set().union(*self.batches)

    def until(self, what: Callable[[], object]) -> None:
        end = time.monotonic() + 10
        while not what():
            assert time.monotonic() < end, "it did not come within the time"
            time.sleep(0.01)

    def end(self) -> None:
        self.stop.set()
        self._thread.join(10)
        assert not self._thread.is_alive()


def test_paths_belong_to_the_session_whose_file_or_side_file_they_are(tmp_path: Path) -> None:
    root = tmp_path / "projects"
    own = root / "-a" / "one.jsonl"
    changed = changed_sessions(
        [
            own,
            root / "-a" / "two" / "subagents" / "agent-1.jsonl",
            root / "-a" / "two" / "custom-title.json",
            root / "-a" / "one" / "tool-results" / "x.txt",
            root / "-a" / "agent-loose.jsonl",
            root / "-a" / ".hidden.jsonl",
            root / "-a",
            root,
            tmp_path / "elsewhere" / "three.jsonl",
        ],
        [root],
    )
    assert changed == [
        SessionChanged("one", own, True),
        SessionChanged("two", root / "-a" / "two.jsonl", False),
    ]


def test_a_root_that_is_one_projects_folder(tmp_path: Path) -> None:
    own = tmp_path / "one.jsonl"
    assert changed_sessions([own], [tmp_path]) == [SessionChanged("one", own, True)]


@pytest.mark.parametrize("polling", [False, True])
def test_changes_are_told_and_the_watch_ends_when_told_to(tmp_path: Path, polling: bool) -> None:
    file = tmp_path / "one.jsonl"
    file.write_bytes(b"")
    watching = Watching(lambda stop: changes([tmp_path], stop, polling=polling))
    time.sleep(0.5)
    file.write_bytes(b"more")
    watching.until(lambda: file in watching.seen)
    deep = tmp_path / "one" / "subagents" / "agent-1.jsonl"
    deep.parent.mkdir(parents=True)
    time.sleep(0.3)
    deep.write_bytes(b"x")
    watching.until(lambda: deep in watching.seen)
    file.unlink()
    before = len(watching.batches)
    watching.until(lambda: any(file in batch for batch in watching.batches[before - 1 :]))
    watching.end()


def test_what_came_with_a_new_folder_is_told(tmp_path: Path) -> None:
    root, elsewhere = tmp_path / "projects", tmp_path / "elsewhere"
    root.mkdir()
    (elsewhere / "deep").mkdir(parents=True)
    for place in (elsewhere, elsewhere / "deep"):
        (place / "one.jsonl").touch()
    watching = Watching(lambda stop: changes([root], stop, polling=False))
    watching.until(lambda: (root / "ready").write_text(".") and watching.seen)
    elsewhere.rename(root / "new")
    watching.until(
        lambda: {root / "new" / "one.jsonl", root / "new" / "deep" / "one.jsonl"} <= watching.seen
    )
    watching.end()


def test_one_is_asked_to_look_though_no_event_came(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "LOOK_EVERY", 0.1)
    watching = Watching(lambda stop: changes([tmp_path], stop, polling=False))
    watching.until(lambda: watching.batches.count(set()) >= 2)
    watching.end()


def test_files_are_looked_at_where_events_cannot_be_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object, **options: object) -> Iterator[object]:
        raise OSError("no watches left")

    monkeypatch.setattr("watchfiles.watch", refuse)
    watching = Watching(lambda stop: changes([tmp_path], stop, polling=False))
    time.sleep(0.3)
    (tmp_path / "new.jsonl").write_bytes(b"x")
    watching.until(lambda: tmp_path / "new.jsonl" in watching.seen)
    watching.end()


def test_folders_that_vanish_while_they_are_polled(tmp_path: Path) -> None:
    folder = tmp_path / "inner"
    folder.mkdir()
    (folder / "a.jsonl").write_bytes(b"x")
    watching = Watching(lambda stop: poll([folder], stop, every=0.02))
    watching.until(lambda: watching.batches)
    (folder / "a.jsonl").unlink()
    folder.rmdir()
    watching.until(lambda: folder / "a.jsonl" in watching.seen)
    watching.end()


def test_no_folder_at_all_is_said(tmp_path: Path) -> None:
    with pytest.raises(Gone):
        changes([tmp_path / "not there"], threading.Event())


@pytest.mark.parametrize(
    ("value", "wanted"), [("", False), ("0", False), ("False", False), ("1", True), ("true", True)]
)
def test_the_environment_may_ask_for_polling(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, value: str, wanted: bool
) -> None:
    monkeypatch.setenv(watch.POLLING_SETTING, value)
    assert is_polling_wanted() is wanted
    stop = threading.Event()
    stop.set()
    source = changes([tmp_path], stop)
    assert (getattr(source, "__name__", "") == "poll") is wanted
    source.close()  # type: ignore[attr-defined]  # a generator
