"""Commands that go about in a session: marks, findings, back and forward, two things compared."""

from __future__ import annotations

from ccbrowse.tui.commands.base import Command, Commands


class GoTo(Command):
    """Go to a place."""

    id, keys, title, action = "go-to", "colon", "Go to", "go_to"
    help = "Go to a segment :3, uuid, time :10:14, or :line 51."
    footer = "go to"


class PreviousFinding(Command):
    """Go to the finding before."""

    id, keys, title, action = (
        "finding.previous",
        "left_square_bracket",
        "Finding before",
        "finding(-1)",
    )
    help = "The finding before, the next one."
    footer = "-"


class NextFinding(Command):
    """Go to the next finding."""

    id, keys, title, action = "finding.next", "right_square_bracket", "Next finding", "finding(1)"
    help = "The next finding."
    footer = "-"


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


class Compare(Command):
    """Compare two marked rows."""

    id, keys, title, action = "compare", "D", "Compare", "compare"
    help = "Compare the last two marked rows, or one and this one."
    footer = "-"


class NextDifference(Command):
    """Go to the next difference."""

    id, keys, title, action = "find.next", "n", "Next difference", "difference(1)"
    help = "The next difference, the one before."
    footer = "difference"
    pairs_in_footer = True


class DifferenceBefore(Command):
    """Go to the difference before."""

    id, keys, title, action = "find.previous", "N", "Difference before", "difference(-1)"
    help = "The difference before."
    footer = "-"


PreviousFinding.pair = NextFinding
SetMark.pair = GoToMark
NextDifference.pair = DifferenceBefore

GOING: Commands = (*(GoTo, PreviousFinding, NextFinding, SetMark, GoToMark, Compare),)
"""What goes about in a session."""

COMPARING: Commands = (NextDifference, DifferenceBefore)
"""What works where two things are compared."""
