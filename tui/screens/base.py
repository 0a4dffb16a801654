"""What all screens share: panes beside one another, as many as there is room for, and common keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Protocol, cast

from textual import events
from textual.binding import BindingType
from textual.widget import AwaitMount, Widget

from ccbrowse.core.text import SafeText
from ccbrowse.tui.commands import (
    EVERYWHERE,
    MOVES,
    PANES,
    Command,
    Commands,
    FindCase,
    FindRegex,
    FindWord,
    bindings,
    first_key,
    footer,
)
from ccbrowse.tui.config import Settings
from ccbrowse.tui.screens.lasting import Lasting
from ccbrowse.tui.screens.trail import Stop
from ccbrowse.tui.signs import Signs
from ccbrowse.tui.widgets.status import KeyBar, Part, StatusLine

if TYPE_CHECKING:
    from ccbrowse.tui.viewmodels.finding import How

_WIDTHS: list[tuple[int, str]] | None = [(0, "-one"), (100, "-two"), (140, "-three")]
_HEIGHTS: list[tuple[int, str]] | None = [(0, "-short"), (34, "-tall")]


class Host(Protocol):
    """What screens ask of the app."""

    settings: Settings
    signs: Signs
    cache_roots: list[Path] | None
    roots: list[Path]

    def now(self) -> int:
        """The time in milliseconds since 1970."""
        ...

    @property
    def keymap_in_use(self) -> Mapping[str, str]:
        """The user's own keys by command id."""
        ...

    def copy_to_clipboard(self, text: str) -> None:
        """Copy by OSC 52."""
        ...

    def travel(self, step: int) -> bool:
        """Go to the place before, or forward again; False where there is none."""
        ...

    def left_place(self, key: str | None = None) -> None:
        """The reader leaves this place, or the one of a row on this screen."""
        ...

    def suspend_and_run(self, run: Callable[[], None]) -> bool:
        """Give the terminal to something else for a while; False where that is not possible."""
        ...


