"""What was read and found: files with their lines, hits, lists of files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ccbrowse.core.records import Text
from ccbrowse.core.text import SafeText, display_text, one_line
from ccbrowse.tui.viewmodels import blocks, figures
from ccbrowse.tui.viewmodels.answers import (
    Answer,
    apart,
    given,
    nothing,
    number,
    path_of,
    plain,
    reminded,
    said,
    string,
    strings,
)
from ccbrowse.tui.viewmodels.languages import language_of
from ccbrowse.tui.viewmodels.tools import short_path
from ccbrowse.tui.viewtypes import DetailBlock, Line, Tone, line

_NUMBERED = re.compile(r" *(\d{1,9})(?:→|\t)(.*)", re.DOTALL)
_HIT = re.compile(r"(?P<path>[^:\n]+):(?:(?P<number>\d+):)?(?P<words>.*)", re.DOTALL)


def read(answer: Answer) -> Iterator[DetailBlock]:
    """A file: which lines of how many, numbered as in the file."""
    file = answer.known.get("file")
    known: Mapping[str, Any] = file if isinstance(file, Mapping) else {}
    texts = [part for part in answer.result.parts if isinstance(part, Text)]
    own, reminders = apart(answer.output)
    first, lines = _numbered(own)
    start = first if first is not None else number(known, "startLine")
    count = len(lines) if first is not None else number(known, "numLines")
    total = number(known, "totalLines")
    if start and count:
        whole = f" of {total:,}" if total else ""
        yield from blocks.facts([("lines", f"{start:,}–{start + count - 1:,}{whole}")])
    if texts and first is not None:
        yield blocks.code("\n".join(lines), language_of(path_of(answer.call)), first)
    elif texts:
        yield from said(own) if own.strip() else ()
    yield from reminded(reminders)
    dimensions = known.get("dimensions")
    if isinstance(dimensions, Mapping):
        wide, high = number(dimensions, "originalWidth"), number(dimensions, "originalHeight")
        yield from blocks.facts([("picture", f"{wide:,} × {high:,} pixels" if wide else None)])
    yield from (blocks.part(p) for p in answer.result.parts if not isinstance(p, Text))
    if not answer.result.parts:
        yield nothing()


def _numbered(text: str) -> tuple[int | None, list[str]]:
    """The number of a listing's first line and its lines without numbers; None where it has none."""
    lines: list[str] = []
    first: int | None = None
    for place, line_of in enumerate(text.strip("\n").split("\n")):
        found = _NUMBERED.fullmatch(line_of)
        if found is None or (first is not None and int(found[1]) != first + place):
            return None, []
        first = int(found[1]) if first is None else first
        lines.append(found[2])
    return first, lines


def grep(answer: Answer) -> Iterator[DetailBlock]:
    """Hits as a list: by file with their lines, or the files alone."""
    known = answer.known
    mode = string(known, "mode") or string(given(answer.call), "output_mode")
    own, reminders = apart(answer.output)
    hits = own.strip().split("\n") if own.strip() else []
    if mode == "content" and hits:
        pairs = list(_hits(hits[: blocks.MOST_ITEMS], answer.cwd))
        if pairs:
            yield blocks.heading(str(figures.counted(len(hits), "line")))
            yield blocks.listed(pairs, len(hits) - blocks.MOST_ITEMS)
            yield from reminded(reminders)
            return
    names = strings(known.get("filenames"))
    if names:
        yield from _files(names, answer)
        return
    yield from plain(answer)


def _hits(hits: Sequence[str], cwd: str) -> Iterator[tuple[Line, Line]]:
    """Each file once, its hits beneath."""
    before = ""
    for hit in hits:
        found = _HIT.fullmatch(hit)
        if found is None or not (found["number"] or before or "/" in found["path"]):
            yield (), line(display_text(hit))
            continue
        if found["path"] != before:
            before = found["path"]
            yield (), line((one_line(short_path(before, cwd), 300), Tone.TOOL))
        number = SafeText(f"{display_text(found['number'] or ''):>6}  ")
        yield line((number, Tone.MUTED)), line(display_text(found["words"][:2_000]))


def glob(answer: Answer) -> Iterator[DetailBlock]:
    """Files as a list."""
    names = strings(answer.known.get("filenames"))
    if names:
        yield from _files(names, answer)
    else:
        yield from plain(answer)


def _files(names: Sequence[str], answer: Answer) -> Iterator[DetailBlock]:
    """Paths as seen from the working directory; whether there were more."""
    more = " (there were more)" if answer.known.get("truncated") is True else ""
    yield blocks.heading(f"{figures.counted(len(names), 'file')}{more}")
    shown = names[: blocks.MOST_ITEMS]
    bullet = line((SafeText("· "), Tone.MUTED))
    yield blocks.listed(
        [(bullet, line(one_line(short_path(name, answer.cwd), 500))) for name in shown],
        len(names) - len(shown),
    )
