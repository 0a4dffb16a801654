"""Two texts side by side: lines that answer one another, the words in them that differ."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import Enum

from ccbrowse.core.segments import Segment
from ccbrowse.core.text import SafeText, display_text, one_line
from ccbrowse.tui.viewmodels import figures
from ccbrowse.tui.viewtypes import Line, Piece, Tone

LINES = 5_000
"""Lines of each text that are compared; what stands beyond is left out, and that is said."""

_WORDS = re.compile(r"\d[\d.,:-]*\d|\w+|\s+|[^\w\s]")
_ALIKE = 0.3
"""The share of two lines that must be the same for their words to be compared."""

_LONG = 3_000
"""Characters of a line beyond which its words are not compared."""


class Sameness(Enum):
    """How two lines stand to one another; its value is the sign between them."""

    SAME = "│"
    OTHER = "≠"
    LEFT_ONLY = "◄"
    RIGHT_ONLY = "►"


@dataclass(frozen=True, slots=True)
class Pair:
    """A line of each side, empty where only the other one has it."""

    left: Line
    right: Line
    sameness: Sameness


@dataclass(frozen=True, slots=True)
class ComparedView:
    """Two things side by side: their names, their lines, and how many of these differ."""

    left: SafeText
    right: SafeText
    pairs: tuple[Pair, ...]

    @property
    def differing(self) -> int:
        """How many pairs are not the same."""
        return sum(pair.sameness is not Sameness.SAME for pair in self.pairs)


def compared(left: SafeText, one: SafeText, right: SafeText, other: SafeText) -> ComparedView:
    """Two texts by name, line by line."""
    return ComparedView(left, right, tuple(_pairs(_lines(one), _lines(other))))


def _lines(text: SafeText) -> list[SafeText]:
    lines: list[SafeText] = [display_text(line) for line in text.split("\n")]
    if len(lines) > LINES:
        lines[LINES:] = [SafeText(f"… {len(lines) - LINES:,} more lines are not compared")]
    return lines


def _pairs(one: Sequence[SafeText], other: Sequence[SafeText]) -> Iterator[Pair]:
    for tag, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if tag == "equal":
            for line in one[a:b]:
                yield Pair((Piece(line),), (Piece(line),), Sameness.SAME)
            continue
        both = min(b - a, d - c)
        for left, right in zip(one[a : a + both], other[c : c + both], strict=True):
            yield Pair(*_words(left, right), Sameness.OTHER)
        for line in one[a + both : b]:
            yield Pair((Piece(line, Tone.BAD),), (), Sameness.LEFT_ONLY)
        for line in other[c + both : d]:
            yield Pair((), (Piece(line, Tone.GOOD),), Sameness.RIGHT_ONLY)


def _words(left: SafeText, right: SafeText) -> tuple[Line, Line]:
    """Two lines, the words that differ marked; not where they have little in common."""
    if len(left) > _LONG or len(right) > _LONG:
        return (Piece(left, Tone.BAD),), (Piece(right, Tone.GOOD),)
    one, other = _WORDS.findall(left), _WORDS.findall(right)
    lines: tuple[list[Piece], list[Piece]] = [], []
    codes = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    same = sum(len("".join(one[a:b])) for tag, a, b, _, _ in codes if tag == "equal")
    if 2 * same < _ALIKE * (len(left) + len(right)):
        return (Piece(left),), (Piece(right),)
    for tag, a, b, c, d in codes:
        tone = Tone.PLAIN if tag == "equal" else Tone.MARK
        for pieces, words in ((lines[0], one[a:b]), (lines[1], other[c:d])):
            if words:
                pieces.append(Piece(display_text("".join(words)), tone))
    return tuple(lines[0]), tuple(lines[1])


def segment_text(segment: Segment, prompts: Sequence[str]) -> SafeText:
    """A segment's facts, one a line so that two of them answer one another, and what was asked in it."""
    context, usage = segment.context, segment.usage
    facts = [
        ("began", figures.stamp(segment.started)),
        ("ended", figures.stamp(segment.ended)),
        ("turns", SafeText(f"{segment.prompts:,}")),
        ("messages", SafeText(f"{segment.messages:,}")),
        ("tool calls", SafeText(f"{segment.tool_calls:,}")),
        ("context at first", figures.tokens(context.open)),
        ("context at most", figures.tokens(context.peak)),
        ("context at last", figures.tokens(context.close)),
        ("requests", SafeText(f"{usage.requests:,}")),
        ("input", SafeText(f"{usage.input_tokens:,}=")),
        ("cache created", SafeText(f"{usage.cache_creation_input_tokens:,}=")),
        ("cache read", SafeText(f"{usage.cache_read_input_tokens:,}=")),
        ("carried over", SafeText(f"{len(segment.carried_over):,}")),
    ]
    lines = [f"{name:<17}{value}" for name, value in facts]
    lines += ["", "what was asked", *(one_line(prompt, 400) for prompt in prompts)]
    return display_text("\n".join(lines), newlines=True)
