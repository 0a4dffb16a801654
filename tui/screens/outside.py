"""Other programs: the item in a pager or an editor, from a copy that is removed afterwards."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from pathlib import Path

from ccbrowse.core.text import SafeText, display_text
from ccbrowse.tui.screens.base import Host


def page_text(host: Host, text: SafeText) -> SafeText:
    """Show a text in $PAGER (else less); what went wrong, or nothing."""
    return _show(host, text, os.environ.get("PAGER") or "less")


def edit_text(host: Host, text: SafeText) -> SafeText:
    """Show a copy of a text in $VISUAL or $EDITOR (else vi); what went wrong, or nothing."""
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    return _show(host, text, editor)


def _show(host: Host, text: SafeText, program: str) -> SafeText:
    with tempfile.TemporaryDirectory(prefix="ccbrowse-") as folder:
        copy = Path(folder) / "item.txt"
        copy.touch(mode=0o600)
        copy.write_text(text + "\n", encoding="utf-8")
        return _run(host, program, copy)


def _run(host: Host, program: str, copy: Path) -> SafeText:
    try:
        words = [*shlex.split(program), str(copy)]
    except ValueError:
        return SafeText(f"cannot be read as a command: {display_text(program)}")

    def run() -> None:
        subprocess.run(words, check=False)

    try:
        if host.suspend_and_run(run):
            return SafeText("")
    except OSError as error:
        return SafeText(f"{display_text(program)}: {display_text(error.strerror or 'not started')}")
    return SafeText("this terminal cannot be given to another program")
