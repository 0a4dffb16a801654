"""The judge: where a text holds what is looked for. Literal words here, regular expressions in `patterns`."""

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from ccbrowse.core.search.folding import Unfolder


class Span(NamedTuple):
    """Where a match stands in a text, in characters."""

    start: int
    length: int


class Needle(Protocol):
    """Something to look for in decoded texts."""

    def all(self, text: str) -> Iterator[Span]:
        """Every match, first to last; none overlaps another, none is empty."""
        ...

    def first(self, text: str) -> Span | None:
        """The first match."""
        ...


class Literal:
    """Words as they stand; without `case` two texts are alike when their `casefold` is."""

    def __init__(self, text: str, *, case: bool = False, whole_word: bool = False) -> None:
        self.text = text
        self.case = case
        self.whole_word = whole_word
        self._wanted = text if case else text.casefold()

    def first(self, text: str) -> Span | None:
        """The first match."""
        return next(self.all(text), None)

    def all(self, text: str) -> Iterator[Span]:
        """Every match, first to last. What begins or ends within a folded character takes all of it."""
        folded = text if self.case else text.casefold()
        at = folded.find(self._wanted)
        if at < 0:
            return
        size, done = len(self._wanted), 0
        starts, ends = Unfolder(text, folded), Unfolder(text, folded)
        while at >= 0:
            start, stop = starts.place(at), ends.place(at + size - 1) + 1
            if self.whole_word and inside_word(text, start, stop):
                at = folded.find(self._wanted, at + 1)
                continue
            if start >= done:
                done = stop
                yield Span(start, stop - start)
            at = folded.find(self._wanted, at + size)


def inside_word(text: str, start: int, stop: int) -> bool:
    """Whether a match is only a part of the words that it begins or ends with."""
    before, after = text[start - 1 : start], text[stop : stop + 1]
    return (_is_word(before) and _is_word(text[start])) or (
        _is_word(after) and _is_word(text[stop - 1])
    )


def _is_word(char: str) -> bool:
    return char.isalnum() or char == "_"
