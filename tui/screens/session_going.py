"""How one goes about in a session: marks, findings, places named, back and forward, two rows compared."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import partial

from ccbrowse.core.locate import SessionFile
from ccbrowse.core.records import Kind
from ccbrowse.core.text import SafeText, display_text
from ccbrowse.tui.screens.base import Paned
from ccbrowse.tui.screens.dialogs import Letter
from ccbrowse.tui.screens.openers import Place, open_file
from ccbrowse.tui.screens.session_looks import SessionLooks
from ccbrowse.tui.screens.trail import Stop
from ccbrowse.tui.viewmodels.comparing import compared, segment_text
from ccbrowse.tui.viewmodels.items import FINDING
from ccbrowse.tui.viewmodels.plain import row_words
from ccbrowse.tui.viewmodels.source import TROUBLE, SessionRows
from ccbrowse.tui.virtual import VirtualList
from ccbrowse.tui.widgets.status import Part, StatusLine

_PROMPTS = 400
"""Prompts of a segment that are compared."""


class SessionGoing(SessionLooks):
    """The actions that go to places. Its handlers run after the screen's own."""

    _crumbs: tuple[SafeText, ...]
    _file: SessionFile | None

    def __init__(self) -> None:
        super().__init__()
        self._here = "", 0
        self._travels_to = ""
        self._is_used = False

    def on_mount(self) -> None:
        """What was opened by its file can be opened again."""
        if self._file is not None:
            self.stop.again = partial(_open_again, self._file, self._crumbs)

    # The top line

    def crumb_chosen(self, number: int) -> None:
        """Back by what stands above the session; to the rail by the segment, else to the timeline."""
        above = max(1, len(self._crumbs))
        if number < above:
            self.leave()
        else:
            self.go_to_pane("rail" if number == above + 1 and self.can_show("rail") else self.MAIN)

    def on_status_line_chosen(self, event: StatusLine.Chosen) -> None:
        """Follow or pause where it says which."""
        if event.part is Part.STATE:
            self.timeline.action_follow()

    # Back and forward

    def on_virtual_list_moved(self, event: VirtualList.Moved) -> None:
        """Remember where a jump began: farther than the view is high."""
        if event.sender is not self.timeline:
            return
        key, row = self.timeline.cursor_key, self.timeline.cursor
        before, place = self._here
        self._here = key, row
        jumped = abs(row - place) > max(3, self.timeline.view_height)
        if before and key not in (before, self._travels_to) and jumped and self._is_used:
            self.host.left_place(before)

    def on_key(self) -> None:
        """What moves the cursor before is how the session opens: no jump of the reader's."""
        self._is_used = True

    def on_click(self) -> None:
        """The same by mouse."""
        self._is_used = True

    @property
    def place(self) -> str:
        """The row under the cursor."""
        return self.timeline.cursor_key if self.query("#timeline") else ""  # not all is there yet

    def arrive(self, key: str) -> bool:
        """Go to a row; False where it is not shown any more."""
        self._travels_to = key
        self.timeline.pause()
        return bool(key) and self.timeline.go_to(key, middle=True)

    # Findings

    def action_finding(self, step: int) -> None:
        """Go to the next finding, or the one before."""
        rows = self.rows
        if rows is None:
            return
        number = self.timeline.cursor + step
        parts = rows.outline.parts
        while 0 <= number < len(rows):
            if parts[number] == FINDING:
                self.timeline.pause()
                self.timeline.move_to(number, middle=True)
                return
            number += step
        way = "below" if step > 0 else "above"
        self.say(SafeText(f"no finding {SafeText(way)}; i lists all, notes too"))

    # Marks

    def action_set_mark(self) -> None:
        """Ask for a letter, and mark the row with it."""
        self.app.push_screen(Letter(SafeText("mark the row with a letter: a-z, 0-9")), self._mark)

    def _mark(self, letter: str | None) -> None:
        key = self.timeline.cursor_key
        if letter is None or not key:
            return
        mark = display_text(letter)
        self.lore.marks = {k: v for k, v in self.lore.marks.items() if v != mark and k != key}
        self.lore.marks[key] = mark
        self.timeline.forget_look()

    def action_go_to_mark(self) -> None:
        """Ask for a letter, and go to the row marked with it."""
        told = display_text(", ".join(sorted(self.lore.marks.values()))) or SafeText("none is set")
        words = SafeText(f"go to the mark of a letter: {told}")
        self.app.push_screen(Letter(words), self._go_to_mark)

    def _go_to_mark(self, letter: str | None) -> None:
        if letter is None:
            return
        key = next((k for k, mark in self.lore.marks.items() if mark == letter), "")
        if not key or not self.arrive(key):
            self.say(SafeText(f"no row is marked {display_text(letter)}"), "warning")

    # Comparing

    def action_compare(self) -> None:
        """Hold the last two marked rows against each other, or a marked one and this one."""
        from ccbrowse.tui.screens.comparing import ComparingScreen

        rows, keys = self.rows, list(self.lore.marks)[-2:]
        if len(keys) == 1 and self.timeline.cursor_key not in keys:
            keys.append(self.timeline.cursor_key)
        if rows is None or len(keys) < 2:
            self.say(SafeText("mark two rows with m and a letter, then compare them"), "warning")
            return
        if any(self._opens_segment(rows, key) for key in keys):
            numbers = [self._segment_of(rows, key) for key in keys]
            names = [SafeText(f"segment {number}") for number in numbers]
            texts = [self._segment_text(number) for number in numbers]
        else:
            names = [self._name_of(key) for key in keys]
            texts = [rows.text(key) for key in keys]
        view = compared(names[0], texts[0], names[1], texts[1])
        self.app.push_screen(ComparingScreen(view))

    def _name_of(self, key: str) -> SafeText:
        mark = self.lore.marks.get(key)
        return SafeText(f"mark {display_text(mark)}") if mark else SafeText("this row")

    def _opens_segment(self, rows: SessionRows, key: str) -> bool:
        """Whether a row is a boundary: then segments are meant."""
        place = rows.place(key)
        return place is not None and rows.index_of_file.kind[place[0]] == Kind.BOUNDARY

    def _segment_of(self, rows: SessionRows, key: str) -> int:
        """The segment that a row stands in, from 1; 0 where there are none."""
        number = rows.index(key)
        return bisect_right(self.starts, number) if number is not None else 0

    def _segment_text(self, number: int) -> SafeText:
        reading = self.reading
        if reading is None or not 1 <= number <= len(reading.session.segments):
            return SafeText("")
        segment = reading.session.segments[number - 1]
        return segment_text(segment, list(self._prompts_of(segment.rows)))

    def _prompts_of(self, numbers: Iterable[int]) -> Iterator[str]:
        """What a person sent in a segment, as far as it is compared (raw)."""
        reading = self.reading
        assert reading is not None
        index, count = reading.session.index, 0
        for row in numbers:
            if index.kind[row] in (Kind.PROMPT, Kind.QUEUED_PROMPT) and count < _PROMPTS:
                count += 1
                try:
                    yield row_words(reading.session, row)
                except TROUBLE:
                    return


def _open_again(
    file: SessionFile, crumbs: tuple[SafeText, ...], beneath: Paned, stop: Stop, key: str
) -> bool:
    """Open a session that was left, where it was left."""
    from ccbrowse.tui.screens.session import SessionScreen

    screen = SessionScreen(
        open_file(file, beneath.host.cache_roots), crumbs, file=file, place=Place(uuid=key or None)
    )
    screen.stop = stop
    beneath.app.push_screen(screen)
    return True
