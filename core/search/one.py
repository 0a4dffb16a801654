"""The search of one session: its file and its subagents', hits placed on the main line or beside it.

A session is opened only once something in its files was found: its bytes are scanned first, which
costs a fraction of indexing them. A title is the session's own (as lists show it), so a session is
opened as well where one of its records could be the title that is wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from ccbrowse.core.errors import BadLine, CcbrowseError, Gone
from ccbrowse.core.fields import Field, FieldText, field_texts
from ccbrowse.core.index import SessionIndex, index_file
from ccbrowse.core.library import Listing, list_session
from ccbrowse.core.locate import AgentFile, SessionFile
from ccbrowse.core.placing import NotSimple, Place, Places, title_row
from ccbrowse.core.records import decode
from ccbrowse.core.search.asking import Judged, Wanted
from ccbrowse.core.search.copies import Copies
from ccbrowse.core.search.hits import Hit, snippet_of
from ccbrowse.core.search.known import Familiar, Known
from ccbrowse.core.search.places import inline_agents, records_on, row_at
from ccbrowse.core.search.scan import candidates
from ccbrowse.core.session import Folder, Session
from ccbrowse.core.subagents import is_copy
from ccbrowse.core.talk import Covered
from ccbrowse.core.talk.store import Ranges
from ccbrowse.core.titles import TitleSource, possible_titles

Trouble = Callable[[Path, str], None]
"""Told of each file that could not be read, and why."""


class OneSession:
    """The search of one session and its subagents. Opened when the first thing is found, unless the
    cache knows enough of it."""

    def __init__(
        self,
        file: SessionFile,
        folder: Folder,
        wanted: Wanted,
        cancelled: Callable[[], bool],
        trouble: Trouble,
        shared: Copies | None,
        known: Known | None = None,
        covered: Covered | None = None,
    ) -> None:
        self.file = file
        self.folder = folder
        self.wanted = wanted
        self.cancelled = cancelled
        self.trouble = trouble
        self.known = known
        self.covered = covered
        self.familiar: Familiar | None = None
        self.session: Session | None = None
        self.refused = False
        self.titled = not wanted.in_titles
        self.inline: dict[int, str] | None = None
        self.shared = shared
        self.copied: Callable[[int], bool] | None = None
        self.found: set[tuple[str, Field]] = set()
        self.alone: bool | None = None

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
            if not may_hold or not self._open() or (session := self._whole()) is None:
                return
            if any(segment.boundary is not None for segment in session.segments):
                from ccbrowse.core.search.losses import lost_judged  # few searches need it

                for row, judged in lost_judged(session, self.wanted, self.cancelled):
                    if not self._is_copied(row):
                        yield self._placed(judged, row)
        except (OSError, Gone) as error:
            self.trouble(self.file.path, getattr(error, "strerror", None) or str(error))

    def _placed(self, judged: Judged, row: int) -> Hit:
        """A hit in the session's own file."""
        return self._hit(judged, self.file.path, self._place_of(row))

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
        parts = self._parts(path, agent)
        if parts is not None and not parts:
            return
        try:
            for offset, line in candidates(path, self.wanted.spelling, self.cancelled, parts):
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

    def _parts(self, path: str, agent: AgentFile | None) -> Ranges | None:
        """The parts of a file to read; None: all of it."""
        if self.covered is None:
            return None
        return self.covered.parts(path, self.file.stamp if agent is None else None)

    def _open(self) -> bool:
        """Open the session if it is not; false where it cannot be, or is not one of those asked for."""
        if self.session is None and self.familiar is None and not self.refused:
            self.familiar = self.known.session(self.file) if self.known is not None else None
            if self.familiar is None and self._whole() is None:
                return False
            self.refused = bool(self.wanted.terms) and not self.wanted.accepts(self._listing())
        return not self.refused

    def _whole(self) -> Session | None:
        """The session, opened; None where it cannot be, which is said once."""
        if self.session is None and not self.refused:
            try:
                self.session = Session(self.file, self.folder)
            except CcbrowseError as error:
                self.trouble(self.file.path, str(error))
                self.refused = True
        return self.session

    def _listing(self) -> Listing:
        if self.session is None and self.familiar is not None and self.familiar.listing is not None:
            return self.familiar.listing
        session = self._whole()
        if session is None:
            raise Gone(self.file.key)
        return list_session(session)

    def _at(
        self,
        offset: int,
        record: Mapping[str, Any],
        judged: list[Judged],
        agent: AgentFile | None,
        index: SessionIndex | None,
    ) -> Iterator[Hit]:
        """The hits of one record."""
        agent_id: str | None = None
        if agent is not None and index is not None:
            agent_id = agent.agent_id
            row = row_at(index, offset, record)
            place = None if row is None else Place(row, index.line[row], index.uuids[row], None)
        else:
            place, agent_id = self._own_place(offset, record)
        if place is None:
            return
        path = agent.path if agent else self.file.path
        for one in judged:
            if not self._is_repeated(place.uuid, one.field):
                yield self._hit(one, path, place, agent_id)

    def _own_place(self, offset: int, record: Mapping[str, Any]) -> tuple[Place | None, str | None]:
        """Where a record of the session's own file stands, and whose it is; nothing where it is not to be
        found there: it was written again, or belongs to another file."""
        if self._is_simple:
            assert self.familiar is not None
            with suppress(NotSimple):
                place = self.familiar.places.find(offset, record)
                if place is None or not self._may_be_copy(place.uuid):
                    return place, None
        session = self._whole()
        row = None if session is None else row_at(session.index, offset, record)
        if row is None or self._is_copied(row):
            return None, None
        agent_id = self._inline_agent(row)
        place = self._place_of(row)
        return (place._replace(segment=None) if agent_id else place), agent_id

    @property
    def _is_simple(self) -> bool:
        """Whether the cache tells where records stand: no other file can be where they belong."""
        if self.session is not None or self.familiar is None:
            return False
        return self.shared is None or not self.familiar.places.copies

    def _may_be_copy(self, uuid: str | None) -> bool:
        """Whether a record may belong to another file, of a session that is not open."""
        if self.alone is None:
            self.alone = self.shared is None or not self.shared.begins_as_others(self.file)
        return (
            not self.alone and self.shared is not None and self.shared.may_be_copy(self.file, uuid)
        )

    def _place_of(self, row: int) -> Place:
        """Where a row of the open session stands."""
        assert self.session is not None
        index = self.session.index
        return Place(row, index.line[row], index.uuids[row], self.session.segment_of(row))

    def _hit(
        self,
        judged: Judged,
        file: Path,
        place: Place | None,
        agent_id: str | None = None,
    ) -> Hit:
        """A hit at a place; without one it is a title that no record holds."""
        return Hit(
            session_id=self.file.session_id,
            title=self._title_text(),
            session_file=self.file.path,
            file=file,
            uuid=None if place is None else place.uuid,
            segment=None if place is None else place.segment,
            line=None if place is None else place.line,
            field=judged.field,
            snippet=snippet_of(judged.text, judged.span),
            on_main_line=place is None or place.segment is not None,
            agent_id=agent_id,
            row=None if place is None else place.row,
            part=judged.part,
            start=judged.span.start,
            length=judged.span.length,
        )

    def _title_text(self) -> str:
        if self.session is None and self.familiar is not None:
            return self.familiar.places.title
        assert self.session is not None
        return self.session.title.text

    def _inline_agent(self, row: int) -> str | None:
        assert self.session is not None
        index = self.session.index
        if not index.is_sidechain(row):
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
        judged = [] if self._is_empty() else self._judge_title(self._title_text())
        if not judged:
            return
        place, says_it_itself = self._title_place()
        if says_it_itself:
            return
        hit = self._hit(judged[0], self.file.path, place)
        # A name that was given stands beside the line, and is not off it.
        named = place is None or place.uuid is None
        yield replace(hit, segment=None, on_main_line=True) if named else hit

    def _is_empty(self) -> bool:
        if self.session is None and self.familiar is not None:
            return self.familiar.places.empty
        return self.session is None or self.session.is_empty

    def _title_place(self) -> tuple[Place | None, bool]:
        """The place of the record that names the session, and whether that is a prompt which is a hit in
        its own right, or another file's."""
        if self._is_simple:
            assert self.familiar is not None
            with suppress(NotSimple, BadLine):
                place, said = self._familiar_title_place(self.familiar.places)
                if place is None or not self._may_be_copy(place.uuid):
                    return place, said
        session = self._whole()
        row = None if session is None else title_row(session)
        if session is None or row is None:
            return None, False
        by_prompt = session.title.source is TitleSource.PROMPT
        said = by_prompt and bool(self.wanted.judge(list(field_texts(session.record(row)))))
        return self._place_of(row), by_prompt and (said or self._is_copied(row))

    def _familiar_title_place(self, places: Places) -> tuple[Place | None, bool]:
        """The same of a session that is not open. Raises NotSimple, BadLine, OSError."""
        if places.title_row is None:
            return None, False
        with self.file.path.open("rb") as file:
            file.seek(places.offset(places.title_row))
            record = decode(file.readline().rstrip(b"\n"))
        place = places.at(places.title_row, record)
        by_prompt = places.source == TitleSource.PROMPT
        return place, by_prompt and bool(self.wanted.judge(list(field_texts(record))))
