"""T7 and T8: a session of 500 MB. When its end can be read, what its structure costs, what it holds."""

from __future__ import annotations

import time

from bench.clock import Terminal
from bench.corpora import LAST_WORDS
from bench.measure import Bench, Measure, Pair
from bench.measures.screen import OnScreen, ccbrowse
from bench.processes import Sample, program, run

READ = r"segment \d+ of \d+"
"""What the top line says once the whole session is read."""

SETTLE = 6.0
"""Seconds until memory is looked at: what was only needed to read, and to estimate what is in view, is
gone then. The child process that counts tokens takes about 60 MB while it is there."""


class Readable(OnScreen):
    """The app is opened at the session."""

    id = "T7a"
    what = "500 MB session: its last message on the screen, wall"

    def own(self, bench: Bench) -> Sample:
        """Open; wait for the words of the newest record."""
        with Terminal([*ccbrowse(), str(bench.huge)], bench.home()) as terminal:
            return terminal.sample(terminal.wait_for(LAST_WORDS[:24]))


class Structure(Measure):
    """The session is opened as a library would: index, chain, segments."""

    id = "T7b"
    what = "500 MB session: the whole structure, CPU"
    reference = "orjson.loads of its lines"

    def own(self, bench: Bench) -> Sample:
        """Open."""
        return run(program("structure", bench.huge), bench.home())

    def refer(self, bench: Bench) -> Sample:
        """Parse."""
        listed = bench.scratch / "huge.txt"
        listed.write_text(str(bench.huge), encoding="utf-8")
        return run(program("plain", listed), bench.home())


class Memory(Measure):
    """The app has the session open and read."""

    id = "T8"
    what = "memory with the 500 MB session open, over"
    reference = "bare Textual app, at rest"
    unit = "MB"
    target = 120.0

    def own(self, bench: Bench) -> Sample:
        """Open; wait until it is read."""
        with Terminal([*ccbrowse(), str(bench.huge)], bench.home()) as terminal:
            wall = terminal.wait_for(READ)
            time.sleep(SETTLE)
            return terminal.sample(wall)

    def refer(self, bench: Bench) -> Sample:
        """Show a table of rows that are at hand."""
        with Terminal(program("bare"), bench.home()) as terminal:
            wall = terminal.wait_for("first bare row")
            time.sleep(SETTLE)
            return terminal.sample(wall)

    def figure(self, sample: Sample) -> float:
        """Memory."""
        return sample.rss

    def values(self, pair: Pair) -> list[float]:
        """The difference."""
        own, reference = pair
        return [own.rss - reference.rss]
