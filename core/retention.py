"""How long the client keeps a session before its own clean-up removes it.

At its start the client removes transcripts whose files have not changed for `cleanupPeriodDays` of its
settings, which lie beside the root. Only that one setting is read from there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

DEFAULT_DAYS = 30
"""What the client takes where nothing is set."""

SETTINGS = "settings.json"
_KEY = "cleanupPeriodDays"
_MOST_BYTES = 4_000_000
_DAY = 86_400_000


def cleanup_days(root: Path) -> int:
    """Days that the client keeps sessions of a root; its default where its settings do not say."""
    try:
        with (root.parent / SETTINGS).open("rb") as file:
            told = json.loads(file.read(_MOST_BYTES))
    except (OSError, ValueError, RecursionError):
        return DEFAULT_DAYS
    days = told.get(_KEY) if isinstance(told, dict) else None
    return days if type(days) is int and days > 0 else DEFAULT_DAYS


@dataclass(frozen=True, slots=True)
class Retention:
    """The periods of the roots that a client cleans up, in days. A backup, say, is no such root."""

    days: Mapping[Path, int] = field(default_factory=dict)

    @classmethod
    def of(cls, roots: list[Path], own: list[Path]) -> Retention:
        """Of some roots: those that are the user's `own`, or that lie beside a client's settings."""
        cleaned = [root for root in roots if root in own or (root.parent / SETTINGS).is_file()]
        return cls({root: cleanup_days(root) for root in cleaned})

    def days_left(self, root: Path, written: int, now: int) -> int | None:
        """Whole days until a session may be removed, zero or less where it is due.

        `written` is when its file was last written, `now` the present, in milliseconds. None where
        nobody cleans up, or where the file is from the future.
        """
        days = self.days.get(root)
        if days is None or written > now:
            return None
        return (written + days * _DAY - now) // _DAY
