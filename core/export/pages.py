"""HTML in files: one, or of a part that a browser would take long over several that lead to each other.

The pages of a long one are `NAME.html`, `NAME.2.html` and so on; each has the contents of all. Those
behind the first are written before it, so that whoever finds a new `NAME.html` finds all its pages.
What is left of an older, longer export is removed at last, where that may be replaced at all.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO
from urllib.parse import quote

from markupsafe import Markup

from ccbrowse.core.export.html import Sheaf, drawn, framed
from ccbrowse.core.export.options import Options
from ccbrowse.core.export.parts import Part
from ccbrowse.core.export.story import Story
from ccbrowse.core.export.writing import Written, check_target, encoded, named, write_file

MOST_ELEMENTS = 100_000
"""Elements of a page: a browser takes about a second for as many."""

MOST_BYTES = 16_000_000
"""Bytes of a page, images and all."""

_ENOUGH = 0.7
"""Share of a full page behind which the next segment opens a new one."""

_BLOCK = 1 << 20

_HEAD = 1 << 18
"""Bytes within which a page says what it is."""

_GENERATED = b'<meta name="generator" content="ccbrowse'


@dataclass(slots=True)
class _Page:
    """What a page holds: where its HTML begins in the spool, and how much of what."""

    start: int
    size: int = 0
    elements: int = 0

    def fullness(self, size: int = 0, elements: int = 0) -> float:
        """How full it would be with so much more: 1.0 is as much as there may be."""
        return max((self.size + size) / MOST_BYTES, (self.elements + elements) / MOST_ELEMENTS)


def write_html(
    part: Part, options: Options, target: Path, *, force: bool = False
) -> tuple[Written, ...]:
    """Write a part as HTML to a file, or to several beside each other; the first one is `target`.

    Raises what `write_file` does, before anything is written where one of the files exists.
    """
    check_target(target, force)
    story = Story(part, options)
    with named(target):
        spool = tempfile.TemporaryFile(prefix=".ccbrowse-", dir=target.parent)  # noqa: SIM115 - just below
    with spool:
        pages, starts = _spooled(story, spool, target)
        paths = [page_path(target, number) for number in range(1, len(pages) + 1)]
        for path in paths[1:]:
            check_target(path, force)
        addresses = tuple(quote(path.name) for path in paths)
        written: dict[Path, Written] = {}
        for number in range(len(pages), 0, -1):
            sheaf = Sheaf(number, addresses, starts)
            body = _read(spool, pages[number - 1])
            path = paths[number - 1]
            written[path] = write_file(framed(story, body, sheaf), path, force=force)
    if force:
        removed = _remove_older(target, len(pages))
        written[target] = replace(written[target], removed=removed)
    return tuple(written[path] for path in paths)


def _remove_older(target: Path, pages: int) -> tuple[Path, ...]:
    """Take away the pages of an older, longer export: they may hold what is masked in the new one.

    Only files that are such pages by their own words.
    """
    removed: list[Path] = []
    while _is_page(path := page_path(target, pages + 1 + len(removed)), pages + 1 + len(removed)):
        with named(path):
            path.unlink()
        removed.append(path)
    return tuple(removed)


def _is_page(path: Path, number: int) -> bool:
    """Whether a file says that it is that page of an export."""
    if path.is_symlink() or not path.is_file():
        return False
    with named(path), path.open("rb") as file:
        head = file.read(_HEAD)
    return _GENERATED in head and f"<p>Page {number} of ".encode() in head


def page_path(target: Path, number: int) -> Path:
    """The file of a page: `x.html`, then `x.2.html`; a name without an ending gets none."""
    return target if number == 1 else target.with_name(f"{target.stem}.{number}{target.suffix}")


def _spooled(story: Story, spool: IO[bytes], target: Path) -> tuple[list[_Page], Mapping[str, int]]:
    """Draw all events into a spool; where each page begins, and which page each segment does."""
    pages = [_Page(0)]
    starts: dict[str, int] = {}
    for anchor, text in drawn(story):
        data = encoded(text)
        elements = data.count(b"</")
        page = pages[-1]
        full = page.fullness(len(data), elements) > 1
        if page.size and (full or (anchor and page.fullness() > _ENOUGH)):
            page = _Page(page.start + page.size)
            pages.append(page)
        if anchor:
            starts[anchor] = len(pages)
        with named(target):
            spool.write(data)
        page.size += len(data)
        page.elements += elements
    return pages, starts


def _read(spool: IO[bytes], page: _Page) -> Iterator[Markup]:
    """The HTML of a page, line by line: a block could end amid a sign."""
    spool.seek(page.start)
    left = page.size
    while left > 0:
        lines = b"".join(spool.readlines(min(left, _BLOCK)))[:left]
        left -= len(lines)
        yield Markup(lines.decode())
