"""Finding words on a session's screen: which match is shown, how many there are, going to the next."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import events, work
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.worker import get_current_worker

from ccbrowse.core.errors import BadQuery, CcbrowseError
from ccbrowse.core.lines import Growth
from ccbrowse.core.text import SafeText, one_line
from ccbrowse.tui.reader.session import Reading
from ccbrowse.tui.screens.openers import Place, Sought
from ccbrowse.tui.screens.session_looks import SessionLooks
from ccbrowse.tui.screens.session_work import Came, Detailed, Opened
from ccbrowse.tui.viewmodels.finding import (
    LITERAL,
    LONGEST,
    Explanation,
    How,
    explain,
    mark_of,
    pattern_of,
    quoted,
    standing,
    wanted_alone,
    words_of_query,
)
from ccbrowse.tui.virtual import VirtualList

if TYPE_CHECKING:
    from ccbrowse.tui.reader.find import Spot, Spots
    from ccbrowse.tui.widgets.prompt import PromptLine


@dataclass
class Matches(Message):
    """Matches that were found."""

    number: int
    spots: Spots


_AGAIN, _AGAIN_AFTER = 64_000_000, 0.7
"""Bytes of a growing session up to which words are sought again in what is new, and seconds until then."""

TIMELINE, DETAIL = SafeText("timeline"), SafeText("detail")
"""What the frames are called where nothing is sought."""


class SessionMatches(SessionLooks):
    """Finds words: literal, or a pattern; in the timeline's order, in what is hidden or cut too."""

    _place: Place

    def __init__(self) -> None:
        super().__init__()
        self._needle, self._how = "", LITERAL
        self._number = 0
        self._matches: list[Spot] = []
        self._order: list[tuple[int, ...]] = []
        """Where the spots stand: the timeline's row, then item, record, text, character; ascending."""
        self._beside = 0
        self._at: Spot | None = None
        self._is_found = False
        self._is_waiting = False
        self._wrapped = SafeText("")
        self._sought: Sought | None = None
        self._opening: Spot | None = None
        self._fresh: list[Spot] | None = None
        """Matches found anew since the session grew; None while nothing is sought again."""
        self._again: Timer | None = None

    @property
    def matches_words(self) -> SafeText:
        """``3 of 174 matches``, while words are sought; else nothing."""
        if not self._needle:
            return SafeText("")
        at = self._matches.index(self._at) + 1 if self._at in self._matches else 0
        return standing(at, len(self._matches), self._is_found, self._beside, self._wrapped)

    @property
    def is_found(self) -> bool:
        """Whether the search is through."""
        return self._is_found

    # Asking

    async def action_find(self) -> None:
        """Ask for words."""
        await self.ask("find", SafeText("/"), self._needle, self._how)

    def on_prompt_line_changed(self, event: PromptLine.Changed) -> None:
        """Nothing is found before enter: the session may be large. A bad pattern is said at once."""
        event.stop()
        if event.purpose == "find" and event.text:
            self._explain(event)

    def _explain(self, event: PromptLine.Changed) -> None:
        """Say in place what cannot be read."""
        from ccbrowse.tui.widgets.prompt import PromptLine

        if (wrong := self._wrong_with(event)) is not None:
            self.query_one(PromptLine).explain(wrong)

    def _wrong_with(self, event: PromptLine.Changed) -> Explanation | None:
        """What of the words cannot be read."""
        try:
            wanted_alone(event.text, event.how)
        except BadQuery as error:
            return explain(error, event.text)
        return None

    def on_prompt_line_cancelled(self, event: PromptLine.Cancelled) -> None:
        """Back to the pane."""
        event.stop()
        self.go_to_pane(self.at)

    async def on_prompt_line_submitted(self, event: PromptLine.Submitted) -> None:
        """Find the words, or go to the place."""
        event.stop()
        if event.purpose == "go to":
            self.go_to_pane(self.at)
            if event.text.strip():
                self.go_to_named(event.text.strip().lstrip(":"))
            return
        if event.text and self._wrong_with(event) is not None:
            await self.ask("find", SafeText("/"), event.text, event.how)
            self._explain(event)
            return
        self.go_to_pane("timeline")
        self.find(event.text, event.how)

    # Finding

    def find(self, words: str, how: How, sought: Sought | None = None) -> None:
        """Find words; go to the match that a search names, else to the next from the cursor on."""
        self._end_search()
        reading = self.reading
        if not words or self.rows is None or reading is None:
            return
        self._needle, self._how, self._sought = words, how, sought
        self._is_waiting = True
        pattern = pattern_of([words], how) if sought is None else mark_of(sought.query, sought.how)
        self.timeline.highlight(pattern)
        self.detail.highlight(pattern)
        self.lore.found_by = pattern
        self.timeline.pause()
        self._show_standing()
        self._find(self._number, reading, words, how)

    @work(thread=True, group="search", exclusive=True)
    def _find(self, number: int, reading: Reading, words: str, how: How) -> None:
        from ccbrowse.tui.reader.find import Spots, find_spots  # loaded by the first search

        worker = get_current_worker()
        with reading.use() as is_open:
            if not is_open:
                return
            try:
                for spots in find_spots(reading, words, how, lambda: worker.is_cancelled):
                    self.post_message(Matches(number, spots))
            except (CcbrowseError, OSError):
                self.post_message(Matches(number, Spots((), 0, True)))

    def on_matches(self, message: Matches) -> None:
        """Go to the first match as soon as it is there; the count stands from then on."""
        rows = self.rows
        if message.number != self._number or rows is None:
            return
        spots = message.spots
        if self._fresh is not None:
            self._take_fresh(spots)
            return
        self._beside = spots.beside
        self._is_found = spots.done
        for spot in spots.found:
            self.lore.found.setdefault(spot.key, spot.words)
        self._matches += spots.found
        self._sort()
        if spots.found:
            self.timeline.forget_look()
        if self._is_waiting and self._matches:
            self._go_to_first()
        if spots.done:
            self._is_waiting = False
            if not self._matches:
                self.say(
                    SafeText(f"{quoted(self._needle)} is not in what is shown here"), "warning"
                )
        self._show_standing()

    def _find_again(self) -> None:
        """Find in what the session has gained; the match that is shown stays."""
        self._again = None
        reading = self.reading
        if self._needle and reading is not None and self._is_found:
            self._fresh = []
            self._find(self._number, reading, self._needle, self._how)

    def _take_fresh(self, spots: Spots) -> None:
        """Take what was found anew, once it is all."""
        assert self._fresh is not None
        self._fresh += spots.found
        if spots.done:
            self._matches, self._fresh = self._fresh, None
            self._beside = spots.beside
            new = {spot.key: spot.words for spot in reversed(self._matches)}
            keys = [key for key in new if key not in self.lore.found]
            self.lore.found |= new
            self._sort()
            self.timeline.changed(*keys)
            self._show_standing()

    def _sort(self) -> None:
        """Put the spots in the order of the timeline."""
        rows = self.rows
        if rows is not None:
            near = rows.outline.near
            key = {id(s): (near(s.place), s.place, s.row, s.part, s.start) for s in self._matches}
            self._matches.sort(key=lambda spot: key[id(spot)])
            self._order = [key[id(spot)] for spot in self._matches]

    def _go_to_first(self) -> None:
        """Go to the match that is wanted: the one that a search names, else the next one."""
        sought = self._sought
        if sought is not None:
            same = [spot for spot in self._matches if spot.row == sought.row]
            if not same and not self._is_found:
                return  # it is still to come
            exact = [s for s in same if (s.part, s.start) == (sought.part, sought.start)]
            self._is_waiting = False
            self._go_to_spot((exact or same or self._matches)[0])
            return
        cursor = max(0, self.timeline.cursor)
        number = bisect_left(self._order, (cursor,))
        if number == len(self._matches) and not self._is_found:
            return
        self._is_waiting = False
        if number == len(self._matches):
            number, self._wrapped = 0, SafeText("none below: from the top")
        self._go_to_spot(self._matches[number])

    async def action_found(self, step: int) -> None:
        """Go to the next match, or the one before; around at the ends, which is said."""
        if not self._needle or self.rows is None:
            await self.action_find()
            return
        count = len(self._matches)
        if not count:
            return
        number = self._next(step)
        self._wrapped = SafeText("")
        if not 0 <= number < count:
            self._wrapped = SafeText("from the top again" if step > 0 else "from the end again")
        self._go_to_spot(self._matches[number % count])

    def _next(self, step: int) -> int:
        """The number of the next match: after the one shown, or after the cursor if it was moved."""
        at, cursor = self._at, max(0, self.timeline.cursor)
        if at in self._matches:
            number = self._matches.index(at)
            if self._order[number][0] == cursor:
                return number + step
        if step > 0:
            return bisect_left(self._order, (cursor + 1,))
        return bisect_left(self._order, (cursor,)) - 1

    # Showing a match

    def _go_to_spot(self, spot: Spot) -> None:
        """Show a match: what hides it is shown again, its row says it, the detail is scrolled to it."""
        rows = self.rows
        if rows is None:
            return
        self.timeline.pause()
        before, self._at = self._at, spot
        self.lore.found_at = (spot.key, spot.words)
        if rows.outline.find(spot.key) is None and self._unhide(spot):
            self._opening = spot
            return
        self.timeline.changed(spot.key)
        if before is not None:
            self.timeline.changed(before.key)
        if not self.timeline.go_to(spot.key, middle=True):
            self.timeline.move_to(rows.outline.near(spot.place), middle=True)
        self._show_standing()
        self._show_in_detail()

    def _unhide(self, spot: Spot) -> bool:
        """Show what hides a match; False where nothing is hidden."""
        part = _part_of(spot.key)
        if part == "t" and not self.shows_thinking:
            self.shows_thinking = True
        elif part.isdecimal() and self.tools == 2:
            self.tools = 0
        elif not self.shows_all:
            self.shows_all = True
        else:
            return False
        self._choose_rows()
        return True

    def on_came(self, message: Came) -> None:
        """Go on to the match once its row is shown; rows may stand elsewhere now, and more may match."""
        reading = self.reading
        if message.news.step is None or not self._needle or reading is None:
            return
        grown = message.news.growth in (Growth.GROWN, Growth.RESET)
        if grown and self._again is None and reading.session.index.size < _AGAIN:
            self._again = self.set_timer(_AGAIN_AFTER, self._find_again)
        self._sort()
        spot, self._opening = self._opening, None
        if spot is not None:
            self._go_to_spot(spot)

    def _show_in_detail(self) -> None:
        """Scroll the detail to the match, where it shows its item; what was cut off is put on top."""
        spot, rows, detail = self._at, self.rows, self.detail
        if spot is None or rows is None or not self._needle:
            return
        if detail.key != self.timeline.cursor_key or not detail.count:
            return
        same = [each for each in self._matches if each.key == spot.key]
        if not detail.go_to_match(str(spot.words), same.index(spot) if spot in same else 0):
            view = rows.excerpt(detail.key, spot.row, spot.part, spot.start, spot.length)
            if view is not None:
                self.present(view)
                detail.go_to_match(str(spot.words), 0)

    def on_virtual_list_moved(self, event: VirtualList.Moved) -> None:
        """The detail shows another item: where the match is in it, go there."""
        self.call_after_refresh(self._show_in_detail)

    def on_detailed(self, message: Detailed) -> None:
        """The same, once a worker has made it."""
        self._show_in_detail()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """The same, once it comes into view."""
        if event.widget is self.detail:
            self.call_after_refresh(self._show_in_detail)

    def _show_standing(self) -> None:
        """Let the frames say which match is shown, and of how many."""
        words = self.matches_words
        for pane, name in ((self.timeline, TIMELINE), (self.detail, DETAIL)):
            sought = f" · /{one_line(self._needle, LONGEST)} · {words}" if words else ""
            pane.border_title = Content(SafeText(f"{name}{sought}"))

    def leave_search(self) -> bool:
        """End a search; False where there was none, or where it was brought from the search screen."""
        if not self._needle or self._sought is not None:
            return False
        self._end_search()
        return True

    def _end_search(self) -> None:
        self._number += 1
        if not self._needle:
            return
        self.workers.cancel_group(self, "search")
        self._needle, self._matches, self._order, self._at = "", [], [], None
        self._is_found, self._is_waiting, self._opening = False, False, None
        self._fresh = None
        self._beside, self._wrapped, self._sought = 0, SafeText(""), None
        self.lore.found.clear()
        self.lore.found_at, self.lore.found_by = ("", SafeText("")), None
        self.timeline.highlight(None)
        self.timeline.forget_look()
        self.detail.highlight(None)
        self._show_standing()

    def on_opened(self, message: Opened) -> None:
        """Find what a search found in it."""
        sought = self._place.sought
        if sought is not None:
            words = words_of_query(sought.query, sought.how)
            if words:
                self.find(words[0], sought.how, sought)

    # All sessions

    async def action_search_all(self) -> None:
        """Search all sessions; where nothing was searched yet, for the words that are sought here."""
        await self.search_all(self._needle, self._how)


def _part_of(key: str) -> str:
    return key.partition("#")[2]
