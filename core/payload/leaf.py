"""The record that the next request continues."""

import orjson

from ccbrowse.core.records import Kind
from ccbrowse.core.session import Session

_LONGEST = 1 << 20
"""Bytes of a side record above which it is not looked into."""


def next_leaf(session: Session) -> int | None:
    """The leaf that the client named last, unless records have come since; else the main line's newest.

    Clients from 2.1.129 on name the leaf in `last-prompt` rows; after a rewind it is an older record.
    """
    path = session.chain.path
    newest = path[-1] if path else None
    index = session.index
    for row in range(len(index) - 1, newest if newest is not None else -1, -1):
        if index.kind[row] != Kind.SIDE or index.length[row] > _LONGEST:
            continue
        line = session.raw(row)
        if b"last-prompt" in line:
            found = _leaf(line)
            return newest if found is None else index.rows.get(found, newest)
    return newest


def _leaf(line: bytes) -> str | None:
    try:
        record = orjson.loads(line)
    except ValueError:
        return None
    if not isinstance(record, dict) or record.get("type") != "last-prompt":
        return None
    leaf = record.get("leafUuid")
    return leaf if isinstance(leaf, str) else None
