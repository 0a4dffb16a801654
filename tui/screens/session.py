"""The session screen: segments on the rail, the timeline with the context curve, the detail."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content

from ccbrowse.core.kept import read_kept
from ccbrowse.core.lines import Growth
from ccbrowse.core.locate import SessionFile
from ccbrowse.core.text import SafeText, one_line
from ccbrowse.tui.reader.session import Closer, News, is_live
from ccbrowse.tui.reader.tail import TailView
from ccbrowse.tui.screens.openers import THE_END, Opener, Place
from ccbrowse.tui.screens.session_compaction import SessionCompactions
from ccbrowse.tui.screens.session_work import (
    Came,
    Detailed,
    Failed,
    Glimpsed,
    Looked,
    Opened,
    Weighed,
    glimpse_at_once,
)
from ccbrowse.tui.viewmodels.items import Step
from ccbrowse.tui.viewmodels.overview import Overview
from ccbrowse.tui.viewmodels.source import SessionRows
from ccbrowse.tui.viewtypes import Follow, HeaderView, Line, Piece, Tone
from ccbrowse.tui.virtual import VirtualList
from ccbrowse.tui.widgets.detail import Detail
from ccbrowse.tui.widgets.fill import Fill
from ccbrowse.tui.widgets.segments import Segments
from ccbrowse.tui.widgets.status import KeyBar, StatusLine
from ccbrowse.tui.widgets.timeline import Timeline

_WEIGH_AFTER = 0.4
_LIVE_EVERY = 5.0


class SessionScreen(SessionCompactions):
    """Shows one session, a subagent's or a branch; live where the file grows."""

    def __init__(
        self,
        opener: Opener,
        crumbs: tuple[SafeText, ...] = (),
        *,
        file: SessionFile | None = None,
        place: Place = THE_END,
        is_first: bool = False,
    ) -> None:
        super().__init__()
        self._is_first = is_first
        self._opener = opener
        self._crumbs = crumbs
        self._file = file
        self._place = place
        self._gone = False
        self._tail: TailView | None = None
        self._laid_out: SessionRows | None = None

    # Layout

    def compose(self) -> ComposeResult:
        """Top line, three panes, prompt, bottom line."""
        signs = self.host.signs
        yield StatusLine(signs=signs, id="status")
        with Horizontal(id="panes"):
            yield Segments(signs=signs, id="rail")
            with Vertical(id="middle"):
                yield Timeline(signs=signs, id="timeline")
                yield Fill(signs=signs, id="fill")
            yield Detail(signs=signs, id="detail")
        yield KeyBar(signs=signs, id="keys")

    def on_mount(self) -> None:
        """Name the panes and open the session."""
        for name in ("rail", "timeline", "fill", "detail"):
            self.query_one(f"#{name}").border_title = Content(_TITLES[name])
        self._show_header()
        if self._is_first and (tail := glimpse_at_once(self._file)) is not None:
            self._show_tail(tail)
            self.call_after_refresh(self.read, self._opener, None, self.lore)  # it is no haste now
        else:
            self.read(self._opener, self._file, self.lore)
        self.set_interval(_LIVE_EVERY, self._tick)

    def _tick(self) -> None:
        """What depends on the clock: whether the session lives, and which subagents are at work."""
        before, self.lore.now = self.lore.now, self.host.now()
        everyone = self.lore.everyone
        if any(a.is_running(before) != a.is_running(self.lore.now) for a in everyone):
            self.timeline.forget_look()
        self._show_header()

    def on_unmount(self) -> None:
        """Let go of the file; workers end by themselves."""
        if self._tail is not None:
            self._tail.close()
        if self.reading is not None:
            self.reading.close()

    def pane_changed(self) -> None:
        """The detail may have come into view, and the place in the top line is another."""
        if self.is_mounted:
            self._show_detail()
            self._show_header()

    def can_show(self, pane: str) -> bool:
        """The rail is left out of a branch's screen."""
        return pane != "rail" or not self.has_class("-no-rail")

    # From workers

    def on_glimpsed(self, message: Glimpsed) -> None:
        """Show the end of a large file."""
        if self.reading is None:
            self._show_tail(message.tail)

    def _show_tail(self, tail: TailView) -> None:
        self._tail = tail
        self.rows = SessionRows(tail, tail.step.items, self.lore)
        self.timeline.replace_rows(self.rows)
        self.timeline.follow()
        self.timeline.border_title = Content(_ITS_END)

    def on_opened(self, message: Opened) -> None:
        """Show the session, at its end or where it is wanted, and follow it."""
        self.reading = reading = message.reading
        self.lore.in_agent = reading.session.agent_id is not None
        self.lore.shared = reading.shared
        self.lore.kept = partial(read_kept, reading.session.file)
        glimpsed = self.rows is not None
        self.timeline.border_title = Content(_TITLES["timeline"])
        self._laid_out = message.rows
        self._take(message.news)
        opens_at = reading.opens_at if self._place == THE_END else None
        if opens_at is not None and self.rows is not None:
            self.timeline.move_to(self.rows.outline.near(opens_at), middle=True)
        elif not glimpsed or self._place != THE_END:
            self._go_to_place()
        if reading.is_followed:
            self.watch_files(reading, self.host.settings.polling)
        else:
            self.look_once(reading)

    def _go_to_place(self) -> None:
        place = self._place
        if place.uuid is not None and self.timeline.go_to(place.uuid, middle=True):
            return
        if place.segment is not None and 1 <= place.segment <= len(self.starts):
            self.timeline.move_to(self.starts[place.segment - 1])
            return
        self.timeline.follow()

    def on_failed(self, message: Failed) -> None:
        """Say why, and leave what never opened."""
        self.say(message.reason, "warning")
        if self.reading is None:
            self.leave()

    def on_came(self, message: Came) -> None:
        """Show what a look at the session brought."""
        news = message.news
        if news.growth is Growth.REMOVED:
            if not self._gone:
                self._gone = True
                self.say(SafeText("the file was removed; what was read stays"), "warning")
            self._show_header()
            return
        self._gone = False
        self._take(news)
        for words in news.toasts:
            self.say(words)

    def _take(self, news: News) -> None:
        """Take in items, boundaries, and the session as a whole."""
        reading = self.reading
        if reading is None:
            return
        lore = self.lore
        lore.boundaries |= news.boundaries
        lore.forks = news.forks
        lore.live = is_live(reading.session, self.host.now())
        if news.overview is not None:
            self._show_overview(news.overview)
        if news.step is not None:
            self._take_step(news.step)
        if news.answered:
            self._draw_anew(news.answered[-40:])
            self._show_detail(anew=True)

    def _take_step(self, step: Step) -> None:
        reading = self.reading
        assert reading is not None
        self.starts = step.starts
        if self.rows is None or step.anew or not self.rows.is_current:
            if not step.anew:
                return  # the whole of another file is on its way
            laid_out, self._laid_out = self._laid_out, None
            self.rows = laid_out or SessionRows(reading.session, step.items, self.lore)
            self.timeline.replace_rows(self.rows)
            self._show_detail(anew=True)
        elif len(step.items):
            self.rows.extend(step.items)
            self.timeline.grown()
        self._show_header()

    def _draw_anew(self, answered: Sequence[int]) -> None:
        """Draw the items of some of the session's rows again."""
        rows = self.rows
        if rows is None:
            return
        keys: list[str] = []
        for row in answered:
            number = rows.outline.first_of(row)
            while number is not None and number < len(rows) and rows.outline.rows[number] == row:
                keys.append(rows.key(number))
                number += 1
        for key in keys:
            self.lore.tokens.pop(key, None)
        self.timeline.changed(*keys)

    def on_looked(self, message: Looked) -> None:
        """Show subagents and findings."""
        closer: Closer = message.closer
        self.looked = True
        lore = self.lore
        changed = lore.agents != closer.agents or lore.findings != closer.findings
        lore.agents, lore.findings = dict(closer.agents), dict(closer.findings)
        lore.everyone, lore.now = closer.everyone, self.host.now()
        lore.forks = closer.forks
        self.listed = closer.listed
        self._show_overview(closer.overview)
        self._take_step(closer.step)
        if changed:
            self.timeline.forget_look()
            self._show_detail(anew=True)
        for words in closer.toasts:
            self.say(words)
        self._weigh_soon()

    def _show_overview(self, overview: Overview) -> None:
        self.overview = overview
        self.set_class(not overview.rail.segments, "-no-rail")
        with self.rail.prevent(VirtualList.Moved):
            self.rail.show(overview.rail)
        self.show_curve()
        self.timeline.caption = overview.caption
        self._show_header()

    # The cursor

    def on_virtual_list_moved(self, event: VirtualList.Moved) -> None:
        """Show what is under the cursor."""
        event.stop()
        if event.sender is self.rail:
            self._rail_moved(event.key)
        elif event.sender is self.timeline:
            self._show_detail()
            self._show_header()
            self._mark_segment()
            self._weigh_soon()

    def _rail_moved(self, key: str) -> None:
        """Go to the segment chosen on the rail."""
        if key.isdecimal() and self.rail.has_focus and 1 <= int(key) <= len(self.starts):
            if int(key) == self.segment_at_cursor:
                return
            self.timeline.move_to(self.starts[int(key) - 1], middle=False)

    def _mark_segment(self) -> None:
        """Keep the rail's cursor on the segment of the timeline's."""
        with self.rail.prevent(VirtualList.Moved):
            self.rail.go_to(str(self.segment_at_cursor))

    def _show_detail(self, anew: bool = False) -> None:
        """Show the item under the cursor in full, where the pane is in view."""
        detail, rows, key = self.detail, self.rows, self.timeline.cursor_key
        if rows is None or not self.sees_detail:
            return
        if not anew and detail.key == key:
            return
        self.lore.now = self.host.now()
        if rows.weight(key) <= self.lore.at_once or self.reading is None:
            self.present(rows.detail(key))
        else:
            self.make_detail(self.reading, rows, key)

    @property
    def sees_detail(self) -> bool:
        """Whether the detail is in view."""
        if self.has_class("-three") and not self.has_class("-full"):
            return True
        return self.at == "detail"

    def on_resize(self) -> None:
        """The detail may have come into view."""
        self.call_after_refresh(self._show_detail)

    def on_detailed(self, message: Detailed) -> None:
        """Show the detail that a worker made, if it is still wanted."""
        if message.key == self.timeline.cursor_key:
            self.present(message.view)

    # Tokens

    def _weigh_soon(self) -> None:
        """Look a little later what is still to be weighed: once the view rests."""
        self.is_weighed = False
        if self.weigh_timer is not None:
            self.weigh_timer.stop()
        self.weigh_timer = self.set_timer(_WEIGH_AFTER, self._weigh)

    def _weigh(self) -> None:
        """Let a worker estimate what is in view and what is under the cursor."""
        rows, reading = self.rows, self.reading
        if rows is None or reading is None or not rows.is_current:
            return
        numbers = [n for n in self.timeline.visible_rows if n < len(rows)]
        keys = [rows.key(number) for number in numbers if rows.is_weighed(number)]
        keys.append(self.timeline.cursor_key)
        wanted = [key for key in dict.fromkeys(keys) if key and key not in self.lore.tokens]
        self.is_weighed = not wanted and not self.look_for_losses()
        if wanted:
            self.weigh(reading, rows, wanted)

    def on_weighed(self, message: Weighed) -> None:
        """Show what a worker estimated."""
        self.lore.tokens |= message.tokens
        self._weigh_soon()
        self.timeline.changed(*message.tokens)
        if self.timeline.cursor_key in message.tokens:
            self._show_detail(anew=True)

    # The top line

    def on_timeline_follow_changed(self, event: Timeline.FollowChanged) -> None:
        """Say whether the session is followed."""
        event.stop()
        self._show_header()

    def _show_header(self) -> None:
        overview = self.overview
        crumbs = self._crumb_pieces(overview)
        facts: list[Line] = []
        if overview is not None:
            facts += [overview.context, *self.forecast_fact]
        status = self.query_one(StatusLine)
        status.show(HeaderView(crumbs, self._follow_state(), self.timeline.unread, tuple(facts)))

    def _crumb_pieces(self, overview: Overview | None) -> Line:
        if overview is None:
            name = one_line(self._file.session_id, 40) if self._file else SafeText("session")
            return (Piece(name, Tone.STRONG), Piece(SafeText("reading …"), Tone.MUTED))
        crumbs = [Piece(crumb, Tone.MUTED) for crumb in self._crumbs or (overview.project,)]
        crumbs.append(Piece(overview.title, Tone.STRONG))
        if overview.segments:
            place = f"segment {self.segment_at_cursor} of {overview.segments}"
            crumbs.append(Piece(SafeText(place)))
        if self.has_class("-one") and self.at != self.MAIN:
            crumbs.append(Piece(SafeText(_TITLES[self.at])))
        return tuple(crumbs)

    def _follow_state(self) -> Follow:
        reading = self.reading
        if self._gone:
            return Follow.GONE
        if reading is None or not reading.is_followed:
            return Follow.STILL
        live = is_live(reading.session, self.host.now())
        self.lore.live = live
        if self.timeline.following:
            return Follow.FOLLOWING if live else Follow.STILL
        return Follow.PAUSED if live or self.timeline.unread else Follow.STILL


_ITS_END = SafeText("timeline · its end; what stands above is being read …")
_TITLES = {"rail": "segments", "timeline": "timeline", "fill": "context", "detail": "detail"}
