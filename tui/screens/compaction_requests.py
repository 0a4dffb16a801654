"""The payload and the capture view: two requests side by side; a captured one and its counterpart."""

from __future__ import annotations

from textual.content import Content

from ccbrowse.core.text import SafeText, display_text
from ccbrowse.tui.reader.captured import Captured
from ccbrowse.tui.reader.compaction import Desk
from ccbrowse.tui.reader.requests import Request, Requests
from ccbrowse.tui.screens.compaction_loss import LossView, Spot
from ccbrowse.tui.screens.compaction_work import Asked, Held
from ccbrowse.tui.viewmodels import compaction as views
from ccbrowse.tui.viewmodels import compaction_capture as captures
from ccbrowse.tui.viewmodels import compaction_payload as payloads
from ccbrowse.tui.viewmodels import figures
from ccbrowse.tui.viewtypes import Entry, Tone, line
from ccbrowse.tui.virtual import VirtualList
from ccbrowse.tui.widgets.detail import Detail
from ccbrowse.tui.widgets.entrylist import EntryList
from ccbrowse.tui.widgets.notes import Notes
from ccbrowse.tui.widgets.prompt import PromptLine

_WEIGHING = SafeText("rebuilding the requests …")
_NONE_BEFORE = SafeText("no request stands before it in this file")
_NONE_AFTER = SafeText("no request has followed it yet")
_BAR = 60
_READING = SafeText("reading …")


