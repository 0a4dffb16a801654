"""A part as one HTML file: nothing is fetched, nothing runs, and it reads without a script.

The page's frame is a template; what stands in it is made here, as views of plain text that the
template escapes, or of Markup from `rendering`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined, Template
from markupsafe import Markup

from ccbrowse.core.export.facts import (
    Fact,
    boundary_facts,
    finding_words,
    head_facts,
    part_findings,
    part_name,
    segment_facts,
    title_of,
)
from ccbrowse.core.export.htmlpieces import PieceView, piece_views
from ccbrowse.core.export.moments import clock, iso_date
from ccbrowse.core.export.options import Options
from ccbrowse.core.export.parts import Part
from ccbrowse.core.export.story import Message, Opening, Story, Voice
from ccbrowse.core.export.wording import SIGNS_EXPLAINED, counted
from ccbrowse.core.segments import Segment

_WIDTH, _HEIGHT = 600, 60
_POINTS = 300
_ON_TOP = ("title", "part")
"""Facts that stand above the list of facts."""

_LOOKS = {
    Voice.USER: "user",
    Voice.QUEUED: "user",
    Voice.BESIDE: "user",
    Voice.ASSISTANT: "assistant",
    Voice.SUMMARY: "summary",
}


@dataclass(frozen=True, slots=True)
class Curve:
    """The context over a segment's requests as points of two lines, and the same in words."""

    line: str
    area: str
    words: str
    width: int = _WIDTH
    height: int = _HEIGHT


@dataclass(frozen=True, slots=True)
class SegmentView:
    """A segment's opening."""

    anchor: str
    number: int
    facts: list[Fact]
    boundary: list[Fact]
    curve: Curve | None
    kind: str = "segment"


@dataclass(frozen=True, slots=True)
class MessageView:
    """A message; `pieces` are made as they are drawn."""

    anchor: str
    look: str
    voice: str
    model: str
    date: str | None
    clock: str
    pieces: list[PieceView]
    kind: str = "message"


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the table of contents."""

    address: str
    label: str
    words: str


@dataclass(frozen=True, slots=True)
class Sheaf:
    """Where a page stands among those of an export: its number from 1, the addresses of all of them.

    `starts` gives the number of the page that a segment, by its anchor, begins on.
    """

    number: int
    addresses: tuple[str, ...]
    starts: Mapping[str, int]

    def address(self, anchor: str) -> str:
        """Where an anchor is, as seen from this page; what is on no page is at the end."""
        number = self.starts.get(anchor, len(self.addresses))
        return f"#{anchor}" if number == self.number else f"{self.addresses[number - 1]}#{anchor}"


ALONE = Sheaf(1, ("",), {})
"""A page that is all of its export."""


def export_html(part: Part, options: Options) -> Iterator[str]:
    """The page, piece by piece. Raises Gone or OSError where the file cannot be read any more."""
    story = Story(part, options)
    yield from framed(story, (text for _, text in drawn(story)), ALONE)


def drawn(story: Story) -> Iterator[tuple[str, Markup]]:
    """The events of a story as HTML, each with its anchor where it opens a segment, else without."""
    draw = _template("pieces.html").module.event_of  # type: ignore[attr-defined]  # a macro
    for view in _views(story):
        yield view.anchor if isinstance(view, SegmentView) else "", draw(view)


def framed(story: Story, body: Iterable[Markup], sheaf: Sheaf) -> Iterator[str]:
    """A page around the HTML of its events: what it is above them, findings below the last one's."""
    part, options = story.part, story.options
    title = title_of(part, options) or f"Session {options.line(part.session.session_id, 8)}"
    last = sheaf.number == len(sheaf.addresses)
    page: dict[str, Any] = {
        "style": Markup(_package_text("style.css")),
        "generator": f"ccbrowse {options.version}".strip(),
        "title": title,
        "part_name": part_name(part, options),
        "head": [fact for fact in head_facts(part, options) if fact.key not in _ON_TOP],
        "signs": SIGNS_EXPLAINED,
        "contents": [_entry(segment, options, sheaf) for segment in part.segments],
        "sheaf": sheaf,
        "body": body,
        "last": last,
        "findings": [finding_words(found, options) for found in part_findings(part)]
        if last
        else (),
        "omitted": story.omitted,
    }
    yield from _template("page.html").generate(page)


@cache
def _template(name: str) -> Template:
    environment = Environment(
        loader=FunctionLoader(_package_text),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(name)


def _package_text(name: str) -> str:
    return (files("ccbrowse.core.export") / "templates" / name).read_text(encoding="utf-8")


def _entry(segment: Segment, options: Options, sheaf: Sheaf) -> Entry:
    words = f"{counted(segment.prompts, 'prompt')}, from {clock(segment.started, options.zone)}"
    return Entry(sheaf.address(f"s{segment.number}"), f"Segment {segment.number}", words)


def _views(story: Story) -> Iterator[SegmentView | MessageView]:
    for event in story:
        if isinstance(event, Opening):
            yield _segment(event, story)
        else:
            yield _message(event, story.options)


def _segment(event: Opening, story: Story) -> SegmentView:
    segment = event.segment
    boundary = boundary_facts(story.part, segment, story.options) if event.here else ()
    return SegmentView(
        anchor=f"s{segment.number}",
        number=segment.number,
        facts=list(segment_facts(segment, story.options)),
        boundary=list(boundary),
        curve=curve_of([story.index.requests.context(n) for n in segment.requests]),
    )


def _message(message: Message, options: Options) -> MessageView:
    typed = message.voice in (Voice.USER, Voice.QUEUED, Voice.BESIDE)
    return MessageView(
        anchor=f"m{message.row}",
        look=_LOOKS.get(message.voice, "client"),
        voice=message.voice.value,
        model=options.line(message.model) if message.model else "",
        date=iso_date(message.time, options.zone),
        clock=clock(message.time, options.zone),
        pieces=list(piece_views(message.pieces, options, typed)),
    )


def curve_of(weights: list[int]) -> Curve | None:
    """The curve of what requests weighed, in their order; None for fewer than two."""
    if len(weights) < 2:
        return None
    step = -(-len(weights) // _POINTS)
    points = [max(weights[at : at + step]) for at in range(0, len(weights), step)]
    most = max(points) or 1
    spread = _WIDTH / max(1, len(points) - 1)
    line = " ".join(
        f"{at * spread:.1f},{_HEIGHT - weight / most * (_HEIGHT - 2):.1f}"
        for at, weight in enumerate(points)
    )
    words = (
        f"Context over {counted(len(weights), 'request')}: {weights[0]:,}= at first, "
        f"{max(weights):,}= at most, {weights[-1]:,}= at last"
    )
    return Curve(line, f"0,{_HEIGHT} {line} {_WIDTH},{_HEIGHT}", words)
