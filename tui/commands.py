"""The commands of the app, one class each: bindings, palette, footer and help page derive from them.

To add a command, write a class in its group below with an `action` of the screen that has it; it is
then bound, found in the palette and told on the help page. Commands with `bound = False` are bound
by the widgets themselves under the same id (moves within a pane): here they are only described.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.keys import format_key

from ccbrowse.core.text import SafeText, display_text
from ccbrowse.tui.viewtypes import FooterView, KeyHint


class Command:
    """One thing that can be done. All is told by the class; it is never made."""

    id: ClassVar[str]
    """Stable name: a user's other keys are set by it."""
    keys: ClassVar[str]
    """Keys as Textual names them, a comma between; the first is the one that is shown most."""
    title: ClassVar[str]
    """One or two words, for the footer and the palette."""
    help: ClassVar[str]
    """A sentence, for the palette and the help page."""
    action: ClassVar[str] = ""
    """The action that is run on the screen."""
    footer: ClassVar[str] = ""
    """Its name in the footer where that is shorter; `-`: not in the footer."""
    bound: ClassVar[bool] = True
    """Whether the screen binds it; False: a widget does."""
    pair: ClassVar[type[Command] | None] = None
    """A command that shares its place in footer and help: ``{ }``."""


Commands = Sequence[type[Command]]


# Everywhere


class Help(Command):
    """Show the help page."""

    id, keys, title, action = "help", "question_mark,f1", "Help", "help"
    help = "This page: keys, and what the signs mean."
    footer = "help"


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
    help = "Find words in the session, as written, in any case."
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


class Copy(Command):
    """Copy the item."""

    id, keys, title, action = "copy", "y", "Copy", "copy"
    help = "Copy the item's text, or the chosen range (OSC 52)."
    footer = "copy"


class CopyPlace(Command):
    """Copy where the item is."""

    id, keys, title, action = "copy.place", "Y", "Copy id and path", "copy_place"
    help = "Copy the item's id, and its file and line."
    footer = "-"


class Export(Command):
    """Export a segment."""

    id, keys, title, action = "export", "x", "Export", "export"
    help = "Write the segment to a file: Markdown or JSONL."
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
    help = "Copy the command that resumes it, or run it (asks first)."
    footer = "resume"


class RunResume(Command):
    """Run the resume command."""

    id, keys, title, action = "resume.run", "R", "Resume", "run_resume"
    help = "Run the command that resumes the session; asks first."
    footer = "-"


# In a session


class Open(Command):
    """Open the item."""

    id, keys, title, action = "item.open", "enter", "Open", "open_item"
    help = "Open: a subagent's conversation, branches, else the detail."
    bound = False
    footer = "-"


class PreviousBoundary(Command):
    """Go to the boundary before."""

    id, keys, title, action = (
        "boundary.previous",
        "left_curly_bracket",
        "Boundary before",
        "boundary(-1)",
    )
    help = "The compaction before, the next one."


class NextBoundary(Command):
    """Go to the next boundary."""

    id, keys, title, action = "boundary.next", "right_curly_bracket", "Next boundary", "boundary(1)"
    help = "The next compaction, or the end."
    footer = "-"


PreviousBoundary.pair, PreviousBoundary.footer = NextBoundary, "boundary"


class NextPrompt(Command):
    """Go to the next prompt."""

    id, keys, title, action = "prompt.next", "J", "Next prompt", "prompt(1)"
    help = "The next prompt, the one before."


class PreviousPrompt(Command):
    """Go to the prompt before."""

    id, keys, title, action = "prompt.previous", "K", "Prompt before", "prompt(-1)"
    help = "The prompt before."
    footer = "-"


NextPrompt.pair, NextPrompt.footer = PreviousPrompt, "prompt"


class ToolDetail(Command):
    """Show more or less of the tools."""

    id, keys, title, action = "tools", "t", "Tool detail", "tools"
    help = "Tool calls on a line, with their results, or hidden."
    footer = "tools"


class Thoughts(Command):
    """Show or hide thinking."""

    id, keys, title, action = "thinking", "T", "Thinking", "thinking"
    help = "Show or hide thinking."
    footer = "-"


class AllRows(Command):
    """Show all rows."""

    id, keys, title, action = "all-rows", "a", "All records", "all_rows"
    help = "Show or hide the client's own records."
    footer = "-"


class Branches(Command):
    """List the branches."""

    id, keys, title, action = "branches", "b", "Branches", "branches"
    help = "List the branches that rewinds and edits left."
    footer = "branches"


class Findings(Command):
    """List the findings."""

    id, keys, title, action = "findings", "i", "Findings", "findings"
    help = "List what is wrong or was repaired in the file."
    footer = "findings"


class GoTo(Command):
    """Go to a place."""

    id, keys, title, action = "go-to", "colon", "Go to", "go_to"
    help = "Go to :3 a segment, :uuid (its start will do), :10:14."
    footer = "go to"


class SetMark(Command):
    """Set a mark."""

    id, keys, title, action = "mark.set", "m", "Mark", "set_mark"
    help = "Mark the row with a letter, go to a mark."
    footer = "-"


