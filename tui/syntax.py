"""Colours for code: a lexer's tokens as tones, for small bodies only."""

from __future__ import annotations

from pygments.lexers import get_lexer_by_name
from textual.highlight import HighlightTheme, TokenType, highlight

from ccbrowse.core.text import SafeText
from ccbrowse.tui.viewtypes import Line, Piece, Tone

USUAL = ("bash", "json", "python", "diff", "typescript", "markdown")
"""Languages that most sessions hold."""

LIMIT = 20_000
"""Characters above which code is not coloured: a lexer takes about a millisecond for a thousand."""


class _Tones(HighlightTheme):
    """Names of tones instead of styles; a token takes those of the nearest kind it lies in."""

    STYLES: dict[TokenType, str] = {  # noqa: RUF012 - as the base declares it
        ("Comment",): "MUTED",
        ("Keyword",): "TOOL",
        ("Keyword", "Constant"): "WARN",
        ("Operator", "Word"): "TOOL",
        ("Literal", "Number"): "WARN",
        ("Literal", "String"): "GOOD",
        ("Name", "Function"): "STRONG",
        ("Name", "Class"): "STRONG",
        ("Name", "Decorator"): "TOOL",
        ("Name", "Tag"): "TOOL",
        ("Name", "Attribute"): "TOOL",
        ("Name", "Variable"): "TOOL",
        ("Generic", "Deleted"): "BAD",
        ("Generic", "Inserted"): "GOOD",
        ("Generic", "Heading"): "STRONG",
    }


def load_usual() -> None:
    """Load the lexers that are likely to be asked for: some take as long as two frames. For a worker."""
    for language in USUAL:
        get_lexer_by_name(language)


def coloured(text: SafeText, language: str) -> Line:
    """Give a text in toned pieces, line breaks within them.

    More than `LIMIT` characters, or a language that no lexer knows, come back as one plain piece.
    """
    plain = (Piece(text),)
    if not language or len(text) > LIMIT:
        return plain
    content = highlight(text, language=language, theme=_Tones)
    # A lexer may add or drop characters; then its ranges would be those of another text.
    if content.plain != text.removesuffix("\n"):
        return plain
    pieces: list[Piece] = []
    end = 0
    for span in content.spans:
        if isinstance(span.style, str) and span.style in Tone.__members__ and span.start >= end:
            pieces.append(Piece(SafeText(text[end : span.start])))
            pieces.append(Piece(SafeText(text[span.start : span.end]), Tone[span.style]))
            end = span.end
    pieces.append(Piece(SafeText(text[end:])))
    return tuple(piece for piece in pieces if piece.text)
