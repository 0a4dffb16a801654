"""One sentence against a sentence of the summary: what of it is there, and what contradicts it."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ccbrowse.core.compaction.matcher.paths import ends_with, parts
from ccbrowse.core.compaction.matcher.polarity import stance
from ccbrowse.core.compaction.matcher.summary import Candidate
from ccbrowse.core.compaction.matcher.synonyms import OPPOSITES, RIVALS
from ccbrowse.core.compaction.matcher.terms import Kind, Term
from ccbrowse.core.compaction.matcher.words import words

SYNONYM = 0.9
PARTS = 0.7
PART = 0.6
SHORT = 4
"""Terms of a sentence that is so short that all of them stand close."""
TELLING = 0.7
"""Weight from which a term is one that a sentence is about."""

_TYPES = ("Error", "Exception", "Warning", "Failure", "Fault")
_OBJECT = words("in on at by for from with to as of into")

_AMBIGUOUS = words(
    """
    go rust swift edge express may march nose solid bun get put post patch delete left right centre
    center oracle hash light dark black white uv koa tabs spaces rest opaque first second third march
    """
)
"""Rivals that are everyday words too: they count where they are written as names."""


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
    close: bool = True
    named: bool = False


@dataclass(slots=True)
class _Pair:
    """A term and what it was found as; `opposite` where the other says the contrary."""

    term: Term
    other: Term | None
    quality: float
    opposite: bool = False
    near: bool = False
    denied: bool = False


def score(
    item: Sequence[Term],
    candidate: Candidate,
    candidates: Sequence[Candidate],
    weigh: Callable[[Term], float],
    *,
    literal: bool = False,
) -> Score:
    """Weigh a sentence's terms against a candidate. `literal`: an error's text, which denies nothing."""
    mine = {word for term in item for word in term.concepts}
    pairs = [_find(term, candidate, candidates, mine) for term in item]
    weights = [weigh(term) for term in item]
    found = sum(w * p.quality for w, p in zip(weights, pairs, strict=True))
    total = sum(weights)
    own = {id(p.other) for p in pairs if p.other is not None and not p.near}
    rest = [term for term in candidate.terms if id(term) not in own]
    back = _back(candidate, own, weigh)
    result = Score(found / total if total else 0.0, back, found, total)
    _count(result, pairs)
    for weight, pair in zip(weights, pairs, strict=True):
        if weight >= TELLING and not (pair.term.amount and pair.term.amount.spelt):
            result.telling += 1
            result.telling_found += pair.quality >= PART
            result.named = result.named or (pair.quality >= 0.9 and _special(pair.term))
    result.close = _close(pairs, candidate)
    result.against = _against(pairs, rest, weights, found, candidate, weigh, literal)
    return result


def _back(candidate: Candidate, own: set[int], weigh: Callable[[Term], float]) -> float:
    whole = sum(weigh(term) for term in candidate.terms)
    return sum(weigh(term) for term in candidate.terms if id(term) in own) / whole if whole else 0.0


def _find(
    term: Term, candidate: Candidate, candidates: Sequence[Candidate], mine: set[str]
) -> _Pair:
    pair = _in(term, candidate)
    if pair.quality:
        pair.denied = candidate.denied
        return pair
    for number, share in candidate.near:
        other = candidates[number]
        pair = _in(term, other)
        if pair.quality:
            pair.quality *= share
            pair.near, pair.denied = True, other.denied
            return pair
    return _opposite(term, candidate, mine)


def _in(term: Term, candidate: Candidate) -> _Pair:
    if term.amount is not None:
        for other in candidate.amounts:
            if other.amount is not None and term.amount.agrees(other.amount):
                return _Pair(term, other, 1.0)
        return _Pair(term, None, 0.0)
    for place, key in enumerate(term.keys):
        hit = candidate.keys.get(key)
        if hit is not None:
            return _Pair(term, hit, 1.0 if place == 0 else 0.95)
    if term.kind is Kind.PATH:
        mine = parts(term.text)
        for its, other in candidate.paths:
            if mine and its and (ends_with(mine, its) or ends_with(its, mine)):
                return _Pair(term, other, 0.95)
        if not candidate.paths:
            return _named(term, candidate)
        return _Pair(term, None, 0.0)
    if not term.concepts:
        return _Pair(term, None, 0.0)
    if term.kind is Kind.WORD:
        word = term.concepts[0]
        hit = candidate.concepts.get(word)
        if hit is not None:
            return _Pair(term, hit, SYNONYM)
        hit = candidate.parts.get(word)
        return _Pair(term, hit, PART if hit is not None else 0.0)
    return _named(term, candidate)


def _named(term: Term, candidate: Candidate) -> _Pair:
    """A name of several words by its words."""
    hits = [candidate.concepts.get(word) or candidate.parts.get(word) for word in term.concepts]
    if len(hits) > 1 and all(hit is not None for hit in hits):
        return _Pair(term, hits[0], PARTS)
    return _Pair(term, None, 0.0)


def _opposite(term: Term, candidate: Candidate, mine: set[str]) -> _Pair:
    if term.kind is Kind.WORD:
        for word in term.concepts:
            for contrary in OPPOSITES.get(word, ()):
                hit = candidate.concepts.get(contrary)
                if hit is not None and contrary not in mine:
                    return _Pair(term, hit, SYNONYM, opposite=True, denied=candidate.denied)
    return _Pair(term, None, 0.0)


def _count(result: Score, pairs: Sequence[_Pair]) -> None:
    for pair in pairs:
        if pair.term.kind in (Kind.NAME, Kind.PATH):
            result.names += pair.quality >= 0.9
            result.missed += pair.quality < PART
        elif pair.term.amount is not None and not pair.term.amount.spelt:
            result.numbers += pair.quality > 0
            result.numbers_missed += pair.quality == 0


def _against(
    pairs: Sequence[_Pair],
    rest: Sequence[Term],
    weights: Sequence[float],
    found: float,
    candidate: Candidate,
    weigh: Callable[[Term], float],
    literal: bool,
) -> str:
    """What of the candidate contradicts, in a word; empty where nothing does."""
    if _other_number(pairs, rest) or _other_count(pairs, candidate):
        return "number"
    if _other_name(pairs, candidate, rest, literal):
        return "name"
    if _rival(pairs, rest):
        return "rival"
    if not literal:
        swapped = _swapped(pairs, rest, weigh)
        if swapped == 2 or (swapped and found < 0.85 * sum(weights)):
            return "swapped"
    if not literal and _denied(pairs, weights):
        return "denied"
    return ""


def _close(pairs: Sequence[_Pair], candidate: Candidate) -> bool:
    """Whether some terms that stand side by side stand close in the candidate too."""
    spots = [spot for pair in pairs if (spot := _spots(pair, candidate))]
    if len(spots) < 2 or len(candidate.terms) <= SHORT:
        return True
    return any(
        a != b and abs(a - b) <= 3
        for one, other in itertools.pairwise(spots)
        for a in one
        for b in other
    )


def _spots(pair: _Pair, candidate: Candidate) -> list[int]:
    """Where in a candidate a term stands, each time."""
    if pair.other is None or pair.near:
        return []
    keys = {*pair.other.keys, *pair.other.concepts}
    places = {place for key in keys for place in candidate.places.get(key, ())}
    if pair.other.amount is not None:
        places |= {i for i, term in enumerate(candidate.terms) if term is pair.other}
    return sorted(places)[:8]


def _other_number(pairs: Sequence[_Pair], rest: Sequence[Term]) -> bool:
    """A number of the item is not there, and another of its kind stands in its place."""
    amounts = [(p, p.term.amount) for p in pairs if p.term.amount is not None]
    missing = [a for p, a in amounts if a is not None and not p.quality]
    if not missing:
        return False
    others = [term.amount for term in rest if term.amount is not None]
    rivals = [amount for amount in missing if any(amount.could_be(other) for other in others)]
    hard = [amount for amount in rivals if not amount.spelt]
    return 3 * len(hard) > len(amounts) or len(rivals) == len(amounts)


def _other_name(
    pairs: Sequence[_Pair], candidate: Candidate, rest: Sequence[Term], literal: bool
) -> bool:
    """A name of the item is not there, and another one stands where it should."""
    left = {id(term) for term in rest}
    place = {id(term): i for i, term in enumerate(candidate.terms)}
    spots = [place[id(p.other)] for p in pairs if id(p.other) in place and not p.near]
    around = range(min(spots, default=0) - 1, max(spots, default=-2) + 2)
    for at, pair in enumerate(pairs):
        if pair.quality or not _special(pair.term):
            continue
        if literal and any(_instead(pair.term, t) for t in rest if place[id(t)] in around):
            return True
        if pair.term.kind is Kind.PATH and any(_same_base(pair.term, t) for t in rest):
            return True
        for step in (-1, 1):
            beside = pairs[at + step] if 0 <= at + step < len(pairs) else None
            if beside is None or beside.other is None or beside.near:
                continue
            spot = place.get(id(beside.other), -9) - step
            if 0 <= spot < len(candidate.terms):
                other = candidate.terms[spot]
                if id(other) in left and _special(other) and other.kind is pair.term.kind:
                    return True
    return False


def _instead(term: Term, other: Term) -> bool:
    """Whether an error's text names one thing, and a quote of another error the other."""
    paths = (term.kind is Kind.PATH) + (other.kind is Kind.PATH)
    if paths == 1 or not (_named_so(term) and _named_so(other)):
        return False
    return term.text.endswith(_TYPES) == other.text.endswith(_TYPES)


