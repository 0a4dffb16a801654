"""The commands of the screen that searches all sessions; as in `tui.commands`."""

from __future__ import annotations

from ccbrowse.tui.commands import (
    FINDING,
    Command,
    Commands,
    Copy,
    CopyPlace,
    Find,
    FindNext,
    FindPrevious,
    SearchAll,
)


class OpenHit(Command):
    """Open the message where it stands."""

    id, keys, title, action = "item.open", "enter", "Open", "open_item"
    help = "Open the message where it stands; a click does, too."
    bound = False
    footer = "open"


class Query(Find):
    """Type another search."""

    title = "Search"
    help = "Type another search: words, key:value, scopes."
    footer = "search"


class NextHit(FindNext):
    """Go to the next hit."""

    title = "Next hit"
    help = "The next hit, the one before."
    footer = "hit"
    pairs_in_footer = True


class HitBefore(FindPrevious):
    """Go to the hit before."""

    title = "Hit before"
    help = "The hit before."


class NextSession(Command):
    """Go to the next session's hits: the next part of the list."""

    id, keys, title = "part.next", "greater_than_sign", "Next session"
    action = "part(1)"
    help = "The next session's first hit, the one before's."
    footer = "session"


class SessionBefore(Command):
    """Go to the hits of the session before."""

    id, keys, title = "part.previous", "less_than_sign", "Session before"
    action, footer = "part(-1)", "-"
    help = "The first hit of the session before."


NextHit.pair, NextSession.pair = HitBefore, SessionBefore

SEARCH: Commands = (
    *(OpenHit, Query, NextHit, HitBefore, NextSession, SessionBefore, Copy, CopyPlace),
    *(*FINDING, SearchAll),
)
"""What works there, beside moves, panes and what works everywhere."""

SEARCH_FOOTER: Commands = (OpenHit, Query, NextHit, NextSession, Copy)
