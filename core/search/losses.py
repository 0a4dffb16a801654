"""Searching what compactions lost: the items that no summary shows, kept to those that hold the words.

Slow by nature: each compaction of a session is worked out. So it is done only where the words stand in
the file at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ccbrowse.core.compaction import ItemKind, LostItem, lost_items
from ccbrowse.core.fields import Field, FieldText, field_texts
from ccbrowse.core.search.asking import Judged, Wanted
from ccbrowse.core.session import Session

_FIELDS = {
    ItemKind.USER_TEXT: Field.USER,
    ItemKind.DECISION: Field.ASSISTANT,
    ItemKind.ASSISTANT_TEXT: Field.ASSISTANT,
    ItemKind.TOOL_CALL: Field.TOOL,
    ItemKind.TOOL_RESULT: Field.RESULT,
    ItemKind.ERROR: Field.RESULT,
    ItemKind.FILE: Field.FILE,
}


class GivenUp(Exception):
    """Nobody waits for it any more."""


def lost_judged(
    session: Session, wanted: Wanted, cancelled: Callable[[], bool]
) -> Iterator[tuple[int, Judged]]:
    """Rows of lost items that hold all that is wanted, each with the match; one a row and field."""

    def holds(text: str) -> bool:
        if cancelled():
            raise GivenUp
        return all(needle.first(text) is not None for needle in wanted.lost)

    seen: set[tuple[int, Field]] = set()
    try:
        for item in lost_items(session, holds):
            texts = list(field_texts(session.record(item.row)))
            if wanted.needles and not wanted.judge(texts):
                continue
            judged = _judged(item, wanted, texts)
            if (item.row, judged.field) not in seen:
                seen.add((item.row, judged.field))
                yield item.row, judged
    except GivenUp:
        return


def _judged(item: LostItem, wanted: Wanted, texts: list[FieldText]) -> Judged:
    """The match: in the record's own texts where it stands there, else in the item's."""
    needle, field = wanted.lost[0], _FIELDS[item.kind]
    ranked = sorted(enumerate(texts), key=lambda each: each[1].field is not field)
    for part, (own, text) in ranked:
        span = needle.first(text)
        if span is not None:
            return Judged(own, part, text, span)
    span = needle.first(item.text)
    assert span is not None
    return Judged(field, 0, item.text, span)
