"""Findings of a session: what reading it met, what its links needed, what was written twice."""

from collections.abc import Callable, Iterator

from ccbrowse.core.chain import Chain, Note
from ccbrowse.core.findings import Finding, Severity, finding
from ccbrowse.core.index import NO_TIME, REPLAY, SessionIndex, Trouble
from ccbrowse.core.records import Kind
from ccbrowse.core.records.kinds import SIDE_TYPES

_ASKED = 50
"""Records of a file without uuids whose types are looked at."""

_LINE_WORDS = {
    "damaged_line": "line {line} holds no record",
    "damaged_line_recovered": "line {line} is damaged; the whole records in it are shown",
    "nul_bytes": "line {line} holds NUL bytes",
    "invalid_utf8": "line {line} is not valid UTF-8",
    "not_strict_json": "line {line} is not strict JSON",
    "nested_too_deep": "line {line} is nested too deeply to be shown whole",
}

_NOTE_WORDS = {
    "parent_in_side_file": "line {line} hangs on a record in a subagent's file",
    "parent_missing": "line {line} names a parent that is not in the file; joined to the record before it",
    "parent_unnamed": "line {line} names no parent; joined to the record before it",
    "parent_loop": "line {line} closes a circle of links; it was cut there",
    "logical_parent_missing": "the boundary on line {line} names a record that is not in the file",
    "logical_parent_loop": "the boundary on line {line} names a record that comes after it",
    "logical_parent_in_other_file": "the boundary on line {line} goes on in session {detail}",
    "starts_at_boundary": "the file starts with the boundary on line {line}",
    "kept_relinked": "line {line} hangs on a message that was kept; put after the boundary",
    "boundary_bypassed": "line {line} hangs on a stale record before a boundary; put after the boundary",
}


def find_all(
    index: SessionIndex, chain: Chain, same: Callable[[int, int], bool], notes: bool = True
) -> list[Finding]:
    """The findings of a session in the order of their lines; without notes where they are not wanted.

    `same` tells whether two rows hold the same record: asked only for what was written again.
    """
    found = [_of_trouble(trouble) for trouble in index.troubles]
    found += (_of_note(index, note) for note in chain.links.notes)
    found += _replays(index, same)
    found += (_of_number(index, row) for row in index.requests.strange)
    if notes:
        found += _backwards(index, chain)
    elif found:
        found = [each for each in found if each.severity is not Severity.NOTE]
    return sorted(found, key=lambda each: each.line or 0)


def foreign(index: SessionIndex, type_of: Callable[[int], object]) -> Finding | None:
    """That a file is no conversation of the client's: no record has a uuid, none a type of its bookkeeping.

    `type_of` tells the type written on a row; only the first rows are asked for.
    """
    if index.rows or not len(index):
        return None
    types = {type_of(row) for row in range(min(len(index), _ASKED)) if index.kind[row] != Kind.BAD}
    if types & SIDE_TYPES or Kind.REQUEST in index.kind:
        return None
    return finding("not_a_transcript", 1, None, "no line holds a record of a conversation")


def _of_trouble(trouble: Trouble) -> Finding:
    return finding(
        trouble.code, trouble.line, None, _LINE_WORDS[trouble.code].format(line=trouble.line)
    )


def _of_note(index: SessionIndex, note: Note) -> Finding:
    line = index.line[note.row]
    words = _NOTE_WORDS[note.code].format(line=line, detail=note.detail)
    return finding(note.code, line, index.uuids[note.row], words)


def _of_number(index: SessionIndex, row: int) -> Finding:
    line = index.line[row]
    words = f"a token count on line {line} cannot be true; it is left out"
    return finding("impossible_count", line, index.uuids[row], words)


def _replays(index: SessionIndex, same: Callable[[int, int], bool]) -> Iterator[Finding]:
    """One finding for each record that was written again: byte for byte, or with other content."""
    if not index.latest:
        return
    for row in range(len(index)):
        if not index.flags[row] & REPLAY:
            continue
        first = index.peer[row]
        again = same(first, row)
        code = "record_replayed" if again else "record_rewritten"
        words = "line {} is line {} again{}".format(
            index.line[row], index.line[first], "" if again else ", with other content"
        )
        yield finding(code, index.line[row], index.uuids[row], words)


def _backwards(index: SessionIndex, chain: Chain) -> Iterator[Finding]:
    """One note for a main line whose times run backwards, at the first place."""
    newest, count, first = NO_TIME, 0, 0
    for row in chain.path:
        time = index.time[row]
        if time == NO_TIME:
            continue
        if time < newest:
            count += 1
            first = first or index.line[row]
        newest = time
    if count:
        words = f"{count} records are older than the one before them, the first on line {first}"
        yield finding("time_runs_backwards", first, None, words)
