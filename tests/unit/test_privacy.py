"""What SECURITY.md promises: nothing is sent, nothing is changed, what is written is the owner's alone."""

from __future__ import annotations

import os
import random
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from builders import DemoTree, write_demo
from watching import Seen, Watch, fingerprint

from ccbrowse.tui.cli.group import COMMANDS

FORMS = ("markdown", "html", "json", "jsonl", "text")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> DemoTree:
    """The demo's sessions, a broken one among them."""
    root = tmp_path_factory.mktemp("claude") / "projects"
    return write_demo(root, datetime(2026, 3, 3, 12, 0, tzinfo=UTC))


@pytest.fixture
def watch(tmp_path: Path, tree: DemoTree) -> Watch:
    return Watch(tmp_path, tree.root)


COMPACTED = "@compacted"
"""Stands for the id of a session of the demo that was compacted."""

CALLS: dict[str, list[list[str]]] = {
    "list": [["list"], ["list", "--json"], ["list", "has:compact", "--no-cache"]],
    "show": [["show", COMPACTED], ["show", COMPACTED, "--json"]],
    "compactions": [["compactions", COMPACTED], ["compactions", COMPACTED, "1", "--json"]],
    "payload": [["payload", COMPACTED, "--next"], ["payload", COMPACTED, "--all", "--json"]],
    "compare": [["compare", f"{COMPACTED}@before:1", f"{COMPACTED}@after:1"]],
    "export": [
        *(["export", COMPACTED, "--format", form, "--tools", "full"] for form in FORMS),
        ["export", COMPACTED, "--format", "jsonl", "--reroot", "-o", "rerooted.jsonl"],
        ["export", COMPACTED, "--all", "--dry-run", "--emails"],
        ["export", COMPACTED, "--loss", "1"],
        ["export", COMPACTED, "-o", "{root}/inside.md"],
    ],
    "search": [["search", "the"], ["search", "t.e", "--regex", "--json"]],
    "usage": [["usage"], ["usage", "--by", "day", "--json"]],
    "tail": [["tail", COMPACTED, "--from-start", "--json"]],
    "doctor": [["doctor"], ["doctor", "--json", "--strict"], ["doctor", "--report"]],
    "demo": [["demo"]],
    "config": [["config"]],
    "cache": [["cache"], ["cache", "clear", "--json"]],
    "completion": [["completion", "bash"]],
    "open": [[], [COMPACTED]],
}
"""Every command with its options, by name."""

FOLLOWING = ("tail", "demo")
"""Commands that go on until they are told to end."""


def test_every_command_is_run() -> None:
    assert set(CALLS) == set(COMMANDS)


def cases() -> list[Any]:
    return [
        pytest.param(name, words, id=" ".join(words) or "(none)")
        for name, calls in CALLS.items()
        for words in calls
    ]


def keeps_its_promises(seen: Seen, watch: Watch, before: dict[str, str]) -> None:
    assert any(note.startswith("started") for note in seen.notes), "the watch was not there"
    assert seen.trespasses == []
    assert fingerprint(watch.root) == before
    for path in watch.home.rglob("*"):
        mode = stat.S_IMODE(path.lstat().st_mode)
        assert mode == (0o700 if path.is_dir() else 0o600), path
    for path in watch.here.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path


@pytest.mark.parametrize(("name", "words"), cases())
def test_a_command_sends_nothing_and_changes_nothing(
    watch: Watch, tree: DemoTree, name: str, words: list[str]
) -> None:
    compacted = next(
        each for each in tree.sessions if b"compact_boundary" in each.path.read_bytes()
    )
    before = fingerprint(tree.root)
    given = [word.replace(COMPACTED, compacted.session_id).format(root=tree.root) for word in words]
    roots = [] if name in ("demo", "config", "cache", "completion") else ["--root", str(tree.root)]
    seen = watch.run("-m", "ccbrowse.tui", *given, *roots, seconds=4 if name in FOLLOWING else None)
    if name not in FOLLOWING:
        refused = any(str(tree.root) in word for word in given)
        assert seen.code in ((1,) if refused else (0, 1) if "--strict" in given else (0,)), seen.err
    keeps_its_promises(seen, watch, before)


APP = """
import asyncio, sys
from pathlib import Path
from driving import make_app, opened, until

async def main():
    app = make_app(Path(sys.argv[1]))
    async with app.run_test(size=(160, 48)) as pilot:
        await pilot.pause(0.5)
        for keys in ("j j enter", "t T j } { J K", "slash a b enter n escape", "L", "escape", "P",
                     "escape", "b", "v j j escape", "i escape", "x", "escape", "question_mark",
                     "escape", "x ctrl+s", "F G", "escape", "S s a", "j enter"):
            await pilot.press(*keys.split())
            await pilot.pause(0.1)
        await until(lambda: list(Path().glob("*.md")))
    print("done")

asyncio.run(main())
"""


