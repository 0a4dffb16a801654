"""Pictures of a session's images: drawn by a worker while their detail is shown, where the terminal can."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import work
from textual.message import Message
from textual.worker import get_current_worker

from ccbrowse.core.text import SafeText
from ccbrowse.tui.screens.session_looks import SessionLooks
from ccbrowse.tui.viewmodels.images import Drawn, images_of, with_pictures
from ccbrowse.tui.viewtypes import DetailView
from ccbrowse.tui.widgets.detail import Detail

_COLOURS = ("truecolor", "256")
_LEAST = 8
"""Cells beneath which nothing could be made out."""

_MOST = 12
"""Images of one item that are drawn."""

_FEW_COLOURS = SafeText("no picture: the terminal shows too few colours")


@dataclass
class Pictured(Message):
    """Images of an item were drawn, by their data, for a pane of some room."""

    key: str
    room: tuple[int, int]
    drawn: dict[str, Drawn]


class SessionPictures(SessionLooks):
    """Shows details, and has the images in them drawn. Its handlers run after the screen's own."""

    def __init__(self) -> None:
        super().__init__()
        self._view: DetailView | None = None
        self._drawn: dict[str, Drawn] = {}
        self._drawn_for: tuple[str, tuple[int, int]] = "", (0, 0)

    @property
    def draws_pictures(self) -> bool:
        """Whether the terminal shows colours enough, and signs other than plain ones."""
        no_colour = self.app.no_color or self.host.signs.plain
        return self.app.console.color_system in _COLOURS and not no_colour

    def present(self, view: DetailView | None) -> None:
        """Show a detail; its pictures follow."""
        self._view = view
        images = images_of(view)
        if view is None or not images:
            self._drawn, self._drawn_for = {}, ("", (0, 0))
            self.query_one("#detail", Detail).show(view)
            return
        if not self.draws_pictures:
            self._drawn = {image.data: _FEW_COLOURS for image in images}
        self._show_pictures()
        self._draw_soon()

    def _show_pictures(self) -> None:
        if self._view is not None:
            self.query_one("#detail", Detail).show(with_pictures(self._view, self._drawn))

    def _draw_soon(self) -> None:
        """Have the images drawn for the room that there is now."""
        view, detail = self._view, self.query_one("#detail", Detail)
        images, room = images_of(view), detail.room
        if view is None or not images or not self.draws_pictures or room[0] < _LEAST:
            return
        if self._drawn_for != (view.key, room):
            self._drawn_for = view.key, room
            ground = detail.background_colors[1].rgb
            self._draw(view.key, [image.data for image in images[:_MOST]], room, ground)

    def on_detail_resized(self, event: Detail.Resized) -> None:
        """Draw them anew."""
        event.stop()
        self._draw_soon()

    @work(thread=True, group="picture", exclusive=True)
    def _draw(
        self, key: str, images: Sequence[str], room: tuple[int, int], ground: tuple[int, int, int]
    ) -> None:
        from ccbrowse.tui.reader.picture import draw

        worker, drawn = get_current_worker(), dict[str, Drawn]()
        for data in images:
            if worker.is_cancelled:
                return
            drawn = {**drawn, data: draw(data, *room, ground)}
            self.post_message(Pictured(key, room, drawn))

    def on_pictured(self, message: Pictured) -> None:
        """Show what was drawn."""
        if self._drawn_for == (message.key, message.room):
            self._drawn = message.drawn
            self._show_pictures()
