"""A screen that was left hears nothing more: it may be left before all of it is there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from textual import events
from textual.screen import Screen

Answer = TypeVar("Answer")
Callback = Callable[..., Any]

_NEED_ALL = (
    *(events.Mount, events.Resize, events.ScreenResume, events.DescendantFocus, events.Timer),
)
"""Events whose handlers look for the screen's widgets."""


class Lasting(Screen[Answer]):
    """A screen whose events end with it.

    A key that leaves may come right behind the one that opened it. What it is made of goes first, and
    what it would do as it is mounted or resized looks for that.
    """

    async def on_event(self, event: events.Event) -> None:
        """Take an event, unless there is nothing left to do it with."""
        if self._is_going and isinstance(event, _NEED_ALL):
            return
        await super().on_event(event)

    @property
    def _is_going(self) -> bool:
        """Whether the screen is being removed, or the app ends."""
        return self._pruning or not self.is_attached

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether a key may act here: not once the screen is left."""
        return False if self._is_going else super().check_action(action, parameters)

    def call_after_refresh(self, callback: Callback, *args: Any, **kwargs: Any) -> bool:
        """Call something once all is drawn, if the screen is still there by then."""
        return super().call_after_refresh(self._call_here, callback, *args, **kwargs)

    def _call_here(self, callback: Callback, *args: Any, **kwargs: Any) -> Any:
        return None if self._is_going else callback(*args, **kwargs)
