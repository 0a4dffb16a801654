"""The sessions of a library as rows of a table: filtered, sorted, laid out for a width."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from ccbrowse.core.index import NO_TIME
from ccbrowse.core.library import Listing
from ccbrowse.core.session import is_live as is_newest_live
from ccbrowse.core.text import SafeText, cell_width, clip, display_text, one_line
from ccbrowse.core.windows import window_of
from ccbrowse.tui.signs import sparkline
from ccbrowse.tui.viewmodels import figures
from ccbrowse.tui.viewmodels.filtering import filter_of
from ccbrowse.tui.viewmodels.groups import Group
from ccbrowse.tui.viewmodels.shelves import ALL, NOWHERE, Places, Shelf, kept_mark, kept_words
from ccbrowse.tui.viewtypes import Line, Piece, Tone

_FILL, _TITLE_LIMIT = 12, 200


class Order(Enum):
    """What sessions are sorted by; its value names the column."""

    AGE = "age"
    TURNS = "turns"
    SEGMENTS = "seg"
    CONTEXT = "context"
    TITLE = "title"


@dataclass(frozen=True, slots=True)
class ListingView:
    """A session as the table shows it. `key` is the path of its file."""

    key: str
    title: SafeText
    project: SafeText
    age: SafeText
    turns: SafeText
    segments: SafeText
    context: SafeText
    fill: tuple[int, ...]
    scale: int
    """Tokens that fill a cell of the curve to its top: the window, where it is known."""
    findings: int
    live: bool
    kept: Piece | None = None
    """Said behind the title where the client removes it soon."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which sessions are shown, and how they are sorted."""

    query: str = ""
    """What was typed: a filter in the language of searches."""
    project: str = ALL
    """The key of a shelf: a root, a project, a worktree."""
    active: bool = False
    order: Order = Order.AGE
    reverse: bool = False
    group: Group = Group.NONE

    @property
    def is_all(self) -> bool:
        """Whether no session is left out."""
        return not (self.query or self.project or self.active)

    @property
    def one_project(self) -> bool:
        """Whether all sessions are of one project, so that rows need not name it."""
        return bool(Shelf.of_key(self.project).project) or self.group is Group.PROJECT


def roots_words(places: Places) -> SafeText:
    """What the roots are called, on a line."""
    return one_line(" · ".join(places.labels.values()), 60)


def list_words(wanted: Wanted, places: Places) -> SafeText:
    """What the list holds: the title of its frame."""
    parts = [SafeText("sessions")]
    if wanted.project:
        parts.append(places.name(wanted.project))
    if wanted.query:
        parts.append(SafeText(f"/ {one_line(wanted.query, 40)}"))
    if wanted.active:
        parts.append(SafeText("active only"))
    if wanted.group is not Group.NONE:
        parts.append(display_text(wanted.group.value))
    return SafeText(" · ".join(parts))


def key_of(listing: Listing) -> str:
    """The key of a session: its file's path."""
    return listing.file.key


def is_live(listing: Listing, now: int) -> bool:
    """Whether a session's newest record is young enough at `now` (milliseconds)."""
    return is_newest_live(listing.updated, now)


def choose(
    listings: Sequence[Listing], wanted: Wanted, now: int, places: Places = NOWHERE
) -> list[Listing]:
    """The sessions that are wanted, sorted."""
    shelf = Shelf.of_key(wanted.project)
    found = [
        listing
        for listing in listings
        if (not wanted.project or shelf.holds(places.of(listing)))
        and (not wanted.active or is_live(listing, now))
    ]
    if wanted.query.strip():
        query = filter_of(wanted.query, now)
        found = [listing for listing in found if query.accepts(listing)]
    found.sort(key=lambda listing: listing.sort_key, reverse=True)
    if wanted.order is not Order.AGE:
        found.sort(key=_SORTS[wanted.order], reverse=wanted.order is not Order.TITLE)
    if wanted.reverse:
        found.reverse()
    return found


_SORTS: dict[Order, Callable[[Listing], int | str]] = {
    Order.TURNS: lambda listing: listing.turns,
    Order.SEGMENTS: lambda listing: listing.segments,
    Order.CONTEXT: lambda listing: listing.context_now.value or 0,
    Order.TITLE: lambda listing: listing.title.text.casefold(),
}


