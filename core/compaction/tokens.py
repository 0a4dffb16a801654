"""Tokens of texts that are parts of records, by the session's own counter and factor."""

from ccbrowse.core.estimate import TextCounts, count_text, default_counter, estimate, family
from ccbrowse.core.numbers import Number, Source
from ccbrowse.core.segments import Segment
from ccbrowse.core.session import Session


class Counting:
    """Counts texts for the model of a segment. Slow: from a worker."""

    def __init__(self, session: Session, segment: Segment) -> None:
        self.session = session
        measure = session.measure
        self.model = measure.model_of(segment, session.segments)
        self._learned = measure.learned(self.model, session.segments)
        self._counter = default_counter(family(self.model))

    def text(self, text: str) -> Number:
        """What one text weighs, estimated."""
        return self.number(count_text(text, self._counter) if text else TextCounts())

    def row(self, row: int) -> Number:
        """What the texts of a whole record weigh: counted once for all who ask."""
        return self.number(self.session.measure.counts(row, self.model))

    def number(self, counts: TextCounts) -> Number:
        """Counted texts as a number."""
        if not counts.tokens:
            return Number(0, Source.ESTIMATE, 0.0)
        found = estimate(counts, self.model, self._learned)
        return Number(found.value, Source.ESTIMATE, found.error)


def add(numbers: list[Number]) -> Number:
    """The sum of estimates; its error is the weighted mean of theirs, as they err together."""
    total = sum(number.value or 0 for number in numbers)
    if not total:
        return Number(0, Source.ESTIMATE, 0.0)
    spread = sum((number.value or 0) * (number.error or 0.0) for number in numbers)
    return Number(total, Source.ESTIMATE, round(spread / total, 4))
