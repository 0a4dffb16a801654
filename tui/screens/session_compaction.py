"""What a session's screen has to do with compactions: their screen, their losses, the forecast."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from threading import Lock
from typing import TYPE_CHECKING, ClassVar

from msgspec.structs import replace
from textual import work
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.worker import get_current_worker

from ccbrowse.core.errors import CcbrowseError
from ccbrowse.core.lines import Growth
from ccbrowse.core.records import Kind
from ccbrowse.core.text import SafeText
from ccbrowse.tui.commands import SESSION, SESSION_FOOTER, Commands, bindings
from ccbrowse.tui.reader.session import Reading
from ccbrowse.tui.screens.compaction_commands import OPENERS, Loss, Requests
from ccbrowse.tui.screens.session_keys import SessionKeys
from ccbrowse.tui.screens.session_work import Came, Looked, Opened
from ccbrowse.tui.screens.sessions_work import Learned, SessionsWork
from ccbrowse.tui.viewmodels.outline import record_key
from ccbrowse.tui.viewtypes import Line
from ccbrowse.tui.virtual import VirtualList
from ccbrowse.tui.widgets.fill import Fill
from ccbrowse.tui.widgets.status import Part, StatusLine

if TYPE_CHECKING:
    from ccbrowse.core.forecast import Forecast
    from ccbrowse.tui.reader.compaction import Desk
    from ccbrowse.tui.screens.compaction import CompactionScreen
    from ccbrowse.tui.screens.compaction_loss import Spot

_FOOTER: Commands = (*SESSION_FOOTER[:3], Loss, Requests, *SESSION_FOOTER[3:])

_READ_FOR = 30.0
"""Seconds that a text of some sentences stays, unless it is put away."""

_FORESEE_EVERY = 2.0
"""Seconds between two forecasts of a session that grows."""

READ_ALONE = 100_000_000
"""Bytes of a file up to which losses are worked out without being asked for."""


@dataclass
class LossTold(Message):
    """What a boundary's row says of its losses."""

    row: int
    line: Line
    settled: bool


@dataclass
class Foreseen(Message):
    """The forecast was made."""

    forecast: Forecast | None
    seen: int
    """How many compactions of other sessions it learned from."""


class Curve(Enum):
    """What the context curve shows."""

    USUAL = "usual"
    """The whole session, where there is room."""
    ALONE = "alone"
    """The segment at the cursor."""
    WHOLE = "whole"
    """The whole session, on a low screen too."""


