"""What a sentence denies: each term gets a sign, and how firmly it holds.

A denial reaches forward to the end of its clause, less firmly over a preposition, and less firmly
back to the clause's start (`the file must not be touched`). Words such as `avoid` or `removed` deny
too, but only where the other sentence has them not: then they are what is spoken of.
"""

from collections.abc import Sequence

from ccbrowse.core.compaction.matcher.stems import stem
from ccbrowse.core.compaction.matcher.synonyms import concept
from ccbrowse.core.compaction.matcher.terms import Kind, Term
from ccbrowse.core.compaction.matcher.words import words

BACKWARD = 0.6
BEYOND_PREPOSITION = 0.5
OBJECT = 0.7
STATUS = 0.25
LABEL = 0.25
FIRM = 0.45
"""How firmly a word must deny to turn a term round; below, the term only holds less."""
_ASIDE_PRIOR = 0.2
REPLACED = 0.35

_VERBAL = words(
    """
    not never cannot can't don't doesn't didn't isn't aren't wasn't weren't won't wouldn't couldn't
    shouldn't mustn't hasn't haven't hadn't ain't needn't nolonger hardly nobody neither unwanted
    nicht nie niemals
    """
)
"""They deny the whole clause, what stands before them included."""

_FORWARD = words("no without nor none nothing insteadof kein keine keinen keiner keinem ohne statt")
"""They deny what follows them."""

_LEXICAL = {
    stem(word): firm
    for firm, group in (
        (
            1.0,
            "avoid refrain forbid prohibit refuse reject exclude skip omit exempt ban disallow disable",
        ),
        (1.0, "cancel unsupported decline"),
        (1.0, "lack miss missing"),
        (
            0.8,
            "wait prevent ignore abandon unnecessary needless impossible untested hate dislike scrap",
        ),
        (0.5, "remove delete drop erase discard eliminate stop"),
        (0.4, "postpone"),
    )
    for word in group.split()
}
"""By stem: how firmly a word of its own meaning denies what belongs to it."""

AWAY = frozenset(
    concept(stem(word))
    for word in words(
        "remove delete drop erase discard eliminate exclude omit skip cancel abandon scrap"
    )
)
"""Concepts of taking something away: where two sentences do so, in whatever words, they agree."""
_ONLY_BACKWARD = frozenset((stem("wait"),))
_ONLY_FORWARD = frozenset(stem(word) for word in words("exempt lack missing"))
_LIMITS = frozenset(",;:()–—|")
_LABELS = frozenset(":–—|")
_BREAKS = words(
    """
    but because since so although though while when whenever if unless until where whereas once as and
    or then hence therefore after before
    """
)
_RELATIVE = words("that which who whose whom")
_PREPOSITIONS = words(
    """
    for in on at with from by during under over into to of as about through between within
    """
)
_REPLACING = frozenset(stem(word) for word in words("replace swap substitute exchange supersede"))
_BY = words("by with for")
_MOVING = frozenset(
    stem(word) for word in words("move switch migrate change convert port transition swap go raise")
)
_AFTER_AND = (
    _VERBAL
    | _FORWARD
    | words(
        """
    must should may can will would could might did does do is are has have had was were it they he
    she we i you
    """
    )
    | words(
        """
    wants needs asks uses goes keeps runs prefers likes works expects insists says to
    """
    )
)
_BEFORE_VERBS = words(
    "have has had not i we they he she you it who user also just then finally already"
)
_STATE_DENIALS = words("not isn't aren't wasn't weren't hasn't haven't")
_STATUS_WORDS = words(
    """
    yet done finished started implemented written tested ready complete completed run fixed verified
    begun
    """
)
_BE = words("is are be was were been being get gets got remain remains stay stays")
_VERBS = (
    words(
        """
    is are was were has have had can will must should may might would could do does did
    """
    )
    | words(
        """
    isn't aren't wasn't weren't hasn't haven't can't won't mustn't shouldn't doesn't didn't
    """
    )
    | words("cannot don't stays remains needs wants gets")
)


