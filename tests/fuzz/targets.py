"""What is fuzzed: each target takes bytes, does what ccbrowse does with them, and checks what must hold.

A target that raises has found a bug. Whole files go through a file in a temporary folder, as the
engine reads files; everything that is opened is closed again.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from itertools import islice
from pathlib import Path
from zlib import crc32

from client_rules import loaded
from exporting import PAGE_ELEMENTS, Page

from ccbrowse.core.capture import NoCapture, read_captures, side_of_capture
from ccbrowse.core.compaction import compaction_json, each_compaction
from ccbrowse.core.errors import BadLine, BadQuery, CcbrowseError
from ccbrowse.core.export import Form, Options, Part, Tools, branch, encoded, export, segment, whole
from ccbrowse.core.export.jsontext import dump
from ccbrowse.core.export.loss import loss_markdown
from ccbrowse.core.index import REPLAY, SIDECHAIN, SessionIndex
from ccbrowse.core.library import list_session
from ccbrowse.core.lines import Growth, line_bounds, line_spans, read_chunks
from ccbrowse.core.payload import Payloads, compaction_call, replies
from ccbrowse.core.query import parse_filter, parse_search
from ccbrowse.core.records import CHAIN_KINDS, blocks, decode, decode_odd, typed_text
from ccbrowse.core.redact import Redactor
from ccbrowse.core.report import boundary_json, listing_json, session_json
from ccbrowse.core.search import find_in_session, parse_query
from ccbrowse.core.session import Session
from ccbrowse.core.text import cell_width, clip, display_text, one_line

Target = Callable[[bytes], None]

MOST = 12
"""Segments, branches or replies of one file that a target looks at: it must stay quick."""

FEW = 4
"""Segments, and branches, that are exported."""

_OBEYED = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_SWALLOWING = re.compile("[\x1b\x80-\x9f]")
_MASK = re.compile(r"\[redacted:[a-z0-9-]+#\d+\]")
_FULL = Options(tools=Tools.FULL, thinking=True, version="0")


@cache
def folder() -> Path:
    """Where the files lie that targets read; in memory where that is possible."""
    shared_memory = Path("/dev/shm")
    where = shared_memory if os.access(shared_memory, os.W_OK) else None
    return Path(tempfile.mkdtemp(prefix="ccbrowse-fuzz-", dir=where))


@contextmanager
def session_of(data: bytes, name: str = "session") -> Iterator[Session]:
    """A session whose file holds these bytes."""
    path = folder() / name / "projects" / "-fuzz" / "session.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    with closing(Session.open(path)) as session:
        yield session


def lines(data: bytes) -> None:
    """Chunks and spans give the lines that LF alone makes, whatever the bytes are."""
    want = data.split(b"\n")
    if not want[-1]:
        del want[-1]
    got: list[bytes] = []
    path = folder() / "lines"
    path.write_bytes(data)
    with path.open("rb") as file:
        for chunk in read_chunks(file):
            bounds = line_bounds(chunk.data, chunk.end)
            spans = list(line_spans(chunk.data, chunk.end))
            assert spans == list(zip(*bounds, strict=True))
            got += (bytes(chunk.data[start:stop]) for start, stop in spans)
    assert got == want


def records(data: bytes) -> None:
    """A line decodes to a mapping or is bad; its blocks can be read whatever shape they have."""
    for line in data.split(b"\n"):
        try:
            found = [decode(line)]
        except BadLine:
            found, _ = decode_odd(line)
        for record in found:
            assert isinstance(record, dict)
            for block in blocks(record):
                typed_text(getattr(block, "text", ""))


def chain(data: bytes) -> None:
    """The chain names each record once; a file read in two parts gives what it gives at once."""
    with session_of(data) as session:
        _check_chain(session)
        told = _told(session)
        if _names_two(session.index):
            return
    cut = len(data) * 2 // 3
    with session_of(data[:cut], "growing") as growing:
        with growing.file.path.open("ab") as file:
            file.write(data[cut:])
        assert growing.refresh().growth in (Growth.GROWN, Growth.SAME, Growth.RESET)
        assert _told(growing) == told


def _names_two(index: SessionIndex) -> bool:
    """Whether a uuid names two records that are not the same: which one is meant changes as they come."""
    named = [uuid for row, uuid in enumerate(index.uuids) if uuid and not index.flags[row] & REPLAY]
    return len(set(named)) != len(named)


def _told(session: Session) -> dict[str, object]:
    """What is said of a session, however it was read."""
    uuids = session.index.uuids
    return {
        "chain": [uuids[row] for row in session.chain],
        "off_chain": [uuids[row] for row in session.chain.off_chain],
        "segments": [
            (part.messages, part.prompts, part.tool_calls, part.usage, part.context, part.started)
            for part in session.segments
        ],
        "kept": [[uuids[row] for row in part.carried_over] for part in session.segments],
        "branches": [(arm.leaf, arm.fork, arm.kind) for arm in session.chain.branches],
        "usage": session.usage_with_subagents,
        "calls": (session.open_calls(), session.unpaired_results()),
        "lines": session.lines,
    }


def _check_chain(session: Session) -> None:
    rows = list(session.chain)
    assert len(set(rows)) == len(rows)
    assert [row for part in session.segments for row in part.rows] == rows
    assert not set(rows) & set(session.chain.off_chain)
    for found in session.findings:
        assert found.message


def segments(data: bytes) -> None:
    """Segments follow one another, and can be listed, shown and weighed; each request counts once."""
    with session_of(data) as session:
        # A message may be torn by a boundary: then each of the two segments tells of its request.
        counted = {request for part in session.segments for request in part.requests}
        assert session.usage_main_line.requests == len(counted)
        assert [part.number for part in session.segments] == list(
            range(1, len(session.segments) + 1)
        )
        for part in session.segments[:MOST]:
            for row in (*part.rows, *part.carried_over):
                assert session.index.uuids[row] is not None
            session.text_tokens(part)
        dump(listing_json(list_session(session)))
        dump(session_json(session, with_text_tokens=False))


def payload(data: bytes) -> None:
    """Requests can be asked for each reply, for the next one, and around each compaction."""
    with session_of(data) as session:
        payloads = Payloads(session)
        for reply in islice(replies(session), MOST):
            found = payloads.of(reply)
            assert found.counts.messages == len(found.messages or ())
        with suppress(CcbrowseError):
            payloads.next()
        for number in range(1, min(MOST, len(session.segments))):
            with suppress(CcbrowseError):
                compaction_call(session, number)


def compactions(data: bytes) -> None:
    """Each compaction has its items in one bucket each, and can be told."""
    with session_of(data) as session:
        for found in islice(each_compaction(session), MOST):
            boundary = session.segment(found.opens).boundary
            assert boundary is not None
            compaction_json(found, boundary_json(boundary))
            "".join(loss_markdown(found))


def parts_of(session: Session) -> Iterator[Part]:
    """The whole session, its first segments and branches."""
    if session.segments:
        yield whole(session)
        for each in session.segments[:FEW]:
            yield segment(session, each.number)
        for arm in session.chain.branches[:FEW]:
            yield branch(session, session.index.uuids[arm.leaf] or "")


def exports(data: bytes) -> None:
    """Every part can be written in a form; texts bring no element and nothing that a terminal obeys.

    The bytes choose the form, so that each of them is taken a fifth of the time: writing is slow.
    """
    form = list(Form)[crc32(data) % len(Form)]
    with session_of(data) as session:
        shown = session_json(session, with_text_tokens=False)
        for part in parts_of(session):
            written = _bytes(export(part, form, _FULL, lambda: shown))
            _check_export(part, form, written, data)


def _check_export(part: Part, form: Form, written: bytes, data: bytes) -> None:
    match form:
        case Form.JSONL if part.is_whole:
            assert written == data
        case Form.JSONL:
            assert set(written.split(b"\n")) <= {*data.split(b"\n"), b""}
        case Form.JSON:
            assert json.loads(written)["schema"] == "ccbrowse.export/1"
        case Form.HTML:
            assert set(Page(written.decode()).tags) <= PAGE_ELEMENTS
        case Form.MARKDOWN | Form.TEXT:
            assert _OBEYED.search(written.decode().replace("\t", " ")) is None


def reroot(data: bytes) -> None:
    """A part put on a line of its own is the part, whole: to us and to the client."""
    with session_of(data) as session:
        index = session.index
        for part in parts_of(session):
            lines_of = _bytes(export(part, Form.JSONL, Options(reroot=True)))
            if _names_two(index):
                continue
            rows = (row for row in part.rows if index.kind[row] in CHAIN_KINDS)
            want = [uuid for row in rows if (uuid := index.uuids[row])]
            with session_of(lines_of, "again") as again:
                got = [uuid for row in again.chain if (uuid := again.index.uuids[row])]
                assert sorted(got) == sorted(want)
                if all(index.uuids[row] for row in part.rows):
                    # Numbers that cannot be come along; no link is left to be repaired.
                    assert {found.code for found in again.warnings()} <= {"impossible_count"}
                    # Of what was damaged before, the order may come out another; arms stand as in the file.
                    sides = any(index.flags[row] & SIDECHAIN for row in part.rows)
                    assert got == want or part.branch or sides or session.warnings()
            loaded(lines_of)


def _text(chunks: Iterator[str | bytes]) -> str:
    return _bytes(chunks).decode()


def _bytes(chunks: Iterator[str | bytes]) -> bytes:
    return b"".join(map(encoded, chunks))


def display(data: bytes) -> None:
    """What is shown holds nothing that a terminal obeys, and comes back unchanged the second time."""
    raw = data.decode("utf-8", "surrogateescape" if len(data) % 2 else "replace")
    for newlines in (False, True):
        safe = display_text(raw, newlines=newlines)
        assert _OBEYED.search(safe) is None and (newlines or "\n" not in safe)
        assert display_text(safe, newlines=newlines) == safe
        safe.encode()
    width = len(data) % 50
    assert cell_width(one_line(raw, width)) <= width
    assert cell_width(clip(display_text(raw), width)) <= width


def redact(data: bytes) -> None:
    """Masking never fails; what it has masked it leaves as it is."""
    raw = data.decode("utf-8", "replace")
    for emails in (False, True):
        redactor = Redactor("/home/ada", "ada", emails=emails)
        masked = redactor.redact(raw)
        assert sum(redactor.counts().values()) == len(redactor.hits)
        for hit in redactor.hits:
            assert 0 <= hit.start < hit.end <= len(raw)
            assert hit.line == raw.count("\n", 0, hit.start) + 1
        again = Redactor("/home/ada", "ada", emails=emails).redact(masked)
        # What a terminal swallows may hold a mask, and be swallowed by what stands around it.
        if not _SWALLOWING.search(raw):
            assert set(_MASK.findall(masked)) <= set(_MASK.findall(again))


def query(data: bytes) -> None:
    """What a person asks is understood, or answered with what is wrong with it; never a crash."""
    words, _, body = data.partition(b"\n")
    asked = words.decode("utf-8", "replace")
    with session_of(body) as session:
        listing = list_session(session)
        for parse in (parse_filter, parse_search, parse_query):
            with suppress(BadQuery):
                parse(asked).accepts(listing)
        for regex in (False, True):
            with suppress(BadQuery):
                for match in islice(find_in_session(session, asked, regex=regex), MOST):
                    assert match.length >= 0


def capture(data: bytes) -> None:
    """A file that may hold captured requests is read, or said to hold none."""
    path = folder() / "captured"
    path.write_bytes(data)
    with suppress(NoCapture):
        for found in islice(read_captures(path), MOST):
            side_of_capture(found)


TARGETS: dict[str, Target] = {
    target.__name__: target
    for target in (
        lines, records, chain, segments, payload, compactions, exports, reroot, display, redact, query,
        capture,
    )
}  # fmt: skip
"""The targets by name."""

WHOLE_FILES = frozenset(
    {"chain", "segments", "payload", "compactions", "exports", "reroot", "records", "lines"}
)
"""Targets whose input is a session file: they are mutated record by record."""
