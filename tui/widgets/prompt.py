"""A line at the bottom to type in: what to find, where to go, what to filter by."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from ccbrowse.core.text import SafeText


class _Field(Input):
    """An input that leaves by escape, and by backspace where it is empty."""

    class Left(Message):
        """Escape was pressed."""

    async def on_key(self, event: events.Key) -> None:
        """Leave by escape."""
        if event.key == "escape" or (event.key == "backspace" and not self.value):
            event.stop()
            event.prevent_default()
            self.post_message(self.Left())


class PromptLine(Horizontal):
    """One line with a sign and a field; hidden until `ask` is called."""

    DEFAULT_CSS = """
    PromptLine {
        height: 1; background: $surface; padding: 0 1; display: none;
        &.-asking { display: block; }
        & > Static { width: auto; color: $text-accent; text-style: bold; }
        & > Input { border: none; height: 1; padding: 0; background: $surface; width: 1fr; }
        & > Input:focus { border: none; }
    }
    """

    class Changed(Message):
        """Something was typed."""

        def __init__(self, purpose: str, text: str) -> None:
            super().__init__()
            self.purpose = purpose
            """What `ask` was called with."""
            self.text = text
            """What stands in the field."""

        def can_replace(self, message: Message) -> bool:
            """Only the last state matters."""
            return isinstance(message, PromptLine.Changed)

    class Submitted(Changed):
        """Enter was pressed."""

        def can_replace(self, message: Message) -> bool:
            """Each counts."""
            return False

    class Cancelled(Message):
        """Escape was pressed; the line is hidden again."""

        def __init__(self, purpose: str) -> None:
            super().__init__()
            self.purpose = purpose
            """What `ask` was called with."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._purpose = ""

    def compose(self) -> ComposeResult:
        """A sign and a field."""
        yield Static("", markup=False)
        field = _Field()
        field.cursor_blink = False
        yield field

    def ask(self, purpose: str, sign: SafeText, text: str = "") -> None:
        """Show the line with a sign before it, and take the focus."""
        self._purpose = purpose
        self.query_one(Static).update(Content(sign))
        field = self.query_one(_Field)
        with field.prevent(Input.Changed):
            field.value = text
        self.add_class("-asking")
        field.focus()

    @property
    def is_asking(self) -> bool:
        """Whether the line is shown."""
        return self.has_class("-asking")

    def leave(self) -> None:
        """Hide the line."""
        self.remove_class("-asking")
        self._purpose = ""

    def on_input_changed(self, event: Input.Changed) -> None:
        """Pass on what is typed."""
        event.stop()
        if self.is_asking:
            self.post_message(self.Changed(self._purpose, event.value))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Pass on what was typed, and hide."""
        event.stop()
        purpose = self._purpose
        self.leave()
        self.post_message(self.Submitted(purpose, event.value))

    def on__field_left(self, event: _Field.Left) -> None:
        """Hide, and say so."""
        event.stop()
        purpose = self._purpose
        self.leave()
        self.post_message(self.Cancelled(purpose))
