"""How words are looked for, and what to say where a query cannot be read: for prompts of all screens."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ccbrowse.core.errors import BadQuery
from ccbrowse.core.text import SafeText, cell_width, display_text, one_line

if TYPE_CHECKING:
    from ccbrowse.core.search import Wanted

_AT = re.compile(r"at character (\d+)$")
LONGEST = 60
"""Characters of a query that are told."""

_PATTERN = "bad pattern"


@dataclass(frozen=True, slots=True)
class How:
    """How words are meant: as a regular expression, told apart by case, as whole words."""

    regex: bool = False
    case: bool = False
    word: bool = False

    def turned(self, name: str) -> How:
        """The same with one of them turned over."""
        return How(
            self.regex != (name == "regex"),
            self.case != (name == "case"),
            self.word != (name == "word"),
        )


LITERAL = How()
"""As typed, in any case."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """What is wrong with a text that was typed: the part that is meant, in cells, and words.

    `cells` is 0 where no part of it is meant.
    """

    start: int
    cells: int
    words: SafeText


def explain(error: BadQuery, text: str) -> Explanation:
    """Say in place what cannot be read."""
    start, stop = _part(error.where, text)
    hint = (
        "" if error.what.startswith(_PATTERN) else error.hint
    )  # it names an option of the command
    words = "; ".join(part for part in (error.what, hint) if part)
    before, meant = display_text(text[:start]), display_text(text[start:stop])
    return Explanation(cell_width(before), cell_width(meant), display_text(words))


def _part(where: str, text: str) -> tuple[int, int]:
    """The characters that an error names: the part itself, or the character of its number."""
    if where and (at := text.find(where)) >= 0:
        return at, at + len(where)
    if named := _AT.search(where):
        at = min(int(named[1]) - 1, max(0, len(text) - 1))
        return at, at + 1
    return 0, 0


def wanted_of(text: str, how: How) -> Wanted:
    """A search as it was typed. Raises BadQuery."""
    # Here and below: a session is on the screen before anything is searched for.
    from ccbrowse.core.search import Wanted, as_pattern, parse_query

    query = as_pattern(text) if how.regex else parse_query(text)
    return Wanted(query, regex=how.regex, case=how.case, whole_word=how.word)


def wanted_alone(text: str, how: How) -> None:
    """Look whether words can be found in one session, where keys have no meaning. Raises BadQuery."""
    from ccbrowse.core.query import Query
    from ccbrowse.core.search import Wanted

    query = Query((), ((None, text),))
    Wanted(query, regex=how.regex, case=how.case, whole_word=how.word)


def words_of_query(text: str, how: How) -> list[str]:
    """The words of a search, whatever their scope; none where it cannot be read."""
    from ccbrowse.core.search import parse_query

    if how.regex:
        return [text]
    try:
        return [word for _, word in parse_query(text).words]
    except BadQuery:
        return []


def standing(at: int, count: int, done: bool, beside: int, wrapped: SafeText) -> SafeText:
    """``3 of 174``, with what else there is to say of a search: it goes on, went around, has more."""
    so_far = "" if done else " so far"
    first = SafeText(f"{at:,} of {count:,}{so_far}" if at else f"{count:,} found{so_far}")
    if not count:
        first = SafeText("not found" if done else "searching")
    parts: list[SafeText] = [first, *([wrapped] if wrapped else [])]
    if beside:
        parts.append(SafeText(f"{beside:,} off this line"))
    return SafeText(" · ".join(parts))


def mark_of(text: str, how: How) -> re.Pattern[str] | None:
    """What to mark on the screen of a search's words; None where there are none to mark."""
    return pattern_of(words_of_query(text, how), how)


def pattern_of(words: list[str], how: How) -> re.Pattern[str] | None:
    """A pattern of any of some words, to mark them by."""
    parts = [word if how.regex else re.escape(display_text(word)) for word in words if word.strip()]
    if how.word:
        parts = [rf"(?<!\w)(?:{part})(?!\w)" for part in parts]
    try:
        return re.compile("|".join(parts), 0 if how.case else re.IGNORECASE) if parts else None
    except (re.error, OverflowError, RecursionError):
        return None


def how_words(how: How) -> SafeText:
    """``regex · case``; nothing for words as they are typed."""
    named = {"regex": how.regex, "case": how.case, "whole word": how.word}
    return SafeText(" · ".join(name for name, on in named.items() if on))


def quoted(text: str) -> SafeText:
    """A query on one line, in quotes."""
    return SafeText(f"“{one_line(text, LONGEST)}”")
