"""The search screen: words looked for in all sessions; hits come while files are read, and stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual import work
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.worker import get_current_worker

from ccbrowse.core.errors import BadQuery
from ccbrowse.core.listing import Listing
from ccbrowse.core.locate import SessionFile
from ccbrowse.core.search import Hit, slip
from ccbrowse.core.search.child import News, Request
from ccbrowse.core.text import SafeText, display_text
from ccbrowse.tui.commands import Commands, bindings
from ccbrowse.tui.reader.search import Searcher
from ccbrowse.tui.screens.base import Paned
from ccbrowse.tui.screens.search_commands import SEARCH, SEARCH_FOOTER
from ccbrowse.tui.screens.trail import Stop
from ccbrowse.tui.viewmodels import searching as words
from ccbrowse.tui.viewmodels.finding import LITERAL, How, explain, wanted_of
from ccbrowse.tui.viewmodels.hits import HitRows, preview
from ccbrowse.tui.viewmodels.searching import Progress
from ccbrowse.tui.viewtypes import HeaderView
from ccbrowse.tui.virtual import VirtualList
from ccbrowse.tui.widgets.hitlist import HitList
from ccbrowse.tui.widgets.lines import Lines
from ccbrowse.tui.widgets.status import KeyBar, StatusLine

if TYPE_CHECKING:
    from ccbrowse.tui.widgets.prompt import PromptLine

NAME = "search"
"""The screen is kept under this name: it is found again as it was left."""


@dataclass
class Found(Message):
    """How far a search has come."""

    number: int
    news: News


class SearchScreen(Paned):
    """Searches all sessions under some roots. One screen an app: results stay until the next search."""

    CSS_PATH = "search.tcss"
    PANES: ClassVar[tuple[str, ...]] = ("hits",)
    MAIN: ClassVar[str] = "hits"
    OWN: ClassVar[Commands] = SEARCH
    FOOTER: ClassVar[Commands] = SEARCH_FOOTER
    BINDINGS: ClassVar[list[BindingType]] = bindings(SEARCH)

    def __init__(self, roots: Sequence[Path], text: str = "", how: How = LITERAL) -> None:
        super().__init__()
        self.stop.again = _show_again
        self._roots = tuple(roots)
        self._searcher = Searcher()
        self._first = text, how
        self._text, self._how = "", LITERAL
        self._number = 0
        self.rows = HitRows()
        """What was found."""
        self.progress = Progress()
        """How far it is."""

    def compose(self) -> ComposeResult:
        """Top line, hits, the hit under the cursor in full, prompt, bottom line."""
        signs = self.host.signs
        yield StatusLine(signs=signs, id="status")
        with Vertical(id="panes"):
            yield HitList(signs=signs, id="hits")
            yield Lines(signs=signs, id="hit")
        yield KeyBar(signs=signs, id="keys")

    def on_mount(self) -> None:
        """Have a process ready, and ask what to search."""
        self._prepare()
        self._show_all()

    async def begin(self) -> None:
        """Search what was given, else ask; what is typed meanwhile is meant for that."""
        if self._first[0]:
            await self.search(*self._first)
        else:
            await self.action_find()

    def on_unmount(self) -> None:
        """End what is running."""
        self._searcher.close()

    @property
    def hit_list(self) -> HitList:
        """The hits."""
        return self.query_one(HitList)

    # Searching

    @work(thread=True, group="prepare")
    def _prepare(self) -> None:
        self._searcher.prepare()

    @work(thread=True, group="search")
    def _search(self, number: int, request: Request) -> None:
        worker = get_current_worker()

        def stop() -> bool:
            return worker.is_cancelled or number != self._number

        def emit(news: News) -> None:
            if not stop():
                self.post_message(Found(number, news))

        self._searcher.search(request, emit, stop)
        self._searcher.prepare()

    async def search(self, text: str, how: How = LITERAL) -> None:
        """Search; where the words cannot be read, say so in place and ask again."""
        try:
            wanted = wanted_of(text, how)
        except BadQuery as error:
            await self._ask(text, how)
            self._prompt().explain(explain(error, text))
            return
        self._text, self._how = text, how
        self._stop()
        listings = self._listings()
        files = None
        if listings is not None:
            kept = [each for each in listings if wanted.accepts(each)]
            kept.sort(key=lambda each: each.sort_key, reverse=True)
            files = tuple(each.file for each in kept)
        self.rows = HitRows(self._about)
        self.progress = Progress(searching=True, count=len(files or ()), lost=bool(wanted.lost))
        self.hit_list.show(self.rows)
        self._show_all()
        cached = self.host.cache_roots is not None
        request = Request(text, how.regex, how.case, how.word, self._roots, files, cached)
        self._search(self._number, request)

    def _stop(self) -> None:
        """Give up the search that is on; what it says from now on is not heard."""
        self._number += 1
        self._searcher.stop()

    def on_found(self, message: Found) -> None:
        """Show what came."""
        if message.number != self._number:
            return
        news = message.news
        self.rows.add(news.hits)
        self.progress = self.progress.after(news)
        self.hit_list.grown(self._words())
        self._show_all()

    # What is known of the sessions

    def _listings(self) -> Sequence[Listing] | None:
        """All sessions, where the list has read them; else None."""
        from ccbrowse.tui.screens.sessions import SessionsScreen

        lowest = self.app.screen_stack[0]
        if isinstance(lowest, SessionsScreen) and lowest.is_read:
            return list(lowest.listings.values())
        return None

    def _about(self, file: Path) -> SafeText:
        from ccbrowse.tui.screens.sessions import SessionsScreen

        lowest = self.app.screen_stack[0]
        listing = None
        if isinstance(lowest, SessionsScreen):
            listing = lowest.listings.get(str(file))
        return words.about(listing, self.host.now())

    # Showing

    def _words(self) -> Sequence[Any]:
        hint = "" if self._how.regex else slip(self._text)
        return words.nothing_words(self._text, self.progress, hint)

    def _show_all(self) -> None:
        hits = self.hit_list
        if not len(self.rows):
            hits.grown(self._words())
        hits.border_title = Content(words.title_words(self._text, self._how))
        self._show_place()
        facts = words.facts(self.rows, self.progress)
        self.query_one(StatusLine).show(HeaderView(words.CRUMBS, facts=facts))

    def _show_place(self) -> None:
        hits = self.hit_list
        count = len(self.rows.hits)
        at = self.rows.position(hits.cursor)
        hits.border_subtitle = Content(SafeText(f"{at:,} of {count:,}" if count else ""))
        view = self.query_one("#hit", Lines)
        size = view.content_size
        view.show(preview(self.rows.hit(hits.cursor), max(20, size.width), max(2, size.height)))

    def on_virtual_list_moved(self, event: VirtualList.Moved) -> None:
        """Show the hit in full."""
        event.stop()
        self._show_place()

    def on_resize(self) -> None:
        """The hit in full is as wide as there is room."""
        self.call_after_refresh(self._show_place)

    # Keys

    async def _ask(self, text: str, how: How) -> None:
        await self.ask("search", SafeText("/"), text, how)

    def _prompt(self) -> PromptLine:
        from ccbrowse.tui.widgets.prompt import PromptLine

        return self.query_one(PromptLine)

    async def action_find(self) -> None:
        """Ask what to search."""
        await self._ask(self._text, self._how)

    async def action_search_all(self) -> None:
        """The same: it is this screen."""
        await self.action_find()

    def on_prompt_line_changed(self, event: PromptLine.Changed) -> None:
        """Say at once what cannot be read; nothing is searched before enter."""
        event.stop()
        if not event.text.strip():
            return
        try:
            wanted_of(event.text, event.how)
        except BadQuery as error:
            if error.where:
                self._prompt().explain(explain(error, event.text))

    async def on_prompt_line_submitted(self, event: PromptLine.Submitted) -> None:
        """Search."""
        event.stop()
        self.go_to_pane(self.MAIN)
        if event.text.strip():
            await self.search(event.text, event.how)
        elif not self._text:
            self.leave()

    def on_prompt_line_cancelled(self, event: PromptLine.Cancelled) -> None:
        """Back to the hits; where nothing was searched yet, back to where one came from."""
        event.stop()
        self.go_to_pane(self.MAIN)
        if not self._text:
            self.leave()

    async def action_found(self, step: int) -> None:
        """Go to the next hit, or the one before."""
        if not self.hit_list.step(step) and self.rows.hits:
            end = "last" if step > 0 else "first"
            self.say(SafeText(f"this is the {end} hit"))

    def action_part(self, step: int) -> None:
        """Go to the hits of another session."""
        self.hit_list.step_session(step)

    def action_back(self) -> None:
        """Stop the search, then leave; what was found stays."""
        if self.progress.searching:
            self._stop()
            self.progress = self.progress.stopped_now()
            self._show_all()
        else:
            super().action_back()

    def action_copy(self) -> None:
        """Copy the words around the match."""
        hit = self.rows.hit(self.hit_list.cursor)
        if hit is not None:
            self.host.copy_to_clipboard(display_text(hit.snippet.text))
            self.say(SafeText("copied"))

    def action_copy_place(self) -> None:
        """Copy the record's id, and its file and line."""
        hit = self.rows.hit(self.hit_list.cursor)
        if hit is not None:
            place = f"{hit.file}:{hit.line}" if hit.line is not None else str(hit.file)
            self.host.copy_to_clipboard(display_text(f"{hit.uuid or ''} {place}".strip()))
            self.say(SafeText("copied id and path"))

    # Opening

    def on_virtual_list_opened(self, event: VirtualList.Opened) -> None:
        """Open the message where it stands."""
        event.stop()
        hit = self.rows.hit(self.hit_list.cursor)
        if hit is not None:
            self.open_hit(hit)

    def open_hit(self, hit: Hit) -> None:
        """Open the session of a hit at its record: on the main line, an arm, or in a subagent."""
        from ccbrowse.tui.screens.openers import Place, Sought, open_hit
        from ccbrowse.tui.screens.session import SessionScreen
        from ccbrowse.tui.screens.session_work import words_of

        try:
            file = self._file_of(hit)
        except OSError as error:  # it went since it was searched
            self.say(words_of(error), "warning")
            return
        sought = Sought(self._text, self._how, hit.row, hit.part, hit.start)
        place = Place(uuid=hit.uuid, sought=sought)
        crumbs = words.crumbs_of(hit)
        own = file if not hit.agent_id and hit.on_main_line else None
        screen = SessionScreen(open_hit(file, hit), crumbs, file=own, place=place)

        def again(beneath: Paned, stop: Stop, key: str) -> bool:
            at = Place(uuid=key or hit.uuid)
            anew = SessionScreen(open_hit(file, hit), crumbs, file=own, place=at)
            anew.stop = stop
            beneath.app.push_screen(anew)
            return True

        screen.stop.again = again
        self.app.push_screen(screen)

    @property
    def place(self) -> str:
        """The hit under the cursor."""
        return str(self.hit_list.cursor) if self.hit_list.count else ""

    def arrive(self, key: str) -> bool:
        """Go to a hit."""
        if not key.isdecimal() or int(key) >= self.hit_list.count:
            return False
        self.hit_list.move_to(int(key))
        return True

    def _file_of(self, hit: Hit) -> SessionFile:
        from ccbrowse.core.locate import session_file

        root = next((r for r in self._roots if hit.session_file.is_relative_to(r)), None)
        return session_file(hit.session_file, root)


def _show_again(beneath: Paned, stop: Stop, key: str) -> bool:
    """The screen of the search is kept."""
    app = beneath.app
    if not app.is_screen_installed(NAME):
        return False
    app.push_screen(NAME)
    return True


async def open_search(
    app: App[Any], roots: Sequence[Path], text: str = "", how: How = LITERAL
) -> None:
    """Show the search screen of an app, as it was left; where it is new, search for a text."""
    if not app.is_screen_installed(NAME):
        new = SearchScreen(roots, text, how)
        app.install_screen(new, NAME)
        await app.push_screen(NAME)
        await new.begin()
        return
    screen = app.get_screen(NAME)
    if screen in app.screen_stack:
        while app.screen is not screen:
            await app.pop_screen()
    else:
        await app.push_screen(NAME)
