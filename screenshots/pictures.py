"""From the SVG that Textual exports to the files that are checked in: no fetched fonts, and a PNG beside."""

from __future__ import annotations

import re
from html import escape, unescape
from pathlib import Path

FONTS = Path("/usr/share/fonts/truetype")
"""Where Debian's font packages lie; only these are used, so that other fonts of a machine change nothing."""

NEEDED = {"firacode": "fonts-firacode", "noto": "fonts-noto-core"}
"""Folders there, and the package each comes from: Fira Code, and Noto for signs that it lacks."""

CELL = 12.2
"""Width of a terminal's cell in an exported picture."""

_REPLACED = (
    (re.compile(r"\s*@font-face\s*\{[^}]*\}"), ""),
    (re.compile(r"\s*<!--.*?-->", re.DOTALL), ""),
    # Names that hold a checksum of the screen would make every line another one at each change.
    (re.compile(r"terminal-\d+"), "t"),
    # Without clips at each line, and with letters as large as their cell, bars stand without seams.
    (re.compile(r"<clipPath id=\"t-line-\d+\">.*?</clipPath>\s*", re.DOTALL), ""),
    (re.compile(r' clip-path="url\(#t-line-\d+\)"'), ""),
    (re.compile(r"font-family: Fira Code, monospace;\s*font-size: 20px;"), "FONT"),
    (
        re.compile(r"FONT"),
        "font-family: 'Fira Code', 'DejaVu Sans Mono', Menlo, Consolas, monospace;\n"
        "        font-variant-ligatures: none;\n        font-size: 20.5px;",
    ),
    (re.compile(r"font-family: arial"), "font-family: 'Noto Sans', Arial, sans-serif"),
    (re.compile(r"[ \t]+$", re.MULTILINE), ""),
    (re.compile(r"\n{2,}"), "\n"),
)

_TEXT = re.compile(
    r'<text class="(?P<look>[^"]*)" x="(?P<x>[\d.]+)" y="(?P<y>[\d.]+)" '
    r'textLength="(?P<width>[\d.]+)">(?P<words>[^<]*)</text>'
)
_SIGN = r"[!-/:-@\[-`{-~]"
_JOINED = re.compile(rf"(?<={_SIGN})(?={_SIGN})|(?=[⚠✗❚])|(?<=[⚠✗❚])")
"""Between signs that would join, and around those that only Noto has: they would take others with them."""
_SMALLER = ' style="font-size: 15px"'
"""For the one of them that is wider than a cell."""


def missing_fonts() -> list[str]:
    """The packages whose fonts are not on this machine."""
    return [package for folder, package in NEEDED.items() if not (FONTS / folder).is_dir()]


def cleaned(svg: str) -> str:
    """An exported SVG that fetches nothing, and differs from an earlier one where its screen does.

    Raises ValueError where something is still to be fetched.
    """
    for pattern, to in _REPLACED:
        svg = pattern.sub(to, svg)
    if "url(http" in svg or "@import" in svg:
        raise ValueError("the exported picture fetches something that is not known here")
    return svg


def drawn(svg: str) -> bytes:
    """The PNG of a cleaned SVG. Raises ValueError where it cannot be drawn."""
    import resvg_py  # here, so that tests read this file without it

    png: bytes = resvg_py.svg_to_bytes(
        svg_string=_TEXT.sub(_apart, svg),
        skip_system_fonts=True,
        font_dirs=[str(FONTS / folder) for folder in NEEDED],
        monospace_family="Fira Code",
        sans_serif_family="Noto Sans",
    )
    return png


def _apart(text: re.Match[str]) -> str:
    """The same text in pieces, between which no ligature can form: the renderer knows no switch for them."""
    words = unescape(text["words"])
    if abs(len(words) * CELL - float(text["width"])) > CELL / 2:
        return text[0]  # some letters are wider than a cell: where they stand is not known
    out: list[str] = []
    at = 0
    for piece in _JOINED.split(words):
        x, width = float(text["x"]) + at * CELL, len(piece) * CELL
        at += len(piece)
        style = _SMALLER if piece == "⚠" else ""
        out.append(
            f'<text class="{text["look"]}" x="{x:.1f}" y="{text["y"]}" textLength="{width:.1f}"{style}>'
            f"{escape(piece)}</text>"
        )
    return "".join(out)