class RequestsView(LossView):
    """Shows the requests beside a compaction, and a captured one."""

    def __init__(self, desk: Desk, number: int, spots: dict[int, Spot]) -> None:
        super().__init__(desk, number, spots)
        self.requests: Requests | None = None
        self.captured: Captured | None = None
        self._compared: dict[str, Entry] = {}
        self._side = "before"
        """The list that the message shown is from."""
        self._only_differences = False

    def forget(self) -> None:
        """Another compaction: nothing is known of it yet."""
        self.found = self.requests = None
        for name in ("before", "after"):
            self._list(name).clear(_WEIGHING)
        self.query_one("#message", Detail).show(None)

    def _list(self, name: str) -> EntryList:
        return self.query_one(f"#{name}", EntryList)

    def _name_pane(self, pane: str, title: SafeText) -> None:
        self.query_one(f"#{pane}").border_title = Content(self.host.signs.text(title))

    # The payload view

    def show_figures(self) -> None:
        """Show the table of the two requests, as far as it is known."""
        found = self.found
        notes = self.query_one("#figures", Notes)
        if found is None:
            notes.show([line((_WEIGHING, Tone.MUTED))])
            return
        bar = min(_BAR, self.size.width - views.TABLE_CELLS - 4)
        notes.show([*views.figures_table(found, bar), *views.notes_of(found)])
        if self.requests is None:
            for name in ("before", "after"):
                self._list(name).clear(_WEIGHING)

    def on_asked(self, message: Asked) -> None:
        """Show the two requests."""
        if message.number != self.number:
            return
        first = self.requests is None
        self.requests = message.requests
        for name, entries, none in (
            ("before", message.before, _NONE_BEFORE),
            ("after", message.after, _NONE_AFTER),
        ):
            self._list(name).show(list(entries), entries.__getitem__, none)
        if first:
            self._list("before").action_bottom()
        found = self.found
        for name, request in (("before", self.requests.before), ("after", self.requests.after)):
            side = None if found is None else found.before if name == "before" else found.after
            verified = request.payload.verified if request is not None else None
            count = len(request.messages) if request is not None else 0
            self._name_pane(name, payloads.request_title(name, side, count, verified))
        self._list("before").border_subtitle = Content(self.host.signs.text(payloads.BEFORE_SIGNS))
        self._list("after").border_subtitle = Content(self.host.signs.text(payloads.AFTER_SIGNS))
        self._show_message(self.at if self.at in ("before", "after") else "before")

    def _request(self, name: str) -> Request | None:
        requests = self.requests
        return None if requests is None else requests.before if name == "before" else requests.after

    def _show_message(self, name: str) -> None:
        """Show the message under a list's cursor in full."""
        self._side = name
        request, key = self._request(name), self._list(name).cursor_key
        if request is None or not key:
            self.query_one("#message", Detail).show(None)
            return
        each = request.messages[int(key)]
        tokens, size = figures.tokens(each.tokens), figures.byte_size(each.bytes)
        about = line((SafeText(f"{display_text(name)} · {tokens} · {size}"), Tone.MUTED))
        view = payloads.message_view(f"{name}:{key}", int(key), each.message, about)
        self.query_one("#message", Detail).show(view)

    def _follow_twin(self, name: str) -> None:
        """Bring the message of the other request into view that shares a block with this one."""
        request, key = self._request(name), self._list(name).cursor_key
        twin = request.messages[int(key)].twin if request is not None and key else None
        other = self._list("after" if name == "before" else "before")
        if twin is not None:
            with other.prevent(VirtualList.Moved):
                other.go_to(str(twin), middle=True)

    # The capture view

    async def action_capture(self) -> None:
        """Ask for a captured file."""
        await self.ask("capture", SafeText("captured request: "), self.desk.capture)

    def on_prompt_line_cancelled(self, event: PromptLine.Cancelled) -> None:
        """Back to the pane."""
        event.stop()
        self.go_to_pane(self.at)

    def on_prompt_line_submitted(self, event: PromptLine.Submitted) -> None:
        """Read the file."""
        event.stop()
        name = event.text.strip()
        if event.purpose != "capture" or not name:
            self.go_to_pane(self.at)
            return
        self.desk.capture, self.captured = "", None
        self.show_capture_view()
        self._say_of_capture(_READING)
        self.hold(self.desk, self.number, name)

    def show_capture_view(self) -> None:
        """Come to the capture view."""
        raise NotImplementedError

    def show_capture(self) -> None:
        """Show the captured request, or how to open one."""
        captured = self.captured
        if captured is None:
            self._say_of_capture(_READING if self.desk.capture else captures.HINT)
            self._list("pairs").clear(SafeText("nothing is open"))
            return
        told = captures.capture_lines(
            captured.source, captured.capture, captured.payload, captured.by_id, captured.share
        )
        self.query_one("#captured", Notes).show(told)
        self._name_pane("pairs", captures.tally(captured.blocks))
        self._list("pairs").border_subtitle = Content(self.host.signs.text(captures.SIGNS))
        shown = [
            key
            for key, each in zip(self._compared, captured.blocks, strict=True)
            if not self._only_differences or each.found is not captures.Found.EQUAL
        ]
        nothing = captures.nothing_words(self._only_differences)
        self._list("pairs").show(shown, self._compared.__getitem__, nothing)
        self._show_pair()

    def _say_of_capture(self, words: SafeText) -> None:
        self.query_one("#captured", Notes).show([line((words, Tone.MUTED))])

    def on_held(self, message: Held) -> None:
        """Show the captured request."""
        if message.number == self.number:
            self.captured, self._compared = message.captured, message.entries
            self.show_capture()

    def only_differences(self) -> None:
        """List all blocks, or those that differ."""
        self._only_differences = not self._only_differences
        self.show_capture()
        self.say(SafeText("what differs" if self._only_differences else "all blocks"))

    def _show_pair(self) -> None:
        key, captured = self._list("pairs").cursor_key, self.captured
        detail = self.query_one("#pair", Detail)
        if captured is None or not key:
            detail.show(None)
        else:
            detail.show(captures.compared_view(key, captured.blocks[int(key)]))

    # Both

    def text_at_cursor(self) -> SafeText:
        """The text of the message or block under the cursor."""
        if self.at in ("pairs", "pair"):
            key, captured = self._list("pairs").cursor_key, self.captured
            block = captured.blocks[int(key)].block if captured is not None and key else None
            return (
                SafeText("")
                if block is None
                else payloads.message_text({"role": block.role, "content": [block.content]})
            )
        request, key = self._request(self._side), self._list(self._side).cursor_key
        if request is None or not key:
            return SafeText("")
        return payloads.message_text(request.messages[int(key)].message)

    def on_virtual_list_moved(self, event: VirtualList.Moved) -> None:
        """Show in full what is under the cursor."""
        event.stop()
        name = event.sender.id or ""
        if name in ("before", "after") and event.sender.has_focus:
            self._follow_twin(name)
            self._show_message(name)
        elif name == "pairs":
            self._show_pair()
