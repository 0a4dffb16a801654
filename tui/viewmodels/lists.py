"""Lists to choose from: branches and findings; and places that a person names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from ccbrowse.core.chain import Branch
from ccbrowse.core.findings import Finding, Severity
from ccbrowse.core.index import NO_TIME, SessionIndex
from ccbrowse.core.text import SafeText, display_text
from ccbrowse.tui.viewmodels import figures
from ccbrowse.tui.viewmodels.choice import ListItem
from ccbrowse.tui.viewmodels.forkrows import said_in
from ccbrowse.tui.viewmodels.forks import Forks, Link
from ccbrowse.tui.viewmodels.items import DAY
from ccbrowse.tui.viewmodels.lore import Bodies
from ccbrowse.tui.viewmodels.outline import Outline, record_key
from ccbrowse.tui.viewtypes import Tone, line

_TONES = {Severity.NOTE: Tone.MUTED, Severity.WARNING: Tone.WARN, Severity.ERROR: Tone.BAD}
_TIME = re.compile(r"(\d{1,2}):(\d{2})")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_LINE = re.compile(r"l(?:ine)?[: ]?\s*(\d{1,12})")
_SEGMENT_BEFORE = re.compile(r"^#?\d{1,6}/(?=.)")


def branch_choices(bodies: Bodies, forks: Forks) -> list[ListItem]:
    """Other sessions by forks, the arms that rewinds left, newest first, then the prompts that were edited.

    The key is an arm's leaf in digits, a file's path behind `LINK`, or a prompt's own. Reads one body each.
    """
    arms = sorted(
        (arm for fork in forks.at.values() for arm in fork.arms), key=lambda arm: -arm.leaf
    )
    edits = sorted(forks.edited, reverse=True)
    return [
        *(_link(link) for links in forks.links.values() for link in links),
        *(_branch(bodies, forks, arm) for arm in arms),
        *(_edited(bodies, forks, row) for row in edits if forks.withdrawn(bodies.index, row)),
    ]


LINK = "file:"
"""Before the path of another session, in keys."""


def _link(link: Link) -> ListItem:
    what = SafeText("forked from") if link.older else SafeText("forked into")
    head = line((what, Tone.PERSON), (SafeText(" · a session of its own"), Tone.MUTED))
    return ListItem(f"{LINK}{link.path}", head, line((link.title, Tone.MUTED)))


def _branch(bodies: Bodies, forks: Forks, branch: Branch) -> ListItem:
    messages = figures.counted(branch.messages, "message")
    when = figures.stamp(bodies.index.time[branch.leaf])
    words = said_in(bodies, forks.opening(bodies.index, branch.leaf))
    head = line(
        (SafeText("rewind"), Tone.PERSON),
        SafeText(f" · {messages}  "),
        (SafeText(f"left {when}" if when else ""), Tone.MUTED),
    )
    return ListItem(str(branch.leaf), head, line((words, Tone.MUTED)))


def _edited(bodies: Bodies, forks: Forks, row: int) -> ListItem:
    count = len(forks.withdrawn(bodies.index, row))
    head = line(
        (SafeText("edited prompt"), Tone.MUTED),
        SafeText(f" · {count}×  "),
        (figures.stamp(bodies.index.time[row]), Tone.MUTED),
    )
    return ListItem(record_key(bodies.index, row), head, line((said_in(bodies, row), Tone.MUTED)))


def finding_choices(findings: Sequence[Finding]) -> list[ListItem]:
    """The findings; the key is the record's line."""
    return [
        ListItem(
            f"line:{finding.line or 1}",
            line(
                (display_text(finding.severity.value), _TONES[finding.severity]),
                SafeText("  "),
                display_text(finding.message),
            ),
        )
        for finding in findings
    ]


def find_place(outline: Outline, words: str, cursor: int) -> int | None:
    """The item that a person names, or None.

    A uuid or the start of one, also behind a segment as in ``3/4f0c``; a physical line, ``line 5144``; a
    time, ``10:14``, or a day with or without one, ``2026-03-03 10:14``. A time of day is the next one from
    the cursor on, else the first in the session.
    """
    words = _SEGMENT_BEFORE.sub("", words.strip())
    number = outline.find(words)
    if number is not None:
        return number
    if line := _LINE.fullmatch(words.lower()):
        return _at_line(outline, int(line[1]))
    if time := _TIME.fullmatch(words):
        return _at_time(outline, int(time[1]) * 60 + int(time[2]), cursor)
    if _DAY.match(words) and (number := _at_moment(outline, words)) is not None:
        return number
    if len(words) >= 4:
        return _at_prefix(outline, words.lower())
    return None


def _at_moment(outline: Outline, words: str) -> int | None:
    """The first item at or after a local date and time."""
    try:
        wanted = round(datetime.fromisoformat(words).timestamp() * 1000)
    except (ValueError, OverflowError):
        return None
    times = outline.index.time
    for number in range(len(outline)):
        moment = times[outline.rows[number]]
        if moment != NO_TIME and moment >= wanted and outline.parts[number] != DAY:
            return number
    return None


def _at_line(outline: Outline, wanted: int) -> int | None:
    lines = outline.index.line
    row = next((row for row, number in enumerate(lines) if number >= wanted), None)
    return None if row is None else outline.near(row)


def _at_prefix(outline: Outline, prefix: str) -> int | None:
    for row, uuid in enumerate(outline.index.uuids):
        if uuid is not None and uuid.lower().startswith(prefix):
            return outline.near(row)
    return None


def _at_time(outline: Outline, minute: int, cursor: int) -> int | None:
    """The first item at or after a minute of the day, from the cursor on and around."""
    count = len(outline)
    before: int | None = None
    for step in range(count + 1):
        number = (max(0, cursor) + step) % count
        now = _minute(outline.index, outline.rows[number])
        if now is None or outline.parts[number] == DAY:
            continue
        if now == minute or (before is not None and before < minute < now):
            return number
        before = now
    return None


def _minute(index: SessionIndex, row: int) -> int | None:
    moment = figures.local(index.time[row])
    return None if moment is None else moment.hour * 60 + moment.minute
