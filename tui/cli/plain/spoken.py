"""What the screens say with signs, in words: numbers with their source, entries, boundaries, listings."""

from __future__ import annotations

import re

from ccbrowse.core.index import NO_TIME
from ccbrowse.core.library import Listing
from ccbrowse.core.numbers import Number, Source
from ccbrowse.core.text import SafeText, display_text, one_line
from ccbrowse.tui.viewmodels import figures
from ccbrowse.tui.viewmodels.listing import is_live
from ccbrowse.tui.viewtypes import BoundaryRow, Divider, Entry, ForkRow, Line, Outcome, Role, Row

_WORDS = 240
"""Characters of an item's words in a list."""

_NUMBER = re.compile(r"(?<![\w.,])([\d.,]+[kM]?)([=≈])")
_SAVED = re.compile(r"−([\d.,]+ %)")
_OUTCOMES = {
    Outcome.OK: "done",
    Outcome.FAILED: "failed",
    Outcome.RUNNING: "without a result",
}
_WHO = {
    Role.THINKING: "thinking",
    Role.TOOL: "tool",
    Role.RESULT: "result",
    Role.SUBAGENT: "subagent",
    Role.SUMMARY: "summary",
    Role.BRANCH: "branch",
    Role.COMMAND: "command",
    Role.QUEUED: "queued",
    Role.FINDING: "finding",
    Role.ERROR: "error",
}
_UNITS = (
    (31_536_000_000, "year"),
    (2_592_000_000, "month"),
    (86_400_000, "day"),
    (3_600_000, "hour"),
    (60_000, "minute"),
)


def in_words(text: SafeText) -> SafeText:
    """A text of ours with its signs as words: ``4.1k≈`` is about 4.1k, ``−78 %`` is 78 % less."""
    said = _NUMBER.sub(lambda m: m[1] if m[2] == "=" else f"about {m[1]}", text)
    said = _SAVED.sub(r"\1 less", said)
    for sign, word in (
        (" → ", " to "),
        ("✓", "done"),
        ("✗", "failed"),
        ("⚠", "warning "),
        ("±", "give or take "),
    ):
        said = said.replace(sign, word)
    return display_text(said)


def tokens(number: Number) -> SafeText:
    """A count of tokens: ``151,004 tokens``, ``about 812 tokens``, ``an unknown number of tokens``."""
    if number.value is None:
        return SafeText("an unknown number of tokens")
    about = "about " if number.source is Source.ESTIMATE else ""
    return SafeText(f"{about}{number.value:,} tokens")


def ago(moment: int, now: int) -> SafeText:
    """How long ago a time was: ``2 minutes ago``."""
    if moment == NO_TIME:
        return SafeText("at an unknown time")
    for length, word in _UNITS:
        if now - moment >= length:
            return SafeText(f"{figures.counted((now - moment) // length, word)} ago")
    return SafeText("just now")


def listing_line(listing: Listing, now: int) -> SafeText:
    """A session of the list."""
    parts = [
        one_line(listing.project, 60),
        ago(listing.sort_key[0], now),
        figures.counted(listing.turns, "turn"),
        figures.counted(listing.segments, "segment"),
    ]
    if listing.context_now.value is not None:
        parts.append(SafeText(f"context {tokens(listing.context_now)}"))
    if listing.findings:
        parts.append(figures.counted(listing.findings, "finding"))
    live = "Live. " if is_live(listing, now) else ""
    title = one_line(listing.title.text, _WORDS) or "(no title)"
    return SafeText(f"{title}. {live}{SafeText(', '.join(parts))}.")


def row_line(row: Row) -> SafeText:
    """A row of a timeline."""
    if isinstance(row, BoundaryRow):
        return boundary_line(row)
    if isinstance(row, ForkRow):
        return _fork_line(row)
    if isinstance(row, Divider):
        return display_text(row.text)
    return _entry_line(row)


def boundary_line(row: BoundaryRow) -> SafeText:
    """A compaction: ``compact 3, manual: 98,214 tokens before, 22,040 after, 78 % less``."""
    facts = [f"{row.before} tokens before"] if row.before else []
    facts += [f"{row.after} after"] if row.after else []
    facts += [text for text in (row.reduction, row.duration) if text]
    name = f"{row.title}, {row.trigger}" if row.trigger else row.title
    said = ", ".join([name, *facts])
    return in_words(SafeText(f"Compaction: {display_text(said)}."))


def _fork_line(row: ForkRow) -> SafeText:
    """A fork: what it is, the first words of each arm that was left, and how the line goes on."""
    arms = [f"left: {one_line(arm.words, 80)}" for arm in row.arms]
    goes = [f"goes on: {one_line(row.goes_on, 80)}"] if row.goes_on else []
    return display_text(f"Fork. {row.title}: {'; '.join([*arms, *goes])}.")


def _entry_line(entry: Entry) -> SafeText:
    who = _WHO.get(entry.role, "")
    label = display_text(entry.label)
    name = label if not who or who == label else f"{who} {label}"
    outcome = _OUTCOMES.get(entry.outcome, "")
    head = ", ".join(part for part in (entry.time, name, outcome) if part)
    words = one_line(entry.text, _WORDS)
    facts = in_words(flat(entry.facts)).strip()
    mark = f" Mark {entry.mark}." if entry.mark else ""
    told = f" ({facts})" if facts else ""
    return SafeText(f"{display_text(head)}: {words}{SafeText(told)}{SafeText(mark)}")


def flat(line: Line) -> SafeText:
    """The text of a line, its blanks run together."""
    return display_text(" ".join("".join(piece.text for piece in line).split()))
