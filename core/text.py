"""The only door from untrusted text to a screen: `display_text` and what measures its result.

A terminal obeys some characters instead of showing them. Here they are taken out as a terminal
would swallow them, with their payload, and what is left can only occupy cells. Widths follow
the Unicode data of the running Python with the two conventions that Textual draws by: what a
zero-width joiner joins shares the cells of the first, variation selector 16 makes a narrow
sign wide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NewType
from unicodedata import category, east_asian_width

SafeText = NewType("SafeText", str)
"""Text that may go to a terminal: nothing in it moves the cursor, and it says all it holds."""

# One class for pictures that emoji are made of; wider than Unicode's own property, which is
# harmless: it only decides whether an invisible sign beside a picture may stay.
_PICTURE = (
    "[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u2bff\u3030\u303d\u3297\u3299"
    "\U0001f000-\U0001faff]"
)
_TAIL = "\ufe0f?[\U0001f3fb-\U0001f3ff]?"
_CLUSTER = (
    f"\U0001f3f4[\U000e0020-\U000e007e]{{1,16}}\U000e007f"  # flags of regions, spelt in tags
    f"|{_PICTURE}(?:\ufe0e|{_TAIL}(?:\u200d{_PICTURE}{_TAIL})*)"
    "|[0-9#*][\ufe0e\ufe0f]\u20e3?"  # keycaps
    "|[^\x00-\x7f\u2000-\u206f\ufe00-\ufe0f]\u200c"  # Persian and others join by it
)
# Format characters (category Cf) but the visible Arabic ones, and what else has no shape.
_UNSEEN = (
    "\u00ad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\ufff0-\ufffb\U00013430-\U00013455\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"
)
# Marks that stack upon a letter; any number of them would paint over the lines around.
_MARKS = "\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
_MARKS_KEPT = 6

_BROKEN = "\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
_BREAKS = "\n\r\x0b\x0c\x85\u2028\u2029"
_OPENERS = "\x90\x98\x9c-\x9f"  # 8-bit forms of string sequences, and of their end

# A payload ends at the next sequence, so that a failed search never rereads what it saw.
_STRING = f"(?:\x1b[PX^_k]|[\x90\x98\x9e\x9f])[^\x18\x1a\x1b{_OPENERS}]*(?:\x1b\\\\|\x9c)"
_OSC = f"(?:\x1b\\]|\x9d)[^\x07\x18\x1a\x1b{_OPENERS}{_BREAKS}]*(?:\x07|\x1b\\\\|\x9c)"
_CSI = "(?:\x1b\\[|\x9b)[0-?]*[ -/]*[@-~]?"
_SEQUENCES = re.compile(f"{_STRING}|{_OSC}|{_CSI}|\x1b[ -/]{{0,3}}[0-~]?")
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]+")
_BREAK = re.compile(f"\r+\n?|[{_BREAKS}]")
_INVISIBLE = re.compile(f"({_CLUSTER})|[{_UNSEEN}]")
_PILE = re.compile(f"([{_MARKS}]{{{_MARKS_KEPT}}})[{_MARKS}]+")
_ODD = re.compile(f"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029{_BROKEN}{_UNSEEN}{_MARKS}]")
_ODD_ASCII = re.compile("[\x00-\x09\x0b-\x1f\x7f]")

_SURROGATE = re.compile("[\ud800-\udfff]")
_NONCHARACTER = re.compile("[\ufdd0-\ufdef\ufffe\uffff]")


def display_text(raw: str, *, tabs: int = 4, newlines: bool = False) -> SafeText:
    """Make any string fit for a terminal; clean text comes back as it is, at once.

    Control characters, whole escape sequences (7- and 8-bit, with their payload), signs that
    reorder or hide their neighbours are removed; a string sequence without an end loses its
    opener only, lest it swallow the rest. Half surrogate pairs become U+FFFD. Every kind of
    line break becomes one space, or ``"\\n"`` where `newlines` is true. Tabs advance to the
    next multiple of `tabs`, counted in characters. Never raises; applying it twice changes nothing.
    """
    odd = _ODD_ASCII if raw.isascii() else _ODD  # four times as fast, for nine texts in ten
    if odd.search(raw) is not None:
        raw = _cleaned(raw)
        if "\t" in raw:
            raw = raw.expandtabs(max(1, tabs))
    return SafeText(raw if newlines else raw.replace("\n", " "))


def _cleaned(text: str) -> str:
    """Do the work of `display_text` but for tabs; every line break is ``"\\n"`` afterwards."""
    if _SURROGATE.search(text) is not None:
        # Two halves that stand together are one character after this.
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    text = _CONTROLS.sub("", _SEQUENCES.sub("", text))
    text = _BREAK.sub("\n", text)
    if text.isascii():
        return text
    text = _NONCHARACTER.sub("\ufffd", text)
    return _PILE.sub(r"\1", _INVISIBLE.sub(r"\1", text))


_WIDENED = re.compile(f"[0-9#*]|{_PICTURE}")
_UNFINISHED = re.compile(
    f"(?:\x1b[\\]PX^_k]|[\x90\x98\x9d-\x9f])[^\x07\x18\x1a\x1b{_OPENERS}]*\\Z|\x1b\\Z"
)
_BLANKS = re.compile("[ \u00a0\u3000]+")


def one_line(raw: str, limit: int) -> SafeText:
    """Give the beginning of `raw` as one line of at most `limit` cells, blanks run together.

    Only as much of `raw` is looked at as the line needs, so a text of many megabytes costs
    what a short one does. A cut is marked with ``…`` (it counts towards `limit`).
    """
    window = 512 + 4 * max(0, limit)
    while True:
        head = raw[:window]
        whole = len(head) == len(raw)
        if whole or _UNFINISHED.search(head) is None:
            line = _BLANKS.sub(" ", display_text(head, tabs=1)).strip()
            cut = clip(line, limit)
            if whole or cut != line:
                return cut
        window *= 4


def clip(text: str, cells: int, mark: str = "…") -> SafeText:
    """Shorten safe text to at most `cells` cells; a cut ends in `mark`, joined signs stay whole.

    `text` must have passed `display_text`. Less may come back than there is room for, where a
    wide sign does not fit.
    """
    if cells <= 0:
        return SafeText("")
    if fit(text, cells) == len(text):
        return SafeText(text)
    room = cells - cell_width(mark)
    return SafeText(text[: fit(text, room)] + mark if room >= 0 else "")


def cell_width(text: str) -> int:
    """Count the terminal cells of one line of text; control characters take none."""
    if text.isascii() and text.isprintable():
        return len(text)
    return sum(width for _, width in _clusters(text))


def fit(text: str, cells: int, start: int = 0) -> int:
    """Give the index up to which `text` fits into `cells` cells, from `start` on.

    Looks at no more of the text than fits. A joined sign is not cut, so the answer may be
    `start` where the first one is too wide.
    """
    stop = min(len(text), start + max(0, cells))
    if text[start:stop].isascii() and (stop == len(text) or text[stop].isascii()):
        return stop
    end = start
    for index, width in _clusters(text, start):
        cells -= width
        if cells < 0:
            break
        end = index
    return end


def _clusters(text: str, start: int = 0) -> Iterator[tuple[int, int]]:
    """Cut text into what must stay together: the end index of each piece and its cells."""
    cells = 0
    base = ""  # the sign that a variation selector would widen
    joined = False
    for index in range(start, len(text)):
        char = text[index]
        if joined:
            joined = False
        elif char == "\u200d":
            joined = True
        elif char == "\ufe0f":
            cells += _widens(base)
            base = ""
        elif width := _char_width(char):
            if index > start:
                yield index, cells
            cells, base = width, char
    if start < len(text):
        yield len(text), cells


@lru_cache(maxsize=8192)
def _char_width(char: str) -> int:
    """Cells of one character by itself: 0, 1 or 2."""
    code = ord(char)
    kind = category(char)
    if kind == "Cn":  # newer than this Python's tables, which call all of them wide
        return 2 if 0x1F300 <= code <= 0x1FAFF or 0x20000 <= code <= 0x3FFFD else 1
    if kind[0] == "M" or kind == "Cc" or 0x1F3FB <= code <= 0x1F3FF:
        return 0
    if kind == "Cf":
        visible = code == 0xAD or (0x600 <= code <= 0x8E2 and code != 0x61C)
        return int(visible or code in (0x110BD, 0x110CD))
    if 0x1160 <= code <= 0x11FF or 0xD7B0 <= code <= 0xD7FF or code in (0x3164, 0xFFA0):
        return 0  # the second and third parts of a Korean syllable, and fillers
    return 2 if east_asian_width(char) in "WF" or _wide_since_unicode_16(code) else 1


def _wide_since_unicode_16(code: int) -> bool:
    """Tell the trigrams and counting rods that older tables call narrow."""
    return (
        0x2630 <= code <= 0x2637
        or 0x268A <= code <= 0x268F
        or 0x4DC0 <= code <= 0x4DFF
        or 0x1D300 <= code <= 0x1D376
    )


@lru_cache(maxsize=1024)
def _widens(char: str) -> bool:
    """Tell whether variation selector 16 makes this sign a wide picture that was a narrow one."""
    return _WIDENED.match(char) is not None and _char_width(char) == 1
