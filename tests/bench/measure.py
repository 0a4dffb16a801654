"""What a measure is: something of ours and what it is held against, each run once a round."""

from __future__ import annotations

import tempfile
from abc import ABC, abstractmethod
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from bench.corpora import Corpus, Maker
from bench.processes import Sample

Pair = tuple[Sample, Sample]
"""Our sample of a round, and that of the reference."""


class Bench:
    """What measures need: the corpus, the huge session, and homes that no run has used before."""

    def __init__(self, maker: Maker, corpus: Corpus) -> None:
        self.maker = maker
        self.corpus = corpus
        self.scratch = Path(tempfile.mkdtemp(prefix="ccbrowse-bench-"))

    def home(self) -> Path:
        """An empty home folder."""
        return Path(tempfile.mkdtemp(dir=self.scratch))

    @cached_property
    def huge(self) -> Path:
        """A session of 500 MB."""
        return self.maker.huge()


class Measure(ABC):
    """One row of the table. `share` is the quantile of the values that is held against the target."""

    id: ClassVar[str]
    what: ClassVar[str]
    reference: ClassVar[str]
    unit: ClassVar[str] = "×"
    target: ClassVar[float | None] = None
    share: ClassVar[float] = 0.5

    @abstractmethod
    def own(self, bench: Bench) -> Sample:
        """Run ours."""

    @abstractmethod
    def refer(self, bench: Bench) -> Sample:
        """Run the reference. Measures with the same `reference` share one run a round."""

    def figure(self, sample: Sample) -> float:
        """What is compared: CPU time, unless a measure is of what a user waits for."""
        return sample.cpu

    def values(self, pair: Pair) -> list[float]:
        """The values of a round: the ratio."""
        own, reference = pair
        return [self.figure(own) / self.figure(reference)]
