"""The context window of a session: the files do not record it, so it is looked up, and says so."""

import re
from enum import StrEnum

from msgspec import Struct

SMALL = 200_000
LARGE = 1_000_000

_VERSION = re.compile(r"(opus|sonnet|haiku|fable)-(\d{1,2})(?:-(\d{1,2}))?(?!\d)")


class WindowSource(StrEnum):
    """Where a window's size comes from."""

    SETTING = "setting"
    SEEN = "usage>200k"
    TABLE = "table"
    UNKNOWN = "unknown"


class Window(Struct, frozen=True):
    """A context window in tokens; None where the model is not known."""

    value: int | None
    source: WindowSource

    def to_json(self) -> dict[str, object]:
        """The window as the command line prints it."""
        return {"value": self.value, "source": self.source.value}


def window_of(model: str | None, largest: int, setting: int | None = None) -> Window:
    """The window of a model in whose session the largest request weighed `largest` tokens.

    `setting` is what the user states; a request above 200,000 tokens tells of the large window.
    """
    if setting is not None:
        return Window(setting, WindowSource.SETTING)
    if largest > SMALL:
        return Window(LARGE, WindowSource.SEEN)
    found = _VERSION.search(model or "")
    if found is None:
        older = (model or "").startswith("claude-3") or "claude-2" in (model or "")
        return Window(SMALL, WindowSource.TABLE) if older else Window(None, WindowSource.UNKNOWN)
    family, major, minor = found.group(1), int(found.group(2)), int(found.group(3) or 0)
    native = family != "haiku" and (major >= 5 or (family == "opus" and (major, minor) >= (4, 7)))
    return Window(LARGE if native else SMALL, WindowSource.TABLE)
