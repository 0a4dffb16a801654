"""From a tokenizer's count to Claude's own: the family of a model, its factor for a text, and the error.

Claude's tokenizers are not public, and no one factor holds for all texts: what indentation, digits, line
breaks and symbols cost differs. So a factor is a sum over what a token of the text brings along.
"""

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from ccbrowse.core.estimate.counts import TextCounts
from ccbrowse.core.estimate.engines import CTOK

FAMILIES: Final = ("4.6-", "4.7-4.9", "5")
"""Claude's tokenizers by the models that use them, oldest first."""

FALLBACK_FAMILY: Final = FAMILIES[-1]
"""Taken where the model is not known: most sessions that are read were written by a recent one."""

UNKNOWN_ERROR: Final = 0.25
"""Least error of a table's estimate without a known model: it reaches the other families' factors."""

NEWER_ERROR: Final = 0.12
"""Least error for models newer than all that were measured: they may bring a tokenizer of their own."""

WIDEST: Final = 0.6
"""No error is stated wider than this; beyond it an estimate says nothing anyway."""

_FIRST_VERSIONS = ((4, 7), (5, 0))  # of the families after the first
_NEWEST_MEASURED = (5, 0)
_NAMES = {"claude", "opus", "sonnet", "haiku", "fable"}


@dataclass(frozen=True, slots=True)
class Row:
    """One family's line in the table of factors."""

    weights: tuple[float, ...]
    """What each of `measures` adds to the factor."""
    error: float
    """Half-width, as a share of the estimate, that holds the truth in 80 % of long texts."""
    small: float
    """What is added to it at 1,000 tokens; it falls with the root of the size."""


# fmt: off
# Made by tests/bench/fit_tokens.py on 2026-11-30 from 1,181 tool results of real sessions, each with the
# growth of the input side that it caused. Of texts held back (ten folds) the median error is 3.5 %, 3.1 %
# and 3.7 % (with one factor a family: 5.1 %, 5.4 %, 4.9 %), and the half-widths hold 80 % of them.
TABLE: Final[Mapping[str, Row]] = MappingProxyType({
    #                tokens  digits  spaces    deep   lines   chars  arrows    error  small
    "4.6-":    Row((+0.881, +0.329, +0.180, -0.140, +1.317, +0.038, -2.245), 0.071, 0.025),
    "4.7-4.9": Row((+1.274, -0.317, -0.364, +0.396, +1.838, +0.120, -3.330), 0.034, 0.028),
    "5":       Row((+1.284, -0.180, -0.374, +0.414, +1.922, +0.097, -1.793), 0.042, 0.033),
})
# fmt: on

TYPICAL: Final = TextCounts(
    tokens=1000, chars=3588, bytes=3592, lines=78, digits=215, spaces=669, non_ascii=2
)
"""What 1,000 tokens of a tool result look like: medians of the measured ones."""

_DEEP = 0.6  # spaces per token: what goes beyond is deep indentation, which costs less or more
_LIMITS = ((1, 1), (0, 0.7), (0.05, 2.1), (0, 1.5), (0, 0.13), (2.1, 4.8), (0, 0.1))

# Texts in other scripts: too rare among the measured ones. Read off ctok 1.3 against tiktoken on the
# translated message catalogues of a web framework (90 languages); four fifths lie within the error.
_FOREIGN_FROM, _FOREIGN_FULL = 0.05, 0.35  # share of characters beyond ASCII
_FOREIGN_NARROW, _FOREIGN_WIDE = (
    (0.55, 0.23),
    (0.25, 0.68),
)  # two bytes a letter, three: base, per chars
_FOREIGN_RANGE = (0.45, 1.25)
_FOREIGN_ERROR = 0.2
_FOREIGN_OLDEST = 0.95

_CTOK_ERROR = {"4.6-": 0.1, "4.7-4.9": 0.01, "5": 0.01}  # against the API on real tool results


@dataclass(frozen=True, slots=True)
class Scale:
    """What the table says of a text: the factor for its count, and the half-width of the error."""

    factor: float
    error: float


