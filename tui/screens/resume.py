"""A session resumed or forked in the client, after a question; and its command copied."""

from __future__ import annotations

from pathlib import Path

from ccbrowse.core.text import SafeText, display_text
from ccbrowse.tui.screens.base import Paned
from ccbrowse.tui.viewmodels.handing import resume_command, resume_words

RESUME, FORK = "resume", "fork"


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
        """Ask whether to go on in the session or in a fork of it, then run the client."""
        from ccbrowse.tui.screens.dialogs import Offer

        target = self.resume_target()
        if target is None:
            return
        session_id, folder = target

        def answered(answer: str | None) -> None:
            if answer in (RESUME, FORK):
                self._run(session_id, folder, fork=answer == FORK)

        about = [display_text(resume_command(session_id, folder))]
        if folder and not Path(folder).is_dir():
            about.append(SafeText("That folder is not there: the client may not find the session."))
        about.append(SafeText("A fork goes on in a new session; this one stays as it is."))
        answers = ((RESUME, SafeText("Resume")), (FORK, SafeText("Fork")))
        self.app.push_screen(
            Offer(SafeText("Go on with this session in Claude Code?"), about, answers), answered
        )

    def _run(self, session_id: str, folder: str | None, *, fork: bool) -> None:
        import subprocess

        where = folder if folder and Path(folder).is_dir() else None
        words = resume_words(session_id, fork=fork)

        def run() -> None:
            subprocess.run(words, cwd=where, check=False)

        try:
            if not self.host.suspend_and_run(run):
                self.say(SafeText("this terminal cannot be given to another program"), "warning")
        except OSError as error:
            told = display_text(error.strerror or "it did not start")
            hint = "is it on your PATH? r copies the command"
            self.say(SafeText(f"claude could not be run: {told}; {SafeText(hint)}"), "warning")
