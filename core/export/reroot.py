"""JSONL that loads on its own: the lines of a part with their chain made whole, and a note on top.

Lines that need no change are the file's own bytes. What is changed in the others, and what was left
out, stands in the note, whose type (`ccbrowse-note`) the client does not know and so passes by.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ccbrowse.core.export.json import part_json
from ccbrowse.core.export.jsontext import dump
from ccbrowse.core.export.options import Options
from ccbrowse.core.export.parts import Part
from ccbrowse.core.export.relink import AS_WRITTEN, Plan, Step, plan_of
from ccbrowse.core.index import ROOT, SIDECHAIN
from ccbrowse.core.records import Kind, decode_odd

NOTE = "ccbrowse-note"
"""The type of the note record."""

SCHEMA = "ccbrowse.note/1"

_WORDS = (
    "A part of a session, written by ccbrowse so that it loads on its own. The first record has no "
    "parent; `changed` names every field that is not as the client wrote it, with what it was; "
    "`carried_along` are messages from before the part that its compaction kept."
)
_LEFT_OUT = {
    "damaged": "damaged lines",
    "repeated": "records beside the line under a uuid that another has",
    "side": "records of subagents",
    "kept": "kept messages that would join the line",
    "loose": "records whose links lead nowhere",
}
_LEAF = "last-prompt"
_PLACE = ("parentUuid", "logicalParentUuid", "timestamp")


def export_rerooted(part: Part, options: Options) -> Iterator[bytes]:
    """The lines, each without its LF: the note, then the part. Raises Gone or OSError."""
    writer = _Writer(part, options)
    yield dump(writer.note(options.version)).encode()
    yield from writer.lines()


class _Writer:
    def __init__(self, part: Part, options: Options) -> None:
        self.part = part
        self.options = options
        self.session = part.session
        self.index = part.session.index
        self.plan: Plan = plan_of(part)
        self._mended: set[int] = set()

    def note(self, version: str) -> dict[str, Any]:
        """What was done."""
        index, plan = self.index, self.plan
        flipped = self.session.agent_id is not None
        return {
            "type": NOTE,
            "schema": SCHEMA,
            "note": _WORDS,
            "tool": f"ccbrowse {version}".strip(),
            "sessionId": self.session.file.session_id,
            "part": {**part_json(self.part), "agent_id": self.session.agent_id},
            "changed": list(self._changes()),
            "carried_along": [index.uuids[row] for row in plan.carried],
            "left_out": {_LEFT_OUT[what]: count for what, count in plan.left_out.items()},
            **({"sidechain_marks": "taken off: it is a session of its own now"} if flipped else {}),
        }

    def lines(self) -> Iterator[bytes]:
        """The lines of the part in their order, and a last one that names the leaf."""
        for step in self.plan.steps:
            self.options.at(self.index.line[step.row])
            yield from self._line(step)
        self.options.at(None)
        if self.plan.leaf is not None:
            yield dump(self._books(self.plan.leaf)).encode()

    def _books(self, leaf: int) -> dict[str, Any]:
        """Where the line ends, as the client notes it: its own notes may name a leaf elsewhere."""
        return {
            "type": _LEAF,
            "leafUuid": self.index.uuids[leaf],
            "sessionId": self.session.file.session_id,
        }

    def _changes(self) -> Iterator[dict[str, Any]]:
        for step in self.plan.steps:
            given = self._given(step, None)
            if not given:
                continue
            record = self.session.record(step.row)
            for field, value in self._given(step, record).items():
                was = record.get(field)
                if was != value and not (field == "isSidechain" and self.session.agent_id):
                    yield {"uuid": self.index.uuids[step.row], "field": field, "was": was}

    def _given(self, step: Step, record: Mapping[str, Any] | None) -> dict[str, Any]:
        """The fields that a record is to have; of a boundary's metadata something only with its record."""
        given: dict[str, Any] = {}
        if self.index.kind[step.row] == Kind.BOUNDARY:
            if self.index.parent[step.row] != ROOT:
                given["parentUuid"] = None
            if step.parent != AS_WRITTEN:
                given["logicalParentUuid"] = self.index.uuids[step.parent]
            if self._is_cut(step.row):
                given["compactMetadata"] = self._metadata(step.row, record or {})
        elif step.parent != AS_WRITTEN:
            given["parentUuid"] = None if step.parent == ROOT else self.index.uuids[step.parent]
        if self.index.flags[step.row] & SIDECHAIN:
            given["isSidechain"] = False
        return given

    def _is_cut(self, boundary: int) -> bool:
        """Whether a boundary names kept messages that are not there, or are sent after one that is not."""
        facts = self.session.chain.links.boundary(boundary).facts
        named = facts.kept or tuple(filter(None, (facts.head, facts.tail)))
        if not named:
            return False
        kept = {self.index.uuids[row] for row in self.plan.kept.get(boundary, ())}
        return not kept.issuperset(named) or facts.anchor != self._anchor(boundary)

    def _anchor(self, boundary: int) -> str | None:
        return self.index.uuids[self.plan.anchors[boundary]]

    def _metadata(self, boundary: int, record: Mapping[str, Any]) -> dict[str, Any]:
        """A boundary's metadata that names only kept messages which the part has."""
        metadata = record.get("compactMetadata")
        known = dict(metadata) if isinstance(metadata, Mapping) else {}
        rows = self.plan.kept.get(boundary, [])
        kept = [self.index.uuids[row] for row in rows]
        anchor = self._anchor(boundary)
        if not kept:
            known.pop("preservedMessages", None)
            known.pop("preservedSegment", None)
            return known
        if isinstance(messages := known.get("preservedMessages"), Mapping):
            there = set(kept)
            known["preservedMessages"] = {
                key: [uuid for uuid in value if isinstance(uuid, str) and uuid in there]
                if isinstance(value, list)
                else value
                for key, value in messages.items()
            } | {"anchorUuid": anchor}
        if isinstance(segment := known.get("preservedSegment"), Mapping):
            known["preservedSegment"] = {
                **segment, "headUuid": kept[0], "anchorUuid": anchor, "tailUuid": kept[-1]
            }  # fmt: skip
        return known

    def _line(self, step: Step) -> Iterator[bytes]:
        """The line of a step: the file's bytes where they can stay, else its record written anew."""
        index, row = self.index, self.index.content_row(step.row)
        raw = self.session.raw(row)
        record = _strict(raw)
        if record is None and index.uuids[step.row] is None:
            yield from self._mended_books(row, raw)
            return
        if record is None or record.get("uuid") != index.uuids[step.row]:
            record, raw = dict(self.session.record(step.row)), b""
        given = self._first_links(step.row, row) | self._given(step, record)
        if all(record.get(field) == value for field, value in given.items()) and raw:
            yield raw
        elif record:
            yield _written(record | given)

    def _first_links(self, row: int, content: int) -> dict[str, Any]:
        """Of a record that was written again, where and when it stood first: its place is there."""
        if row == content:
            return {}
        first = _strict(self.session.raw(row)) or {}
        return {field: first[field] for field in _PLACE if field in first}

    def _mended_books(self, row: int, raw: bytes) -> Iterator[bytes]:
        """The records without a uuid on a line that is not quite JSON, once."""
        if self.index.offset[row] in self._mended:
            return
        self._mended.add(self.index.offset[row])
        found, _ = decode_odd(raw)
        for record in found:
            if not isinstance(record.get("uuid"), str):
                yield _written(record)


def _written(record: Mapping[str, Any]) -> bytes:
    """A record on a line, as the client writes it; half a surrogate pair stays one, escaped."""
    form: dict[str, Any] = {"separators": (",", ":"), "allow_nan": False}
    try:
        return json.dumps(record, ensure_ascii=False, **form).encode()
    except UnicodeEncodeError:
        return json.dumps(record, **form).encode()
    except ValueError:
        return dump(record).encode()


def _strict(line: bytes) -> dict[str, Any] | None:
    """The record of a line that every reader takes; None where one would have to be lenient."""
    try:
        value = json.loads(line.decode(), parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _refuse(constant: str) -> None:
    raise ValueError(constant)
