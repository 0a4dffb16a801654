"""What a user set about automatic compaction: in the environment, or in the client's own settings."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_OFF = ("DISABLE_COMPACT", "DISABLE_AUTO_COMPACT")
_WINDOW = "CLAUDE_CODE_AUTO_COMPACT_WINDOW"
_PERCENT = "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"
_SMALL = "CLAUDE_CODE_DISABLE_1M_CONTEXT"
_KNOWN = (*_OFF, _WINDOW, _PERCENT, _SMALL)
_YES = frozenset({"1", "true", "yes", "on"})
_LONGEST = 1 << 20
"""Bytes of a settings file above which it is not read."""


@dataclass(frozen=True, slots=True)
class AutoCompact:
    """What is set: whether it is off, the window in tokens, the percentage of it, whether that is small."""

    off: bool = False
    window: int | None = None
    percent: int | None = None
    small_window: bool = False


def auto_compact(values: Mapping[str, str]) -> AutoCompact:
    """What variables say; what is no number there says nothing."""
    percent = _number(values.get(_PERCENT))
    return AutoCompact(
        any(_is_yes(values.get(name)) for name in _OFF),
        _number(values.get(_WINDOW)),
        percent if percent and percent <= 100 else None,
        _is_yes(values.get(_SMALL)),
    )


def settings_in_force(root: Path, environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """The variables that hold for sessions under a root: of `settings.json` beside it, of the environment.

    Of the file only what is about automatic compaction is taken. A file that is missing, too large or
    no JSON says nothing.
    """
    environ = os.environ if environ is None else environ
    found = _of_file(root.parent / "settings.json")
    return found | {name: environ[name] for name in _KNOWN if name in environ}


def _of_file(path: Path) -> dict[str, str]:
    try:
        if path.stat().st_size > _LONGEST:
            return {}
        read = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(read, dict):
        return {}
    found: dict[str, str] = {}
    window = read.get("autoCompactWindow")
    if isinstance(window, int) and not isinstance(window, bool):
        found[_WINDOW] = str(window)
    if read.get("autoCompactEnabled") is False:
        found["DISABLE_AUTO_COMPACT"] = "1"
    variables = read.get("env")
    if isinstance(variables, dict):
        found |= {name: str(variables[name]) for name in _KNOWN if name in variables}
    return found


def _is_yes(text: str | None) -> bool:
    return text is not None and text.strip().lower() in _YES


def _number(text: str | None) -> int | None:
    return int(text) or None if text and text.strip().isdecimal() and len(text) < 12 else None
