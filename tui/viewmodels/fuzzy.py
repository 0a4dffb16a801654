"""Plain words of the list's filter: found in titles and projects though they are not typed in full.

A word matches what holds it; what its letters are the beginnings of words of (`flf`, `explinks`); and,
from five letters on, a word that is one slip away (`lgoin`).
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ccbrowse.core.library import Listing

_SHORTEST, _SLIP_FROM = 2, 5
_WORDS = re.compile(r"\w+")
_LONGEST = 400
"""Characters of a title that are looked at for what is not typed in full."""


def fuzzy_test(word: str) -> Callable[[Listing], bool]:
    """Whether a session's title or project is meant by a word."""
    wanted = word.casefold()
    return lambda listing: is_meant(wanted, listing.title.text) or is_meant(wanted, listing.project)


def is_meant(wanted: str, text: str) -> bool:
    """Whether a folded word is found in a text, or nearly."""
    folded = text.casefold()
    if wanted in folded:
        return True
    words = _WORDS.findall(folded[:_LONGEST])
    if len(wanted) < _SHORTEST or not wanted.isalnum():
        return False
    return _begins(wanted, words) or (
        len(wanted) >= _SLIP_FROM and any(_is_near(wanted, each) for each in words)
    )


def _begins(wanted: str, words: list[str]) -> bool:
    """Whether the letters are beginnings of words, in their order: ``explin`` of ``export links``."""
    places = {0}
    for word in words:
        reached = set(places)
        for place in places:
            for size in range(1, len(word) + 1):
                if wanted[place : place + size] != word[:size]:
                    break
                reached.add(place + size)
        if len(wanted) in reached:
            return True
        places = reached
    return False


def _is_near(wanted: str, word: str) -> bool:
    """Whether a word, or its beginning, is the wanted one but for a letter, or two that are turned."""
    word = word[: len(wanted) + 1]
    same = 0
    while same < min(len(wanted), len(word)) and wanted[same] == word[same]:
        same += 1
    rest, other = wanted[same:], word[same:]
    turned = rest[1:2] + rest[0:1] + rest[2:]
    return (
        other.startswith(rest[1:])  # one letter more than there is
        or other[1:].startswith(rest)  # one too few
        or other[1:].startswith(rest[1:])  # another
        or other.startswith(turned)
    )
