"""Whether the tour of the first start is due: it is shown once, and not where nobody looks."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import platformdirs

SEEN = "tour-seen"


def seen_file() -> Path:
    """What tells that the tour was shown: in the user's folder for the state of programs."""
    return platformdirs.user_state_path("ccbrowse") / SEEN


def is_due(environ: Mapping[str, str] | None = None) -> bool:
    """Whether it was never shown, and a person sits there: nothing builds or tests."""
    environ = os.environ if environ is None else environ
    return not environ.get("CI") and not seen_file().exists()


def note_seen() -> None:
    """It was shown; where that cannot be kept it is shown again."""
    file = seen_file()
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
