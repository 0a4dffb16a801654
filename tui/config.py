"""Settings of the app, from a TOML file and the environment; what is not set has its default."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import platformdirs

from ccbrowse.core.errors import CcbrowseError

FILE = "config.toml"
_FALSE = frozenset({"", "0", "false", "no", "off"})


@dataclass(frozen=True, slots=True)
class Settings:
    """What a user may set: in `config.toml`, or as `CCBROWSE_<NAME>` in the environment."""

    theme: str = "ccbrowse"
    """The app's own theme, or one of Textual's."""
    ascii: bool = False
    """Draw with plain signs only."""
    polling: bool | None = None
    """Look at files instead of waiting for events; not set: watchfiles' own setting decides."""
    mouse: bool = True
    """Take the mouse."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """Other keys by a command's id: ``"session.next-boundary" = "n,ctrl+n"``."""


def config_file() -> Path:
    """Where the settings are read from; it need not exist."""
    return platformdirs.user_config_path("ccbrowse") / FILE


def load(path: Path | None = None, environ: Mapping[str, str] | None = None) -> Settings:
    """The settings in force. Raises CcbrowseError for a file that is no TOML, or an unknown setting."""
    environ = os.environ if environ is None else environ
    path = config_file() if path is None else path
    table = _table(path)
    _check_names(table, path)
    keys = table.get("keys")
    named = {k: v for k, v in keys.items() if isinstance(v, str)} if isinstance(keys, dict) else {}
    polling = _switch(table, environ, "polling")
    theme = environ.get("CCBROWSE_THEME") or table.get("theme")
    return Settings(
        theme=theme if isinstance(theme, str) else Settings().theme,
        ascii=_switch(table, environ, "ascii") or False,
        polling=polling,
        mouse=_switch(table, environ, "mouse") is not False,
        keys=named,
    )


def _check_names(table: Mapping[str, Any], path: Path) -> None:
    """Raise CcbrowseError for the first name that is no setting, with the nearest one that is."""
    known = [each.name for each in fields(Settings)]
    for name in table:
        if name not in known:
            from difflib import get_close_matches

            near = get_close_matches(name, known, 1, 0.5)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
            raise CcbrowseError(f"no such setting: {name}", str(path), hint)


def _table(path: Path) -> Mapping[str, Any]:
    try:
        with path.open("rb") as file:
            return tomllib.load(file)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CcbrowseError("the settings cannot be read", str(path), str(error)) from error
    except OSError as error:
        raise CcbrowseError(
            "the settings cannot be read", str(path), error.strerror or ""
        ) from error


def _switch(table: Mapping[str, Any], environ: Mapping[str, str], name: str) -> bool | None:
    """A setting that is on, off, or not set; the environment goes first."""
    told = environ.get(f"CCBROWSE_{name.upper()}")
    if told is not None:
        return told.strip().lower() not in _FALSE
    value = table.get(name)
    return value if isinstance(value, bool) else None
