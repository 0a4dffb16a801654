"""T11: how long a key press waits for its paint, measured inside the app, while something is being read."""

from __future__ import annotations

import json
import time
from pathlib import Path

from bench.clock import Terminal, TooLate
from bench.corpora import LAST_WORDS
from bench.measure import Bench, Measure, Pair
from bench.measures.huge import READ
from bench.measures.screen import any_title
from bench.processes import Sample, program

EVERY = 0.03
"""Seconds between two presses: as a key held down repeats."""

MOST = 400
"""Presses after which no more come, though something may still be read."""

LISTED = r"\d sessions? {2}"
"""What the top line says once all sessions are listed."""


class Keys(Measure):
    """Keys are pressed from the first rows on until all is read."""

    reference = "nothing"
    unit = "ms"
    target = 33.0
    share = 0.95

    def words(self, bench: Bench) -> tuple[list[str], str, str]:
        """The app's arguments, what says that its first rows are there, what says that all is read."""
        raise NotImplementedError

    def own(self, bench: Bench) -> Sample:
        """Open; press; quit; take in what the app wrote."""
        home = bench.home()
        told = home / "keys.json"
        words, first, last = self.words(bench)
        with Terminal(program("keys", told, *words), home) as terminal:
            wall = terminal.wait_for(first)
            _press_until(terminal, last)
            sample = terminal.sample(wall)
            _quit(terminal, told)
        took = json.loads(told.read_text(encoding="utf-8"))
        return Sample(sample.wall, sample.cpu, sample.rss, {"ms": took})

    def refer(self, bench: Bench) -> Sample:
        """There is nothing less to compare with: the figure is absolute."""
        return Sample(0.0, 0.0, 0.0)

    def values(self, pair: Pair) -> list[float]:
        """Milliseconds of each press."""
        return list(pair[0].facts["ms"])


class KeysInList(Keys):
    """In the list, while the indexer reads."""

    id = "T11a"
    what = "key to paint in the list while sessions are indexed, p95"

    def words(self, bench: Bench) -> tuple[list[str], str, str]:
        """The list of the corpus."""
        return ["--root", str(bench.corpus.root)], any_title(bench.corpus), LISTED


class KeysInSession(Keys):
    """In a large session, while its structure is built."""

    id = "T11b"
    what = "key to paint in a session of 500 MB while it is read, p95"

    def words(self, bench: Bench) -> tuple[list[str], str, str]:
        """The huge session."""
        return [str(bench.huge)], LAST_WORDS[:24], READ


def _press_until(terminal: Terminal, words: str) -> None:
    for number in range(MOST):
        terminal.press("j" if number % 8 < 4 else "k")
        try:
            terminal.wait_for(words, EVERY)
        except TooLate:
            continue
        break
    time.sleep(0.2)


def _quit(terminal: Terminal, told: Path) -> None:
    terminal.press("\x11")
    until = time.perf_counter() + 20
    while not told.exists() and time.perf_counter() < until:
        terminal.forget()
