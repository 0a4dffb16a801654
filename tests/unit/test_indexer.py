"""The child process that lists sessions: all of them, in batches, and no loss where it ends early."""

from __future__ import annotations

import io
import os
import pickle
import select
import subprocess
import sys
from pathlib import Path

import pytest
from builders import DemoTree, write_demo
from driving import NOW

from ccbrowse.core import indexer as module
from ccbrowse.core.cache import cache_folder, state
from ccbrowse.core.errors import CcbrowseError
from ccbrowse.core.indexer import NO_CACHE, Indexer, gather, main
from ccbrowse.core.library import Library
from ccbrowse.tui.reader.library import LibraryReading


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> DemoTree:
    return write_demo(tmp_path_factory.mktemp("demo") / "projects", NOW)


def ended(indexer: Indexer) -> None:
    """End a child and let go of its pipe."""
    indexer.close()
    indexer.close_pipe()


def test_the_child_lists_what_the_library_lists(demo: DemoTree) -> None:
    indexer = Indexer([demo.root])
    listed = [listing for batch in indexer.batches() for listing in batch]
    ended(indexer)
    assert listed == list(Library([demo.root]).scan())


def test_the_child_fills_the_cache_and_lists_from_it(demo: DemoTree) -> None:
    for _ in range(2):
        indexer = Indexer([demo.root], cache=True)
        listed = [listing for batch in indexer.batches() for listing in batch]
        ended(indexer)
        assert listed == list(Library([demo.root]).scan())
        assert indexer.trouble is None
        assert state().rows["listings"] == len(demo.sessions)


def test_what_is_wrong_with_the_cache_comes_with_the_last_batch(demo: DemoTree) -> None:
    cache_folder().mkdir(parents=True)
    (cache_folder() / "sessions.db").mkdir()
    indexer = Indexer([demo.root], cache=True)
    reading = LibraryReading([demo.root], indexer)
    *first, last = reading.scan(lambda: False)
    assert sum(len(batch.listings) for batch in first) == len(demo.sessions)
    assert {batch.trouble for batch in first} == {None}
    assert last.trouble is not None and "the cache cannot be used" in last.trouble
    reading.close()
    indexer.close()


def test_no_session_is_no_batch(tmp_path: Path) -> None:
    indexer = Indexer([tmp_path, tmp_path / "not there"])
    assert list(indexer.batches()) == []
    ended(indexer)


def test_a_child_that_ends_early_is_said(demo: DemoTree) -> None:
    indexer = Indexer([demo.root])
    indexer.close()
    with pytest.raises(CcbrowseError, match="the indexer ended early"):
        list(indexer.batches())
    indexer.close_pipe()


def test_what_a_child_left_out_is_read_here(demo: DemoTree) -> None:
    indexer = Indexer([demo.root])
    first = next(iter(indexer.batches()))
    indexer.close()

    class Half(Indexer):
        def __init__(self) -> None:
            """It has a child already."""
            self.done, self.total = 1, 2

        def batches(self):  # type: ignore[no-untyped-def]  # a generator that breaks off
            yield first[:1]
            raise CcbrowseError("the indexer ended early")

        def close_pipe(self) -> None:
            indexer.close_pipe()

    reading = LibraryReading([demo.root], Half())
    batches = list(reading.scan(lambda: False))
    paths = [str(listing.file.path) for batch in batches for listing in batch.listings]
    assert sorted(paths) == sorted(str(session.path) for session in demo.sessions)
    assert batches[-1].done
    reading.close()


def test_a_reading_takes_the_childs_batches(demo: DemoTree) -> None:
    indexer = Indexer([demo.root])
    reading = LibraryReading([demo.root], indexer)
    batches = list(reading.scan(lambda: False))
    assert sum(len(batch.listings) for batch in batches) == len(demo.sessions)
    assert [batch.done for batch in batches].count(True) == 1
    assert reading.follow({demo.sessions[0].path}).new == ()
    reading.close()
    indexer.close()


def test_what_has_come_is_at_hand_before_the_scan_and_told_once(demo: DemoTree) -> None:
    indexer = Indexer([demo.root])
    assert indexer._child.stdout is not None
    while not select.select([indexer._child.stdout], [], [], 1)[0]:
        pass
    reading = LibraryReading([demo.root], indexer)
    first = reading.look()
    assert first.listings and first is reading.at_hand and not first.done
    batches = [first, *reading.scan(lambda: False)]
    paths = [str(listing.file.path) for batch in batches for listing in batch.listings]
    assert sorted(paths) == sorted(str(session.path) for session in demo.sessions)
    assert batches[-1].done and list(indexer.batches()) == []
    reading.close()
    indexer.close()


def test_nothing_is_at_hand_of_a_child_that_is_gone(demo: DemoTree) -> None:
    indexer = Indexer([demo.root])
    indexer.close()
    assert indexer._child.stdout is not None
    indexer._child.stdout.read()
    reading = LibraryReading([demo.root], indexer)
    assert reading.look().listings == ()
    batches = list(reading.scan(lambda: False))
    assert sum(len(batch.listings) for batch in batches) == len(demo.sessions)
    reading.close()


def test_the_first_batch_is_small_and_none_is_empty(
    demo: DemoTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    listings = list(Library([demo.root]).scan())
    monkeypatch.setattr(module, "FIRST_BATCH", 2)
    monkeypatch.setattr(module, "MOST_ROWS", 4)
    monkeypatch.setattr(module, "BATCH_SECONDS", 60)
    sizes = [len(batch) for batch in gather(listings)]
    assert sizes[0] <= 2 and sum(sizes) == len(listings)
    assert all(sizes) and max(sizes) == 4
    assert list(gather([])) == []


def test_the_stream_counts_files_and_ends_with_what_was_wrong(demo: DemoTree) -> None:
    pipe = io.BytesIO()
    main([NO_CACHE, str(demo.root)], pipe)
    data, batches = pipe.getvalue(), []
    while data:
        size = int.from_bytes(data[:8], "big")
        batches.append(pickle.loads(data[8 : 8 + size]))
        data = data[8 + size :]
    files = len(demo.sessions)
    assert batches[-1] == (files, files, (None, ()))
    counts = [done for done, total, found in batches if total == files and found]
    assert len(counts) == len(batches) and counts == sorted(counts)


def test_a_reader_that_has_gone_ends_it_quietly(demo: DemoTree) -> None:
    class Gone(io.BytesIO):
        def write(self, data: object) -> int:
            raise BrokenPipeError

    main([NO_CACHE, str(demo.root)], Gone())


def test_nothing_is_imported_from_the_working_directory(demo: DemoTree, tmp_path: Path) -> None:
    (tmp_path / "pickle.py").write_text("raise SystemExit('taken from the working directory')\n")
    (tmp_path / "msgspec.py").write_text("raise SystemExit('taken from the working directory')\n")
    before = Path.cwd()
    os.chdir(tmp_path)
    try:
        indexer = Indexer([demo.root])
        assert sum(map(len, indexer.batches())) == len(demo.sessions)
        ended(indexer)
    finally:
        os.chdir(before)


def test_starting_it_loads_nothing_of_the_library() -> None:
    code = "import sys, ccbrowse.core.indexer; print('ccbrowse.core.library' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
