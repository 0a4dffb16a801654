"""Texts in CommonMark which they cannot break out of: fences, quotes, code spans, escaped words.

A message is Markdown of its own, so it is quoted as it is: a quote ends where we end it, whatever
fences, headings or lists it leaves open. What would still act beyond it, or in a viewer (raw HTML,
entities, link definitions, images, links with odd schemes), stands in a fence instead, as written.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

MAX_LOOKED_INTO = 100_000
"""Characters of a text with suspicious signs above which it is fenced without a closer look."""

_RUN = re.compile("`+")
_ESCAPED = re.compile(r"[\\`*_\[\]<&#|~$]")
_INFO = re.compile(r"[A-Za-z0-9+#.-]{1,20}")
_HTML = re.compile(r"<[A-Za-z/!?]")
_ENTITY = re.compile(r"&(?:#|[A-Za-z])[A-Za-z0-9]*;")
_DEFINITION = re.compile(r"^[ \t>*+\-\d.)]*\[[^\]\n]{1,999}\]:", re.MULTILINE)
_ODD_LINK = re.compile(r"\]\(\s*<?(?!https?:|mailto:)[A-Za-z][A-Za-z0-9+.-]*:", re.IGNORECASE)
_TABBED = re.compile(r"^[ >*+\-\d.)]*\t", re.MULTILINE)
_SUSPECT = re.compile(
    rf"{_HTML.pattern}|{_ENTITY.pattern}|!\[|{_ODD_LINK.pattern}|{_DEFINITION.pattern}|{_TABBED.pattern}",
    re.MULTILINE | re.IGNORECASE,
)
_SAFE_LINK = re.compile(r"https?:|mailto:|[^A-Za-z]|[^:]*\Z", re.IGNORECASE)


def fence(text: str, info: str = "") -> Iterator[str]:
    """A text as a fenced block, its fence longer than any run of backticks in it."""
    ticks = "`" * max(3, longest_run(text) + 1)
    name = info if _INFO.fullmatch(info) else ""
    yield f"{ticks}{name}\n"
    yield text
    yield f"{ticks}\n\n" if text.endswith("\n") or not text else f"\n{ticks}\n\n"


def longest_run(text: str) -> int:
    """The length of the longest run of backticks."""
    return max((len(run) for run in _RUN.findall(text)), default=0) if "`" in text else 0


def prose(text: str) -> Iterator[str]:
    """A message's own Markdown: quoted as it is, or fenced where a quote would not hold it."""
    if breaks_out(text):
        yield from fence(text, "markdown")
        return
    yield from _quoted(text)
    yield "\n"


def breaks_out(text: str) -> bool:
    """Whether a text, quoted, would act beyond its quote or in a viewer, or not be read as written."""
    if _SUSPECT.search(text) is None:
        return False
    if len(text) > MAX_LOOKED_INTO:
        return True
    found: dict[str, object] = {}
    tokens = _parser().parse("".join(_quoted(text)), found)
    if found.get("references") or any(map(_acts, tokens)):
        return True
    # Behind the mark of a quote a tab indents by less: what was code may be none.
    return _TABBED.search(text) is not None and _shape(tokens)[1:-1] != _shape(
        _parser().parse(text)
    )


def _quoted(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        yield f"> {line}\n" if line else ">\n"


def _shape(tokens: Sequence[Token]) -> list[str]:
    return [token.type for token in tokens]


@cache
def _parser() -> MarkdownIt:
    """CommonMark, with entities left as they are written, so that they are seen."""
    return MarkdownIt("commonmark").disable("entity")


def _acts(token: Token) -> bool:
    if token.type == "html_block":
        return True
    if token.type != "inline":
        return False
    children: Sequence[Token] = token.children or ()
    if _DEFINITION.match(token.content):
        return True
    return any(_child_acts(child) for child in children)


def _child_acts(child: Token) -> bool:
    match child.type:
        case "html_inline" | "image":
            return True
        case "link_open":
            href = str(child.attrs.get("href", ""))
            return _SAFE_LINK.match(href) is None
        case "text":
            words = child.content
            return any(sign.search(words) for sign in (_HTML, _ENTITY, _ODD_LINK))
    return False


def code(text: str) -> str:
    """One line of text as a code span."""
    if not text:
        return "(none)"
    ticks = "`" * (longest_run(text) + 1)
    edge = " " if text.startswith("`") or text.endswith("`") or text != text.strip() else ""
    return f"{ticks}{edge}{text}{edge}{ticks}"


def escaped(text: str) -> str:
    """One line of text as plain words: nothing in it is markup. Not for the start of a line."""
    return _ESCAPED.sub(r"\\\g<0>", text)
