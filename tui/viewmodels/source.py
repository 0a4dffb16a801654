"""The rows of a session's timeline: made one by one from bodies when they come into view."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ccbrowse.core.errors import CcbrowseError
from ccbrowse.core.fields import field_texts
from ccbrowse.core.index import TYPED, SessionIndex
from ccbrowse.core.records import Kind, ToolCall
from ccbrowse.core.text import SafeText
from ccbrowse.tui.viewmodels.detail import make_detail
from ccbrowse.tui.viewmodels.entries import calls_of, make_row
from ccbrowse.tui.viewmodels.items import FIRST_CALL, WORDS, Items
from ccbrowse.tui.viewmodels.lore import Bodies, Lore
from ccbrowse.tui.viewmodels.matches import with_excerpt, with_match
from ccbrowse.tui.viewmodels.outline import Outline, row_of_key
from ccbrowse.tui.viewmodels.plain import item_text
from ccbrowse.tui.viewtypes import DetailView, Entry, Role, Row, TextBlock, line

TROUBLE = (CcbrowseError, OSError, ValueError)
"""What reading a body may raise once its file was removed, or closed."""

_GONE = SafeText("not in the file any more")


class SessionRows:
    """A `RowSource` over a session. Its index is the one it was made of, whatever becomes of the file.

    `extend` adds items at the end; all else that changes needs another source.
    """

    def __init__(self, bodies: Bodies, items: Items, lore: Lore) -> None:
        self.bodies = bodies
        self.index_of_file: SessionIndex = bodies.index
        self.outline = Outline(bodies.index, items)
        self.lore = lore

    @property
    def is_current(self) -> bool:
        """Whether the file is still the one that the items were made of."""
        return self.bodies.index is self.index_of_file

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self.outline)

    def key(self, index: int) -> str:
        """Give the key of a row."""
        return self.outline.key(index)

    def index(self, key: str) -> int | None:
        """Find a key."""
        return self.outline.find(key)

    def row(self, index: int) -> Row:
        """Make a row."""
        key = self.outline.key(index)
        row, part = self.outline.rows[index], self.outline.parts[index]
        if not self.is_current:
            return Entry(key, Role.NOTE, SafeText("…"), _GONE)
        try:
            return with_match(make_row(self.bodies, self.lore, key, row, part), self.lore)
        except TROUBLE:
            return Entry(key, Role.NOTE, SafeText("gone"), _GONE)

    def extend(self, items: Items) -> None:
        """Take items at the end."""
        self.outline.extend(items)

    def place(self, key: str) -> tuple[int, int] | None:
        """Give the session's row and the part that a key stands for; None where it is not shown."""
        number = self.outline.find(key)
        if number is None:
            return None
        return self.outline.rows[number], self.outline.parts[number]

    def rows_behind(self, key: str) -> list[int]:
        """Give the session's rows whose texts an item shows: of a call its results too."""
        found = self.place(key)
        if found is None:
            return []
        row, part = found
        return [row, *self.index_of_file.results_of(row)] if part >= FIRST_CALL else [row]

    def weight(self, key: str) -> int:
        """Bytes that have to be read to show an item in full."""
        index = self.index_of_file
        return sum(index.length[index.content_row(row)] for row in self.rows_behind(key))

    def detail(self, key: str) -> DetailView | None:
        """Give an item in full; None where it is not shown."""
        found = self.place(key)
        if found is None or not self.is_current:
            return None
        try:
            return make_detail(self.bodies, self.lore, key, *found)
        except TROUBLE:
            return DetailView(key, line(_GONE), blocks=(TextBlock(_GONE),))

    def text(self, key: str) -> SafeText:
        """Give an item's text for a clipboard or a pager; empty where it is not shown."""
        found = self.place(key)
        if found is None or not self.is_current:
            return SafeText("")
        try:
            return item_text(self.bodies, self.lore, key, *found)
        except TROUBLE:
            return SafeText("")

    def excerpt(self, key: str, row: int, part: int, start: int, length: int) -> DetailView | None:
        """An item with what stands around a match on top: where the match was cut off of it."""
        view = self.detail(key)
        try:
            texts = list(field_texts(self.bodies.record(row)))
        except TROUBLE:
            return view
        if view is None or part >= len(texts):
            return view
        return with_excerpt(view, texts[part].text, start, length)

    def record(self, key: str) -> Mapping[str, Any]:
        """Give the record behind an item; empty where there is none any more."""
        found = self.place(key)
        if found is None or not self.is_current:
            return {}
        try:
            return self.bodies.record(found[0])
        except TROUBLE:
            return {}

    def call_of(self, key: str) -> ToolCall | None:
        """Give the tool call that an item is; None for other items."""
        found = self.place(key)
        if found is None or found[1] < FIRST_CALL:
            return None
        calls = calls_of(self.record(key))
        number = found[1] - FIRST_CALL
        return calls[number] if number < len(calls) else None

    def agent_of(self, key: str) -> str | None:
        """Give the subagent that a call ran; None for other items."""
        call = self.call_of(key)
        agent = self.lore.agents.get(call.id) if call is not None else None
        return agent.agent_id if agent is not None else None

    def is_weighed(self, number: int) -> bool:
        """Tell whether a row says what it weighs: calls, summaries, thinking that has its words."""
        part = self.outline.parts[number]
        kind = self.index_of_file.kind[self.outline.rows[number]]
        return part >= FIRST_CALL or (part == WORDS and kind == Kind.SUMMARY)

    def is_prompt(self, number: int) -> bool:
        """Tell whether a row is what a person sent."""
        if self.outline.parts[number] != WORDS:
            return False
        row = self.outline.rows[number]
        kind = self.index_of_file.kind[row]
        typed = kind == Kind.RESULT and bool(self.index_of_file.flags[row] & TYPED)
        return kind in (Kind.PROMPT, Kind.QUEUED_PROMPT) or typed

    def row_of(self, name: str) -> int | None:
        """Give the session's row of a record's name: its uuid or ``line:5144``."""
        return row_of_key(self.index_of_file, name.partition("#")[0])