class GoToMark(Command):
    """Go to a mark."""

    id, keys, title, action = "mark.go", "apostrophe", "Go to mark", "go_to_mark"
    help = "Go to the row with a letter."
    footer = "-"


class Range(Command):
    """Choose a range."""

    id, keys, title, action = "timeline.range", "v", "Range", "range"
    help = "Choose a range from the cursor on; again ends it."
    bound = False
    footer = "-"


class Follow(Command):
    """Follow the session."""

    id, keys, title, action = "follow", "F", "Follow", "follow"
    help = "Follow the session as it grows, or pause."
    footer = "follow"


class Segment(Command):
    """Go to a segment."""

    id, keys, title, action = "segment", "1,2,3,4,5,6,7,8,9", "Segment", "segment({key})"
    help = "The segment of that number."
    footer = "-"


# Among the sessions


class OpenSession(Command):
    """Open the session."""

    id, keys, title, action = "item.open", "enter", "Open", "open_item"
    help = "Open the session at its end."
    bound = False
    footer = "open"


class Filter(Command):
    """Filter the sessions."""

    id, keys, title, action = "filter", "slash", "Filter", "filter"
    help = "Only sessions with these words in title or project."
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


class ActiveOnly(Command):
    """Show live sessions only."""

    id, keys, title, action = "active", "a", "Active only", "active"
    help = "Only sessions that are being written now, or all."
    footer = "active"


# Moves, bound by the panes


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


NextPane.pair = PreviousPane
FindNext.pair = FindPrevious
Pager.pair = Editor
Resume.pair = RunResume
SetMark.pair = GoToMark
Sort.pair = Reverse
Down.pair = Up
HalfPageDown.pair = HalfPageUp
PageDown.pair = PageUp
Top.pair = Bottom

MOVES: Commands = (Down, Up, HalfPageDown, HalfPageUp, PageDown, PageUp, Top, Bottom)
PANES: Commands = (NextPane, PreviousPane, PaneLeft, PaneRight, FullScreen)
EVERYWHERE: Commands = (Help, Palette, Back, Quit, Mouse)

SESSION: Commands = (
    *(Open, PreviousBoundary, NextBoundary, NextPrompt, PreviousPrompt, Segment, Find, FindNext),
    *(FindPrevious, ToolDetail, Thoughts, AllRows, Branches, Findings, GoTo, SetMark, GoToMark),
    *(Range, Follow, Copy, CopyPlace, Export, Pager, Editor, Resume, RunResume),
)
"""What works in a session, beside moves, panes and what works everywhere."""

SESSIONS: Commands = (
    *(OpenSession, Filter, Sort, Reverse, ActiveOnly, Resume, RunResume, Copy, CopyPlace),
)
"""What works among the sessions."""

SESSION_FOOTER: Commands = (
    *(PreviousBoundary, NextPrompt, Follow, Find, ToolDetail, Branches, Export, Findings, GoTo),
    *(Copy, Resume),
)
_PAIRED_IN_FOOTER = frozenset({PreviousBoundary, NextPrompt})
SESSIONS_FOOTER: Commands = (OpenSession, Sort, Filter, ActiveOnly, Resume, Copy)


def bindings(commands: Iterable[type[Command]]) -> list[BindingType]:
    """The bindings of commands, under their ids; those that widgets bind are left out."""
    found: list[BindingType] = []
    for command in commands:
        if command.bound and "{key}" in command.action:
            found += [
                Binding(key, command.action.format(key=key), command.title, show=False)
                for key in command.keys.split(",")
            ]
        elif command.bound:
            found.append(
                Binding(command.keys, command.action, command.title, id=command.id, show=False)
            )
    return found


def keys_of(command: type[Command], keymap: Mapping[str, str]) -> list[SafeText]:
    """The keys of a command as they are pressed, the user's own where there are some."""
    keys = keymap.get(command.id, command.keys).split(",")
    return [_shown(key.strip()) for key in keys if key.strip()]


_KEYS = {"escape": "esc", "pagedown": "pgdn", "pageup": "pgup", "enter": "⏎"}


def _shown(key: str) -> SafeText:
    """A key as it stands on the keyboard."""
    base = key.rsplit("+", 1)[-1]
    shown = _KEYS.get(base) or (format_key(base) if len(base) > 1 else base)
    return display_text(f"{key[: -len(base)]}{shown}")


def footer(commands: Iterable[type[Command]], keymap: Mapping[str, str]) -> FooterView:
    """The bottom line: the first key of each command, and help at the end."""
    hints = [_hint(command, keymap) for command in commands]
    return FooterView(tuple(hints), _hint(Help, keymap))


def _hint(command: type[Command], keymap: Mapping[str, str]) -> KeyHint:
    pair = [command, *([command.pair] if command in _PAIRED_IN_FOOTER and command.pair else [])]
    keys: list[SafeText] = [keys_of(each, keymap)[0] for each in pair]
    return KeyHint(SafeText(" ".join(keys)), display_text(command.footer), command.id)
