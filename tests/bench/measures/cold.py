"""T1 to T3: everything that `list` tells of a corpus, from nothing; beside a parse of the same bytes."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from bench.corpora import Corpus
from bench.measure import Bench, Measure
from bench.processes import Sample, program, run


class WrongIndex(Exception):
    """An index that does not say what the manifest says: its speed is worth nothing."""


class ColdIndex(Measure):
    """The library is scanned by one process, chains and all."""

    id = "T1"
    what = "cold index of all that list tells, one process, CPU"
    reference = "orjson.loads of every line"
    target = 0.8

    def own(self, bench: Bench) -> Sample:
        """Scan; hold the counts against the manifest."""
        sample = run(program("index", bench.corpus.root), bench.home())
        check(bench.corpus, sample)
        return sample

    def refer(self, bench: Bench) -> Sample:
        """Parse."""
        return run(program("plain", bench.corpus.file_list), bench.home())


class TwoProcesses(ColdIndex):
    """The library is scanned as the app has it done: by the indexer, which takes a second process."""

    id = "T2"
    what = "the same by the indexer's two processes, wall"
    target = 0.6

    def own(self, bench: Bench) -> Sample:
        """Let the indexer scan; hold the counts against the manifest."""
        sample = run(program("index", bench.corpus.root, "indexer"), bench.home())
        check(bench.corpus, sample)
        return sample

    def figure(self, sample: Sample) -> float:
        """What a user waits for."""
        return sample.wall


class WithTalk(Measure):
    """The indexer from nothing until all is listed, kept, and what was said can be searched; beside a peer's
    first listing, which builds an index of the talk."""

    id = "T3"
    what = "cold index with that of the talk, by the indexer, all kept, wall"
    reference = "fast-resume, cold"
    target = 1.0

    def __init__(self, peer: Path) -> None:
        self.peer = peer

    def own(self, bench: Bench) -> Sample:
        """Index; see that nothing is left out."""
        home = bench.home()
        sample = run(indexer(bench.corpus), home)
        told = run(program("covered", bench.corpus.root), home)
        if told.facts["left"] or told.facts["sessions"] != len(bench.corpus.sessions):
            raise WrongIndex(f"the talk index covers {told.facts}")
        shutil.rmtree(home)
        return sample

    def refer(self, bench: Bench) -> Sample:
        """List by a rare word, with an empty cache."""
        home = bench.home()
        (home / ".claude").mkdir()
        (home / ".claude" / "projects").symlink_to(bench.corpus.root)
        sample = run([str(self.peer), "--list", "quokkalamp"], home)
        shutil.rmtree(home)
        return sample

    def figure(self, sample: Sample) -> float:
        """What a user waits for."""
        return sample.wall


def indexer(corpus: Corpus) -> list[str]:
    """The app's child that lists all sessions, and brings the caches up to date."""
    return [sys.executable, "-P", "-m", "ccbrowse.core.indexer", "--cache", str(corpus.root)]


def check(corpus: Corpus, sample: Sample) -> None:
    """Hold the counts of a scan against the manifest's. Raises WrongIndex."""
    sessions = [each for each in corpus.manifest["per_session"] if each["main_line_messages"]]
    truth = {
        "sessions": len(sessions),
        "messages": sum(each["main_line_messages"] for each in sessions),
        "boundaries": sum(len(each["boundaries"]) for each in sessions),
        "branches": sum(each["branches"] for each in sessions),
        "output_tokens": sum(each["usage"]["output_tokens"] for each in sessions),
    }
    told = {name: sample.facts[name] for name in truth}
    if told != truth:
        raise WrongIndex(f"the scan tells {told}, the manifest {truth}")
