"""The export dialog: which part, which format, how much of it, what is masked, where to.

What would be masked is counted while one looks; nothing is overwritten unasked; escape stops a long one.
"""

from __future__ import annotations

import time
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
from textual.widgets import Button, Input, Label, Static
from textual.worker import get_current_worker

from ccbrowse.core.errors import CcbrowseError, WouldOverwrite
from ccbrowse.core.export import Form, Tools
from ccbrowse.core.session import Session
from ccbrowse.core.text import SafeText, display_text
from ccbrowse.tui.reader.exporting import Job, Masks, Scope, Stopped, Wish, name_of
from ccbrowse.tui.screens.base import Host
from ccbrowse.tui.screens.dialogs import Confirm
from ccbrowse.tui.screens.modal import Modal, clickable
from ccbrowse.tui.viewmodels.exporting import about_masks, wrote_words
from ccbrowse.tui.widgets.oneof import OneOf

__all__ = ["ExportDialog", "Scope"]

FORMS = (Form.MARKDOWN, Form.HTML, Form.JSON, Form.JSONL, Form.TEXT)
"""The formats to choose from."""

_FORM_NAMES = {
    Form.MARKDOWN: SafeText("Markdown"),
    Form.HTML: SafeText("HTML"),
    Form.JSON: SafeText("JSON"),
    Form.JSONL: SafeText("JSONL"),
    Form.TEXT: SafeText("text"),
}
_TOOLS = (Tools.SHORT, Tools.FULL, Tools.NONE)
_MASKS = (Masks.USUAL, Masks.EMAILS, Masks.KEEP_PATHS, Masks.NOTHING)
_COUNTING = SafeText("looking for what would be masked…")
_HEIGHTS: list[tuple[int, str]] | None = [(0, "-short"), (28, "-tall")]
_KEYS = SafeText("ctrl+s exports · ctrl+y copies · esc leaves")
_PAUSE = 0.1
"""Seconds between two words on how far a job is."""


@dataclass
class Counted(Message):
    """What would be masked was looked for."""

    words: SafeText


@dataclass
class Far(Message):
    """How far a job is, from 0 to 1."""

    share: float

    def can_replace(self, message: Message) -> bool:
        """The newest counts."""
        return isinstance(message, Far)


@dataclass
class Done(Message):
    """The job is done: what to say."""

    words: SafeText


@dataclass
class Copied(Message):
    """The text for the clipboard, and what was masked in it."""

    content: str
    words: SafeText


@dataclass
class Exists(Message):
    """The file is there already."""

    path: SafeText


@dataclass
class NotWritten(Message):
    """It could not be written, and why."""

    reason: SafeText


