"""Random session files: records in any shape that a file can hold, and worse.

Most records hang on the one before; the rest on any other, on later ones, on none, on what is not
there or on themselves. Uuids come again, messages come in fragments, results before their calls.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from logs import Log, call, encoded

KINDS = (
    *("prompt", "reply", "reply", "call", "result", "prompt", "boundary", "summary"),
    *("system", "attachment", "progress", "queued", "command", "error", "link", "side"),
)

DAMAGE = (
    b"",
    b"  ",
    b"{not json",
    b'{"type":"user","uuid":"half","par',
    b"\0\0\0",
    b"[1,2]",
    b'"text"',
    b'{"type":7}',
    b"\xff\xfe",
)
"""Lines that hold no record."""


@dataclass
class Story:
    """A file in the making: its log, and the uuids that its records will have."""

    log: Log
    uuids: list[str]


@st.composite
def files(draw: DrawFn, most: int = 24, damage: bool = True, replays: bool = True) -> list[bytes]:
    """The lines of a random session file."""
    count = draw(st.integers(1, most))
    story = Story(Log(), [f"r{i}" for i in range(count)])
    for i in range(count):
        if damage and draw(st.integers(0, 15)) == 15:
            story.log.raw(draw(st.sampled_from(DAMAGE)))
        _record(draw, story, i)
        if replays and draw(st.integers(0, 15)) == 15:
            _again(draw, story.log)
        if damage and len(story.log.lines) > 1 and draw(st.integers(0, 25)) == 25:
            last = story.log.lines.pop()
            story.log.lines[-1] += last
    return story.log.lines


def _again(draw: DrawFn, log: Log) -> None:
    """A record once more, as it was or with other content."""
    line = draw(st.integers(1, len(log.lines)))
    if draw(st.booleans()):
        log.raw(log.lines[line - 1])
        return
    try:
        log.again(line, timestamp=None)
    except (ValueError, TypeError):
        return


def _uuid(draw: DrawFn, story: Story, i: int, usual: str | None) -> str | None:
    """A record to link to: mostly the usual one."""
    choice = draw(st.integers(0, 11))
    if choice < 7 or not story.uuids:
        return usual
    if choice < 10:
        return draw(st.sampled_from(story.uuids))
    return None if choice == 10 else f"gone{draw(st.integers(0, 2))}"


def _record(draw: DrawFn, story: Story, i: int) -> None:
    log, uuid = story.log, story.uuids[i]
    kind = draw(st.sampled_from(KINDS))
    parent = _uuid(draw, story, i, log.before)
    extra: dict[str, Any] = {"isSidechain": True} if draw(st.integers(0, 19)) == 19 else {}
    small = st.integers(0, 3)
    match kind:
        case "prompt":
            log.user(uuid, "Go on", parent, **extra)
        case "reply":
            usage = draw(st.none() | st.tuples(small, small, small, small))
            log.reply(uuid, parent=parent, message=f"m{draw(small)}", usage=usage, **extra)
        case "call":
            calls = [call(f"t{draw(small)}") for _ in range(draw(st.integers(1, 2)))]
            log.reply(uuid, *calls, parent=parent, message=f"m{draw(small)}", **extra)
        case "result":
            log.result(uuid, f"t{draw(small)}", parent=parent, **extra)
        case "boundary":
            _boundary(draw, story, i)
        case "summary":
            log.summary(uuid, parent)
        case "command":
            log.user(uuid, "<command-name>/exit</command-name>", parent)
        case "error":
            log.reply(uuid, parent=parent, model="<synthetic>", isApiErrorMessage=True)
        case "queued":
            log.attachment(uuid, parent, type="queued_command", prompt="And?", commandMode="prompt")
        case "link":
            log.linked("novelty", uuid, parent)
        case "side":
            log.side("mode", mode="plan")
        case _:
            getattr(log, kind)(uuid, parent)


def _boundary(draw: DrawFn, story: Story, i: int) -> None:
    log = story.log
    some = st.lists(st.sampled_from(story.uuids), max_size=3, unique=True)
    metadata: dict[str, Any] = {
        "trigger": draw(st.sampled_from(("auto", "manual"))),
        "preTokens": 9,
    }
    match draw(st.integers(0, 5)):
        case 0 | 1:
            metadata["preservedMessages"] = {"allUuids": draw(some)}
        case 2:
            ends = draw(st.tuples(st.sampled_from(story.uuids), st.sampled_from(story.uuids)))
            metadata["preservedSegment"] = {"headUuid": ends[0], "tailUuid": ends[1]}
        case _:
            pass
    logical = _uuid(draw, story, i, log.before)
    log.boundary(story.uuids[i], logical, metadata=metadata)


def joined(lines: list[bytes]) -> bytes:
    """The lines as a file."""
    return b"".join(line + b"\n" for line in lines)


def cuts(size: int, most: int = 6) -> SearchStrategy[list[int]]:
    """Offsets at which a file of a size is cut while it grows, in order."""
    return st.lists(st.integers(0, size), max_size=most).map(sorted)


__all__ = ["DAMAGE", "KINDS", "cuts", "encoded", "files", "joined"]
