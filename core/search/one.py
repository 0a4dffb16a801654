"""The search of one session: its file and its subagents', hits placed on the main line or beside it.

A session is opened only once something in its files was found: its bytes are scanned first, which
costs a fraction of indexing them. A title is the session's own (as lists show it), so a session is
opened as well where one of its records could be the title that is wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ccbrowse.core.errors import CcbrowseError, Gone
from ccbrowse.core.index import SessionIndex, index_file
from ccbrowse.core.library import list_session
from ccbrowse.core.locate import AgentFile, SessionFile
from ccbrowse.core.search.asking import Judged, Wanted
from ccbrowse.core.search.copies import Copies
from ccbrowse.core.search.fields import Field, FieldText, field_texts
from ccbrowse.core.search.hits import Hit, snippet_of
from ccbrowse.core.search.places import inline_agents, records_on, row_at
from ccbrowse.core.search.scan import candidates
from ccbrowse.core.search.titles import possible_titles, title_row
from ccbrowse.core.session import Folder, Session
from ccbrowse.core.subagents import is_copy
from ccbrowse.core.titles import TitleSource

Trouble = Callable[[Path, str], None]
"""Told of each file that could not be read, and why."""


class OneSession:
    """The search of one session and its subagents. Opened when the first thing is found."""

    def __init__(
        self,
        file: SessionFile,
        folder: Folder,
        wanted: Wanted,
        cancelled: Callable[[], bool],
        trouble: Trouble,
        shared: Copies | None,
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
        self.shared = shared
        self.copied: Callable[[int], bool] | None = None
        self.found: set[tuple[str, Field]] = set()

    def close(self) -> None:
        """Let go of the session, if it was opened."""
        if self.session is not None:
            self.session.close()

    def hits(self) -> Iterator[Hit]:
        """Everything found; nothing more once the session does not meet the conditions."""
        if self._is_named_elsewhere():
            yield from self._title()
        yield from self._in_file(self.file.key, None)
        for agent in self.folder.listed_agents(self.file):
            if not self.refused and not self.cancelled() and not is_copy(agent):
                yield from self._in_file(str(agent.path), agent)

    def lost(self) -> Iterator[Hit]:
        """What compactions of the session lost, where it holds the words at all."""
        try:
            may_hold = any(candidates(self.file.path, self.wanted.spelling, self.cancelled))
            if not may_hold or not self._open() or self.session is None:
                return
            if any(segment.boundary is not None for segment in self.session.segments):
                from ccbrowse.core.search.losses import lost_judged  # few searches need it

                for row, judged in lost_judged(self.session, self.wanted, self.cancelled):
                    if not self._is_copied(row):
                        yield self._placed(judged, row)
        except (OSError, Gone) as error:
            self.trouble(self.file.path, getattr(error, "strerror", None) or str(error))

    def _placed(self, judged: Judged, row: int) -> Hit:
        """A hit in the session's own file."""
        assert self.session is not None
        segment = self.session.segment_of(row)
        return self._hit(
            judged,
            file=self.file.path,
            index=self.session.index,
            row=row,
            segment=segment,
            on_main_line=segment is not None,
            agent_id=None,
        )

    def _is_copied(self, row: int) -> bool:
        """Whether a record of the session's own file belongs to another file that is searched."""
        if self.shared is None or self.session is None:
            return False
        if self.copied is None:
            self.copied = self.shared.of(self.session).is_copy
        return self.copied(row)

    def _is_repeated(self, uuid: str | None, field: Field) -> bool:
        """Whether this record and field were found in the session before: subagents' files repeat some."""
        if uuid is None or self.shared is None:
            return False
        before = (uuid, field) in self.found
        self.found.add((uuid, field))
        return before

    def _in_file(self, path: str, agent: AgentFile | None) -> Iterator[Hit]:
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
                        index = index_file(Path(path), sidechain_lane=True)
                    yield from self._title()
                    yield from self._at(offset, record, judged, agent, index)
                if self.refused:
                    return
        except (OSError, Gone) as error:
            self.trouble(Path(path), getattr(error, "strerror", None) or str(error))

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
        if row is None or (agent is None and self._is_copied(row)):
            return
        agent_id = agent.agent_id if agent else self._inline_agent(row)
        segment = None if agent_id else self.session.segment_of(row)
        for one in judged:
            if self._is_repeated(index.uuids[row], one.field):
                continue
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
        return unseen or (
            self.file.has_side and (self.file.side_folder / "custom-title.json").is_file()
        )

    def _title(self) -> Iterator[Hit]:
        """The hit in the session's title, if it is one; once."""
        if self.titled or not self._open():
            return
        self.titled = True
        session = self.session
        assert session is not None
        judged = [] if session.is_empty else self._judge_title(session.title.text)
        row = title_row(session) if judged else None
        if judged and not self._says_it_itself(row):
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

    def _says_it_itself(self, row: int | None) -> bool:
        """Whether a title is made of a prompt that is a hit in its own right, or of another file's."""
        session = self.session
        if session is None or row is None or session.title.source is not TitleSource.PROMPT:
            return False
        said = self.wanted.judge(list(field_texts(session.record(row))))
        return bool(said) or self._is_copied(row)
