"""Every shared case and recording, exported in every format and part: frames hold, bytes are the file's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from exporting import FULL, SHORT, Page, copied, exported
from markdown_it import MarkdownIt

from ccbrowse.core.export import Form, Part, branch, segment, whole
from ccbrowse.core.export.story import Message, Story
from ccbrowse.core.session import Session

SOURCES = [
    "cases",
    *(f"recordings/{v}" for v in ("2.1.11", "2.1.59", "2.1.89", "2.1.181", "2.1.332")),
]
UNWANTED = {"script", "iframe", "object", "embed", "form", "input", "link", "base", "u"}


def sessions(folder: Path) -> Iterator[Session]:
    """The sessions and subagents below a folder."""
    for path in sorted(folder.glob("**/projects/**/*.jsonl")):
        if path.is_file() and path.name != "journal.jsonl":
            session = Session.open(path)
            yield session
            session.close()


def parts(session: Session) -> Iterator[Part]:
    """Every part of a session that has a name."""
    yield whole(session)
    for number in range(1, len(session.segments) + 1):
        yield segment(session, number)
    for arm in session.chain.branches:
        yield branch(session, session.index.uuids[arm.leaf] or "")


def in_order(some: list[bytes], every: list[bytes]) -> bool:
    """Whether some lines stand among all of them, each once, in their order."""
    rest = iter(every)
    return all(any(line == other for other in rest) for line in some)


@pytest.mark.parametrize("source", SOURCES)
def test_lines_are_the_files_and_every_message_is_in_a_segment(shared: Path, source: str) -> None:
    seen = 0
    for session in sessions(shared / source):
        data = session.file.path.read_bytes()
        assert copied(session) == data
        lines = data.split(b"\n")
        for part in parts(session):
            assert in_order(copied(part).split(b"\n")[:-1], lines), session.file.path
            if not part.is_whole:
                of_part = {session.index.line[row] for row in part.rows}
                copy = set(copied(part).split(b"\n"))
                assert all(lines[number - 1] in copy for number in of_part), session.file.path
            seen += 1
    assert seen > 5


@pytest.mark.parametrize("source", SOURCES)
def test_frames_hold_in_every_part(shared: Path, source: str) -> None:
    commonmark = MarkdownIt("commonmark")
    seen = 0
    for session in sessions(shared / source):
        for part in parts(session):
            full = part.is_whole
            options = FULL if full else SHORT
            events = list(Story(part, options))
            body = exported(part, Form.MARKDOWN, options).split("\n---\n\n", 1)[1]
            tokens = commonmark.parse(body)
            heads = [
                t for t in tokens if t.type == "heading_open" and t.level == 0 and t.tag != "h1"
            ]
            foot = body.count("\n## Findings\n") + body.count("\n## Left out\n")
            assert len(heads) == len(events) + foot, session.file.path
            page = Page(exported(part, Form.HTML, options))
            assert not set(page.tags) & UNWANTED
            assert page.tags.count("article") == sum(isinstance(e, Message) for e in events)
            assert exported(part, Form.TEXT, options).count("\n[") >= page.tags.count("article")
            seen += len(events)
    assert seen > 20
