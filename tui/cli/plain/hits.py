"""The room of a search: hits as they are found, a page at a time; a number opens one where it stands."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import ClassVar

from ccbrowse.core.locate import SessionFile
from ccbrowse.core.search import Hit, newest_first, parse_query, search_sessions
from ccbrowse.core.session import Session
from ccbrowse.core.text import SafeText, display_text, one_line
from ccbrowse.tui.cli.output import print_line
from ccbrowse.tui.cli.plain.house import PAGE, House, Order, Room
from ccbrowse.tui.cli.plain.reading import ReadingRoom
from ccbrowse.tui.viewmodels.figures import counted

Hits = list[Hit]
Paths = list[Path]


class HitsRoom(Room):
    """Lists what a search finds, as far as it has come. Raises BadQuery."""

    ORDERS: ClassVar[tuple[Order, ...]] = (
        Order(("", "more", "m"), "more", "search on"),
        Order(("NUMBER", "open"), "open", "open the session at the hit of that number", "NUMBER"),
        Order(("l", "list"), "list", "list the hits again"),
    )

    def __init__(self, house: House, words: str, files: Sequence[SessionFile]) -> None:
        super().__init__(house)
        self._words = words
        self._files = {file.path: file for file in files}
        self._unread: Paths = []
        query = parse_query(words)
        self._search = (
            hit for hit in search_sessions(query, newest_first(files), trouble=self._note)
        )
        self._hits: Hits = []
        self._is_done = False

    def _note(self, path: Path, why: str) -> None:
        self._unread.append(path)

    @property
    def question(self) -> SafeText:
        """What may be typed."""
        more = "" if self._is_done else "Enter searches on, "
        return SafeText(f"Hits. A number opens one, {more}? for help, q goes back:")

    def enter(self) -> None:
        """Say what was found; at the first time, search."""
        if self._hits or self._is_done:
            print_line("\nBack at the hits; l lists them again.")
            return
        print_line(f"\nSearching for: {one_line(self._words, 120)}")
        self.more()

    def more(self) -> None:
        """Search on until there is a page of hits more."""
        if self._is_done:
            print_line("That was all.")
            return
        first = len(self._hits)
        self._is_done = True  # should it be stopped, there is nothing to search on
        for hit in islice(self._search, PAGE):
            self._hits.append(hit)
            self._say_hit(len(self._hits))
        self._is_done = len(self._hits) - first < PAGE
        if self._is_done:
            self._say_end()

    def _say_end(self) -> None:
        sessions = len({hit.session_file for hit in self._hits})
        found = counted(len(self._hits), "hit")
        print_line(f"{found} in {counted(sessions, 'session')}." if self._hits else "No hits.")
        if self._unread:
            print_line(f"{counted(len(self._unread), 'file')} could not be read.")

    def list(self) -> None:
        """List the hits so far again."""
        for number in range(len(self._hits)):
            self._say_hit(number + 1)

    def _say_hit(self, number: int) -> None:
        hit = self._hits[number - 1]
        before = self._hits[number - 2] if number > 1 else None
        if before is None or before.session_file != hit.session_file:
            print_line(f"In: {one_line(hit.title, 120) or '(no title)'}")
        print_line(f"{number}. {_where(hit)}: {one_line(hit.snippet.text, 240)}")

    def numbered(self, number: int) -> None:
        """Open the session where the hit stands."""
        if not 1 <= number <= len(self._hits):
            print_line(f"There is no hit {number}; they are 1 to {len(self._hits)}.")
            return
        hit = self._hits[number - 1]
        session, target = Session(self._files[hit.session_file]), str(hit.session_file)
        if hit.agent_id and hit.file != hit.session_file:
            session, target = session.open_subagent(hit.agent_id), f"{target}@agent:{hit.agent_id}"
        self.house.go(ReadingRoom(self.house, session, row=hit.row, target=target, own=True))

    def open(self, number: str) -> None:
        """Open the hit of a number."""
        if number.isdecimal():
            self.numbered(int(number))
        else:
            print_line("Type the number of a hit.")

    def close(self) -> None:
        """End the search."""
        self._search.close()


def _where(hit: Hit) -> SafeText:
    if hit.agent_id:
        place = f"subagent {hit.agent_id}"
    elif hit.segment is not None:
        place = f"segment {hit.segment}"
    else:
        place = "" if hit.on_main_line else "off the main line"
    return display_text(", ".join(part for part in (place, hit.field.value) if part))
