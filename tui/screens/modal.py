"""What all dialogs share: an answer is given once, and the mouse alone leaves them."""

from __future__ import annotations

from textual import events
from textual.await_complete import AwaitComplete
from textual.content import Content
from textual.screen import ModalScreen
from textual.style import Style

from ccbrowse.core.text import SafeText
from ccbrowse.tui.screens.lasting import Answer, Lasting


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


_LEAVES = "esc leaves"


def clickable(words: SafeText) -> Content:
    """Words of a frame, of which ``esc leaves`` does so when it is clicked."""
    before, leaves, behind = words.partition(_LEAVES)
    style = Style.from_meta({"@click": "screen.leave"})
    return Content.assemble(
        SafeText(before), Content.styled(SafeText(leaves), style), SafeText(behind)
    )