class SessionCompactions(SessionKeys):
    """The actions of a session's screen that have to do with compactions.

    Its handlers run after those of the same name on the screen itself.
    """

    OWN: ClassVar[Commands] = (*SESSION, *OPENERS)
    FOOTER: ClassVar[Commands] = _FOOTER
    BINDINGS: ClassVar[list[BindingType]] = bindings(OPENERS)

    def __init__(self) -> None:
        super().__init__()
        self.forecast: Forecast | None = None
        self.learned_from = -1
        """How many compactions of other sessions the forecast knows of; -1 before the first one."""
        self._desk: Desk | None = None
        self._desk_lock = Lock()
        self._spots: dict[int, Spot] = {}
        self._told: dict[int, Line] = {}
        """By row of a boundary, what is said of its losses."""
        self._unsettled: set[int] = set()
        """Rows of boundaries that no request followed yet, when their losses were told."""
        self._finding: set[int] = set()
        self._foresee_timer: Timer | None = None
        self._foreseen_at = 0.0
        self._curve = Curve.USUAL
        self._above: CompactionScreen | None = None
        """The compaction that is, or was, shown in front."""

    def on_unmount(self) -> None:
        """Let go of the desk's file."""
        if self._desk is not None:
            self._desk.close()

    @property
    def desk(self) -> Desk | None:
        """Where the session's compactions are worked out; None before it is open."""
        return self._desk or (None if self.reading is None else self._make_desk(self.reading))

    def _make_desk(self, reading: Reading) -> Desk:
        """The desk of a session; a worker makes it if it comes first: what has to be loaded takes a while."""
        with self._desk_lock:
            if self._desk is None:
                from ccbrowse.tui.reader.compaction import Desk

                self._desk = Desk(reading.session)
            return self._desk

    # The compaction screen

    def action_compaction(self, view: int) -> None:
        """Open the compaction at or above the cursor, else the newest one."""
        opened = self._compactions()
        if not opened:
            self.say(SafeText("this conversation was never compacted"), "warning")
            return
        here = [n for n, (segment, _) in opened.items() if segment <= self.segment_at_cursor]
        self._open_compaction(here[-1] if here else len(opened), view)

    def _compactions(self) -> dict[int, tuple[int, int]]:
        """By number of a compaction: the segment that it opened, and the row of its boundary."""
        if self.reading is None or not self.starts:
            return {}
        segments = self.reading.session.segments
        opened = [(s.number, s.boundary.row) for s in segments if s.boundary is not None]
        return dict(enumerate(opened, 1))

    def _open_compaction(self, number: int, view: int) -> None:
        from ccbrowse.tui.screens.compaction import CompactionScreen

        desk = self.desk
        if desk is not None:
            self.workers.cancel_group(self, "losses")
            self._finding.clear()
            screen = CompactionScreen(desk, number, view, self.show_record, self._spots)
            self._above = screen
            self.app.push_screen(screen)

    def open_item(self, key: str) -> None:
        """Open an item: of a boundary its losses."""
        rows = self.rows
        found = rows.place(key) if rows is not None else None
        if rows is not None and found is not None and "#" not in key:
            is_boundary = rows.index_of_file.kind[found[0]] == Kind.BOUNDARY
            if is_boundary and self._compactions():
                self.action_compaction(0)
                return
        super().open_item(key)

    def show_record(self, row: int) -> None:
        """Go to the record of a row: of a result to its call."""
        rows = self.rows
        if rows is None or row >= len(rows.index_of_file):
            return
        if rows.index_of_file.kind[row] == Kind.RESULT and rows.index_of_file.peer[row] >= 0:
            row = rows.index_of_file.peer[row]
        self.timeline.pause()
        self.timeline.move_to(rows.outline.near(row), middle=True)
        self.go_to_pane("timeline")

    # What the boundaries' rows say

    def look_for_losses(self) -> bool:
        """Let a worker find what became of the segments whose boundaries are in view.

        False where all of them say it. Called when the view rests.
        """
        reading, rows = self.reading, self.rows
        if reading is None or rows is None or not rows.is_current:
            return False
        if not reading.is_followed or reading.session.file.stamp.size > READ_ALONE:
            return False
        visible = {rows.outline.rows[n] for n in self.timeline.visible_rows if n < len(rows)}
        wanted = {n: at for n, at in self._compactions().items() if self._is_untold(*at, visible)}
        if wanted and not wanted.keys() <= self._finding:
            self._finding = set(wanted)
            self._find_losses(reading, {n: row for n, (_, row) in wanted.items()})
        return bool(wanted)

    def _is_untold(self, segment: int, row: int, visible: set[int]) -> bool:
        """Whether a boundary is in view that does not say yet what was lost, or not what followed it."""
        reading = self.reading
        if reading is None or row not in visible:
            return False
        return row not in self._told or (
            row in self._unsettled and bool(reading.session.segment(segment).requests)
        )

    @work(thread=True, group="losses", exclusive=True)
    def _find_losses(self, reading: Reading, rows: Mapping[int, int]) -> None:
        from ccbrowse.tui.reader.compaction import Stopped
        from ccbrowse.tui.viewmodels.compaction_loss import losses_line

        worker, desk = get_current_worker(), self._make_desk(reading)
        for number, row in rows.items():
            try:
                found = desk.loss(number, lambda: worker.is_cancelled)
            except Stopped:
                return
            except (CcbrowseError, OSError):
                self.post_message(LossTold(row, (), True))
            else:
                settled = found.after is not None
                self.post_message(LossTold(row, losses_line(found), settled))

    def on_loss_told(self, message: LossTold) -> None:
        """Let the boundary's row say it."""
        self._told[message.row] = message.line
        (self._unsettled.discard if message.settled else self._unsettled.add)(message.row)
        self._tell_losses()
        rows = self.rows
        if rows is not None and message.row < len(rows.index_of_file):
            self.timeline.changed(record_key(rows.index_of_file, message.row))
        if not self.look_for_losses():
            self._finding.clear()
        self._weigh_soon()

    def _tell_losses(self) -> None:
        """Put what is known of losses in the place of the boundaries' last line."""
        boundaries = self.lore.boundaries
        for row, told in self._told.items():
            made = boundaries.get(row)
            if told and made is not None and made.notes[-1:] != (told,):
                boundaries[row] = replace(made, notes=(*made.notes[:-1], told))

    def on_opened(self, message: Opened) -> None:
        """Nothing is known of a session that was opened anew."""
        self._tell_losses()

    def on_came(self, message: Came) -> None:
        """The boundaries may have been made anew."""
        if message.news.growth is Growth.RESET:
            self._told.clear()
        self._tell_losses()
        above, growth = self._above, message.news.growth
        news = growth in (Growth.GROWN, Growth.RESET)
        if news and above is not None and above in self.app.screen_stack:
            above.session_grew(growth)

    def on_screen_resume(self) -> None:
        """Go on where another screen was in front."""
        self.look_for_losses()

    # The context curve

    def action_curve(self) -> None:
        """Draw the segment at the cursor alone, then the whole session; on a low screen, then none."""
        order = (Curve.USUAL, Curve.ALONE) if self.has_class("-tall") else tuple(Curve)
        at = order.index(self._curve) if self._curve in order else -1
        self._curve = order[(at + 1) % len(order)]
        self.set_class(self._curve is not Curve.USUAL, "-curve")
        self.show_curve()

    def show_curve(self) -> None:
        """Draw the context curve."""
        if self.overview is None:
            return
        view, title = self.overview.fill, SafeText("context")
        number = self.segment_at_cursor
        alone = tuple(segment for segment in view.segments if segment.number == number)
        if self._curve is Curve.ALONE and alone:
            view = replace(view, segments=alone)
            title = SafeText(f"context · segment {number}")
        pane = self.query_one(Fill)
        pane.border_title = Content(title)
        pane.show(view)

    def on_virtual_list_moved(self, event: VirtualList.Moved) -> None:
        """The cursor may have come to another segment. Runs after the screen's own."""
        if self._curve is Curve.ALONE:
            self.show_curve()

    # The forecast

    def on_looked(self, message: Looked) -> None:
        """The session was looked at closely: the forecast may be another one."""
        self._foresee_soon()

    def on_learned(self, message: Learned) -> None:
        """Other sessions tell of compactions: the forecast may be another one."""
        self._foresee_soon()

    def _foresee_soon(self) -> None:
        """Make the forecast: at once, but not much more often than it changes."""
        if self._foresee_timer is None:
            wait = self._foreseen_at + _FORESEE_EVERY - time.monotonic()
            self._foresee_timer = self.set_timer(max(0.01, wait), self._foresee_now)

    def _foresee_now(self) -> None:
        self._foresee_timer, self._foreseen_at = None, time.monotonic()
        if self.reading is not None and self.reading.is_followed:
            self._foresee(self.reading)

    @work(thread=True, group="forecast", exclusive=True)
    def _foresee(self, reading: Reading) -> None:
        lowest = self.app.screen_stack[0]
        seen = lowest.triggers if isinstance(lowest, SessionsWork) else ()
        self.post_message(Foreseen(reading.forecast(seen), len(seen)))

    def on_foreseen(self, message: Foreseen) -> None:
        """Show the forecast in the top line."""
        self.forecast, self.learned_from = message.forecast, message.seen
        self._show_header()

    def _show_header(self) -> None:
        raise NotImplementedError

    def _weigh_soon(self) -> None:
        raise NotImplementedError

    @property
    def forecast_fact(self) -> list[Line]:
        """The forecast for the top line; none where there is none."""
        from ccbrowse.tui.viewmodels.forecast import forecast_line

        return [] if self.forecast is None else [forecast_line(self.forecast)]

    def on_status_line_chosen(self, event: StatusLine.Chosen) -> None:
        """Draw the curve of the context that is told, or say what the forecast rests on."""
        if event.part is Part.FACT:
            if event.number:
                self.action_forecast()
            else:
                self.action_curve()

    def action_forecast(self) -> None:
        """Say what the forecast rests on."""
        from ccbrowse.tui.viewmodels.forecast import NO_FORECAST, forecast_basis

        forecast = self.forecast
        words = NO_FORECAST if forecast is None else forecast_basis(forecast)
        self.notify(words, timeout=_READ_FOR, markup=False)
