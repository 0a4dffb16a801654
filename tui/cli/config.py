"""`ccbrowse config`: the settings in force, and where each comes from."""

import os
from dataclasses import fields
from pathlib import Path

import click

from ccbrowse.core.text import display_text
from ccbrowse.tui.cli.output import json_option, print_json, print_line, print_table
from ccbrowse.tui.config import Settings, config_file, load

SCHEMA = "ccbrowse.config/1"


@click.command()
@json_option
def config(as_json: bool) -> None:
    """Print the settings in force and where each comes from."""
    settings, file = load(), config_file()
    rows = [
        (f.name, _shown(settings, f.name), _origin(settings, f.name, file))
        for f in fields(Settings)
    ]
    if as_json:
        for name, value, origin in rows:
            print_json({"schema": SCHEMA, "name": name, "value": value, "source": origin})
        return
    print_line(f"settings file: {display_text(str(file))}{'' if file.exists() else ' (not there)'}")
    print_table(
        [("setting", "value", "from"), *((n, display_text(v), display_text(o)) for n, v, o in rows)]
    )


def _shown(settings: Settings, name: str) -> str:
    value = getattr(settings, name)
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return "on" if value else "off"
    return (
        ", ".join(f"{k}={v}" for k, v in value.items()) if isinstance(value, dict) else str(value)
    )


def _origin(settings: Settings, name: str, file: Path) -> str:
    if f"CCBROWSE_{name.upper()}" in os.environ:
        return f"environment (CCBROWSE_{name.upper()})"
    return "default" if getattr(settings, name) == getattr(Settings(), name) else str(file)
