"""A screen that was left hears nothing more: it may be left before all of it is there."""

from __future__ import annotations

from typing import TypeVar

from textual import events
from textual.screen import Screen

Answer = TypeVar("Answer")

_NEED_ALL = (events.Mount, events.Resize, events.ScreenResume, events.DescendantFocus)
"""Events whose handlers look for the screen's widgets."""


class Lasting(Screen[Answer]):
    """A screen whose events end with it.

    A key that leaves may come right behind the one that opened it. What it is made of goes first, and
    what it would do as it is mounted or resized looks for that.
    """

    async def on_event(self, event: events.Event) -> None:
        """Take an event, unless there is nothing left to do it with."""
        going = self._pruning or not self.is_attached  # or the app ends
        if going and isinstance(event, _NEED_ALL):
            return
        await super().on_event(event)
