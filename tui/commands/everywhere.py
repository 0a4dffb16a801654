"""Commands that more than one screen has."""

from __future__ import annotations

from ccbrowse.tui.commands.base import Command


class Help(Command):
    """Show the help page."""

    id, keys, title, action = "help", "question_mark,f1", "Help", "help"
    help = "This page: keys, and what the signs mean."
    footer = "help"


class Tour(Command):
    """Show the tour."""

    id, keys, title, action = "tour", "f2", "Tour", "app.tour"
    help = "The pages of the first start: what can be done here."
    footer = "-"


class Palette(Command):
    """Open the command palette."""

    id, keys, title, action = "palette", "ctrl+p", "Palette", "app.command_palette"
    help = "Find a command by its name; themes are there too."
    footer = "-"


class Back(Command):
    """Leave what is open."""

    id, keys, title, action = "back", "escape,q", "Back", "back"
    help = "Leave what is open; from the list of sessions, the app."
    footer = "-"


class Quit(Command):
    """End the app."""

    id, keys, title, action = "quit", "ctrl+q,ctrl+c", "Quit", "app.quit"
    help = "End the app."
    footer = "-"


class NextPane(Command):
    """Go to the next pane."""

    id, keys, title, action = "pane.next", "tab", "Next pane", "pane(1, True)"
    help = "The next pane, the one before."
    footer = "-"


class PreviousPane(Command):
    """Go to the previous pane."""

    id, keys, title, action = "pane.previous", "shift+tab", "Previous pane", "pane(-1, True)"
    help = "The pane before."
    footer = "-"


class PaneRight(Command):
    """Go to the pane on the right."""

    id, keys, title, action = "pane.right", "l,right", "Pane on the right", "pane(1, False)"
    help = "The pane on the right."
    footer = "-"


class PaneLeft(Command):
    """Go to the pane on the left."""

    id, keys, title, action = "pane.left", "h,left", "Pane on the left", "pane(-1, False)"
    help = "The pane on the left, on the right."
    footer = "-"
    pair = PaneRight


class FullScreen(Command):
    """Give the pane all the room."""

    id, keys, title, action = "pane.full", "z", "Full screen", "full"
    help = "Give the pane all the room, or take it back."
    footer = "-"


class Find(Command):
    """Find words."""

    id, keys, title, action = "find", "slash", "Find", "find"
    help = "Find words: as typed, or as a pattern; in any case."
    footer = "find"


class FindNext(Command):
    """Go to the next match."""

    id, keys, title, action = "find.next", "n", "Next match", "found(1)"
    help = "The next match, the one before."
    footer = "-"


class FindPrevious(Command):
    """Go to the match before."""

    id, keys, title, action = "find.previous", "N", "Match before", "found(-1)"
    help = "The match before."
    footer = "-"


class FindRegex(Command):
    """Find a regular expression."""

    id, keys, title = "find.regex", "alt+r", "Regex"
    help = "While typing: a regular expression, or words as they stand."
    bound = False
    footer = "-"


class FindCase(Command):
    """Tell capital letters apart."""

    id, keys, title = "find.case", "alt+c", "Case"
    help = "While typing: tell capital and small letters apart."
    bound = False
    footer = "-"


class FindWord(Command):
    """Find whole words only."""

    id, keys, title = "find.word", "alt+w", "Whole word"
    help = "While typing: whole words only."
    bound = False
    footer = "-"


class SearchAll(Command):
    """Search all sessions."""

    id, keys, title, action = "search", "ctrl+f", "Search all sessions", "search_all"
    help = "Search in all sessions; what was found there before stays."
    footer = "search"


class Copy(Command):
    """Copy the item."""

    id, keys, title, action = "copy", "y", "Copy", "copy"
    help = "Copy the item's text, or the chosen range (OSC 52)."
    footer = "copy"


class CopyPlace(Command):
    """Copy where the item is."""

    id, keys, title, action = "copy.place", "Y", "Copy …", "copy_place"
    help = "Choose what to copy: text, code, command, id, path, place."
    footer = "-"


class Export(Command):
    """Export a segment."""

    id, keys, title, action = "export", "x", "Export", "export"
    help = "Write a part to a file or the clipboard, in five formats."
    footer = "export"


class Pager(Command):
    """Show the item in a pager."""

    id, keys, title, action = "pager", "o", "Pager", "pager"
    help = "Show the whole item in $PAGER, a copy in $EDITOR."
    footer = "-"


class Editor(Command):
    """Show the item in an editor."""

    id, keys, title, action = "editor", "O", "Editor", "editor"
    help = "Open a copy of the item in $VISUAL or $EDITOR."
    footer = "-"


class Mouse(Command):
    """Release the mouse."""

    id, keys, title, action = "mouse", "M", "Release the mouse", "app.release_mouse"
    help = "Give the mouse to the terminal to select with, or take it."
    footer = "-"


class Resume(Command):
    """Copy the resume command."""

    id, keys, title, action = "resume.copy", "r", "Copy resume command", "copy_resume"
    help = "Copy the resume command; resume or fork now (asks first)."
    footer = "resume"


class RunResume(Command):
    """Run the resume command."""

    id, keys, title, action = "resume.run", "R", "Resume or fork", "run_resume"
    help = "Resume or fork the session in Claude Code; asks first."
    footer = "-"


class PlaceBack(Command):
    """Go back."""

    id, keys, title, action = (
        "place.back",
        "left_parenthesis,alt+left,ctrl+o",
        "Back to the place before",
        "travel(-1)",
    )
    help = "Back to where you were before a jump, and forward."
    footer = "-"


class PlaceForward(Command):
    """Go forward."""

    id, keys, title, action = "place.forward", "right_parenthesis,alt+right", "Forward", "travel(1)"
    help = "Forward to where you were before going back."
    footer = "-"


NextPane.pair = PreviousPane
PlaceBack.pair = PlaceForward
FindNext.pair = FindPrevious
Pager.pair = Editor
Resume.pair = RunResume
