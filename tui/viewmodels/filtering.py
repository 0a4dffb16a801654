"""The filter of the sessions list: the contract's language, plain words taken loosely.

The language is loaded with the first words: the list is on the screen before.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ccbrowse.core.errors import BadQuery
    from ccbrowse.core.query import Query
    from ccbrowse.tui.viewmodels.finding import Explanation


def filter_of(text: str, now: int) -> Query:
    """What a text asks for, as far as it can be read; `now` in milliseconds."""
    return _read(text, now)[0]


def wrong_with(text: str, now: int) -> Explanation | None:
    """What of a filter cannot be read; None where all of it can."""
    from ccbrowse.tui.viewmodels.finding import explain

    error = _read(text, now)[1]
    return None if error is None else explain(error, text)


def _read(text: str, now: int) -> tuple[Query, BadQuery | None]:
    from ccbrowse.core.query import read_filter
    from ccbrowse.tui.viewmodels.fuzzy import fuzzy_test

    return read_filter(text, datetime.fromtimestamp(now / 1000, UTC), fuzzy_test)
