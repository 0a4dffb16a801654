"""The request log of newer clients: what was sent, message by message, as hashes and blobs.

A request is the first `keep` messages of an earlier one (`base`) and the `tail`; each message is
named by the SHA-256 of its canonical JSON. Those that no row gives as it stands are stored as blobs.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from ccbrowse.tui.demo.ids import Clock, Ids
from ccbrowse.tui.demo.lines import Row, Sheet

Content = str | list[Row]

_SHAPE: Row = {
    "system": [{"type": "text", "text": "You are a coding assistant in a terminal. (demo text)"}],
    "tools": [
        {"name": name, "description": f"{name}: a demo tool.", "input_schema": {"type": "object"}}
        for name in ("Agent", "Bash", "Edit", "Read", "Write")
    ],
}

_canonical = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode


def digest(value: object) -> str:
    """SHA-256 over the canonical JSON of a value, in hexadecimal."""
    return hashlib.sha256(_canonical(value).encode("utf-8", "backslashreplace")).hexdigest()


def as_blocks(content: Content) -> list[Row]:
    """Content as a list of blocks; a text stands for one block."""
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


@dataclass(frozen=True, slots=True)
class _Node:
    """A sent message and all before it: branches share what they have in common."""

    hash: str
    before: "_Node | None"
    depth: int
    blob: Row | None


@dataclass(slots=True)
class _Waiting:
    """What will make up the next user message: rows, and reminders that go with them."""

    rows: list[Content] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    system: list[str] = field(default_factory=list)
    scattered: bool = False

    def copy(self) -> "_Waiting":
        return _Waiting([*self.rows], [*self.notes], [*self.system], self.scattered)


class RequestLog:
    """The messages of the conversation as it stands, and the rows that tell of each request."""

    def __init__(self, ids: Ids) -> None:
        self._ids = ids
        self._tip: _Node | None = None
        self._waiting = _Waiting()
        self._marks: dict[str | None, tuple[_Node | None, _Waiting]] = {None: (None, _Waiting())}
        self._base: tuple[str, _Node] | None = None
        self._stored: set[str] = set()
        self._shaped = False

    def user(self, content: Content) -> None:
        """A user row was written."""
        self._waiting.rows.append(content)

    def scatter(self) -> None:
        """The rows of the next user message do not stand together, so no run of rows gives it."""
        self._waiting.scattered = True

    def note(self, text: str) -> None:
        """A reminder that goes into the user message."""
        self._waiting.notes.append(text)

    def system(self, text: str) -> None:
        """A reminder that goes into a system message after it."""
        self._waiting.system.append(text)

    def assistant(self, blocks: Sequence[Row]) -> None:
        """A reply was received whole."""
        self._flush()
        self._add({"role": "assistant", "content": list(blocks)}, blob=False)

    def mark(self, uuid: str | None) -> None:
        """Remember the state at a record to which a rewind may go back."""
        self._marks[uuid] = (self._tip, self._waiting.copy())

    def go_back(self, uuid: str | None) -> None:
        """Take up the state at a marked record."""
        tip, waiting = self._marks[uuid]
        self._tip, self._waiting = tip, waiting.copy()

    def compacted(self, summary: str, kept: Sequence[tuple[str, Content]]) -> None:
        """Start over with a summary (if any comes first) and what was kept: (role, content) each."""
        self._tip, self._base, self._shaped = None, None, False
        self._waiting = _Waiting()
        self._marks.clear()
        self._stored.clear()
        if summary:
            self._add({"role": "user", "content": summary}, blob=True)
        for role, content in kept:
            if role == "user":
                self.user(content)
            else:
                self._flush()
                self._add({"role": role, "content": as_blocks(content)}, blob=True)

    def send(self, sheet: Sheet, clock: Clock, about: Row, params: Row) -> str:
        """Write the rows of one request; returns its id, which the reply names as `requestRef`.

        `about` has the fields that all three kinds of row share, `params` those of the request.
        """
        self._flush()
        timed = {"timestamp": clock.stamp(), "version": params["version"]}
        shape = digest(_SHAPE)
        if not self._shaped:
            row = {"type": "api-request-shape", **about, "shapeHash": shape, **timed}
            sheet.row({**row, "shape": _SHAPE})
            self._shaped = True
        keep, tail = self._new_messages()
        for node in tail:
            if node.blob is not None and node.hash not in self._stored:
                self._stored.add(node.hash)
                row = {"type": "api-request-blob", **about, "hash": node.hash}
                sheet.row({**row, "message": node.blob})
        request = self._ids.uuid()
        base = {"base": self._base[0]} if self._base else {}
        hashes = [node.hash for node in tail]
        depth = self._tip.depth if self._tip else 0
        sheet.row(
            {
                "type": "api-request",
                **about,
                "id": request,
                **timed,
                "querySource": params["source"],
                "shapeHash": shape,
                "params": {"model": params["model"], "max_tokens": 128_000},
                "thread": {"type": "none"},
                "echoWireToolInputs": False,
                **base,
                "keep": keep,
                "tail": hashes,
                "cacheControl": [{"path": ["messages", depth - 1], "value": {"type": "ephemeral"}}],
                "requestDigest": digest([request, shape, hashes]),
            }
        )
        if self._tip:
            self._base = (request, self._tip)
        return request

    def _new_messages(self) -> tuple[int, list[_Node]]:
        """How many messages the base has in common with this request, and those it lacks."""
        base = self._base[1] if self._base else None
        tail: list[_Node] = []
        node = self._tip
        while node is not None and node is not base:
            while base is not None and base.depth > node.depth:
                base = base.before
            if node is base:
                break
            tail.append(node)
            node = node.before
        return (node.depth if node else 0), tail[::-1]

    def _flush(self) -> None:
        """Turn what is waiting into a user message and a system message."""
        rows, notes, system = self._waiting.rows, self._waiting.notes, self._waiting.system
        if rows or notes:
            plain = not (notes or self._waiting.scattered) and (
                len(rows) == 1 or not any(isinstance(r, str) for r in rows)
            )
            self._add({"role": "user", "content": _merged(rows, notes)}, blob=not plain)
        if system:
            self._add({"role": "system", "content": as_blocks("\n\n".join(system))}, blob=True)
        self._waiting = _Waiting()

    def _add(self, message: Row, blob: bool) -> None:
        hashed = digest({**message, "content": as_blocks(message["content"])})
        depth = self._tip.depth + 1 if self._tip else 1
        self._tip = _Node(hashed, self._tip, depth, message if blob else None)


def _merged(rows: Sequence[Content], notes: Sequence[str]) -> list[Row]:
    """One user message of several rows: results first, then reminders, then the rest."""
    if len(rows) > 1:  # the client ends each text but the last with a newline when it joins rows
        rows = [r + "\n" if isinstance(r, str) else r for r in rows[:-1]] + [rows[-1]]
    blocks = [block for row in rows for block in as_blocks(row)]
    results = [block for block in blocks if block["type"] == "tool_result"]
    others = [block for block in blocks if block["type"] != "tool_result"]
    return [*results, *({"type": "text", "text": note} for note in notes), *others]
