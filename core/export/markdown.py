"""A part as CommonMark: a front matter, a heading for each message, texts that stay in their frames."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ccbrowse.core.export.calls import (
    headline,
    input_sheets,
    outcome,
    result_sheets,
    tool_name,
)
from ccbrowse.core.export.commonmark import code, escaped, fence, prose
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
from ccbrowse.core.export.jsontext import dump
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
from ccbrowse.core.export.wording import SIGNS_EXPLAINED, counted
from ccbrowse.core.records import Image, ToolResult

_YAML_ODD = re.compile(r"[<>&`]")
_SHORT_OUTPUT = 12
"""Lines of a command's output that a short export shows."""


def export_markdown(part: Part, options: Options) -> Iterator[str]:
    """The part, piece by piece. Raises Gone or OSError where the file cannot be read any more."""
    writer = _Markdown(part, options)
    yield from writer.head()
    yield from writer.body()
    yield from writer.foot()


class _Markdown:
    def __init__(self, part: Part, options: Options) -> None:
        self.part = part
        self.options = options
        self.story = Story(part, options)

    def head(self) -> Iterator[str]:
        options = self.options
        yield "---\n"
        for fact in head_facts(self.part, options):
            yield f"{fact.key}: {_yaml(fact.value)}\n"
        yield "segments:\n" if self.part.segments else ""
        for segment in self.part.segments:
            yield f"  - number: {segment.number}\n"
            for fact in segment_facts(segment, options):
                yield f"    {fact.key}: {_yaml(fact.value)}\n"
            if segment.boundary is not None:
                yield "    boundary:\n"
                for fact in boundary_facts(self.part, segment, options):
                    yield f"      {fact.key}: {_yaml(fact.value)}\n"
        yield "---\n\n"
        name = part_name(self.part, options)
        title = (
            title_of(self.part, options)
            or f"Session {options.line(self.part.session.session_id, 8)}"
        )
        yield f"# {escaped(title)}\n\n{escaped(name[:1].upper() + name[1:])}. {SIGNS_EXPLAINED}\n\n"

    def body(self) -> Iterator[str]:
        for event in self.story:
            if isinstance(event, Opening):
                yield from self._opening(event)
            else:
                yield from self._message(event)

    def foot(self) -> Iterator[str]:
        findings = part_findings(self.part)
        if findings:
            yield "## Findings\n\n"
            for found in findings:
                yield f"- {escaped(finding_words(found, self.options))}\n"
            yield "\n"
        if self.story.omitted:
            yield "## Left out\n\n"
            for what, count in self.story.omitted.items():
                yield f"- {escaped(what)}: {count:,}\n"
            yield "\n"

    def _opening(self, event: Opening) -> Iterator[str]:
        segment = event.segment
        yield f"## Segment {segment.number}\n\n"
        if event.here:
            yield f"**Compaction**, which opens segment {segment.number}:\n\n"
            yield from _list(boundary_facts(self.part, segment, self.options))
            yield "The segment:\n\n"
        yield from _list(segment_facts(segment, self.options))

    def _message(self, message: Message) -> Iterator[str]:
        model = f" · {escaped(self.options.line(message.model))}" if message.model else ""
        yield f"### {message.voice.value}{model} · {clock(message.time, self.options.zone)}\n\n"
        if not message.pieces:
            yield "*(empty)*\n\n"
        listed = False
        for piece in message.pieces:
            in_list = isinstance(piece, Called | LooseResult) and not self._full
            if listed and not in_list:
                yield "\n"
            listed = in_list
            yield from self._piece(piece)
        if listed:
            yield "\n"

    @property
    def _full(self) -> bool:
        return self.options.tools is Tools.FULL

    def _piece(self, piece: Piece) -> Iterator[str]:
        options = self.options
        match piece:
            case Words():
                yield from prose(options.text(piece.text))
            case Thought():
                yield "*Thinking:*\n\n"
                yield from prose(options.text(piece.text))
            case Command():
                text = options.text(piece.text)
                yield from fence(text, "text") if "\n" in text else (f"{code(text)}\n\n",)
            case Output():
                yield from self._output(piece)
            case Note():
                text = options.text(piece.text)
                yield f"{escaped(options.line(piece.label))}\n\n"
                if text.strip():
                    yield from fence(text, "text")
            case Picture():
                yield f"{self._image(piece.image)}\n\n"
            case Odd():
                yield f"A block of type {code(options.line(piece.type))}:\n\n"
                yield from fence(options.text(odd_text(piece)), "json")
            case Called():
                yield from self._full_call(piece) if self._full else self._short_call(piece)
            case LooseResult():
                yield from self._loose(piece)

    def _output(self, piece: Output) -> Iterator[str]:
        text = self.options.text(piece.text)
        lines = text.split("\n")
        if not self._full and len(lines) > _SHORT_OUTPUT:
            text = "\n".join(lines[:_SHORT_OUTPUT])
        yield from fence(text, "text")
        if not self._full and len(lines) > _SHORT_OUTPUT:
            yield f"*({counted(len(lines) - _SHORT_OUTPUT, 'more line')})*\n\n"

    def _image(self, image: Image) -> str:
        size = f", {image.size:,} bytes" if image.size else ""
        return f"\\[Image: {code(self.options.line(image.media_type, 60))}{size}\\]"

    def _short_call(self, piece: Called) -> Iterator[str]:
        about = self.options.line(headline(piece.call, self.part.session.cwd or ""), 120)
        result = outcome(piece.result, self.options) if piece.result else piece.fate.value
        yield (
            f"- **{escaped(self.options.line(tool_name(piece.call), 80))}**"
            f"{' ' + code(about) if about else ''} → {escaped(result)}\n"
        )

    def _full_call(self, piece: Called) -> Iterator[str]:
        yield f"**Tool call:** {code(self.options.line(tool_name(piece.call), 80))}\n\n"
        for sheet in input_sheets(piece.call, self.options):
            yield f"{escaped(self.options.line(sheet.label, 80))}:\n\n"
            yield from fence(sheet.text, sheet.language)
        if piece.result is None:
            yield f"*({piece.fate.value})*\n\n"
        else:
            yield from self._full_result(piece.result)

    def _loose(self, piece: LooseResult) -> Iterator[str]:
        whose = "of a tool that the server ran" if piece.server else "of a call outside this part"
        if self._full:
            yield f"A result {whose}:\n\n"
            yield from self._full_result(piece.result)
        else:
            yield f"- A result {whose} → {escaped(outcome(piece.result, self.options))}\n"

    def _full_result(self, result: ToolResult) -> Iterator[str]:
        yield "**Failed:**\n\n" if result.is_error else "**Result:**\n\n"
        empty = True
        for sheet in result_sheets(result, self.options):
            if sheet.text.strip():
                empty = False
                yield from fence(sheet.text, sheet.language)
        for part in result.parts:
            if isinstance(part, Image):
                empty = False
                yield f"{self._image(part)}\n\n"
        if empty:
            yield "*(no output)*\n\n"


def _list(facts: Iterator[Fact]) -> Iterator[str]:
    for fact in facts:
        yield f"- {fact.label}: {escaped(fact.value)}\n"
    yield "\n"


def _yaml(value: str) -> str:
    """A value in double quotes that YAML and a Markdown viewer both take for plain words."""
    return _YAML_ODD.sub(lambda sign: f"\\u{ord(sign.group()):04x}", dump(value))
