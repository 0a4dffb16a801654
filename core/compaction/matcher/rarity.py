"""How much a term shows by its rarity in a session: what every text has shows nothing."""

import re
from collections.abc import Iterable
from math import log

from ccbrowse.core.compaction.matcher.stems import stem
from ccbrowse.core.compaction.matcher.synonyms import concept
from ccbrowse.core.compaction.matcher.terms import Kind, Term

_TOKEN = re.compile(r"\w{2,}")
LEAST = 0.25
MOST_TEXT = 200_000
"""Characters of one text that are looked at."""


class Rarity:
    """Counts in how many texts each word stands, as it is and as a concept."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.count = 0
        self._words: dict[str, int] = {}
        self._concepts: dict[str, int] = {}
        for text in texts:
            self._learn(text)
        self._scale = log((self.count + 1) / 1.5) if self.count > 1 else 1.0

    def _learn(self, text: str) -> None:
        self.count += 1
        words = set(_TOKEN.findall(text[:MOST_TEXT].casefold()))
        for word in words:
            self._words[word] = self._words.get(word, 0) + 1
        for word in {concept(stem(word)) for word in words}:
            self._concepts[word] = self._concepts.get(word, 0) + 1

    def of(self, term: Term) -> float:
        """From LEAST, for what stands everywhere, to 1 for what one text alone has."""
        if self.count < 2 or term.amount is not None:
            return 1.0
        if term.kind is Kind.WORD:
            found = max((self._concepts.get(word, 0) for word in term.concepts), default=0)
        else:
            found = max((self._words.get(key, 0) for key in term.keys), default=0)
        if found <= 1:
            return 1.0
        return max(LEAST, log((self.count + 1) / (found + 0.5)) / self._scale)
