"""What items weigh in tokens, estimated from their texts."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

from ccbrowse.core.errors import CcbrowseError
from ccbrowse.core.numbers import UNKNOWN, Number, Source
from ccbrowse.core.session import Session
from ccbrowse.tui.viewmodels.source import SessionRows

BATCH_SECONDS = 0.05
"""How long a worker gathers before it posts."""


def weigh_items(
    session: Session, rows: SessionRows, keys: Sequence[str], stop: Callable[[], bool]
) -> Iterator[dict[str, Number]]:
    """What the texts of items weigh, by key, in batches. Slow: loads the token counter at first use."""
    segments = list(session.segments)
    if not segments:
        return
    model = session.measure.model_of(segments[-1], segments)
    batch: dict[str, Number] = {}
    since = time.monotonic()
    for key in keys:
        if stop() or not rows.is_current:
            return
        try:
            counted = session.measure.rows(rows.rows_behind(key), model, segments)
        except (CcbrowseError, OSError, ValueError):  # ValueError: the file was closed meanwhile
            batch[key] = UNKNOWN
            continue
        batch[key] = Number(counted.value, Source.ESTIMATE, counted.error)
        if time.monotonic() - since > BATCH_SECONDS:
            yield batch
            batch, since = {}, time.monotonic()
    if batch:
        yield batch