def _same_base(term: Term, other: Term) -> bool:
    """Whether two paths that do not go together end in the same name."""
    if other.kind is not Kind.PATH:
        return False
    mine, its = parts(term.text), parts(other.text)
    return bool(mine and its) and mine[-1] == its[-1]


def _named_so(term: Term) -> bool:
    """Whether an error's text names a thing with a term."""
    return term.kind in (Kind.NAME, Kind.PATH) or (term.quoted and term.prior > 0)


def _special(term: Term) -> bool:
    return term.kind in (Kind.NAME, Kind.PATH) or (term.quoted and term.prior > 0) or term.capital


def _rival(pairs: Sequence[_Pair], rest: Sequence[Term]) -> bool:
    """The item speaks of one of several things that exclude each other, the candidate of another."""
    wanted = [_classes(p.term) for p in pairs if not p.quality]
    have = {word for p in pairs for word in p.term.keys}
    for classes in wanted:
        if not classes:
            continue
        if any(classes & _classes(other) and not have & set(other.keys) for other in rest):
            return True
    return False


def _classes(term: Term) -> frozenset[int]:
    if term.amount is not None:
        return frozenset()
    for key in term.keys:
        if key in RIVALS and (key not in _AMBIGUOUS or term.capital or term.quoted):
            return RIVALS[key]
    return frozenset()