class ExportDialog(Modal[SafeText | None]):
    """Asks, then writes or copies in a worker; gives what was done, None where nothing was."""

    VERTICAL_BREAKPOINTS = _HEIGHTS
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Leave", id="back", show=False),
        Binding("ctrl+s", "write", "Export", show=False),
        Binding("ctrl+y", "copy", "Copy", show=False),
    ]

    def __init__(self, session: Session, scopes: Sequence[Scope]) -> None:
        super().__init__()
        self._session = session
        self._scopes = list(scopes)
        self._named = ""
        self._busy = False
        self._masks_chosen = False

    def compose(self) -> ComposeResult:
        """One question a line."""
        signs = cast(Host, self.app).signs
        questions: list[tuple[str, str, list[SafeText]]] = [
            ("part", "scope", [scope.name for scope in self._scopes]),
            ("format", "form", [_FORM_NAMES[form] for form in FORMS]),
            ("tools", "tools", [display_text(tools.value) for tools in _TOOLS]),
            ("thinking", "thinking", [SafeText("left out"), SafeText("written")]),
            ("secrets", "masks", [display_text(masks.value) for masks in _MASKS]),
            ("links", "links", [SafeText("as they are"), SafeText("made to load on its own")]),
        ]
        with Vertical(classes="dialog", id="export") as dialog:
            dialog.border_title = Content("export")
            dialog.border_subtitle = clickable(_KEYS, signs)
            for label, name, options in questions:
                with Horizontal(classes="question"):
                    yield Label(display_text(label), markup=False)
                    yield OneOf(options, signs=signs, id=name)
            with Horizontal(classes="question"):
                yield Label("file", markup=False)
                yield Input(id="target", compact=True, select_on_focus=False)
            yield Static(Content(_COUNTING), id="about")
            with Horizontal(classes="buttons"):
                yield Button("Export", id="write", variant="primary", compact=True)
                yield Button("Copy", id="copy", compact=True)
                yield Button("Cancel", id="leave", compact=True)

    def on_mount(self) -> None:
        """Propose a name; the format is asked first, as the part is known."""
        self.query_one(Input).cursor_blink = False
        if not cast(Host, self.app).settings.redact:
            self.query_one("#masks", OneOf).chosen = _MASKS.index(Masks.NOTHING)
        self._follow()
        self.query_one("#form").focus()

    # What is chosen

    @property
    def wish(self) -> Wish:
        """What is asked for."""
        scope = self._scopes[self._chosen("scope")]
        return Wish(
            scope,
            Form.MARKDOWN if scope.loss is not None else FORMS[self._chosen("form")],
            _TOOLS[self._chosen("tools")],
            bool(self._chosen("thinking")),
            _MASKS[self._chosen("masks")],
            bool(self._chosen("links")),
        )

    def _chosen(self, name: str) -> int:
        return self.query_one(f"#{name}", OneOf).chosen

    def on_one_of_changed(self, event: OneOf.Changed) -> None:
        """Follow the choice."""
        event.stop()
        if event.sender.id == "masks":
            self._masks_chosen = self.focused is event.sender or self._masks_chosen
        elif event.sender.id == "form" and not self._masks_chosen:
            # JSONL is the file's own bytes unless someone asks for other ones.
            exact = self.wish.form is Form.JSONL or not cast(Host, self.app).settings.redact
            usual = _MASKS.index(Masks.NOTHING if exact else Masks.USUAL)
            self.query_one("#masks", OneOf).chosen = usual
        self._follow()

    def _follow(self) -> None:
        """Name the file, switch off what does not matter, and count what would be masked."""
        wish = self.wish
        loss, exact = wish.scope.loss is not None, wish.form is Form.JSONL
        for name, matters in (
            ("form", not loss),
            ("tools", not exact and not loss),
            ("thinking", not exact and not loss and wish.form is not Form.JSON),
            ("links", exact),
        ):
            self.query_one(f"#{name}").disabled = not matters
        self._propose(wish)
        if not self._busy:
            self._tell(about_masks(None) if wish.masks is Masks.NOTHING else _COUNTING)
            self._count(wish)

    def _propose(self, wish: Wish) -> None:
        """Name the file after the part and the format, unless the person named it."""
        field = self.query_one(Input)
        if field.value != self._named:
            return
        try:
            name = name_of(self._session, wish)
        except (CcbrowseError, OSError):
            return
        self._named = f"./{display_text(name)}"
        field.value = self._named

    def _tell(self, words: SafeText) -> None:
        self.query_one("#about", Static).update(Content(words))

    # Counting, writing, copying

    @work(thread=True, group="count", exclusive=True)
    def _count(self, wish: Wish) -> None:
        """Look for what would be masked; what cannot be read is told when it is written."""
        if wish.masks is Masks.NOTHING:
            return
        job = Job(self._session, wish, self._watched(quiet=True))
        try:
            whole = job.count()
        except (Stopped, CcbrowseError, OSError):
            return
        self.post_message(Counted(about_masks(job.masked, would=True, whole=whole)))

    @work(thread=True, group="export", exclusive=True)
    def _write(self, wish: Wish, target: Path, force: bool) -> None:
        """Write the part, as the file stands now."""
        job = Job(self._session, wish, self._watched(), cast(Host, self.app).roots)

        def write() -> Message:
            written = job.write(target, force=force)
            return Done(wrote_words(written, job.masked))

        self._do(write, target)

    @work(thread=True, group="export", exclusive=True)
    def _copy(self, wish: Wish) -> None:
        """Make the text of the part."""
        job = Job(self._session, wish, self._watched())
        self._do(lambda: Copied(job.text(), about_masks(job.masked)), None)

    def _do(self, work: Callable[[], Message], target: Path | None) -> None:
        """In a worker: do something long, and say how it went."""
        try:
            found = work()
        except Stopped:
            found = NotWritten(SafeText("stopped; nothing was written"))
        except WouldOverwrite as error:
            found = Exists(display_text(error.path))
        except CcbrowseError as error:
            found = NotWritten(display_text(str(error)))
        except OSError as error:
            where = error.filename or target or self._session.file.path
            found = NotWritten(display_text(f"{where}: {error.strerror or error}"))
        self.post_message(found)

    def _watched(self, *, quiet: bool = False) -> Callable[[float], None]:
        """In a worker: for a job, which says how far it is and ends when the worker is to end."""
        worker, said = get_current_worker(), time.monotonic()

        def at(share: float) -> None:
            nonlocal said
            if worker.is_cancelled:
                raise Stopped
            if not quiet and time.monotonic() - said > _PAUSE:
                said = time.monotonic()
                self.post_message(Far(share))

        return at

    def _begin(self) -> bool:
        """Whether a job may begin: one at a time."""
        if self._busy:
            return False
        self.workers.cancel_group(self, "count")
        self._busy = True
        return True

    # What is pressed

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Write, copy, or leave."""
        event.stop()
        if event.button.id == "write":
            self.action_write()
        elif event.button.id == "copy":
            self.action_copy()
        else:
            self.action_leave()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter in the field writes."""
        event.stop()
        self.action_write()

    def action_write(self) -> None:
        """Write, and ask first where the file is there."""
        self._start(False)

    def _start(self, force: bool) -> None:
        target = self.query_one(Input).value.strip()
        if target and self._begin():
            self._write(self.wish, Path(target).expanduser(), force)

    def action_copy(self) -> None:
        """Copy instead of writing."""
        if self._begin():
            self._copy(self.wish)

    def action_leave(self) -> None:
        """Stop what is being written; else leave, with nothing written."""
        if self._busy:
            self.workers.cancel_group(self, "export")
        else:
            self.dismiss(None)

    # What workers say

    def on_counted(self, message: Counted) -> None:
        """Say what would be masked."""
        if not self._busy and self.wish.masks is not Masks.NOTHING:
            self._tell(message.words)

    def on_far(self, message: Far) -> None:
        """Say how far it is."""
        if self._busy:
            self._tell(SafeText(f"exporting… {min(99, int(message.share * 100))} % · esc stops"))

    def on_done(self, message: Done) -> None:
        """The export is written: close the dialog with its closing words."""
        self._busy = False
        self.dismiss(message.words)

    def on_copied(self, message: Copied) -> None:
        """Hand it to the clipboard, and leave."""
        self._busy = False
        cast(Host, self.app).copy_to_clipboard(message.content)
        masks: SafeText = message.words
        self.dismiss(SafeText(f"copied {len(message.content):,} characters; {masks}"))

    def on_not_written(self, message: NotWritten) -> None:
        """The export failed: say why, and let the dialog stand."""
        self._busy = False
        self.notify(message.reason, severity="warning", markup=False)
        self._follow()

    def on_exists(self, message: Exists) -> None:
        """Ask before anything is written over."""
        self._busy = False
        question = SafeText("The file exists. Replace it?")
        self.app.push_screen(Confirm(question, message.path, SafeText("Replace")), self._replace)

    def _replace(self, yes: bool | None) -> None:
        if yes:
            self._start(True)
        else:
            self._follow()
