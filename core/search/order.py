"""The order of a search: sessions by their newest record, as lists have them."""

from collections.abc import Iterable

from ccbrowse.core.locate import SessionFile
from ccbrowse.core.search.known import Known
from ccbrowse.core.talk.newest import newest_time


def newest_first(files: Iterable[SessionFile], known: Known | None = None) -> list[SessionFile]:
    """Session files by the time of their newest record; by when they were written where none tells.

    `known` saves a look at those that have not changed.
    """

    def order(file: SessionFile) -> tuple[int, str]:
        time = None if known is None else known.newest(file)
        return newest_time(file) if time is None else time, file.session_id

    return sorted(files, key=order, reverse=True)
