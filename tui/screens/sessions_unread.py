"""What the list could not read: counted in its foot, listed on a key."""

from __future__ import annotations

from ccbrowse.core.text import SafeText, display_text
from ccbrowse.tui.reader.library import Batch
from ccbrowse.tui.screens.sessions_work import SessionsWork


class SessionsUnread(SessionsWork):
    """Knows how far the list is, and which files could not be read."""

    def __init__(self) -> None:
        super().__init__()
        self.unreadable: dict[str, str] = {}
        """Why files could not be read, by path (raw)."""
        self.files_listed = 0, 0
        """How many files are listed of how many, while they are read."""

    def take(self, batch: Batch) -> None:
        """Take in how far it is, too."""
        super().take(batch)
        if batch.total:
            self.files_listed = batch.files, batch.total
        if batch.unreadable is not None:
            self.unreadable = dict(batch.unreadable)

    def action_findings(self) -> None:
        """List the files that could not be read; the path of the one chosen is copied."""
        from ccbrowse.tui.screens.dialogs import Pick
        from ccbrowse.tui.viewmodels.unread import unread_choices

        choices = unread_choices(self.unreadable)
        title, nothing = SafeText("not read"), SafeText("all files could be read · esc leaves")
        hint = SafeText("enter copies the path · esc leaves")
        self.app.push_screen(Pick(title, choices, nothing, hint), self._copy_path)

    def _copy_path(self, path: str | None) -> None:
        if path is not None:
            self.host.copy_to_clipboard(display_text(path))
            self.say(SafeText("copied the path"))
