"""Finding words on the compaction screen: in the pane in focus, marked in all of them."""

from __future__ import annotations

import re

from ccbrowse.core.text import SafeText, display_text
from ccbrowse.tui.screens.compaction_requests import RequestsView
from ccbrowse.tui.widgets.detail import Detail
from ccbrowse.tui.widgets.entrylist import EntryList
from ccbrowse.tui.widgets.prompt import PromptLine
from ccbrowse.tui.widgets.summary import SummaryPane

_PANES = (EntryList, SummaryPane, Detail)


class FindView(RequestsView):
    """Finds words, as written, in any case."""

    _needle = ""

    async def action_find(self) -> None:
        """Ask for words."""
        await self.ask("find", SafeText("/"), self._needle)

    def on_prompt_line_changed(self, event: PromptLine.Changed) -> None:
        """Nothing is found before enter."""
        event.stop()

    def on_prompt_line_submitted(self, event: PromptLine.Submitted) -> None:
        """Find the words in the pane in focus."""
        if event.purpose == "find":
            self._mark(event.text)
            if event.text:
                self._go_on(1)

    def _mark(self, words: str) -> None:
        self._needle = words
        pattern = re.compile(re.escape(words), re.IGNORECASE) if words else None
        for pane in (*self.query(EntryList), *self.query(SummaryPane), *self.query(Detail)):
            pane.highlight(pattern)

    async def action_found(self, step: int) -> None:
        """Go to the next match in the pane in focus, or the one before."""
        if self._needle:
            self._go_on(step)
        else:
            await self.action_find()

    def _go_on(self, step: int) -> None:
        pane = self.query_one(f"#{self.at}")
        found = isinstance(pane, _PANES) and pane.find(step)
        if not found:
            words = display_text(self._needle[:60])
            self.say(SafeText(f"“{words}” is not in this pane"), "warning")

    def leave_search(self) -> bool:
        """End a search; False where there was none."""
        if not self._needle:
            return False
        self._mark("")
        return True
