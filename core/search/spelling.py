"""How words may be spelled in the bytes of a JSON file: what a scan for candidate lines looks for.

Most lines hold nothing of what is sought; to know that, they need not be decoded. A `Spelling` names
byte strings, one of which stands in every line that holds the words: an *anchor*, a run of the words'
characters chosen for being long and for having few spellings. Lines that are found are decoded and
judged, so it may find too many lines, never too few. It assumes that plain letters, digits and most
punctuation are not written as `\\u0041`; `scan` looks at the start of each file whether they are.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from ccbrowse.core.search.folding import kin, unfolding

_MAX_FORMS = 4
"""Byte strings looked for at most; each costs a pass over the file."""

_MAX_RUN = 64
_LONGEST = 512
"""Characters of the words that an anchor is chosen from: what holds all of them holds these."""

_ENOUGH = 4
"""Characters of an anchor that is taken though a longer one has more spellings."""

_SHORT = {
    '"': b'\\"',
    "\\": b"\\\\",
    "\b": b"\\b",
    "\f": b"\\f",
    "\n": b"\\n",
    "\r": b"\\r",
    "\t": b"\\t",
}
_OFTEN_ESCAPED = frozenset("<>&'+=`\x7f/")
"""Some writers escape these, for the sake of web pages."""

LETTERS_ESCAPED = re.compile(
    rb"\\u00(?:2[013-5890aAcCdDeE]|3[0-9aAbBfF]|4|5[0-9aAbBdDeEfF]|6[1-9a-fA-F]|7[0-9a-eA-E])"
)
"""What a file holds whose writer escapes plain characters as well."""

ANY_ESCAPED = re.compile(rb"\\u(?!00[01])")
"""What a file holds whose writer escapes characters that are no controls."""

_EVERYWHERE = (
    "user assistant external message content text type tool_use tool_result thinking claude "
    "standard default message_id request true false null"
)
"""Words that stand in nearly every line, whatever was said."""

_BLANKS = rb"(?:[ \t\x80-\xff]|\\[nrtf]|\\u[0-9a-fA-F]{4})+"
"""What a title shows as one blank."""

_COMMAND = b"command-name"
"""Where a title is a command's, and stands in two places of its record."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """What to look for in bytes.

    forms: one of these stands in the line, or
    others: this matches there (None where there are no other spellings), or
    rare: so does this, in a file whose writer escapes more than controls.
    lowered: look in the line with its ASCII letters lowered.
    tells_titles: whether the same holds for a line whose words, blanks folded, are a title.
    """

    forms: tuple[bytes, ...]
    others: re.Pattern[bytes] | None
    rare: re.Pattern[bytes] | None
    lowered: bool
    tells_titles: bool


@dataclass(frozen=True, slots=True)
class _Char:
    """A character of the needle: its usual spellings, patterns of the others, and whether none are."""

    text: str
    forms: tuple[bytes, ...]
    escapes: tuple[bytes, ...]

    @property
    def weight(self) -> int:
        """How much it tells lines apart."""
        return 2 if self.text > "\x7f" else 0 if self.text == " " else 1

    @property
    def usable(self) -> bool:
        return bool(self.forms)

    @property
    def plain(self) -> bool:
        return len(self.forms) == 1 and not self.escapes


def spell(needle: str, *, case: bool) -> Spelling | None:
    """How a needle may be spelled; None where only decoding tells.

    Without `case` the needle is compared by `casefold`.
    """
    text = (needle if case else needle.casefold())[:_LONGEST]
    chars = [_char(char, case) for char in text]
    rivals = [] if case else _rivals(text)
    contested = {place for _, part in rivals for place in part}
    lone = _best(chars, lambda i: chars[i].plain and i not in contested and text[i] != " ")
    best = word = _best(chars, lambda i: chars[i].usable and not text[i].isspace())
    line = _best(chars, lambda i: chars[i].usable)
    if _worth(chars, word) < min(_ENOUGH, _weight(chars, line)):
        best = line
    if lone == best or _worth(chars, lone) >= _ENOUGH:
        best = lone
    if not best:
        return None
    inside = list(dict.fromkeys(char for char, part in rivals if set(part) & set(best)))
    return _spelling([chars[place] for place in best], inside, case)


def _spelling(anchor: list[_Char], rivals: list[str], case: bool) -> Spelling:
    text = "".join(char.text for char in anchor)
    forms = [b""]
    for char in anchor:
        forms = [form + more for form in forms for more in char.forms]
    others = [escape for char in anchor for escape in char.escapes]
    if any(char.isspace() for char in text):
        others.append(b"".join(map(_in_title, anchor)))
        forms.append(_COMMAND)
    return Spelling(
        forms=(*forms, *(char.encode() for char in rivals)),
        others=_one_of(others),
        rare=_one_of([escape for char in rivals for escape in _escapes(char)]),
        lowered=not case and any("a" <= char <= "z" for char in text),
        tells_titles="…" not in text,
    )


def _in_title(char: _Char) -> bytes:
    """A pattern of how a character that a title shows may be spelled in its source."""
    return _BLANKS if char.text.isspace() else b"(?:" + b"|".join(map(re.escape, char.forms)) + b")"


def _one_of(patterns: list[bytes]) -> re.Pattern[bytes] | None:
    """One pattern of several; where all are `\\u…` it starts so, which is quicker to look for."""
    once = list(dict.fromkeys(patterns))
    if not once:
        return None
    if all(pattern.startswith(rb"\\u") for pattern in once):
        return re.compile(rb"\\u(?:" + b"|".join(pattern[3:] for pattern in once) + b")")
    return re.compile(b"|".join(once))


def _char(char: str, case: bool) -> _Char:
    code = ord(char)
    if 0xD800 <= code < 0xE000 or char == "\ufffd":  # also what a decoder makes of other bytes
        return _Char(char, (), ())
    if char in _SHORT:
        bare = () if char in '"\\\n' else (re.escape(char.encode()),)
        return _Char(char, (_SHORT[char],), (*_escapes(char), *bare))
    if code < 0x20:
        both = {b"\\u%04x" % code, b"\\u%04X" % code}
        return _Char(char, tuple(sorted(both)), (re.escape(char.encode()),))
    if char in _OFTEN_ESCAPED:
        slash = (rb"\\/",) if char == "/" else ()
        return _Char(char, (char.encode(),), (*_escapes(char), *slash))
    if code < 0x80:
        return _Char(char, (char.encode(),), ())
    alike = (char,) if case else kin().get(char, (char,))
    escapes = [escape for each in alike for escape in _escapes(each)]
    return _Char(char, tuple(each.encode() for each in alike), tuple(escapes))


def _escapes(char: str) -> tuple[bytes, ...]:
    """The pattern of a character as `\\uXXXX`, or as a pair of them."""
    units = char.encode("utf-16-be")
    codes = [units[i : i + 2].hex() for i in range(0, len(units), 2)]
    return ("".join(r"\\u" + "".join(map(_hex_digit, code)) for code in codes).encode(),)


def _hex_digit(digit: str) -> str:
    return digit if digit.isdecimal() else f"[{digit}{digit.upper()}]"


def _rivals(text: str) -> list[tuple[str, range]]:
    """Characters that fold to a part of the needle of several characters, or from above ASCII into it:
    each with the part that it would stand for."""
    found = []
    for char, folded in unfolding():
        size = len(folded)
        for start in range(1 - size, len(text)):
            part = range(max(0, start), min(len(text), start + size))
            if text.startswith(folded[part.start - start : part.stop - start], part.start):
                found.append((char, part))
    return found


def _best(chars: list[_Char], fits: Callable[[int], bool]) -> range:
    """The run of fitting characters that tells most, cut where its spellings become too many."""
    best, start, forms = range(0), 0, 1
    for place in range(len(chars) + 1):
        inside = place < len(chars) and fits(place)
        forms *= max(1, len(chars[place].forms)) if inside else 1
        if not inside or forms > _MAX_FORMS or place - start >= _MAX_RUN:
            run = range(start, place)
            if _weight(chars, run) > _weight(chars, best):
                best = run
            start = place if inside else place + 1
            forms = len(chars[place].forms) if inside else 1
    return best


def _weight(chars: list[_Char], run: range) -> int:
    return sum(chars[place].weight for place in run)


def _worth(chars: list[_Char], run: range) -> int:
    """The weight of an anchor that has no blanks; little where nearly every line holds it."""
    everywhere = "".join(chars[place].text for place in run) in _EVERYWHERE
    return min(1, len(run)) if everywhere else _weight(chars, run)
