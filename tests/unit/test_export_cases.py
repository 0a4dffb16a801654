"""Every given case and recording, exported in every format and part: frames hold, bytes are the file's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from exporting import FULL, SHORT, Page, copied, exported
from markdown_it import MarkdownIt

from ccbrowse.core.export import Form, Options, Part, branch, segment, whole
from ccbrowse.core.export.story import Message, Story
from ccbrowse.core.records import CHAIN_KINDS, MESSAGE_KINDS, Kind
from ccbrowse.core.session import Session

GIVEN = "given"
SOURCES = [
    GIVEN,
    "cases",
    *(f"recordings/{v}" for v in ("2.1.11", "2.1.59", "2.1.89", "2.1.181", "2.1.332")),
]
UNWANTED = {"script", "iframe", "object", "embed", "form", "input", "link", "base", "u"}


@pytest.fixture(params=SOURCES)
def source(request: pytest.FixtureRequest, root: Path) -> Path:
    """A folder of sessions: the repository's own, or one of those beside it, where they are."""
    if request.param == GIVEN:
        return root / "tests" / "cases" / GIVEN
    shared: Path = request.getfixturevalue("shared")
    return shared / str(request.param)


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


def test_lines_are_the_files_and_every_message_is_in_a_segment(source: Path) -> None:
    seen = 0
    for session in sessions(source):
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


def test_frames_hold_in_every_part(source: Path) -> None:
    commonmark = MarkdownIt("commonmark")
    seen = 0
    for session in sessions(source):
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


def test_given_cases_as_json_and_re_rooted(root: Path, tmp_path: Path) -> None:
    """JSON gives back the messages that it was made of; a part on a line of its own has no finding."""
    for session in sessions(root / "tests" / "cases" / GIVEN):
        index = session.index
        told = json.loads(exported(session, Form.JSON, FULL))
        assert [each["uuid"] for each in told["messages"]] == [
            index.uuids[row]
            for row in whole(session).rows
            if index.kind[row] in MESSAGE_KINDS or index.kind[row] == Kind.QUEUED_PROMPT
        ]
        for number in range(1, len(session.segments) + 1):
            part = segment(session, number)
            want = [index.uuids[row] for row in part.rows if index.kind[row] in CHAIN_KINDS]
            path = tmp_path / "again.jsonl"
            path.write_bytes(copied(part, Options(reroot=True)))
            with closing(Session.open(path)) as again:
                assert [again.index.uuids[row] for row in again.chain] == want, session.file.path