def test_the_app_sends_nothing_and_changes_nothing(watch: Watch, tree: DemoTree) -> None:
    before = fingerprint(tree.root)
    seen = watch.run("-c", APP, str(tree.root))
    assert seen.out.endswith(b"done\n"), seen.err
    keeps_its_promises(seen, watch, before)


@pytest.mark.parametrize(
    ("code", "noted"),
    [
        ("import socket; socket.socket()", "socket 2"),
        ("import socket; socket.socket(socket.AF_INET6)", "socket 10"),
        ("import urllib.request as u; u.urlopen('http://canary.example')", "name"),
        ("import sys; open(sys.argv[1] + '/new', 'w').close()", "write"),
        ("import os, sys; os.mkdir(sys.argv[1] + '/folder')", "change"),
    ],
)
def test_the_watch_sees(tmp_path: Path, code: str, noted: str) -> None:
    root = tmp_path / "root"
    root.mkdir()
    seen = Watch(tmp_path, root).run("-c", code, str(root))
    assert any(note.startswith(noted) for note in seen.trespasses)


def test_a_changed_tree_has_another_fingerprint(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a")
    (tmp_path / "b").mkdir()
    prints = [fingerprint(tmp_path)]
    changes: tuple[Callable[[], object], ...] = (
        lambda: (tmp_path / "a").write_text("b"),
        lambda: os.utime(tmp_path / "a", (1, 1)),
        lambda: (tmp_path / "a").chmod(0o600),
        lambda: (tmp_path / "b" / "c").touch(),
        lambda: (tmp_path / "b" / "c").unlink(),
        lambda: (tmp_path / "b").rename(tmp_path / "d"),
    )
    for change in changes:
        change()
        prints.append(fingerprint(tmp_path))
    assert all(one != other for one, other in pairwise(prints))


EXPORT_AND_KILL = """
import os, random, signal, sys, time
from contextlib import closing
from pathlib import Path
from ccbrowse.core.export import Form, Options, Tools, export, whole, write_file
from ccbrowse.core.session import Session

source, target = map(Path, sys.argv[1:])
chance = random.Random(20)

def write():
    with closing(Session.open(source)) as session:
        options = Options(tools=Tools.FULL, thinking=True)
        write_file(export(whole(session), Form.HTML, options), target, force=True)

write()
started = time.monotonic()
write()
whole_time = time.monotonic() - started
new = target.read_bytes()
for _ in range(12):
    target.write_bytes(b"old")
    child = os.fork()
    if not child:
        write()
        os._exit(0)
    time.sleep(chance.uniform(0, 1.2) * whole_time)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    found = target.read_bytes()
    print("old" if found == b"old" else "new" if found == new else "neither", flush=True)
"""


def test_an_export_killed_at_any_moment_leaves_the_old_file_or_the_whole_new_one(
    tmp_path: Path, tree: DemoTree
) -> None:
    largest = max(tree.sessions, key=lambda each: each.path.stat().st_size)
    target = tmp_path / "out" / "page.html"
    target.parent.mkdir()
    ran = subprocess.run(
        [sys.executable, "-c", EXPORT_AND_KILL, str(largest.path), str(target)],
        capture_output=True,
        text=True,
        check=True,
    )
    found = ran.stdout.split()
    assert len(found) == 12 and set(found) <= {"old", "new"}
    assert "old" in found
    left = [path for path in target.parent.iterdir() if path != target]
    assert all(path.name.startswith(".ccbrowse-") and path.suffix == ".part" for path in left)
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in left)


def test_a_command_that_is_killed_while_it_exports_leaves_the_old_file(
    tmp_path: Path, tree: DemoTree
) -> None:
    """As above, by the command itself and its own start: at seeded moments of its life."""
    largest = max(tree.sessions, key=lambda each: each.path.stat().st_size)
    target = tmp_path / "page.md"
    words = [sys.executable, "-m", "ccbrowse.tui", "export", str(largest.path), "--all", "--force"]
    words += ["-o", str(target)]
    started = time.monotonic()
    subprocess.run(words, check=True, capture_output=True)
    whole_time = time.monotonic() - started
    new = target.read_bytes()
    chance = random.Random(3)
    for _ in range(4):
        target.write_bytes(b"old")
        with subprocess.Popen(words, stderr=subprocess.DEVNULL) as child:
            time.sleep(chance.uniform(0.5, 1.1) * whole_time)
            child.send_signal(signal.SIGKILL)
        assert target.read_bytes() in (b"old", new)
