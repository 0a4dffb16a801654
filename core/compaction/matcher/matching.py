"""The matcher: decides for a text, a file or an error whether a summary speaks of it, and where."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ccbrowse.core.compaction.matcher.errors import error_lines, message_of
from ccbrowse.core.compaction.matcher.paths import PathIndex
from ccbrowse.core.compaction.matcher.polarity import mark
from ccbrowse.core.compaction.matcher.rarity import Rarity
from ccbrowse.core.compaction.matcher.scoring import Score, score
from ccbrowse.core.compaction.matcher.sentences import sentences
from ccbrowse.core.compaction.matcher.shortlist import ENOUGH, Shortlist
from ccbrowse.core.compaction.matcher.summary import SummaryIndex, content
from ccbrowse.core.compaction.matcher.terms import Kind, Term, technical_words, terms

CANDIDATES = 8
"""Sentences of the summary that one sentence is weighed against in full."""

OUTPUT_WEIGHT = 1.5
"""Weight that a line of a tool's output must have to speak for all of it."""

OUTPUT_SHARE = 0.3
"""Share of a line's words that one sentence must have."""

OUTPUT_LINES, LONG_LINE, SHORT_OUTPUT = 10, 400, 12
"""Lines of an output that are looked at closely; characters of a line; lines of a short output."""

ERROR_SHARE = 0.12
"""Share of an error's words from which on it is looked at: types and numbers weigh more than words."""

LEAST_OWN = 0.14
"""Share of a sentence's weight that a candidate itself must have: its neighbours can double it."""

NAMES_SHARE, NAME_COVERED = 0.6, 0.3
"""Share of a sentence that names make up where they speak for it; what one sentence must have of it."""

CONTAINED = 0.9
"""Share of a sentence of the summary that stands in the item, where nothing else is said in it."""

TOGETHER = 0.65
"""Share of an item that two such sentences must cover together."""

SHORT_WEIGHT = 3.0
"""Weight of a sentence that is hardly more than the name in it."""

LIGHT = 0.6
"""Weight below which a sentence says nothing: `Yes, go on`."""

MOST_SENTENCES = 400
"""Sentences of one text that are looked at."""

HEAVY = 8.0
"""Weight above which a sentence counts no more within its text."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The sentence of a summary that shows a thing; `strength` from 0 to 1."""

    sentence: str
    number: int
    strength: float


