"""Search: matches over decoded text, found by their bytes, as a generator that can be left at any time.

`parse_query` reads what was typed, `search_sessions` finds it in sessions, `find_in_session` in one
that is open. `fields` says which texts are looked at, `needles` and `patterns` judge them, `spelling`
and `scan` choose the lines that are worth decoding.
"""

from ccbrowse.core.fields import ALL_FIELDS, Field, FieldText, block_at, field_texts
from ccbrowse.core.search.asking import Wanted, as_pattern, parse_query, slip
from ccbrowse.core.search.engine import Told, search_sessions, search_wanted, untold
from ccbrowse.core.search.find import Match, find_in_session, find_with_texts
from ccbrowse.core.search.hits import Hit, Snippet, snippet_of
from ccbrowse.core.search.needles import Literal, Span
from ccbrowse.core.search.order import newest_first
from ccbrowse.core.search.patterns import Pattern
from ccbrowse.core.search.places import inline_agents

__all__ = [
    "ALL_FIELDS",
    "Field",
    "FieldText",
    "Hit",
    "Literal",
    "Match",
    "Pattern",
    "Snippet",
    "Span",
    "Told",
    "Wanted",
    "as_pattern",
    "block_at",
    "field_texts",
    "find_in_session",
    "find_with_texts",
    "inline_agents",
    "newest_first",
    "parse_query",
    "search_sessions",
    "search_wanted",
    "slip",
    "snippet_of",
    "untold",
]
