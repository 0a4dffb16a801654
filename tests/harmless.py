"""Whether what an app shows can harm a terminal or a reader: control signs, text turned about, what acts.

`import harmless` works in every test.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any

from textual.app import App
from textual.strip import Strip

_BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c")


def faults_of_text(text: str, where: str) -> Iterator[str]:
    """What in a line of text does harm."""
    if text.isascii() and text.isprintable():
        return
    for sign in text:
        if unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") or sign in _BIDI:
            yield f"U+{ord(sign):04X} on {where}: {text!r}"


def faults_of_strips(strips: Iterable[Strip], where: str) -> Iterator[str]:
    """What in drawn lines does harm: signs, links, and clicks that do what no dialog of ours does."""
    for strip in strips:
        yield from faults_of_text(strip.text, where)
        for segment in strip:
            style = segment.style
            if style is not None and (style.link or _acts(style.meta.get("@click"))):
                yield f"something that acts on {where}: {segment!r}"


def faults_of_app(app: App[Any]) -> Iterator[str]:
    """The same of all that is seen of an app now: screen, title, notices, tooltips."""
    where = type(app.screen).__name__
    yield from faults_of_strips(app.screen._compositor.render_strips(), where)
    for words in (app.title, app.sub_title, app.screen.title or "", app.screen.sub_title or ""):
        yield from faults_of_text(words, "a title")
    for note in app._notifications:
        yield from faults_of_text(f"{note.title}{note.message}".replace("\n", ""), "a notice")
        if note.markup:
            yield f"a notice that is read as markup: {note.message!r}"
    for widget in app.screen.walk_children(with_self=True):
        if (tooltip := getattr(widget, "tooltip", None)) is not None:
            yield from faults_of_text(str(tooltip).replace("\n", ""), f"a tooltip of {widget!r}")


def _acts(action: Any) -> bool:
    return action is not None and not str(action).startswith("screen.")
