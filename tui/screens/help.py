"""The help page: the keys that work here, what the signs mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import ModalScreen

from ccbrowse.core.text import SafeText, display_text
from ccbrowse.tui.commands import EVERYWHERE, MOVES, PANES, Command, Commands, keys_of
from ccbrowse.tui.screens.base import Host
from ccbrowse.tui.viewtypes import NOTHING, DetailView, FactsBlock, Line, Tone, line
from ccbrowse.tui.widgets.detail import Detail

_SIGNS = (
    ("=", "stated by the file: usage of a request, or a boundary"),
    ("≈", "estimated by counting the text; the detail tells how far it may be off"),
    ("–", "nobody knows"),
    ("›", "you: what a person sent"),
    ("●", "claude; green: the session is live"),
    ("✓ ✗ ○", "a tool call: done, failed, still running"),
    ("◆", "a subagent; enter opens its conversation"),
    ("━", "a compaction: what the context weighed before and after it"),
    ("├", "branches left here by a rewind or an edit; b lists them"),
    ("⚠", "a finding: something wrong or repaired in the file; i lists them"),
    ("»", "enter leads somewhere else"),
)


class HelpPage(ModalScreen[None]):
    """All commands of a screen with their keys, and the signs."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,f1", "leave", "Leave", id="back", show=False)
    ]

    def __init__(self, own: Commands) -> None:
        super().__init__()
        self._own = own

    def compose(self) -> ComposeResult:
        """The page in a frame."""
        page = Detail(signs=cast(Host, self.app).signs, id="help")
        page.border_title = Content("help")
        page.border_subtitle = Content("esc leaves")
        yield page

    def on_mount(self) -> None:
        """Show it."""
        page = self.query_one(Detail)
        page.show(help_view(self._own, cast(Host, self.app).keymap_in_use))
        page.focus()

    def action_leave(self) -> None:
        """Close the page."""
        self.dismiss(None)


def help_view(own: Commands, keymap: Mapping[str, str]) -> DetailView:
    """The page: this screen's commands first, then those of all screens, then the signs."""
    groups = (("here", own), ("move", MOVES), ("panes", PANES), ("everywhere", EVERYWHERE))
    blocks = [
        FactsBlock(((NOTHING, line((SafeText(name), Tone.PERSON))), *_facts(commands, keymap)))
        for name, commands in groups
    ]
    signs = tuple((SafeText(sign), line(SafeText(words))) for sign, words in _SIGNS)
    blocks.append(FactsBlock(((NOTHING, line((SafeText("signs"), Tone.PERSON))), *signs)))
    title = line((SafeText("Keys"), Tone.STRONG))
    return DetailView("help", title, blocks=tuple(blocks))


def _facts(commands: Commands, keymap: Mapping[str, str]) -> Iterator[tuple[SafeText, Line]]:
    for command in commands:
        yield _keys(command, keymap), line(display_text(command.help))


def _keys(command: type[Command], keymap: Mapping[str, str]) -> SafeText:
    keys: list[SafeText] = keys_of(command, keymap)
    return SafeText(f"{keys[0]}-{keys[-1]}") if len(keys) > 3 else SafeText(" ".join(keys))
