"""What all dialogs share: an answer is given once, and the mouse alone leaves them."""

from __future__ import annotations

from textual import events
from textual.await_complete import AwaitComplete
from textual.content import Content
from textual.screen import ModalScreen
from textual.style import Style

from ccbrowse.core.text import SafeText
from ccbrowse.tui.screens.lasting import Answer, Lasting
from ccbrowse.tui.signs import Signs


class Modal(ModalScreen[Answer], Lasting[Answer]):  # styles come from the first alone
    """A dialog over a screen. A click beside it leaves, as `escape` does."""

    def dismiss(self, result: Answer | None = None) -> AwaitComplete:
        """Give the answer. Of two at once the second is not heard: it would close what is beneath."""
        return super().dismiss(result) if self.app.screen is self else AwaitComplete()

    def action_leave(self) -> None:
        """Give nothing."""
        self.dismiss(None)

    def on_click(self, event: events.Click) -> None:
        """Leave where the click was beside the dialog."""
        if self.get_widget_at(event.screen_x, event.screen_y)[0] is self:
            event.stop()
            self.action_leave()


_DOT = SafeText(" · ")
_ACTIONS = {
    "esc": "screen.leave",
    "enter": "screen.enter",
    "ctrl+p": "screen.palette",
    "ctrl+s": "screen.write",
    "ctrl+y": "screen.copy",
}
"""What the keys do that frames tell."""


def clickable(words: SafeText, signs: Signs) -> Content:
    """Words of a frame: what begins with a key does the same when it is clicked; a dot stands between."""
    parts: list[Content] = []
    for told in words.split(_DOT):
        shown = Content(signs.text(SafeText(told)))
        action = _ACTIONS.get(told.partition(" ")[0])
        if action is not None:
            shown = shown.stylize(Style.from_meta({"@click": action}))
        parts += [Content(signs.text(_DOT)), shown] if parts else [shown]
    return Content.assemble(*parts)
