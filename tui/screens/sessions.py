"""The sessions screen: projects on the rail, the table of sessions, a preview of the one chosen."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.timer import Timer

from ccbrowse.core.library import Listing
from ccbrowse.core.text import SafeText, display_text, one_line
from ccbrowse.tui.commands import SESSIONS, SESSIONS_FOOTER, Commands, Unread, bindings, first_key
from ccbrowse.tui.reader.library import LibraryReading, Prompts
from ccbrowse.tui.screens.copying import offer_copies
from ccbrowse.tui.screens.sessions_unread import SessionsUnread
from ccbrowse.tui.screens.sessions_work import Previewed, Read, Retained
from ccbrowse.tui.viewmodels.filtering import wrong_with
from ccbrowse.tui.viewmodels.groups import Group, grouped
from ccbrowse.tui.viewmodels.handing import copyables_of_session
from ccbrowse.tui.viewmodels.listing import (
    Order,
    Wanted,
    choose,
    is_live,
    key_of,
    list_words,
    preview,
    roots_words,
    view_of,
    why_none,
)
from ccbrowse.tui.viewmodels.shelves import Places, rail_items, root_labels
from ccbrowse.tui.viewmodels.unread import count_words, foot_words
from ccbrowse.tui.viewtypes import Follow, HeaderView, Line, Piece, Tone, line
from ccbrowse.tui.virtual import VirtualList
from ccbrowse.tui.widgets.choices import Choices
from ccbrowse.tui.widgets.lines import Lines
from ccbrowse.tui.widgets.status import KeyBar, StatusLine
from ccbrowse.tui.widgets.table import SessionTable, TableHead

if TYPE_CHECKING:
    from ccbrowse.core.indexer import Indexer
    from ccbrowse.tui.widgets.prompt import PromptLine

_REDRAW_AFTER, _REDRAW_SHARE, _REDRAW_BY = 0.2, 20, 1.5
"""Seconds after which the list shows what came; times as long as it took the last time, so that of the keys
that are pressed meanwhile few have to wait; and seconds that are the most."""

_AGES_EVERY = 15.0
_WAKES_AFTER = 0.5
_PREVIEW_AFTER = 0.1
_ORDERS, _GROUPS = tuple(Order), tuple(Group)
_PARTS = ("#status", "#projects", "#sessions", "#head", "#table", "#preview", "#keys")


class SessionsScreen(SessionsUnread):
    """Lists the sessions under some roots, newest first; rows come as they are read."""

    PANES: ClassVar[tuple[str, ...]] = ("projects", "table")
    MAIN: ClassVar[str] = "table"
    OWN: ClassVar[Commands] = SESSIONS
    FOOTER: ClassVar[Commands] = SESSIONS_FOOTER
    BINDINGS: ClassVar[list[BindingType]] = bindings(SESSIONS)

    def __init__(
        self,
        roots: Sequence[Path],
        indexer: Indexer | None = None,
        labels: Mapping[Path, str] | None = None,
        *,
        asleep: bool = False,
    ) -> None:
        super().__init__()
        self._asleep = asleep
        self._indexer = indexer
        self._roots = list(roots)
        self._prompts: dict[str, Prompts] = {}
        self._asked = ""
        self._wanted = Wanted()
        self._places = Places(root_labels(self._roots, labels))
        self._is_seen = True
        self._redraw: Timer | None = None
        self._took = 0.0
        self._preview_timer: Timer | None = None

    def compose(self) -> ComposeResult:
        """Top line, rail and table, preview, bottom line; nothing for now beneath what comes first."""
        if self._asleep:
            return
        signs = self.host.signs
        yield StatusLine(signs=signs, id="status")
        with Horizontal(id="panes"):
            yield Choices(signs=signs, id="projects")
            with Vertical(id="sessions"):
                yield TableHead(signs=signs, id="head")
                yield SessionTable(signs=signs, id="table")
        yield Lines(signs=signs, id="preview")
        yield KeyBar(signs=signs, id="keys")

    def on_mount(self) -> None:
        """Begin to read, and name the panes."""
        reading = LibraryReading(self._roots, self._indexer)
        self.take(reading.look())
        if self._asleep:
            self.set_timer(_WAKES_AFTER, self._wake)
        else:
            self._name_panes()
            self._show_all()
        if self._listings:  # the worker would take the processor from the first paint
            self.call_after_refresh(self.read_library, reading)
        else:
            self.read_library(reading)
        self.set_interval(_AGES_EVERY, self._show_all)

    def _name_panes(self) -> None:
        self.query_one("#projects").border_title = Content("projects")
        self.query_one("#sessions").set_class(self.host.signs.plain, "-plain")

    async def _wake(self) -> None:
        """Make the panes that were put off: what lies above has had its first paint."""
        if not self._asleep or not self.is_attached:
            return
        self._asleep = False
        await self.recompose()
        if all(self.query(part) for part in _PARTS):  # it may be left meanwhile, part by part
            self._name_panes()
            self._show_all()
            self.make_ready()

    def on_unmount(self) -> None:
        """End the child process, so that nobody waits for it."""
        if self._indexer is not None:
            self._indexer.close()

    def on_screen_suspend(self) -> None:
        """Another screen is on top: nothing needs to be listed anew."""
        self._is_seen = False

    async def on_screen_resume(self) -> None:
        """The list is seen again; what changed meanwhile is listed at the next look."""
        if not self._is_seen:
            await self._wake()
        self._is_seen = True

    @property
    def table(self) -> SessionTable:
        """The main pane."""
        return self.query_one(SessionTable)

    def on_read(self, message: Read) -> None:
        """Take in sessions; the screen follows a little later, once for all that come meanwhile."""
        batch = message.batch
        first = not self._listings
        if message.worktrees:
            known = self._places.worktrees
            self._places = replace(self._places, worktrees={**known, **message.worktrees})
        self.take(batch)
        for listing in batch.new:
            title = one_line(listing.title.text, 50) or SafeText("without a title")
            self.say(SafeText(f"new session · {title}"))
        if batch.trouble:
            self.say(one_line(batch.trouble, 200))
        self._done = self._done or batch.done
        if first or batch.done:
            self._show_all()
        elif self._redraw is None:
            after = min(max(_REDRAW_AFTER, _REDRAW_SHARE * self._took), _REDRAW_BY)
            self._redraw = self.set_timer(after, self._show_all)

    def on_retained(self, message: Retained) -> None:
        """Take in how long the client keeps sessions."""
        self._places = replace(self._places, retention=message.retention)

    # Showing

    def _show_all(self) -> None:
        """Show what is wanted of what was read."""
        if self._asleep:
            return
        self._redraw, begun = None, time.monotonic()
        now = self.host.now()
        every = list(self._listings.values())
        places, dated = self._places, self.host.settings.time == "absolute"
        found = choose(every, self._wanted, now, places)
        found, headings = grouped(found, self._wanted.group, now, places)
        listings = dict(self._listings)
        roots = [display_text(label) for label in places.labels.values()]
        wanted, known = self._wanted, len(every)
        self.table.say_instead(why_none(wanted, roots, read=self._done, known=known))
        self.table.show(
            [key_of(listing) for listing in found],
            lambda key: view_of(listings[key], now, places, dated=dated),
            self._wanted.one_project,
            headings,
        )
        self.query_one(TableHead).show(self._wanted)
        self._show_projects(every)
        self._show_header(every, found, now)
        self._took = time.monotonic() - begun

    def _show_projects(self, every: Sequence[Listing]) -> None:
        items = rail_items(every, self._places)
        rail = self.query_one("#projects", Choices)
        with rail.prevent(VirtualList.Moved):
            rail.show(items)

    def _show_header(self, every: Sequence[Listing], found: Sequence[Listing], now: int) -> None:
        live = sum(is_live(listing, now) for listing in every)
        counts = count_words(len(every), *self.files_listed, read=self._done)
        facts: list[Line] = [line((counts, Tone.STRONG))]
        if live:
            facts.append(line((SafeText("● "), Tone.GOOD), SafeText(f"{live} live")))
        facts.append(line((roots_words(self._places), Tone.MUTED)))
        crumbs = (Piece(SafeText("ccbrowse"), Tone.MUTED), Piece(SafeText("sessions"), Tone.STRONG))
        self.query_one(StatusLine).show(HeaderView(crumbs, Follow.STILL, 0, tuple(facts)))
        frame = self.query_one("#sessions")
        frame.border_title = Content(self.host.signs.text(list_words(self._wanted, self._places)))
        key = first_key(Unread, self.host.keymap_in_use)
        foot = foot_words(len(found), len(every), len(self.unreadable), key)
        frame.border_subtitle = Content(self.host.signs.text(foot))

    # The cursor

    @property
    def chosen(self) -> Listing | None:
        """The session under the cursor."""
        return self._listings.get(self.table.cursor_key)

    @property
    def place(self) -> str:
        """The session under the cursor."""
        return self.table.cursor_key if self.query(SessionTable) else ""

    def arrive(self, key: str) -> bool:
        """Go to a session."""
        return bool(key) and self.table.go_to(key)

    def on_virtual_list_moved(self, event: VirtualList.Moved) -> None:
        """Show the preview of the session; show a project's sessions."""
        event.stop()
        if event.sender is self.table:
            self._show_preview()
        elif self.query_one("#projects").has_focus and event.key != self._wanted.project:
            self._wanted = replace(self._wanted, project=event.key)
            self._show_all()

    def _show_preview(self) -> None:
        listing = self.chosen
        view = self.query_one(Lines)
        if listing is None:
            view.show([])
            return
        prompts = self._prompts.get(key_of(listing))
        nothing = SafeText("")
        first, last = (prompts.first, prompts.last) if prompts else (nothing, nothing)
        view.show(preview(listing, first, last, self.host.now(), self._places))
        if self._preview_timer is not None:
            self._preview_timer.stop()
        key = key_of(listing)
        if (prompts is None or key in self._old_prompts) and self._asked != key:
            self._preview_timer = self.set_timer(_PREVIEW_AFTER, lambda: self._ask_prompts(listing))

    def _ask_prompts(self, listing: Listing) -> None:
        # What is known is shown until then: a session that grows would never show any.
        self._asked = key_of(listing)
        self._old_prompts.discard(self._asked)
        self.read_preview(listing)

    def on_previewed(self, message: Previewed) -> None:
        """Show the prompts that were read."""
        self._prompts[message.prompts.key] = message.prompts
        if self._asked == message.prompts.key:
            self._asked = ""
        if self.table.cursor_key == message.prompts.key:
            self._show_preview()

    def on_virtual_list_opened(self, event: VirtualList.Opened) -> None:
        """Open the session, or go from a project to its sessions."""
        event.stop()
        listing = self.chosen
        if event.sender is not self.table:
            self.go_to_pane("table")
        elif listing is not None:
            self._open(listing)

    def _open(self, listing: Listing) -> None:
        # Here and not above: the list is on the screen before all else is loaded.
        from ccbrowse.tui.screens.openers import open_file
        from ccbrowse.tui.screens.session import SessionScreen

        self.app.push_screen(
            SessionScreen(open_file(listing.file, self.host.cache_roots), file=listing.file)
        )

    # Keys

    def action_back(self) -> None:
        """Leave the filter, the project, then the app."""
        if not self._wanted.is_all:
            self._wanted = replace(self._wanted, query="", project="", active=False)
            self.query_one("#projects", Choices).move_to(0)
            self._show_all()
            self.go_to_pane(self.MAIN)
        else:
            super().action_back()

    def leave(self) -> None:
        """The lowest screen ends the app."""
        self.app.exit()

    async def action_filter(self) -> None:
        """Ask for words; the table follows while they are typed."""
        await self.ask("filter", SafeText("/"), self._wanted.query)

    def on_prompt_line_changed(self, event: PromptLine.Changed) -> None:
        """Show the sessions with these words."""
        event.stop()
        self._wanted = replace(self._wanted, query=event.text)
        self._show_all()
        self._explain(event.text)

    def _explain(self, words: str) -> bool:
        """Say under the prompt what of a filter cannot be read; False where all of it can."""
        from ccbrowse.tui.widgets.prompt import PromptLine

        wrong = wrong_with(words, self.host.now())
        if wrong is not None:
            self.query_one(PromptLine).explain(wrong)
        return wrong is not None

    async def on_prompt_line_submitted(self, event: PromptLine.Submitted) -> None:
        """Keep the words, and go to the table; what cannot be read is asked for again."""
        event.stop()
        self._wanted = replace(self._wanted, query=event.text)
        self._show_all()
        self.go_to_pane(self.MAIN)
        if wrong_with(event.text, self.host.now()) is not None:
            await self.action_filter()
            self._explain(event.text)

    def on_prompt_line_cancelled(self, event: PromptLine.Cancelled) -> None:
        """Forget the words."""
        event.stop()
        self._wanted = replace(self._wanted, query="")
        self._show_all()
        self.go_to_pane(self.MAIN)

    def action_sort(self) -> None:
        """Sort by the next column."""
        after = _ORDERS[(_ORDERS.index(self._wanted.order) + 1) % len(_ORDERS)]
        self._wanted = replace(self._wanted, order=after)
        self._show_all()

    def action_reverse(self) -> None:
        """Reverse the order."""
        self._wanted = replace(self._wanted, reverse=not self._wanted.reverse)
        self._show_all()

    def on_table_head_chosen(self, event: TableHead.Chosen) -> None:
        """Sort by the column; the other way round where it sorts already."""
        event.stop()
        again = event.order is self._wanted.order
        turned = not self._wanted.reverse if again else False
        self._wanted = replace(self._wanted, order=event.order, reverse=turned)
        self._show_all()

    def action_group(self) -> None:
        """Put the sessions under headings: by project, by date, or none."""
        after = _GROUPS[(_GROUPS.index(self._wanted.group) + 1) % len(_GROUPS)]
        self._wanted = replace(self._wanted, group=after)
        self._show_all()

    def action_active(self) -> None:
        """Show live sessions only, or all."""
        self._wanted = replace(self._wanted, active=not self._wanted.active)
        self._show_all()

    def action_copy(self) -> None:
        """Copy the title."""
        listing = self.chosen
        if listing is not None:
            self.host.copy_to_clipboard(display_text(listing.title.text))
            self.say(SafeText("copied the title"))

    def action_copy_place(self) -> None:
        """Choose what to copy of the session: its title, id, file, place, the command that resumes it."""
        if (listing := self.chosen) is not None:
            offer_copies(self, copyables_of_session(listing))

    def resume_target(self) -> tuple[str, str | None] | None:
        """The session under the cursor."""
        listing = self.chosen
        return None if listing is None else (listing.session_id, listing.cwd)
