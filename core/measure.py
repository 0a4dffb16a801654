"""Token estimates of a session's texts, with the factor that its own usage teaches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ccbrowse.core.estimate import (
    Estimate,
    Learned,
    Observation,
    TextCounts,
    count_texts,
    default_counter,
    estimate,
    family,
    learn,
)
from ccbrowse.core.index import IMAGE, NONE, SessionIndex
from ccbrowse.core.records import Kind
from ccbrowse.core.segments import Segment
from ccbrowse.core.texts import model_texts

MAX_OBSERVATIONS = 200
"""Pairs of requests that are looked at to learn a factor, the newest first."""

MIN_OBSERVED = 300
"""Tokens of growth below which a pair teaches nothing: reminders weigh as much."""

_SENT = frozenset({Kind.PROMPT, Kind.RESULT, Kind.QUEUED_PROMPT})


class Measure:
    """Counts texts of rows, each once. Slow: for worker threads. `record` gives the body of a row."""

    def __init__(self, index: SessionIndex, record: Callable[[int], Mapping[str, Any]]) -> None:
        self.index = index
        self.record = record
        self._counts: dict[tuple[int, str], TextCounts] = {}
        self._learned: dict[str, Learned] = {}
        self._models: list[str | None] = []

    def counts(self, row: int, model: str | None) -> TextCounts:
        """How many tokens the texts of a row have by the counter, and how many characters of which kind."""
        name = family(model)
        known = self._counts.get((row, name))
        if known is None:
            known = count_texts(model_texts(self.record(row)), default_counter(name))
            self._counts[row, name] = known
        return known

    def total(self, rows: Iterable[int], model: str | None) -> TextCounts:
        """The counts of some rows' texts, summed."""
        total = TextCounts()
        for row in rows:
            total = total + self.counts(row, model)
        return total

    def segment(self, segment: Segment, segments: Sequence[Segment]) -> Estimate:
        """The tokens of a segment's texts, by the factor learned from the session."""
        model = self.model_of(segment, segments)
        return estimate(self.total(segment.rows, model), model, self.learned(model, segments))

    def rows(self, rows: Iterable[int], model: str | None, segments: Sequence[Segment]) -> Estimate:
        """The tokens of some rows' texts."""
        return estimate(self.total(rows, model), model, self.learned(model, segments))

    def model_of(self, segment: Segment, segments: Sequence[Segment]) -> str | None:
        """The model that a segment's last request named, else that of the nearest segment with one."""
        if len(self._models) != len(segments):
            self._models = self._nearest(segments)
        return self._models[segment.number - 1]

    def _nearest(self, segments: Sequence[Segment]) -> list[str | None]:
        """Per segment the model of its last request; else that of the nearest segment, the earlier of two."""
        models, names = list(self.index.facts.models), self.index.requests.model
        own = [models[names[each.requests[-1]]] if each.requests else "" for each in segments]
        asked = [place for place, each in enumerate(segments) if each.requests]
        found: list[str | None] = []
        at = 0
        for place in range(len(segments)):
            while at + 1 < len(asked) and asked[at + 1] - place < place - asked[at]:
                at += 1
            found.append(own[asked[at]] or None if asked else None)
        return found

    def grown(self) -> None:
        """Forget what growth made old: the factors learned, and counts of records written again."""
        self._learned.clear()
        self._models = []
        rewritten = self.index.latest
        for key in [key for key in self._counts if key[0] in rewritten]:
            del self._counts[key]

    def learned(self, model: str | None, segments: Sequence[Segment]) -> Learned:
        """The factor of a model's family as this session's consecutive requests show it."""
        name = family(model)
        if name not in self._learned:
            found = self._observations(name, model, segments)
            self._learned[name] = learn(found, name)
        return self._learned[name]

    def _observations(
        self, name: str, model: str | None, segments: Sequence[Segment]
    ) -> list[Observation]:
        found: list[Observation] = []
        for segment in reversed(segments):
            for before, after, between in self._pairs(segment):
                if len(found) >= MAX_OBSERVATIONS:
                    return found
                growth = self._growth(name, before, after)
                if growth is not None and growth >= MIN_OBSERVED:
                    found.append(Observation(self.total(between, model), growth))
        return found

    def _pairs(self, segment: Segment) -> Iterable[tuple[int, int, list[int]]]:
        """Consecutive requests of a segment and the rows sent between them, where text alone was."""
        index = self.index
        last, between, plain = NONE, list[int](), True
        for row in segment.rows:
            request = index.request[row]
            if request == NONE:
                plain &= index.kind[row] in _SENT and not index.flags[row] & IMAGE
                between.append(row)
            elif request != last:
                if last != NONE and between and plain:
                    yield last, request, between
                last, between, plain = request, [], True

    def _growth(self, name: str, before: int, after: int) -> int | None:
        """What was sent between two requests, in tokens: the growth of the input, less the reply."""
        table = self.index.requests
        models = list(self.index.facts.models)
        if not table.trusted[before] or family(models[table.model[after]] or None) != name:
            return None
        return table.context(after) - table.context(before) - table.output[before]