def mark(found: Sequence[Term]) -> None:
    """Set `sign`, `hold`, `cues` and `clause` of a sentence's terms."""
    ends = [at for at in range(len(found)) if _ends_clause(found, at)]
    ends = sorted({*ends, *_between_predicates(found, ends)})
    start, denied = 0, False
    for number, at in enumerate((*ends, len(found))):
        for term in found[start:at]:
            term.clause = number
        _clause(found[start:at])
        if denied:
            for term in found[start:at]:
                _flip(term, 1.0)
        if at < len(found) and found[at].text in _LABELS:
            label = [term for term in found[start:at] if term.prior]
            denied = start == 0 and len(label) <= 2 and _denies(found[0])
            for term in label:
                term.hold = min(term.hold, 1.0 if denied else LABEL)
        start = at


def _denies(term: Term) -> bool:
    return term.kind is not Kind.SIGN and (term.text in _VERBAL or term.text in _FORWARD)


def _ends_clause(found: Sequence[Term], at: int) -> bool:
    term = found[at]
    if term.kind is Kind.SIGN:
        return term.text in _LIMITS or (term.text in ".!?" and at + 1 < len(found))
    if term.prior or term.text not in _BREAKS or at == 0:
        return False
    if term.text in ("and", "or"):
        return at + 1 < len(found) and found[at + 1].text in _AFTER_AND
    return True


def _between_predicates(found: Sequence[Term], ends: Sequence[int]) -> list[int]:
    """Each `and` that joins two clauses, as both sides have a verb that can be known."""
    more = []
    start = 0
    for stop in (*ends, len(found)):
        verbs = [at for at in range(start, stop) if found[at].text in _VERBS]
        if len(verbs) > 1:
            more += [
                at
                for at in range(verbs[0], verbs[-1])
                if found[at].text in ("and", "or") and not found[at].prior
            ]
        start = stop
    return more


def _clause(clause: Sequence[Term]) -> None:
    _replaced(clause)
    for at, term in enumerate(clause):
        if term.kind is Kind.SIGN or term.code:
            continue
        if term.text == "not" and _contrasts(clause, at):
            _contrast(clause, at)
        elif term.text in _VERBAL:
            _turn(clause, at, back=True)
        elif term.text in _FORWARD:
            _turn(clause, at, back=False)
        else:
            firm = _LEXICAL.get(stem(term.text)) if term.kind is Kind.WORD else None
            if firm is not None:
                _cue(clause, at, term.concepts[0], firm)


def _replaced(clause: Sequence[Term]) -> None:
    """What gives way to something else is denied: `replace X by Y`, `move from X to Y`."""
    roots = [stem(term.text) if term.prior else term.text for term in clause]
    for at, root in enumerate(roots):
        if root in _REPLACING:
            stop = next((i for i in range(at + 1, len(roots)) if roots[i] in _BY), None)
            passive = any(text in _BE for text in roots[max(0, at - 2) : at])
            if stop is None:
                continue
            for term in clause[:at] if passive or stop == at + 1 else clause[at + 1 : stop]:
                _flip(term, REPLACED)
        elif root == "from" and any(text in _MOVING for text in roots[:at]) and "to" in roots[at:]:
            for term in clause[at : roots.index("to", at)]:
                _flip(term, REPLACED)


def _turn(clause: Sequence[Term], at: int, *, back: bool) -> None:
    """Turn what a denial reaches."""
    firm = 1.0
    status = back and _is_status(clause, at)
    if status:
        firm = STATUS
    reached = False
    aside = any(term.text in _RELATIVE and not term.prior for term in clause[:at])
    for term in clause[at + 1 :]:
        if aside and reached and term.text in _BE:
            break  # the verb of what the relative clause is about
        if not term.prior and (term.text in _PREPOSITIONS or term.text in _RELATIVE):
            firm = min(firm, BEYOND_PREPOSITION) if reached else firm
        elif not back and term.text == "and" and not term.prior:
            break
        _flip(term, firm)
        if term.prior and not reached:
            term.core = not status
            reached, firm = True, min(firm, OBJECT if back else firm)
    if back:
        for term in _before_denial(clause, at):
            _flip(term, min(BACKWARD, firm))


