"""What a search finds."""

from dataclasses import dataclass
from pathlib import Path

from ccbrowse.core.fields import Field
from ccbrowse.core.search.needles import Span

BEFORE, AFTER, LONGEST = 60, 120, 240
"""Characters of a snippet before and after the match, and of the match itself."""


@dataclass(frozen=True, slots=True)
class Snippet:
    """A match and what stands around it, as found (not yet safe for a screen).

    Blanks and line breaks around the match are folded to one blank, cuts are marked by `…`.
    """

    before: str
    match: str
    after: str

    @property
    def text(self) -> str:
        """The snippet as one string."""
        return self.before + self.match + self.after


@dataclass(frozen=True, slots=True)
class Hit:
    """A record and field that hold what was looked for, or a session's title.

    file: the file that holds the record: the session's, or a subagent's.
    line: its physical line, from 1; None for a title that no record holds.
    segment: the number of the segment on the session's main line; None beside it.
    agent_id: whose record it is, where it is a subagent's; such a record is beside the main line.
    row: the record's row in the index of `file`; None for titles without a record.
    part, start, length: the first match, in characters of that text among the record's
    `field_texts` (of the title, where the field is that).
    """

    session_id: str
    title: str
    session_file: Path
    file: Path
    uuid: str | None
    segment: int | None
    line: int | None
    field: Field
    snippet: Snippet
    on_main_line: bool
    agent_id: str | None
    row: int | None
    part: int
    start: int
    length: int


def snippet_of(text: str, span: Span) -> Snippet:
    """The surroundings of a match."""
    start, stop = span.start, span.start + span.length
    left, right = max(0, start - BEFORE), min(len(text), stop + AFTER)
    match = text[start:stop]
    if len(match) > LONGEST:
        return Snippet(_before(text, left, start), match[: LONGEST - 1] + "…", "")
    after = _folded(text[stop:right]).rstrip() + ("…" if right < len(text) else "")
    return Snippet(_before(text, left, start), match, after)


def _before(text: str, left: int, start: int) -> str:
    return ("…" if left else "") + _folded(text[left:start]).lstrip()


def _folded(text: str) -> str:
    """White space run together; none at an end is lost."""
    words = " ".join(text.split())
    if not words:
        return " " if text else ""
    return (" " if text[0].isspace() else "") + words + (" " if text[-1].isspace() else "")
