"""What a session's screen keeps, and finding places on it."""

from __future__ import annotations

from bisect import bisect_right

from textual.timer import Timer

from ccbrowse.core.findings import Finding
from ccbrowse.core.text import SafeText, display_text
from ccbrowse.tui.screens.session_work import SessionWork
from ccbrowse.tui.viewmodels.lists import find_place
from ccbrowse.tui.viewmodels.lore import Lore
from ccbrowse.tui.viewmodels.overview import Overview
from ccbrowse.tui.viewmodels.source import SessionRows
from ccbrowse.tui.widgets.detail import Detail
from ccbrowse.tui.widgets.segments import Segments
from ccbrowse.tui.widgets.timeline import Timeline


class SessionFind(SessionWork):
    """Keeps what the screen shows, and finds places in it."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: SessionRows | None = None
        """What the timeline shows."""
        self.overview: Overview | None = None
        self.listed: tuple[Finding, ...] = ()
        """All findings, notes too."""
        self.starts: tuple[int, ...] = ()
        """The timeline's row at which each segment begins."""
        self.looked = False
        """Whether the first closer look is done: subagents and findings are known."""
        self.is_weighed = False
        """Whether all that is in view says what it weighs."""
        self.lore = Lore()
        self.tools = 0
        """0: on one line, 1: with results, 2: hidden."""
        self.shows_thinking = True
        self.shows_all = False
        self.weigh_timer: Timer | None = None

    @property
    def timeline(self) -> Timeline:
        """The middle pane."""
        return self.query_one("#timeline", Timeline)

    @property
    def rail(self) -> Segments:
        """The left pane."""
        return self.query_one("#rail", Segments)

    @property
    def detail(self) -> Detail:
        """The right pane."""
        return self.query_one("#detail", Detail)

    @property
    def segment_at_cursor(self) -> int:
        """The number of the segment under the cursor."""
        return max(1, bisect_right(self.starts, max(0, self.timeline.cursor)))

    # Places

    def go_to_named(self, words: str) -> None:
        """Go to a segment, a record or a time of day."""
        rows = self.rows
        if rows is None:
            return
        if words.isdecimal() and len(words) < 7 and 1 <= int(words) <= len(self.starts):
            number: int | None = self.starts[int(words) - 1]
        else:
            number = find_place(rows.outline, words, self.timeline.cursor)
        if number is None:
            self.say(SafeText(f"nothing here is called {display_text(words[:60])}"), "warning")
            return
        self.timeline.pause()
        self.timeline.move_to(number, middle=True)
