"""Searching sessions: files scanned one after the other, candidates judged, hits placed and streamed.

A session is opened only once something in its files was found: its bytes are scanned first, which
costs a fraction of indexing them. A title is the session's own (as lists show it), so a session is
opened as well where one of its records could be the title that is wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ccbrowse.core.errors import CcbrowseError, Gone
from ccbrowse.core.index import SessionIndex, index_file
from ccbrowse.core.library import list_session
from ccbrowse.core.locate import AgentFile, SessionFile
from ccbrowse.core.query import Query
from ccbrowse.core.search.asking import Judged, Wanted
from ccbrowse.core.search.fields import ALL_FIELDS, Field, FieldText, field_texts
from ccbrowse.core.search.hits import Hit, snippet_of
from ccbrowse.core.search.places import inline_agents, records_on, row_at
from ccbrowse.core.search.scan import candidates
from ccbrowse.core.search.titles import possible_titles, title_row
from ccbrowse.core.session import Folder, Session
from ccbrowse.core.subagents import is_copy

Trouble = Callable[[Path, str], None]
"""Told of each file that could not be read, and why."""


def never() -> bool:
    """Says that nobody has cancelled."""
    return False


def ignore(path: Path, reason: str) -> None:
    """Takes no notice of a file that could not be read."""


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
) -> Iterator[Hit]:
    """The hits in sessions and their subagents' files: one for each record and field, as they are found.

    Files are searched in the order given (`newest_first` puts them as lists do); within a session the
    title comes first, then records in file order, then subagents. `fields` is where words without a
    scope are looked for. A query that cannot be used raises BadQuery at once; close the iterator, or
    let `cancelled` answer true, to end the search.
    """
    wanted = Wanted(query, fields=fields, case=case, regex=regex, whole_word=whole_word)
    return search_wanted(wanted, files, cancelled=cancelled, trouble=trouble)


def search_wanted(
    wanted: Wanted,
    files: Iterable[SessionFile],
    *,
    cancelled: Callable[[], bool] = never,
    trouble: Trouble = ignore,
) -> Iterator[Hit]:
    """The hits of a search that was made ready before: see `search_sessions`."""
    folders: dict[Path, Folder] = {}
    for file in files:
        if cancelled():
            return
        folder = folders.setdefault(file.folder, Folder(file.folder))
        one = _OneSession(file, folder, wanted, cancelled, trouble)
        try:
            yield from one.hits()
        finally:
            one.close()


class _OneSession:
    """The search of one session and its subagents. Opened when the first thing is found."""

    def __init__(
        self,
        file: SessionFile,
        folder: Folder,
        wanted: Wanted,
        cancelled: Callable[[], bool],
        trouble: Trouble,
    ) -> None:
        self.file = file
        self.folder = folder
        self.wanted = wanted
        self.cancelled = cancelled
        self.trouble = trouble
        self.session: Session | None = None
        self.refused = False
        self.titled = not wanted.in_titles
        self.inline: dict[int, str] | None = None

    def close(self) -> None:
        if self.session is not None:
            self.session.close()

    def hits(self) -> Iterator[Hit]:
        """Everything found; nothing more once the session does not meet the conditions."""
        if self._is_named_elsewhere():
            yield from self._title()
        yield from self._in_file(self.file.path, None)
        for agent in self.folder.agents_of(self.file):
            if not self.refused and not self.cancelled() and not is_copy(agent):
                yield from self._in_file(agent.path, agent)

    def _in_file(self, path: Path, agent: AgentFile | None) -> Iterator[Hit]:
        index: SessionIndex | None = None
        try:
            for offset, line in candidates(path, self.wanted.spelling, self.cancelled):
                for record in records_on(line):
                    if agent is None and self._could_be_title(record):
                        yield from self._title()
                    texts = list(field_texts(record))
                    judged = self.wanted.judge(texts) if texts else []
                    if not judged or not self._open():
                        continue
                    if agent is not None and index is None:
                        index = index_file(path, sidechain_lane=True)
                    yield from self._title()
                    yield from self._at(offset, record, judged, agent, index)
                if self.refused:
                    return
        except (OSError, Gone) as error:
            self.trouble(path, getattr(error, "strerror", None) or str(error))

    def _open(self) -> bool:
        """Open the session if it is not; false where it cannot be, or is not one of those asked for."""
        if self.session is None and not self.refused:
            try:
                self.session = Session(self.file, self.folder)
            except CcbrowseError as error:
                self.trouble(self.file.path, str(error))
            if self.session is None or (
                self.wanted.terms and not self.wanted.accepts(list_session(self.session))
            ):
                self.refused = True
        return not self.refused

    def _at(
        self,
        offset: int,
        record: Mapping[str, Any],
        judged: list[Judged],
        agent: AgentFile | None,
        index: SessionIndex | None,
    ) -> Iterator[Hit]:
        """The hits of one record."""
        assert self.session is not None
        index = index or self.session.index
        row = row_at(index, offset, record)
        if row is None:
            return
        agent_id = agent.agent_id if agent else self._inline_agent(row)
        segment = None if agent_id else self.session.segment_of(row)
        for one in judged:
            yield self._hit(
                one,
                file=agent.path if agent else self.file.path,
                index=index,
                row=row,
                segment=segment,
                on_main_line=segment is not None,
                agent_id=agent_id,
            )

    def _hit(
        self,
        judged: Judged,
        *,
        file: Path,
        index: SessionIndex,
        row: int | None,
        segment: int | None,
        on_main_line: bool,
        agent_id: str | None,
    ) -> Hit:
        assert self.session is not None
        return Hit(
            session_id=self.file.session_id,
            title=self.session.title.text,
            session_file=self.file.path,
            file=file,
            uuid=None if row is None else index.uuids[row],
            segment=segment,
            line=None if row is None else index.line[row],
            field=judged.field,
            snippet=snippet_of(judged.text, judged.span),
            on_main_line=on_main_line,
            agent_id=agent_id,
            row=row,
            part=judged.part,
            start=judged.span.start,
            length=judged.span.length,
        )

    def _inline_agent(self, row: int) -> str | None:
        assert self.session is not None
        index = self.session.index
        if not index.is_side(row):
            return None
        if self.inline is None:
            self.inline = inline_agents(index)
        return self.inline.get(row)

    def _could_be_title(self, record: Mapping[str, Any]) -> bool:
        """Whether the record could give a title that is wanted, and titles were not looked at yet."""
        return not self.titled and any(
            self._judge_title(title) for title in possible_titles(record)
        )

    def _judge_title(self, title: str) -> list[Judged]:
        return self.wanted.judge([FieldText(Field.TITLE, title)]) if title else []

    def _is_named_elsewhere(self) -> bool:
        """Whether the title can be one that the scan for candidates would not see."""
        if self.titled:
            return False
        spelling = self.wanted.spelling
        unseen = spelling is not None and not spelling.tells_titles
        return unseen or (self.file.side_folder / "custom-title.json").is_file()

    def _title(self) -> Iterator[Hit]:
        """The hit in the session's title, if it is one; once."""
        if self.titled or not self._open():
            return
        self.titled = True
        session = self.session
        assert session is not None
        judged = [] if session.is_empty else self._judge_title(session.title.text)
        if judged:
            row = title_row(session)
            named = row is None or session.index.uuids[row] is None
            segment = None if named or row is None else session.segment_of(row)
            yield self._hit(
                judged[0],
                file=self.file.path,
                index=session.index,
                row=row,
                segment=segment,
                on_main_line=named or segment is not None,
                agent_id=None,
            )
