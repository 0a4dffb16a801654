"""How much a session's screen shows: tools, thinking, all records; Markdown rendered, records raw."""

from __future__ import annotations

from ccbrowse.core.text import SafeText
from ccbrowse.tui.config import TOOLS
from ccbrowse.tui.screens.session_find import SessionFind
from ccbrowse.tui.screens.session_work import Opened
from ccbrowse.tui.viewmodels.items import Choice
from ccbrowse.tui.viewtypes import DetailView

_TOOLS = ("on one line", "with their results", "hidden")


class SessionLooks(SessionFind):
    """The actions that change what is shown, and how. Its handlers run after the screen's own."""

    def on_mount(self) -> None:
        """Begin as the settings say."""
        settings = self.host.settings
        self.tools, self.shows_thinking = TOOLS.index(settings.tools), settings.thinking
        self.lore.full = self.tools == 1

    def on_opened(self, message: Opened) -> None:
        """Leave out what the settings leave out."""
        if self.tools == 2 or not self.shows_thinking:
            self._choose_rows()

    def action_tools(self) -> None:
        """Tools on one line, with their results, or not at all."""
        self.tools = (self.tools + 1) % len(_TOOLS)
        self.lore.full = self.tools == 1
        self._choose_rows()
        self.timeline.forget_look()
        self.say(SafeText(f"tools {SafeText(_TOOLS[self.tools])}"))

    def action_thinking(self) -> None:
        """Show or hide thinking."""
        self.shows_thinking = not self.shows_thinking
        self._choose_rows()
        self.say(SafeText("thinking shown") if self.shows_thinking else SafeText("thinking hidden"))

    def action_all_rows(self) -> None:
        """Show or hide the client's own records."""
        self.shows_all = not self.shows_all
        self._choose_rows()
        self.say(SafeText("all records") if self.shows_all else SafeText("messages only"))

    def _choose_rows(self) -> None:
        choice = Choice(self.tools != 2, self.shows_thinking, self.shows_all)
        if self.reading is not None:
            self.choose(self.reading, choice)

    def action_rendered(self) -> None:
        """Show Markdown as it would look, or as it was written."""
        self.lore.rendered, self.lore.raw = not self.lore.rendered, False
        self._look_anew()

    def action_raw(self) -> None:
        """Show the record itself, or what it says."""
        self.lore.raw = not self.lore.raw
        self._look_anew()

    def _look_anew(self) -> None:
        """Make the detail again, and bring it into view: it says by itself what it shows."""
        if not self.sees_detail:
            self.go_to_pane("detail")
        self._show_detail(anew=True)

    @property
    def sees_detail(self) -> bool:
        """Whether the detail is in view."""
        raise NotImplementedError

    def _show_detail(self, anew: bool = False) -> None:
        raise NotImplementedError

    def present(self, view: DetailView | None) -> None:
        """Show a detail."""
        raise NotImplementedError
