"""Pieces of a message as the HTML template takes them."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ccbrowse.core.export.calls import (
    Sheet,
    headline,
    input_sheets,
    outcome,
    result_sheets,
    tool_name,
)
from ccbrowse.core.export.options import Options, Tools
from ccbrowse.core.export.pieces import (
    Called,
    Command,
    LooseResult,
    Note,
    Odd,
    Output,
    Picture,
    Piece,
    Thought,
    Words,
    odd_text,
)
from ccbrowse.core.export.rendering import coloured, rendered
from ccbrowse.core.records import Image, ToolResult
from ccbrowse.core.texts import image_note

MAX_IMAGE = 2_000_000
"""Bytes of an image above which a note stands for it."""

MAX_SHEET = 300_000
"""Characters of an input or output above which it is cut, with a note: a browser chokes on more."""

_SIGNATURES = {
    "image/png": (b"\x89PNG\r\n\x1a\n",),
    "image/jpeg": (b"\xff\xd8\xff",),
    "image/gif": (b"GIF87a", b"GIF89a"),
    "image/webp": (b"RIFF",),
}
_BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")


@dataclass(frozen=True, slots=True)
class SheetView:
    """A text in a frame: its label, what was cut from it, and the text."""

    label: str
    cut: str
    body: Markup


@dataclass(frozen=True, slots=True)
class PieceView:
    """A piece: `kind` chooses its form in the template; texts are plain unless they are Markup."""

    kind: str
    body: str = ""
    label: str = ""
    about: str = ""
    outcome: str = ""
    failed: bool = False
    address: str = ""
    sheets: Sequence[SheetView] = ()
    pictures: Sequence[PieceView] = ()


def piece_views(pieces: Iterable[Piece], options: Options, typed: bool) -> Iterator[PieceView]:
    """Pieces as views; what a person typed is not taken for Markdown."""
    for piece in pieces:
        yield _view(piece, options, typed)


def _view(piece: Piece, options: Options, typed: bool) -> PieceView:
    match piece:
        case Words():
            text = options.text(piece.text)
            return PieceView("typed", text) if typed else PieceView("prose", rendered(text))
        case Thought():
            return PieceView("thought", rendered(options.text(piece.text)))
        case Command():
            return PieceView("command", options.text(piece.text))
        case Output():
            return _folded("Output", [Sheet("output", "", options.text(piece.text))], piece.failed)
        case Note():
            text = options.text(piece.text)
            label = options.line(piece.label)
            if not text.strip():
                return PieceView("line", label=label)
            return _folded(label, [Sheet("text", "", text)])
        case Picture():
            return _picture(piece.image, options)
        case Odd():
            label = f"A block of type {options.line(piece.type)}"
            return _folded(label, [Sheet("content", "json", options.text(odd_text(piece)))])
        case Called():
            return _call(piece, options)
        case LooseResult():
            whose = "of a tool that the server ran" if piece.server else "of a call elsewhere"
            return _result(f"Result {whose}", piece.result, options)


def _folded(label: str, sheets: Iterable[Sheet], failed: bool = False) -> PieceView:
    return PieceView("folded", label=label, failed=failed, sheets=list(map(_sheet, sheets)))


def _sheet(sheet: Sheet) -> SheetView:
    text, cut = sheet.text, ""
    if len(text) > MAX_SHEET:
        cut = f"({MAX_SHEET:,} of {len(text):,} characters; other formats hold the rest)"
        text = text[:MAX_SHEET]
    return SheetView(sheet.label, cut, coloured(text, sheet.language))


def _call(piece: Called, options: Options) -> PieceView:
    name = options.line(tool_name(piece.call), 80)
    about = options.line(headline(piece.call), 120)
    came = outcome(piece.result, options) if piece.result else piece.fate.value
    failed = piece.result is not None and piece.result.is_error
    if options.tools is not Tools.FULL:
        return PieceView("line", label=name, about=about, outcome=came, failed=failed)
    sheets = [
        SheetView(options.line(sheet.label, 80), view.cut, view.body)
        for sheet in input_sheets(piece.call, options)
        for view in (_sheet(sheet),)
    ]
    pictures: list[PieceView] = []
    if piece.result is not None:
        sheets += map(_sheet, result_sheets(piece.result, options))
        pictures = _pictures(piece.result, options)
    return PieceView(
        "folded", "", name, about, came, failed=failed, sheets=sheets, pictures=pictures
    )


def _result(label: str, result: ToolResult, options: Options) -> PieceView:
    came = outcome(result, options)
    if options.tools is not Tools.FULL:
        return PieceView("line", label=label, outcome=came, failed=result.is_error)
    return PieceView(
        "folded",
        label=label,
        outcome=came,
        failed=result.is_error,
        sheets=list(map(_sheet, result_sheets(result, options))),
        pictures=_pictures(result, options),
    )


def _pictures(result: ToolResult, options: Options) -> list[PieceView]:
    return [_picture(part, options) for part in result.parts if isinstance(part, Image)]


def _picture(image: Image, options: Options) -> PieceView:
    label = options.line(image_note(image).strip("[]"))
    return PieceView("image", label=label, address=image_address(image))


def image_address(image: Image) -> str:
    """An image as a data URI; empty where it is too large, or not what it says it is."""
    signatures = _SIGNATURES.get(image.media_type)
    if signatures is None or image.data is None or image.size > MAX_IMAGE:
        return ""
    data = "".join(image.data.split())
    if len(data) % 4 or _BASE64.fullmatch(data) is None:
        return ""
    fits = b64decode(data[:64]).startswith(signatures)
    return f"data:{image.media_type};base64,{data}" if fits else ""
