"""T4: how long until the first row of the list is on the screen, beside an app that shows rows at hand."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from bench.clock import Terminal
from bench.corpora import Corpus
from bench.measure import Bench, Measure
from bench.processes import Sample, program

TITLE_SHOWN = 14
"""Letters of a title that stand on a row of the list at any width."""


class OnScreen(Measure):
    """A measure of what a user waits for, beside a bare Textual app of the same panes."""

    reference = "bare Textual app, its first row"

    def refer(self, bench: Bench) -> Sample:
        """Show a table of rows that are at hand."""
        with Terminal(program("bare"), bench.home()) as terminal:
            return terminal.sample(terminal.wait_for("first bare row"))

    def figure(self, sample: Sample) -> float:
        """Wall time."""
        return sample.wall


class FirstRows(OnScreen):
    """The app is opened on the corpus, nothing cached."""

    id = "T4"
    what = "first row of the list on the screen, cold, wall"
    target = 1.5

    def own(self, bench: Bench) -> Sample:
        """Open the list; wait for the title of any session."""
        command = [*ccbrowse(), "--root", str(bench.corpus.root)]
        with Terminal(command, bench.home()) as terminal:
            return terminal.sample(terminal.wait_for(any_title(bench.corpus)))


def ccbrowse() -> list[str]:
    """The command as it is installed."""
    return [str(Path(sys.executable).with_name("ccbrowse"))]


def any_title(corpus: Corpus) -> str:
    """A pattern for the titles of a corpus."""
    titles = {each["title"][:TITLE_SHOWN] for each in corpus.manifest["per_session"]}
    return "|".join(sorted(re.escape(title) for title in titles if len(title) == TITLE_SHOWN))