def view_of(
    listing: Listing, now: int, places: Places = NOWHERE, *, dated: bool = False
) -> ListingView:
    """A session as the table shows it."""
    return ListingView(
        key=key_of(listing),
        title=one_line(listing.title.text, _TITLE_LIMIT) or SafeText("(no title)"),
        project=places.project(listing),
        age=figures.when(listing.updated, now) if dated else figures.age(listing.updated, now),
        turns=SafeText(f"{listing.turns:,}"),
        segments=SafeText(f"{listing.segments}"),
        context=figures.short_tokens(listing.context_now),
        fill=listing.fill,
        scale=_scale(listing),
        findings=listing.findings,
        live=is_live(listing, now),
        kept=kept_mark(places.days_left(listing, now)),
    )


def _scale(listing: Listing) -> int:
    """The window of the session's last model, or what its largest request weighed."""
    largest = max(listing.fill, default=0)
    window = window_of(listing.models[-1] if listing.models else None, largest).value
    return window if window is not None else largest


@dataclass(frozen=True, slots=True)
class Columns:
    """Cells of the table's columns; zero: not shown."""

    title: int
    project: int
    fill: int


def columns_for(width: int, one_project: bool) -> Columns:
    """Share out a width: the numbers need theirs, the title gets the rest."""
    numbers = 4 + 2 + 5 + 2 + 5 + 2 + 3 + 2 + 7 + 2  # signs, then columns with their gaps
    fill = _FILL if width >= 60 else 0
    project = 0 if one_project or width < 84 else min(22, width // 6)
    rest = width - numbers - (fill + 2 if fill else 0) - (project + 2 if project else 0)
    return Columns(max(8, rest), project, fill)


def head(columns: Columns, wanted: Wanted) -> Line:
    """The line with the columns' names; an arrow at the one that sorts."""
    parts: list[Piece] = [Piece(SafeText("    "))]
    names = (("title", columns.title, Order.TITLE), ("project", columns.project, None))
    for name, width, order in names:
        if width:
            parts.append(_name(name, order, wanted, width, left=True))
            parts.append(Piece(SafeText("  ")))
    for name, width, order in (
        ("age", 5, Order.AGE),
        ("turns", 5, Order.TURNS),
        ("seg", 3, Order.SEGMENTS),
        ("context", 7, Order.CONTEXT),
    ):
        parts.append(_name(name, order, wanted, width, left=False))
        parts.append(Piece(SafeText("  ")))
    if columns.fill:
        parts.append(_name("fill", None, wanted, columns.fill, left=True))
    return tuple(parts)


def order_at(x: int, columns: Columns) -> Order | None:
    """What the column at a cell of the head is sorted by; None where it cannot be sorted by."""
    edge = 4 + columns.title + 2
    if x < edge:
        return Order.TITLE
    edge += columns.project + 2 if columns.project else 0
    for order, width in (
        (Order.AGE, 5), (Order.TURNS, 5), (Order.SEGMENTS, 3), (Order.CONTEXT, 7),
    ):  # fmt: skip
        if edge <= x < edge + width + 2:
            return order
        edge += width + 2
    return None


def _name(name: str, order: Order | None, wanted: Wanted, width: int, left: bool) -> Piece:
    sorts = order is wanted.order
    down = (order is not Order.TITLE and order is not Order.AGE) != wanted.reverse
    arrow = ("↓" if down else "↑") if sorts else ""
    text = clip(display_text(f"{name}{arrow}"), width + 1)
    return Piece(_pad(text, width, left), Tone.STRONG if sorts else Tone.MUTED)


def row_line(view: ListingView, columns: Columns) -> Line:
    """One session on one line; untrusted words are cut, and padded by cells."""
    live = (SafeText("● "), Tone.GOOD) if view.live else (SafeText("  "), Tone.MUTED)
    marks = [SafeText(f" ⚠{view.findings}")] if view.findings else []
    marks += [SafeText(f" {view.kept.text}")] if view.kept else []
    mark = clip(SafeText("".join(marks)), max(0, columns.title - 4))
    title = clip(view.title, columns.title - cell_width(mark))
    room = columns.title - cell_width(title) - cell_width(mark)
    parts = [
        Piece(SafeText("  ")),
        Piece(*live),
        Piece(title, Tone.STRONG if view.live else Tone.PLAIN),
        Piece(SafeText(" " * room)),
        Piece(mark, Tone.WARN),
        Piece(SafeText("  ")),
    ]
    if columns.project:
        project = clip(view.project, columns.project)
        parts.append(Piece(_pad(project, columns.project + 2, left=True), Tone.MUTED))
    numbers = ((view.age, 5), (view.turns, 5), (view.segments, 3))
    parts += [Piece(SafeText(f"{_pad(text, width)}  "), Tone.MUTED) for text, width in numbers]
    parts.append(Piece(SafeText(f"{_pad(view.context, 7)}  ")))
    if columns.fill:
        tone = Tone.GOOD if view.live else Tone.TOOL
        cells = min(columns.fill, max(1, len(view.fill)))
        parts.append(Piece(sparkline(view.fill, cells, view.scale), tone))
    return tuple(parts)


def _pad(text: SafeText, width: int, left: bool = False) -> SafeText:
    """Blanks up to a width: behind the text, or before it."""
    blanks = " " * max(0, width - cell_width(text))
    return SafeText(f"{text}{SafeText(blanks)}" if left else f"{SafeText(blanks)}{text}")


def preview(
    listing: Listing, first: SafeText, last: SafeText, now: int = NO_TIME, places: Places = NOWHERE
) -> list[Line]:
    """What stands under the table of a session: its prompts, and facts of it as a whole."""
    words: list[Piece] = []
    if first:
        words += [Piece(SafeText("first "), Tone.MUTED), Piece(first)]
    facts = []
    if listing.git_branch:
        facts.append(SafeText(f"branch {one_line(listing.git_branch, 40)}"))
    facts.append(segments_words(listing))
    if listing.branches:
        facts.append(figures.counted(listing.branches, "branch", "branches"))
    if listing.subagents:
        facts.append(figures.counted(listing.subagents, "subagent"))
    if listing.models:
        facts.append(one_line(listing.models[-1], 40))
    if listing.versions:
        facts.append(SafeText(f"client {one_line(listing.versions[-1], 20)}"))
    facts.append(figures.byte_size(listing.bytes))
    if places.several:
        facts.append(one_line(places.label(places.of(listing)), 40))
    days = places.days_left(listing, now)
    if kept := kept_words(days):
        facts.insert(0 if kept_mark(days) else len(facts), kept)
    lines: list[Line] = [tuple(words)]
    lines.append((Piece(SafeText("last  "), Tone.MUTED), Piece(last)) if last else ())
    lines.append((Piece(SafeText(" · ".join(facts)), Tone.MUTED),))
    return lines


def segments_words(listing: Listing) -> SafeText:
    """``4 segments: 1 manual, 2 auto``"""
    count = figures.counted(listing.segments, "segment")
    triggers = [
        SafeText(f"{number:,} {one_line(trigger, 20)}")
        for trigger, number in sorted(listing.compactions.items())
        if number
    ]
    return SafeText(f"{count}: {SafeText(', '.join(triggers))}") if triggers else count


def why_none(wanted: Wanted, roots: Sequence[SafeText], *, read: bool, known: int) -> list[Line]:
    """What the list says where it has no session to show, and what can be done about it."""
    if not read and not known:
        return [_told("reading the sessions …", Tone.MUTED)]
    if not known:
        places: list[Line] = [_told(f"  {root}", Tone.MUTED) for root in roots]
        return [
            _told("There are no sessions yet in", Tone.STRONG),
            *places,
            (),
            _told(
                "Claude Code writes one as soon as it is asked something; it is listed here at once."
            ),
            _told("Elsewhere? ccbrowse --root FOLDER reads another folder."),
            _told("Nothing at hand? ccbrowse demo has some to try."),
        ]
    lines = [_told("No session fits.", Tone.STRONG), ()]
    if wanted.query:
        lines.append(_told("esc takes the filter away, / changes it."))
    if wanted.active:
        lines.append(_told("Only those that are being written now are asked for; a shows all."))
    if wanted.project:
        lines.append(_told("Only one project is asked for; esc shows all."))
    return lines


def _told(words: str, tone: Tone = Tone.PLAIN) -> Line:
    return (Piece(display_text(words), tone),)
