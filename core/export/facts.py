"""What an export says of its part before it tells it: facts with a key and a label each, as they leave."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ccbrowse.core.chain import BranchKind
from ccbrowse.core.export.jsontext import dump
from ccbrowse.core.export.moments import iso_date, zone_name
from ccbrowse.core.export.options import Options
from ccbrowse.core.export.parts import Part, Scope
from ccbrowse.core.export.wording import counted, duration, reduction, stated, stated_number
from ccbrowse.core.findings import Finding
from ccbrowse.core.index import NO_TIME
from ccbrowse.core.numbers import UNKNOWN, Number, Source, signed
from ccbrowse.core.segments import CompactionKind, Segment
from ccbrowse.core.titles import TitleSource
from ccbrowse.core.usage import Usage

_KINDS = {
    CompactionKind.FULL: "all of it",
    CompactionKind.PARTIAL_FROM: "from a chosen message on",
    CompactionKind.PARTIAL_UP_TO: "up to a chosen message",
}
_ARMS = {
    BranchKind.EDITED_PROMPT: "a prompt withdrawn or sent again in other words",
    BranchKind.REWIND: "left by a rewind",
    BranchKind.LEFTOVER: "rows of a local command beside the line",
}


_TOLD = frozenset(
    {"trigger", "preTokens", "postTokens", "durationMs", "cumulativeDroppedTokens"}
    | {"messagesSummarized", "preservedSegment", "preservedMessages", "pre_tokens", "post_tokens"}
    | {"duration_ms"}
)


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact: its key in a front matter, its label for people, and its value in words."""

    key: str
    label: str
    value: str


def title_of(part: Part, options: Options) -> str:
    """The session's title; empty where it is a prompt that does not stand in the part."""
    title = part.session.title
    if title.source is TitleSource.PROMPT and not _holds_first_prompt(part):
        return ""
    return options.line(title.text)


def _holds_first_prompt(part: Part) -> bool:
    return part.is_whole or any(segment.number == 1 for segment in part.segments)


def part_name(part: Part, options: Options) -> str:
    """What the part is: `segment 2 of 4`."""
    total = len(part.session.segments)
    uuids = part.session.index.uuids
    if part.scope is Scope.SEGMENT:
        return f"segment {part.segments[0].number} of {total}"
    if part.ends is not None:
        first, last = (options.line(uuids[row] or "") for row in part.ends)
        return f"messages {first} to {last}"
    if part.branch is not None:
        return f"a branch, {_ARMS[part.branch.kind]}"
    return f"the whole session, {counted(total, 'segment')}"


def head_facts(part: Part, options: Options) -> Iterator[Fact]:
    """Whose the part is, what it is, when it was, and who wrote it."""
    session, facts = part.session, part.session.index.facts
    yield Fact("session", "Session", options.line(session.session_id))
    if session.agent_id is not None:
        yield Fact("subagent", "Subagent", options.line(session.agent_id))
    if title := title_of(part, options):
        yield Fact("title", "Title", title)
    yield Fact("project", "Project", options.line(session.project))
    yield Fact("part", "Part", part_name(part, options))
    if part.branch is not None and part.branch.fork is not None:
        fork = session.index.uuids[part.branch.fork] or ""
        yield Fact("left_after", "Left the line after", options.line(fork))
    started, ended = span(part)
    for key, label, time in (("started", "From", started), ("ended", "To", ended)):
        if date := iso_date(time, options.zone):
            yield Fact(key, label, date)
    yield Fact("time_zone", "Time zone", options.line(zone_name(options.zone, started)))
    if facts.versions:
        yield Fact("client", "Client", options.line(", ".join(facts.versions)))
    if session.models:
        yield Fact("models", "Models", options.line(", ".join(session.models)))
    masked = "secrets and home paths" if options.clean else "nothing"
    yield Fact("masked", "Masked", masked)
    yield Fact("written_by", "Written by", f"ccbrowse {options.version}".strip())


def span(part: Part) -> tuple[int, int]:
    """The oldest and the newest time in a part, in milliseconds, or NO_TIME."""
    times = [time for row in part.rows if (time := part.session.index.time[row]) != NO_TIME]
    return min(times, default=NO_TIME), max(times, default=NO_TIME)


