"""Reading what Claude Code keeps on disk: files in, facts out. No terminal, no printing, no threads.

A program that uses ccbrowse as a library starts here::

    from ccbrowse.core import Session, find_roots, session_files

    for root in find_roots():
        for file in session_files(root):
            with Session.open(file) as session:
                print(session.title.text, len(session.segments))

The names below are the ones to begin with. Each further question has a room of its own, whose package
says what it offers: `payload` (requests), `compaction` (what was kept and lost), `search`, `export`,
`redact`, `forecast`, `follow`. All of them take a `Session`.

Nothing is loaded before it is asked for, and nothing is ever written below a root. What cannot be done
raises a `CcbrowseError`, or the system's own OSError where a file cannot be read.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ccbrowse.core.errors import (
        AmbiguousSession,
        CcbrowseError,
        Gone,
        NoRoots,
        NoSuchSession,
    )
    from ccbrowse.core.library import Library
    from ccbrowse.core.listing import Listing
    from ccbrowse.core.locate import SessionFile, find_roots, session_files
    from ccbrowse.core.numbers import Number, Source
    from ccbrowse.core.segments import Segment
    from ccbrowse.core.session import Session
    from ccbrowse.core.targets import resolve

__all__ = [
    "AmbiguousSession",
    "CcbrowseError",
    "Gone",
    "Library",
    "Listing",
    "NoRoots",
    "NoSuchSession",
    "Number",
    "Segment",
    "Session",
    "SessionFile",
    "Source",
    "find_roots",
    "resolve",
    "session_files",
]

_ROOMS = {
    "errors": ("AmbiguousSession", "CcbrowseError", "Gone", "NoRoots", "NoSuchSession"),
    "library": ("Library",),
    "listing": ("Listing",),
    "locate": ("SessionFile", "find_roots", "session_files"),
    "numbers": ("Number", "Source"),
    "segments": ("Segment",),
    "session": ("Session",),
    "targets": ("resolve",),
}
_ROOM_OF = {name: room for room, names in _ROOMS.items() for name in names}


if not TYPE_CHECKING:  # a checker knows the names from above, and is to find what is misspelt

    def __getattr__(name: str) -> object:
        """A public name, its module loaded now. Raises AttributeError for any other."""
        # Loaded late: the app and its children import single modules, and each counts at a start.
        room = _ROOM_OF.get(name)
        if room is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{room}"), name)


def __dir__() -> list[str]:
    """The public names, beside what every module has."""
    return sorted({*globals(), *__all__})
