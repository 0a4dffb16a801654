"""The compaction screen: what a compaction lost, the requests around it, and a captured one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.timer import Timer

from ccbrowse.core.lines import Growth
from ccbrowse.core.segments import Segment
from ccbrowse.core.text import SafeText, display_text, one_line
from ccbrowse.tui.commands import Commands, bindings, footer
from ccbrowse.tui.reader.compaction import Desk, opened_segments
from ccbrowse.tui.screens.compaction_commands import COMPACTION, FOOTERS
from ccbrowse.tui.screens.compaction_find import FindView
from ccbrowse.tui.screens.compaction_loss import Spot
from ccbrowse.tui.screens.compaction_work import Asked, Figured, Lost, Progress, Trouble
from ccbrowse.tui.viewmodels import compaction as views
from ccbrowse.tui.viewmodels.compaction_loss import item_text
from ccbrowse.tui.viewmodels.overview import title_words
from ccbrowse.tui.viewtypes import HeaderView, Line, Piece, Tone
from ccbrowse.tui.virtual import VirtualList
from ccbrowse.tui.widgets.detail import Detail
from ccbrowse.tui.widgets.entrylist import EntryList
from ccbrowse.tui.widgets.losstable import LossGrid
from ccbrowse.tui.widgets.notes import Notes
from ccbrowse.tui.widgets.status import KeyBar, Part, StatusLine
from ccbrowse.tui.widgets.summary import SummaryPane

LOSS, PAYLOAD, CAPTURE = range(3)
"""The views."""

_PANES = {
    LOSS: ("grid", "items", "summary", "facts"),
    PAYLOAD: ("before", "after", "message"),
    CAPTURE: ("pairs", "pair"),
}
_CLASSES = {LOSS: "-loss", PAYLOAD: "-payload", CAPTURE: "-capture"}
_MAIN = {LOSS: "items", PAYLOAD: "before", CAPTURE: "pairs"}
_STUDY_AFTER = 0.5
"""Seconds after which a compaction is looked at again that grows: rows come in bursts."""

_TABS = 100
"""Columns from which on all views are named."""

_ONE_LINE = 140
"""Columns from which on both figures after stand beside each other."""

_LEADS_TO = {"grid": "items", "before": "message", "after": "message", "pairs": "pair"}
_TITLES = {
    "grid": "what became of it",
    "items": "items",
    "summary": "summary",
    "facts": "the compaction",
    "figures": "what was sent",
    "before": "before",
    "after": "after",
    "message": "message",
    "captured": "captured request",
    "pairs": "blocks",
    "pair": "block",
}


class CompactionScreen(FindView):
    """Shows one compaction of a session, or of a subagent's; `jump` is given a row of the session."""

    CSS_PATH = "compaction.tcss"
    PANES: ClassVar[tuple[str, ...]] = tuple(pane for panes in _PANES.values() for pane in panes)
    MAIN: ClassVar[str] = "items"
    OWN: ClassVar[Commands] = COMPACTION
    FOOTER: ClassVar[Commands] = FOOTERS[0]
    BINDINGS: ClassVar[list[BindingType]] = bindings(COMPACTION)

    def __init__(
        self,
        desk: Desk,
        number: int,
        view: int = LOSS,
        jump: Callable[[int], None] | None = None,
        spots: dict[int, Spot] | None = None,
    ) -> None:
        super().__init__(desk, number, {} if spots is None else spots)
        self.view = view
        self._jump = jump
        self.opened_segments: list[Segment] = opened_segments(desk.given)
        """The segments that compactions opened, when the session was looked at last."""
        self._awaiting: Timer | None = None
        self._has_grown = False

    # Layout

    def compose(self) -> ComposeResult:
        """Top line, the panes of all views, prompt, bottom line."""
        signs = self.host.signs
        yield StatusLine(signs=signs, id="status")
        with Vertical(id="loss"):
            with Horizontal(id="top"):
                yield LossGrid(signs=signs, id="grid")
                yield Detail(signs=signs, id="facts")
            with Horizontal(id="bottom"):
                with Vertical(id="list"):
                    yield EntryList(signs=signs, id="items")
                    yield Notes(signs=signs, id="verdict")
                yield SummaryPane(signs=signs, id="summary")
        with Vertical(id="payload"):
            yield Notes(signs=signs, id="figures")
            with Horizontal(id="requests"):
                yield EntryList(signs=signs, id="before")
                yield EntryList(signs=signs, id="after")
                yield Detail(signs=signs, id="message")
        with Vertical(id="capture"):
            yield Notes(signs=signs, id="captured")
            with Horizontal(id="blocks"):
                yield EntryList(signs=signs, id="pairs")
                yield Detail(signs=signs, id="pair")
        yield KeyBar(signs=signs, id="keys")

    def on_mount(self) -> None:
        """Name the panes, show what is known, let the rest be worked out."""
        for name, title in _TITLES.items():
            self.query_one(f"#{name}").border_title = Content(title)
        self.call_after_refresh(
            lambda: self.show_view(self.view)
        )  # another may be asked for by then

    def on_resize(self) -> None:
        """Top line and bars are as wide as there is room."""
        if self.query(KeyBar):
            self._show_header()
            self.show_figures()

    def can_show(self, pane: str) -> bool:
        """The panes of the view."""
        return pane in _PANES[self.view]

    def pane_changed(self) -> None:
        """The place in the top line is another."""
        if self.is_mounted:
            self._show_header()

    def action_back(self) -> None:
        """Leave a search, the full screen, the pane, then the screen."""
        if self.leave_search():
            return
        if self.at != _MAIN[self.view] and not self.has_class("-full"):
            self.go_to_pane(_MAIN[self.view])
        elif self.has_class("-full"):
            self.remove_class("-full")
        else:
            self.leave()

    def leave(self) -> None:
        """Close the screen, and know where the reader was."""
        self.remember()
        super().leave()

    # Views and compactions

    def action_view(self, key: int) -> None:
        """Show another view, by its key."""
        self.show_view(key - 1)

    def on_status_line_chosen(self, event: StatusLine.Chosen) -> None:
        """Show the view whose name or key was clicked."""
        if event.part is Part.FACT and event.number == 0:
            view = views.view_named(event.words)
            if view is not None:
                self.show_view(view)

    def action_compaction(self, view: int) -> None:
        """Show another view, by the key that opens it from a session."""
        self.show_view(view)

    def show_view(self, view: int) -> None:
        """Show a view of the compaction, and let it be worked out."""
        # All in one: each change of a class styles every widget anew.
        self.remove_class(_CLASSES[self.view], f"-at-{self.at}", update=False)
        self.view = view
        self.add_class(_CLASSES[view], f"-at-{_MAIN[view]}")
        self.go_to_pane(_MAIN[view])
        self.query_one(KeyBar).show(footer(FOOTERS[view], self.host.keymap_in_use))
        self._show_known()
        self.study(self.desk, self.number, view)

    def action_boundary(self, step: int) -> None:
        """Go to another compaction of the session."""
        number = self.number + step
        if not 1 <= number <= len(self.opened_segments):
            words = "there is no compaction before" if step < 0 else "this is the newest compaction"
            self.say(SafeText(words), "warning")
            return
        self.remember()
        self.number = number
        self.recall()
        self.forget()
        self.show_view(self.view)

    # While the session grows

    def session_grew(self, growth: Growth) -> None:
        """The file has grown, or was written anew: show what is new of this compaction, tell of others."""
        before, opened = len(self.opened_segments), opened_segments(self.desk.given)
        if not opened:
            if self.is_current:
                self.leave()
            return
        self.opened_segments = opened
        if growth is Growth.RESET or self.number > len(opened):
            self.number = min(self.number, len(opened))
            self.forget()
            self.show_view(self.view)
        else:
            self._has_grown = True
            self._await()
        if len(opened) > before:
            self.say(SafeText(f"compaction {len(opened)} came: }} goes there"))
        self._show_header()

    def _await(self) -> None:
        """Look again soon where what follows the compaction is to come; not while one still looks."""
        found = self.found
        if found is None or found.after is not None or self.number < len(self.opened_segments):
            return
        still_looks = {
            LOSS: found.loss is None and found.closes is not None,
            PAYLOAD: self.requests is None,
        }
        if self._has_grown and not still_looks.get(self.view) and self._awaiting is None:
            self._awaiting = self.set_timer(_STUDY_AFTER, self._study_anew)

    def _study_anew(self) -> None:
        self._awaiting, self._has_grown = None, False
        self.study(self.desk, self.number, self.view)

    def _show_known(self) -> None:
        """Show what is known without any work."""
        self._show_header()
        if self.view == LOSS:
            self.show_facts(self.opened_segments[self.number - 1])
            self.show_loss()
        elif self.view == PAYLOAD:
            self.show_figures()
        else:
            self.show_capture()

    def show_capture_view(self) -> None:
        """Come to the capture view."""
        self.show_view(CAPTURE)

    def action_part(self, step: int) -> None:
        """List another bucket; of a captured request all blocks, or those that differ."""
        if self.view == LOSS:
            super().action_part(step)
        elif self.view == CAPTURE and self.captured is not None:
            self.only_differences()

    def _show_header(self) -> None:
        opened = self.opened_segments
        boundary = opened[self.number - 1].boundary
        crumbs = [
            Piece(one_line(title_words(self.desk.given), 60), Tone.STRONG),
            Piece(SafeText(f"compact {self.number:,} of {len(opened)}")),
        ]
        facts: list[Line] = [views.tabs(self.view, self.size.width < _TABS)]
        if boundary is not None:
            told = views.headlines(boundary, self.found)
            wide = self.size.width >= _ONE_LINE
            between = Piece(SafeText(" "))
            joined = tuple(piece for part in told for piece in (*part, between))
            facts += [joined] if wide else told
        self.query_one(StatusLine).show(HeaderView(tuple(crumbs), facts=tuple(facts)))

    # From workers

    def on_figured(self, message: Figured) -> None:
        """Show the figures."""
        found, known = message.found, self.found
        if found.number != self.number:
            return
        if known is not None and known.boundary.row == found.boundary.row:
            found = replace(found, loss=known.loss)
        self.found = found
        self._show_known()

    def on_lost(self, message: Lost) -> None:
        """Show the losses."""
        if message.found.number == self.number:
            self.found = message.found
            self._show_known()
            self._await()

    def on_asked(self, message: Asked) -> None:
        """Look again where the file has grown meanwhile, once the requests are shown."""
        self.call_later(self._await)

    def on_progress(self, message: Progress) -> None:
        """Say how far it is."""
        if message.number == self.number:
            self.show_progress(message.share)

    def on_trouble(self, message: Trouble) -> None:
        """Say what went wrong."""
        self.say(message.reason, "warning")
        self.captured = None
        self._show_known()
        if message.number == self.number and self.view != CAPTURE:
            for name in ("items", "before", "after"):
                self.query_one(f"#{name}", EntryList).clear(message.reason)

    # Out of the app

    def action_copy(self) -> None:
        """Copy the item, the message or the block under the cursor; of the summary all of it."""
        text = self.text_at_cursor() if self.view != LOSS else self._loss_text()
        if text:
            self.host.copy_to_clipboard(text)
            self.say(SafeText("copied"))

    def _loss_text(self) -> SafeText:
        found, item = self.found, self.item_at_cursor
        if self.at == "summary" and found is not None and found.summary is not None:
            return SafeText(display_text(found.summary.text, newlines=True))
        return item_text(item) if item is not None else SafeText("")

    def action_export(self) -> None:
        """Write the losses, or a segment beside the compaction, to a file."""
        from ccbrowse.tui.screens.export import ExportDialog
        from ccbrowse.tui.screens.export_scopes import scopes_of_loss

        found = self.found
        if found is None or (found.loss is None and found.closes is not None):
            self.say(SafeText("the losses are still being looked for"), "warning")
            return
        scopes = scopes_of_loss(found.number, found.closes, found.opens)
        self.app.push_screen(ExportDialog(self.desk.given, scopes), self._exported)

    def _exported(self, words: SafeText | None) -> None:
        if words:
            self.say(words)

    # Items

    def on_virtual_list_opened(self, event: VirtualList.Opened) -> None:
        """Go to the original of an item; from the table to the list, from a row to all of it."""
        event.stop()
        pane = _LEADS_TO.get(event.sender.id or "")
        if pane is not None:
            self.go_to_pane(pane)
        elif (item := self.item_at_cursor) is not None and self._jump is not None:
            self.leave()
            self._jump(item.row)
