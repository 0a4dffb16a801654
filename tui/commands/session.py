"""Commands of a session's screen."""

from __future__ import annotations

from ccbrowse.tui.commands.base import Command


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
PreviousBoundary.pairs_in_footer = True


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
NextPrompt.pairs_in_footer = True


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

    id, keys, title, action = "all-rows", "e", "All records", "all_rows"
    help = "Show or hide the client's own records."
    footer = "-"


class Rendered(Command):
    """Show Markdown as it would look."""

    id, keys, title, action = "markdown", "w", "Markdown", "rendered"
    help = "Show Markdown as it would look, or as it was written."
    footer = "-"


class Raw(Command):
    """Show the record itself."""

    id, keys, title, action = "raw", "u", "Raw record", "raw"
    help = "Show the record itself, in JSON, or what it says."
    footer = "-"


class Branches(Command):
    """List the branches."""

    id, keys, title, action = "branches", "b", "Branches", "branches"
    help = "Open the branch that left at the cursor, or list all."
    footer = "branches"


class Agents(Command):
    """List the subagents."""

    id, keys, title, action = "agents", "A", "Subagents", "agents"
    help = "List the subagents, with what they cost; open one."
    footer = "-"


class Findings(Command):
    """List the findings."""

    id, keys, title, action = "findings", "i", "Findings", "findings"
    help = "List what is wrong or was repaired in the file."
    footer = "findings"


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
