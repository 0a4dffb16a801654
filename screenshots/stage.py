"""Where pictures and examples are made: the demo's sessions as somebody's own, in a time that stands."""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import patch

from ccbrowse.tui.demo import DemoTree, write_demo

NOW = datetime(2026, 3, 3, 12, 0, tzinfo=UTC)
"""The time in every picture and example."""

_LEFT_OUT = ("CLAUDE_CONFIG_DIR", "NO_COLOR", "FORCE_COLOR", "PAGER", "EDITOR", "VISUAL")


@dataclass(frozen=True, slots=True)
class Stage:
    """A home folder in which the demo's sessions lie where the client keeps its own."""

    home: Path
    tree: DemoTree


@contextlib.contextmanager
def stage() -> Iterator[Stage]:
    """A new home, in which one is, with UTC and without the user's settings; all is undone at the end.

    The clock of the process stands at `NOW`.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in _LEFT_OUT and not name.startswith(("CCBROWSE_", "XDG_"))
    }
    with contextlib.ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="ccbrowse-stage-")))
        stack.enter_context(patch.dict(os.environ, clear=True))
        stack.callback(time.tzset)
        os.environ.update(kept, HOME=str(home), TZ="UTC")
        time.tzset()
        tree = write_demo(home / ".claude" / "projects", NOW)
        stack.enter_context(contextlib.chdir(home))
        stack.enter_context(patch("time.time", NOW.timestamp))
        yield Stage(home, tree)
