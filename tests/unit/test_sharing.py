"""Two processes share a list of work: everything is done once, whatever becomes of the second one.

They run in processes of their own: a test process has threads, and is not to be forked.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]  # it brings no types along
import pytest
from builders import DemoTree, write_demo
from driving import NOW

from ccbrowse.core.sharing import shared

SCRIPT = """
import json, os, signal, sys, time
from ccbrowse.core.sharing import shared

first, things = os.getpid(), list(range(int(sys.argv[1])))

def work(thing):
    helper = os.getpid() != first
    {body}
    return thing * 2, helper

told = list(shared(things, work))
print(json.dumps([[thing, *result] for thing, result in told]))
"""


def told(body: str, count: int = 40) -> list[Any]:
    """What a process that shares `count` things tells, `work` being this."""
    script = SCRIPT.format(body=body)
    ran = subprocess.run(
        [sys.executable, "-c", script, str(count)], capture_output=True, timeout=60, check=True
    )
    assert ran.stderr == b""
    found: list[Any] = json.loads(ran.stdout)
    return found


BOTH_BUSY = "time.sleep(0.005)"


@pytest.mark.parametrize("count", [0, 1, 40, 4_500])
def test_each_thing_is_done_once(count: int) -> None:
    found = told(BOTH_BUSY if count < 100 else "pass", count)
    assert sorted(found)[:count] == [[n, n * 2, helper] for n, _, helper in sorted(found)]
    assert [thing for thing, *_ in sorted(found)] == list(range(count))


def test_both_processes_work_and_what_is_first_comes_first() -> None:
    found = told(BOTH_BUSY)
    assert {helper for *_, helper in found} == {True, False}
    assert all(abs(place - thing) < 20 for place, (thing, *_) in enumerate(found))


@pytest.mark.parametrize(
    "death",
    [
        "os.kill(os.getpid(), signal.SIGKILL) if helper else time.sleep(0.005)",
        "os.kill(os.getpid(), signal.SIGKILL) if helper and thing > 20 else time.sleep(0.005)",
        "sys.exit('no') if helper else time.sleep(0.005)",
        "time.sleep(0.005); 1 / (not helper)",
    ],
)
def test_what_a_dead_process_left_is_done_by_the_other(death: str) -> None:
    assert [thing for thing, *_ in sorted(told(death))] == list(range(40))


def test_large_results_come_whole() -> None:
    body = "time.sleep(0.005); return 'x' * 300_000, helper"
    assert [len(text) for _, text, _ in told(body)] == [300_000] * 40


def test_an_error_of_the_work_is_raised() -> None:
    with pytest.raises(subprocess.CalledProcessError):
        told("time.sleep(0.005); 1 / (thing - 30)")


def test_without_a_second_process_all_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "fork")
    assert list(shared([3, 4], str)) == [(3, "3"), (4, "4")]


def test_where_the_system_refuses_a_process_all_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> int:
        raise BlockingIOError

    monkeypatch.setattr(os, "fork", refuse)
    assert list(shared([3, 4], str)) == [(3, "3"), (4, "4")]


ABANDON = """
import os, time
from ccbrowse.core.sharing import shared
things = shared(range(1000), lambda thing: time.sleep(0.01))
next(things)
things.close()
try:
    os.waitpid(-1, 0)
except ChildProcessError:
    print("no child is left")
"""


def test_whoever_wants_no_more_leaves_no_process_behind() -> None:
    ran = subprocess.run([sys.executable, "-c", ABANDON], capture_output=True, timeout=60)
    assert (ran.stdout, ran.stderr) == (b"no child is left\n", b"")


ORPHAN = """
import os, signal, time
from ccbrowse.core.sharing import shared

def work(thing):
    time.sleep(0.01)
    return os.getpid()

for _, pid in shared(range(1000), work):
    if pid != os.getpid():
        print(pid, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_second_process_ends_with_the_first() -> None:
    ran = subprocess.run([sys.executable, "-c", ORPHAN], capture_output=True, timeout=60)
    helper = int(ran.stdout)
    until = time.monotonic() + 30
    while is_running(helper) and time.monotonic() < until:
        time.sleep(0.02)
    assert not is_running(helper)


def is_running(pid: int) -> bool:
    """Whether a process does anything yet: who adopted it may not have asked for its end."""
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


LIBRARY = """
import json, os, sys
from pathlib import Path
from ccbrowse.core import library as module
from ccbrowse.core.cache import Cache, Listings
from ccbrowse.core.library import Library

roots = [Path(sys.argv[1])]
plain = Library(roots)
want = {listing.file.key: listing for listing in plain.scan()}
Listings.long = 20_000  # so that both sorts are among the sessions
module.ROWS_FIRST = 2
told = {}
for name, with_cache in (("plain", False), ("cold", True), ("warm", True)):
    cache = Cache(roots=roots) if with_cache else None
    library = Library(roots, cache)
    found = list(library.scan_by_two(least=1))
    if cache is not None:
        cache.close()
    told[name] = {
        "same": {listing.file.key: listing for listing in found} == want,
        "once": len(found) == len(want),
        "unreadable": sorted(str(each.path) for each in library.unreadable)
        == sorted(str(each.path) for each in plain.unreadable),
    }
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> DemoTree:
    return write_demo(tmp_path_factory.mktemp("demo") / "projects", NOW)


def test_two_processes_list_what_one_lists(demo: DemoTree, tmp_path: Path) -> None:
    environ = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}
    ran = subprocess.run(
        [sys.executable, "-c", LIBRARY, str(demo.root)],
        capture_output=True,
        timeout=120,
        env=environ,
    )
    assert ran.stderr == b""
    right = {"same": True, "once": True, "unreadable": True}
    assert json.loads(ran.stdout) == {"plain": right, "cold": right, "warm": right}
