"""The sessions of a library as rows of a table: filtered, sorted, laid out for a width."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from ccbrowse.core.index import NO_TIME
from ccbrowse.core.library import Listing
from ccbrowse.core.session import LIVE_FOR
from ccbrowse.core.text import SafeText, cell_width, clip, display_text, one_line
from ccbrowse.core.windows import window_of
from ccbrowse.tui.signs import sparkline
from ccbrowse.tui.viewmodels import figures
from ccbrowse.tui.viewmodels.choice import ListItem
from ccbrowse.tui.viewtypes import NOTHING, Line, Piece, Tone, line

ALL = ""
"""The key of all projects together."""

_FILL, _TITLE_LIMIT, _PROJECT_CELLS = 12, 200, 15


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


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which sessions are shown, and how they are sorted."""

    words: str = ""
    project: str = ALL
    active: bool = False
    order: Order = Order.AGE
    reverse: bool = False


def key_of(listing: Listing) -> str:
    """The key of a session: its file's path."""
    return str(listing.file.path)


def is_live(listing: Listing, now: int) -> bool:
    """Whether a session's newest record is young enough at `now` (milliseconds)."""
    return listing.updated != NO_TIME and now - listing.updated <= LIVE_FOR


def choose(listings: Sequence[Listing], wanted: Wanted, now: int) -> list[Listing]:
    """The sessions that are wanted, sorted."""
    words = wanted.words.casefold().split()
    found = [
        listing
        for listing in listings
        if (not wanted.project or listing.project == wanted.project)
        and (not wanted.active or is_live(listing, now))
        and _has_words(listing, words)
    ]
    found.sort(key=lambda listing: listing.sort_key, reverse=True)
    if wanted.order is not Order.AGE:
        found.sort(key=_SORTS[wanted.order], reverse=wanted.order is not Order.TITLE)
    if wanted.reverse:
        found.reverse()
    return found


def _has_words(listing: Listing, words: Sequence[str]) -> bool:
    if not words:
        return True
    text = f"{listing.title.text}\n{listing.project}".casefold()
    return all(word in text for word in words)


_SORTS: dict[Order, Callable[[Listing], int | str]] = {
    Order.TURNS: lambda listing: listing.turns,
    Order.SEGMENTS: lambda listing: listing.segments,
    Order.CONTEXT: lambda listing: listing.context_now.value or 0,
    Order.TITLE: lambda listing: listing.title.text.casefold(),
}


def view_of(listing: Listing, now: int) -> ListingView:
    """A session as the table shows it."""
    return ListingView(
        key=key_of(listing),
        title=one_line(listing.title.text, _TITLE_LIMIT) or SafeText("(no title)"),
        project=one_line(listing.project, 60),
        age=figures.age(listing.updated, now),
        turns=SafeText(f"{listing.turns:,}"),
        segments=SafeText(f"{listing.segments}"),
        context=figures.short_tokens(listing.context_now),
        fill=listing.fill,
        scale=_scale(listing),
        findings=listing.findings,
        live=is_live(listing, now),
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
    numbers = 4 + 2 + 4 + 2 + 5 + 2 + 3 + 2 + 7 + 2  # signs, then columns with their gaps
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
        ("age", 4, Order.AGE),
        ("turns", 5, Order.TURNS),
        ("seg", 3, Order.SEGMENTS),
        ("context", 7, Order.CONTEXT),
    ):
        parts.append(_name(name, order, wanted, width, left=False))
        parts.append(Piece(SafeText("  ")))
    if columns.fill:
        parts.append(_name("fill", None, wanted, columns.fill, left=True))
    return tuple(parts)


def _name(name: str, order: Order | None, wanted: Wanted, width: int, left: bool) -> Piece:
    sorts = order is wanted.order
    down = (order is not Order.TITLE and order is not Order.AGE) != wanted.reverse
    arrow = ("↓" if down else "↑") if sorts else ""
    text = clip(display_text(f"{name}{arrow}"), width + 1)
    return Piece(_pad(text, width, left), Tone.STRONG if sorts else Tone.MUTED)


def row_line(view: ListingView, columns: Columns) -> Line:
    """One session on one line; untrusted words are cut, and padded by cells."""
    live = (SafeText("● "), Tone.GOOD) if view.live else (SafeText("  "), Tone.MUTED)
    mark = SafeText(f" ⚠{view.findings}") if view.findings else NOTHING
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
    numbers = ((view.age, 4), (view.turns, 5), (view.segments, 3))
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


def projects(listings: Sequence[Listing]) -> list[tuple[str, SafeText, int]]:
    """The projects: name as found, name for the screen, sessions; the newest first."""
    counts: dict[str, int] = {}
    for listing in sorted(listings, key=lambda each: each.sort_key, reverse=True):
        counts[listing.project] = counts.get(listing.project, 0) + 1
    return [(name, one_line(name, 40), count) for name, count in counts.items()]


def project_items(listings: Sequence[Listing]) -> list[ListItem]:
    """The projects as a list to choose from, all of them together first; the counts line up."""
    named = [(ALL, SafeText("(all)"), len(listings)), *projects(listings)]
    width = min(_PROJECT_CELLS, max(cell_width(shown) for _, shown, _ in named))
    return [_project_item(shown, name, count, width) for name, shown, count in named]


def _project_item(shown: SafeText, name: str, count: int, width: int) -> ListItem:
    words = clip(shown, width)
    gap = SafeText(" " * (width - cell_width(words)))
    number = (SafeText(f"{gap}{count:>6,}"), Tone.MUTED)
    return ListItem(name, line((words, Tone.PLAIN if name else Tone.STRONG), number))


def preview(listing: Listing, first: SafeText, last: SafeText) -> list[Line]:
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
    lines: list[Line] = [tuple(words)]
    lines.append((Piece(SafeText("last  "), Tone.MUTED), Piece(last)) if last else ())
    lines.append((Piece(SafeText(" · ".join(facts)), Tone.MUTED),))
    return lines


def segments_words(listing: Listing) -> SafeText:
    """``4 segments: 1 manual, 2 auto``"""
    count = figures.counted(listing.segments, "segment")
    triggers = [
        SafeText(f"{number} {one_line(trigger, 20)}")
        for trigger, number in sorted(listing.compactions.items())
        if number
    ]
    return SafeText(f"{count}: {SafeText(', '.join(triggers))}") if triggers else count
