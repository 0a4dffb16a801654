"""`ccbrowse config`: the settings in force, the keys, and where each comes from."""

import click

from ccbrowse.core.text import display_text
from ccbrowse.tui.cli.output import json_option, print_json, print_line, print_table
from ccbrowse.tui.config import KNOWN, Loaded, Settings, config_file, load_all

SCHEMA = "ccbrowse.config/1"


@click.command()
@click.option("--keys", is_flag=True, help="Print every command with its name, keys and help.")
@json_option
def config(keys: bool, as_json: bool) -> None:
    """Print the settings in force and where each comes from."""
    loaded, file = load_all(), config_file()
    rows = _key_rows(loaded) if keys else _rows(loaded)
    if as_json:
        for name, value, origin, *_ in rows:
            print_json({"schema": SCHEMA, "name": name, "value": value, "source": origin})
        return
    head = ("command", "keys", "from", "does") if keys else ("setting", "value", "from")
    print_line(f"settings file: {display_text(str(file))}{'' if file.exists() else ' (not there)'}")
    print_table([head, *(tuple(display_text(cell) for cell in row) for row in rows)])


def _rows(loaded: Loaded) -> list[tuple[str, ...]]:
    """Name, value and origin of each setting; then of the keys that are other than usual."""
    changed = _keys(loaded)
    rows: list[tuple[str, ...]] = [
        (name, _shown(loaded.settings, name), loaded.origins[name])
        for name in KNOWN
        if name != "keys"
    ]
    rows += [(f"keys.{id}", keys, origin) for id, keys, origin in changed]
    return rows if changed else [*rows, ("keys", "standard", loaded.origins["keys"])]


def _keys(loaded: Loaded) -> list[tuple[str, str, str]]:
    """The keys that are other than usual, and who says so. Raises CcbrowseError for what cannot be."""
    from ccbrowse.tui.commands.keymap import NO_KEY, keymap
    from ccbrowse.tui.screens.rooms import ROOMS

    settings = loaded.settings
    told = keymap(settings, ROOMS)
    return [
        (id, "none" if keys == NO_KEY else keys, _key_origin(loaded, id))
        for id, keys in told.items()
    ]


def _key_origin(loaded: Loaded, id: str) -> str:
    """Who set a command's keys: the user, a profile, or somebody else's key that it had to give up."""
    from ccbrowse.tui.commands.keymap import PROFILES

    if id in loaded.settings.keys:
        return loaded.origins["keys"]
    if id in PROFILES[loaded.settings.profile]:
        return f"profile {loaded.settings.profile}"
    return "taken by others"


def _key_rows(loaded: Loaded) -> list[tuple[str, ...]]:
    """Every command: its name, its keys, who set them, what it does."""
    from ccbrowse.tui.screens.rooms import ROOMS

    changed = {id: (keys, origin) for id, keys, origin in _keys(loaded)}
    every = {command.id: command for commands in ROOMS.values() for command in commands}
    rows: list[tuple[str, ...]] = []
    for id, command in sorted(every.items()):
        keys, origin = changed.get(id, (command.keys, "default"))
        rows.append((id, keys, origin, command.help))
    return rows


def _shown(settings: Settings, name: str) -> str:
    value = getattr(settings, name)
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return "on" if value else "off"
    if name == "roots":
        told = [f"{label}={path}" if label else path for label, path in value]
        return ", ".join(told) or "the client's own"
    return str(value)
