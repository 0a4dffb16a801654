"""From commands to what is bound and told: bindings, keys as they are pressed, the bottom line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ccbrowse.core.text import SafeText, display_text
from ccbrowse.tui.commands.base import Command
from ccbrowse.tui.commands.everywhere import Help
from ccbrowse.tui.commands.keymap import NO_KEY, shown_key
from ccbrowse.tui.viewtypes import FooterView, KeyHint

if TYPE_CHECKING:
    from textual.binding import BindingType


def bindings(commands: Iterable[type[Command]]) -> list[BindingType]:
    """The bindings of commands, under their ids; those that widgets bind are left out."""
    from textual.binding import Binding  # commands are told without an app, too

    found: list[BindingType] = []
    for command in commands:
        if command.bound and "{key}" in command.action:
            found += [
                Binding(key, command.action.format(key=key), command.title, show=False)
                for key in command.keys.split(",")
            ]
        elif command.bound:
            found.append(
                Binding(command.keys, command.action, command.title, id=command.id, show=False)
            )
    return found


def keys_of(command: type[Command], keymap: Mapping[str, str]) -> list[SafeText]:
    """The keys of a command as they are pressed, the user's own where there are some."""
    keys = keymap.get(command.id, command.keys).split(",")
    return [display_text(shown_key(key.strip())) for key in keys if key.strip() not in ("", NO_KEY)]


def first_key(command: type[Command], keymap: Mapping[str, str]) -> SafeText:
    """The first key of a command; nothing where the user took all of them away."""
    return next(iter(keys_of(command, keymap)), SafeText(""))


def footer(commands: Iterable[type[Command]], keymap: Mapping[str, str]) -> FooterView:
    """The bottom line: the first key of each command, and help at the end."""
    hints = [hint for command in commands if (hint := _hint(command, keymap)).keys]
    return FooterView(tuple(hints), _hint(Help, keymap))


def _hint(command: type[Command], keymap: Mapping[str, str]) -> KeyHint:
    pair = [command, *([command.pair] if command.pairs_in_footer and command.pair else [])]
    keys = [key for each in pair for key in keys_of(each, keymap)[:1]]
    other = command.pair.id if len(keys) > 1 and command.pair else ""
    return KeyHint(SafeText(" ".join(keys)), display_text(command.footer), command.id, other)