def _swapped(pairs: Sequence[_Pair], rest: Sequence[Term], weigh: Callable[[Term], float]) -> int:
    """Whether a word gave way to another in the same place: 2 between the same neighbours, 1 before
    the same word, 0 nowhere."""
    one_side = 0
    others = [term for term in rest if _thing(term)]
    for pair in pairs:
        term = pair.term
        if pair.other is not None or not _thing(term) or weigh(term) < TELLING:
            continue
        for other in others:
            if term.after not in ("", "·") and term.after == other.after:
                if term.before and term.before == other.before:
                    return 2
                if other.prior >= 1.0 or not other.text.endswith("s"):
                    one_side = 1
            elif (
                term.before == other.before
                and term.before in _OBJECT
                and not term.after + other.after
            ):
                return 2
    return one_side


def _thing(term: Term) -> bool:
    """Whether a word may well name a thing: none of the forms that verbs have."""
    return term.kind is Kind.WORD and not term.text.endswith(("ed", "ing", "ly"))


def _other_count(pairs: Sequence[_Pair], candidate: Candidate) -> bool:
    """Whether the same things are counted, to another number: `two reviewers`, `one reviewer`."""
    counted = {term.after: term.amount for term in candidate.counted if term.after}
    for pair in pairs:
        amount, what = pair.term.amount, pair.term.after
        if amount is None or pair.other is not None or not what:
            continue
        other = counted.get(what)
        if other is not None and not amount.agrees(other):
            return True
    return False


def _denied(pairs: Sequence[_Pair], weights: Sequence[float]) -> bool:
    """Whether one says of the same things what the other denies."""
    shared = {word for p in pairs if p.other is not None for word in p.term.concepts}
    shared |= {word for p in pairs if p.opposite and p.other for word in p.other.concepts}
    turned = {(p.term.clause, p.other.clause) for p in pairs if p.opposite and p.other is not None}
    agree = differ = 0.0
    both_deny = False
    for pair, weight in zip(pairs, weights, strict=True):
        if pair.other is None or pair.term.amount is not None:
            continue
        mine, my_hold = stance(pair.term, shared)
        its, its_hold = stance(pair.other, shared)
        if (pair.term.clause, pair.other.clause) in turned and not pair.near:
            its = -its
        if pair.denied and its > 0:
            its, its_hold = -its, 0.8
        share = (max(1.0, weight) if pair.opposite else weight) * my_hold * its_hold * pair.quality
        if mine == its:
            agree += share
            both_deny = both_deny or (mine < 0 and my_hold * its_hold >= 0.5)
        else:
            differ += share
    if not differ:
        return False
    return differ > agree if both_deny else differ >= 0.35 * (agree + differ)
