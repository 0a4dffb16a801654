"""T9: from a line that another process appends to the row that shows it."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

from bench.clock import Terminal
from bench.corpora import next_record
from bench.measure import Bench, Measure, Pair
from bench.measures.huge import READ
from bench.measures.screen import ccbrowse
from bench.processes import Sample

APPENDS = 12
"""Lines appended in a round."""

PAUSE = 0.15
"""Seconds between them: they are to be seen one by one, not gathered."""


class Append(Measure):
    """The app follows a session while records are appended to it."""

    what = "append to shown row, p90"
    reference = "nothing"
    unit = "ms"
    target = 100.0
    share = 0.9

    def session(self, bench: Bench) -> Path:
        """The session that is followed; it is copied first."""
        raise NotImplementedError

    def own(self, bench: Bench) -> Sample:
        """Open a copy, append, and wait for each row."""
        home = bench.home()
        path = home / "projects" / "-bench" / self.session(bench).name
        path.parent.mkdir(parents=True)
        shutil.copy(self.session(bench), path)
        with Terminal([*ccbrowse(), str(path)], home) as terminal:
            wall = terminal.wait_for(READ)
            took = [_append(terminal, path, number) for number in range(APPENDS)]
            sample = terminal.sample(wall)
        shutil.rmtree(home)
        return Sample(sample.wall, sample.cpu, sample.rss, {"ms": took})

    def refer(self, bench: Bench) -> Sample:
        """There is nothing less to compare with: the figure is absolute."""
        return Sample(0.0, 0.0, 0.0)

    def values(self, pair: Pair) -> list[float]:
        """Milliseconds of each append."""
        return list(pair[0].facts["ms"])


class AppendSmall(Append):
    """A session of an ordinary size."""

    id = "T9a"
    what = "append to shown row, session of about 1 MB, p90"

    def session(self, bench: Bench) -> Path:
        """The one whose size is nearest to a megabyte."""
        return min(bench.corpus.sessions, key=lambda path: abs(path.stat().st_size - 1_000_000))


class AppendHuge(Append):
    """The session of 500 MB."""

    id = "T9b"
    what = "append to shown row, session of 500 MB, p90"

    def session(self, bench: Bench) -> Path:
        """The huge one."""
        return bench.huge


def _append(terminal: Terminal, path: Path, number: int) -> float:
    """Milliseconds from the write of a record to its words on the screen."""
    time.sleep(PAUSE)
    words = f"appended {time.time_ns()}"
    record = next_record(path, words)
    terminal.forget()
    started = time.perf_counter()
    with path.open("ab") as file:
        file.write(record)
    shown = terminal.started + terminal.wait_for(words)
    return (shown - started) * 1000
