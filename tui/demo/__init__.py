"""Synthetic sessions for `ccbrowse demo`, for tests and for screenshots.

`write_demo` writes a dozen sessions, `grow` lets one of them go on, `SessionBuilder` makes any other
in the shapes that the client writes in three eras. All of it is deterministic, and every word in it
was written for this purpose.
"""

from ccbrowse.tui.demo.agents import Agent
from ccbrowse.tui.demo.blocks import Block, Call, OpenCall, Reply, Say, Think, png
from ccbrowse.tui.demo.builder import SessionBuilder
from ccbrowse.tui.demo.compaction import OPENING, Boundary
from ccbrowse.tui.demo.eras import ERAS, Era
from ccbrowse.tui.demo.live import LiveSession, grow
from ccbrowse.tui.demo.scene import Story, finish, turn
from ccbrowse.tui.demo.story_notes import HOSTILE
from ccbrowse.tui.demo.tools import Workspace
from ccbrowse.tui.demo.tree import DemoSession, DemoTree, write_demo
from ccbrowse.tui.demo.writer import START, folder_name

__all__ = [
    "ERAS",
    "HOSTILE",
    "OPENING",
    "START",
    "Agent",
    "Block",
    "Boundary",
    "Call",
    "DemoSession",
    "DemoTree",
    "Era",
    "LiveSession",
    "OpenCall",
    "Reply",
    "Say",
    "SessionBuilder",
    "Story",
    "Think",
    "Workspace",
    "finish",
    "folder_name",
    "grow",
    "png",
    "turn",
    "write_demo",
]
