"""A line at the bottom to type in: what to find, where to go, what to filter by.

Where words are looked for, it shows how they are meant, and the keys that change that; what cannot be
read is explained beneath, under the part that is meant.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from ccbrowse.core.text import SafeText, cell_width
from ccbrowse.tui.typed import TypedBehind
from ccbrowse.tui.viewmodels.finding import LITERAL, Explanation, How

_NAMES = {
    "regex": (SafeText(".*"), SafeText(".* regex")),
    "case": (SafeText("Aa"), SafeText("Aa case")),
    "word": (SafeText("W"), SafeText("W word")),
}
_LONG = 110
"""Cells from which on there is room for names."""


class PromptField(Input):
    """An input that leaves by escape, and by backspace where it is empty.

    What is typed behind enter or escape is meant for what comes into focus then, and waits for it.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("alt+r", "turn('regex')", "Regex", id="find.regex", show=False, priority=True),
        Binding("alt+c", "turn('case')", "Case", id="find.case", show=False, priority=True),
        Binding("alt+w", "turn('word')", "Whole word", id="find.word", show=False, priority=True),
    ]

    class Left(Message):
        """Escape was pressed."""

    class Turned(Message):
        """Words are meant in another way."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name
            """A field of `How`."""

    _is_left = False
    _typed_ahead: tuple[events.Key, ...] = ()

    def begin(self) -> None:
        """Take keys."""
        self._is_left, self._typed_ahead = False, ()

    async def on_key(self, event: events.Key) -> None:
        """Leave by escape; keep what was typed behind it."""
        leaves = event.key == "escape" or (event.key == "backspace" and not self.value)
        if self._is_left or leaves:
            event.stop()
            event.prevent_default()
        if self._is_left:
            self._typed_ahead += (event,)
        elif leaves:
            self._is_left = True
            self.post_message(self.Left())
        elif event.key == "enter":
            self._is_left = True

    def typed_ahead(self) -> tuple[events.Key, ...]:
        """What was typed behind; it is given once."""
        ahead = self._typed_ahead
        self.begin()
        return ahead

    def action_turn(self, name: str) -> None:
        """Mean the words in another way."""
        self.post_message(self.Turned(name))


class _Toggle(Static):
    """How words are meant, and the key that changes it; a click changes it too."""

    def __init__(self, name: str) -> None:
        super().__init__("", markup=False, classes="toggle")
        self.turns = name

    def on_click(self, event: events.Click) -> None:
        """Turn it over."""
        event.stop()
        self.post_message(PromptField.Turned(self.turns))


class PromptLine(Vertical):
    """One line with a sign and a field; hidden until `ask` is called."""

    DEFAULT_CSS = """
    PromptLine {
        height: auto; background: $surface; display: none;
        &.-asking { display: block; }
        & > Horizontal { height: 1; padding: 0 1; }
        & Static { width: auto; height: 1; }
        & .sign { color: $text-accent; text-style: bold; }
        & .toggle { color: $foreground 55%; margin-left: 1; display: none; }
        & .toggle.-on { color: $text-accent; text-style: bold underline; }
        &.-finding .toggle { display: block; }
        & > .wrong { width: 1fr; height: auto; padding: 0 1; color: $text-warning; display: none; }
        &.-wrong > .wrong { display: block; }
        & Input { border: none; height: 1; padding: 0; background: $surface; width: 1fr; }
        & Input:focus { border: none; }
    }
    """

    class Changed(Message):
        """Something was typed."""

        def __init__(self, purpose: str, text: str, how: How = LITERAL) -> None:
            super().__init__()
            self.purpose = purpose
            """What `ask` was called with."""
            self.text = text
            """What stands in the field."""
            self.how = how
            """How it is meant, where that is asked."""

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
        self._sign = SafeText("")
        self._how = LITERAL
        self._keys: Mapping[str, SafeText] = {}

    def compose(self) -> ComposeResult:
        """A sign, a field, how its words are meant; beneath, what is wrong with them."""
        with Horizontal():
            yield Static("", markup=False, classes="sign")
            field = PromptField()
            field.cursor_blink = False
            field.select_on_focus = False
            yield field
            for name in _NAMES:
                yield _Toggle(name)
        yield Static("", markup=False, classes="wrong")

    def ask(
        self,
        purpose: str,
        sign: SafeText,
        text: str = "",
        how: How = LITERAL,
        keys: Mapping[str, SafeText] | None = None,
    ) -> None:
        """Show the line with a sign before it, and take the focus.

        With `keys` (by field of `How`) it shows how words are meant, and takes changes of that.
        """
        self._purpose, self._sign, self._how, self._keys = purpose, sign, how, keys or {}
        self.query_one(".sign", Static).update(Content(sign))
        field = self.query_one(PromptField)
        with field.prevent(Input.Changed):
            field.value = text
        self.set_class(bool(keys), "-finding")
        self._show_how()
        self.explain(None)
        self.add_class("-asking")
        field.begin()
        self.screen.set_focus(field)  # at once: what is typed on is meant for it
        field.focus()  # and again, where another pane is to come into focus yet
        field.action_select_all()

    @property
    def is_asking(self) -> bool:
        """Whether the line is shown."""
        return self.has_class("-asking")

    def leave(self) -> None:
        """Hide the line."""
        self.remove_class("-asking")
        self._purpose = ""

    def explain(self, wrong: Explanation | None) -> None:
        """Say what is wrong, under the part that is meant; None: nothing is."""
        self.set_class(wrong is not None, "-wrong")
        if wrong is not None:
            self.query_one(PromptField).action_end()  # what is wrong is mended, not typed over
            self.query_one(".wrong", Static).update(Content(self._under(wrong)))

    def _under(self, wrong: Explanation) -> SafeText:
        start = cell_width(self._sign) + wrong.start
        room = max(20, self.size.width - 2)
        lead, marks = SafeText(" " * start), SafeText("^" * wrong.cells)
        words: SafeText = wrong.words
        if start + wrong.cells >= room:
            return words
        if start + wrong.cells + 1 + cell_width(wrong.words) <= room:
            return SafeText(f"{lead}{marks} {words}") if marks else words
        return SafeText(f"{lead}{marks}\n{words}") if marks else words

    def _show_how(self) -> None:
        """Show how the words are meant."""
        for toggle in self.query(_Toggle):
            on = getattr(self._how, toggle.turns)
            toggle.set_class(on, "-on")
            short, long = _NAMES[toggle.turns]
            name: SafeText = long if self.app.size.width >= _LONG else short
            key: SafeText = self._keys.get(toggle.turns, SafeText(""))
            shown = SafeText(f"[{name}]") if on else SafeText(f" {name} ")  # colour is never alone
            toggle.update(Content(SafeText(f"{shown} {key}")))

    async def on_click(self, event: events.Click) -> None:
        """A click on the sign is `enter`."""
        if event.widget is self.query_one(".sign"):
            event.stop()
            await self.query_one(PromptField).action_submit()

    def on_prompt_field_turned(self, event: PromptField.Turned) -> None:
        """Mean the words in another way."""
        event.stop()
        if self.has_class("-finding"):
            self._how = self._how.turned(event.name)
            self._show_how()
            self.query_one(PromptField).focus()
            self.post_message(
                self.Changed(self._purpose, self.query_one(PromptField).value, self._how)
            )

    def on_input_changed(self, event: Input.Changed) -> None:
        """Pass on what is typed."""
        event.stop()
        if self.is_asking:
            self.explain(None)
            self.post_message(self.Changed(self._purpose, event.value, self._how))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Pass on what was typed, and hide."""
        event.stop()
        purpose = self._purpose
        self.leave()
        self.post_message(self.Submitted(purpose, event.value, self._how))
        self.post_message(TypedBehind(self.query_one(PromptField).typed_ahead))

    def on_prompt_field_left(self, event: PromptField.Left) -> None:
        """Hide, and say so."""
        event.stop()
        purpose = self._purpose
        self.leave()
        self.post_message(self.Cancelled(purpose))
        self.post_message(TypedBehind(self.query_one(PromptField).typed_ahead))
