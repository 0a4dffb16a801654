"""JSONL that loads on its own: the lines of a part with their chain made whole, and a note on top.

Lines that need no change are the file's own bytes. What is changed in the others, and what was left
out, stands in the note, whose type (`ccbrowse-note`) the client does not know and so passes by.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ccbrowse.core.bodies import salvaged
from ccbrowse.core.export.json import part_json
from ccbrowse.core.export.jsontext import dump
from ccbrowse.core.export.options import Options
from ccbrowse.core.export.parts import Part
from ccbrowse.core.export.relink import AS_WRITTEN, Plan, Step, plan_of
from ccbrowse.core.index import ROOT, SIDECHAIN
from ccbrowse.core.records import Kind, ToolCall, ToolResult, blocks, decode_odd

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
_SURROGATES = re.compile("[\ud800-\udfff]")
_KIND = ("type", "subtype", "isMeta", "isCompactSummary", "requestId", "logicalParentUuid")
_LINKED = ("uuid", "parentUuid")
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
        self._told: set[int] = set()

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
        if self._is_nameless_boundary(step.row):
            # Nothing can hang on it, so nothing may be sent after it.
            given["compactMetadata"] = self._metadata(step.row, record or {})
        elif step.row in self.plan.anchors:
            given["parentUuid"] = None
            if step.parent != AS_WRITTEN:
                given["logicalParentUuid"] = self._name(step.parent)
            # The last words of a boundary that was written again may name other messages than the first.
            if self._is_cut(step.row) or self.index.content_row(step.row) != step.row:
                given["compactMetadata"] = self._metadata(step.row, record or {})
        elif step.parent != AS_WRITTEN:
            given["parentUuid"] = self._name(step.parent)
        if self.index.flags[step.row] & SIDECHAIN:
            given["isSidechain"] = False
        return given

    def _is_nameless_boundary(self, row: int) -> bool:
        return self.index.kind[row] == Kind.BOUNDARY and row not in self.plan.anchors

    def _name(self, parent: int) -> str | None:
        """The uuid of the row to hang on; None for ROOT."""
        return None if parent == ROOT else self.index.uuids[parent]

    def _is_cut(self, boundary: int) -> bool:
        """Whether a boundary names kept messages that are not there, or are sent after one that is not."""
        facts = self.session.chain.links.boundary(boundary).facts
        named = facts.kept or tuple(filter(None, (facts.head, facts.tail)))
        if not named:
            return False
        kept = [self.index.uuids[row] for row in self.plan.kept.get(boundary, ())]
        whole = kept == list(facts.kept) if facts.kept else set(named) <= set(kept)
        return not whole or facts.anchor != self._anchor(boundary)

    def _anchor(self, boundary: int) -> str | None:
        return self.index.uuids[self.plan.anchors[boundary]]

    def _metadata(self, boundary: int, record: Mapping[str, Any]) -> dict[str, Any]:
        """A boundary's metadata that names only kept messages which the part has."""
        metadata = record.get("compactMetadata")
        known = dict(metadata) if isinstance(metadata, Mapping) else {}
        rows = self.plan.kept.get(boundary, [])
        kept = [self.index.uuids[row] for row in rows]
        if not kept:
            known.pop("preservedMessages", None)
            known.pop("preservedSegment", None)
            return known
        anchor = self._anchor(boundary)
        if isinstance(messages := known.get("preservedMessages"), Mapping):
            there = frozenset(kept)
            known["preservedMessages"] = {
                key: _once(value, there) if isinstance(value, list) else value
                for key, value in messages.items()
            } | {"anchorUuid": anchor}
        if isinstance(segment := known.get("preservedSegment"), Mapping):
            known["preservedSegment"] = {
                **segment, "headUuid": kept[0], "anchorUuid": anchor, "tailUuid": kept[-1]
            }  # fmt: skip
        return known

    def _line(self, step: Step) -> Iterator[bytes]:
        """The line of a step: the file's bytes where they can stay, else its record written anew."""
        raw = self.session.raw(step.row)
        record = _strict(raw)
        uuid = self.index.uuids[step.row]
        if record is None and uuid is None:
            yield from self._mended_books(step.row, raw)
            return
        if uuid is None and record and self.index.row_of(_uuid(record) or "") is not None:
            # Books have no place among the links: under the name of a message they would take its place.
            yield _written({key: record[key] for key in record if key not in _LINKED})
            return
        if record is None or _uuid(record) != uuid:
            record, raw = salvaged(self.index, step.row, raw), b""
        if (rewritten := self._rewritten(step.row, record)) is not None:
            record, raw = rewritten, b""
        given = self._spelled(step, record) | self._given(step, record)
        if raw and all(field in record and record[field] == given[field] for field in given):
            yield raw
        elif record:
            yield _written(record | given)

    def _spelled(self, step: Step, record: Mapping[str, Any]) -> dict[str, Any]:
        """Names as we know them, where they are written with halves of surrogate pairs."""
        names: dict[str, Any] = {}
        parent = self.index.parent[step.row]
        if step.parent == AS_WRITTEN and parent >= 0 and record.get("parentUuid"):
            names["parentUuid"] = self.index.uuids[parent]
        if "uuid" in record and self.index.uuids[step.row] is not None:
            names["uuid"] = self.index.uuids[step.row]
        return names

    def _rewritten(self, row: int, first: Mapping[str, Any]) -> dict[str, Any] | None:
        """The last content of a record that was written again, with the links and time of its first writing.

        None where there are none, or where they are those of another kind of record.
        """
        if self.index.content_row(row) == row:
            return None
        last = self.session.record(row)
        if any(first.get(field) != last.get(field) for field in _KIND) or _names(first) != _names(
            last
        ):
            return None
        return {**last, **{field: first[field] for field in _PLACE if field in first}}

    def _mended_books(self, row: int, raw: bytes) -> Iterator[bytes]:
        """The records without a uuid on a line that is not quite JSON, once."""
        if self.index.offset[row] in self._told:
            return
        self._told.add(self.index.offset[row])
        found, _ = decode_odd(raw)
        for record in found:
            if not isinstance(record.get("uuid"), str):
                yield _written(record)


def _uuid(record: Mapping[str, Any]) -> str | None:
    """The uuid of a record as the index has it."""
    uuid = record.get("uuid")
    return _SURROGATES.sub("\ufffd", uuid) if isinstance(uuid, str) else None


def _once(names: list[Any], known: frozenset[str | None]) -> list[str]:
    """The known ones of some names, each once, in their order."""
    return list(dict.fromkeys(each for each in names if isinstance(each, str) and each in known))


def _names(record: Mapping[str, Any]) -> list[str | None]:
    """What binds a record to others: its message, the calls that it makes and answers."""
    message = record.get("message")
    own = message.get("id") if isinstance(message, Mapping) else None
    found = blocks(record)
    calls = [each.id for each in found if isinstance(each, ToolCall)]
    answers = [each.call_id for each in found if isinstance(each, ToolResult)]
    return [own if isinstance(own, str) else None, *calls, None, *answers]


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
