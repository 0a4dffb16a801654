"""A summary, ready to be searched: its sentences, their terms, and where each term stands."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from ccbrowse.core.compaction.matcher.paths import Parts, parts
from ccbrowse.core.compaction.matcher.polarity import mark
from ccbrowse.core.compaction.matcher.sentences import Sentence, sentences
from ccbrowse.core.compaction.matcher.terms import Kind, Term, terms

_DENYING = re.compile(
    r"\b(?:not|never|don'?ts?|forbidden|prohibited|rejected|refused|unwanted|avoid|excluded|no[- ]gos?"
    r"|off limits|out of scope|won'?t|ruled out)\b",
    re.IGNORECASE,
)
_STATUS = re.compile(
    r"\b(?:yet|done|finished|started|implemented|complete|completed|tested|verified|ready|open|pending)\b",
    re.IGNORECASE,
)


def body(text: str) -> str:
    """The summary without what the client wraps around it."""
    lines = _TAGS.sub("", text).split("\n")
    return "\n".join(line for line in lines if not _CLIENT.match(line))


_TAGS = re.compile(r"<(system-reminder|analysis)>.*?</\1>|</?summary>", re.DOTALL)
_CLIENT = re.compile(
    r"\s*(?:This session is being continued from |If you need specific details from before "
    r"|Please continue the conversation from |Continue the conversation from where "
    r"|The messages after this summary |Recent messages are preserved )"
)


@dataclass(slots=True)
class Candidate:
    """A sentence of the summary with its terms. `near` are the sentences around that may complete it,
    with what a term found there counts."""

    sentence: Sentence
    terms: list[Term]
    keys: dict[str, Term] = field(default_factory=dict)
    concepts: dict[str, Term] = field(default_factory=dict)
    parts: dict[str, Term] = field(default_factory=dict)
    places: dict[str, list[int]] = field(default_factory=dict)
    counted: list[Term] = field(default_factory=list)
    amounts: list[Term] = field(default_factory=list)
    paths: list[tuple[Parts, Term]] = field(default_factory=list)
    near: tuple[tuple[int, float], ...] = ()
    denied: bool = False

    def learn(self) -> None:
        """Index the terms, then keep those that show anything."""
        for term in self.terms:
            for key in term.keys:
                self.keys.setdefault(key, term)
            if term.kind is Kind.PATH:
                self.paths.append((parts(term.text), term))
            if term.kind is Kind.WORD or "-" in term.text:
                for word in term.concepts:
                    self.concepts.setdefault(word, term)
            else:
                for word in term.concepts:
                    self.parts.setdefault(word, term)
            if term.amount is not None:
                self.amounts.append(term)
        self.counted = [term for term in self.terms if term.amount is not None]
        self.terms = content(self.terms)
        for place, term in enumerate(self.terms):
            for key in {*term.keys, *term.concepts}:
                self.places.setdefault(key, []).append(place)


def content(found: Iterable[Term]) -> list[Term]:
    """The terms that show anything."""
    return [term for term in found if term.prior]


class SummaryIndex:
    """The sentences of a summary, and by term the numbers of those that have it."""

    def __init__(self, text: str) -> None:
        self.text = body(text)
        self.sentences = sentences(self.text)
        self.candidates = [_candidate(sentence) for sentence in self.sentences]
        self.where: dict[str, list[int]] = {}
        for number, candidate in enumerate(self.candidates):
            candidate.learn()
            candidate.near = tuple(self._near(number))
            candidate.denied = any(_denies(self.sentences[n]) for n in candidate.sentence.above)
            for key in {*candidate.keys, *candidate.concepts, *candidate.parts}:
                self.where.setdefault(key, []).append(number)
            for term in candidate.amounts:
                if term.amount is not None:
                    self.where.setdefault(f"={term.amount.plain:g}", []).append(number)

    def _near(self, number: int) -> Iterable[tuple[int, float]]:
        sentence = self.sentences[number]
        for other in (number - 1, number + 1):
            if 0 <= other < len(self.sentences) and self.sentences[other].block == sentence.block:
                yield other, 0.6
        for place, other in enumerate(sentence.above):
            yield other, 0.7 if place == 0 else 0.4


def _candidate(sentence: Sentence) -> Candidate:
    found = terms(sentence.text)
    mark(found)
    return Candidate(sentence, found)


def _denies(sentence: Sentence) -> bool:
    """Whether a heading turns round what stands under it."""
    text = sentence.text
    short = len(text) < 60 and (sentence.heading or text.endswith(":"))
    return short and bool(_DENYING.search(text)) and not _STATUS.search(text)
