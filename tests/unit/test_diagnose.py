"""Findings of a session: one for each thing that is wrong or repaired, with its line, in order."""

from __future__ import annotations

import pytest
from logs import Log, Reading, counters

from ccbrowse.core.findings import Finding
from ccbrowse.core.session import Session


def told(session: Session) -> list[tuple[str, str, int | None, str | None]]:
    """Code, severity, line and uuid of each finding."""
    return [(f.code, f.severity.value, f.line, f.uuid) for f in session.findings]


@pytest.mark.parametrize(
    ("line", "code", "severity"),
    [
        (b"{half", "damaged_line", "error"),
        (b'{"type":"mode","a":NaN}', "not_strict_json", "warning"),
        (b'{"type":"mode","a":"\xff"}', "invalid_utf8", "warning"),
        (b'\0{"type":"mode"}', "nul_bytes", "warning"),
        (b'{"x {"type":"mode","sessionId":"s"}', "damaged_line_recovered", "warning"),
        (
            b'{"type":"mode","a":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
            "nested_too_deep",
            "warning",
        ),
    ],
)
def test_a_line_that_was_hard_to_read_is_told(
    read_log: Reading, line: bytes, code: str, severity: str
) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.raw(line)
    log.user("u2")
    session = read_log(log)
    assert told(session) == [(code, severity, 2, None)]
    assert "line 2" in session.findings[0].message


def test_findings_stand_in_the_order_of_their_lines(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent="gone")
    log.raw(b"{half")
    log.boundary("B1", "gone too")
    log.raw(b'{"type":"mode","a":NaN}')
    log.user("u2")
    log.again(1)
    lines = [(line, code) for code, _, line, _ in told(read_log(log))]
    assert lines == [
        (1, "parent_missing"),
        (2, "damaged_line"),
        (3, "logical_parent_missing"),
        (4, "not_strict_json"),
        (6, "record_replayed"),
    ]


def test_a_record_written_again_is_held_against_the_first(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.user("u2")
    log.again(1)
    log.again(2, extra=True)
    found = read_log(log).findings
    assert [(f.code, f.line, f.uuid) for f in found] == [
        ("record_replayed", 3, "u1"),
        ("record_rewritten", 4, "u2"),
    ]
    assert found[0].message == "line 3 is line 1 again"
    assert found[1].message == "line 4 is line 2 again, with other content"


def test_a_record_written_again_on_a_damaged_line_is_compared_by_itself(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.raw(b'{"type":"us' + log.lines[0])
    codes = [f.code for f in read_log(log).findings]
    assert codes == ["damaged_line_recovered", "record_replayed"]


@pytest.mark.parametrize(
    ("fresh", "told_of"),
    [(-5, True), (1 << 62, True), (1 << 53, True), (5, False), (2_000_000, False)],
)
def test_a_count_that_cannot_be_true_is_told_and_left_out(
    read_log: Reading, fresh: int, told_of: bool
) -> None:
    log = Log()
    log.user("u1", parent=None)
    message = {"id": "m1", "model": "x", "content": [], "usage": counters(fresh, 1, 1, 1)}
    log.linked("assistant", "a1", message=message)
    session = read_log(log)
    codes = [(f.code, f.line) for f in session.findings]
    assert codes == ([("impossible_count", 2)] if told_of else [])
    assert session.usage.input_tokens == (0 if told_of else fresh)


def test_times_are_looked_at_on_the_main_line_alone(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.user("u2", timestamp="2020-01-01T00:00:00.000Z")
    log.user("u3", parent="u1")
    assert read_log(log).findings == []


def test_several_steps_back_are_one_note_at_the_first(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    for year in (2022, 2021, 2023, 2020):
        log.user(f"u{year}", timestamp=f"{year}-01-01T00:00:00.000Z")
    assert read_log(log).findings == [
        Finding(
            code="time_runs_backwards",
            severity=read_log(log).findings[0].severity,
            line=2,
            uuid=None,
            message="3 records are older than the one before them, the first on line 2",
        )
    ]


def test_warnings_are_the_findings_above_notes(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent="gone")
    log.again(1)
    log.user("u2", timestamp="2020-01-01T00:00:00.000Z")
    session = read_log(log)
    assert len(session.findings) == 3
    assert [f.code for f in session.warnings()] == ["parent_missing"]


def test_where_there_are_notes_alone_there_are_no_warnings(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.again(1)
    session = read_log(log)
    assert [f.severity.value for f in session.findings] == ["note"]
    assert session.warnings() == []


def test_a_healthy_file_has_no_findings(read_log: Reading) -> None:
    log = Log()
    log.user("u1", parent=None)
    log.reply("a1", usage=(1, 2, 3, 4))
    log.boundary("B1")
    log.summary("s1")
    log.user("u2")
    assert read_log(log).findings == []


def test_a_file_of_another_program_is_no_transcript(read_log: Reading) -> None:
    log = Log()
    log.row({"type": "system", "subtype": "init", "session_id": "s"})
    log.row({"type": "result", "result": "Done."})
    assert told(read_log(log)) == [("not_a_transcript", "warning", 1, None)]


@pytest.mark.parametrize("kind", ["mode", "api-request"])
def test_bookkeeping_alone_is_the_client_s(read_log: Reading, kind: str) -> None:
    log = Log()
    log.row({"type": kind, "sessionId": log.session_id})
    assert told(read_log(log)) == []
