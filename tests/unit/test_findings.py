"""The kinds of finding: each known, told once, and of the severity that the contract gives it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ccbrowse.core.findings import CODES, Finding, Severity, finding
from ccbrowse.core.records import Oddity

NOTES = {
    "kept_relinked", "record_replayed", "starts_at_boundary", "parent_in_side_file",
    "time_runs_backwards", "logical_parent_in_other_file",
}  # fmt: skip
"""What healthy clients do."""

ERRORS = {"damaged_line", "file_unreadable"}
"""What is lost or damaged."""


@pytest.mark.parametrize("code", CODES)
def test_a_code_is_words_joined_by_lines_with_meaning_and_remedy(code: str) -> None:
    assert code.replace("_", "").isalnum()
    assert code == code.lower()
    known = CODES[code]
    for text in (known.meaning, known.remedy):
        assert text == text.strip()
        assert text
        assert not text.endswith(".")


@pytest.mark.parametrize("code", CODES)
def test_a_code_has_the_severity_of_the_contract(code: str) -> None:
    expected = "note" if code in NOTES else "error" if code in ERRORS else "warning"
    assert CODES[code].severity == expected


@pytest.mark.parametrize("code", CODES)
def test_a_code_is_found_by_something(code: str, root: Path) -> None:
    sources = [path for folder in ("core", "tui") for path in (root / folder).rglob("*.py")]
    named = [
        path
        for path in sources
        if path.name != "findings.py" and f'"{code}"' in path.read_text(encoding="utf-8")
    ]
    assert named


def test_oddities_of_lines_are_codes() -> None:
    assert {oddity.value for oddity in Oddity} <= set(CODES)


def test_a_finding_has_the_severity_of_its_code() -> None:
    assert finding("damaged_line", 3, None, "m") == Finding(
        "damaged_line", Severity.ERROR, 3, None, "m"
    )
    with pytest.raises(KeyError):
        finding("never_heard_of", None, None, "m")
