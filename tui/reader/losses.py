"""What compactions lost, once it is found: to look for it takes seconds, and view and export ask alike."""

from __future__ import annotations

from dataclasses import replace
from weakref import WeakKeyDictionary

from ccbrowse.core.compaction import Compaction, compaction
from ccbrowse.core.session import Session

_FOUND: WeakKeyDictionary[Session, dict[str, Compaction]] = WeakKeyDictionary()
"""By the session on the screen, and the uuid of the boundary."""


def remember(given: Session, found: Compaction) -> None:
    """Keep what a compaction of the session on the screen lost, as long as that is open."""
    _FOUND.setdefault(given, {})[found.boundary.uuid] = found


def recall(given: Session, figures: Compaction) -> Compaction | None:
    """A compaction with its losses, where they were found and nothing that decides on them has changed."""
    known = _FOUND.get(given, {}).get(figures.boundary.uuid)
    if known is None or (known.boundary, known.put_back) != (figures.boundary, figures.put_back):
        return None
    return replace(figures, loss=known.loss)


def with_losses(given: Session, session: Session, number: int) -> Compaction:
    """A compaction of a session as its file stands now, with its losses. Slow the first time.

    `given` is the session on the screen. Raises CcbrowseError, OSError.
    """
    known = recall(given, compaction(session, number, with_loss=False))
    if known is None:
        known = compaction(session, number)
        remember(given, known)
    return known
