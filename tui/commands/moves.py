"""Moves within a pane: the panes bind them under the same ids, here they are only described."""

from __future__ import annotations

from ccbrowse.tui.commands.base import Command


class Down(Command):
    """Move down."""

    id, keys, title, bound = "move.down", "j,down", "Down", False
    help = "Down, up; a move up pauses following."


class Up(Command):
    """Move up."""

    id, keys, title, bound = "move.up", "k,up", "Up", False
    help = "Up by one; it pauses following."


class HalfPageDown(Command):
    """Move half a page down."""

    id, keys, title, bound = "move.half-down", "ctrl+d", "Half a page down", False
    help = "Half a page down, up."


class HalfPageUp(Command):
    """Move half a page up."""

    id, keys, title, bound = "move.half-up", "ctrl+u", "Half a page up", False
    help = "Half a page up."


class PageDown(Command):
    """Move a page down."""

    id, keys, title, bound = "move.page-down", "space,pagedown", "Page down", False
    help = "A page down, up."


class PageUp(Command):
    """Move a page up."""

    id, keys, title, bound = "move.page-up", "pageup", "Page up", False
    help = "A page up."


class Top(Command):
    """Move to the top."""

    id, keys, title, bound = "move.top", "g,home", "To the top", False
    help = "The first row, the last one; that follows again."


class Bottom(Command):
    """Move to the end."""

    id, keys, title, bound = "move.bottom", "G,end", "To the end", False
    help = "The last row; a live session is followed again."


Down.pair = Up
HalfPageDown.pair = HalfPageUp
PageDown.pair = PageUp
Top.pair = Bottom
