"""Letters that are the same to a search without case: Python's `casefold`, read backwards.

`needle.casefold() in text.casefold()` is the rule. To find texts by their bytes, one must know which
characters fold to a given one; and to say where in the text a match stands, how long each one folds.
"""

from collections.abc import Iterator
from functools import cache
from itertools import chain

_CASED = ((0x80, 0x2E00), (0xA640, 0xABC0), (0xFB00, 0x1E944))
"""Where characters with case lie above ASCII; a test holds it against all of Unicode."""

_BLOCK = 1024


@cache
def kin() -> dict[str, tuple[str, ...]]:
    """By a folded character: the characters above ASCII that fold to exactly it, itself among them.

    What is missing has no kin above ASCII but itself.
    """
    found: dict[str, list[str]] = {}
    for char in _cased():
        folded = char.casefold()
        if len(folded) == 1 and folded != char:
            found.setdefault(folded, [folded] if folded > "\x7f" else []).append(char)
    return {folded: tuple(chars) for folded, chars in found.items()}


@cache
def unfolding() -> tuple[tuple[str, str], ...]:
    """The characters that fold to several, or from above ASCII into it, and what they fold to."""
    return tuple(
        (char, folded)
        for char in _cased()
        if (folded := char.casefold()) != char and (len(folded) > 1 or folded <= "\x7f")
    )


def _cased() -> Iterator[str]:
    return map(chr, chain.from_iterable(range(*span) for span in _CASED))


class Unfolder:
    """Places in a text from places in its folded form. Ask in ascending order: it only goes forward."""

    def __init__(self, text: str, folded: str) -> None:
        self._text = text
        self._even = len(text) == len(folded)  # no character folds to none
        self._at = self._folded_at = 0

    def place(self, folded_place: int) -> int:
        """The character of the text that holds a place of the folded text."""
        if self._even:
            return folded_place
        text = self._text
        while self._at < len(text):
            size = len(text[self._at : self._at + _BLOCK].casefold())
            if self._folded_at + size > folded_place:
                break
            self._at += _BLOCK
            self._folded_at += size
        while self._at < len(text):
            size = len(text[self._at].casefold())
            if self._folded_at + size > folded_place:
                break
            self._at += 1
            self._folded_at += size
        return min(self._at, len(text))
