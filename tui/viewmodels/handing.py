"""What is handed over to other programs: the command that resumes or forks a session, a place to share."""

from __future__ import annotations

import shlex


def resume_words(session_id: str, *, fork: bool = False) -> list[str]:
    """The program and its arguments (raw)."""
    return ["claude", "--resume", session_id, *(["--fork-session"] if fork else [])]


def resume_command(session_id: str, folder: str | None, *, fork: bool = False) -> str:
    """The command for a shell, each word quoted (raw: it may hold what the file says)."""
    command = shlex.join(resume_words(session_id, fork=fork))
    return f"cd {shlex.quote(folder)} && {command}" if folder else command


def place_command(session_id: str, segment: int, uuid: str, agent: str | None = None) -> str:
    """The command that opens ccbrowse at a record: ``ccbrowse ID#3/uuid`` (raw)."""
    part = f"@agent:{agent}" if agent else ""
    where = f"#{segment}/{uuid}" if segment and uuid else f"#{segment}" if segment else ""
    return f"ccbrowse {shlex.quote(f'{session_id}{part}{where}')}"
