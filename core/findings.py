"""Findings: what is wrong or was repaired in a file, said to the user with its line.

Every code stands in `CODES` with its severity, its meaning, and what one can do about it; `doctor
--codes` prints them. To add one, add it there and name it where it is found.
"""

from enum import StrEnum

from msgspec import Struct


class Severity(StrEnum):
    """How much a finding matters."""

    NOTE = "note"
    """What healthy clients do."""
    WARNING = "warning"
    """Repaired."""
    ERROR = "error"
    """Lost or damaged."""


class Finding(Struct, frozen=True):
    """One finding: `line` from 1 (None where it concerns the file), `uuid` of the record if it has one."""

    code: str
    severity: Severity
    line: int | None
    uuid: str | None
    message: str


class Code(Struct, frozen=True):
    """A kind of finding."""

    severity: Severity
    meaning: str
    remedy: str


_NOTHING = "nothing needs to be done"
_LOOK = "look at the line; a copy of the file from a backup may hold it whole"

CODES: dict[str, Code] = {
    "damaged_line": Code(Severity.ERROR, "a line holds no record that could be read", _LOOK),
    "damaged_line_recovered": Code(
        Severity.WARNING, "whole records were found inside a damaged line and are shown", _NOTHING
    ),
    "nul_bytes": Code(Severity.WARNING, "NUL bytes stood in a line and were taken out", _NOTHING),
    "invalid_utf8": Code(
        Severity.WARNING,
        "a line is not valid UTF-8; the broken characters are shown as U+FFFD",
        _NOTHING,
    ),
    "not_strict_json": Code(
        Severity.WARNING,
        "a line is JSON only to a lenient reader (NaN, control characters)",
        _NOTHING,
    ),
    "nested_too_deep": Code(
        Severity.WARNING,
        "values nested too deeply were cut from what is shown",
        "export it as JSONL",
    ),
    "parent_in_side_file": Code(
        Severity.NOTE, "a record hangs on one that only a subagent's file holds", _NOTHING
    ),
    "parent_missing": Code(
        Severity.WARNING,
        "a record names a parent that was never written; it was joined to the record before it",
        "nothing may be lost; compare the messages around the gap",
    ),
    "parent_unnamed": Code(
        Severity.WARNING,
        "a record does not say what it hangs on, where it must hang on something; it was joined to "
        "the record before it",
        "nothing may be lost; compare the messages around the gap",
    ),
    "parent_loop": Code(
        Severity.WARNING, "the links of records go round in a circle; it was cut", _NOTHING
    ),
    "logical_parent_missing": Code(
        Severity.WARNING,
        "a boundary names a record before it that was never written; file order joins the two parts",
        _NOTHING,
    ),
    "logical_parent_loop": Code(
        Severity.WARNING,
        "a boundary names a record after itself as the one before it; file order was used",
        _NOTHING,
    ),
    "logical_parent_in_other_file": Code(
        Severity.NOTE,
        "the conversation before this boundary stands in another session's file",
        "open the session that it continues from",
    ),
    "starts_at_boundary": Code(
        Severity.NOTE,
        "the file starts with a compaction: a fork, or a session whose start was moved",
        _NOTHING,
    ),
    "kept_relinked": Code(
        Severity.NOTE,
        "a record hangs on a message that a compaction kept; it was put after the boundary",
        _NOTHING,
    ),
    "boundary_bypassed": Code(
        Severity.WARNING,
        "a record hangs on one before a boundary that leads nowhere else; it was put after "
        "the boundary",
        _NOTHING,
    ),
    "record_replayed": Code(
        Severity.NOTE, "a record was written again, byte for byte; it is shown once", _NOTHING
    ),
    "record_rewritten": Code(
        Severity.WARNING,
        "a record was written again with other content; the last content is shown, at the "
        "first place",
        _NOTHING,
    ),
    "time_runs_backwards": Code(
        Severity.NOTE, "a record is older than the one before it; file order is kept", _NOTHING
    ),
    "not_a_transcript": Code(
        Severity.WARNING,
        "the file holds no record of a conversation; another program may have written it",
        _NOTHING,
    ),
    "file_unreadable": Code(
        Severity.ERROR, "the file could not be read", "look at its permissions and at the disk"
    ),
    "impossible_count": Code(
        Severity.WARNING,
        "a token count is below zero or larger than any request can be; it is left out of all sums",
        _NOTHING,
    ),
}


def finding(code: str, line: int | None, uuid: str | None, message: str) -> Finding:
    """A finding of a known code."""
    return Finding(code, CODES[code].severity, line, uuid, message)
