"""T5, T6 and T7c: what has been read before and has not changed since."""

from __future__ import annotations

import subprocess
from pathlib import Path

from bench.clock import Terminal
from bench.corpora import Corpus
from bench.measure import Bench, Measure
from bench.measures.cold import WrongIndex
from bench.measures.screen import OnScreen, ccbrowse
from bench.processes import Sample, environment, program, run


class InProcess(Measure):
    """A measure of what is done in a process, its start and imports left out: milliseconds of CPU time."""

    def figure(self, sample: Sample) -> float:
        """What the program says of itself."""
        return float(sample.facts["ms"])


class WarmCheck(InProcess):
    """Each file looked at, and held against what the cache knows of it."""

    id = "T6"
    what = "warm: which sessions have changed (none), CPU in the process"
    reference = "scandir and stat of the tree, CPU in the process"
    target = 2.5

    def own(self, bench: Bench) -> Sample:
        """Scan; hold the count against the manifest."""
        home = warm_home(bench)
        sample = run(program("warm", bench.corpus.root, home / "cache" / "ccbrowse"), home)
        if sample.facts["sessions"] != listed(bench.corpus) or sample.facts["trouble"]:
            raise WrongIndex(str(sample.facts))
        return sample

    def refer(self, bench: Bench) -> Sample:
        """Walk."""
        return run(program("walk", bench.corpus.root), bench.home())


class UpToDate(OnScreen):
    """The app is opened on a tree that it knows; everything is listed."""

    id = "T5"
    what = "warm: all sessions listed on the screen, nothing has changed, wall"
    target = 1.25

    def own(self, bench: Bench) -> Sample:
        """Open; wait until the frame counts all sessions."""
        home = warm_home(bench)
        with Terminal([*ccbrowse(), "--root", str(bench.corpus.root)], home) as terminal:
            return terminal.sample(terminal.wait_for(rf"\b{listed(bench.corpus):,} sessions"))


class StructureAgain(InProcess):
    """The session of 500 MB, whose structure is known."""

    id = "T7c"
    what = "500 MB session: the whole structure again, cached, CPU in the process"
    reference = "orjson.loads of its lines"
    target = 0.1

    def own(self, bench: Bench) -> Sample:
        """Open."""
        home = bench.scratch / "warm-huge"
        home.mkdir(exist_ok=True)
        return run(program("again", bench.huge, home / "cache"), home)

    def refer(self, bench: Bench) -> Sample:
        """Parse."""
        listed = bench.scratch / "huge.txt"
        listed.write_text(str(bench.huge), encoding="utf-8")
        return run(program("plain", listed), bench.home())


def warm_home(bench: Bench) -> Path:
    """A home whose cache knows the corpus."""
    home = bench.scratch / "warm"
    if not home.exists():
        home.mkdir()
        command = [*ccbrowse(), "list", "--root", str(bench.corpus.root)]
        subprocess.run(
            command, env=environment(home), check=True, stdout=subprocess.DEVNULL, timeout=600
        )
    return home


def listed(corpus: Corpus) -> int:
    """How many sessions of a corpus are listed: those that hold a message."""
    return sum(bool(each["main_line_messages"]) for each in corpus.manifest["per_session"])
