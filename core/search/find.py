"""Finding within one open session: every match, in the order of the file."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from ccbrowse.core.fields import ALL_FIELDS, Field, field_texts
from ccbrowse.core.query import Query
from ccbrowse.core.search.asking import Wanted
from ccbrowse.core.search.engine import never
from ccbrowse.core.search.places import records_on, row_at
from ccbrowse.core.search.scan import candidates
from ccbrowse.core.session import Session


@dataclass(frozen=True, slots=True)
class Match:
    """A match: its row, and where in the row's texts (`field_texts`: which one, and which characters)."""

    row: int
    field: Field
    part: int
    start: int
    length: int


def find_in_session(
    session: Session,
    text: str,
    *,
    regex: bool = False,
    case: bool = False,
    whole_word: bool = False,
    fields: Collection[Field] = ALL_FIELDS,
    cancelled: Callable[[], bool] = never,
) -> Iterator[Match]:
    """Every match of `text`, taken as it stands (or as a pattern), in one session's own file.

    Titles and subagents' files are not looked at: open a subagent to find in it. Raises BadQuery at
    once for an empty text or a bad pattern; Gone or OSError, later, where the file cannot be read.
    """
    found = find_with_texts(
        session,
        text,
        regex=regex,
        case=case,
        whole_word=whole_word,
        fields=fields,
        cancelled=cancelled,
    )
    return (match for match, _ in found)


def find_with_texts(
    session: Session,
    text: str,
    *,
    regex: bool = False,
    case: bool = False,
    whole_word: bool = False,
    fields: Collection[Field] = ALL_FIELDS,
    cancelled: Callable[[], bool] = never,
) -> Iterator[tuple[Match, str]]:
    """As `find_in_session`: each match with the text that it stands in."""
    query = Query((), ((None, text),))
    wanted = Wanted(query, fields=fields, regex=regex, case=case, whole_word=whole_word)
    return _matches(session, wanted, cancelled)


def _matches(
    session: Session, wanted: Wanted, cancelled: Callable[[], bool]
) -> Iterator[tuple[Match, str]]:
    ((needle, fields),) = wanted.needles
    for offset, line in candidates(session.file.path, wanted.spelling, cancelled):
        for record in records_on(line):
            row: int | None = None
            for part, (field, text) in enumerate(field_texts(record)):
                if field not in fields:
                    continue
                for span in needle.all(text):
                    if row is None and (row := row_at(session.index, offset, record)) is None:
                        break
                    yield Match(row, field, part, span.start, span.length), text
