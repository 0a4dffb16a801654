"""A first look, cheap: which texts share enough words with any sentence of a summary to be taken apart."""

import re
from collections.abc import Iterable

from ccbrowse.core.compaction.matcher.common import ASIDE, COMMON, STOP_WORDS
from ccbrowse.core.compaction.matcher.stems import stem
from ccbrowse.core.compaction.matcher.synonyms import concept

_WORDS = re.compile(r"\w+")

ENOUGH = 0.2
"""Share of a text's words that one sentence must have: half of what a match needs, as the sentences
around it may add as much again."""

SHORT = 8
"""Words of a text that is so short that a turn of phrase may hide most of it."""


class Shortlist:
    """The words of each sentence of a summary, and how much of a text any one of them shares."""

    def __init__(self, sentences: Iterable[str]) -> None:
        self._known: dict[str, tuple[str, float]] = {}
        self._where: dict[str, list[int]] = {}
        for number, sentence in enumerate(sentences):
            for key in {self._look(word)[0] for word in _WORDS.findall(sentence.casefold())}:
                self._where.setdefault(key, []).append(number)

    def _look(self, word: str) -> tuple[str, float]:
        """A word's concept and what it shows."""
        known = self._known.get(word)
        if known is None:
            root = stem(word)
            if word in STOP_WORDS:
                weight = 0.0
            elif root in ASIDE:
                weight = 0.15
            else:
                weight = 0.45 if root in COMMON else 1.0
            known = self._known[word] = (concept(root), weight)
        return known

    def share(self, text: str) -> tuple[float, float]:
        """The largest share of a text's words that one sentence has, and what these words show."""
        total = 0.0
        shares: dict[int, float] = {}
        count = 0
        for word in set(_WORDS.findall(text.casefold())):
            key, weight = self._look(word)
            if not weight:
                continue
            count += 1
            total += weight
            for number in self._where.get(key, ()):
                shares[number] = shares.get(number, 0.0) + weight
        best = max(shares.values(), default=0.0)
        if count <= SHORT and best:
            return max(ENOUGH, best / total), best
        return (best / total if total else 0.0), best

    def weight(self, text: str) -> float:
        """What the words of a text show, all together."""
        return sum(self._look(word)[1] for word in _WORDS.findall(text.casefold()))
