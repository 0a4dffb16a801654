"""Colours that a tool's output asks a terminal for, as tones: only they are taken from its sequences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ccbrowse.core.text import SafeText, display_text
from ccbrowse.tui.viewtypes import Tone

Toned = tuple[tuple[int, int, Tone], ...]
"""Ranges of a text with tones, ascending and apart."""

_TABS = 4
_STYLE = re.compile("(?:\x1b\\[|\x9b)([0-9;:]*)m")
_COLOURS = {
    **dict.fromkeys((0, 8), Tone.MUTED),
    **dict.fromkeys((1, 9), Tone.BAD),
    **dict.fromkeys((2, 10), Tone.GOOD),
    **dict.fromkeys((3, 11), Tone.WARN),
    **dict.fromkeys((4, 12, 6, 14), Tone.TOOL),
    **dict.fromkeys((5, 13), Tone.PERSON),
    **dict.fromkeys((7, 15), Tone.PLAIN),
}
"""The sixteen colours of terminals: which tone each is nearest to."""


def styled(raw: str) -> tuple[SafeText, Toned]:
    """A text without any sequence, and the tones that its SGR sequences asked for.

    The text is what ``display_text`` makes of it, line breaks kept; all other sequences leave nothing.
    """
    plain = display_text(raw, tabs=_TABS, newlines=True)
    if _STYLE.search(raw) is None:
        return plain, ()
    pieces: list[str] = []
    tones: list[tuple[int, int, Tone]] = []
    state, at, column = _State(), 0, 0
    for words, codes in _runs(raw):
        lead = column % _TABS
        text = display_text(" " * lead + words, tabs=_TABS, newlines=True)[lead:]
        if text:
            tone = state.tone
            if tone is not Tone.PLAIN:
                tones.append((at, at + len(text), tone))
            pieces.append(text)
            at += len(text)
            _, broken, last = text.rpartition("\n")
            column = len(last) if broken else column + len(text)
        state.obey(codes)
    # What stands apart may join where the sequence between is gone; then the colours are given up.
    return (plain, tuple(tones)) if "".join(pieces) == plain else (plain, ())


def _runs(raw: str) -> Iterator[tuple[str, list[int]]]:
    """The texts between style sequences, each with the codes of the sequence behind it."""
    at = 0
    for found in _STYLE.finditer(raw):
        yield raw[at : found.start()], _codes(found[1])
        at = found.end()
    yield raw[at:], []


def _codes(written: str) -> list[int]:
    """The numbers of a sequence; none means 0, and absurd ones are ignored."""
    parts = re.split("[;:]", written[:100])
    return [int(part) if len(part) < 4 else -1 for part in (part or "0" for part in parts)]


@dataclass(slots=True)
class _State:
    """What a terminal would draw with."""

    colour: Tone = Tone.PLAIN
    bold: bool = False
    faint: bool = False
    italic: bool = False

    @property
    def tone(self) -> Tone:
        """The one tone for all of it: a colour says more than a weight."""
        if self.colour is not Tone.PLAIN:
            return self.colour
        if self.faint:
            return Tone.MUTED
        if self.bold:
            return Tone.STRONG
        return Tone.EMPHASIS if self.italic else Tone.PLAIN

    def obey(self, codes: Sequence[int]) -> None:
        """Take the codes of one sequence."""
        at = 0
        while at < len(codes):
            code = codes[at]
            at += 1
            if code == 0:
                self.colour, self.bold, self.faint, self.italic = Tone.PLAIN, False, False, False
            elif code in (1, 2, 3):
                self.bold, self.faint = self.bold or code == 1, self.faint or code == 2
                self.italic = self.italic or code == 3
            elif code == 22:
                self.bold = self.faint = False
            elif code == 23:
                self.italic = False
            elif code in (38, 48):
                tone, used = _extended(codes[at:])
                at += used
                self.colour = tone if code == 38 else self.colour
            elif code == 39:
                self.colour = Tone.PLAIN
            elif 30 <= code <= 37 or 90 <= code <= 97:
                self.colour = _COLOURS[code - 30 if code < 40 else code - 82]


def _extended(codes: Sequence[int]) -> tuple[Tone, int]:
    """The tone of ``5;n`` or ``2;r;g;b``, and how many codes that took."""
    if codes[:1] == [5] and len(codes) > 1:
        return _of_palette(codes[1]), 2
    if codes[:1] == [2] and len(codes) > 3:
        return _of_mix(*codes[1:4]), 4
    return Tone.PLAIN, len(codes)


def _of_palette(number: int) -> Tone:
    """One of the 256 colours."""
    if number < 16:
        return _COLOURS.get(number, Tone.PLAIN)
    if number >= 232:
        return Tone.MUTED if number < 246 else Tone.PLAIN
    red, rest = divmod(number - 16, 36)
    return _of_mix(red * 51, rest // 6 * 51, rest % 6 * 51)


def _of_mix(red: int, green: int, blue: int) -> Tone:
    """The tone that a mixed colour is nearest to, by its hue."""
    most, least = max(red, green, blue), min(red, green, blue)
    if most - least < 40:
        return Tone.PLAIN if most >= 140 else Tone.MUTED
    if blue == most:
        return Tone.PERSON if red > (most + least) // 2 > green else Tone.TOOL
    if green == most:
        return Tone.WARN if red > (most + least) // 2 else Tone.GOOD
    return Tone.WARN if green > (most + least) // 2 else Tone.BAD
