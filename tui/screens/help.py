"""The help page: the keys that work here, what the signs mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content

from ccbrowse.core.text import SafeText, cell_width, display_text
from ccbrowse.tui.commands import EVERYWHERE, MOVES, PANES, Command, Commands, keys_of
from ccbrowse.tui.screens.base import Host
from ccbrowse.tui.screens.modal import Modal, clickable
from ccbrowse.tui.viewtypes import DetailView, Line, LinesBlock, Tone, line
from ccbrowse.tui.widgets.detail import Detail

_SIGNS = (
    ("= ≈ –", "stated by the file · estimated · nobody knows"),
    ("›", "you: what a person sent"),
    ("●", "claude; green: the session is live"),
    ("✓ ✗ ○", "a tool call: done, failed, still running"),
    ("◆ »", "a subagent; enter opens its conversation"),
    ("━", "a compaction: what the context weighed before → after"),
    ("├", "branches left here by a rewind or an edit; b lists them"),
    ("⚠", "something wrong or repaired in the file; i lists it"),
)
_KEY_CELLS = 14
_KEYS = SafeText("ctrl+p finds a command · esc leaves")


class HelpPage(Modal[None]):
    """All commands of a screen with their keys, and the signs."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", "Leave", id="back", show=False),
        Binding("question_mark,f1", "leave", "Leave", id="help", show=False),
        Binding("ctrl+p", "palette", "Palette", id="palette", show=False),
    ]

    def __init__(self, own: Commands) -> None:
        super().__init__()
        self._own = own

    def compose(self) -> ComposeResult:
        """The page in a frame."""
        page = Detail(signs=cast(Host, self.app).signs, id="help")
        page.border_title = Content("help")
        page.border_subtitle = clickable(_KEYS, page.signs)
        yield page

    def action_palette(self) -> None:
        """Find a command of the screen beneath."""
        self.dismiss(None)
        self.app.call_later(self.app.action_command_palette)

    def on_mount(self) -> None:
        """Fill the page, and give it the keys."""
        page = self.query_one(Detail)
        page.show(help_view(self._own, cast(Host, self.app).keymap_in_use))
        page.focus()


def help_view(own: Commands, keymap: Mapping[str, str]) -> DetailView:
    """The page: this screen's commands first, then those of all screens, then the signs."""
    groups = (("here", own), ("moves", MOVES), ("panes", PANES), ("everywhere", EVERYWHERE))
    blocks = [LinesBlock((_heading(name), *_lines(commands, keymap))) for name, commands in groups]
    signs = [_line(SafeText(sign), SafeText(words)) for sign, words in _SIGNS]
    blocks.append(LinesBlock((_heading("signs"), *signs)))
    title = line((SafeText("ccbrowse"), Tone.STRONG), (SafeText("  keys and signs"), Tone.MUTED))
    return DetailView("help", title, blocks=tuple(blocks))


def _heading(name: str) -> Line:
    return line((display_text(name), Tone.TOOL))


def _lines(commands: Commands, keymap: Mapping[str, str]) -> Iterator[Line]:
    """One line a command; a command with a pair has both keys on its line."""
    paired = {command.pair for command in commands if command.pair is not None}
    for command in commands:
        if command not in paired:
            yield _line(_keys(command, keymap), display_text(command.help))


def _keys(command: type[Command], keymap: Mapping[str, str]) -> SafeText:
    keys: list[SafeText] = keys_of(command, keymap)
    if command.pair is not None:
        keys = [*keys[:1], *keys_of(command.pair, keymap)[:1]]
    return SafeText(f"{keys[0]}-{keys[-1]}") if len(keys) > 3 else SafeText(" ".join(keys))


def _line(keys: SafeText, words: SafeText) -> Line:
    gap = SafeText(" " * max(1, _KEY_CELLS - cell_width(keys)))
    return line((keys, Tone.PERSON), gap, words)
