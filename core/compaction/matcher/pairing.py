"""Each term of a sentence and what stands for it in a sentence of the summary."""

from collections.abc import Sequence
from dataclasses import dataclass

from ccbrowse.core.compaction.matcher.paths import ends_with, parts
from ccbrowse.core.compaction.matcher.summary import Candidate
from ccbrowse.core.compaction.matcher.synonyms import OPPOSITES
from ccbrowse.core.compaction.matcher.terms import Kind, Term

SYNONYM = 0.9
PARTS = 0.7
PART = 0.6
HALF = 0.5


@dataclass(slots=True)
class Pair:
    """A term and what it was found as; `opposite` where the other says the contrary."""

    term: Term
    other: Term | None
    quality: float
    opposite: bool = False
    near: bool = False
    denied: bool = False


def find_pair(
    term: Term, candidate: Candidate, candidates: Sequence[Candidate], mine: set[str]
) -> Pair:
    """What stands for a term: in the candidate, else the contrary there, else in the sentences around it.

    `mine` are the concepts of the term's own sentence.
    """
    pair = _in(term, candidate, mine)
    if pair.quality:
        pair.denied = candidate.denied
        return pair
    contrary = _opposite(term, candidate, mine)
    if contrary.quality:
        return contrary
    for number, share in candidate.near:
        other = candidates[number]
        pair = _in(term, other, mine)
        if pair.quality:
            pair.quality *= share
            pair.near, pair.denied = True, other.denied
            return pair
    return contrary


def _in(term: Term, candidate: Candidate, mine: set[str]) -> Pair:
    if term.amount is not None:
        return _amount(term, candidate, mine)
    for place, key in enumerate(term.keys):
        hit = candidate.keys.get(key)
        if hit is not None:
            return Pair(term, hit, 1.0 if place == 0 else 0.95)
    if term.kind is Kind.PATH:
        path = parts(term.text)
        for its, other in candidate.paths:
            if path and its and (ends_with(path, its) or ends_with(its, path)):
                return Pair(term, other, 0.95)
        if not candidate.paths:
            return _named(term, candidate)
        return Pair(term, None, 0.0)
    if not term.concepts:
        return Pair(term, None, 0.0)
    if term.kind is Kind.WORD:
        word = term.concepts[0]
        hit = candidate.concepts.get(word)
        if hit is not None:
            return Pair(term, hit, SYNONYM)
        hit = candidate.parts.get(word)
        return Pair(term, hit, PART if hit is not None else 0.0)
    return _named(term, candidate)


def _amount(term: Term, candidate: Candidate, mine: set[str]) -> Pair:
    """A number among those of a candidate; one that counts other things is only half of it.

    A distinct number hardly stands there by chance, whatever it is said to count.
    """
    half = Pair(term, None, 0.0)
    for other in candidate.amounts:
        if term.amount is None or other.amount is None or not term.amount.agrees(other.amount):
            continue
        if other.amount.kind or not other.counts or mine.intersection(other.counts):
            return Pair(term, other, 1.0)
        half = Pair(term, other, SYNONYM if term.amount.is_distinct else HALF)
    return half


def _named(term: Term, candidate: Candidate) -> Pair:
    """A name of several words by its words."""
    hits = [candidate.concepts.get(word) or candidate.parts.get(word) for word in term.concepts]
    if len(hits) > 1 and all(hit is not None for hit in hits):
        return Pair(term, hits[0], PARTS)
    return Pair(term, None, 0.0)


def _opposite(term: Term, candidate: Candidate, mine: set[str]) -> Pair:
    if term.kind is Kind.WORD:
        for word in term.concepts:
            for contrary in OPPOSITES.get(word, ()):
                hit = candidate.concepts.get(contrary)
                if hit is not None and contrary not in mine:
                    return Pair(term, hit, SYNONYM, opposite=True, denied=candidate.denied)
    return Pair(term, None, 0.0)


def spots_of(pair: Pair, candidate: Candidate) -> list[int]:
    """Where in a candidate a term stands, each time."""
    if pair.other is None or pair.near:
        return []
    keys = {*pair.other.keys, *pair.other.concepts}
    places = {place for key in keys for place in candidate.places.get(key, ())}
    if pair.other.amount is not None:
        places |= {i for i, term in enumerate(candidate.terms) if term is pair.other}
    return sorted(places)[:8]


def is_named(term: Term) -> bool:
    """Whether an error's text names a thing with a term."""
    return term.kind in (Kind.NAME, Kind.PATH) or (term.quoted and term.prior > 0)


def is_special(term: Term) -> bool:
    """Whether a term names a thing: a name of a program's, a path, a quoted or a capitalised word."""
    return term.kind in (Kind.NAME, Kind.PATH) or (term.quoted and term.prior > 0) or term.capital


def is_measure(term: Term) -> bool:
    """A literal that measures: a version, a time of day, a size."""
    return term.kind is Kind.NAME and not term.concepts and term.text.lstrip("v")[:1].isdigit()
