"""What a session's room leaves to commands of the command line: outline, losses, exports, following."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import TYPE_CHECKING

import click

from ccbrowse.core.errors import WouldOverwrite
from ccbrowse.core.text import SafeText, display_text
from ccbrowse.tui.cli.output import print_line
from ccbrowse.tui.cli.plain.house import Room

if TYPE_CHECKING:
    from ccbrowse.core.session import Session

_FORMS = ("markdown", "html", "json", "jsonl", "text")


class Telling(Room):
    """A room whose session commands are run on."""

    session: Session
    target: str
    """What names the session on the command line."""

    @property
    def segment(self) -> int:
        """The segment that is read, from 1; 0 where there is none."""
        raise NotImplementedError

    def reload(self) -> None:
        """Take in what the session has gained."""
        raise NotImplementedError

    def outline(self) -> None:
        """The outline that `ccbrowse show` prints."""
        from ccbrowse.tui.cli.show import print_outline

        self._say_pages(lambda: print_outline(self.session))

    def loss(self) -> None:
        """What the compaction that opened the segment kept and lost."""
        from ccbrowse.tui.cli.compactions import compactions

        segments = self.session.segments
        opened = [each for each in segments[: self.segment] if each.boundary is not None]
        if not opened or segments[self.segment - 1].boundary is None:
            print_line("No compaction opened this segment.")
            return
        self._say_pages(lambda: self._run(compactions, str(len(opened))))

    def follow(self) -> None:
        """Say what comes as it comes."""
        from ccbrowse.tui.cli.tail import tail

        print_line("Following; ctrl+c ends it.")
        try:
            self._run(tail)
        except (click.Abort, KeyboardInterrupt):
            print_line()
            self.reload()

    def export(self) -> None:
        """Ask what to write and where to, and write it."""
        which = self.house.ask(
            SafeText(
                f"Export: Enter for segment {self.segment}, a for the whole session, q for nothing:"
            )
        ).lower()
        if which.startswith("q"):
            return
        form = self.house.ask(SafeText(f"Format: {', '.join(_FORMS)}; Enter for markdown:"))
        named = [each for each in _FORMS if each.startswith(form.lower())] if form else ["markdown"]
        if form in _FORMS:
            named = [form]
        if len(named) != 1:
            print_line(f"Nothing was written: the formats are {', '.join(_FORMS)}.")
            return
        file = self.house.ask(SafeText("File: its name; Enter for one made of the title:"))
        words = ["--format", named[0], *(("-o", file) if file else ())]
        words += ["--all"] if which.startswith("a") else ["--segment", str(self.segment)]
        self._write(words)

    def _write(self, words: list[str]) -> None:
        from ccbrowse.tui.cli.export import export

        try:
            self._run(export, *words)
        except WouldOverwrite as there:
            print_line(f"{there}".partition(", choose")[0])
            if self.house.agrees(SafeText("Replace it?")):
                self._run(export, *words, "--force")

    def _say_pages(self, tell: Callable[[], None]) -> None:
        """Say what is printed, and ask before each page after the first one."""
        said = io.StringIO()
        with redirect_stdout(said):
            tell()
        self.house.say_pages(map(display_text, said.getvalue().rstrip("\n").split("\n")))

    def _run(self, command: click.Command, *words: str) -> None:
        """Run a command on the session; what goes wrong is said by whoever asked."""
        roots = [word for root in self.house.roots for word in ("--root", str(root))]
        command.main([self.target, *words, *roots], standalone_mode=False)
