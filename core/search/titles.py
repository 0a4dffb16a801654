"""Which records can give a session its title, and where the one that did stands."""

from collections.abc import Mapping
from typing import Any

from ccbrowse.core.index import SessionIndex
from ccbrowse.core.records import Kind, Text, blocks, command_of, typed_text
from ccbrowse.core.session import Session
from ccbrowse.core.titles import TitleSource, one_title

_NAMING = {"custom-title": "customTitle", "ai-title": "aiTitle", "summary": "summary"}
_BY_SOURCE = {
    TitleSource.CUSTOM: "custom-title",
    TitleSource.AI: "ai-title",
    TitleSource.SUMMARY: "summary",
}
_LONGEST = 1 << 16
"""Bytes of a side record above which it names nothing."""


def possible_titles(record: Mapping[str, Any]) -> list[str]:
    """What a session could be called by this record; empty where it cannot name one."""
    kind = str(record.get("type"))
    if kind in _NAMING:
        name = record.get(_NAMING[kind])
        return [one_title(name)] if isinstance(name, str) else []
    if kind != "user":
        return []
    text = "\n".join(block.text for block in blocks(record) if isinstance(block, Text))
    command = command_of(text)
    return [one_title(typed_text(text)), *([one_title(" ".join(command))] if command else [])]


def title_row(session: Session) -> int | None:
    """The row of the record that gives the session its title; None where a file beside it does."""
    index, title = session.index, session.title
    if title.source is TitleSource.PROMPT:
        return _first(index, Kind.PROMPT if index.facts.first_prompt else Kind.COMMAND)
    naming = _BY_SOURCE.get(title.source)
    for row in range(len(index) - 1, -1, -1):
        if naming and index.kind[row] == Kind.SIDE and index.length[row] <= _LONGEST:
            record = session.record(row)
            if record.get("type") == naming and title.text in possible_titles(record):
                return row
    return None


def _first(index: SessionIndex, kind: Kind) -> int | None:
    row = index.kind.find(kind)
    while row >= 0 and index.is_side(row):
        row = index.kind.find(kind, row + 1)
    return row if row >= 0 else None
