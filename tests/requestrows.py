"""Small sessions for the tests of requests, written record by record.

Where the links between records are what is tested, each test says them itself: `builders` makes
whole sessions, this makes odd ones.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ccbrowse.core.payload import Payload, Payloads, reply_of
from ccbrowse.core.session import Session

Row = dict[str, Any]


class Rows:
    """Records of one session; each method appends one and gives its uuid, the parent of the next one.

    `after` names another parent, `more` is added to the record as it is.
    """

    def __init__(self, version: str = "2.1.181") -> None:
        self.version = version
        self.rows: list[Row] = []
        self.leaf: str | None = None

    def add(self, kind: str, after: str | None = "", **more: Any) -> str:
        """A record with links."""
        uuid = f"{len(self.rows):08x}-0000-4000-8000-000000000000"
        parent = self.leaf if after == "" else after
        minute, second = divmod(len(self.rows), 60)
        self.rows.append(
            {
                "type": kind,
                "uuid": uuid,
                "parentUuid": parent,
                "isSidechain": False,
                "sessionId": "5e55",
                "version": self.version,
                "cwd": "/home/sample/orchard",
                "timestamp": f"2026-03-01T10:{minute:02d}:{second:02d}.000Z",
                **more,
            }
        )
        self.leaf = uuid
        return uuid

    def side(self, kind: str, **more: Any) -> None:
        """A record without links."""
        self.rows.append({"type": kind, "sessionId": "5e55", **more})

    def user(self, content: Any, after: str | None = "", **more: Any) -> str:
        """A record of the user's side."""
        return self.add("user", after, message={"role": "user", "content": content}, **more)

    def reply(self, name: str, *blocks: Row, after: str | None = "", **more: Any) -> str:
        """One fragment of a reply."""
        message = {
            "id": name,
            "type": "message",
            "role": "assistant",
            "model": "claude-opus-4-8",
            "content": list(blocks),
            "stop_reason": "end_turn",
            "usage": {"input_tokens": 9, "output_tokens": 3},
        }
        return self.add("assistant", after, message=message, **more)

    def own_reply(self, words: str, *, failed: bool = False) -> str:
        """A reply that no model made."""
        message = {"id": "x", "role": "assistant", "model": "<synthetic>", "content": [text(words)]}
        return self.add("assistant", message=message, isApiErrorMessage=failed)

    def result(self, call: str, words: Any, after: str | None = "", **more: Any) -> str:
        """The result of a call."""
        return self.user([answer(call, words)], after, **more)

    def attachment(self, kind: str, rendered: Row | None = None, **data: Any) -> str:
        """An attachment; `rendered`: the two fields of newer clients."""
        return self.add("attachment", attachment={"type": kind, **data}, **(rendered or {}))

    def boundary(self, kept: list[str] | None = None, anchor: str = "") -> str:
        """A compaction's boundary; `anchor` is empty for the record that comes next."""
        logical = self.leaf
        metadata: Row = {"trigger": "manual", "preTokens": 9000}
        if kept:
            after = anchor or f"{len(self.rows) + 1:08x}-0000-4000-8000-000000000000"
            metadata["preservedMessages"] = {"anchorUuid": after, "uuids": kept, "allUuids": kept}
        return self.add(
            "system",
            None,
            subtype="compact_boundary",
            logicalParentUuid=logical,
            compactMetadata=metadata,
        )

    def summary(self, words: str, **more: Any) -> str:
        """A compaction's summary."""
        return self.user(words, isCompactSummary=True, **more)

    def data(self) -> bytes:
        """The file."""
        return b"".join(json.dumps(row).encode() + b"\n" for row in self.rows)

    @contextmanager
    def session(self, folder: Path) -> Iterator[Session]:
        """The session, written to a folder and opened; closed at the end."""
        path = folder / "5e55.jsonl"
        path.write_bytes(self.data())
        session = Session.open(path)
        try:
            yield session
        finally:
            session.close()

    def payload(self, folder: Path, reply: str) -> Payload:
        """The request that a reply answered."""
        with self.session(folder) as session:
            return Payloads(session).of(reply_of(session, reply))

    def sent(self, folder: Path, reply: str) -> list[Row]:
        """Its messages."""
        return list(self.payload(folder, reply).messages or ())


def text(words: str) -> Row:
    """A text block."""
    return {"type": "text", "text": words}


def call(name: str, tool: str = "Read") -> Row:
    """A block that calls a tool."""
    return {"type": "tool_use", "id": name, "name": tool, "input": {"path": name}}


def answer(name: str, words: Any) -> Row:
    """A block that answers a call."""
    return {"type": "tool_result", "tool_use_id": name, "content": words}


def rendered(role: str, *words: str) -> Row:
    """What newer clients log of an attachment: its words, in their tags, and its role."""
    tagged = [{"content": f"<system-reminder>\n{each}\n</system-reminder>"} for each in words]
    return {"rendered": tagged, "renderedRole": role}


def user(content: Any) -> Row:
    """A message of the user."""
    return {"role": "user", "content": content}


def assistant(*blocks: Row) -> Row:
    """A message of the model."""
    return {"role": "assistant", "content": list(blocks)}


def system(words: str) -> Row:
    """A message of role system."""
    return {"role": "system", "content": words}


def reminder(words: str) -> str:
    """A reminder in its tags."""
    return f"<system-reminder>\n{words}\n</system-reminder>"
