"""Which stretches of a text are masked, where several scanners saw something in several views."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ccbrowse.core.redact.found import Found, Rank


class Sighting(NamedTuple):
    """A finding in the coordinates of the raw text: from `start` up to, not including, `end`."""

    start: int
    end: int
    depth: int
    """0 in the raw text, less with each wrapping off: what was read deeper is decoded further"""
    found: Found


class Place:
    """A stretch to be masked, grown over all sightings that touch it, and the one that names it."""

    __slots__ = ("_key", "best", "end", "start")

    def __init__(self, first: Sighting) -> None:
        self._begin(first)

    def _begin(self, first: Sighting) -> None:
        self.start, self.end, self.best = first.start, first.end, first.found
        self._key = _precedence(first)

    def take(self, other: Sighting) -> None:
        """Another sighting that begins within this one."""
        mine, theirs = self.best.rank is Rank.PERSON, other.found.rank is Rank.PERSON
        if mine != theirs:
            # a name within a secret, or a secret within what looked like a mail address
            if mine:
                self._begin(other)
            return
        self.end = max(self.end, other.end)
        if _precedence(other) < self._key:
            self.best, self._key = other.found, _precedence(other)


def _precedence(sighting: Sighting) -> tuple[int, int, int]:
    """The best-ranked names a place, then the longest, then the one decoded furthest."""
    return sighting.found.rank, sighting.start - sighting.end, sighting.depth


def merged(sightings: Iterable[Sighting]) -> list[Place]:
    """The places to mask, from left to right, none touching another."""
    places: list[Place] = []
    for sighting in sorted(sightings, key=lambda one: (one.start, -one.end)):
        if places and sighting.start < places[-1].end:
            places[-1].take(sighting)
        else:
            places.append(Place(sighting))
    return places
