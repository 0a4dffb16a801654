"""What the real client wrote: every record has its place, every compaction is told as the file has it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ccbrowse.core.locate import session_files
from ccbrowse.core.records import CHAIN_KINDS
from ccbrowse.core.report import session_json
from ccbrowse.core.session import Session

SHARED = Path(__file__).resolve().parents[3] / "shared"
RECORDINGS = sorted((SHARED / "recordings").glob("*/*/projects"))
NAMES = [f"{path.parent.parent.name}/{path.parent.name}" for path in RECORDINGS]

pytestmark = pytest.mark.skipif(
    not RECORDINGS, reason="no recordings in ../shared beside the checkout"
)

MISSING_LINKS = {"logical_parent_missing", "parent_missing"}
"""Findings of links to what was never written: they are true of some recordings."""


class Recorded(NamedTuple):
    """A main file: its records as they stand, and what is shown of it."""

    path: Path
    rows: list[dict[str, Any]]
    shown: dict[str, Any]

    def uuids(self, *types: str) -> list[str]:
        """The uuids of main-lane records of some types, each once, in file order."""
        return list(
            dict.fromkeys(
                row["uuid"]
                for row in self.rows
                if row.get("type") in types and not row.get("isSidechain")
            )
        )

    @property
    def segments(self) -> list[dict[str, Any]]:
        """The segments that are shown."""
        found: list[dict[str, Any]] = self.shown["segments"]
        return found

    @property
    def boundaries(self) -> dict[str, dict[str, Any]]:
        """The boundaries by their uuids."""
        return {row["uuid"]: row for row in self.rows if row.get("subtype") == "compact_boundary"}


@cache
def recorded(projects: Path) -> tuple[Recorded, ...]:
    """The main files of a recording."""
    return tuple(_recorded(projects))


def _recorded(projects: Path) -> Iterator[Recorded]:
    for file in session_files(projects):
        rows = [json.loads(line) for line in file.path.read_bytes().split(b"\n") if line]
        session = Session.open(file)
        yield Recorded(file.path, rows, session_json(session, with_text_tokens=False))
        session.close()


each_recording = pytest.mark.parametrize("projects", RECORDINGS, ids=NAMES)


@each_recording
def test_each_message_is_on_the_line_or_beside_it_and_once(projects: Path) -> None:
    for file in recorded(projects):
        placed = Counter([*file.shown["chain"], *file.shown["off_chain"]])
        assert [uuid for uuid, times in placed.items() if times > 1] == []
        messages = set(file.uuids("user", "assistant"))
        assert messages - set(placed) == set()
        assert set(placed) == messages | set(file.boundaries)


@each_recording
def test_the_line_starts_at_the_beginning_and_ends_with_the_newest(projects: Path) -> None:
    for file in recorded(projects):
        if not file.shown["chain"]:
            continue
        first = next(row for row in file.rows if row.get("uuid"))
        known = {row["uuid"]: row for row in file.rows if row.get("uuid")}
        start = known[file.shown["chain"][0]]
        assert start is known[first["uuid"]] or start["parentUuid"] is None
        newest = file.uuids("user", "assistant", "system")[-1]
        assert newest in file.shown["chain"] or known[newest]["type"] == "system"


@each_recording
def test_each_boundary_of_the_line_opens_a_segment_with_the_numbers_of_the_file(
    projects: Path,
) -> None:
    for file in recorded(projects):
        chain, boundaries = file.shown["chain"], file.boundaries
        on_line = [uuid for uuid in chain if uuid in boundaries]
        segments = file.segments
        opened = [segment["boundary"] for segment in segments if segment["boundary"]]
        assert [boundary["uuid"] for boundary in opened] == on_line
        starts_there = bool(chain) and chain[0] in boundaries
        assert len(segments) == len(on_line) + (not starts_there and bool(chain))
        for boundary in opened:
            row = boundaries[boundary["uuid"]]
            stated = row["compactMetadata"]
            for key in ("trigger", "preTokens", "postTokens", "durationMs", "messagesSummarized"):
                assert boundary[key] == stated.get(key), key
            assert boundary["metadata"] == stated
            assert boundary["logicalParentUuid"] == row["logicalParentUuid"]
            kept = stated.get("preservedMessages", {})
            assert boundary["preserved"] == (kept.get("allUuids") or kept.get("uuids") or [])


@each_recording
def test_each_segment_begins_with_its_boundary_and_summary(projects: Path) -> None:
    for file in recorded(projects):
        summaries = {row["uuid"] for row in file.rows if row.get("isCompactSummary")}
        for segment in file.segments:
            found = [uuid for uuid in segment["uuids"] if uuid in summaries]
            if segment["boundary"]:
                assert segment["uuids"][0] == segment["boundary"]["uuid"]
                assert found == [segment["summary"]] == segment["uuids"][1:2]
            else:
                assert found == []
                assert segment["summary"] is None


@each_recording
def test_what_was_kept_is_carried_over_where_it_is_on_the_line(projects: Path) -> None:
    for file in recorded(projects):
        chain = set(file.shown["chain"])
        for segment in file.segments:
            kept = (segment["boundary"] or {}).get("preserved", [])
            assert segment["carried_over"] == [uuid for uuid in kept if uuid in chain]


@each_recording
def test_nothing_is_found_but_links_that_are_missing(projects: Path) -> None:
    for file in recorded(projects):
        known = {row["uuid"] for row in file.rows if row.get("uuid")}
        for found in file.shown["findings"]:
            if found["severity"] == "note":
                continue
            assert found["code"] in MISSING_LINKS, found
            rows = [row for row in file.rows if row.get("uuid") == found["uuid"]]
            named = {row.get("logicalParentUuid") or row["parentUuid"] for row in rows}
            assert not named & known, found


@each_recording
def test_requests_are_the_replies_of_the_file(projects: Path) -> None:
    for file in recorded(projects):
        usages: dict[Any, dict[str, int]] = {}
        for row in file.rows:
            message: dict[str, Any] = row.get("message", {})
            if row.get("type") != "assistant" or message["model"] == "<synthetic>":
                continue
            usage = {key: message["usage"][key] for key in _COUNTERS}
            # A fork's copy has its counters set to zero; with details left it is one of no tokens.
            if any(usage.values()) or any(message["usage"].get("cache_creation", {}).values()):
                usages[message["id"], row.get("requestId")] = usage
        wanted = {key: sum(usage[key] for usage in usages.values()) for key in _COUNTERS}
        got = file.shown["usage"]
        assert {key: got[key] for key in _COUNTERS} == wanted
        assert got["requests"] == len(usages)


_COUNTERS = (
    "input_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
    "output_tokens",
)


@each_recording
def test_every_file_is_undamaged(projects: Path) -> None:
    for file in recorded(projects):
        assert file.shown["malformed_lines"] == []
        assert not file.shown["incomplete_tail"]
        assert file.shown["lines"] == len(file.rows)
        assert file.shown["unpaired_results"] == []


def test_there_is_something_to_hold_them_to() -> None:
    files = [file for projects in RECORDINGS for file in recorded(projects)]
    assert len(files) > 50
    assert sum(len(file.boundaries) for file in files) > 50
    assert sum(len(file.shown["off_chain"]) for file in files) > 10
    kinds = Counter(leaf["kind"] for file in files for leaf in file.shown["branch_leaves"])
    assert set(kinds) <= {"edited_prompt", "rewind", "leftover"}
    assert CHAIN_KINDS
