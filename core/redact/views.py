"""The same text with its wrappings off: terminal codes, JSON escapes, percent signs, entities, margins.

A `View` remembers where each of its signs came from, so what is found in it can be masked in the
text as it is written.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable

from ccbrowse.core.redact.margins import margins

_ROUNDS = 6
"""How many layers are taken off: JSON within JSON within a URL is three."""


class View:
    """A text and the way back to the one it was made from; the raw text is a view of itself."""

    __slots__ = ("_literal", "_origins", "_parent", "_starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._parent: View | None = None
        self._starts = array("q", [0])
        self._origins = array("q", [0])
        self._literal = bytearray(b"\1")

    def raw_span(self, start: int, end: int) -> tuple[int, int]:
        """Where `start` up to `end` (not empty) of this view stands in the raw text."""
        view: View | None = self
        while view is not None and view._parent is not None:
            start, end = view._origin(start), view._origin_end(end)
            view = view._parent
        return start, end

    def _origin(self, at: int) -> int:
        piece = bisect_right(self._starts, at) - 1
        inside = at - self._starts[piece] if self._literal[piece] else 0
        return self._origins[piece] + inside

    def _origin_end(self, end: int) -> int:
        piece = bisect_right(self._starts, end - 1) - 1
        if self._literal[piece]:
            return self._origins[piece] + end - self._starts[piece]
        return self._origins[piece + 1]

    def rewritten(self, pattern: re.Pattern[str], put: Callable[[re.Match[str]], str]) -> View:
        """The view with every match replaced by what `put` says; the view itself if none is."""
        return self.changed((*match.span(), put(match)) for match in pattern.finditer(self.text))

    def changed(self, changes: Iterable[tuple[int, int, str]]) -> View:
        """The view with stretches replaced: begin, end, and what stands there then, from left to right."""
        text = self.text
        pieces: list[str] = []
        starts, origins, literal = array("q"), array("q"), bytearray()
        length = last = 0
        for begin, end, replaced in changes:
            if begin > last:
                starts.append(length)
                origins.append(last)
                literal.append(1)
                pieces.append(text[last:begin])
                length += begin - last
            if replaced:
                starts.append(length)
                origins.append(begin)
                literal.append(0)
                pieces.append(replaced)
                length += len(replaced)
            last = end
        if not last:
            return self
        starts.append(length)
        origins.append(last)
        literal.append(1)
        pieces.append(text[last:])
        view = View("".join(pieces))
        view._parent, view._starts, view._origins, view._literal = self, starts, origins, literal
        return view


# --- what is taken off --------------------------------------------------------------------------

_CODES = re.compile(
    r"""
      (?:\x1b\[|\x9b) [0-?]{0,64} [ -/]{0,4} [@-~]?
    | (?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f]) [^\x07\x1b\x9c]{0,4096} (?:\x07|\x1b\\|\x9c)
    | \x1b [ -/]{0,2} [0-~]? | [\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\u200b-\u200d\u2060\ufeff\u00ad]
    """,
    re.VERBOSE,
)
_CODES_HINT = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f\x90\x98\x9b\x9d-\x9f\u200b-\u200d\u2060\ufeff\u00ad]"
)
_ESCAPES = re.compile(r"""\\(?:u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|033|["'\\/bfnrteE`])""")
_PERCENT = re.compile(r"%(?:[2-6][0-9A-Fa-f]|7[0-9A-Ea-e]|0[9AaDd]|1[Bb])")
_ENTITIES = re.compile(
    r"&(?:quot|amp|apos|lt|gt|\#\d{2,4}|\#[xX][0-9a-fA-F]{2,4});".replace(r"\#", "#")
)
_SHORT = {"n": "\n", "r": "\r", "t": "\t", "b": " ", "f": " ", "e": "\x1b", "E": "\x1b"}
_NAMED = {"quot": '"', "amp": "&", "apos": "'", "lt": "<", "gt": ">"}


def _gone(match: re.Match[str]) -> str:
    return ""


def _unescaped(match: re.Match[str]) -> str:
    written = match.group()
    if len(written) == 2:
        return _SHORT.get(written[1], written[1])
    return "\x1b" if written == r"\033" else chr(int(written[2:], 16))


def _unquoted(match: re.Match[str]) -> str:
    return chr(int(match.group()[1:], 16))


def _entity(match: re.Match[str]) -> str:
    name = match.group()[1:-1]
    if name[0] != "#":
        return _NAMED[name]
    digits = name[1:]
    return chr(int(digits[1:], 16) if digits[0] in "xX" else int(digits))


def views(text: str) -> list[View]:
    """The raw text and, where it is wrapped, each layer below, the last without any wrapping."""
    layers = [View(text)]
    for _ in range(_ROUNDS):
        view = layers[-1]
        if _CODES_HINT.search(view.text):
            view = view.rewritten(_CODES, _gone)
        if "\\" in view.text:
            view = view.rewritten(_ESCAPES, _unescaped)
        if "%" in view.text:
            view = view.rewritten(_PERCENT, _unquoted)
        if "&" in view.text:
            view = view.rewritten(_ENTITIES, _entity)
        if view is layers[-1]:
            break
        layers.append(view)
    if found := margins(layers[-1].text):
        layers.append(layers[-1].changed((start, end, "") for start, end in found))
    return layers
