"""Settings: from a TOML file, the environment and the command line; what is not set has its default.

What a name may hold is told once, in `KNOWN`. Whatever cannot be used is answered with one line that
says where it stands and what comes nearest.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import platformdirs

from ccbrowse.core.errors import CcbrowseError

FILE = "config.toml"
_FALSE = frozenset({"", "0", "false", "no", "off"})
_TRUE = frozenset({"1", "true", "yes", "on"})

PROFILES = ("standard", "vim", "plain")
TIMES = ("relative", "absolute")
TOOLS = ("line", "results", "hidden")


@dataclass(frozen=True, slots=True)
class Settings:
    """What a user may set: in `config.toml`, or as `CCBROWSE_<NAME>` in the environment."""

    roots: tuple[tuple[str, str], ...] = ()
    """Folders to read where none is named otherwise, each with its label (empty: its path)."""
    theme: str = "ccbrowse"
    """The app's own theme, or one of Textual's."""
    ascii: bool = False
    """Draw with plain signs only."""
    animation: bool = True
    """Let things glide and blink."""
    time: str = "relative"
    """How the list says when: `relative` (3h) or `absolute` (10:02, Mar 3)."""
    tools: str = "line"
    """How tool calls are shown at first: on one `line`, with their `results`, or `hidden`."""
    thinking: bool = True
    """Show thinking at first."""
    redact: bool = True
    """Mask secrets and home paths in exports of the app, unless told otherwise there."""
    polling: bool | None = None
    """Look at files instead of waiting for events; not set: watchfiles' own setting decides."""
    mouse: bool = True
    """Take the mouse."""
    cache: bool = True
    """Keep facts of sessions in the user's cache folder, so that the next start is faster."""
    tour: bool = True
    """Show the tour at the first start."""
    profile: str = "standard"
    """A set of keys to begin with: `standard`, `vim`, `plain` (no letters for moves)."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """Other keys by a command's id: ``"boundary.next" = "n,ctrl+n"``."""


@dataclass(frozen=True, slots=True)
class Known:
    """What a setting may hold: words out of `choices`, else a switch or a text by `kind`."""

    kind: str
    """`switch`, `text`, `roots` or `keys`."""
    choices: tuple[str, ...] = ()


KNOWN: Mapping[str, Known] = {
    "roots": Known("roots"),
    "theme": Known("text"),
    "ascii": Known("switch"),
    "animation": Known("switch"),
    "time": Known("text", TIMES),
    "tools": Known("text", TOOLS),
    "thinking": Known("switch"),
    "redact": Known("switch"),
    "polling": Known("switch"),
    "mouse": Known("switch"),
    "cache": Known("switch"),
    "tour": Known("switch"),
    "profile": Known("text", PROFILES),
    "keys": Known("keys"),
}
"""All settings, in the order in which they are told."""

DEFAULT = "default"
COMMAND_LINE = "command line"


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings in force, and where each comes from."""

    settings: Settings
    origins: Mapping[str, str]
    """By name: `default`, `command line`, `environment (NAME)`, or the file."""


def config_file() -> Path:
    """Where the settings are read from; it need not exist."""
    return platformdirs.user_config_path("ccbrowse") / FILE


def load(path: Path | None = None, environ: Mapping[str, str] | None = None) -> Settings:
    """The settings in force. Raises CcbrowseError for what cannot be read or used."""
    return load_all(path, environ).settings


def load_all(
    path: Path | None = None,
    environ: Mapping[str, str] | None = None,
    told: Mapping[str, Any] | None = None,
) -> Loaded:
    """The settings and where they come from; what is `told` goes first, then the environment.

    Raises CcbrowseError for a file that is no TOML, an unknown name, or a value that cannot be used.
    """
    environ = os.environ if environ is None else environ
    path = config_file() if path is None else path
    table = _table(path)
    for name in table:
        if name not in KNOWN:
            raise unknown("setting", name, KNOWN, str(path))
    values: dict[str, Any] = {}
    origins = dict.fromkeys(KNOWN, DEFAULT)
    for name, known in KNOWN.items():
        variable = f"CCBROWSE_{name.upper()}"
        if told and name in told:
            values[name], origins[name] = told[name], COMMAND_LINE
        elif known.kind in ("switch", "text") and environ.get(variable) is not None:
            values[name] = _from_word(known, environ[variable], variable)
            origins[name] = f"environment ({variable})"
        elif name in table:
            values[name] = _from_toml(name, known, table[name], str(path))
            origins[name] = str(path)
    return Loaded(Settings(**values), origins)


def nearest(name: str, known: Mapping[str, object] | tuple[str, ...]) -> str:
    """Which of the known names may be meant, as a hint: else all of them, where they are few."""
    near = get_close_matches(name, list(known), 1, 0.5)
    if near:
        return f"did you mean {near[0]}?"
    return f"there are {', '.join(known)}" if len(known) <= 20 else ""


def unknown(
    what: str, name: str, known: Mapping[str, object] | tuple[str, ...], where: str
) -> CcbrowseError:
    """The answer to a name that nobody knows."""
    return CcbrowseError(f"no such {what}: {name}", where, nearest(name, known))


def _table(path: Path) -> Mapping[str, Any]:
    try:
        with path.open("rb") as file:
            import tomllib  # where there is something to read

            return tomllib.load(file)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except ValueError as error:  # no TOML, or no UTF-8
        raise CcbrowseError("the settings cannot be read", str(path), str(error)) from error
    except OSError as error:
        raise CcbrowseError(
            "the settings cannot be read", str(path), error.strerror or ""
        ) from error


def _from_word(known: Known, word: str, where: str) -> bool | str:
    """A value of the environment."""
    if known.kind == "text":
        return _chosen(known, word, where)
    if word.strip().lower() in _FALSE | _TRUE:
        return word.strip().lower() in _TRUE
    raise CcbrowseError(f"neither on nor off: {word}", where, "say 1 or 0")


def _from_toml(name: str, known: Known, value: Any, where: str) -> Any:
    """A value of the file."""
    if known.kind == "text" and isinstance(value, str):
        return _chosen(known, value, f"{name} in {where}")
    if known.kind == "switch" and isinstance(value, bool):
        return value
    if known.kind == "roots" and (roots := _roots(value)) is not None:
        return roots
    if known.kind == "keys" and _is_texts(value):
        return dict(value)
    raise CcbrowseError(f"{name} cannot be {_as_told(value)}", where, _wanted(name, known))


def _chosen(known: Known, word: str, where: str) -> str:
    if known.choices and word not in known.choices:
        raise unknown("choice", word, known.choices, where)
    return word


def _wanted(name: str, known: Known) -> str:
    match known.kind:
        case "switch":
            return "it is true or false"
        case "roots":
            return 'it is a list of folders, or a table: [roots] work = "~/office/.claude"'
        case "keys":
            return 'it is a table: [keys] "boundary.next" = "ctrl+n"'
    choices = " or ".join(f'"{choice}"' for choice in known.choices)
    return f"it is {choices or 'a text in quotes'}"


def _as_told(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value)[:40]


def _roots(value: object) -> tuple[tuple[str, str], ...] | None:
    """Labels and folders: of a list without labels, of a table with them; None for anything else."""
    if isinstance(value, list) and all(isinstance(each, str) and each for each in value):
        return tuple(("", each) for each in value)
    if _is_texts(value) and isinstance(value, dict) and all(value.values()):
        return tuple(value.items())
    return None


def _is_texts(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(each, str) for each in value.values())
