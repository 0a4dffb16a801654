"""Words found in the items of a timeline."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from ccbrowse.core.errors import CcbrowseError
from ccbrowse.core.records import Kind
from ccbrowse.tui.viewmodels.items import FIRST_CALL, THOUGHT, WORDS
from ccbrowse.tui.viewmodels.source import SessionRows

BATCH_SECONDS = 0.05
"""How long a worker gathers before it posts."""

_PLAIN_WORDS = frozenset({Kind.PROMPT, Kind.ASSISTANT, Kind.RESULT, Kind.SUMMARY})
"""Kinds whose words stand in their lines as they are shown."""


def find_items(
    rows: SessionRows, needle: str, start: int, stop: Callable[[], bool]
) -> Iterator[tuple[list[str], bool]]:
    """Keys of the items whose text holds words, from one item on and around; the last batch is done.

    Literal, whatever the case. Lines that cannot hold the words are passed over undecoded.
    """
    wanted = needle.casefold()
    count = len(rows)
    batch: list[str] = []
    since = time.monotonic()
    for step in range(count):
        if stop() or not wanted:
            return
        number = (start + step) % count
        key = rows.key(number)
        if _may_hold(rows, key, wanted) and wanted in rows.text(key).casefold():
            batch.append(key)
        if time.monotonic() - since > BATCH_SECONDS:
            yield batch, False
            batch, since = [], time.monotonic()
    yield batch, True


def _may_hold(rows: SessionRows, key: str, wanted: str) -> bool:
    """Whether an item's lines may hold folded words: by their bytes, where those tell."""
    found = rows.place(key)
    if found is None or not rows.is_current:
        return False
    if not wanted.isascii() or not wanted.isprintable() or any(c in wanted for c in '"\\/'):
        return True
    row, part = found
    if part < FIRST_CALL and part not in (WORDS, THOUGHT):
        return True
    needle = wanted.encode()
    for each in rows.rows_behind(key):
        try:
            raw = rows.bodies.raw(rows.index_of_file.content_row(each))
        except (CcbrowseError, OSError, ValueError):  # ValueError: the file was closed meanwhile
            return False
        if needle in raw.lower() or not raw.isascii() or b"\\u" in raw:
            return True
    return rows.index_of_file.kind[row] not in _PLAIN_WORDS
