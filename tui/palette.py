"""The command palette: every command of the screen, with its keys."""

from __future__ import annotations

from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from ccbrowse.core.text import SafeText
from ccbrowse.tui.commands import Command, keys_of
from ccbrowse.tui.screens.base import Paned


class Palette(Provider):
    """Gives the commands of the screen beneath the palette."""

    def _commands(self) -> list[type[Command]]:
        screen = self.screen
        if not isinstance(screen, Paned):
            return []
        return [command for command in screen.commands if "{key}" not in command.action]

    def _told(self, command: type[Command]) -> Content:
        assert isinstance(self.screen, Paned)
        keys: list[SafeText] = keys_of(command, self.screen.host.keymap_in_use)
        return Content(SafeText(f"{SafeText(' '.join(keys[:3]))}   {SafeText(command.help)}"))

    async def discover(self) -> Hits:
        """All commands, before anything is typed."""
        for command in self._commands():
            yield DiscoveryHit(
                Content(SafeText(command.name)), self._run(command), command.name, self._told(command)
            )

    async def search(self, query: str) -> Hits:
        """The commands whose name or sentence fits."""
        matcher = self.matcher(query)
        for command in self._commands():
            words = f"{command.name} · {command.help}"
            score = matcher.match(words)
            if score > 0:
                name = matcher.highlight(command.name)
                yield Hit(score, name, self._run(command), command.name, self._told(command))

    def _run(self, command: type[Command]) -> partial[object]:
        assert isinstance(self.screen, Paned)
        return partial(self.screen.do, command)
