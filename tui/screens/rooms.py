"""Which commands work together on each screen: what users' keys are held against, and what is told."""

from __future__ import annotations

from collections.abc import Mapping

from ccbrowse.tui.commands import (
    COMPARING,
    EVERYWHERE,
    MOVES,
    PANES,
    SESSION,
    SESSIONS,
    Commands,
)
from ccbrowse.tui.screens.compaction_commands import COMPACTION, OPENERS
from ccbrowse.tui.screens.search_commands import SEARCH

SHARED: Commands = (*MOVES, *PANES, *EVERYWHERE)
"""What works on all of them."""

ROOMS: Mapping[str, Commands] = {
    "sessions": (*SESSIONS, *SHARED),
    "session": (*SESSION, *OPENERS, *SHARED),
    "compaction": (*COMPACTION, *SHARED),
    "search": (*SEARCH, *SHARED),
    "comparing": (*COMPARING, *SHARED),
}
"""By the name of the screen."""
