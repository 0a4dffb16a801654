"""How far the list is, and what of it could not be read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ccbrowse.core.text import SafeText, one_line
from ccbrowse.tui.viewmodels import figures
from ccbrowse.tui.viewmodels.choice import ListItem
from ccbrowse.tui.viewtypes import NOTHING, Tone, line

_REASON_CELLS, _PATH_CELLS = 60, 400


def count_words(sessions: int, done: int, total: int, *, read: bool) -> SafeText:
    """How many sessions there are; while files are read, how many of them are: ``reading 12 of 300 …``."""
    if read:
        return figures.counted(sessions, "session")
    if not total:
        return SafeText("reading …")
    return SafeText(f"reading {min(done, total):,} of {total:,} files …")


def foot_words(shown: int, every: int, unread: int, key: SafeText) -> SafeText:
    """How many sessions are shown of how many, and how many files could not be read."""
    known = figures.counted(every, "session")
    words = known if shown == every else SafeText(f"{shown:,} of {every:,} sessions")
    if not unread:
        return words
    told = SafeText(f"{words} · ⚠ {figures.counted(unread, 'file')} not read")
    return SafeText(f"{told} ({key} tells)") if key else told


def unread_choices(unreadable: Mapping[str, str]) -> list[ListItem]:
    """Files and folders that could not be read, by path: their names, why, and where they are."""
    return [_choice(path, unreadable[path]) for path in sorted(unreadable)]


def _choice(path: str, reason: str) -> ListItem:
    name, why = one_line(Path(path).name, 60), one_line(reason, _REASON_CELLS)
    head = line((name, Tone.STRONG), SafeText("  "), (why, Tone.WARN))
    return ListItem(path, head, line((one_line(path, _PATH_CELLS) or NOTHING, Tone.MUTED)))
