"""Session files written record by record, for tests of single rules.

A `Log` keeps the parent for the next record, so that a test names only the links that matter.
Uuids are short names of the test's choice: the client's are opaque to a reader.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ccbrowse.core.index import iso
from ccbrowse.core.session import Session

Row = dict[str, Any]
Reading = Callable[["Log"], Session]
"""Writes a log and opens it: the fixture `read_log`."""

BEFORE = "(the record before)"
"""As a parent: the newest linked record that was added."""

SESSION = "5e5510a0-0000-4000-8000-000000000001"
START = 1_770_000_000_000
STEP = 1_000
"""Milliseconds from one record to the next."""


class Log:
    """Lines of a session file. Each method adds a record and returns its uuid."""

    def __init__(self, session_id: str = SESSION) -> None:
        self.session_id = session_id
        self.lines: list[bytes] = []
        self.time = START
        self.before: str | None = None

    def raw(self, *lines: bytes) -> None:
        """Add lines as they are, each ended with LF."""
        self.lines += lines

    def row(self, row: Row) -> None:
        """Add a record as it is."""
        self.raw(encoded(row))

    def linked(self, kind: str, uuid: str, parent: str | None = BEFORE, **fields: Any) -> str:
        """Add a record with links; fields that are given replace the envelope's."""
        self.time += STEP
        head: Row = {
            "parentUuid": self.before if parent == BEFORE else parent,
            "isSidechain": False,
            "type": kind,
            "uuid": uuid,
            "timestamp": iso(self.time),
            "sessionId": self.session_id,
            "cwd": "/home/robin/orchard",
            "version": "2.1.181",
        }
        self.row({**head, **fields})
        self.before = uuid
        return uuid

    def user(self, uuid: str, text: object = "Go on", parent: str | None = BEFORE, **f: Any) -> str:
        """A user record with a content: a prompt, unless the text or the fields say otherwise."""
        message = {"role": "user", "content": text}
        return self.linked("user", uuid, parent, **{"message": message, **f})

    def reply(
        self,
        uuid: str,
        *content: Row | str,
        parent: str | None = BEFORE,
        message: str | None = None,
        usage: Iterable[int] | None = None,
        model: str = "claude-opus-4-8",
        stop: str | None = "end_turn",
        **fields: Any,
    ) -> str:
        """A fragment of a reply: texts and blocks; `message` is its message id (default: of its own).

        `usage`: input, cache creation, cache read, output.
        """
        body: Row = {
            "id": message or f"msg_{uuid}",
            "role": "assistant",
            "model": model,
            "content": [{"type": "text", "text": c} if isinstance(c, str) else c for c in content]
            or [{"type": "text", "text": "Done."}],
            "stop_reason": stop,
        }
        if usage is not None:
            body["usage"] = counters(*usage)
        return self.linked("assistant", uuid, parent, **{"message": body, **fields})

    def result(
        self, uuid: str, *calls: str, parent: str | None = BEFORE, text: str = "", **fields: Any
    ) -> str:
        """The results of calls, with a person's words beside them where a text is given."""
        content = [{"type": "tool_result", "tool_use_id": call, "content": "ok"} for call in calls]
        words = [{"type": "text", "text": text}] if text else []
        message = {"role": "user", "content": content + words}
        return self.linked("user", uuid, parent, **{"message": message, **fields})

    def boundary(
        self,
        uuid: str,
        logical: str | None = BEFORE,
        *,
        kept: Iterable[str] = (),
        trigger: str = "auto",
        pre: int | None = 1000,
        post: int | None = None,
        metadata: object = BEFORE,
        **fields: Any,
    ) -> str:
        """A compaction boundary; `logical` is the record it names as the one before it."""
        meta: Row = {"trigger": trigger}
        meta |= {} if pre is None else {"preTokens": pre}
        meta |= {} if post is None else {"postTokens": post}
        if kept:
            meta["preservedMessages"] = {"anchorUuid": "s", "uuids": [*kept], "allUuids": [*kept]}
        named = self.before if logical == BEFORE else logical
        links = {"logicalParentUuid": named, "subtype": "compact_boundary"}
        about = {"compactMetadata": meta if metadata == BEFORE else metadata}
        return self.linked("system", uuid, None, **{**links, **about, **fields})

    def summary(
        self, uuid: str, parent: str | None = BEFORE, text: object = "So far.", **f: Any
    ) -> str:
        """The summary that a compaction left."""
        return self.user(uuid, text, parent, isCompactSummary=True, **f)

    def system(self, uuid: str, parent: str | None = BEFORE, **fields: Any) -> str:
        """A system record that is no boundary."""
        return self.linked("system", uuid, parent, **{"subtype": "informational", **fields})

    def attachment(self, uuid: str, parent: str | None = BEFORE, **about: Any) -> str:
        """What the client sent along."""
        return self.linked(
            "attachment", uuid, parent, attachment={"type": "task_reminder", **about}
        )

    def progress(self, uuid: str, parent: str | None = BEFORE, **data: Any) -> str:
        """Progress of a tool, as older clients wrote it into the chain."""
        return self.linked("progress", uuid, parent, data={"type": "bash_progress", **data})

    def side(self, kind: str, **fields: Any) -> None:
        """A bookkeeping record."""
        self.row({"type": kind, "sessionId": self.session_id, **fields})

    def again(self, line: int, **changes: Any) -> None:
        """Write the record on a line again, with changes."""
        row = json.loads(self.lines[line - 1])
        self.raw(encoded({**row, **changes}))

    def data(self) -> bytes:
        """The file's bytes."""
        return b"".join(line + b"\n" for line in self.lines)

    def write(self, folder: Path) -> Path:
        """Write the file below a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.session_id}.jsonl"
        path.write_bytes(self.data())
        return path


def encoded(row: Row) -> bytes:
    """A record as one line, as the client writes it."""
    text = json.dumps(row, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace")


def counters(fresh: int = 0, created: int = 0, read: int = 0, output: int = 0) -> Row:
    """A `usage` with its four counters."""
    return {
        "input_tokens": fresh,
        "cache_creation_input_tokens": created,
        "cache_read_input_tokens": read,
        "output_tokens": output,
    }


def call(id: str, name: str = "Bash", **input: Any) -> Row:
    """A tool call's block."""
    return {"type": "tool_use", "id": id, "name": name, "input": input}


def line(session: Session) -> str:
    """The chain's uuids, a blank between."""
    return names(session, session.chain)


def names(session: Session, rows: Iterable[int]) -> str:
    """The uuids of some rows, a blank between."""
    return " ".join(str(session.index.uuids[row]) for row in rows)


def segments(session: Session) -> list[str]:
    """The chain's uuids by segment."""
    return [names(session, segment.rows) for segment in session.segments]


def codes(session: Session, notes: bool = True) -> list[str]:
    """The codes of a session's findings, in their order; `time_runs_backwards` left out."""
    found = [f for f in session.findings if notes or f.severity != "note"]
    return [f.code for f in found if f.code != "time_runs_backwards"]
