"""Regular expressions as needles: bad ones explained, dangerous ones refused, long texts in pieces.

`^` and `$` match at each line; without case, letters are compared by Python's own rule. A text is
looked at in pieces of 8,192 characters that overlap by 1,024, so that a slow pattern can cost only
so much at once: a match longer than that may be cut or missed. After two seconds on one text the
rest of it is left out, and `given_up` counts it.
"""

import re
import time
import warnings
from collections.abc import Iterator

from ccbrowse.core.errors import BadQuery
from ccbrowse.core.search.hazards import is_hazard, needed_words
from ccbrowse.core.search.needles import Span, inside_word

PIECE = 8192
OVERLAP = 1024
SECONDS = 2.0
"""How long one text may take."""


class Pattern:
    """A compiled pattern. Raises BadQuery where it is none, or where it could take for ever.

    `needs`: words that every match holds, by the same `case`; empty where there are none.
    """

    def __init__(self, text: str, *, case: bool = False, whole_word: bool = False) -> None:
        self.whole_word = whole_word
        self.given_up = 0
        self._compiled = _compile(text, re.MULTILINE | (0 if case else re.IGNORECASE))
        self.case = not self._compiled.flags & re.IGNORECASE
        self.needs = needed_words(text, self._compiled.flags)

    def first(self, text: str) -> Span | None:
        """The first match."""
        return next(self.all(text), None)

    def all(self, text: str) -> Iterator[Span]:
        """Every match that is not empty, first to last."""
        search, done, start = self._compiled.search, 0, 0
        until = time.monotonic() + SECONDS if len(text) > PIECE else 0.0
        while True:
            stop = min(len(text), start + PIECE)
            at = max(start, done)
            while at <= stop and (match := search(text, at, stop)) is not None:
                begin, end = match.span()
                if end == stop < len(text):
                    begin, end = self._beyond(text, begin, end)
                at = end if end > begin else end + 1
                whole = not (self.whole_word and end > begin and inside_word(text, begin, end))
                if end > begin >= done and whole:
                    done = end
                    yield Span(begin, end - begin)
            if stop == len(text):
                return
            if until and time.monotonic() > until:
                self.given_up += 1
                return
            start = stop - OVERLAP

    def _beyond(self, text: str, begin: int, end: int) -> tuple[int, int]:
        """A match at the end of its piece, looked for again in a longer piece; None where it is gone."""
        match = self._compiled.match(text, begin, min(len(text), end + PIECE))
        return match.span() if match is not None else (end, end)


def _compile(text: str, flags: int) -> re.Pattern[str]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of forms that will mean something else one day
            compiled = re.compile(text, flags)
            hazard = is_hazard(text)
    except (re.error, OverflowError, RecursionError) as error:
        where = getattr(error, "pos", None)
        place = f"at character {where + 1}" if isinstance(where, int) else ""
        reason = getattr(error, "msg", None) or str(error)
        raise BadQuery(
            f"bad pattern: {reason}", place, "leave out --regex to find it literally"
        ) from error
    if hazard:
        raise BadQuery(
            "this pattern could take for ever",
            "a repeat within a repeat can share a text in too many ways",
            "write the inner one as `(?>…)` or `…++`",
        )
    return compiled
