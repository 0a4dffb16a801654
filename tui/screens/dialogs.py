"""Small dialogs: choose from a list, answer a question, press a letter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, cast

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Button, Static

from ccbrowse.core.text import SafeText, display_text
from ccbrowse.tui.screens.base import Host
from ccbrowse.tui.screens.modal import Modal, clickable
from ccbrowse.tui.viewmodels.choice import ListItem
from ccbrowse.tui.virtual import VirtualList
from ccbrowse.tui.widgets.choices import Choices


class Pick(Modal[str | None]):
    """A list to choose from; gives the key chosen, None where it was left."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", "Leave", id="back", show=False)
    ]

    def __init__(
        self, title: SafeText, choices: Sequence[ListItem], nothing: SafeText, hint: SafeText
    ) -> None:
        super().__init__()
        self._title = title
        self._choices = choices
        self._nothing = nothing
        self._hint = hint

    def compose(self) -> ComposeResult:
        """A framed list."""
        signs = cast(Host, self.app).signs
        listed = Choices(self._choices, wraps=True, signs=signs, id="pick")
        listed.border_title = Content(signs.text(display_text(self._title)))
        words = self._hint if self._choices else self._nothing
        listed.border_subtitle = clickable(display_text(words), signs)
        yield listed

    def on_mount(self) -> None:
        """As high as the list needs, within the screen."""
        height = sum(2 if choice.beneath else 1 for choice in self._choices)
        self.query_one(Choices).styles.height = min(height + 2, max(3, self.app.size.height - 6))

    def action_enter(self) -> None:
        """Give what is under the cursor."""
        self.query_one(Choices).action_open()

    def on_virtual_list_opened(self, event: VirtualList.Opened) -> None:
        """Give what was chosen."""
        event.stop()
        self.dismiss(event.key)


class Confirm(Modal[bool]):
    """A question with two answers; gives whether the first was chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,n,q", "answer(False)", "No", id="back", show=False),
        Binding("y", "answer(True)", "Yes", show=False),
        Binding("left,h,right,l,tab", "app.focus_next", "Other", show=False),
    ]

    def __init__(self, question: SafeText, about: SafeText, yes: SafeText) -> None:
        super().__init__()
        self._question = question
        self._about = about
        self._yes = yes

    def compose(self) -> ComposeResult:
        """The question, what it is about, and two buttons."""
        with Vertical(classes="dialog"):
            yield Static(Content(display_text(self._question)), classes="question")
            yield Static(Content(display_text(self._about)), classes="about")
            with Horizontal(classes="buttons"):
                yield Button(
                    Content(display_text(self._yes)), id="yes", variant="primary", compact=True
                )
                yield Button(Content("Cancel"), id="no", compact=True)

    def on_mount(self) -> None:
        """What changes nothing is in focus."""
        self.query_one("#no", Button).focus()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Answer."""
        event.stop()
        self.dismiss(event.button.id == "yes")

    def action_answer(self, yes: bool) -> None:
        """Answer."""
        self.dismiss(yes)

    def action_leave(self) -> None:
        """The answer that changes nothing."""
        self.dismiss(False)


class Offer(Modal[str | None]):
    """A question with several answers; gives the id of the one chosen, None where it was left."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", "Leave", id="back", show=False),
        Binding("left,h", "app.focus_previous", "Other", show=False),
        Binding("right,l,tab", "app.focus_next", "Other", show=False),
    ]

    def __init__(
        self, question: SafeText, about: Sequence[SafeText], answers: Sequence[tuple[str, SafeText]]
    ) -> None:
        super().__init__()
        self._question = question
        self._about = about
        self._answers = answers

    def compose(self) -> ComposeResult:
        """The question, what it is about, and a button for each answer."""
        with Vertical(classes="dialog"):
            yield Static(Content(display_text(self._question)), classes="question")
            for about in self._about:
                yield Static(Content(display_text(about)), classes="about")
            with Horizontal(classes="buttons"):
                for name, words in self._answers:
                    yield Button(Content(display_text(words)), id=name, compact=True)
                yield Button(Content("Cancel"), id="leave", compact=True)

    def on_mount(self) -> None:
        """What changes nothing is in focus."""
        self.query_one("#leave", Button).focus()

    def on_key(self, event: events.Key) -> None:
        """The first letter of an answer gives it."""
        for name, words in self._answers:
            if event.character and event.character == words[:1].lower():
                event.stop()
                self.dismiss(name)
                return

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Give the answer."""
        event.stop()
        self.dismiss(None if event.button.id == "leave" else event.button.id)


class Letter(Modal[str | None]):
    """Waits for one letter or digit, and gives it; None for any other key."""

    def __init__(self, words: SafeText) -> None:
        super().__init__()
        self._words = words
        self._is_given = False

    def compose(self) -> ComposeResult:
        """What to press."""
        yield Static(Content(display_text(self._words)), id="letter")

    def on_key(self, event: events.Key) -> None:
        """Give the letter; keys typed after it are meant for what is beneath."""
        if self._is_given:
            return
        self._is_given = True
        event.stop()
        event.prevent_default()
        letter = event.character or ""
        self.dismiss(letter if len(letter) == 1 and letter.isascii() and letter.isalnum() else None)
