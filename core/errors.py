"""The errors that ccbrowse raises on purpose: a small tree, each with one line for people.

::

    CcbrowseError                exit code 1
    ├── NoRoots                  no folder to read; `tried` says where it looked
    ├── NoSuchSession            nothing answers to that target
    ├── AmbiguousSession         several do; `candidates` names them
    ├── BadLine                  a line of a file holds no record
    ├── Gone                     a file was there and is not any more
    ├── BadQuery                 a filter, search or target cannot be read (exit code 2)
    ├── WouldOverwrite           the file to write exists already
    ├── NoCapture                a file holds no request, or several (`core.capture`)
    └── NotWanted                a session was still being read when nobody wanted it (`core.opening`)

Three more never leave `core`: one part of it tells another that it cannot or need not go on. They
are no CcbrowseErrors, for nobody is to read them: `counting.NotAway`, `placing.NotSimple`,
`search.losses.GivenUp`.

The text of an error is one line, ``what, where, what to try``. It may quote names and
paths as they were found, so a screen passes it through ``display_text`` like all else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar


class CcbrowseError(Exception):
    """What could not be done, where, and what to try; empty parts are left out of the line."""

    exit_code: ClassVar[int] = 1
    """What the command line exits with: 1 could not be done, 2 wrong usage."""

    def __init__(self, what: str, /, where: str = "", hint: str = "") -> None:
        # Exception.__init__ is not called: `args` then stays what the caller gave, so that
        # children with other parameters cross a process boundary (pickle) unharmed.
        self.what = what
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        parts = (self.what, self.where, self.hint)
        return " ".join(", ".join(part for part in parts if part).split())


class NoRoots(CcbrowseError):
    """No folder with sessions was found; `tried` are the places looked at, in order."""

    def __init__(self, tried: Sequence[str], /) -> None:
        self.tried = tuple(tried)
        places = "looked in " + " · ".join(self.tried) if self.tried else ""
        super().__init__("no sessions folder found", places, "name one with --root DIR")


class NoSuchSession(CcbrowseError):
    """No session, segment or subagent answers to `target`."""

    def __init__(
        self,
        target: str,
        /,
        hint: str = "see them with `ccbrowse list`",
        what: str = "no such session",
    ) -> None:
        self.target = target
        super().__init__(what, target, hint)


class AmbiguousSession(CcbrowseError):
    """`target` is the beginning of several session ids: the `candidates`."""

    def __init__(self, target: str, candidates: Sequence[str], /) -> None:
        self.target = target
        self.candidates = tuple(candidates)
        several = f"{len(self.candidates)} sessions begin so: " + " · ".join(self.candidates)
        super().__init__("ambiguous session", target, several)


class BadLine(CcbrowseError):
    """A line that holds no record; `where` may name file and line once they are known."""

    def __init__(self, reason: str, /, where: str = "") -> None:
        self.reason = reason
        super().__init__(f"not a record: {reason}", where)


class Gone(CcbrowseError):
    """The file at `path` was removed while it was open or between two looks."""

    def __init__(self, path: str, /) -> None:
        self.path = path
        super().__init__("the file is gone", path, "reload the list")


class BadQuery(CcbrowseError):
    """A filter, search or target that cannot be parsed; `where` shows the part that is meant."""

    exit_code = 2


class WouldOverwrite(CcbrowseError):
    """The file at `path` exists and no one said that it may be replaced."""

    def __init__(self, path: str, /) -> None:
        self.path = path
        super().__init__("the file exists", path, "choose another with -o, or add --force")
