"""Which keys do what for this user: the standard ones, a profile's, and the user's own on top.

Keys are named as Textual names them (`ctrl+n`, `f9`, `left_curly_bracket`); a single sign stands for
itself. Textual itself is not needed here: `ccbrowse config` tells the keys as well.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping

from ccbrowse.core.errors import CcbrowseError
from ccbrowse.tui.commands.base import Command, Commands
from ccbrowse.tui.config import Settings, nearest, unknown

VIM: Mapping[str, str] = {
    "move.page-down": "space,pagedown,ctrl+f",
    "move.page-up": "pageup,ctrl+b",
    "search": "ctrl+s",
    "quit": "ctrl+q,ctrl+c,Z",
}
"""What `vim` has beyond the standard keys, which have its moves already."""

PLAIN: Mapping[str, str] = {
    "move.down": "down",
    "move.up": "up",
    "move.half-down": "ctrl+down",
    "move.half-up": "ctrl+up",
    "move.page-down": "pagedown,space",
    "move.page-up": "pageup",
    "move.top": "home",
    "move.bottom": "end",
    "pane.right": "right",
    "pane.left": "left",
    "help": "f1",
    "find.next": "f3",
    "find.previous": "shift+f3",
    "follow": "f5",
    "go-to": "ctrl+g",
    "export": "ctrl+e",
    "quit": "f10,ctrl+q,ctrl+c",
    "back": "escape",
    "prompt.next": "alt+down",
    "prompt.previous": "alt+up",
    "boundary.previous": "ctrl+pageup",
    "boundary.next": "ctrl+pagedown",
}
"""`plain`: moves without letters, and function keys as in other programs."""

PROFILES: Mapping[str, Mapping[str, str]] = {"standard": {}, "vim": VIM, "plain": PLAIN}

NO_KEY = "no_key"
"""Stands for a command that others took all keys from: no keyboard has it."""

_NAMED = frozenset(
    [
        *("enter", "escape", "tab", "space", "backspace", "delete", "insert", "home", "end"),
        *("pageup", "pagedown", "up", "down", "left", "right"),
    ]
) | {f"f{number}" for number in range(1, 25)}
_WITH = ("ctrl", "shift", "alt", "super", "hyper", "meta")


def keymap(settings: Settings, rooms: Mapping[str, Commands]) -> dict[str, str]:
    """The keys that differ from the standard ones, by command id. A user's key is taken from others.

    `rooms` are the commands that work together, by the name of their screen. Raises CcbrowseError for an
    id or a key that does not exist, or where a user gives one key two meanings on one screen.
    """
    every = {command.id: command for commands in rooms.values() for command in commands}
    own = _own(settings.keys, every)
    profile = {id: keys for id, keys in PROFILES[settings.profile].items() if id in every}
    wanted = {**profile, **own}
    for commands in rooms.values():
        _no_key_twice(commands, own)
        _give_way(commands, own, wanted)
    return {id: keys for id, keys in wanted.items() if keys != every[id].keys}


def _own(keys: Mapping[str, str], every: Mapping[str, type[Command]]) -> dict[str, str]:
    """The user's keys, each name as Textual has it."""
    own: dict[str, str] = {}
    for id, told in keys.items():
        if id not in every:
            raise unknown("command", id, every, "[keys]")
        if "{key}" in every[id].action:
            raise CcbrowseError(f"{id} keeps its keys", "[keys]", f"they are {every[id].keys}")
        names = [key_name(key, id) for key in _split(told)]
        if not names:
            raise CcbrowseError(f"no key for {id}", "[keys]", f"its own is {every[id].keys}")
        own[id] = ",".join(names)
    return own


def _split(told: str) -> list[str]:
    """The keys of a list; a comma that stands alone is the key."""
    if told.strip() == ",":
        return ["comma"]
    return [key.strip() for key in told.split(",") if key.strip()]


def key_name(key: str, where: str = "") -> str:
    """A key's name as Textual has it: ``{`` is ``left_curly_bracket``. Raises CcbrowseError."""
    *modifiers, base = key.split("+") if len(key) > 1 and not key.endswith("+") else (key,)
    for modifier in modifiers:
        if modifier not in _WITH:
            raise CcbrowseError(f"no such key: {key}", where, nearest(modifier, _WITH))
    return "+".join((*modifiers, _base_name(base, key, where)))


def _base_name(base: str, key: str, where: str) -> str:
    if len(base) == 1 and base.isprintable():
        return _SIGN_NAMES.get(base) or (base if base.isalnum() else _spelled(base))
    if base in _NAMED or base in _SIGN_NAMES.values() or _is_sign(base):
        return base
    raise CcbrowseError(f"no such key: {key}", where, nearest(base, tuple(sorted(_NAMED))))


def _spelled(sign: str) -> str:
    """A sign's name as Textual makes it of Unicode's."""
    name = unicodedata.name(sign, sign).lower().replace("-", "_").replace(" ", "_")
    return _OTHERWISE.get(name, name)


_OTHERWISE = {
    "solidus": "slash",
    "reverse_solidus": "backslash",
    "commercial_at": "at",
    "hyphen_minus": "minus",
    "plus_sign": "plus",
    "low_line": "underscore",
}
"""Signs that Textual calls otherwise than Unicode does."""

_SIGN_NAMES = {sign: _spelled(sign) for sign in map(chr, range(33, 127)) if not sign.isalnum()}
_SHOWN = {name: sign for sign, name in _SIGN_NAMES.items()} | {
    **{"escape": "esc", "pagedown": "pgdn", "pageup": "pgup", "enter": "⏎", "space": "space"},
    **{"up": "↑", "down": "↓", "left": "←", "right": "→", "backspace": "⌫", "delete": "del"},
}


def shown_key(key: str) -> str:
    """A key as it stands on the keyboard: ``{``, ``ctrl+d``, ``pgdn``."""
    base = key.rsplit("+", 1)[-1]
    return f"{key[: -len(base)]}{_SHOWN.get(base, base)}"


def _is_sign(name: str) -> bool:
    """Whether a name is that of a sign beyond ASCII, as `section_sign` is."""
    try:
        unicodedata.lookup(name.replace("_", " "))
    except KeyError:
        return False
    return True


def _no_key_twice(commands: Commands, own: Mapping[str, str]) -> None:
    """Raise CcbrowseError where a user gives one key to two commands of a screen."""
    taken: dict[str, str] = {}
    for command in commands:
        for key in own.get(command.id, "").split(","):
            if key and taken.setdefault(key, command.id) != command.id:
                both = f"{taken[key]} and {command.id}"
                raise CcbrowseError(f"{key} is the key of two commands", "[keys]", both)


def _give_way(commands: Commands, own: Mapping[str, str], wanted: dict[str, str]) -> None:
    """Take keys from commands whose key somebody nearer to the user has set: user, profile, standard."""
    for nearer in (own, wanted):
        taken = {key: command.id for command, key in _keys(commands, nearer)}
        for command in commands:
            if command.id in nearer:
                continue
            keys = wanted.get(command.id, command.keys).split(",")
            left = [key for key in keys if key not in taken]
            if left != keys:
                wanted[command.id] = ",".join(left) or NO_KEY


def _keys(commands: Commands, keys: Mapping[str, str]) -> Iterator[tuple[type[Command], str]]:
    for command in commands:
        for key in filter(None, keys.get(command.id, "").split(",")):
            yield command, key
