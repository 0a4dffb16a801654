"""How a segment grows: what the conversation weighed at the end of each turn."""

from collections.abc import Sequence
from itertools import pairwise

from ccbrowse.core.index import NONE, SessionIndex
from ccbrowse.core.records import Kind
from ccbrowse.core.segments import Segment


def turn_sizes(index: SessionIndex, segment: Segment) -> list[int]:
    """The context after the last request of each turn, in tokens; the first entry is the opening one.

    Turns without a request are left out: they weighed nothing by themselves.
    """
    sizes: list[int] = []
    table, request = index.requests, index.request
    newest, opened = 0, False
    for row in segment.rows:
        if index.kind[row] == Kind.PROMPT and newest:
            sizes.append(newest)
            newest = 0
        number = request[row]
        if number == NONE or not table.context(number):
            continue
        if not opened:
            sizes.append(table.context(number))
            opened = True
        newest = table.context(number)
    if newest:
        sizes.append(newest)
    return sizes


def growths(sizes: Sequence[int]) -> list[int]:
    """What each turn added, in tokens; a turn that shrank (cleared results) counts as it is."""
    return [after - before for before, after in pairwise(sizes)]
