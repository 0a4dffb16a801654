"""Reads the value that follows a name: a string in quotes, or a bare word up to its end."""

from __future__ import annotations

import re

LONGEST = 1024
"""Signs of a string in quotes; what is longer is no secret of this kind."""

_SIGNS = "[^\\s\"'`<>\\\\\\x00-\\x1f\\x7f-\\x9f]"
_STRINGS = {
    quote: re.compile(rf"{quote}((?:[^{quote}\\\n]{{1,{LONGEST}}}+|\\[^\n]){{1,64}}){quote}")
    for quote in "\"'`"
}
_TRIPLE = re.compile(r'"""|\'\'\'')
# A backslash belongs to a bare word only where it cannot be half of an escape.
_BARE = re.compile(rf"{_SIGNS}{{1,256}}+(?:\\(?=[ac-eg-moqsvwyzA-Z1-9]){_SIGNS}{{1,256}}+){{0,8}}")
_NEXT_FIELD = re.compile(r"[;&,|](?:[ \t]*[\w.\-]{1,64}[=:]|\Z|[&|])|&amp;")
_LINE_END = re.compile(
    r"""["'`]?[ \t]*(?:,?[ \t\r]*(?:\n|\Z|\#|//|\\\n)|[,;}\])][ \t]*["'}\])]?)"""
)
_EDGES = ".,;:!?)]}>*|&"
_OPENS = {")": "(", "]": "[", "}": "{"}


def is_quote(text: str, at: int) -> bool:
    """A quotation mark stands at `at`."""
    return text[at : at + 1] in _STRINGS


def quoted(text: str, at: int) -> tuple[int, str] | None:
    """The string literal that opens at `at`: where its text begins, and the text without blanks around."""
    opening = at + 2 if _TRIPLE.match(text, at) else at
    pattern = _STRINGS.get(text[opening : opening + 1])
    match = pattern.match(text, opening) if pattern else None
    if match is None:
        return None
    value = match[1].strip()
    return match.start(1) + match[1].index(value), value


def bare(text: str, start: int) -> str:
    """The unquoted value at `start`, without what belongs to the sentence or the next field."""
    match = _BARE.match(text, start)
    if match is None:
        return ""
    value = match.group()
    if value.endswith(("...", "…")):  # shown in part only
        return ""
    if text[start - 1 : start] == "=" and _in_query(text, start):
        value = value[: min(value.find(c) % (len(value) + 1) for c in "&#")]
    following = _NEXT_FIELD.search(value)
    if following:
        value = value[: following.start()]
    while value and value[-1] in _EDGES:
        opening = _OPENS.get(value[-1])
        if opening and value.count(opening) >= value.count(value[-1]):
            break
        value = value[:-1]
    return value


def _in_query(text: str, start: int) -> bool:
    before = text[max(0, start - 80) : start]
    cut = max(before.rfind(sign) for sign in "?&#")
    return cut >= 0 and not any(c.isspace() for c in before[cut:])


def ends_line(text: str, at: int, opened: str = "") -> bool:
    """Only one word stands from `at` to the end of its line or string, a comment left out.

    `opened`: the sign before the whole field; where it is a quote, its fellow ends the field too.
    """
    match = _BARE.match(text, at)
    if match is None:
        return False
    closed = opened in _STRINGS and text[match.end() : match.end() + 1] == opened
    return closed or bool(_LINE_END.match(text, match.end()))
