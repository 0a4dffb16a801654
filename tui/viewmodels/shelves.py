"""Where sessions stand in the list: their root, their project, the worktree of it; and the rail of these."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from msgspec import Struct

from ccbrowse.core.listing import Listing
from ccbrowse.core.retention import Retention
from ccbrowse.core.text import SafeText, cell_width, clip, display_text, one_line
from ccbrowse.core.worktrees import Worktree
from ccbrowse.tui.viewmodels.choice import ListItem
from ccbrowse.tui.viewtypes import Line, Piece, Tone, line

ALL = ""
"""The key of all sessions together."""

_SPLIT = "\0"
_CELLS = 15


class Shelf(Struct, frozen=True):
    """A place of the rail: a root (where there are several), a project, a worktree; empty: any."""

    root: str = ""
    project: str = ""
    worktree: str = ""

    @property
    def key(self) -> str:
        """The shelf as a key."""
        return _SPLIT.join((self.root, self.project, self.worktree)) if self != Shelf() else ALL

    @classmethod
    def of_key(cls, key: str) -> Shelf:
        """The shelf of a key."""
        return cls(*key.split(_SPLIT)) if key else cls()

    def holds(self, other: Shelf) -> bool:
        """Whether a session's shelf is this one, or on it."""
        return (
            self.root in ("", other.root)
            and self.project in ("", other.project)
            and self.worktree in ("", other.worktree)
        )


def root_labels(roots: Sequence[Path], named: Mapping[Path, str] | None = None) -> dict[Path, str]:
    """What roots are called: as the user does, else their folder, the home as `~` (raw)."""
    named, home = named or {}, Path.home()
    labels: dict[Path, str] = {}
    for root in roots:
        folder = root.parent if root.name == "projects" else root
        short = f"~/{folder.relative_to(home)}" if folder.is_relative_to(home) else str(folder)
        labels[root] = named.get(root) or short
    return labels


@dataclass(frozen=True)
class Places:
    """What tells where a session stands."""

    labels: Mapping[Path, str] = field(default_factory=dict)
    """The roots and what they are called (raw)."""
    worktrees: Mapping[str, Worktree] = field(default_factory=dict)
    """By working directory."""
    retention: Retention = field(default_factory=Retention)

    @property
    def several(self) -> bool:
        """Whether there are several roots."""
        return len(self.labels) > 1

    def of(self, listing: Listing) -> Shelf:
        """A session's shelf."""
        root = str(listing.file.root) if self.several else ""
        worktree = self.worktrees.get(listing.cwd) if listing.cwd else None
        if worktree is None:
            return Shelf(root, listing.project)
        return Shelf(root, worktree.project, worktree.name)

    def project(self, listing: Listing) -> SafeText:
        """The project as a row names it: with its worktree, and with its root where there are several."""
        shelf = self.of(listing)
        name = f"{shelf.project} @{shelf.worktree}" if shelf.worktree else shelf.project
        label = f" · {self.label(shelf)}" if self.several else ""
        return one_line(name + label, 60)

    def label(self, shelf: Shelf) -> str:
        """What a shelf's root is called (raw)."""
        return next((label for root, label in self.labels.items() if str(root) == shelf.root), "")

    def name(self, key: str) -> SafeText:
        """A shelf in words, for a title; nothing for all."""
        shelf = Shelf.of_key(key)
        parts = (self.label(shelf), shelf.project, shelf.worktree)
        return one_line(" › ".join(part for part in parts if part), 60)

    def days_left(self, listing: Listing, now: int) -> int | None:
        """Days until the client's clean-up may remove a session; None: nobody does, or who knows."""
        file = listing.file
        return self.retention.days_left(file.root, file.stamp.mtime_ns // 1_000_000, now)


NOWHERE = Places()


def rail_items(listings: Sequence[Listing], places: Places) -> list[ListItem]:
    """The rail: all sessions, then roots, their projects, and the worktrees of these; newest first."""
    own: dict[Shelf, int] = {}  # by the shelf itself first: sessions are many, shelves few
    for listing in sorted(listings, key=lambda each: each.sort_key, reverse=True):
        shelf = places.of(listing)
        own[shelf] = own.get(shelf, 0) + 1
    counts: dict[Shelf, int] = {}
    for shelf, number in own.items():
        for each in _above(shelf):
            counts[each] = counts.get(each, 0) + number
    ordered = [Shelf(), *(shelf for shelf in _in_order(counts) if shelf != Shelf())]
    counts.setdefault(Shelf(), 0)
    names = {shelf: _name(shelf, places) for shelf in ordered}
    width = min(_CELLS, max(cell_width(name) for name in names.values()))
    return [ListItem(each.key, _line(names[each], each, counts[each], width)) for each in ordered]


def _above(shelf: Shelf) -> Iterable[Shelf]:
    """A shelf and all that hold it, each once."""
    every = (Shelf(), Shelf(shelf.root), Shelf(shelf.root, shelf.project), shelf)
    return dict.fromkeys(every)


def _in_order(counts: Mapping[Shelf, int]) -> list[Shelf]:
    """Each shelf behind the one that holds it, and in the order in which they came."""
    places = {shelf: number for number, shelf in enumerate(counts)}

    def order(shelf: Shelf) -> tuple[int, int, int]:
        root = places.get(Shelf(shelf.root), 0)
        project = places.get(Shelf(shelf.root, shelf.project), 0)
        return root, project, places[shelf]

    return sorted(counts, key=order)


def _name(shelf: Shelf, places: Places) -> SafeText:
    indent = "  " if places.several and shelf.project else ""
    if shelf == Shelf():
        return SafeText("(all)")
    if shelf.worktree:
        return SafeText(f"{SafeText(indent)}  @{one_line(shelf.worktree, 40)}")
    if shelf.project:
        return SafeText(f"{SafeText(indent)}{one_line(shelf.project, 40)}")
    return one_line(places.label(shelf), 60)


def _end_of(label: SafeText, width: int) -> SafeText:
    """A root's label, cut at its beginning: paths differ at their ends."""
    while cell_width(label) > width:
        label = SafeText(f"…{label.lstrip('…')[1:]}")
    return label


def _line(name: SafeText, shelf: Shelf, count: int, width: int) -> Line:
    words = clip(name, width) if shelf.project or shelf == Shelf() else _end_of(name, width)
    gap = " " * (width - cell_width(words))
    tone = Tone.PLAIN if shelf.project else Tone.STRONG
    if shelf.worktree:
        tone = Tone.MUTED
    return line((words, tone), (display_text(f"{gap}{count:>6,}"), Tone.MUTED))


def kept_words(days: int | None) -> SafeText:
    """How long the client keeps a session, in words; nothing where nobody knows."""
    if days is None:
        return SafeText("")
    if days <= 0:
        return SafeText("the client removes it at its next start")
    return SafeText(f"the client keeps it {days:,} more {SafeText('day' if days == 1 else 'days')}")


WARN_DAYS = 7
"""Days before its removal from which a session is marked."""


def kept_mark(days: int | None) -> Piece | None:
    """The mark of a session that is removed soon: ``3d left``; None for others."""
    if days is None or days > WARN_DAYS:
        return None
    return Piece(SafeText(f"{max(0, days)}d left"), Tone.WARN)
