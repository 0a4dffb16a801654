"""What a session's screen has to do with compactions: their screen, their losses, the forecast."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType

from ccbrowse.core.records import Kind
from ccbrowse.core.text import SafeText
from ccbrowse.tui.commands import SESSION, SESSION_FOOTER, Commands, bindings
from ccbrowse.tui.screens.compaction_commands import OPENERS, Loss, Requests
from ccbrowse.tui.screens.session_keys import SessionKeys

if TYPE_CHECKING:
    from ccbrowse.tui.reader.compaction import Desk

_FOOTER: Commands = (*SESSION_FOOTER[:3], Loss, Requests, *SESSION_FOOTER[3:])


class SessionCompactions(SessionKeys):
    """The actions of a session's screen that have to do with compactions."""

    OWN: ClassVar[Commands] = (*SESSION, *OPENERS)
    FOOTER: ClassVar[Commands] = _FOOTER
    BINDINGS: ClassVar[list[BindingType]] = bindings(OPENERS)

    _desk: Desk | None = None

    @property
    def desk(self) -> Desk | None:
        """Where the session's compactions are worked out; None before it is open."""
        if self._desk is None and self.reading is not None:
            from ccbrowse.tui.reader.compaction import Desk

            self._desk = Desk(self.reading.session)
        return self._desk

    def close_desk(self) -> None:
        """Let go of the file."""
        if self._desk is not None:
            self._desk.close()

    def action_compaction(self, view: int) -> None:
        """Open the compaction at or above the cursor, else the newest one."""
        numbers = self._compactions()
        if not numbers:
            self.say(SafeText("this conversation was never compacted"), "warning")
            return
        here = [n for n, segment in numbers.items() if segment <= self.segment_at_cursor]
        self._open_compaction(here[-1] if here else len(numbers), view)

    def _compactions(self) -> dict[int, int]:
        """The numbers of the compactions, and of the segments that they opened."""
        if self.reading is None or not self.starts:
            return {}
        opened = [s.number for s in self.reading.session.segments if s.boundary is not None]
        return dict(enumerate(opened, 1))

    def _open_compaction(self, number: int, view: int) -> None:
        from ccbrowse.tui.screens.compaction import CompactionScreen

        desk = self.desk
        if desk is not None:
            self.app.push_screen(CompactionScreen(desk, number, view, self.show_record))

    def open_item(self, key: str) -> None:
        """Open an item: of a boundary its losses."""
        rows = self.rows
        found = rows.place(key) if rows is not None else None
        if rows is not None and found is not None and "#" not in key:
            is_boundary = rows.index_of_file.kind[found[0]] == Kind.BOUNDARY
            if is_boundary and self._compactions():
                self.action_compaction(0)
                return
        super().open_item(key)

    def show_record(self, row: int) -> None:
        """Go to the record of a row: of a result to its call."""
        rows = self.rows
        if rows is None:
            return
        if rows.index_of_file.kind[row] == Kind.RESULT and rows.index_of_file.peer[row] >= 0:
            row = rows.index_of_file.peer[row]
        self.timeline.pause()
        self.timeline.move_to(rows.outline.near(row), middle=True)
        self.go_to_pane("timeline")

    def action_forecast(self) -> None:
        """Say what the forecast rests on."""
