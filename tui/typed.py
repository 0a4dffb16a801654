"""Keys that were typed ahead: none is lost, and none does what it means somewhere else.

A key is sent to what is in focus and comes back to the app where its command is looked up. Keys of a
burst are on that way together: the first may open a dialog or a prompt, and the next are meant for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from weakref import WeakKeyDictionary

from textual import events
from textual.app import App
from textual.dom import DOMNode
from textual.message import Message
from textual.widgets import Input


class TypedBehind(Message):
    """Keys that a widget took and that are meant for what is in focus once this comes to the app."""

    def __init__(self, keys: Callable[[], Sequence[events.Key]]) -> None:
        super().__init__()
        self.take = keys
        """Gives them, once."""


class TypedAhead(App[None]):
    """An app in which a key counts where the focus is once all keys before it are done."""

    def __init__(self) -> None:
        super().__init__()
        self._sent_to: WeakKeyDictionary[events.Key, tuple[DOMNode, ...]] = WeakKeyDictionary()

    @property
    def _here(self) -> tuple[DOMNode, ...]:
        """The screen, and what on it keys are sent to."""
        return (self.screen, self.focused) if self.focused else (self.screen,)

    async def on_event(self, event: events.Event) -> None:
        """Note what a key is sent to."""
        if isinstance(event, events.Key) and not event.is_forwarded and self._screen_stack:
            self._sent_to[event] = self._here
        await super().on_event(event)

    async def on_key(self, event: events.Key) -> None:
        """Send a key on that nobody took, where another screen or a field is in focus by now."""
        if not self._screen_stack:  # the app ends
            event.prevent_default()
            return
        sent_to, here = self._sent_to.get(event), self._here
        if sent_to is None or sent_to == here:
            return
        # Commands are looked up by what is in focus now: only what takes keys itself must be asked.
        if sent_to[0] is not here[0] or isinstance(here[-1], Input):
            event.prevent_default()
            event.stop()
            await self.on_event(events.Key(event.key, event.character))

    async def on_typed_behind(self, event: TypedBehind) -> None:
        """Send them on."""
        for key in event.take():
            await self.on_event(events.Key(key.key, key.character))
