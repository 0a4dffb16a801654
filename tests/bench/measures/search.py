"""T10: a search of everything, beside a plain read of the same bytes; and how soon its first hit is there."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from bench.corpora import Corpus
from bench.measure import Bench, Measure, Pair
from bench.measures.cold import indexer
from bench.processes import Sample, program, run

RARE, COMMON = "quokkalamp", "brindlewhisk"
"""Words that the corpus was sown with; its manifest says how often."""


class WrongHits(Exception):
    """A search that does not find what the manifest says: its speed is worth nothing."""


class Search(Measure):
    """One word in all sessions, nothing cached."""

    reference = "read of the same bytes into one buffer"
    word: ClassVar[str]
    how: ClassVar[str]

    def own(self, bench: Bench) -> Sample:
        """Search; hold the hits against the manifest."""
        sample = run(program("search", bench.corpus.root, self.word, self.how), bench.home())
        check(bench.corpus, self.word, sample)
        return sample

    def refer(self, bench: Bench) -> Sample:
        """The program reads the bytes itself, in turn with its searches."""
        return Sample(0.0, 0.0, 0.0)

    def values(self, pair: Pair) -> list[float]:
        """The ratio of CPU times."""
        return [float(pair[0].facts["ratio"])]


class RareExact(Search):
    """A rare word as it is written."""

    id, word, how, target = "T10a", RARE, "exact", 5.0
    what = "search, a rare word, exact case, CPU"


class RareFolded(Search):
    """A rare word in any case."""

    id, word, how, target = "T10b", RARE, "folded", 12.0
    what = "search, a rare word, any case, CPU"


class CommonExact(Search):
    """A word of sixty records as it is written."""

    id, word, how, target = "T10c", COMMON, "exact", 5.0
    what = "search, a word of 60 records, exact case, CPU"


class CommonFolded(Search):
    """A word of sixty records in any case."""

    id, word, how, target = "T10d", COMMON, "folded", 12.0
    what = "search, a word of 60 records, any case, CPU"


class FirstHit(Search):
    """How soon the first hit of such a word is there, from the list of files on."""

    id, word, how, target = "T10e", COMMON, "folded", 50.0
    what = "search, first hit of a word of 60 records, wall"
    reference = "nothing"
    unit = "ms"

    def values(self, pair: Pair) -> list[float]:
        """Milliseconds."""
        return [float(pair[0].facts["first_ms"])]


class TalkPage(Measure):
    """How soon the first screen of hits is there where only what was said is searched, by the index."""

    id, word, target = "T10f", RARE, 10.0
    what = "search of talk, a rare word, first page (all its hits), wall"
    reference = "nothing"
    unit = "ms"

    def own(self, bench: Bench) -> Sample:
        """Search; hold the hits against the manifest."""
        sample = run(program("talk", bench.corpus.root, self.word), filled_home(bench))
        check(bench.corpus, self.word, sample)
        return sample

    def refer(self, bench: Bench) -> Sample:
        """Nothing."""
        return Sample(0.0, 0.0, 0.0)

    def values(self, pair: Pair) -> list[float]:
        """Milliseconds."""
        return [float(pair[0].facts["page_ms"])]


class CommonTalkPage(TalkPage):
    """The same for a word of sixty records."""

    id, word = "T10g", COMMON
    what = "search of talk, a word of 60 records, first page of 40, wall"


def filled_home(bench: Bench) -> Path:
    """A home whose caches know the corpus, what was said in it too."""
    home = bench.scratch / "filled"
    if not home.exists():
        home.mkdir()
        run(indexer(bench.corpus), home)
    return home


def check(corpus: Corpus, word: str, sample: Sample) -> None:
    """Hold the hits against the manifest's count. Raises WrongHits."""
    truth = corpus.manifest["needles"][word]
    if sample.facts["hits"] != truth:
        raise WrongHits(f"{word}: {sample.facts['hits']} hits, {truth} sown")
