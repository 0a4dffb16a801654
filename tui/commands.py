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
    name: ClassVar[str]
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

    id, keys, name, action = "help", "question_mark,f1", "Help", "help"
    help = "Shows the keys that work here, and what the signs mean."
    footer = "help"


class Palette(Command):
    """Open the command palette."""

    id, keys, name, action = "palette", "ctrl+p", "Palette", "app.command_palette"
    help = "Finds a command by its name; themes are there too."
    footer = "-"


class Back(Command):
    """Leave what is open."""

    id, keys, name, action = "back", "escape,q", "Back", "back"
    help = "Leaves what is open; from the list of sessions, the app."
    footer = "-"


class Quit(Command):
    """End the app."""

    id, keys, name, action = "quit", "ctrl+q,ctrl+c", "Quit", "app.quit"
    help = "Ends the app."
    footer = "-"


class NextPane(Command):
    """Go to the next pane."""

    id, keys, name, action = "pane.next", "tab", "Next pane", "pane(1, True)"
    help = "Goes to the next pane, from the last one to the first."
    footer = "-"


class PreviousPane(Command):
    """Go to the previous pane."""

    id, keys, name, action = "pane.previous", "shift+tab", "Previous pane", "pane(-1, True)"
    help = "Goes to the previous pane."
    footer = "-"


class PaneRight(Command):
    """Go to the pane on the right."""

    id, keys, name, action = "pane.right", "l,right", "Pane on the right", "pane(1, False)"
    help = "Goes to the pane on the right."
    footer = "-"


class PaneLeft(Command):
    """Go to the pane on the left."""

    id, keys, name, action = "pane.left", "h,left", "Pane on the left", "pane(-1, False)"
    help = "Goes to the pane on the left."
    footer = "-"
    pair = PaneRight


class FullScreen(Command):
    """Give the pane all the room."""

    id, keys, name, action = "pane.full", "z", "Full screen", "full"
    help = "Gives the pane all the room, or takes it back."
    footer = "-"


class Find(Command):
    """Find words."""

    id, keys, name, action = "find", "slash", "Find", "find"
    help = "Finds words in the session, as they are written, in any case."
    footer = "find"


class FindNext(Command):
    """Go to the next match."""

    id, keys, name, action = "find.next", "n", "Next match", "found(1)"
    help = "Goes to the next match."
    footer = "-"


class FindPrevious(Command):
    """Go to the match before."""

    id, keys, name, action = "find.previous", "N", "Match before", "found(-1)"
    help = "Goes to the match before."
    footer = "-"


class Copy(Command):
    """Copy the item."""

    id, keys, name, action = "copy", "y", "Copy", "copy"
    help = "Copies the item's text, or that of the chosen range (OSC 52)."
    footer = "copy"


class CopyPlace(Command):
    """Copy where the item is."""

    id, keys, name, action = "copy.place", "Y", "Copy id and path", "copy_place"
    help = "Copies the item's id and the path and line of its file (OSC 52)."
    footer = "-"


class Export(Command):
    """Export a segment."""

    id, keys, name, action = "export", "x", "Export", "export"
    help = "Writes the segment to a file, as Markdown or JSONL."
    footer = "export"


class Pager(Command):
    """Show the item in a pager."""

    id, keys, name, action = "pager", "o", "Pager", "pager"
    help = "Shows the whole item in $PAGER."
    footer = "-"


class Editor(Command):
    """Show the item in an editor."""

    id, keys, name, action = "editor", "O", "Editor", "editor"
    help = "Opens a copy of the item in $VISUAL or $EDITOR."
    footer = "-"


class Mouse(Command):
    """Release the mouse."""

    id, keys, name, action = "mouse", "M", "Release the mouse", "app.release_mouse"
    help = "Gives the mouse back to the terminal, for its own selection; again takes it."
    footer = "-"


class Resume(Command):
    """Copy the resume command."""

    id, keys, name, action = "resume.copy", "r", "Copy resume command", "copy_resume"
    help = "Copies the command that resumes the session (OSC 52)."
    footer = "resume"


class RunResume(Command):
    """Run the resume command."""

    id, keys, name, action = "resume.run", "R", "Resume", "run_resume"
    help = "Asks, then runs the command that resumes the session, in its folder."
    footer = "-"


# In a session


class Open(Command):
    """Open the item."""

    id, keys, name, action = "item.open", "enter", "Open", "open_item"
    help = "Opens the item: a subagent's conversation, the branches, else the detail."
    bound = False
    footer = "-"


class PreviousBoundary(Command):
    """Go to the boundary before."""

    id, keys, name, action = (
        "boundary.previous",
        "left_curly_bracket",
        "Boundary before",
        "boundary(-1)",
    )
    help = "Goes to the compaction before."


class NextBoundary(Command):
    """Go to the next boundary."""

    id, keys, name, action = "boundary.next", "right_curly_bracket", "Next boundary", "boundary(1)"
    help = "Goes to the next compaction, or the end."
    footer = "-"


PreviousBoundary.pair, PreviousBoundary.footer = NextBoundary, "boundary"


class NextPrompt(Command):
    """Go to the next prompt."""

    id, keys, name, action = "prompt.next", "J", "Next prompt", "prompt(1)"
    help = "Goes to the next prompt."


class PreviousPrompt(Command):
    """Go to the prompt before."""

    id, keys, name, action = "prompt.previous", "K", "Prompt before", "prompt(-1)"
    help = "Goes to the prompt before."
    footer = "-"


NextPrompt.pair, NextPrompt.footer = PreviousPrompt, "prompt"


