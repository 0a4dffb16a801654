"""The screen that holds two messages or two segments against each other."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content

from ccbrowse.core.text import SafeText
from ccbrowse.tui.commands import COMPARING, Commands, NextDifference, bindings
from ccbrowse.tui.screens.base import Paned
from ccbrowse.tui.viewmodels import figures
from ccbrowse.tui.viewmodels.comparing import ComparedView
from ccbrowse.tui.viewtypes import Follow, HeaderView, Piece, Tone, line
from ccbrowse.tui.widgets.sidebyside import SideBySide
from ccbrowse.tui.widgets.status import KeyBar, StatusLine


class ComparingScreen(Paned):
    """Two texts side by side."""

    PANES: ClassVar[tuple[str, ...]] = ("compared",)
    MAIN: ClassVar[str] = "compared"
    OWN: ClassVar[Commands] = COMPARING
    FOOTER: ClassVar[Commands] = (NextDifference,)
    BINDINGS: ClassVar[list[BindingType]] = bindings(COMPARING)

    def __init__(self, view: ComparedView) -> None:
        super().__init__()
        self._view = view

    def compose(self) -> ComposeResult:
        """Top line, the texts, bottom line."""
        signs = self.host.signs
        yield StatusLine(signs=signs, id="status")
        with Horizontal(id="panes"):
            yield SideBySide(signs=signs, id="compared")
        yield KeyBar(signs=signs, id="keys")

    def on_mount(self) -> None:
        """Show both."""
        view = self._view
        pane = self.query_one(SideBySide)
        pane.border_title = Content(self.host.signs.text(SafeText(f"{view.left}  ≠  {view.right}")))
        pane.show(view)
        crumbs = (
            Piece(SafeText("compare"), Tone.MUTED),
            Piece(SafeText(f"{view.left} and {view.right}"), Tone.STRONG),
        )
        count = view.differing
        told = (
            figures.counted(count, "line differs", "lines differ")
            if count
            else SafeText("they are alike")
        )
        self.query_one(StatusLine).show(HeaderView(crumbs, Follow.STILL, 0, (line(told),)))

    def action_difference(self, step: int) -> None:
        """Go to the next difference, or the one before."""
        if not self.query_one(SideBySide).next_difference(step):
            self.say(SafeText("no other difference that way"), "warning")
