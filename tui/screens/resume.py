"""The command that resumes a session: copied, or run after a question."""

from __future__ import annotations

import shlex
from pathlib import Path

from ccbrowse.core.text import SafeText, display_text
from ccbrowse.tui.screens.base import Paned


class Resuming(Paned):
    """A screen that knows a session that can be resumed."""

    def resume_target(self) -> tuple[str, str | None] | None:
        """The id of the session, and the folder to resume it in (raw); None where there is none."""
        raise NotImplementedError

    def action_copy_resume(self) -> None:
        """Copy the command."""
        target = self.resume_target()
        if target is not None:
            command = resume_command(*target)
            self.host.copy_to_clipboard(command)
            self.say(SafeText(f"copied: {display_text(command)}"))

    def action_run_resume(self) -> None:
        """Ask, then run the command."""
        from ccbrowse.tui.screens.dialogs import Confirm

        target = self.resume_target()
        if target is None:
            return

        def answered(yes: bool | None) -> None:
            if yes:
                self._run(*target)

        command = display_text(resume_command(*target))
        self.app.push_screen(
            Confirm(SafeText("Resume this session now?"), command, SafeText("Resume")), answered
        )

    def _run(self, session_id: str, folder: str | None) -> None:
        import subprocess

        where = folder if folder and Path(folder).is_dir() else None

        def run() -> None:
            subprocess.run(["claude", "--resume", session_id], cwd=where, check=False)

        try:
            if not self.host.suspend_and_run(run):
                self.say(SafeText("this terminal cannot be given to another program"), "warning")
        except OSError as error:
            words = display_text(error.strerror or "it did not start")
            self.say(SafeText(f"claude could not be run: {words}"), "warning")


def resume_command(session_id: str, folder: str | None) -> str:
    """The command for a shell, each word quoted (raw: it may hold what the file says)."""
    command = f"claude --resume {shlex.quote(session_id)}"
    return f"cd {shlex.quote(folder)} && {command}" if folder else command