def family(model: str | None) -> str:
    """The tokenizer family of a model id, a provider's prefixes and suffixes tolerated.

    Newer models than all known count to the newest family; what names no model to `FALLBACK_FAMILY`.
    """
    version = _version(model)
    return FALLBACK_FAMILY if version is None else FAMILIES[bisect_right(_FIRST_VERSIONS, version)]


def least_error(model: str | None) -> float:
    """How wrong a table's estimate may be because its model was never measured; 0 for measured ones."""
    version = _version(model)
    if version is None:
        return UNKNOWN_ERROR
    return NEWER_ERROR if version > _NEWEST_MEASURED else 0.0


def scale(counts: TextCounts, family: str) -> Scale:
    """The table's factor and error for a text of a measured model of the family.

    A text without tokens has factor 1. Counts of ctok are Claude's own already.
    """
    if not counts.tokens:
        return Scale(1.0, 0.0)
    if counts.encoding == CTOK:
        return Scale(1.0, _CTOK_ERROR[family])
    row = TABLE[family]
    seen = measures(counts)
    held = within_limits(seen)
    factor = _dot(row.weights, held)
    # What had to be held inside the limits is what the table never saw: it widens the error.
    strange = (
        sum(abs(w * (a - b)) for w, a, b in zip(row.weights, seen, held, strict=True)) / factor
    )
    error = row.error + row.small * (counts.tokens / 1000) ** -0.5 + strange
    share = _foreign_share(counts)
    if share:
        factor += share * (_foreign_factor(counts, family) - factor)
        error += share * (_FOREIGN_ERROR - error)
    return Scale(factor, min(error, WIDEST))


def measures(counts: TextCounts) -> tuple[float, ...]:
    """What a factor is summed from, per token: 1, digits, spaces, spaces of deep indentation, line
    breaks, characters, and symbols of three bytes, of which a line holds one at the most: they stand
    for the arrows behind the line numbers of files that were read, not for box drawing."""
    per_token = 1 / counts.tokens
    spaces = counts.spaces * per_token
    return (
        1.0,
        counts.digits * per_token,
        spaces,
        max(spaces - _DEEP, 0.0),
        counts.lines * per_token,
        counts.chars * per_token,
        min(_wide_bytes(counts), counts.lines) * per_token,
    )


def within_limits(seen: Sequence[float]) -> list[float]:
    """The measures, held inside what texts showed that factors were fitted to."""
    return [min(max(value, low), high) for value, (low, high) in zip(seen, _LIMITS, strict=True)]


def _dot(weights: Sequence[float], values: Sequence[float]) -> float:
    return sum(weight * value for weight, value in zip(weights, values, strict=True))


def _wide_bytes(counts: TextCounts) -> int:
    return counts.bytes - counts.chars - counts.non_ascii


def _foreign_share(counts: TextCounts) -> float:
    share = counts.non_ascii / max(counts.chars, 1)
    return min(max((share - _FOREIGN_FROM) / (_FOREIGN_FULL - _FOREIGN_FROM), 0.0), 1.0)


def _foreign_factor(counts: TextCounts, family: str) -> float:
    wide = min(max(_wide_bytes(counts) / counts.non_ascii, 0.0), 1.0)
    chars = counts.chars / counts.tokens
    narrow_factor, wide_factor = (a + b * chars for a, b in (_FOREIGN_NARROW, _FOREIGN_WIDE))
    low, high = _FOREIGN_RANGE
    factor = min(max(narrow_factor + wide * (wide_factor - narrow_factor), low), high)
    return factor * (_FOREIGN_OLDEST if family == FAMILIES[0] else 1.0)


def _version(model: str | None) -> tuple[int, int] | None:
    """Major and minor version in an id of a Claude model; dates and build numbers are none."""
    words = re.split(r"[^a-z0-9]+", (model or "").lower())
    if _NAMES.isdisjoint(words):
        return None
    numbers = [i for i, word in enumerate(words) if _is_version(word)]
    if not numbers:
        return None
    first = numbers[0]
    minor = words[first + 1] if first + 1 in numbers else "0"
    return int(words[first]), int(minor)


def _is_version(word: str) -> bool:
    return len(word) <= 2 and word.isascii() and word.isdigit()
