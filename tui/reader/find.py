"""Words found in an open session: each match with the item of the timeline that shows it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

from ccbrowse.core.errors import CcbrowseError
from ccbrowse.core.index import NONE
from ccbrowse.core.records import Kind, Thinking, ToolCall, ToolResult
from ccbrowse.core.search import Field, Match, Span, block_at, find_with_texts, snippet_of
from ccbrowse.core.text import SafeText, display_text
from ccbrowse.tui.reader.branch import BranchReading
from ccbrowse.tui.reader.session import Reading
from ccbrowse.tui.viewmodels.entries import calls_of
from ccbrowse.tui.viewmodels.finding import How
from ccbrowse.tui.viewmodels.items import FIRST_CALL, THOUGHT, WORDS
from ccbrowse.tui.viewmodels.outline import item_key

BATCH_SECONDS = 0.05
"""How long a worker gathers before it posts."""

MOST_MATCHES = 100_000
"""Matches after which it is enough."""

_BEFORE = 20
"""Characters before a match that a row shows."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A match: the item that shows it, where it stands in the session, and what stands around it.

    key: of the item on the timeline. row, part, start: of the record and its `field_texts`. place: its
    row on the timeline (of a result that of its call). words: one line of it.
    """

    key: str
    row: int
    part: int
    start: int
    length: int
    place: int
    words: SafeText


@dataclass(frozen=True, slots=True)
class Spots:
    """Matches that were found since the last ones, and how many stand beside what is shown here."""

    found: tuple[Spot, ...]
    beside: int
    done: bool


def find_spots(reading: Reading, text: str, how: How, stop: Callable[[], bool]) -> Iterator[Spots]:
    """The matches in a session's own file, as they are found; the last batch is done. Raises BadQuery."""
    session = reading.session
    shown = _shown_by(reading)
    found = find_with_texts(
        session, text, regex=how.regex, case=how.case, whole_word=how.word, cancelled=stop
    )
    batch: list[Spot] = []
    beside, since = 0, time.monotonic()
    for match, within in islice(found, MOST_MATCHES):
        place, item = _item_of(reading, match)
        if shown(place):
            key = item_key(session.index, place, item)
            batch.append(_spot(key, match, place, within))
        else:
            beside += 1
        if time.monotonic() - since > BATCH_SECONDS:
            yield Spots(tuple(batch), beside, False)
            batch, since = [], time.monotonic()
    if not stop():
        yield Spots(tuple(batch), beside, True)


def _spot(key: str, match: Match, place: int, text: str) -> Spot:
    snippet = snippet_of(text, Span(match.start, match.length))
    before = snippet.before[-_BEFORE:]
    if len(before) < len(snippet.before):
        before = f"…{before}"
    words = display_text(f"{before}{snippet.match}{snippet.after}".strip())
    return Spot(key, match.row, match.part, match.start, match.length, place, words)


def _shown_by(reading: Reading) -> Callable[[int], bool]:
    """Whether a row can be shown on the screen of a reading, whatever is hidden at the time."""
    if isinstance(reading, BranchReading):
        rows = frozenset(reading.rows) | reading.shared
        return rows.__contains__
    chain = reading.session.chain
    return lambda row: chain.place[row] >= 0 or bool(chain.on_line[row])


def _item_of(reading: Reading, match: Match) -> tuple[int, int]:
    """The row and the part of the item that shows a match."""
    session = reading.session
    index, row = session.index, match.row
    kind = index.kind[row]
    if kind not in (Kind.RESULT, Kind.ASSISTANT):
        return row, WORDS
    try:
        block = block_at(session.record(row), match.part)
        if isinstance(block, Thinking):
            return row, THOUGHT
        if isinstance(block, ToolCall):
            return row, _call_part(reading, row, block.id)
        if isinstance(block, ToolResult) and match.field is Field.RESULT:
            call = index.calls.get(block.call_id, index.peer[row])
            return (
                (row, WORDS) if call == NONE else (call, _call_part(reading, call, block.call_id))
            )
    except (CcbrowseError, OSError, ValueError):  # the file was removed, or closed
        pass
    return row, WORDS


def _call_part(reading: Reading, row: int, call_id: str) -> int:
    """Which part of a record a call is."""
    ids = [call.id for call in calls_of(reading.session.record(row))]
    return FIRST_CALL + (ids.index(call_id) if call_id in ids else 0)
