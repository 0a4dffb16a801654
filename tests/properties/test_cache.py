"""Whatever becomes of a tree of sessions: what the cache tells of it is what the files say."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st
from logs import Log

from ccbrowse.core.cache import Cache, structures
from ccbrowse.core.cache.listings import Listings
from ccbrowse.core.library import Library, Listing

NAMES = ("1111", "2222")
Step = tuple[int, int, int]
"""What is done, to which session, and a number that it may use."""


class Tree:
    """A root with a project of a few sessions that change."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder = root / "p"
        self.folder.mkdir(parents=True)
        self.count = 0

    def path(self, name: str) -> Path:
        return self.folder / f"{name}.jsonl"

    def records(self, name: str, number: int) -> Log:
        """A few records whose links may lead into this file, another one, a side file, or nowhere."""
        self.count += 1
        places = (None, f"{NAMES[0]}-1", f"{NAMES[1]}-1", "side-1", "nowhere", f"{name}-2")
        place = places[number % len(places)]
        log = Log(name)
        log.user(f"{name}-{self.count}", f"Prompt {self.count}", place)
        if number % 3 == 0:
            log.boundary(f"B{self.count}", places[(number // 3) % len(places)])
            log.summary(f"S{self.count}")
        log.reply(f"{name}-{self.count}-a", usage=(number, 1, 1, 1))
        return log

    def append(self, name: str, number: int) -> None:
        with self.path(name).open("ab") as file:
            file.write(self.records(name, number).data())

    def append_half(self, name: str, number: int) -> None:
        with self.path(name).open("ab") as file:
            file.write(self.records(name, number).data()[: -1 - number])

    def end_line(self, name: str, number: int) -> None:
        with self.path(name).open("ab") as file:
            file.write(b"\n")

    def write_anew(self, name: str, number: int) -> None:
        self.path(name).write_bytes(self.records(name, number).data())

    def cut(self, name: str, number: int) -> None:
        if self.path(name).exists():
            data = self.path(name).read_bytes()
            self.path(name).write_bytes(data[: len(data) * number // 10])

    def replace(self, name: str, number: int) -> None:
        new = self.path(name).with_suffix(".new")
        new.write_bytes(self.records(name, number).data())
        new.rename(self.path(name))

    def remove(self, name: str, number: int) -> None:
        self.path(name).unlink(missing_ok=True)

    def call_agent(self, name: str, number: int) -> None:
        """A subagent's file, in the side folder or beside the session; it may have been there."""
        folder = self.folder / name / "subagents" if number % 2 else self.folder
        folder.mkdir(parents=True, exist_ok=True)
        log = Log(name)
        log.user(f"side-{number % 3}", "Help", f"{name}-1", isSidechain=True)
        with (folder / f"agent-{number % 4}.jsonl").open("ab") as file:
            file.write(log.data())

    def name_beside(self, name: str, number: int) -> None:
        (self.folder / name).mkdir(exist_ok=True)
        title = f'{{"title": "Title {number}"}}'
        (self.folder / name / "custom-title.json").write_text(title)

    def clear_side(self, name: str, number: int) -> None:
        shutil.rmtree(self.folder / name, ignore_errors=True)

    def move_project(self, name: str, number: int) -> None:
        new = self.root / f"p{number % 2 or ''}"
        if not new.exists():
            self.folder.rename(new)
            self.folder = new

    @property
    def steps(self) -> tuple[Callable[[str, int], None], ...]:
        return (
            self.append,
            self.append,
            self.append_half,
            self.end_line,
            self.write_anew,
            self.cut,
            self.replace,
            self.remove,
            self.call_agent,
            self.name_beside,
            self.clear_side,
            self.move_project,
        )


def listed(root: Path, cache: Cache | None) -> list[Listing]:
    found = list(Library([root], cache).scan())
    if cache is not None:
        cache.close()
        assert cache.trouble is None
    return found


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(0, 11), st.integers(0, 1), st.integers(0, 9)), max_size=12))
def test_the_cache_tells_what_the_files_say(steps: list[Step]) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        patch.object(structures, "WORTH", (1, 1 << 60)),
        patch.object(Listings, "long", 0),
    ):
        tree = Tree(Path(folder) / "projects")
        for what, session, number in steps:
            tree.steps[what](NAMES[session], number)
            truth = listed(tree.root, None)
            for _ in range(2):
                assert listed(tree.root, Cache(Path(folder) / "cache")) == truth