class ToolDetail(Command):
    """Show more or less of the tools."""

    id, keys, name, action = "tools", "t", "Tool detail", "tools"
    help = "Tool calls on one line, with the beginning of their results, or not at all."
    footer = "tools"


class Thoughts(Command):
    """Show or hide thinking."""

    id, keys, name, action = "thinking", "T", "Thinking", "thinking"
    help = "Shows or hides thinking."
    footer = "-"


class AllRows(Command):
    """Show all rows."""

    id, keys, name, action = "all-rows", "a", "All records", "all_rows"
    help = "Shows or hides the client's own records: attachments, system rows, bookkeeping."
    footer = "-"


class Branches(Command):
    """List the branches."""

    id, keys, name, action = "branches", "b", "Branches", "branches"
    help = "Lists the branches that rewinds and edits left; enter opens one."
    footer = "branches"


class Findings(Command):
    """List the findings."""

    id, keys, name, action = "findings", "i", "Findings", "findings"
    help = "Lists what is wrong or was repaired in the file; enter goes there."
    footer = "findings"


class GoTo(Command):
    """Go to a place."""

    id, keys, name, action = "go-to", "colon", "Go to", "go_to"
    help = "Goes to :3 (a segment), :uuid (its start is enough) or :10:14 (a time of day)."
    footer = "go to"


class SetMark(Command):
    """Set a mark."""

    id, keys, name, action = "mark.set", "m", "Mark", "set_mark"
    help = "Marks the row with a letter."
    footer = "-"


class GoToMark(Command):
    """Go to a mark."""

    id, keys, name, action = "mark.go", "apostrophe", "Go to mark", "go_to_mark"
    help = "Goes to the row with a letter."
    footer = "-"


class Range(Command):
    """Choose a range."""

    id, keys, name, action = "timeline.range", "v", "Range", "range"
    help = "Begins a range at the cursor; again, or back, ends choosing."
    bound = False
    footer = "-"


class Follow(Command):
    """Follow the session."""

    id, keys, name, action = "follow", "F", "Follow", "follow"
    help = "Goes to the end and stays with it while the session grows, or pauses."
    footer = "follow"


class Segment(Command):
    """Go to a segment."""

    id, keys, name, action = "segment", "1,2,3,4,5,6,7,8,9", "Segment", "segment({key})"
    help = "Goes to the segment of that number."
    footer = "-"


# Among the sessions


class OpenSession(Command):
    """Open the session."""

    id, keys, name, action = "item.open", "enter", "Open", "open_item"
    help = "Opens the session at its end."
    bound = False
    footer = "open"


class Filter(Command):
    """Filter the sessions."""

    id, keys, name, action = "filter", "slash", "Filter", "filter"
    help = "Shows the sessions with these words in their title or project."
    footer = "filter"


class Sort(Command):
    """Sort the sessions."""

    id, keys, name, action = "sort", "s", "Sort", "sort"
    help = "Sorts by age, turns, segments, context, then title."
    footer = "sort"


class Reverse(Command):
    """Reverse the order."""

    id, keys, name, action = "sort.reverse", "S", "Reverse", "reverse"
    help = "Reverses the order."
    footer = "-"


class ActiveOnly(Command):
    """Show live sessions only."""

    id, keys, name, action = "active", "a", "Active only", "active"
    help = "Shows the sessions that are being written now, or all."
    footer = "active"


# Moves, bound by the panes


class Down(Command):
    """Move down."""

    id, keys, name, bound = "move.down", "j,down", "Down", False
    help = "Moves down by one."


class Up(Command):
    """Move up."""

    id, keys, name, bound = "move.up", "k,up", "Up", False
    help = "Moves up by one; a session that is followed pauses."


class HalfPageDown(Command):
    """Move half a page down."""

    id, keys, name, bound = "move.half-down", "ctrl+d", "Half a page down", False
    help = "Moves half a page down."


class HalfPageUp(Command):
    """Move half a page up."""

    id, keys, name, bound = "move.half-up", "ctrl+u", "Half a page up", False
    help = "Moves half a page up."


class PageDown(Command):
    """Move a page down."""

    id, keys, name, bound = "move.page-down", "space,pagedown", "Page down", False
    help = "Moves a page down."


class PageUp(Command):
    """Move a page up."""

    id, keys, name, bound = "move.page-up", "pageup", "Page up", False
    help = "Moves a page up."


class Top(Command):
    """Move to the top."""

    id, keys, name, bound = "move.top", "g,home", "To the top", False
    help = "Moves to the first row."


class Bottom(Command):
    """Move to the end."""

    id, keys, name, bound = "move.bottom", "G,end", "To the end", False
    help = "Moves to the last row; a live session is followed again."


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
SESSIONS_FOOTER: Commands = (OpenSession, Sort, Filter, ActiveOnly, Resume, Copy)


def bindings(commands: Iterable[type[Command]]) -> list[BindingType]:
    """The bindings of commands, under their ids; those that widgets bind are left out."""
    found: list[BindingType] = []
    for command in commands:
        if command.bound and "{key}" in command.action:
            found += [
                Binding(key, command.action.format(key=key), command.name, show=False)
                for key in command.keys.split(",")
            ]
        elif command.bound:
            found.append(
                Binding(command.keys, command.action, command.name, id=command.id, show=False)
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
    pair = [command, *([command.pair] if command.pair else [])]
    keys: list[SafeText] = [keys_of(each, keymap)[0] for each in pair]
    return KeyHint(SafeText(" ".join(keys)), display_text(command.footer), command.id)