class Paned(Lasting[None]):
    """Panes with ids, left to right. Below 140 columns two are shown, below 100 one.

    The classes `-at-<id>` on the screen tell which pane is in focus; the style sheet shows it.
    """

    HORIZONTAL_BREAKPOINTS = _WIDTHS
    VERTICAL_BREAKPOINTS = _HEIGHTS
    BINDINGS: ClassVar[list[BindingType]] = bindings((*EVERYWHERE, *PANES))

    AUTO_FOCUS = ""

    _making: AwaitMount | None = None
    """The line to type in, from when it is made on."""

    PANES: ClassVar[tuple[str, ...]] = ()
    """Ids of the panes, left to right."""
    MAIN: ClassVar[str] = ""
    """The pane that is in focus first, and that `escape` leads back to."""
    OWN: ClassVar[Commands] = ()
    """The commands of this screen, beside those that work everywhere."""
    FOOTER: ClassVar[Commands] = ()
    """Those that the bottom line tells, most important first."""

    def __init__(self) -> None:
        super().__init__(classes=f"-at-{self.MAIN}")
        self.stop = Stop()
        """What back and forward know the screen by."""

    @property
    def host(self) -> Host:
        """The app, as screens know it."""
        return cast(Host, self.app)

    @property
    def commands(self) -> Commands:
        """All commands that work here, for the palette and the help page."""
        return (*self.OWN, *MOVES, *PANES, *EVERYWHERE)

    def on_compose(self) -> None:
        """Wear the classes of the size before there are panes: what comes later has all styled again."""
        width, height = self.app.size
        for cells, points in ((width, _WIDTHS), (height, _HEIGHTS)):
            self.add_class(
                max(point for point in points or () if point[0] <= cells)[1], update=False
            )

    def on_mount(self) -> None:
        """Tell the keys, and start in the main pane."""
        if self.query(KeyBar):
            self.make_ready()

    def make_ready(self) -> None:
        """Tell the keys, and start in the main pane, once there are panes."""
        self.query_one(KeyBar).show(footer(self.FOOTER, self.host.keymap_in_use))
        self.set_focus(self.query_one(f"#{self.MAIN}", Widget), scroll_visible=False)

    # Panes

    @property
    def at(self) -> str:
        """The id of the pane in focus."""
        return next((pane for pane in self.PANES if self.has_class(f"-at-{pane}")), self.MAIN)

    def go_to_pane(self, pane: str) -> None:
        """Show a pane, and give it the focus."""
        self._mark_pane(pane)
        for widget in self.query(f"#{pane}"):  # none where a key comes before the panes do
            widget.focus(scroll_visible=False)

    def _mark_pane(self, pane: str) -> None:
        before = self.at
        if before != pane:
            with self.app.batch_update():
                self.remove_class(f"-at-{before}", update=False)
                self.add_class(f"-at-{pane}")
            self.pane_changed()

    def pane_changed(self) -> None:
        """Another pane is in focus: what is seen may be another one."""

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Follow a click into another pane; a prompt is left by it, with what it did so far."""
        if event.widget.id in self.PANES and event.widget.id is not None:
            self._mark_pane(event.widget.id)
            if self.focused is event.widget:
                self._leave_prompt()

    def action_pane(self, step: int, around: bool) -> None:
        """Go to the next pane, or the one before."""
        panes = [pane for pane in self.PANES if self.can_show(pane)]
        place = panes.index(self.at) + step if self.at in panes else 0
        if around:
            place %= len(panes)
        if 0 <= place < len(panes):
            self.go_to_pane(panes[place])

    def can_show(self, pane: str) -> bool:
        """Whether a pane has anything to show."""
        return True

    def action_full(self) -> None:
        """Give the pane all the room, or take it back."""
        self.toggle_class("-full")

    def action_back(self) -> None:
        """Leave the full screen, then the pane, then the screen."""
        if self.has_class("-full"):
            self.remove_class("-full")
        elif self.at != self.MAIN:
            self.go_to_pane(self.MAIN)
        else:
            self.leave()

    @property
    def place(self) -> str:
        """The key of the row that the reader is at."""
        return ""

    def arrive(self, key: str) -> bool:
        """Go to a row, by its key; False where it is not there, or the reader is there already."""
        return False

    def action_travel(self, step: int) -> None:
        """Go back to where one was before a jump, or forward again."""
        if not self.host.travel(step):
            way = "no place before this one" if step < 0 else "no place to go forward to"
            self.say(SafeText(way))

    def action_help(self) -> None:
        """Show the help page."""
        from ccbrowse.tui.screens.help import HelpPage

        self.app.push_screen(HelpPage(self.OWN))

    def leave(self) -> None:
        """Close the screen, and what is open above it; the lowest one ends the app."""
        stack = self.app.screen_stack
        if stack[0] is self:
            self.app.exit()
        elif self in stack:  # it may be gone by now
            for _ in stack[stack.index(self) :]:
                self.app.pop_screen()

    # Keys

    async def ask(
        self, purpose: str, sign: SafeText, text: str = "", how: How | None = None
    ) -> None:
        """Ask for words in a line above the keys; made when it is wanted for the first time.

        With `how` it shows how they are meant, and the keys that change it.
        """
        from ccbrowse.tui.viewmodels.finding import LITERAL
        from ccbrowse.tui.widgets.prompt import PromptLine

        if not self.is_attached:
            return  # the screen was left by a key before this one
        if self._making is None or not self.query(PromptLine):  # a list made late took it along
            bars = self.query(KeyBar)
            if not bars:
                return  # the screen is being made, or goes
            self._making = self.mount(PromptLine(), before=bars.first())
        await self._making  # another may ask meanwhile: a click beside a key
        if not self.is_attached:
            return
        keymap = self.host.keymap_in_use
        turns = {"regex": FindRegex, "case": FindCase, "word": FindWord} if how else {}
        keys = {name: first_key(command, keymap) for name, command in turns.items()}
        for line in self.query(PromptLine):
            if line.children:  # else it goes with its screen
                line.ask(purpose, sign, text, how or LITERAL, keys)

    def _leave_prompt(self) -> None:
        if self.query("PromptLine"):  # made, and so loaded, where it was wanted
            from ccbrowse.tui.widgets.prompt import PromptLine

            self.query_one(PromptLine).leave()

    async def action_search_all(self) -> None:
        """Search all sessions, or come back to what was found."""
        await self.search_all()

    async def search_all(self, text: str = "", how: How | None = None) -> None:
        """Show the search screen; where nothing was searched yet, search for a text."""
        from ccbrowse.tui.screens.search import open_search
        from ccbrowse.tui.viewmodels.finding import LITERAL

        await open_search(self.app, self.host.roots, text, how or LITERAL)

    def on_status_line_chosen(self, event: StatusLine.Chosen) -> None:
        """Go where the top line was clicked."""
        event.stop()
        if event.part is Part.CRUMB:
            self.crumb_chosen(event.number)

    def crumb_chosen(self, number: int) -> None:
        """Go to what the top line tells: the first leads back; on the lowest screen it shows all commands."""
        if number == 0 and self.app.screen_stack[0] is self:
            self.app.action_command_palette()
        elif number == 0:
            self.leave()

    def on_key_bar_chosen(self, event: KeyBar.Chosen) -> None:
        """Do what was clicked in the footer."""
        event.stop()
        command = next((each for each in self.commands if each.id == event.command), None)
        if command is not None:
            self.run_worker(self.do(command), exit_on_error=True)

    async def do(self, command: type[Command]) -> None:
        """Do a command as if its key had been pressed."""
        if command.bound:
            await self.run_action(command.action)
        else:
            self.app.simulate_key(command.keys.split(",")[0])

    def say(self, words: SafeText, severity: str = "information") -> None:
        """Say something at the edge of the screen."""
        level = "warning" if severity == "warning" else "information"
        self.notify(words, severity=level, markup=False)  # type: ignore[arg-type]  # a literal
