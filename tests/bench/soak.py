"""A soak: the app follows a session that is written all the time; memory and latency by the minute.

    PYTHONPATH=tests .venv/bin/python -m bench.soak --minutes 30 --rate 50
    PYTHONPATH=tests .venv/bin/python -m bench.soak --minutes 1 --rate 200 --keys

The second tells how long keys wait beside a flood.

It fails where the last minute is worse than the second by more than half (latency) or 30 MB (memory).
"""

import argparse
import json
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any

from bench.clock import Terminal, TooLate
from bench.measures.huge import READ
from bench.measures.screen import ccbrowse
from bench.processes import program
from bench.stats import quantile

SESSION = "50a40000-0000-4000-8000-000000000001"
SAMPLE_EVERY = 1.0
"""Seconds between two lines whose way to the screen is timed."""

SLOWER, LARGER = 1.5, 30.0
"""What the last minute may take of the second one's latency, and how many MB it may have gained."""


class Writer(threading.Thread):
    """Appends a conversation to a file, so many lines a second; knows when each line was written."""

    def __init__(self, path: Path, rate: float) -> None:
        super().__init__(daemon=True)
        self.path = path
        self.rate = rate
        self.times: dict[int, float] = {}
        self.stopped = threading.Event()

    def run(self) -> None:
        """Write until told to stop; a line that is late is made up for."""
        begun = time.perf_counter()
        with self.path.open("ab", buffering=0) as file:
            for number in count(1):
                wait = begun + number / self.rate - time.perf_counter()
                if self.stopped.wait(max(0.0, wait)):
                    return
                file.write(record(number))
                self.times[number] = time.perf_counter()
                self.times.pop(number - 10_000, None)


def record(number: int) -> bytes:
    """The record of a number: prompts and replies in turn, each hanging on the one before."""
    reply = number % 2
    message: dict[str, Any] = {"role": "user", "content": f"soak {number} is asked"}
    if reply:
        usage = {"input_tokens": 3, "cache_read_input_tokens": 20_000 + number % 100_000,
                 "cache_creation_input_tokens": 50, "output_tokens": 20}  # fmt: skip
        message = {"id": f"msg_{number}", "role": "assistant", "type": "message", "model": "claude-opus-4-8",
                   "content": [{"type": "text", "text": f"soak {number} is told"}],
                   "stop_reason": "end_turn", "usage": usage}  # fmt: skip
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())
    found = {"type": "assistant" if reply else "user", "uuid": uuid_of(number), "message": message,
             "parentUuid": uuid_of(number - 1) if number else None, "timestamp": stamp,
             "sessionId": SESSION, "cwd": "/soak", "version": "2.1.181", "isSidechain": False}  # fmt: skip
    return json.dumps(found).encode() + b"\n"


def uuid_of(number: int) -> str:
    """The uuid of a record."""
    return f"50a40000-0000-4000-8000-{number:012d}"


def soak(minutes: float, rate: float, keys: bool) -> int:
    """Run; print a line a minute; 0 where the figures stayed flat."""
    home = Path(tempfile.mkdtemp(prefix="ccbrowse-soak-"))
    path = home / "projects" / "-soak" / f"{SESSION}.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(record(0))
    told = home / "keys.json"
    command = program("keys", told) if keys else ccbrowse()
    writer = Writer(path, rate)
    rows = []
    try:
        with Terminal([*command, str(path)], home) as terminal:
            terminal.wait_for(READ)
            writer.start()
            time.sleep(1)
            until = time.perf_counter() + minutes * 60
            if keys:
                _press(terminal, until)
                _print_keys(terminal, told, len(writer.times))
                return 0
            while time.perf_counter() < until:
                rows.append(_minute(terminal, writer, min(60.0, until - time.perf_counter())))
                print(*rows[-1], sep="\t", flush=True)
    finally:
        writer.stopped.set()
        shutil.rmtree(home, ignore_errors=True)
    return _verdict(rows)


def _minute(
    terminal: Terminal, writer: Writer, seconds: float
) -> tuple[int, float, float, float, float]:
    """Lines written so far; the median and the 95th percentile of latency in ms; memory in MB; CPU in %.

    Memory and CPU are the app's own: what its children take they give back.
    """
    took = list[float]()
    before, begun = terminal.sample(0, children=False).cpu, time.perf_counter()
    until = begun + seconds
    while time.perf_counter() < until:
        number = max(writer.times) + 2
        try:
            shown = terminal.started + terminal.wait_for(rf"soak {number} ", 10)
            took.append(1000 * (shown - writer.times[number]))
        except TooLate:
            took.append(10_000.0)
        rest = time.perf_counter() + SAMPLE_EVERY
        while time.perf_counter() < rest:
            terminal.forget(rest - time.perf_counter())
    sample = terminal.sample(0, children=False)
    share = 100 * (sample.cpu - before) / (time.perf_counter() - begun)
    median, most = round(quantile(took, 0.5), 1), round(quantile(took, 0.95), 1)
    return max(writer.times), median, most, round(sample.rss, 1), round(share, 1)


def _verdict(rows: Sequence[tuple[int, float, float, float, float]]) -> int:
    if len(rows) < 3:
        return 0
    second, last = rows[1], rows[-1]
    flat = last[1] <= second[1] * SLOWER and last[3] <= second[3] + LARGER
    print("flat" if flat else "NOT flat")
    return 0 if flat else 1


def _press(terminal: Terminal, until: float) -> None:
    """Move up and down, ten times a second."""
    for number in count():
        if time.perf_counter() > until:
            return
        terminal.press("k" if number % 8 < 4 else "j")
        terminal.forget(0.1)


def _print_keys(terminal: Terminal, told: Path, lines: int) -> None:
    terminal.press("\x11")
    until = time.perf_counter() + 20
    while not told.exists() and time.perf_counter() < until:
        terminal.forget(0.1)
    took = json.loads(told.read_text(encoding="utf-8"))
    print(f"{lines:,} lines, {len(took)} keys: median {quantile(took, 0.5):.1f} ms, "
          f"p95 {quantile(took, 0.95):.1f} ms, most {max(took):.1f} ms")  # fmt: skip


def main() -> int:
    """The options."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--minutes", type=float, default=30)
    options.add_argument("--rate", type=float, default=50, help="lines a second")
    options.add_argument(
        "--keys", action="store_true", help="press keys, and tell how long they wait"
    )
    chosen = options.parse_args()
    print("lines", "median ms", "p95 ms", "MB", "CPU %", sep="\t")
    return soak(chosen.minutes, chosen.rate, chosen.keys)


if __name__ == "__main__":
    sys.exit(main())
