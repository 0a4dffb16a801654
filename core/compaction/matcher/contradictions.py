"""What of a sentence of the summary contradicts: another value, name or thing, or the denial of it."""

from collections.abc import Iterable, Sequence

from ccbrowse.core.compaction.matcher.common import STOP_WORDS
from ccbrowse.core.compaction.matcher.pairing import (
    Pair,
    is_measure,
    is_named,
    is_special,
    spots_of,
)
from ccbrowse.core.compaction.matcher.paths import parts
from ccbrowse.core.compaction.matcher.polarity import AWAY, stance
from ccbrowse.core.compaction.matcher.summary import Candidate
from ccbrowse.core.compaction.matcher.synonyms import RIVALS
from ccbrowse.core.compaction.matcher.terms import Kind, Term
from ccbrowse.core.compaction.matcher.words import words

DENIED = 0.34
"""Share of what both speak of from which on one denies the other."""

TELLING = 0.7
"""Weight from which a term is one that a sentence is about."""

CORE = 1.6
"""What counts more: the word that a denial speaks of first."""
_TYPES = ("Error", "Exception", "Warning", "Failure", "Fault")
_OBJECT = words("in on at by for from with to as of into per via without between during since")
_AMBIGUOUS = words(
    """
    go rust swift edge express may march nose solid bun get put post patch delete left right centre
    center oracle hash light dark black white uv koa tabs spaces rest opaque first second third march
    """
)
"""Rivals that are everyday words too: they count where they are written as names."""


def against(
    pairs: Sequence[Pair],
    rest: Sequence[Term],
    found: float,
    candidate: Candidate,
    *,
    literal: bool,
) -> str:
    """What of the candidate contradicts, in a word; empty where nothing does.

    `rest` are its terms that stand for none of the item's, `found` the weight of those that do.
    """
    if (
        _other_number(pairs, _around(pairs, candidate, rest) if literal else rest)
        or _other_measure(pairs, rest)
        or _other_count(pairs, candidate)
        or (not literal and _misplaced(pairs, candidate, rest))
    ):
        return "number"
    if _other_name(pairs, candidate, rest, literal):
        return "name"
    if _rival(pairs, rest):
        return "rival"
    if literal and _other_end(pairs, rest):
        return "name"
    if not literal:
        swapped = _swapped(pairs, rest)
        if swapped == 2 or (swapped and found < 0.85 * sum(p.term.weight for p in pairs)):
            return "swapped"
        if _denied(pairs, candidate):
            return "denied"
    return ""


def _other_number(pairs: Sequence[Pair], rest: Sequence[Term]) -> bool:
    """A number of the item is not there, and another of its kind stands in its place."""
    amounts = [(p, p.term.amount) for p in pairs if p.term.amount is not None]
    missing = [a for p, a in amounts if a is not None and not p.quality]
    if not missing:
        return False
    others = [term.amount for term in rest if term.amount is not None]
    rivals = [amount for amount in missing if any(amount.could_be(other) for other in others)]
    hard = [amount for amount in rivals if not amount.spelt or amount.kind]
    return 3 * len(hard) > len(amounts) or len(rivals) == len(amounts)


def _other_measure(pairs: Sequence[Pair], rest: Sequence[Term]) -> bool:
    """A version, time or size of the item is not there, but another one is."""
    missed = {_shape(p.term) for p in pairs if not p.quality and is_measure(p.term)}
    return bool(missed) and any(is_measure(term) and _shape(term) in missed for term in rest)


def _shape(term: Term) -> str:
    return next((sign for sign in "x:." if sign in term.keys[0]), "")


def _other_count(pairs: Sequence[Pair], candidate: Candidate) -> bool:
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


def _misplaced(pairs: Sequence[Pair], candidate: Candidate, rest: Sequence[Term]) -> bool:
    """Whether a number stands by another thing: `coverage 15, quality 20` for `coverage 20`."""
    rivals = [term for term in rest if term.amount is not None]
    if not rivals:
        return False
    for at, pair in enumerate(pairs):
        if pair.term.amount is None or pair.other is None or pair.near:
            continue
        beside = _beside(pairs, at)
        if beside is None or beside.other is None or beside.other.clause == pair.other.clause:
            continue
        spots = spots_of(beside, candidate)
        clauses = {candidate.terms[spot].clause for spot in spots}
        if pair.other.clause in clauses:
            continue
        if any(
            r.clause in clauses and r.amount and pair.term.amount.could_be(r.amount) for r in rivals
        ):
            return True
    return False


def _beside(pairs: Sequence[Pair], at: int) -> Pair | None:
    """The nearest word of the item beside a number that the candidate has too."""
    for step in (1, -1, 2, -2):
        if 0 <= at + step < len(pairs):
            pair = pairs[at + step]
            if pair.other is not None and not pair.near and pair.term.kind is Kind.WORD:
                return pair
    return None


def _other_name(
    pairs: Sequence[Pair], candidate: Candidate, rest: Sequence[Term], literal: bool
) -> bool:
    """A name of the item is not there, and another one stands where it should."""
    left = {id(term) for term in rest}
    place = {id(term): i for i, term in enumerate(candidate.terms)}
    around = _around(pairs, candidate, rest)
    for at, pair in enumerate(pairs):
        if pair.quality or not is_special(pair.term):
            continue
        if literal and any(_instead(pair.term, other) for other in around):
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
                if id(other) in left and is_special(other) and other.kind is pair.term.kind:
                    return True
    return False


