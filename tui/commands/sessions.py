"""Commands of the list of sessions."""

from __future__ import annotations

from ccbrowse.tui.commands.base import Command
from ccbrowse.tui.commands.everywhere import Find
from ccbrowse.tui.commands.session import Findings


class OpenSession(Command):
    """Open the session."""

    id, keys, title, action = "item.open", "enter", "Open", "open_item"
    help = "Open the session at its end."
    bound = False
    footer = "open"


class Filter(Find):
    """Filter the sessions: the list's way to find."""

    title, action = "Filter", "filter"
    help = "Only some sessions: words, project: after: has:…; ! negates."
    footer = "filter"


class Sort(Command):
    """Sort the sessions."""

    id, keys, title, action = "sort", "s", "Sort", "sort"
    help = "Sort by age, turns, segments, context, title; reverse."
    footer = "sort"


class Reverse(Command):
    """Reverse the order."""

    id, keys, title, action = "sort.reverse", "S", "Reverse", "reverse"
    help = "Reverse the order."
    footer = "-"


class GroupBy(Command):
    """Group the sessions."""

    id, keys, title, action = "group", "H", "Group", "group"
    help = "Put headings: by project, by date, or none."
    footer = "group"


class ActiveOnly(Command):
    """Show live sessions only."""

    id, keys, title, action = "active", "a", "Active only", "active"
    help = "Only sessions that are being written now, or all."
    footer = "active"


class Unread(Findings):
    """List what could not be read."""

    title = "Not read"
    help = "List the files that could not be read, and why."
    footer = "-"


Sort.pair = Reverse
