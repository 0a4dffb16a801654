"""The commands of the app, one class each: bindings, palette, footer and help page derive from them.

To add a command, write a class in the module of its screen with an `action` that the screen has, and
name it in the lists below; it is then bound, found in the palette and told on the help page. Commands
with `bound = False` are bound by the widgets themselves under the same id.
"""

from __future__ import annotations

from ccbrowse.tui.commands.base import Command, Commands
from ccbrowse.tui.commands.everywhere import (
    Back,
    Copy,
    CopyPlace,
    Editor,
    Export,
    Find,
    FindCase,
    FindNext,
    FindPrevious,
    FindRegex,
    FindWord,
    FullScreen,
    Help,
    Mouse,
    NextPane,
    Pager,
    Palette,
    PaneLeft,
    PaneRight,
    PlaceBack,
    PlaceForward,
    PreviousPane,
    Quit,
    Resume,
    RunResume,
    SearchAll,
    Tour,
)
from ccbrowse.tui.commands.going import (
    COMPARING,
    GOING,
    Compare,
    DifferenceBefore,
    GoTo,
    GoToMark,
    NextDifference,
    NextFinding,
    PreviousFinding,
    SetMark,
)
from ccbrowse.tui.commands.moves import (
    Bottom,
    Down,
    HalfPageDown,
    HalfPageUp,
    PageDown,
    PageUp,
    Top,
    Up,
)
from ccbrowse.tui.commands.session import (
    Agents,
    AllRows,
    Branches,
    Findings,
    Follow,
    NextBoundary,
    NextPrompt,
    Open,
    PreviousBoundary,
    PreviousPrompt,
    Range,
    Raw,
    Rendered,
    Segment,
    Thoughts,
    ToolDetail,
)
from ccbrowse.tui.commands.sessions import (
    ActiveOnly,
    Filter,
    GroupBy,
    OpenSession,
    Reverse,
    Sort,
    Unread,
)
from ccbrowse.tui.commands.telling import bindings, first_key, footer, keys_of

__all__ = [
    "COMPARING",
    "EVERYWHERE",
    "FINDING",
    "GOING",
    "MOVES",
    "PANES",
    "SESSION",
    "SESSIONS",
    "SESSIONS_FOOTER",
    "SESSION_FOOTER",
    "ActiveOnly",
    "Agents",
    "AllRows",
    "Back",
    "Bottom",
    "Branches",
    "Command",
    "Commands",
    "Compare",
    "Copy",
    "CopyPlace",
    "DifferenceBefore",
    "Down",
    "Editor",
    "Export",
    "Filter",
    "Find",
    "FindCase",
    "FindNext",
    "FindPrevious",
    "FindRegex",
    "FindWord",
    "Findings",
    "Follow",
    "FullScreen",
    "GoTo",
    "GoToMark",
    "GroupBy",
    "HalfPageDown",
    "HalfPageUp",
    "Help",
    "Mouse",
    "NextBoundary",
    "NextDifference",
    "NextFinding",
    "NextPane",
    "NextPrompt",
    "Open",
    "OpenSession",
    "PageDown",
    "PageUp",
    "Pager",
    "Palette",
    "PaneLeft",
    "PaneRight",
    "PlaceBack",
    "PlaceForward",
    "PreviousBoundary",
    "PreviousFinding",
    "PreviousPane",
    "PreviousPrompt",
    "Quit",
    "Range",
    "Raw",
    "Rendered",
    "Resume",
    "Reverse",
    "RunResume",
    "SearchAll",
    "Segment",
    "SetMark",
    "Sort",
    "Thoughts",
    "ToolDetail",
    "Top",
    "Tour",
    "Unread",
    "Up",
    "bindings",
    "first_key",
    "footer",
    "keys_of",
]

MOVES: Commands = (Down, Up, HalfPageDown, HalfPageUp, PageDown, PageUp, Top, Bottom)
PANES: Commands = (NextPane, PreviousPane, PaneLeft, PaneRight, FullScreen)
EVERYWHERE: Commands = (Help, Palette, Tour, Back, PlaceBack, PlaceForward, Quit, Mouse)

FINDING: Commands = (FindRegex, FindCase, FindWord)
"""How words are meant, while they are typed; a prompt binds them."""

SESSION: Commands = (
    *(Open, PreviousBoundary, NextBoundary, NextPrompt, PreviousPrompt, Segment, Find, FindNext),
    *(FindPrevious, ToolDetail, Thoughts, AllRows, Rendered, Raw, Branches, Agents, Findings),
    *GOING,
    *FINDING,
    *(SearchAll, Range, Follow, Copy, CopyPlace, Export, Pager, Editor, Resume, RunResume),
)
"""What works in a session, beside moves, panes and what works everywhere."""

SESSIONS: Commands = (
    *(OpenSession, Filter, SearchAll, Sort, Reverse, GroupBy, ActiveOnly, Resume, RunResume),
    *(Copy, CopyPlace, Unread),
)
"""What works among the sessions."""

SESSION_FOOTER: Commands = (
    *(PreviousBoundary, NextPrompt, Follow, Find, ToolDetail, Branches, Export, Findings, GoTo),
    *(Copy, Resume),
)
SESSIONS_FOOTER: Commands = (
    OpenSession,
    Sort,
    Filter,
    SearchAll,
    GroupBy,
    ActiveOnly,
    Resume,
    Copy,
)
