"""The cache among processes: killed while they write, several at once beside a writer, on a full disk."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from logs import Log

COMMON = """
import os, random, signal, sys, time
from pathlib import Path
from ccbrowse.core.cache import Cache, listings
from ccbrowse.core.library import Library

root, folder = Path(sys.argv[1]), Path(sys.argv[2])
listings.WRITE_ROWS = 1  # a transaction a row: most moments are in the middle of one
files = sorted(root.rglob("*.jsonl"))

def scan():
    cache = Cache(folder)
    found = sorted(Library([root], cache).scan(), key=lambda each: each.session_id)
    cache.close()
    assert cache.trouble is None, cache.trouble
    return found

def scan_by_two():
    cache = Cache(folder)
    assert len(list(Library([root], cache).scan_by_two(0))) == len(files)
    cache.close()
    assert cache.trouble is None, cache.trouble

def fresh():
    return sorted(Library([root]).scan(), key=lambda each: each.session_id)

def forked(work):
    pid = os.fork()
    if not pid:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return pid

def ended(pid):
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
"""

KILLED = """
started = time.monotonic()
scan()
whole, dice, died = time.monotonic() - started, random.Random(4), 0
for number in range(20):
    for file in files:
        os.utime(file, (number, number))  # all is to be read again
    pid = forked(scan_by_two if number % 2 else scan)
    time.sleep(dice.uniform(0, whole))
    os.kill(pid, signal.SIGKILL)
    died += ended(pid) == -signal.SIGKILL
    assert scan() == fresh()
print("killed", died > 0)
"""

TOGETHER = """
line = files[0].read_bytes().split(b"\\n")[-2]

def write():
    for number in range(60):
        with files[number % 3].open("ab") as file:
            file.write(line.replace(b'"a1"', b'"w%d"' % number) + b"\\n")
        time.sleep(0.005)

def look():
    for _ in range(12):
        scan()

pids = [forked(work) for work in (look, look, scan_by_two, write)]
assert [ended(pid) for pid in pids] == [0, 0, 0, 0]
assert scan() == fresh() == scan()
print("together")
"""

FULL = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
from ccbrowse.tui.cli import main
main(["list", "--json", "--root", sys.argv[1]])
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "projects"
    for number in range(24):
        log = Log(f"{number:04}0000-0000-4000-8000-000000000001")
        log.user("u1", f"Prompt {number}", None)
        log.reply("a1", usage=(number, 1, 1, 1))
        log.write(root / f"p{number % 3}")
    return root


def run(code: str, *words: Path | str) -> subprocess.CompletedProcess[str]:
    """Run code in a process of its own, of which no coverage is kept: that too would fill the disk."""
    command = [sys.executable, "-c", code, *map(str, words)]
    about = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
    return subprocess.run(command, capture_output=True, text=True, timeout=300, env=about)


def test_killed_at_any_moment_the_next_start_is_right_and_whole(root: Path, tmp_path: Path) -> None:
    done = run(COMMON + KILLED, root, tmp_path / "cache")
    assert (done.stdout, done.stderr) == ("killed True\n", "")


def test_two_at_once_beside_a_writer_see_the_same_and_no_lock(root: Path, tmp_path: Path) -> None:
    done = run(COMMON + TOGETHER, root, tmp_path / "cache")
    assert (done.stdout, done.stderr) == ("together\n", "")


@pytest.mark.parametrize("room", [0, 1_000, 20_000, 40_000])
def test_on_a_full_disk_one_line_is_said_and_all_is_listed(root: Path, room: int) -> None:
    done = run(FULL, root, str(room))
    assert done.returncode == 0
    assert done.stdout.count("\n") == 24
    assert done.stderr.startswith("ccbrowse: the cache cannot be ")
    assert done.stderr.count("\n") == 1
