"""A message's Markdown and code as HTML in which no element, attribute or address is the message's.

Raw HTML, entities, images and link definitions stay the words they are; links go to the web or to
mail, by their address alone; headings rank below those of the page; short code is coloured.
"""

from __future__ import annotations

import re
from collections.abc import MutableMapping, Sequence
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from markupsafe import Markup, escape
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

MAX_RENDERED = 200_000
"""Characters of Markdown above which a text is shown as it is written."""

MAX_COLOURED = 20_000
"""Characters of code above which it is not coloured: a lexer takes about a millisecond for a thousand."""

_MOST_BRACKETS = 5_000
"""Opening brackets above which looking for links takes too long."""

_PLAIN = re.compile(r"[^\\`*_\[\]<>#|~&!\-+=\d\t]*")
_DEEP = re.compile(r"^(?=[ \t]*[>*+\-\d])[ \t>*+\-\d.)]{60}|^[ \t]{80}", re.MULTILINE)
_LANGUAGE = re.compile(r"[A-Za-z0-9+#.-]{1,20}")
_FIRST_HEADING = 4
_LAST_HEADING = 6


def rendered(text: str) -> Markup:
    """A safe text (`Options.text`) of Markdown as HTML."""
    if len(text) > MAX_RENDERED or text.count("[") > _MOST_BRACKETS or _DEEP.search(text):
        return plain(text)
    if "\n" not in text and not text.startswith("    ") and _PLAIN.fullmatch(text):
        return Markup("<p>{}</p>\n").format(text)
    return Markup(_parser().render(text))


def plain(text: str) -> Markup:
    """A safe text as it is written."""
    # A reader of HTML drops a line break right after `<pre>`.
    return Markup('<pre class="plain">\n{}</pre>\n').format(text)


def coloured(text: str, language: str) -> Markup:
    """A safe text of code as HTML for the inside of a `pre`; plain where it is long or unknown."""
    if not language or len(text) > MAX_COLOURED or not _LANGUAGE.fullmatch(language):
        return escape(text)
    lexer = _lexer(language.lower())
    if lexer is None:
        return escape(text)
    html: str = highlight(text, lexer, _FORMATTER)
    return Markup(html if text.endswith("\n") else html.removesuffix("\n"))


_FORMATTER = HtmlFormatter(nowrap=True)


@cache
def _lexer(language: str) -> Any:
    if language in ("text", "plain", "txt", "markdown", "md"):
        return None
    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": 80}, renderer_cls=_Renderer)
    parser.enable(["table", "strikethrough"])
    parser.disable(["entity", "image", "reference", "html_block", "html_inline"])
    parser.validateLink = is_safe_link  # type: ignore[method-assign]  # the documented way
    return parser


def is_safe_link(url: str) -> bool:
    """Whether a link may be one: to the web or to mail."""
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return False
    return parts.scheme == "mailto" or (parts.scheme in ("http", "https") and bool(parts.netloc))


class _Renderer(RendererHTML):
    """Writes what the parser found, with no attribute but those of our own making."""

    def heading_open(
        self, tokens: Sequence[Token], at: int, options: OptionsDict, env: MutableMapping[str, Any]
    ) -> str:
        return f"<h{_rank(tokens[at])}>"

    def heading_close(
        self, tokens: Sequence[Token], at: int, options: OptionsDict, env: MutableMapping[str, Any]
    ) -> str:
        return f"</h{_rank(tokens[at])}>\n"

    def link_open(
        self, tokens: Sequence[Token], at: int, options: OptionsDict, env: MutableMapping[str, Any]
    ) -> str:
        href = str(tokens[at].attrs.get("href", ""))
        return str(Markup('<a href="{}" rel="noopener noreferrer nofollow">').format(href))

    def fence(
        self, tokens: Sequence[Token], at: int, options: OptionsDict, env: MutableMapping[str, Any]
    ) -> str:
        words = tokens[at].info.split(maxsplit=1)
        code = coloured(tokens[at].content, words[0] if words else "")
        return str(Markup("<pre><code>{}</code></pre>\n").format(code))

    def code_block(
        self, tokens: Sequence[Token], at: int, options: OptionsDict, env: MutableMapping[str, Any]
    ) -> str:
        return str(Markup("<pre><code>{}</code></pre>\n").format(tokens[at].content))


def _rank(token: Token) -> int:
    return min(_LAST_HEADING, int(token.tag[1:]) + _FIRST_HEADING - 1)