def segment_facts(segment: Segment, options: Options) -> Iterator[Fact]:
    """How much a segment holds, and what its requests weighed."""
    yield Fact(
        "size",
        "Holds",
        ", ".join(
            (
                counted(segment.prompts, "prompt"),
                counted(segment.messages, "message"),
                counted(segment.tool_calls, "tool call"),
            )
        ),
    )
    for key, label, time in (("from", "From", segment.started), ("to", "To", segment.ended)):
        if date := iso_date(time, options.zone):
            yield Fact(key, label, date)
    context = segment.context
    yield Fact(
        "context",
        "Context in tokens",
        f"{signed(context.open)} at first, {signed(context.peak)} at most, "
        f"{signed(context.close)} at the end",
    )
    yield Fact("usage", "Usage", usage_words(segment.usage))
    yield Fact("lines", "Lines of the file", f"{segment.first_line:,} to {segment.last_line:,}")


def usage_words(usage: Usage) -> str:
    """The tokens of requests; of output counted too early only what is sure."""
    output = stated(usage.output_tokens)
    if usage.untrusted_requests:
        output = (
            f"{signed(Number(None, Source.UNKNOWN))} (at least {usage.output_tokens:,}: "
            f"{counted(usage.untrusted_requests, 'count')} taken before the reply was whole)"
        )
    asked = "request" if usage.requests == 1 else "requests"
    return (
        f"{stated(usage.requests)} {asked}; input {stated(usage.input_tokens)}, "
        f"cache written {stated(usage.cache_creation_input_tokens)}, "
        f"cache read {stated(usage.cache_read_input_tokens)}, output {output}"
    )


def boundary_facts(part: Part, segment: Segment, options: Options) -> Iterator[Fact]:
    """All that the boundary of a segment says of its compaction; nothing where there is none."""
    boundary = segment.boundary
    if boundary is None:
        return
    facts = boundary.facts
    yield Fact("trigger", "Trigger", options.line(facts.trigger or "unknown"))
    if date := iso_date(boundary.time, options.zone):
        yield Fact("time", "Time", date)
    before, after = (stated_number(value) for value in (facts.pre_tokens, facts.post_tokens))
    yield Fact("tokens", "Tokens", fall(before, after))
    asked = last_request(part, segment.number - 1), segment.context.open
    if any(number.value is not None for number in asked):
        yield Fact("input", "Input of the requests around it", fall(*asked))
    yield Fact("took", "Took", duration(facts.duration_ms))
    yield Fact("kind", "Summarised", _KINDS[boundary.kind])
    yield Fact("kept", "Kept", counted(len(segment.carried_over), "message"))
    if facts.messages_summarized is not None:
        yield Fact("messages_summarized", "Messages summarised", f"{facts.messages_summarized:,}")
    if facts.dropped_tokens is not None:
        yield Fact("dropped", "Tokens dropped so far", stated(facts.dropped_tokens))
    if stated_too := _more(facts.raw):
        yield Fact("also", "Also stated", options.line(stated_too, 500))
    yield Fact("joined_by", "Joined to what stands before by", boundary.resolved_by.value)
    yield Fact("uuid", "Record", options.line(boundary.uuid))


def _more(metadata: Mapping[str, Any] | None) -> str:
    """What a boundary states beyond the facts that have a line of their own."""
    rest = {key: value for key, value in (metadata or {}).items() if key not in _TOLD}
    return dump(rest) if rest else ""


def last_request(part: Part, number: int) -> Number:
    """What the last request of a segment weighed: its input side, in tokens."""
    session = part.session
    if number < 1 or not session.segments[number - 1].requests:
        return UNKNOWN
    request = session.segments[number - 1].requests[-1]
    return Number(session.index.requests.context(request), Source.USAGE)


def fall(before: Number, after: Number) -> str:
    """Two numbers and by how much they differ: `98,214= → 22,040= (−78 %)`."""
    share = reduction(before.value, after.value)
    return f"{signed(before)} → {signed(after)}" + (f" ({share})" if share else "")


def part_findings(part: Part) -> list[Finding]:
    """The findings of a part: those of its lines, and those of the file as a whole."""
    found = part.session.findings
    if part.is_whole or not part.rows:
        return found if part.is_whole else []
    lines = [part.session.index.line[row] for row in part.rows]
    first, last = min(lines), max(lines)
    return [each for each in found if each.line is None or first <= each.line <= last]


def finding_words(found: Finding, options: Options) -> str:
    """A finding on one line."""
    return f"{found.severity.value}, {found.code}: {options.line(found.message)}"
