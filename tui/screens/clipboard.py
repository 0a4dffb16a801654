"""The clipboard beyond OSC 52: tmux's own buffer, and the program of the desktop where this is one.

Through ssh the desktop is elsewhere: there the terminal alone can reach it.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping, Sequence

_PATIENCE = 5.0

Command = Sequence[str]

_DESKTOP: Sequence[tuple[str, Command]] = (
    ("WAYLAND_DISPLAY", ("wl-copy",)),
    ("DISPLAY", ("xclip", "-selection", "clipboard")),
    ("DISPLAY", ("xsel", "--clipboard", "--input")),
    ("", ("pbcopy",)),
    ("WSL_DISTRO_NAME", ("clip.exe",)),
    ("TERMUX_VERSION", ("termux-clipboard-set",)),
)
"""What has to be set for a program to be the right one, and how it is called."""


def programs(environ: Mapping[str, str], which: Callable[[str], str | None]) -> list[Command]:
    """The programs that take a text, by what the environment says: tmux's, then the desktop's first."""
    found: list[Command] = []
    if environ.get("TMUX") and which("tmux"):
        found.append(("tmux", "load-buffer", "-w", "-"))
    if environ.get("SSH_CONNECTION") or environ.get("SSH_TTY"):
        return found
    for needed, command in _DESKTOP:
        if (not needed or environ.get(needed)) and which(command[0]):
            return [*found, command]
    return found


def hand_over(text: str, commands: Sequence[Command]) -> None:
    """Give a text to programs; one that fails or takes long is let be: the terminal has it as well."""
    data = text.encode("utf-8", "replace")
    for command in commands:
        if not _run(command, data) and "-w" in command:  # tmux before 3.2 knows no -w
            _run([word for word in command if word != "-w"], data)


def _run(command: Command, data: bytes) -> bool:
    try:
        done = subprocess.run(
            [*command],
            input=data,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def wrapped(sequence: str, environ: Mapping[str, str]) -> str:
    """A control sequence for the terminal, wrapped where GNU screen stands between."""
    return f"\x1bP{sequence}\x1b\\" if environ.get("STY") else sequence
