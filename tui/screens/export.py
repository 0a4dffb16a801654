"""The export dialog: which part, which format, how much of it, where to; nothing is overwritten unasked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, cast

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Label, Static

from ccbrowse.core.errors import CcbrowseError, WouldOverwrite
from ccbrowse.core.export import (
    Form,
    Options,
    Part,
    Tools,
    Written,
    default_name,
    export,
    message_range,
    segment,
    whole,
    write_file,
)
from ccbrowse.core.session import Session
from ccbrowse.core.text import SafeText, display_text
from ccbrowse.tui.screens.base import Host
from ccbrowse.tui.screens.dialogs import Confirm
from ccbrowse.tui.viewmodels import figures
from ccbrowse.tui.widgets.oneof import OneOf

FORMS = (Form.MARKDOWN, Form.JSONL)
"""The formats to choose from."""

_FORM_NAMES = {Form.MARKDOWN: SafeText("Markdown"), Form.JSONL: SafeText("JSONL, byte for byte")}
_TOOLS = (Tools.SHORT, Tools.FULL, Tools.NONE)
_MASKED = SafeText("Secrets and home paths are masked in what is written.")
_UNMASKED = SafeText("Nothing is masked: JSONL is the file's own bytes, secrets and all.")


@dataclass(frozen=True, slots=True)
class Scope:
    """What can be exported: a segment, a range of uuids on the main line, or all."""

    name: SafeText
    segment: int | None = None
    ends: tuple[str, str] | None = None

    def part(self, session: Session) -> Part:
        """The part of a session. Raises CcbrowseError."""
        if self.segment is not None:
            return segment(session, self.segment)
        if self.ends is not None:
            return message_range(session, *self.ends)
        return whole(session)


@dataclass
class Wrote(Message):
    """The file was written."""

    written: Written


@dataclass
class Exists(Message):
    """The file is there already."""

    path: SafeText


@dataclass
class NotWritten(Message):
    """It could not be written, and why."""

    reason: SafeText


class ExportDialog(ModalScreen[SafeText | None]):
    """Asks, then writes in a worker; gives what was written, None where nothing was."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Leave", id="back", show=False),
        Binding("ctrl+s", "write", "Export", show=False),
    ]

    def __init__(self, session: Session, scopes: Sequence[Scope]) -> None:
        super().__init__()
        self._session = session
        self._scopes = list(scopes)
        self._named = ""

    def compose(self) -> ComposeResult:
        """One question a line."""
        signs = cast(Host, self.app).signs
        with Vertical(classes="dialog", id="export") as dialog:
            dialog.border_title = Content("export")
            dialog.border_subtitle = Content("ctrl+s exports · esc leaves")
            with Horizontal(classes="question"):
                yield Label("part", markup=False)
                yield OneOf([scope.name for scope in self._scopes], signs=signs, id="scope")
            with Horizontal(classes="question"):
                yield Label("format", markup=False)
                yield OneOf([_FORM_NAMES[form] for form in FORMS], signs=signs, id="form")
            with Horizontal(classes="question"):
                yield Label("tools", markup=False)
                names = [display_text(tools.value) for tools in _TOOLS]
                yield OneOf(names, signs=signs, id="tools")
            with Horizontal(classes="question"):
                yield Label("thinking", markup=False)
                yield OneOf([SafeText("left out"), SafeText("written")], signs=signs, id="thinking")
            with Horizontal(classes="question"):
                yield Label("file", markup=False)
                yield Input(id="target", compact=True, select_on_focus=False)
            yield Static(Content(_MASKED), id="about")
            with Horizontal(classes="buttons"):
                yield Button("Export", id="write", variant="primary", compact=True)
                yield Button("Cancel", id="leave", compact=True)

    def on_mount(self) -> None:
        """Propose a name; the format is asked first, as the part is known."""
        self.query_one(Input).cursor_blink = False
        self._propose()
        self.query_one("#form").focus()

    # What is chosen

    @property
    def form(self) -> Form:
        """The format chosen."""
        return FORMS[self._chosen("form")]

    @property
    def scope(self) -> Scope:
        """The part chosen."""
        return self._scopes[self._chosen("scope")]

    @property
    def options(self) -> Options:
        """How it is written."""
        tools, thinking = _TOOLS[self._chosen("tools")], bool(self._chosen("thinking"))
        return Options(tools=tools, thinking=thinking, clean=self._masking())

    def _masking(self) -> Callable[[str], str] | None:
        """What masks the texts; nothing touches JSONL."""
        if self.form is Form.JSONL:
            return None
        from ccbrowse.core.redact import Redactor  # its tables are large: when they are needed

        home = Path.home()
        return Redactor(str(home), home.name, keep_hits=False).redact

    def _chosen(self, name: str) -> int:
        return self.query_one(f"#{name}", OneOf).chosen

    def _propose(self) -> None:
        """Name the file after the part and the format, unless the person named it."""
        field = self.query_one(Input)
        if field.value != self._named:
            return
        try:
            name = default_name(self.scope.part(self._session), self.form, self.options)
        except CcbrowseError:
            return
        self._named = f"./{display_text(name)}"
        field.value = self._named

    def on_one_of_changed(self, event: OneOf.Changed) -> None:
        """Follow the choice with the name; JSONL has no options."""
        event.stop()
        if event.sender.id in ("form", "scope"):
            self._propose()
        exact = self.form is Form.JSONL
        for name in ("tools", "thinking"):
            self.query_one(f"#{name}").disabled = exact
        self.query_one("#about", Static).update(Content(_UNMASKED if exact else _MASKED))

    # Writing

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
        target = self.query_one(Input).value.strip()
        if target:
            self._write(self.scope, self.form, self.options, Path(target).expanduser(), False)

    def action_leave(self) -> None:
        """Write nothing."""
        self.dismiss(None)

    @work(thread=True, group="export", exclusive=True)
    def _write(self, scope: Scope, form: Form, options: Options, target: Path, force: bool) -> None:
        """Write the part, as the file stands now."""
        given = self._session
        try:
            session = Session(given.file, given.folder, given.agent_id)
            try:
                chunks = export(scope.part(session), form, options)
                written = write_file(chunks, target, force=force)
            finally:
                session.close()
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
            target = Path(self.query_one(Input).value.strip()).expanduser()
            self._write(self.scope, self.form, self.options, target, True)
