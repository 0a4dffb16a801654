"""The first room: the sessions under the roots, filtered and sorted, a page at a time."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import ClassVar

from ccbrowse.core.library import Library, Listing, newest_first
from ccbrowse.core.query import parse_filter
from ccbrowse.core.session import Session
from ccbrowse.core.text import SafeText, display_text, one_line
from ccbrowse.tui.cli.caching import cache_of
from ccbrowse.tui.cli.output import print_line
from ccbrowse.tui.cli.plain.hits import HitsRoom
from ccbrowse.tui.cli.plain.house import PAGE, House, Order, Room
from ccbrowse.tui.cli.plain.reading import ReadingRoom
from ccbrowse.tui.cli.plain.spoken import listing_line
from ccbrowse.tui.viewmodels.figures import counted
from ccbrowse.tui.viewmodels.listing import is_live

_PATIENCE = 2.0
"""Seconds after which it is said how far the reading is."""

SORTS: dict[str, Callable[[Listing], int | str]] = {
    "age": lambda listing: -listing.sort_key[0],
    "turns": lambda listing: -listing.turns,
    "segments": lambda listing: -listing.segments,
    "context": lambda listing: -(listing.context_now.value or 0),
    "title": lambda listing: listing.title.text.casefold(),
}
"""What the sessions are sorted by, in the order that is wanted most."""

Listings = list[Listing]

_FITTING = "only sessions that fit: words, project:api after:7d has:compact; nothing lists all"


class SessionsRoom(Room):
    """Lists the sessions; a number opens one."""

    ORDERS: ClassVar[tuple[Order, ...]] = (
        Order(("", "more", "m"), "more", "the next sessions"),
        Order(("p", "previous"), "previous", "the sessions before"),
        Order(("l", "list"), "list", "list these sessions again"),
        Order(("NUMBER", "open"), "open", "open the session of that number", "NUMBER"),
        Order(("/", "filter"), "filter", _FITTING, "WORDS"),
        Order(("search", "find", "f"), "search", "find words in all sessions", "WORDS"),
        Order(("s", "sort"), "sort", f"sort by {', '.join(SORTS)}", "BY"),
        Order(("S", "reverse"), "reverse", "turn the order round"),
        Order(("a", "active"), "active", "only sessions that are being written now, or all"),
        Order(("r", "resume"), "resume", "say the command that resumes the session of that number", "NUMBER"),
        Order(("u", "reload"), "reload", "read the sessions again"),
    )  # fmt: skip

    def __init__(self, house: House) -> None:
        super().__init__(house)
        self._library = Library(house.roots)
        self._all: Listings = []
        self._shown: Listings = []
        self._words, self._order, self._live_only, self._turned = "", "age", False, False
        self._top = 0
        self._is_read = False

    @property
    def question(self) -> SafeText:
        """What may be typed."""
        more = "Enter for more, " if self._top + PAGE < len(self._shown) else ""
        return SafeText(
            f"Sessions. A number opens one, {more}/words filters, search words, ? for help, q leaves:"
        )

    def enter(self) -> None:
        """Read the sessions at the first time, and list them."""
        if not self._is_read:
            self.reload()
        else:
            print_line("\nBack at the sessions; l lists them again.")

    def reload(self) -> None:
        """Read all sessions, and say from time to time how far that is."""
        print_line("ccbrowse, plain. Reading the sessions.")
        self._all, said = [], time.monotonic()
        with cache_of(self.house.no_cache, self.house.roots) as cache:
            self._library.cache = cache
            count = len(self._library.files())
            for number, listing in enumerate(self._library.scan()):
                self._all.append(listing)
                if time.monotonic() - said > _PATIENCE:
                    said = time.monotonic()
                    print_line(f"{number + 1:,} of {count:,} sessions are read.")
        self._is_read = True
        for unreadable in self._library.unreadable:
            print_line(
                f"Could not be read: {one_line(f'{unreadable.path}, {unreadable.reason}', 300)}"
            )
        self._choose()

    def _choose(self) -> None:
        wanted = parse_filter(self._words)
        now = _now()
        found = [each for each in newest_first(self._all) if wanted.accepts(each)]
        if self._live_only:
            found = [each for each in found if is_live(each, now)]
        found.sort(key=SORTS[self._order])
        self._shown = found[::-1] if self._turned else found
        self._top = 0
        self._say_page()

    def list(self) -> None:
        """List the page again."""
        self._say_page()

    def _say_page(self) -> None:
        print_line()
        if not self._shown:
            print_line(self._why_none())
            return
        page = self._shown[self._top : self._top + PAGE]
        which = f" for /{one_line(self._words, 60)}" if self._words else ""
        live = ", being written now" if self._live_only else ""
        turned = ", reversed" if self._turned else ""
        print_line(
            f"Sessions {self._top + 1} to {self._top + len(page)} of {len(self._shown):,}{which}{live}, "
            f"by {self._order}{turned}."
        )
        now = _now()
        for number, listing in enumerate(page, self._top + 1):
            print_line(f"{number}. {listing_line(listing, now)}")

    def _why_none(self) -> SafeText:
        if self._words or self._live_only:
            every = counted(len(self._all), "session")
            return SafeText(
                f"None of {every} fits. Type / alone to list all, a for those not active."
            )
        roots = ", ".join(str(root) for root in self.house.roots)
        return SafeText(
            f"There are no sessions in {display_text(roots)} yet. Claude Code writes one as soon as it "
            "is asked something; u looks again. Type q, then ccbrowse demo --plain, for sessions to try."
        )

    def more(self) -> None:
        """The next page."""
        if self._top + PAGE >= len(self._shown):
            print_line("These were the last sessions.")
            return
        self._top += PAGE
        self._say_page()

    def previous(self) -> None:
        """The page before."""
        self._top = max(0, self._top - PAGE)
        self._say_page()

    def numbered(self, number: int) -> None:
        """Open a session."""
        if (listing := self._listing(number)) is not None:
            self.house.go(ReadingRoom(self.house, Session(listing.file), own=True))

    def open(self, number: str) -> None:
        """Open the session of a number."""
        if number.isdecimal():
            self.numbered(int(number))
        else:
            print_line("Type the number of a session.")

    def _listing(self, number: int) -> Listing | None:
        if 1 <= number <= len(self._shown):
            return self._shown[number - 1]
        print_line(f"There is no session {number}; they are 1 to {len(self._shown)}.")
        return None

    def filter(self, words: str) -> None:
        """Only sessions that fit."""
        parse_filter(words)  # before it is kept: what cannot be read is explained
        self._words = words
        self._choose()

    def sort(self, by: str) -> None:
        """Sort by a fact."""
        with suppress(StopIteration):
            self._order = next(name for name in SORTS if by and name.startswith(by.lower()))
            self._choose()
            return
        print_line(f"Sessions are sorted by {', '.join(SORTS)}; for example: sort turns")

    def reverse(self) -> None:
        """Turn the order round."""
        self._turned = not self._turned
        self._choose()

    def active(self) -> None:
        """Only live sessions, or all."""
        self._live_only = not self._live_only
        self._choose()

    def search(self, words: str) -> None:
        """Find words in all sessions."""
        if words:
            self.house.go(HitsRoom(self.house, words, self._library.files()))
        else:
            print_line("Type search and the words; for example: search flaky test")

    def resume(self, number: str) -> None:
        """Say how a session is resumed."""
        from ccbrowse.tui.viewmodels.handing import resume_command

        listing = self._listing(int(number)) if number.isdecimal() else None
        if listing is not None:
            print_line(display_text(resume_command(listing.session_id, listing.cwd)))
        elif not number.isdecimal():
            print_line("Type r and the number of a session.")


def _now() -> int:
    return int(time.time() * 1000)
