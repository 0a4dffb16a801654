"""What comes from the terminal, before any widget gets it: pasted text made harmless, clicks on what is gone.

A paste may hold what a page hid in it: control characters, text turned about. Textual would draw them. And
it ends the app where a mouse button is pressed on a notice, say, that goes just then.
"""

from __future__ import annotations

from textual import events
from textual.app import App
from textual.errors import NoWidget

from ccbrowse.core.text import display_text


class WaryApp(App[None]):
    """An app that looks at its input first."""

    async def on_event(self, event: events.Event) -> None:
        """Clean a paste; leave out what comes as the app ends, or by the mouse over what is being removed."""
        if isinstance(event, events.InputEvent) and not self._screen_stack:
            return
        if isinstance(event, events.Paste) and not event.is_forwarded:
            event.text = display_text(event.text, newlines=True)
        elif (
            isinstance(event, events.MouseEvent)
            and not event.is_forwarded
            and self._is_gone_at(event)
        ):
            return
        await super().on_event(event)

    def _is_gone_at(self, event: events.MouseEvent) -> bool:
        """Whether what is still drawn under the mouse is no part of the screen any more."""
        try:
            widget, _ = self.screen.get_widget_at(event.x, event.y)
        except NoWidget:
            return False
        return widget is not self.screen and not widget.is_attached
