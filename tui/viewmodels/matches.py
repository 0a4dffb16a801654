"""Rows and details that show a match though it stands in what they fold away or cut off."""

from __future__ import annotations

from msgspec.structs import replace

from ccbrowse.core.text import SafeText, display_text
from ccbrowse.tui.viewmodels.lore import Lore
from ccbrowse.tui.viewtypes import DetailView, Entry, Row, TextBlock, Tone

SEEN = 40
"""Characters of a row's words that are seen at nearly any width."""

AROUND = 2_000
"""Characters of an excerpt before and after the match."""


def with_match(row: Row, lore: Lore) -> Row:
    """A row that says the words around a match, where its own words do not show it."""
    key, words = lore.found_at
    if not isinstance(row, Entry):
        return row
    if row.key != key:
        found = lore.found.get(row.key)
        if found is None or _shows(row, lore):
            return row
        words = found
    elif _shows(row, lore) and lore.found.get(key) == words:
        return row
    return replace(row, text=words, lines=1)


def _shows(row: Entry, lore: Lore) -> bool:
    """Whether a row shows a match as it is."""
    pattern = lore.found_by
    return pattern is not None and pattern.search(row.text.partition("\n")[0][:SEEN]) is not None


def with_excerpt(view: DetailView, text: str, start: int, length: int) -> DetailView:
    """A detail with what stands around a match before all else."""
    low, high = max(0, start - AROUND), min(len(text), start + length + AROUND)
    told = f"around character {start + 1:,} of {len(text):,}"
    excerpt = display_text(text[low:high], newlines=True)
    blocks = (TextBlock(SafeText(told), Tone.WARN), TextBlock(excerpt), *view.blocks)
    return replace(view, blocks=blocks)
