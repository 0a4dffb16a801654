"""What a session hands over: texts, ids, places to the clipboard; the item to a pager or editor."""

from __future__ import annotations

from ccbrowse.core.text import SafeText, display_text
from ccbrowse.tui.reader.places import main_session_id
from ccbrowse.tui.screens.copying import offer_copies
from ccbrowse.tui.screens.outside import edit_text, page_text
from ccbrowse.tui.screens.resume import Resuming
from ccbrowse.tui.screens.session_looks import SessionLooks
from ccbrowse.tui.viewmodels.handing import (
    Copyable,
    copyables_of,
    place_command,
    resume_command,
)


class SessionHanding(SessionLooks, Resuming):
    """The actions that give something away."""

    def _texts(self) -> SafeText:
        """The text of the item under the cursor, or of the chosen range."""
        rows = self.rows
        if rows is None:
            return SafeText("")
        numbers = self.timeline.chosen or range(self.timeline.cursor, self.timeline.cursor + 1)
        texts: list[SafeText] = [rows.text(rows.key(n)) for n in numbers if 0 <= n < len(rows)]
        return SafeText("\n\n".join(texts))

    def action_copy(self) -> None:
        """Copy the item, or the range."""
        text = self._texts()
        if text:
            self.host.copy_to_clipboard(text)
            count = max(1, len(self.timeline.chosen))
            self.say(SafeText(f"copied {count} items" if count > 1 else "copied"))

    def action_copy_place(self) -> None:
        """Choose what to copy of the item: its text, code in it, a command, ids, paths, its place."""
        offer_copies(self, self._copyables())

    def _copyables(self) -> list[Copyable]:
        rows, reading = self.rows, self.reading
        key = self.timeline.cursor_key
        found = rows.place(key) if rows else None
        if rows is None or reading is None or found is None:
            return []
        session = reading.session
        uuid = rows.index_of_file.uuids[found[0]] or ""
        number = self.segment_at_cursor if self.starts else 0
        position = place_command(main_session_id(session), number, uuid, session.agent_id)
        target = self.overview.resume if self.overview is not None else None
        return copyables_of(
            rows.text(key),
            rows.call_of(key),
            uuid,
            f"{session.file.path}:{rows.index_of_file.line[found[0]]}",
            position,
            resume_command(*target) if target is not None else "",
        )

    def action_pager(self) -> None:
        """Show the item in a pager."""
        self._outside(page_text(self.host, self._texts()))

    def action_editor(self) -> None:
        """Show a copy of the item in an editor."""
        self._outside(edit_text(self.host, self._texts()))

    def _outside(self, trouble: SafeText) -> None:
        if trouble:
            self.say(display_text(trouble), "warning")

    def resume_target(self) -> tuple[str, str | None] | None:
        """The session on the screen."""
        overview = self.overview
        if overview is None or overview.resume is None:
            self.say(SafeText("a subagent's conversation cannot be resumed"), "warning")
            return None
        return overview.resume
