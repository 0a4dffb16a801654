"""T12: the token estimate of a long segment, once the counter is loaded."""

from __future__ import annotations

from bench.measure import Bench, Measure, Pair
from bench.processes import Sample, program, run


class SegmentTokens(Measure):
    """Texts of 167,000 tokens, as much as a segment holds before it is compacted."""

    id = "T12"
    what = "estimate of a segment of 167k tokens, after load"
    reference = "nothing"
    unit = "ms"
    target = 100.0

    def own(self, bench: Bench) -> Sample:
        """Estimate segments of the corpus; the program scales its time to 167k tokens."""
        largest = max(bench.corpus.sessions, key=lambda path: path.stat().st_size)
        return run(program("tokens", largest), bench.home())

    def refer(self, bench: Bench) -> Sample:
        """There is nothing less to compare with: the figure is absolute."""
        return Sample(0.0, 0.0, 0.0)

    def values(self, pair: Pair) -> list[float]:
        """Milliseconds."""
        return [float(pair[0].facts["ms"])]