class Matcher:
    """Finds in one summary what texts say.

    `texts` teach which words are rare, `known` which files there are, `folders` from where paths are told.
    """

    def __init__(
        self,
        summary: str,
        texts: Iterable[str] = (),
        known: Iterable[str] = (),
        folders: Iterable[str] = (),
    ) -> None:
        self.summary = SummaryIndex(summary)
        self.rarity = Rarity(texts)
        self.paths = PathIndex(self.summary.sentences, known, folders)
        self._technical = technical_words(self.summary.text)
        for candidate in self.summary.candidates:
            self._weighed(candidate.terms)
        self._shortlist = Shortlist(sentence.text for sentence in self.summary.sentences)
        self._flat = [_flat(sentence.text).split() for sentence in self.summary.sentences]

    def match_path(self, path: str) -> Evidence | None:
        """The sentence that names a file."""
        number = self.paths.find(path)
        return None if number is None else self._evidence(number, 1.0)

    def match_text(self, text: str) -> Evidence | None:
        """The sentence that says best what a text says, where enough of it is said."""
        total = matched = 0.0
        best: tuple[float, Evidence] | None = None
        parts = sentences(text)
        if any(not part.code for part in parts):
            parts = [part for part in parts if not part.code]
        for part in parts[:MOST_SENTENCES]:
            share, _ = self._shortlist.share(part.text)
            if share < ENOUGH:
                total += min(HEAVY, self._shortlist.weight(part.text))
                continue
            found = self._terms(part.text)
            weight = min(HEAVY, sum(term.weight for term in found))
            if weight < LIGHT:
                continue
            total += weight
            hit = self.match_terms(found)
            if hit is None:
                continue
            matched += weight
            if best is None or weight * hit.strength > best[0]:
                best = (weight * hit.strength, hit)
        if best is None or matched < (0.5 if len(parts) < 6 else 0.34) * total:
            return None
        return best[1]

    def match_output(self, text: str) -> Evidence | None:
        """The sentence that speaks of what a tool gave back: one telling line of it is enough."""
        best: tuple[float, Evidence] | None = None
        for line in self._telling_lines(text):
            found = self._terms(line)
            weight = sum(term.weight for term in found)
            hit = self.match_terms(found, output=True) if weight >= OUTPUT_WEIGHT else None
            if hit is not None and (best is None or weight * hit.strength > best[0]):
                best = (weight * hit.strength, hit)
        if best is None and text.count("\n") < SHORT_OUTPUT:
            return self.match_text(text)
        return None if best is None else best[1]

    def _telling_lines(self, text: str) -> list[str]:
        """The lines that share most with a sentence of the summary, by their words alone."""
        shared: dict[str, float] = {}
        for line in text.split("\n"):
            flat = line.strip()[:LONG_LINE]
            if len(flat) > 3 and flat not in shared:
                share, weight = self._shortlist.share(flat)
                shared[flat] = weight if share >= OUTPUT_SHARE else 0.0
        lines = sorted((line for line in shared if shared[line]), key=lambda s: -shared[s])
        return lines[:OUTPUT_LINES]

    def match_terms(
        self, found: Sequence[Term], *, literal: bool = False, output: bool = False
    ) -> Evidence | None:
        """The sentence that says best what one sentence says; None where none says enough.

        `literal`: the words of an error. `output`: a line of a tool's output, of which much is noise.
        """
        best: tuple[float, int] | None = None
        contained: list[tuple[float, int]] = []
        denied = 0.0
        for number in self._candidates(found):
            result = self.score(found, number, literal=literal)
            enough = is_match(result, literal=literal) or (output and is_output(result))
            if enough and (best is None or result.covered > best[0]):
                best = (result.covered, number)
            if result.against == "denied":
                denied = max(denied, result.covered)
            elif not result.against and result.back >= CONTAINED and result.covered >= 0.3:
                contained.append((result.covered, number))
        if denied >= 0.9 and best is not None and best[0] < 0.75:
            return None  # where all of it stands, it is denied: elsewhere some of its words are
        if best is None and not output and not literal:
            best = self._by_names(found) or _together(contained)
        return None if best is None else self._evidence(best[1], best[0])

    def _by_names(self, found: Sequence[Term]) -> tuple[float, int] | None:
        """The sentence of a name, where what is said is little more than names and all of them are there."""
        names = [term for term in found if term.kind is Kind.NAME and term.concepts]
        weight = sum(term.weight for term in names)
        if not names or weight < NAMES_SHARE * sum(term.weight for term in found):
            return None
        where = self.summary.where
        if not all(any(key in where for key in term.keys) for term in names):
            return None
        for number in self._candidates(names):
            result = self.score(found, number)
            if not result.against and result.names and result.covered >= NAME_COVERED:
                return result.covered, number
        return None

    def match_error(self, text: str, *, failed: bool = True) -> Evidence | None:
        """The sentence that names an error of a tool's output."""
        for line in error_lines(text, failed=failed):
            if self._shortlist.share(line)[0] < ERROR_SHARE:
                continue
            found = self._weighed(content(terms(line)))
            hit = self._literally(line, found) or self.match_terms(found, literal=True)
            if hit is not None:
                return hit
        return None

    def _literally(self, line: str, found: Sequence[Term]) -> Evidence | None:
        """The sentence that quotes an error's message, or enough of it, and names nothing else instead."""
        total = sum(term.weight for term in found)
        words = _flat(message_of(line)[1] or line).split()
        best: tuple[float, int] | None = None
        for number in self._candidates(found):
            run = _longest_run(words, self._flat[number])
            if run[1] - run[0] < 2:
                continue
            quoted = self._weighed(content(terms(" ".join(words[run[0] : run[1]]))))
            weight = sum(term.weight for term in quoted)
            whole = run == (0, len(words))
            enough = whole or weight >= min(2.5, 0.5 * total)
            if len(quoted) < 2 or weight < 1.5 or not enough:
                continue
            if self.score(found, number, literal=True).against:
                continue
            if best is None or weight > best[0]:
                best = (weight, number)
        return None if best is None else self._evidence(best[1], min(1.0, best[0] / total))

    def score(self, found: Sequence[Term], number: int, *, literal: bool = False) -> Score:
        """A sentence's terms against one sentence of the summary."""
        candidates = self.summary.candidates
        return score(found, candidates[number], candidates, literal=literal)

    def _terms(self, text: str) -> list[Term]:
        found = terms(text)
        mark(found)
        return self._weighed(content(found))

    def _weighed(self, found: list[Term]) -> list[Term]:
        """Give terms their weight; words that the summary uses as names are names."""
        for term in found:
            if term.kind is Kind.WORD and term.prior >= 1.0 and term.text in self._technical:
                term.prior, term.quoted = max(term.prior, 1.5), True
            term.weight = term.prior * self.rarity.of(term)
        return found

    def _candidates(self, found: Sequence[Term]) -> list[int]:
        """The sentences that share most with these terms."""
        shares: dict[int, float] = {}
        where = self.summary.where
        for term in found:
            weight = term.weight
            whole: set[int] = set()
            for key in (*term.keys, *(term.concepts if term.kind is Kind.WORD else ())):
                whole.update(where.get(key, ()))
            if term.amount is not None:
                whole.update(where.get(f"={term.amount.plain:g}", ()))
            for number in whole:
                shares[number] = shares.get(number, 0.0) + weight
            if term.kind is not Kind.WORD and not whole:
                for number in {n for word in term.concepts for n in where.get(word, ())}:
                    shares[number] = shares.get(number, 0.0) + 0.5 * weight
        best = sorted(shares, key=lambda number: (-shares[number], number))[:CANDIDATES]
        least = LEAST_OWN * sum(term.weight for term in found)
        return [number for number in best if shares[number] >= least]

    def _evidence(self, number: int, strength: float) -> Evidence:
        sentence = self.summary.sentences[number]
        return Evidence(sentence.whole or sentence.text, number, round(strength, 3))


