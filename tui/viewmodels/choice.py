"""One thing of a list to choose from."""

from __future__ import annotations

from dataclasses import dataclass

from ccbrowse.tui.viewtypes import Line


@dataclass(frozen=True, slots=True)
class ListItem:
    """One thing to choose: its key, its line, and a second one beneath."""

    key: str
    line: Line
    beneath: Line = ()
