"""What the keys do on a session's screen: moves among boundaries and prompts, toggles, marks, lists."""

from __future__ import annotations

from bisect import bisect_right
from typing import ClassVar

from textual.binding import BindingType

from ccbrowse.core.text import SafeText
from ccbrowse.tui.commands import SESSION, SESSION_FOOTER, Commands, bindings
from ccbrowse.tui.screens.dialogs import Pick
from ccbrowse.tui.screens.session_arms import SessionArms
from ccbrowse.tui.screens.session_going import SessionGoing
from ccbrowse.tui.screens.session_handing import SessionHanding
from ccbrowse.tui.screens.session_matches import SessionMatches
from ccbrowse.tui.screens.session_pictures import SessionPictures
from ccbrowse.tui.viewmodels.lists import finding_choices
from ccbrowse.tui.widgets.timeline import Timeline


class SessionKeys(SessionMatches, SessionGoing, SessionHanding, SessionArms, SessionPictures):
    """The actions of a session's screen."""

    PANES: ClassVar[tuple[str, ...]] = ("rail", "timeline", "detail")
    MAIN: ClassVar[str] = "timeline"
    OWN: ClassVar[Commands] = SESSION
    FOOTER: ClassVar[Commands] = SESSION_FOOTER
    BINDINGS: ClassVar[list[BindingType]] = bindings(SESSION)

    def action_back(self) -> None:
        """Leave a search, a range, the pane, then the screen."""
        if self.leave_search() or self.timeline.clear_range():
            return
        super().action_back()

    # Moves

    def action_boundary(self, step: int) -> None:
        """Go to the next boundary, or the one before; after the last one to the end."""
        if not self.starts:
            return
        cursor = self.timeline.cursor
        place = bisect_right(self.starts, cursor) - 1
        if step < 0 and self.starts[place] == cursor:
            place -= 1
        elif step > 0:
            place += 1
        if place >= len(self.starts):
            self.timeline.move_to(self.timeline.count - 1)
        elif place >= 0:
            self._go_to_start(place)

    def _go_to_start(self, place: int) -> None:
        """Put a segment's beginning at the top of the view, its boundary under the cursor."""
        self.go_to_pane("timeline")
        row = self.starts[place]
        self.timeline.cursor = row
        self.timeline.settle(row, 1 if row else 0)

    def action_segment(self, number: int) -> None:
        """Go to a segment by its number."""
        if 1 <= number <= len(self.starts):
            self._go_to_start(number - 1)
        else:
            self.say(SafeText(f"there is no segment {number}"), "warning")

    def action_prompt(self, step: int) -> None:
        """Go to the next prompt, or the one before."""
        rows = self.rows
        if rows is None:
            return
        number = self.timeline.cursor + step
        while 0 <= number < len(rows):
            if rows.is_prompt(number):
                self.timeline.move_to(number)
                return
            number += step

    def action_follow(self) -> None:
        """Follow, or pause."""
        self.timeline.action_follow()

    # Lists

    def action_findings(self) -> None:
        """List the findings; go to the one chosen."""
        choices = finding_choices(self.listed)
        title, nothing = SafeText("findings"), SafeText("nothing wrong was found")
        self.app.push_screen(
            Pick(title, choices, nothing, SafeText("enter goes there · esc leaves")),
            self._go_to_finding,
        )

    def _go_to_finding(self, key: str | None) -> None:
        rows = self.rows
        if key is None or rows is None:
            return
        row = rows.row_of(key)
        if row is not None:
            number = rows.index(f"{key}#!")
            self.timeline.move_to(rows.outline.near(row) if number is None else number, middle=True)

    # Out of the app

    def action_export(self) -> None:
        """Export what is chosen or under the cursor: a range, segment, subagent, branch, losses, or all."""
        from ccbrowse.tui.screens.export import ExportDialog  # all formats come with it
        from ccbrowse.tui.screens.export_scopes import scopes_of

        reading, rows = self.reading, self.rows
        if reading is None or rows is None:
            return
        cursor, key = self.timeline.cursor, self.timeline.cursor_key
        scopes = scopes_of(
            reading,
            self.segment_at_cursor if self.starts else 0,
            row=rows.outline.rows[cursor] if 0 <= cursor < len(rows.outline.rows) else None,
            ends=self._range_ends(),
            agent=rows.agent_of(key) if key else None,
        )
        self.app.push_screen(ExportDialog(reading.session, scopes), self._exported)

    def _range_ends(self) -> tuple[str, str] | None:
        """The uuids at the ends of the chosen range, where there is one on the main line."""
        rows, chosen = self.rows, self.timeline.chosen
        if rows is None or not chosen:
            return None
        found = [rows.outline.rows[number] for number in (chosen[0], chosen[-1])]
        first, last = (rows.index_of_file.uuids[row] for row in found)
        return (first, last) if first and last else None

    def _exported(self, words: SafeText | None) -> None:
        if words:
            self.say(words)

    # Opening

    def on_virtual_list_opened(self, event: Timeline.Opened) -> None:
        """Open what is under the cursor."""
        event.stop()
        if event.sender is self.timeline:
            self.open_item(event.key)
        else:
            self.go_to_pane("timeline")

    def open_item(self, key: str) -> None:
        """Open an item: a subagent, branches, findings, else its detail."""
        rows = self.rows
        if rows is None:
            return
        agent = rows.agent_of(key)
        if agent is not None:
            self.open_agent(agent)
        elif key.endswith("#b"):
            self.action_branches()
        elif key.endswith("#!"):
            self.action_findings()
        else:
            self.go_to_pane("detail")

    async def action_go_to(self) -> None:
        """Ask where to go."""
        await self.ask("go to", SafeText(":"))
