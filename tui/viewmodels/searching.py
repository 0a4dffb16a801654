"""What the search screen says: how far a search is, what to type, what was not found."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ccbrowse.core.listing import Listing
from ccbrowse.core.search import Hit
from ccbrowse.core.search.child import News
from ccbrowse.core.text import SafeText, display_text, one_line
from ccbrowse.tui.viewmodels import figures
from ccbrowse.tui.viewmodels.finding import How, how_words, quoted
from ccbrowse.tui.viewmodels.hits import HitRows
from ccbrowse.tui.viewtypes import Line, Piece, Tone, line

CRUMBS: Line = (
    Piece(SafeText("ccbrowse"), Tone.MUTED),
    Piece(SafeText("search"), Tone.STRONG),
)
_EXAMPLES = (
    ("refresh token", "these words as they stand, in any case"),
    ("project:api after:7d timeout", "in sessions of a project, of this week"),
    ("user:deploy", "what a person sent; also assistant:"),
    ("", "thinking: tool: result: summary: file:"),
    ("has:compact segments>3 cache", "conditions on the session, ! negates"),
    ("lost:invoice", "what a compaction lost (slow)"),
    ('"has:compact"', "in quotes: text, whatever it looks like"),
)
_COLUMN = 30


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search is. `given_up`: texts that a pattern took too long on."""

    searching: bool = False
    done: int = 0
    count: int = 0
    unread: int = 0
    given_up: int = 0
    stopped: bool = False
    full: bool = False
    lost: bool = False
    started: bool = False

    def after(self, news: News) -> Progress:
        """How far it is after more news."""
        return replace(
            self,
            searching=not news.ended,
            done=news.done,
            count=news.count,
            unread=news.unread,
            given_up=news.given_up,
            full=news.full,
            started=True,
        )

    def stopped_now(self) -> Progress:
        """The same, given up by the user."""
        return replace(self, searching=False, stopped=True)


def title_words(text: str, how: How) -> SafeText:
    """The frame's title: what was searched, and how it was meant."""
    if not text:
        return SafeText("search all sessions")
    meant = how_words(how)
    return SafeText(f"/ {one_line(text, 60)}" + (f" · {meant}" if meant else ""))


def facts(rows: HitRows, progress: Progress) -> tuple[Line, ...]:
    """The top line's facts: matches, then how far the search is."""
    found: list[Line] = []
    if rows.hits:
        sessions = figures.counted(len(rows.groups), "session")
        found.append(
            line(
                (figures.counted(len(rows.hits), "hit"), Tone.STRONG),
                SafeText(" in "),
                (sessions, Tone.PLAIN),
            )
        )
    if words := progress_words(progress):
        tone = Tone.TOOL if progress.searching else Tone.MUTED
        found.append(line((words, tone)))
    if progress.full:
        found.append(line((SafeText("stopped there: name more words"), Tone.WARN)))
    if progress.unread:
        unread = figures.counted(progress.unread, "file")
        found.append(line((SafeText(f"⚠ {unread} could not be read"), Tone.WARN)))
    if progress.given_up:
        texts = figures.counted(progress.given_up, "text")
        found.append(line((SafeText(f"⚠ the pattern took too long on {texts}"), Tone.WARN)))
    return tuple(found)


def progress_words(progress: Progress) -> SafeText:
    """``searching 34 of 500 sessions …``, ``500 sessions searched``"""
    if progress.searching:
        what = "looking for losses in" if progress.lost else "searching"
        if not progress.count:
            return SafeText(f"{what} …")
        return SafeText(f"{what} {progress.done:,} of {progress.count:,} sessions …")
    if progress.stopped:
        return SafeText(f"stopped after {progress.done:,} of {progress.count:,} sessions")
    if not progress.started:
        return SafeText("")
    return SafeText(f"{figures.counted(progress.count, 'session')} searched")


def nothing_words(text: str, progress: Progress, hint: str) -> list[Line]:
    """What stands in the place of hits where there are none."""
    if not text:
        return _how_to()
    if progress.searching:
        return [line((SafeText("  searching …"), Tone.MUTED))]
    words = [line(SafeText("  nothing found for "), (quoted(text), Tone.STRONG))]
    if hint:
        words.append(line((SafeText(f"  {display_text(hint)}"), Tone.WARN)))
    if progress.stopped:
        words.append(line((SafeText("  the search was stopped before its end"), Tone.MUTED)))
    return words


def _how_to() -> list[Line]:
    lines: list[Line] = [(), line((SafeText("  what to type"), Tone.TOOL)), ()]
    for example, told in _EXAMPLES:
        shown = SafeText(f"  {example:<{_COLUMN}}")
        lines.append(line((shown, Tone.STRONG), (SafeText(told), Tone.MUTED)))
    lines.append(())
    lines.append(
        line((SafeText("  hits come while files are read; esc stops, enter opens"), Tone.MUTED))
    )
    return lines


def about(listing: Listing | None, now: int) -> SafeText:
    """What stands behind a session's title: its project, and its age."""
    if listing is None:
        return SafeText("")
    return SafeText(f"{one_line(listing.project, 30)} · {figures.age(listing.updated, now)}")


def crumbs_of(hit: Hit) -> tuple[SafeText, ...]:
    """The top line of what is opened from a search."""
    if hit.agent_id:
        return SafeText("search"), one_line(hit.title, 40), SafeText("subagent")
    if hit.on_main_line:
        return (SafeText("search"),)
    return SafeText("search"), one_line(hit.title, 40), SafeText("branch")
