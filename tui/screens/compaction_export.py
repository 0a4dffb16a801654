"""The dialog that writes the losses of a compaction to a file; nothing is overwritten unasked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar, cast

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Label, Static

from ccbrowse.core.compaction import Compaction, loss_markdown
from ccbrowse.core.errors import CcbrowseError, WouldOverwrite
from ccbrowse.core.export import Options, write_file
from ccbrowse.core.export.names import MAX_BYTES, slug_of
from ccbrowse.core.redact import Redactor
from ccbrowse.core.text import SafeText, display_text
from ccbrowse.tui.screens.base import Host
from ccbrowse.tui.screens.dialogs import Confirm
from ccbrowse.tui.screens.export import Exists, NotWritten, Wrote
from ccbrowse.tui.viewmodels import figures
from ccbrowse.tui.widgets.oneof import OneOf

_MASKED = SafeText("Secrets and home paths are masked as far as they are known for what they are.")
_UNMASKED = SafeText("Nothing is masked: secrets in the text are written as they stand.")


class LossExport(ModalScreen[SafeText | None]):
    """Asks where to, then writes in a worker; gives what was written, None where nothing was."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Leave", id="back", show=False),
        Binding("ctrl+s", "write", "Export", show=False),
    ]

    def __init__(self, found: Compaction, title: str) -> None:
        super().__init__()
        self._found = found
        ending = f".loss{found.number}.md"
        slug = slug_of(title, MAX_BYTES - len(ending)) or "session"
        self._proposed = f"./{slug}{ending}"

    def compose(self) -> ComposeResult:
        """One question a line."""
        signs = cast(Host, self.app).signs
        with Vertical(classes="dialog", id="export") as dialog:
            dialog.border_title = Content("export the losses")
            dialog.border_subtitle = Content("ctrl+s exports · esc leaves")
            with Horizontal(classes="question"):
                yield Label("secrets", markup=False)
                names = [SafeText("masked"), SafeText("as written")]
                yield OneOf(names, signs=signs, id="secrets")
            with Horizontal(classes="question"):
                yield Label("file", markup=False)
                name: SafeText = display_text(self._proposed)
                yield Input(name, id="target", compact=True, select_on_focus=False)
            yield Static(Content(_MASKED), id="about")
            with Horizontal(classes="buttons"):
                yield Button("Export", id="write", variant="primary", compact=True)
                yield Button("Cancel", id="leave", compact=True)

    def on_mount(self) -> None:
        """Where to is asked first."""
        self.query_one(Input).cursor_blink = False
        self.query_one("#target").focus()

    def on_one_of_changed(self, event: OneOf.Changed) -> None:
        """Say what the choice means."""
        event.stop()
        self.query_one("#about", Static).update(Content(_UNMASKED if event.chosen else _MASKED))

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Write, or leave."""
        event.stop()
        if event.button.id == "write":
            self.action_write()
        else:
            self.dismiss(None)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter in the field writes."""
        event.stop()
        self.action_write()

    def action_write(self) -> None:
        """Write, and ask first where the file is there."""
        self._start(False)

    def action_leave(self) -> None:
        """Write nothing."""
        self.dismiss(None)

    def _start(self, force: bool) -> None:
        target = self.query_one(Input).value.strip()
        if target:
            masks = not self.query_one("#secrets", OneOf).chosen
            self._write(Path(target).expanduser(), masks, force)

    @work(thread=True, group="export", exclusive=True)
    def _write(self, target: Path, masks: bool, force: bool) -> None:
        try:
            written = write_file(loss_markdown(self._found, cleaner(masks)), target, force=force)
        except WouldOverwrite:
            self.post_message(Exists(display_text(str(target))))
        except CcbrowseError as error:
            self.post_message(NotWritten(display_text(str(error))))
        except OSError as error:
            self.post_message(NotWritten(display_text(f"{target}: {error.strerror or error}")))
        else:
            self.post_message(Wrote(written))

    def on_wrote(self, message: Wrote) -> None:
        """Say so, and leave."""
        written = message.written
        size = figures.byte_size(written.size)
        self.dismiss(SafeText(f"wrote {display_text(str(written.path))}, {size}"))

    def on_not_written(self, message: NotWritten) -> None:
        """Say why."""
        self.notify(message.reason, severity="warning", markup=False)

    def on_exists(self, message: Exists) -> None:
        """Ask before anything is written over."""
        question = SafeText("The file exists. Replace it?")
        self.app.push_screen(Confirm(question, message.path, SafeText("Replace")), self._replace)

    def _replace(self, yes: bool | None) -> None:
        if yes:
            self._start(True)


def cleaner(masks: bool) -> Callable[[str], str]:
    """What every text of the session goes through on its way out."""
    if not masks:
        return Options().text
    home = Path.home()
    redactor = Redactor(str(home), home.name, keep_hits=False)
    return Options(clean=redactor.redact).text
