"""The index of a file: the same however the file grew, whatever its bytes, whatever its values."""

from __future__ import annotations

import itertools
import json
from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from graphs import cuts, files, joined
from hypothesis import example, given, settings
from hypothesis import strategies as st
from logs import Log, Row, encoded

from ccbrowse.core.index import IndexedFile, RequestTable, SessionIndex
from ccbrowse.core.lines import Growth
from ccbrowse.core.report import session_json
from ccbrowse.core.session import Session


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A new path for each file."""
    folder = tmp_path_factory.mktemp("grown")
    return (folder / f"{number}.jsonl" for number in itertools.count())


def facts(index: SessionIndex) -> dict[str, Any]:
    """All that an index tells of its file, to be compared.

    `adopted` is left out: it is the news of the last reading, in the order of reading.
    """
    known = {name: value for name, value in vars(index).items() if not name.startswith("_")}
    del known["adopted"]
    values = {name: _plain(value) for name, value in known.items()}
    values["time"] = list(index.time)
    values["line"] = list(index.line)
    values["troubles"] = [(trouble.code, trouble.line) for trouble in index.troubles]
    return values


def _plain(value: object) -> object:
    if isinstance(value, RequestTable):
        return {name: _plain(inner) for name, inner in vars(value).items()}
    return list(value) if isinstance(value, array | bytearray) else value


def grow(path: Path, data: bytes, at: Iterable[int]) -> Iterator[None]:
    """Write a file piece by piece, cut at some offsets."""
    offsets = [0, *at, len(data)]
    for start, stop in itertools.pairwise(offsets):
        with path.open("ab") as file:
            file.write(data[start:stop])
        yield


@settings(max_examples=150)
@given(files(), st.data())
def test_a_file_that_grew_has_the_index_of_one_read_at_once(
    paths: Iterator[Path], lines: list[bytes], more: st.DataObject
) -> None:
    data, path = joined(lines), next(paths)
    grown = IndexedFile(path)
    for _ in grow(path, data, more.draw(cuts(len(data)))):
        assert grown.read() in (Growth.GROWN, Growth.SAME)
    whole = IndexedFile(path)
    whole.read()
    assert facts(grown.index) == facts(whole.index)


LINES = st.lists(
    st.sampled_from([b"{}", b"{", b'"', b"\0", b"\xff", b"\xef\xbb\xbf", b" ", b"null", b"\r"])
    | st.sampled_from([encoded({"type": "user", "uuid": u, "parentUuid": None}) for u in "ab"]),
    max_size=4,
).map(b"".join)


@settings(max_examples=150)
@given(st.lists(LINES | st.binary(max_size=20).filter(lambda b: b"\n" not in b), max_size=8))
@example([b'{"type":"user"}{"type":"user"}', b"", b'{"type":"user"}'])
@example([b'{"type":', b'"user"}{"type":"user"}'])
@example([b'{"type":"user"}\r', b"\r"])
def test_any_lines_have_rows_that_hold_them(paths: Iterator[Path], lines: list[bytes]) -> None:
    data, path = joined(lines), next(paths)
    path.write_bytes(data)
    file = IndexedFile(path)
    file.read()
    index = file.index
    assert index.lines == len(lines)
    assert index.size == len(data)
    starts = [0, *itertools.accumulate(len(line) + 1 for line in lines)]
    for row, line in enumerate(index.line):
        assert index.offset[row] == starts[line - 1]
        assert index.length[row] == len(lines[line - 1])
    assert list(index.line) == sorted(index.line)
    blank = {n for n, line in enumerate(lines, 1) if not line.strip().removeprefix(b"\xef\xbb\xbf")}
    assert set(index.line) == set(range(1, len(lines) + 1)) - blank
    assert set(index.bad_lines) <= set(index.line)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(1 << 70), 1 << 70)
    | st.floats(allow_nan=False)
    | st.sampled_from(["", "r0", "r1", "user", "t1", "prompt", "\ud83d", "<command-name>/x"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "text", "id", "tool_use_id"]), inner, max_size=3)
    ),
    max_leaves=6,
)
FIELDS = (
    *("uuid", "parentUuid", "logicalParentUuid", "message", "timestamp", "isSidechain", "origin"),
    *("isMeta", "isCompactSummary", "compactMetadata", "attachment", "data", "forkedFrom", "cwd"),
    *("subtype", "summarizeMetadata", "toolUseResult", "version", "gitBranch", "customTitle"),
    *("aiTitle", "summary", "leafUuid", "requestId", "agentId", "content"),
)
TYPES = ("user", "assistant", "system", "attachment", "progress", "custom-title", "summary", "new")


@st.composite
def odd_records(draw: st.DrawFn) -> Row:
    """A record in which any field may hold any value."""
    log = Log()
    log.boundary("r0") if draw(st.booleans()) else log.reply("r0", usage=(1, 2, 3, 4))
    row: Row = json.loads(log.lines[0])
    row["type"] = draw(st.sampled_from(TYPES))
    row["uuid"] = draw(st.sampled_from(["r0", "r1", "r2"]))
    row |= draw(st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=4))
    if isinstance(row.get("message"), dict):
        names = st.sampled_from(["id", "model", "content", "usage", "stop_reason"])
        row["message"] |= draw(st.dictionaries(names, VALUES, max_size=3))
    return row


@settings(max_examples=150)
@given(st.lists(odd_records(), min_size=1, max_size=4))
def test_any_value_in_any_field_is_survived(paths: Iterator[Path], rows: list[Row]) -> None:
    path = next(paths)
    path.write_bytes(joined([json.dumps(row).encode() for row in rows]))
    session = Session.open(path)
    try:
        shown = session_json(session, with_text_tokens=False)
    finally:
        session.close()
    chain, off = shown["chain"], shown["off_chain"]
    assert len(set(chain)) == len(chain)
    assert not set(chain) & set(off)
    assert [uuid for segment in shown["segments"] for uuid in segment["uuids"]] == chain
    json.dumps(shown)
