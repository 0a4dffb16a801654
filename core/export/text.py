"""A part as plain text: headings at the margin, whatever was said two columns in, no markup."""

from __future__ import annotations

from collections.abc import Iterator

from ccbrowse.core.export.calls import headline, input_sheets, outcome, result_sheets, tool_name
from ccbrowse.core.export.facts import (
    Fact,
    boundary_facts,
    finding_words,
    head_facts,
    part_findings,
    segment_facts,
)
from ccbrowse.core.export.moments import clock
from ccbrowse.core.export.options import Options, Tools
from ccbrowse.core.export.parts import Part
from ccbrowse.core.export.pieces import (
    Called,
    Command,
    LooseResult,
    Note,
    Odd,
    Output,
    Picture,
    Piece,
    Thought,
    Words,
    odd_text,
)
from ccbrowse.core.export.story import Message, Opening, Story
from ccbrowse.core.export.wording import SIGNS_EXPLAINED
from ccbrowse.core.records import Image, ToolResult
from ccbrowse.core.texts import image_note

_INSET = "  "
_RULE = "-" * 72


def export_text(part: Part, options: Options) -> Iterator[str]:
    """The part, piece by piece. Raises Gone or OSError where the file cannot be read any more."""
    yield from _facts(head_facts(part, options))
    yield f"{SIGNS_EXPLAINED}\n"
    story = Story(part, options)
    for event in story:
        if isinstance(event, Opening):
            yield from _opening(event, part, options)
        else:
            yield from _message(event, part, options)
    if findings := part_findings(part):
        yield f"\n{_RULE}\nFindings\n"
        yield from (f"{_INSET}{finding_words(found, options)}\n" for found in findings)
    if story.omitted:
        yield f"\n{_RULE}\nLeft out\n"
        yield from (f"{_INSET}{what}: {count:,}\n" for what, count in story.omitted.items())


def _facts(facts: Iterator[Fact], inset: str = "") -> Iterator[str]:
    for fact in facts:
        yield f"{inset}{fact.label}: {fact.value}\n"


def _opening(event: Opening, part: Part, options: Options) -> Iterator[str]:
    segment = event.segment
    yield f"\n{_RULE}\nSegment {segment.number}\n"
    if event.here:
        yield "Compaction:\n"
        yield from _facts(boundary_facts(part, segment, options), _INSET)
    yield from _facts(segment_facts(segment, options), _INSET)


def _message(message: Message, part: Part, options: Options) -> Iterator[str]:
    model = f" ({options.line(message.model)})" if message.model else ""
    yield f"\n[{clock(message.time, options.zone)}] {message.voice.value}{model}\n"
    if not message.pieces:
        yield f"{_INSET}(empty)\n"
    for piece in message.pieces:
        yield from _piece(piece, part, options)


def _inset(text: str, more: str = "") -> Iterator[str]:
    for line in text.rstrip("\n").split("\n"):
        yield f"{_INSET}{more}{line}\n" if line else "\n"


def _piece(piece: Piece, part: Part, options: Options) -> Iterator[str]:
    match piece:
        case Words():
            yield from _inset(options.text(piece.text))
        case Thought():
            yield f"{_INSET}Thinking:\n"
            yield from _inset(options.text(piece.text), _INSET)
        case Command():
            yield from _inset(options.text(piece.text))
        case Output():
            yield from _inset(options.text(piece.text), _INSET)
        case Note():
            yield f"{_INSET}{options.line(piece.label)}\n"
            if piece.text:
                yield from _inset(options.text(piece.text), _INSET)
        case Picture():
            yield f"{_INSET}{options.line(image_note(piece.image))}\n"
        case Odd():
            yield f"{_INSET}A block of type {options.line(piece.type)}:\n"
            yield from _inset(options.text(odd_text(piece)), _INSET)
        case Called():
            yield from _call(piece, part.session.cwd or "", options)
        case LooseResult():
            whose = "of a server's tool" if piece.server else "of a call outside this part"
            yield f"{_INSET}Result {whose}: {outcome(piece.result, options)}\n"
            if options.tools is Tools.FULL:
                yield from _result(piece.result, options)


def _call(piece: Called, cwd: str, options: Options) -> Iterator[str]:
    name = options.line(tool_name(piece.call), 80)
    if options.tools is Tools.SHORT:
        about = options.line(headline(piece.call, cwd), 120)
        came = outcome(piece.result, options) if piece.result else piece.fate.value
        yield f"{_INSET}* {' '.join(filter(None, (name, about)))} -> {came}\n"
        return
    yield f"{_INSET}* Tool call: {name}\n"
    for sheet in input_sheets(piece.call, options):
        yield f"{_INSET * 2}{options.line(sheet.label, 80)}:\n"
        yield from _inset(sheet.text, _INSET * 2)
    if piece.result is None:
        yield f"{_INSET * 2}({piece.fate.value})\n"
    else:
        yield f"{_INSET * 2}{'failed' if piece.result.is_error else 'result'}:\n"
        yield from _result(piece.result, options)


def _result(result: ToolResult, options: Options) -> Iterator[str]:
    for sheet in result_sheets(result, options):
        yield from _inset(sheet.text, _INSET * 2)
    for part in result.parts:
        if isinstance(part, Image):
            yield f"{_INSET * 3}{options.line(image_note(part))}\n"
