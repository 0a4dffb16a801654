"""The command palette: every command of the screen, with its keys."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from textual.await_complete import AwaitComplete
from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.events import Mount

from ccbrowse.core.text import SafeText, display_text
from ccbrowse.tui.commands import Command, keys_of
from ccbrowse.tui.screens.base import Paned


class Palette(CommandPalette):
    """Textual's palette; it may be left by two keys or clicks at once, or before all of it is there."""

    def dismiss(self, result: Any = None) -> AwaitComplete:
        """Close it, and not what is beneath."""
        if self.app.screen is not self:
            return AwaitComplete()
        self._cancel_gather_commands()
        return super().dismiss(result)

    def _on_mount(self, event: Mount) -> None:
        if self.app.screen is not self:
            event.prevent_default()  # it was left: nothing is to be gathered

    def _gather_commands(self, search_value: str) -> Any:
        if self.app.screen is not self:
            return None  # it was left: a key may have been typed behind
        return super()._gather_commands(search_value)

    def _action_command_list(self, action: str) -> None:
        with suppress(KeyError):  # the list was filled anew, and is not laid out yet
            super()._action_command_list(action)


class PaletteCommands(Provider):
    """Gives the commands of the screen beneath the palette."""

    def _commands(self) -> list[type[Command]]:
        screen = self.screen
        if not isinstance(screen, Paned):
            return []
        return [command for command in screen.commands if "{key}" not in command.action]

    async def discover(self) -> Hits:
        """All commands, before anything is typed."""
        for command in self._commands():
            name = Content.styled(display_text(command.title), "bold")
            yield DiscoveryHit(self._two_lines(command, name), self._run(command), command.title)

    async def search(self, query: str) -> Hits:
        """The commands whose name or sentence fits."""
        matcher = self.matcher(query)
        for command in self._commands():
            score = matcher.match(f"{command.title} · {command.help}")
            if score > 0:
                name: Content = matcher.highlight(command.title)
                yield Hit(score, self._two_lines(command, name), self._run(command), command.title)

    def _two_lines(self, command: type[Command], name: Content) -> Content:
        """The name, its keys, and beneath them what it does."""
        assert isinstance(self.screen, Paned)
        keys: list[SafeText] = keys_of(command, self.screen.host.keymap_in_use)
        shown = Content.styled(SafeText(f"  {SafeText(' '.join(keys[:3]))}"), "bold $accent")
        told = Content.styled(SafeText(f"\n{display_text(command.help)}"), "dim not bold")
        return Content.assemble(name, shown, told)

    def _run(self, command: type[Command]) -> Callable[[], Any]:
        assert isinstance(self.screen, Paned)
        return partial(self.screen.do, command)
