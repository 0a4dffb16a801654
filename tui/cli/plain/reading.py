"""The room of one session: read by segment in pages, item by item; found in, gone about in, exported."""

from __future__ import annotations

from bisect import bisect_right
from functools import partial
from typing import ClassVar

from ccbrowse.core.index import NONE
from ccbrowse.core.kept import read_kept
from ccbrowse.core.lines import Growth
from ccbrowse.core.search import find_in_session
from ccbrowse.core.session import Session
from ccbrowse.core.text import SafeText, display_text, one_line
from ccbrowse.tui.cli.output import print_line
from ccbrowse.tui.cli.plain.house import PAGE, House, Order
from ccbrowse.tui.cli.plain.spoken import flat, in_words, row_line, tokens
from ccbrowse.tui.cli.plain.telling import Telling
from ccbrowse.tui.reader.session import News, Reading
from ccbrowse.tui.viewmodels import figures
from ccbrowse.tui.viewmodels.figures import counted
from ccbrowse.tui.viewmodels.handing import resume_command
from ccbrowse.tui.viewmodels.items import FIRST_CALL, WORDS, Choice, Items, Step
from ccbrowse.tui.viewmodels.lists import find_place
from ccbrowse.tui.viewmodels.lore import Lore
from ccbrowse.tui.viewmodels.plain import item_text
from ccbrowse.tui.viewmodels.source import SessionRows
from ccbrowse.tui.viewtypes import BoundaryRow

_PLACES = "a segment (:3), a time (:10:14), a line (:line:51) or an id"