def _before_denial(clause: Sequence[Term], at: int) -> Sequence[Term]:
    """What a denial reaches back to: to its relative pronoun, else past what only describes the subject.

    In `who signed a release are not blurred` nothing is said against signing.
    """
    relative = [n for n in range(at) if clause[n].text in _RELATIVE and not clause[n].prior]
    if not relative:
        return clause[:at]
    between = clause[relative[-1] + 1 : at]
    described = len(between) > 2 and between[-1].text in _BE and any(t.prior for t in between)
    return clause[: relative[-1]] if described else between


def _contrasts(clause: Sequence[Term], at: int) -> bool:
    """Whether `not` only sets one thing against another: `404, not 403`."""
    before = [term.text for term in clause[:at]]
    return all(text in ("and", "but", ",", "(") for text in before)


def _contrast(clause: Sequence[Term], at: int) -> None:
    reached = False
    for term in clause[at + 1 :]:
        if reached and term.text in _PREPOSITIONS and not term.prior:
            break
        _flip(term, 1.0)
        term.core = bool(term.prior) and not reached
        reached = reached or bool(term.prior)


def _is_status(clause: Sequence[Term], at: int) -> bool:
    """Whether a denial says only how far a thing has come: `is not written yet`."""
    if clause[at].text not in _STATE_DENIALS:
        return False
    following = [term.text for term in clause[at + 1 :] if term.kind is not Kind.SIGN]
    if clause[at].text == "not" and not any(t.text in _BE for t in clause[max(0, at - 2) : at]):
        return "yet" in following[:3]
    return not following or any(text in _STATUS_WORDS for text in following[:3])


def _flip(term: Term, firm: float) -> None:
    term.sign = -term.sign
    term.hold = min(term.hold, firm)


def _cue(clause: Sequence[Term], at: int, word: str, firm: float) -> None:
    """A word that denies by its meaning: what was done to it stands before a participle, else behind."""
    before = [term.text for term in clause[max(0, at - 3) : at]]
    if _is_attribute(clause, at):
        return
    if before[-1:] == ["to"] and len(before) > 1 and clause[at - 2].prior > _ASIDE_PRIOR:
        firm *= 0.2  # the purpose of what is said, not what is said
    passive = any(text in _BE for text in before) or not any(t.prior for t in clause[at + 1 :])
    only_forward = stem(clause[at].text) in _ONLY_FORWARD
    passive = passive and not only_forward
    if stem(clause[at].text) in _ONLY_BACKWARD:
        for term in clause[:at]:
            term.cues.append((word, firm))
        return
    reach = firm * (0.5 if passive else 1.0)
    for term in clause[at + 1 :]:
        if term.text in _PREPOSITIONS and not term.prior and term.text not in ("from", "of"):
            reach *= 0.5 if firm > 0.5 else 1.0
        term.cues.append((word, reach))
    if only_forward:
        return
    for term in clause[:at]:
        term.cues.append((word, firm if passive else firm * 0.3))


def _is_attribute(clause: Sequence[Term], at: int) -> bool:
    """Whether a participle only describes a thing: `deleted users`."""
    if not clause[at].text.endswith("ed") or at + 1 >= len(clause) or not clause[at + 1].prior:
        return False
    before = clause[at - 1].text if at else ""
    if before in _BE or before in _BEFORE_VERBS:
        return False
    return at > 0 or any(term.text in _VERBS for term in clause[at + 1 :])


def stance(term: Term, shared: frozenset[str] | set[str]) -> tuple[int, float]:
    """The sign of a term and how firmly it holds, words that both sentences have left aside."""
    sign, hold = term.sign, term.hold
    for word, firm in term.cues:
        if word in shared:
            continue
        if firm < FIRM:
            hold *= 1 - firm
        else:
            sign, hold = -sign, min(hold, firm)
    return sign, hold
