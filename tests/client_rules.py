"""What the real client would load of a session file, by its own rules as they were measured.

An independent reading, on purpose without ccbrowse: leaf, kept messages moved behind their anchor,
the way up over parents, fragments of a message together, results of its calls after them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

Row = dict[str, Any]


def loaded(data: bytes) -> list[str]:
    """The uuids of what is loaded: users, replies and boundaries, in order. Fails on a broken link."""
    rows, leaf = _rows(data)
    parents = {uuid: row.get("parentUuid") for uuid, row in rows.items()}
    _move_kept(rows, parents)
    step: str | None = leaf if leaf in rows else _newest_end(rows, parents)
    way: list[str] = []
    while step is not None:
        assert step in rows, f"a link leads to {step}, which is not in the file"
        assert step not in way, f"the links go round at {step}"
        way.append(step)
        step = parents[step]
    done: dict[str, None] = {}
    for uuid in reversed(way):
        done.setdefault(uuid)
        if rows[uuid]["type"] == "assistant":
            done.update(dict.fromkeys(_message(rows, rows[uuid])))
    return [uuid for uuid in done if _is_message(rows[uuid])]


def _rows(data: bytes) -> tuple[dict[str, Row], str | None]:
    """The linked records by uuid, and the leaf that the file names last."""
    rows: dict[str, Row] = {}
    leaf = None
    for line in data.split(b"\n"):
        row = json.loads(line) if line.strip() else {}
        if row.get("type") == "last-prompt":
            leaf = row.get("leafUuid", leaf)
        if isinstance(row.get("uuid"), str) and "parentUuid" in row:
            rows.setdefault(row["uuid"], row)
    return rows, leaf


def _is_message(row: Row) -> bool:
    return row["type"] in ("user", "assistant") or _is_boundary(row)


def _is_boundary(row: Row) -> bool:
    return row.get("type") == "system" and row.get("subtype") == "compact_boundary"


def _move_kept(rows: Mapping[str, Row], parents: dict[str, Any]) -> None:
    """The newest boundary's kept messages stand after their anchor, what hung there after them."""
    kept: list[str] = []
    anchor = None
    for row in rows.values():
        facts = row.get("compactMetadata")
        if _is_boundary(row) and isinstance(facts, dict):
            messages, segment = (
                named if isinstance(named := facts.get(key), dict) else {}
                for key in ("preservedMessages", "preservedSegment")
            )
            names = messages.get("allUuids") or messages.get("uuids") or _climbed(segment, parents)
            if names:
                kept, anchor = names, messages.get("anchorUuid") or segment.get("anchorUuid")
    if not kept:
        return
    for uuid, parent in parents.items():
        if parent == anchor and uuid not in kept:
            parents[uuid] = kept[-1]
    for before, uuid in zip([anchor, *kept], kept, strict=False):
        parents[uuid] = before


def _climbed(segment: Mapping[str, Any], parents: Mapping[str, Any]) -> list[str]:
    names: list[str] = []
    step: Any = segment.get("tailUuid")
    while step in parents and step not in names:
        names.insert(0, step)
        if step == segment.get("headUuid"):
            return names
        step = parents[step]
    return names[-1:]


def _newest_end(rows: Mapping[str, Row], parents: Mapping[str, Any]) -> str | None:
    continued = set(parents.values())
    ends = [
        uuid
        for uuid, row in rows.items()
        if row["type"] in ("user", "assistant")
        and not row.get("isSidechain")
        and uuid not in continued
    ]
    return ends[-1] if ends else None


def _message(rows: Mapping[str, Row], row: Row) -> list[str]:
    """All fragments of a reply, then the results of its calls."""
    name = _said(row).get("id")
    fragments = [other for other in rows.values() if name and _said(other).get("id") == name] or [
        row
    ]
    calls = {
        block.get("id")
        for each in fragments
        for block in _blocks(each)
        if block.get("type") == "tool_use"
    }
    results = [
        other
        for other in rows.values()
        if other["type"] == "user"
        and any(
            block.get("type") == "tool_result" and block.get("tool_use_id") in calls
            for block in _blocks(other)
        )
    ]
    return [each["uuid"] for each in (*fragments, *results)]


def _said(row: Row) -> Mapping[str, Any]:
    said = row.get("message")
    return said if isinstance(said, dict) and row["type"] == "assistant" else {}


def _blocks(row: Row) -> list[Mapping[str, Any]]:
    said = row.get("message")
    content = said.get("content") if isinstance(said, dict) else None
    if not isinstance(content, list):
        return []
    return [block for block in content if isinstance(block, dict)]
