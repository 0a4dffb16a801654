"""Searching sessions: one after the other, hits streamed as they are found."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path

from ccbrowse.core.errors import CcbrowseError
from ccbrowse.core.fields import ALL_FIELDS, Field
from ccbrowse.core.library import list_session
from ccbrowse.core.locate import SessionFile
from ccbrowse.core.query import Query
from ccbrowse.core.search.asking import Wanted
from ccbrowse.core.search.copies import Copies
from ccbrowse.core.search.hits import Hit
from ccbrowse.core.search.known import Known
from ccbrowse.core.search.one import OneSession, Trouble
from ccbrowse.core.session import Folder, Session
from ccbrowse.core.talk import Covered

Told = Callable[[int, SessionFile], None]
"""Told of each session before it is searched: its number, from 0, and its file."""


def never() -> bool:
    """Says that nobody has cancelled."""
    return False


def ignore(path: Path, reason: str) -> None:
    """Takes no notice of a file that could not be read."""


def untold(number: int, file: SessionFile) -> None:
    """Takes no notice of how far a search is."""


def search_sessions(
    query: Query,
    files: Iterable[SessionFile],
    *,
    fields: Collection[Field] = ALL_FIELDS,
    case: bool = False,
    regex: bool = False,
    whole_word: bool = False,
    cancelled: Callable[[], bool] = never,
    trouble: Trouble = ignore,
    known: Known | None = None,
) -> Iterator[Hit]:
    """The hits in sessions and their subagents' files: one for each record and field, as they are found.

    Files are searched in the order given (`newest_first` puts them as lists do); within a session the
    title comes first, then records in file order, then subagents. `fields` is where words without a
    scope are looked for. `known` is what caches know of the sessions: it changes nothing but the time
    that it takes. A query that cannot be used raises BadQuery at once; close the iterator, or
    let `cancelled` answer true, to end the search.
    """
    wanted = Wanted(query, fields=fields, case=case, regex=regex, whole_word=whole_word)
    return search_wanted(wanted, files, cancelled=cancelled, trouble=trouble, known=known)


def search_wanted(
    wanted: Wanted,
    files: Iterable[SessionFile],
    *,
    cancelled: Callable[[], bool] = never,
    trouble: Trouble = ignore,
    told: Told = untold,
    copies: bool = False,
    known: Known | None = None,
) -> Iterator[Hit]:
    """The hits of a search that was made ready before: see `search_sessions`.

    With `copies` a record is found in each session that has a copy of it.
    """
    files = list(files)
    folders = {path: Folder(path) for path in {file.folder for file in files}}

    def accepts(file: SessionFile) -> bool:
        return not wanted.terms or _meets(wanted, file, folders[file.folder])

    shared = None if copies else Copies(files, accepts, known)
    said = wanted.said if known is not None else []
    covered = known.covered(said) if known is not None and said else None
    for number, file in enumerate(files):
        if cancelled():
            return
        told(number, file)
        folder = folders[file.folder]
        if covered is not None and _says_nothing(file, folder, covered, wanted):
            continue
        one = OneSession(file, folder, wanted, cancelled, trouble, shared, known, covered)
        try:
            yield from one.lost() if wanted.lost else one.hits()
        finally:
            one.close()


def _says_nothing(file: SessionFile, folder: Folder, covered: Covered, wanted: Wanted) -> bool:
    """Whether the talk index knows that neither a session nor anything beside it can hold what is wanted."""
    if file.has_side or (wanted.spelling is not None and not wanted.spelling.tells_titles):
        return False
    return covered.parts(file.key, file.stamp) == [] and not folder.listed_agents(file)


def _meets(wanted: Wanted, file: SessionFile, folder: Folder) -> bool:
    """Whether a session that is not open meets the conditions."""
    try:
        session = Session(file, folder)
    except (OSError, CcbrowseError):
        return False
    try:
        return wanted.accepts(list_session(session))
    finally:
        session.close()
