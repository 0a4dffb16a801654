"""From commands to what is bound and told: bindings, keys as they are pressed, the bottom line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from textual.binding import Binding, BindingType
from textual.keys import format_key

from ccbrowse.core.text import SafeText, display_text
from ccbrowse.tui.commands.base import Command
from ccbrowse.tui.commands.everywhere import Help
from ccbrowse.tui.viewtypes import FooterView, KeyHint


def bindings(commands: Iterable[type[Command]]) -> list[BindingType]:
    """The bindings of commands, under their ids; those that widgets bind are left out."""
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
    return [_shown(key.strip()) for key in keys if key.strip()]


_KEYS = {"escape": "esc", "pagedown": "pgdn", "pageup": "pgup", "enter": "⏎"}


def _shown(key: str) -> SafeText:
    """A key as it stands on the keyboard."""
    base = key.rsplit("+", 1)[-1]
    shown = _KEYS.get(base) or (format_key(base) if len(base) > 1 else base)
    return display_text(f"{key[: -len(base)]}{shown}")


def footer(commands: Iterable[type[Command]], keymap: Mapping[str, str]) -> FooterView:
    """The bottom line: the first key of each command, and help at the end."""
    hints = [_hint(command, keymap) for command in commands]
    return FooterView(tuple(hints), _hint(Help, keymap))


def _hint(command: type[Command], keymap: Mapping[str, str]) -> KeyHint:
    pair = [command, *([command.pair] if command.pairs_in_footer and command.pair else [])]
    keys: list[SafeText] = [keys_of(each, keymap)[0] for each in pair]
    return KeyHint(SafeText(" ".join(keys)), display_text(command.footer), command.id)