def _together(contained: Sequence[tuple[float, int]]) -> tuple[float, int] | None:
    """Two sentences of the summary that say nothing else, and together most of an item: bullets."""
    first, second = (*sorted(contained, reverse=True)[:2], (0.0, 0), (0.0, 0))[:2]
    covered = first[0] + second[0]
    return (min(1.0, covered), first[1]) if second[0] and covered >= TOGETHER else None


def is_match(result: Score, *, literal: bool = False) -> bool:
    """Whether enough is there and nothing contradicts. What is about few things needs most of them."""
    if result.against or result.weight < 0.7:
        return False
    if literal and result.weight - result.paths < 0.7:
        return False  # an error is not spoken of where only its file is
    if literal and result.names and result.covered >= 0.3 and result.back >= 0.5:
        return True
    if result.numbers_missed and result.numbers_missed >= result.numbers:
        return False
    if literal:
        return result.covered >= 0.5
    if result.names > 0 and result.missed == 0 and result.covered >= 0.4:
        return True
    if result.named and result.total < SHORT_WEIGHT and result.covered >= 0.38:
        return True  # little but a name, and the name is there
    if result.covered < 0.75 and not result.close:
        return False
    if result.telling < 2:
        tight = result.back > 0.8 or 0 < result.distance <= 2
        return result.covered >= (0.55 if result.named else 0.62 if tight else 0.75)
    if result.telling == 2:
        return result.covered >= (0.55 if result.back > 0.8 else 0.62)
    if result.telling_found < 2 or 2 * result.telling_found < result.telling:
        return False
    if result.telling == 3:
        return result.covered >= 0.52
    return result.covered >= 0.5 or (result.covered >= 0.42 and result.back >= 0.5)


def _flat(text: str) -> str:
    """Letters and digits alone, for literal comparison."""
    return " ".join(re.findall(r"\w+", text.casefold()))


def is_output(result: Score) -> bool:
    """Whether a line of a tool's output is spoken of: by a distinct name or number and more."""
    return (
        not result.against
        and result.names > 0
        and result.weight >= 2.2
        and result.covered >= 0.4
        and result.numbers >= result.numbers_missed
    )


def _longest_run(words: Sequence[str], others: Sequence[str]) -> tuple[int, int]:
    """The longest run of words that stands in both: its start and end in the first."""
    best = (0, 0)
    lengths = [0] * (len(others) + 1)
    for at, word in enumerate(words):
        before = 0
        for place, other in enumerate(others):
            above = lengths[place + 1]
            lengths[place + 1] = before + 1 if word == other else 0
            before = above
            if lengths[place + 1] > best[1] - best[0]:
                best = (at + 1 - lengths[place + 1], at + 1)
    return best


__all__ = ["Evidence", "Kind", "Matcher", "is_match"]
