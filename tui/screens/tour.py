"""The tour of the first start: a few short pages, shown once, and again where it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Button, Static

from ccbrowse.core.text import SafeText, display_text
from ccbrowse.tui.commands import (
    Command,
    CopyPlace,
    Export,
    Find,
    Follow,
    GoTo,
    Help,
    NextBoundary,
    NextPane,
    NextPrompt,
    Palette,
    PreviousBoundary,
    RunResume,
    SearchAll,
    ToolDetail,
    Tour,
    first_key,
)
from ccbrowse.tui.screens.base import Host
from ccbrowse.tui.screens.compaction_commands import Loss, Requests
from ccbrowse.tui.screens.modal import Modal, clickable

_Said = tuple[str, tuple[type[Command], ...], str]

PAGES: tuple[tuple[str, tuple[_Said, ...]], ...] = (
    (
        "All your sessions",
        (
            (
                "The list has every session, newest first; enter opens one. ●",
                (),
                " is being written.",
            ),
            ("", (Find,), " filters: words, or project:api after:7d has:compact."),
            ("", (SearchAll,), " looks for words in all of them."),
        ),
    ),
    (
        "One session, whole",
        (
            ("A compaction cuts a session into segments: they stand on the left.", (), ""),
            (
                "",
                (PreviousBoundary, NextBoundary),
                " go from one to the next, digits to one by its number.",
            ),
            ("", (NextPrompt,), " is your next prompt; "),
            ("", (NextPane,), " goes to the detail of what is under the cursor."),
            ("", (ToolDetail,), " shows more or less of tool calls; "),
            ("", (Follow,), " follows a live session."),
        ),
    ),
    (
        "What a compaction cost",
        (
            ("", (Loss,), " lists what it kept, put back and lost; "),
            ("", (Requests,), " shows the requests before and after it, message by message."),
            (
                "Numbers say where they are from: = the file states it, ≈ estimated, – nobody knows.",
                (),
                "",
            ),
        ),
    ),
    (
        "Take something along",
        (
            ("", (Export,), " writes a segment as Markdown, HTML or JSON; secrets are masked."),
            ("", (CopyPlace,), " copies text, code, a command, or this very place."),
            ("", (GoTo,), " goes to a segment, a time or an id; "),
            ("", (RunResume,), " goes on in Claude Code."),
            ("", (Help,), " tells all keys here, "),
            ("", (Palette,), " finds commands by name. "),
            ("", (Tour,), " shows these pages again."),
        ),
    ),
)
"""Title and sentences of each page: words, commands whose keys are told, words."""


class _Turns(Button):
    """A button that turns the page at once, so that each of several presses counts."""

    def action_press(self) -> None:
        """Turn the page."""
        if isinstance(self.screen, TourPages):
            self.screen.action_turn(1)


class TourPages(Modal[None]):
    """Goes from page to page; any way out of it is the end."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", "Leave", id="back", show=False),
        Binding("enter,right,l,space,n", "turn(1)", "Next", show=False),
        Binding("left,h,p", "turn(-1)", "Before", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._page = 0

    def compose(self) -> ComposeResult:
        """A page in a frame, and two buttons."""
        with Vertical(classes="dialog", id="tour") as dialog:
            dialog.border_title = Content("a short tour")
            yield Static(id="tour-title", classes="question")
            yield Static(id="tour-words", classes="about")
            with Horizontal(classes="buttons"):
                yield _Turns("Next", id="next", variant="primary", compact=True)
                yield Button("Leave", id="leave", compact=True)

    def on_mount(self) -> None:
        """Show the first page."""
        self._show()
        self.query_one("#next", Button).focus()

    def _show(self) -> None:
        host = cast(Host, self.app)
        title, said = PAGES[self._page]
        last = self._page == len(PAGES) - 1
        self.query_one("#tour-title", Static).update(Content(display_text(title)))
        words = page_words(said, host.keymap_in_use)
        self.query_one("#tour-words", Static).update(Content(host.signs.text(words)))
        self.query_one("#next", Button).label = Content("Begin" if last else "Next")
        hint = SafeText(f"{int(self._page + 1)} of {len(PAGES)} · enter goes on · esc leaves")
        self.query_one("#tour").border_subtitle = clickable(hint, host.signs)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Turn the page, or leave."""
        event.stop()
        if event.button.id == "leave":
            self.dismiss(None)
        else:
            self.action_turn(1)

    def action_enter(self) -> None:
        """Go on."""
        self.action_turn(1)

    def action_turn(self, step: int) -> None:
        """Go to the next page, or the one before; behind the last one is the end."""
        self._page = max(0, self._page + step)
        if self._page >= len(PAGES):
            self.dismiss(None)
        else:
            self._show()


def page_words(said: tuple[_Said, ...], keymap: Mapping[str, str]) -> SafeText:
    """The sentences of a page, each on a line of its own unless the one before goes on with `; `."""
    text = ""
    for before, commands, behind in said:
        keys = [key for command in commands if (key := first_key(command, keymap))]
        if commands and not keys:
            continue  # the user took its keys away
        text += f"{before}{' '.join(keys)}{behind}"
        text += "" if behind.endswith((" ", ";")) else "\n"
    return display_text(text.rstrip(), newlines=True)
