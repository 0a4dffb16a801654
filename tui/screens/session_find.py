"""Finding words and places on a session's screen."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from textual.timer import Timer

from ccbrowse.core.findings import Finding
from ccbrowse.core.text import SafeText, display_text
from ccbrowse.tui.screens.session_work import Hits, SessionWork
from ccbrowse.tui.viewmodels.lists import find_place
from ccbrowse.tui.viewmodels.lore import Lore
from ccbrowse.tui.viewmodels.overview import Overview
from ccbrowse.tui.viewmodels.source import SessionRows
from ccbrowse.tui.widgets.detail import Detail
from ccbrowse.tui.widgets.segments import Segments
from ccbrowse.tui.widgets.timeline import Timeline

if TYPE_CHECKING:
    from ccbrowse.tui.widgets.prompt import PromptLine


class SessionFind(SessionWork):
    """Keeps what the screen shows, and finds words and places in it."""

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
        self._needle = ""
        self._hits: list[str] = []
        self._waiting = 0

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

    # Finding

    async def action_find(self) -> None:
        """Ask for words."""
        await self.ask("find", SafeText("/"), self._needle)

    def on_prompt_line_changed(self, event: PromptLine.Changed) -> None:
        """Nothing is found before enter: the session may be large."""
        event.stop()

    def on_prompt_line_cancelled(self, event: PromptLine.Cancelled) -> None:
        """Back to the pane."""
        event.stop()
        self.go_to_pane(self.at)

    def on_prompt_line_submitted(self, event: PromptLine.Submitted) -> None:
        """Find the words, or go to the place."""
        event.stop()
        self.go_to_pane("timeline" if event.purpose == "find" else self.at)
        if event.purpose == "find":
            self._find(event.text)
        elif event.purpose == "go to" and event.text.strip():
            self._go_to(event.text.strip().lstrip(":"))

    def _find(self, words: str) -> None:
        self._needle, self._hits, self._waiting = words, [], 1
        rows, reading = self.rows, self.reading
        if not words or rows is None or reading is None:
            self.leave_search()
            return
        pattern = re.compile(re.escape(words), re.IGNORECASE)
        self.timeline.highlight(pattern)
        self.detail.highlight(pattern)
        self.timeline.pause()
        self.find_words(reading, rows, words, max(0, self.timeline.cursor))

    def on_hits(self, message: Hits) -> None:
        """Go to the first match as soon as it is there; tell how many there are at the end."""
        if message.needle != self._needle:
            return
        self._hits += message.keys
        if self._waiting and self._hits:
            step, self._waiting = self._waiting, 0
            self._go_to_hit(self._hits[0 if step > 0 else -1])
        if message.done:
            self._waiting = 0
            self._tell_hits()

    def _tell_hits(self) -> None:
        if not self._hits:
            self.say(
                SafeText(f"“{display_text(self._needle[:60])}” is not in the session"), "warning"
            )
            return
        count = len(self._hits)
        words = "1 match" if count == 1 else f"{count:,} matches, n and N go through them"
        self.say(SafeText(words))

    def _go_to_hit(self, key: str) -> None:
        self.timeline.pause()
        self.timeline.go_to(key, middle=True)

    async def action_found(self, step: int) -> None:
        """Go to the next match, or the one before; around at the ends."""
        rows = self.rows
        if not self._needle or rows is None:
            await self.action_find()
            return
        numbers = sorted(n for n in map(rows.index, self._hits) if n is not None)
        if not numbers:
            return
        cursor = self.timeline.cursor
        after = bisect_right(numbers, cursor)
        if step > 0:
            number = numbers[after % len(numbers)]
        else:
            before = after - 1 if after and numbers[after - 1] == cursor else after
            number = numbers[before - 1]
        self._go_to_hit(rows.key(number))

    def leave_search(self) -> bool:
        """End a search; False where there was none."""
        if not self._needle:
            return False
        self.workers.cancel_group(self, "search")
        self._needle, self._hits = "", []
        self.timeline.highlight(None)
        self.detail.highlight(None)
        return True

    # Places

    def _go_to(self, words: str) -> None:
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