class ReadingRoom(Telling):
    """Reads one session. `own`: it is closed when the room is left."""

    ORDERS: ClassVar[tuple[Order, ...]] = (
        Order(("", "more", "m"), "more", "the next items, and on into the next segment"),
        Order(("p", "previous"), "previous", "the items before"),
        Order(("NUMBER", "read"), "read", "read the item of that number whole", "NUMBER"),
        Order(("}", "next"), "next_segment", "the next segment"),
        Order(("{", "before"), "segment_before", "the segment before"),
        Order((":", "go"), "go_to", f"go to {_PLACES}", "PLACE"),
        Order(("/", "find"), "find", "find words in this session", "WORDS"),
        Order(("n",), "next_match", "the next match"),
        Order(("N",), "match_before", "the match before"),
        Order(("s", "segments", "outline"), "outline", "the outline: segments, compactions, tokens"),
        Order(("L", "loss"), "loss", "what the compaction that opened this segment kept and lost"),
        Order(("i", "findings"), "findings", "what is wrong or was repaired in the file"),
        Order(("o", "agent"), "open_agent", "open the subagent's conversation of that item", "NUMBER"),
        Order(("t", "tools"), "tools", "leave tool calls out, or have them again"),
        Order(("T", "thinking"), "thinking", "have thinking, or leave it out"),
        Order(("x", "export"), "export", "write a part of the session to a file"),
        Order(("r", "resume"), "resume", "say the command that resumes the session"),
        Order(("F", "follow"), "follow", "say what comes as it comes, until ctrl+c"),
        Order(("u", "reload"), "reload", "take in what the session has gained"),
    )  # fmt: skip

    def __init__(
        self,
        house: House,
        session: Session,
        segment: int | None = None,
        uuid: str | None = None,
        row: int | None = None,
        *,
        target: str = "",
        own: bool = False,
    ) -> None:
        super().__init__(house)
        self.session = session
        self.target = target or str(session.file.path)
        self._own = own
        self._choice = Choice(thinking=False)
        self._reading = Reading(session, self._choice)
        kept = partial(read_kept, session.file)
        self._lore = Lore(in_agent=session.agent_id is not None, kept=kept)
        self._starts: tuple[int, ...] = ()
        self._rows = SessionRows(session, Items(), self._lore)
        self._matches: list[int] = []
        self._take(self._reading.first())
        self._top = self._starts[-1] if self._starts else 0
        self._wanted = row if uuid is None else session.index.row_of(uuid)
        if segment is not None and self._wanted is None:
            self._top = self._starts[segment - 1]

    def _take(self, news: News) -> None:
        """Take in what a look at the session brought, and look closer."""
        self._lore.boundaries |= news.boundaries
        self._lore.forks = news.forks
        self._take_step(news.step)
        closer = self._reading.look_closer()
        if closer is not None:
            self._lore.agents, self._lore.findings = dict(closer.agents), dict(closer.findings)
            self._take_step(closer.step)

    def _take_step(self, step: Step | None) -> None:
        if step is None:
            return
        self._starts = step.starts
        if step.anew:
            self._rows = SessionRows(self.session, step.items, self._lore)
        else:
            self._rows.extend(step.items)

    def close(self) -> None:
        """Let go of the file."""
        if self._own:
            self.session.close()

    # Where one is

    @property
    def segment(self) -> int:
        """The segment that is read, from 1; 0 where there is none."""
        return bisect_right(self._starts, self._top)

    @property
    def _bounds(self) -> range:
        """The items of the segment that is read."""
        number = self.segment
        first = self._starts[number - 1] if number else 0
        last = self._starts[number] if number < len(self._starts) else len(self._rows)
        return range(first, last)

    @property
    def question(self) -> SafeText:
        """What may be typed."""
        more = "Enter for more, " if self._top + PAGE < len(self._rows) else ""
        place = f"Segment {self.segment}" if self._starts else "Session"
        return SafeText(
            f"{place}. A number reads an item, {more}p before, /words finds, x exports, ? for help, "
            "q goes back:"
        )

    def enter(self) -> None:
        """Say which session this is, and its newest segment or the place that was asked for."""
        session = self.session
        title = one_line(session.title.text, 200) or SafeText("(no title)")
        facts = [
            one_line(session.project, 60),
            counted(len(session.segments), "segment"),
            counted(session.messages, "message"),
            SafeText(f"context now {tokens(session.context_now)}"),
        ]
        what = "Subagent" if session.agent_id else "Session"
        print_line(f"\n{what}: {title}. {SafeText(', '.join(facts))}.")
        if self._wanted is not None:
            row, self._wanted = self._wanted, None
            self._go_to_row(row)
        else:
            self._say_page()

    def _say_page(self) -> None:
        bounds = self._bounds
        self._top = max(bounds.start, min(self._top, len(self._rows) - 1))
        last = min(self._top + PAGE, bounds.stop)
        of = f"Segment {self.segment} of {len(self._starts)}, items" if self._starts else "Items"
        if self._top >= last:
            print_line("There is nothing to read in it.")
            return
        first = self._top - bounds.start + 1
        day = figures.day(self.session.index.time[self._rows.outline.rows[self._top]])
        when = f" {day}." if day else ""
        print_line(f"\n{of} {first} to {last - bounds.start} of {len(bounds)}.{SafeText(when)}")
        for number in range(self._top, last):
            self._say_item(number)

    def _say_item(self, number: int) -> None:
        print_line(f"{number - self._bounds.start + 1}. {row_line(self._rows.row(number))}")

    # Moving

    def more(self) -> None:
        """The next page."""
        self._leaf(min(self._top + PAGE, self._bounds.stop))

    def _leaf(self, top: int) -> None:
        if top >= len(self._rows):
            print_line("That was the last item; u looks for new ones.")
            return
        self._top = top
        self._say_page()

    def previous(self) -> None:
        """The page before: of this segment, else of the one before."""
        start = self._bounds.start
        if self._top > start:
            self._top = max(start, self._top - PAGE)
        elif self._top == 0:
            print_line("This is the first item.")
            return
        else:
            self._top -= 1
            start = self._bounds.start
            self._top = start + (self._top - start) // PAGE * PAGE
        self._say_page()

    def next_segment(self) -> None:
        """The next segment."""
        self._to_segment(self.segment + 1)

    def segment_before(self) -> None:
        """The segment before, or this one's beginning."""
        at_start = self._top == self._bounds.start
        self._to_segment(self.segment - at_start)

    def _to_segment(self, number: int) -> None:
        if 1 <= number <= len(self._starts):
            self._top = self._starts[number - 1]
            self._say_page()
        else:
            print_line(f"There is no segment {number}; they are 1 to {len(self._starts)}.")

    def go_to(self, place: str) -> None:
        """Go to a segment, a time, a line or an id."""
        if place.isdecimal() and len(place) < 6:
            self._to_segment(int(place))
            return
        number = find_place(self._rows.outline, place, self._top) if place else None
        if number is None:
            print_line(
                f"There is no such place: {one_line(place, 60)}. Type :3, :10:14, :line:51, or the "
                "start of an id."
            )
            return
        self._show(number)

    def _go_to_row(self, row: int) -> None:
        number = self._item_of(row)
        if number is not None:
            self._show(number)
            return
        key = f"line:{self.session.index.line[row]}"
        print_line("This stands off the main line:")
        text = item_text(self.session, self._lore, key, row, WORDS)
        self.house.say_pages(map(display_text, text.split("\n")))

    def _show(self, number: int) -> None:
        """Say the page that begins with an item."""
        self._top = number
        self._say_page()

    def _item_of(self, row: int) -> int | None:
        """The item that shows a record: its own, of a result that of its call."""
        index, outline = self.session.index, self._rows.outline
        number = outline.first_of(row)
        if number is None and index.peer[row] != NONE:
            number = outline.first_of(index.peer[row])
            while number is not None and outline.parts[number] < FIRST_CALL:
                following = number + 1
                if following >= len(outline) or outline.rows[following] != outline.rows[number]:
                    break
                number = following
        return number

    # Reading

    def numbered(self, number: int) -> None:
        """Read an item whole."""
        place = self._place(number)
        if place is None:
            return
        key = self._rows.key(place)
        print_line()
        self._say_item(place)
        row = self._rows.row(place)
        if isinstance(row, BoundaryRow):
            self.house.say_pages(in_words(flat(note)) for note in row.notes)
            return
        text = self._rows.text(key) or SafeText("(no words)")
        self.house.say_pages(map(display_text, text.split("\n")))
        agent = self._rows.agent_of(key)
        if agent is not None:
            print_line(f"This ran a subagent; o {number} opens its conversation.")

    def _place(self, number: int) -> int | None:
        bounds = self._bounds
        if 1 <= number <= len(bounds):
            return bounds[number - 1]
        print_line(f"There is no item {number} in this segment; they are 1 to {len(bounds)}.")
        return None

    def read(self, number: str) -> None:
        """Read the item of a number."""
        if number.isdecimal():
            self.numbered(int(number))
        else:
            print_line("Type the number of an item.")

    def open_agent(self, number: str) -> None:
        """Open a subagent's conversation."""
        place = self._place(int(number)) if number.isdecimal() else None
        agent = self._rows.agent_of(self._rows.key(place)) if place is not None else None
        if agent is None:
            print_line("Type o and the number of an item that ran a subagent.")
            return
        opened = self.session.open_subagent(agent)
        target = f"{self.target.partition('@agent:')[0]}@agent:{agent}"
        self.house.go(ReadingRoom(self.house, opened, target=target, own=True))

    def tools(self) -> None:
        """Tool calls, or none."""
        self._choose(Choice(not self._choice.tools, self._choice.thinking))
        print_line("Tool calls are said." if self._choice.tools else "Tool calls are left out.")

    def thinking(self) -> None:
        """Thinking, or none."""
        self._choose(Choice(self._choice.tools, not self._choice.thinking))
        print_line("Thinking is said." if self._choice.thinking else "Thinking is left out.")

    def _choose(self, choice: Choice) -> None:
        row = self._rows.outline.rows[self._top] if len(self._rows) else 0
        self._choice = choice
        self._take(self._reading.choose(choice))
        self._top = self._rows.outline.near(row)
        self._matches = []

    # Finding

    def find(self, words: str) -> None:
        """Find words, and say where they stand."""
        if not words:
            print_line("Type / and the words.")
            return
        rows = {match.row for match in find_in_session(self.session, words)}
        found = {row: self._item_of(row) for row in rows}
        self._matches = sorted({number for number in found.values() if number is not None})
        beside = sum(number is None for number in found.values())
        more = (
            f" {counted(beside, 'record')} off the main line or not shown here." if beside else ""
        )
        print_line(f"{counted(len(self._matches), 'item')} found.{SafeText(more)}")
        if self._matches:
            here = bisect_right(self._matches, self._top - 1)
            self._say_match(here % len(self._matches))

    def _say_match(self, place: int) -> None:
        number = self._matches[place]
        self._top = number
        print_line(
            f"Match {place + 1} of {len(self._matches)}, segment {self.segment}; n and N go to others:"
        )
        self._say_item(number)

    def next_match(self) -> None:
        """The next match; after the last one the first."""
        self._step_match(1)

    def match_before(self) -> None:
        """The match before."""
        self._step_match(-1)

    def _step_match(self, step: int) -> None:
        if not self._matches:
            print_line("Nothing was found yet; / and words find some.")
            return
        place = bisect_right(self._matches, self._top) - 1
        exact = place >= 0 and self._matches[place] == self._top
        if step < 0 and not exact:
            place += 1
        self._say_match((place + step) % len(self._matches))

    # Whole session

    def findings(self) -> None:
        """Say what is wrong or was repaired."""
        found = self.session.findings
        if not found:
            print_line("Nothing wrong was found.")
        for each in found:
            where = f", line {each.line}" if each.line else ""
            print_line(in_words(display_text(f"{each.severity.value}{where}: {each.message}")))

    def resume(self) -> None:
        """Say how the session is resumed."""
        if self.session.agent_id:
            print_line("A subagent's conversation cannot be resumed.")
            return
        print_line(display_text(resume_command(self.session.session_id, self.session.cwd)))

    def reload(self) -> None:
        """Take in what is new, and say it."""
        before = len(self._rows)
        news = self._reading.refresh()
        if news.growth is Growth.REMOVED:
            print_line("The file was removed; what was read stays.")
            return
        if news.growth is Growth.SAME:
            print_line("There is nothing new.")
            return
        self._take(news)
        self._matches = []
        print_line(f"{counted(max(0, len(self._rows) - before), 'new item')}.")
        if len(self._rows) > before:
            self._show(before)
