"""One sentence against a sentence of the summary: what of it is there, and what contradicts it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ccbrowse.core.compaction.matcher.contradictions import TELLING, against
from ccbrowse.core.compaction.matcher.pairing import (
    HALF,
    PART,
    Pair,
    find_pair,
    is_measure,
    is_named,
    is_special,
    spots_of,
)
from ccbrowse.core.compaction.matcher.summary import Candidate
from ccbrowse.core.compaction.matcher.terms import Kind, Term

LEAST = 0.28
"""Share of a sentence that must be there for any match."""
FAR = 99
SHORT = 4
"""Terms of a sentence that is so short that all of them stand close."""


@dataclass(slots=True)
class Score:
    """How a sentence and one of the summary go together.

    `covered` is the share of the sentence's weight that the other has, `back` the share of the
    other's weight that the sentence has, `weight` what was found. `against` says what contradicts:
    empty where nothing does. `names` are the literal names that both have, `missed` those that fail.
    """

    covered: float
    back: float
    weight: float
    total: float
    against: str = ""
    names: int = 0
    missed: int = 0
    numbers: int = 0
    numbers_missed: int = 0
    telling: int = 0
    telling_found: int = 0
    paths: float = 0.0
    distance: int = 0
    close: bool = True
    named: bool = False


def score(
    item: Sequence[Term],
    candidate: Candidate,
    candidates: Sequence[Candidate],
    *,
    literal: bool = False,
) -> Score:
    """Weigh a sentence's terms against a candidate. `literal`: an error's text, which denies nothing.

    What covers too little for any match is not looked at further.
    """
    mine = {word for term in item for word in term.concepts}
    pairs = [find_pair(term, candidate, candidates, mine) for term in item]
    found = sum(pair.term.weight * pair.quality for pair in pairs)
    total = sum(term.weight for term in item)
    if found < LEAST * total or not total:
        return Score(found / total if total else 0.0, 0.0, found, total)
    own = {id(p.other) for p in pairs if p.other is not None and not p.near}
    rest = [term for term in candidate.terms if id(term) not in own]
    back = _back(candidate, own)
    near = sum(pair.term.weight * pair.quality for pair in pairs if pair.near)
    if near > 0.5 * found:
        found -= near
        pairs = [Pair(p.term, None, 0.0) if p.near else p for p in pairs]
    result = Score(found / total, back, found, total)
    _count(result, pairs)
    for pair in pairs:
        amount = pair.term.amount
        if pair.term.weight >= TELLING and not (amount and amount.spelt and not amount.kind):
            result.telling += 1
            result.telling_found += pair.quality >= PART
            result.named = result.named or (pair.quality >= 0.9 and is_special(pair.term))
    result.distance = _distance(pairs, candidate)
    reach = 3 if result.telling_found == result.telling else 2
    result.close = result.distance <= reach or len(candidate.terms) <= SHORT
    result.against = against(pairs, rest, found, candidate, literal=literal)
    return result


def _back(candidate: Candidate, own: set[int]) -> float:
    whole = sum(term.weight for term in candidate.terms)
    return sum(term.weight for term in candidate.terms if id(term) in own) / whole if whole else 0.0


def _count(result: Score, pairs: Sequence[Pair]) -> None:
    for pair in pairs:
        if is_measure(pair.term):
            result.numbers += pair.quality > HALF
            result.numbers_missed += pair.quality <= HALF
        elif pair.term.kind in (Kind.NAME, Kind.PATH) or is_named(pair.term):
            result.names += pair.quality >= 0.9
            if pair.term.kind is Kind.PATH:
                result.paths += pair.term.weight * pair.quality
            result.missed += pair.quality < PART
        elif pair.term.amount is not None and not pair.term.amount.spelt:
            result.numbers += pair.quality > HALF
            result.numbers_missed += pair.quality <= HALF
            result.names += pair.quality > HALF and pair.term.amount.is_distinct


def _distance(pairs: Sequence[Pair], candidate: Candidate) -> int:
    """How close two terms that stand side by side come in the candidate: 1 side by side."""
    spots = [spot for pair in pairs if (spot := spots_of(pair, candidate))]
    if len(spots) < 2:
        return 0
    return min(
        (abs(a - b) for one, other in pairwise(spots) for a in one for b in other if a != b),
        default=FAR,
    )