def _around(pairs: Sequence[Pair], candidate: Candidate, rest: Sequence[Term]) -> list[Term]:
    """What of a candidate stands among the terms that were found in it, or right beside them."""
    place = {id(term): i for i, term in enumerate(candidate.terms)}
    spots = [place[id(p.other)] for p in pairs if id(p.other) in place and not p.near]
    reach = range(min(spots, default=0) - 1, max(spots, default=-2) + 2)
    return [term for term in rest if place[id(term)] in reach]


def _instead(term: Term, other: Term) -> bool:
    """Whether an error's text names one thing, and a quote of another error the other."""
    paths = (term.kind is Kind.PATH) + (other.kind is Kind.PATH)
    if paths == 1 or not (is_named(term) and is_named(other)):
        return False
    return term.text.endswith(_TYPES) == other.text.endswith(_TYPES)


def _same_base(term: Term, other: Term) -> bool:
    """Whether two paths that do not go together end in the same name."""
    if other.kind is not Kind.PATH:
        return False
    mine, its = parts(term.text), parts(other.text)
    return bool(mine and its) and mine[-1] == its[-1]


def _rival(pairs: Sequence[Pair], rest: Sequence[Term]) -> bool:
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
    if term.kind is Kind.NAME and "-" in term.text:
        parts_ = [RIVALS[word] for word in term.text.casefold().split("-") if word in RIVALS]
        return frozenset().union(*parts_)
    for key in term.keys:
        if key in RIVALS and (key not in _AMBIGUOUS or term.capital or term.quoted):
            return RIVALS[key]
    return frozenset()


def _swapped(pairs: Sequence[Pair], rest: Sequence[Term]) -> int:
    """Whether a word gave way to another in the same place: 2 between the same neighbours, 1 before
    the same word, 0 nowhere."""
    one_side = 0
    others = [term for term in rest if _thing(term)]
    for pair in pairs:
        term = pair.term
        if pair.other is not None or not _thing(term) or term.weight < TELLING:
            continue
        for other in others:
            if _tells(term.after) and term.after == other.after:
                if term.before and term.before == other.before:
                    return 2
                if other.prior >= 1.0 or not other.text.endswith("s"):
                    one_side = 1
            elif (
                term.before == other.before and _takes_object(term) and not term.after + other.after
            ):
                return 2
    return one_side


def _tells(neighbour: str) -> bool:
    """Whether a neighbour is a word of its own weight."""
    return neighbour not in ("", "·") and neighbour not in STOP_WORDS


def _takes_object(term: Term) -> bool:
    """Whether what stands before a term makes it an object: a preposition, or a verb that tells."""
    return term.before in _OBJECT or (bool(term.before) and term.before not in STOP_WORDS)


def _other_end(pairs: Sequence[Pair], rest: Sequence[Term]) -> bool:
    """Whether an error's last word is another one: `in rule align`, `in rule call`."""
    last = {p.term.before for p in pairs if p.other is None and p.term.before and not p.term.after}
    return any(term.before in last and not term.after and term.prior for term in rest)


def _thing(term: Term) -> bool:
    """Whether a word may well name a thing: none of the forms that verbs have."""
    return term.kind is Kind.WORD and not term.text.endswith(("ed", "ing", "ly"))


def _takes_away(found: Iterable[Term], shared: set[str]) -> bool:
    """Whether a sentence says that something is taken away, in words that the other has not."""
    away = AWAY - shared
    return any(
        not away.isdisjoint(term.concepts) or any(word in away for word, _ in term.cues)
        for term in found
    )


def _denied(pairs: Sequence[Pair], candidate: Candidate) -> bool:
    """Whether one says of the same things what the other denies."""
    shared = {word for p in pairs if p.other is not None for word in p.term.concepts}
    shared |= {word for p in pairs if p.opposite and p.other for word in p.other.concepts}
    mine, its = (p.term for p in pairs), candidate.terms
    if _takes_away(mine, shared) and _takes_away(its, shared):
        shared |= AWAY
    turned = {(p.term.clause, p.other.clause) for p in pairs if p.opposite and p.other is not None}
    agree = differ = 0.0
    both_deny = False
    for pair in pairs:
        if pair.other is None or pair.term.amount is not None:
            continue
        my_sign, my_hold = stance(pair.term, shared)
        its_sign, its_hold = stance(pair.other, shared)
        if (pair.term.clause, pair.other.clause) in turned and not pair.near:
            its_sign = -its_sign
        if pair.denied and its_sign > 0:
            its_sign, its_hold = -its_sign, 0.8
        weight = max(1.0, pair.term.weight) if pair.opposite else pair.term.weight
        if pair.term.core or pair.other.core:
            weight *= CORE
        share = weight * my_hold * its_hold * pair.quality
        if my_sign == its_sign:
            agree += share
            both_deny = both_deny or (my_sign < 0 and my_hold * its_hold >= 0.5)
        else:
            differ += share
    if not differ:
        return False
    return differ > agree if both_deny else differ >= DENIED * (agree + differ)
